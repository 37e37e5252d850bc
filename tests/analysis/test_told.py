"""What moves told, along a whole game."""

import pytest

from arboretum_agents.registry import AgentSpecError
from arboretum_env.config import GameConfig
from arboretum_training.analysis.story import story
from arboretum_training.analysis.told import make_likelihood, told
from arboretum_training.research.hidden import hidden_cards
from tests.analysis.games import bots_course


def test_every_move_of_a_seat_is_looked_at() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=2)
    game = bots_course(config, 2, ("planner",))
    seen = story(game, 2)
    found = told(game, seen, make_likelihood(config))
    assert [each.step for each in found] == list(seen.steps)
    shown = 0
    for each in found:
        view = game.view(each.step.at, 0)
        assert each.exposure.observer == 0
        if each.step.move.startswith(("d", "p")):
            assert each.exposure.card_bits == 0.0
            continue
        card = config.parse_card(each.step.move.removeprefix("x")[:2])
        if card in view.known_hands[2]:
            assert each.exposure.card_bits == 0.0
        else:
            hidden = hidden_cards(view)
            chance = hidden.slots[2] / len(hidden.unseen)
            assert 2.0**-each.exposure.card_bits == pytest.approx(chance)
            shown += 1
    assert shown >= 2


def test_an_agent_without_probabilities_is_refused() -> None:
    with pytest.raises(AgentSpecError, match="expected one with probabilities"):
        make_likelihood(GameConfig(), "random")
