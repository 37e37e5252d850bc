"""Analyses for a seat do not change by a byte when cards change places that it cannot see."""

import json

import numpy as np
import pytest

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact, initial_deal
from arboretum_training.analysis.report import open_report, position_report, seat_report
from arboretum_training.analysis.story import Course, course, story
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.playouts import Playouts
from tests.agents.positions import random_network
from tests.analysis.games import bots_course

CONFIGS = {
    "2": GameConfig(),
    "3, starting discards": GameConfig(num_players=3, starting_discards=True),
}


def redealt(game: Course, seat: int, until: int, rng: np.random.Generator) -> Course:
    """The same game up to ``until``, with other cards where the seat has never seen any.

    Cards that it has not seen by then have been hidden from it all along, and nobody has shown
    one: so the same actions are legal, and look the same to the seat. But for a card that a rival
    has chosen and not yet planted: that may be another one.
    """
    state = game.states[0]
    unseen = list(hidden_cards(game.view(until, seat)).unseen)
    new = dict(zip(unseen, rng.permutation(unseen).tolist(), strict=True))
    hands, deck, discards = initial_deal(state, 0)
    initial = deal_exact(
        state.config,
        [[new.get(card, card) for card in hand] for hand in hands],
        [new.get(card, card) for card in deck],
        discards,
    )
    actions = list(game.actions[:until])
    chosen = int(game.states[until].chosen_card[0])
    if chosen in new:
        actions[-1] += new[chosen] - chosen
    return course(initial, actions)


def reports(game: Course, seat: int, until: int) -> bytes:
    config = game.states[0].config
    agent = NeuralAgent(config, random_network(config))
    playouts = Playouts(make_agent("greedy", config), 16)
    found = [seat_report(agent, story(game, seat, until), playouts)]
    found += [
        position_report(agent, game.view(at, seat), playouts)
        for at in (until, until // 2, until // 2 + 1)
    ]
    return json.dumps(found).encode()


@pytest.mark.parametrize("name", CONFIGS)
def test_redistributed_hidden_cards_change_no_byte(name: str) -> None:
    game = bots_course(CONFIGS[name], 11, ("greedy", "planner"))
    rng = np.random.default_rng(1)
    for seat, until in ((0, 37), (1, 58), (1, 60)):
        other = redealt(game, seat, until, rng)
        assert other.states[until].raw.tobytes() != game.states[until].raw.tobytes()
        assert reports(other, seat, until) == reports(game, seat, until)


def test_open_cards_do_change_it() -> None:
    """So the test above can fail."""
    game = bots_course(CONFIGS["2"], 11, ("greedy", "planner"))
    other = redealt(game, 0, 37, np.random.default_rng(1))
    playouts = Playouts(make_agent("greedy", CONFIGS["2"]), 16)
    cut = course(game.states[0], game.actions[:37])
    assert open_report(other, playouts) != open_report(cut, playouts)
