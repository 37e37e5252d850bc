"""Chances of moves: each agent's own, on cards and cells, with where they come from."""

import numpy as np
import pytest

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_agents.search.agent import SearchAgent
from arboretum_env.config import GameConfig
from arboretum_env.errors import IllegalActionError
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.analysis.beliefs import network_beliefs
from arboretum_training.analysis.moves import ASKED, move_chances
from arboretum_training.research.hidden import hidden_cards
from tests.agents.positions import random_network
from tests.analysis.games import LAST_DISCARD, bots_course, thrown_away

CONFIG = GameConfig(num_players=3)


def view_of(phase: Phase, turn: int = 9) -> PlayerView:
    game = bots_course(CONFIG, 2, ("greedy",))
    for at, state in enumerate(game.states):
        if state.turn[0] == turn and state.phase[0] == phase:
            return game.view(at, int(state.mover[0]))
    raise AssertionError(f"no {phase} in turn {turn}")


@pytest.mark.parametrize("spec", ["greedy", "planner", "blocker"])
def test_a_bot_that_draws_no_numbers_has_one_certain_move(spec: str) -> None:
    for phase in (Phase.DRAW_FIRST, Phase.PLAY, Phase.PLACE, Phase.DISCARD):
        found = move_chances(make_agent(spec, CONFIG), view_of(phase))
        [(move, chance)] = [
            (move, chance) for move, chance in found.chances.items() if chance.value > 0
        ]
        assert move == found.best
        assert chance.to_json() == {"value": 1.0, "source": "exact"}


def test_an_agent_without_chances_is_asked_again_and_again() -> None:
    """``random``: every legal move about as often, as a share of 64 answers with an interval."""
    view = view_of(Phase.DISCARD)
    found = move_chances(make_agent("random", CONFIG), view)
    legal = legal_moves(view)
    assert set(found.chances) <= set(legal)
    assert sum(chance.value for chance in found.chances.values()) == pytest.approx(1)
    assert {(c.source, c.n) for c in found.chances.values()} == {("monte_carlo", ASKED)}
    inside = 0
    for chance in found.chances.values():
        assert chance.interval is not None
        inside += chance.interval[0] <= 1 / len(legal) <= chance.interval[1]
    assert inside >= len(found.chances) - 1


@pytest.mark.parametrize("phase", [Phase.DRAW_SECOND, Phase.PLAY, Phase.PLACE, Phase.DISCARD])
def test_a_networks_chances_on_cards_and_cells(phase: Phase) -> None:
    view = view_of(phase)
    agent = NeuralAgent(CONFIG, random_network(CONFIG))
    found = move_chances(agent, view)
    policy, values = agent.policy(PlayerViews(CONFIG, view.to_observation()[None, :]))
    assert {chance.source for chance in found.chances.values()} == {"network"}
    assert found.value is not None
    assert found.value.value == pytest.approx(float(values[0]), abs=1e-4)
    by_first: dict[int, float] = {}
    for move, ids in legal_moves(view).items():
        chance = found.chances[move].value if move in found.chances else 0.0
        by_first[ids[0]] = by_first.get(ids[0], 0.0) + chance
    # What is rarer than 1 in 2000 is not listed, and a plant has hundreds of ways.
    for action in np.flatnonzero(policy[0]):
        assert by_first[int(action)] == pytest.approx(float(policy[0, action]), abs=0.03)
    document = found.to_json()
    chances = [each["chance"]["value"] for each in document["moves"]]
    assert chances == sorted(chances, reverse=True)
    if phase in (Phase.PLAY, Phase.PLACE):
        for sums in (document["cards"], document["cells"]):
            assert sum(each["value"] for each in sums.values()) == pytest.approx(sum(chances))
        assert all(cell.count(",") == 1 for cell in document["cells"])
    else:
        assert document["cells"] == {}


def test_a_search_says_how_many_simulations_or_that_it_is_exact() -> None:
    view = view_of(Phase.DISCARD)
    agent = SearchAgent(CONFIG, simulations=12)
    found = move_chances(agent, view)
    assert {(c.source, c.n, c.interval) for c in found.chances.values()} == {
        ("monte_carlo", 12, None)
    }
    last = thrown_away().view(LAST_DISCARD, 0)
    solved = move_chances(SearchAgent(last.config, simulations=12), last)
    assert solved.chances["xD7"].to_json() == {"value": 1.0, "source": "exact"}
    assert solved.on_cards()["D7"].value == 1.0


def test_who_is_not_to_move_has_nothing_to_decide() -> None:
    game = thrown_away()
    with pytest.raises(IllegalActionError, match="seat 1 is not to move"):
        move_chances(make_agent("greedy", game.states[0].config), game.view(LAST_DISCARD, 1))


def test_a_networks_beliefs_are_its_heads() -> None:
    view = view_of(Phase.DISCARD)
    agent = NeuralAgent(CONFIG, random_network(CONFIG))
    held = agent.beliefs(PlayerViews(CONFIG, view.to_observation()[None, :]))[0]
    beliefs = network_beliefs(agent, view)
    assert beliefs is not None
    for rival, chances in beliefs.items():
        row = held[(rival - view.seat) % 3 - 1]
        assert set(chances) == {*hidden_cards(view).unseen, *view.known_hands[rival]}
        for card, chance in chances.items():
            known = card in view.known_hands[rival]
            assert chance.source == ("exact" if known else "network")
            assert chance.value == pytest.approx(float(row[card]), abs=1e-4)
    assert network_beliefs(make_agent("greedy", CONFIG), view) is None
    idle = bots_course(CONFIG, 2, ("greedy",)).view(7, 0)
    assert network_beliefs(agent, idle) is None
