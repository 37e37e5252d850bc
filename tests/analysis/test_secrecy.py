"""Analyses for a seat do not change by a byte when cards change places that it cannot see."""

import json

import numpy as np
import pytest

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact, initial_deal
from arboretum_env.errors import RecordError
from arboretum_env.records import replay
from arboretum_env.records.completion import CompleteDeal, complete_deal
from arboretum_env.records.record import GameRecord
from arboretum_lab.studio.chair import begin, note
from arboretum_training.analysis.report import open_report, position_report, seat_report
from arboretum_training.analysis.story import Course, course, course_of_record, story
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


def reports(game: Course, seat: int, until: int | None) -> bytes:
    config = game.states[0].config
    agent = NeuralAgent(config, random_network(config))
    playouts = Playouts(make_agent("greedy", config), 16)
    told = story(game, seat, until)
    found = [seat_report(agent, told, playouts)]
    found += [
        position_report(agent, game.view(at, seat), playouts)
        for at in (until or told.last_at, told.last_at // 2, told.last_at // 2 + 1)
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


def noted_from_chair(game: Course, seat: int) -> GameRecord:
    """The record that a seat could have noted: others' hands and deck draws are unknown."""
    hands, _, discards = initial_deal(game.states[0], 0)
    record = begin(game.states[0].config, seat, hands[seat], discards)
    for event in game.view(len(game.actions), seat).history or ():
        record = note(record, seat, event[:2] if event.startswith("p") else event)
    return record


def test_cards_that_nobody_noted_count_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown cards are filled in for the engine: with others in their places all is the same."""
    config = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=2)
    record = noted_from_chair(bots_course(config, 5, ("greedy", "random")), 0)
    noted = course_of_record(record)
    assert noted.finished
    unknown = sorted(noted.unknown_last)
    assert len(unknown) > 2
    turned = dict(zip(unknown, [*unknown[1:], unknown[0]], strict=True))

    def refilled(record: GameRecord) -> CompleteDeal:
        deal = complete_deal(record)
        hands = [[turned.get(card, card) for card in hand] for hand in deal.hands]
        return CompleteDeal(hands, [turned.get(card, card) for card in deal.deck], deal.filled)

    end = len(noted.actions)
    told = reports(noted, 0, None), reports(noted, 0, end - 1)
    monkeypatch.setattr(replay, "complete_deal", refilled)
    other = course_of_record(record)
    assert other.states[-1].raw.tobytes() != noted.states[-1].raw.tobytes()
    assert (reports(other, 0, None), reports(other, 0, end - 1)) == told
    with pytest.raises(RecordError, match=f"which hands were shown at the end: .* 0..{end - 1}"):
        other.view(end, 0)


def test_a_last_hand_that_follows_is_known() -> None:
    """Of two players: what is nowhere else is in the other hand, and the end counts."""
    config = GameConfig(species=4, num_ranks=5, hand_size=3)
    game = bots_course(config, 3, ("greedy", "random"))
    noted = course_of_record(noted_from_chair(game, 0))
    assert noted.unknown and not noted.unknown_last
    assert story(noted, 0).last == story(game, 0).last


def test_open_cards_do_change_it() -> None:
    """So the test above can fail."""
    game = bots_course(CONFIGS["2"], 11, ("greedy", "planner"))
    other = redealt(game, 0, 37, np.random.default_rng(1))
    playouts = Playouts(make_agent("greedy", CONFIGS["2"]), 16)
    cut = course(game.states[0], game.actions[:37])
    assert open_report(other, playouts) != open_report(cut, playouts)
