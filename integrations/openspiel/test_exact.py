"""Our exact best responses against OpenSpiel's own, and the sizes of the trees."""

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response, exploitability
from open_spiel.python.algorithms.get_all_states import get_all_states

from arboretum_agents.bots.greedy import GreedyAgent
from arboretum_env.rewards import RewardKind
from arboretum_env.view import redact
from arboretum_training.evaluation import best_response as ours
from integrations.openspiel.games import BLOCKING, THREE, TINY


class Greedy(policy.Policy):
    """The bot ``greedy`` as a policy of OpenSpiel."""

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._agent = GreedyAgent(game.config)

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        seat = state.current_player() if player_id is None else player_id
        return {int(self._agent.act(redact(state.table.game, seat))[0]): 1.0}


def test_nodes_of_a_whole_tree() -> None:
    game = pyspiel.load_game(TINY)
    states = get_all_states(game, include_terminals=True, include_chance_states=True).values()
    counted = ours.best_response(game.config, 0)
    assert sum(state.is_chance_node() for state in states) == counted.chance_nodes == 1237
    assert sum(state.is_terminal() for state in states) == counted.terminal_nodes == 8640
    assert len(states) == counted.nodes == 17437


def test_exploitability_of_random_play() -> None:
    """The first seat cannot but win: nothing to exploit."""
    game = pyspiel.load_game(TINY)
    random_play = policy.UniformRandomPolicy(game)
    assert exploitability.exploitability(game, random_play) == pytest.approx(0, abs=1e-12)
    assert exploitability.nash_conv(game, random_play) == pytest.approx(0, abs=1e-12)
    assert ours.nash_conv(game.config) == pytest.approx(0, abs=1e-12)


def test_best_response_to_random_play() -> None:
    game = pyspiel.load_game(THREE)
    theirs = best_response.BestResponsePolicy(game, 1, policy.UniformRandomPolicy(game))
    mine = ours.best_response(game.config, 1)
    assert theirs.value(game.new_initial_state()) == pytest.approx(mine.value, abs=1e-12)
    assert mine.value == pytest.approx(1 / 4, abs=1e-12)
    assert len(theirs.infosets) == mine.information_sets == 5640
    nodes = sum(len(states) for states in theirs.infosets.values())
    assert nodes == mine.decision_nodes[1] == 73_440


@pytest.mark.parametrize(("seat", "reward"), [(0, "margin"), (1, "win")])
def test_best_responses_to_greedy(seat: int, reward: RewardKind) -> None:
    game = pyspiel.load_game(BLOCKING.replace(")", f",reward={reward})"))
    theirs = best_response.BestResponsePolicy(game, seat, Greedy(game))
    mine = ours.best_response(game.config, seat, GreedyAgent(game.config), reward)
    assert theirs.value(game.new_initial_state()) == pytest.approx(mine.value, abs=1e-12)
    assert len(theirs.infosets) == mine.information_sets
    assert sum(len(states) for states in theirs.infosets.values()) == mine.decision_nodes[seat]
