"""OpenSpiel's Python algorithms on reduced games: they run, and their results are right."""

import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

from arboretum_env.actions import decode
from integrations.openspiel.games import BLOCKING, at_random, playout

SCORING = "python_arboretum(species=2,ranks=4,hand_size=2,reward=margin)"


def bot_margin(game: pyspiel.Game, bot: pyspiel.Bot, seed: int, games: int) -> float:
    """Mean return of a bot in seat 0 against random play."""
    generator = random.Random(seed)
    anything = at_random(generator)

    def choose(state: pyspiel.State) -> int:
        return bot.step(state) if state.current_player() == 0 else anything(state)

    ends = [list(playout(game, choose))[-1] for _ in range(games)]
    return float(np.mean([end.returns()[0] for end in ends]))


def random_margin(game: pyspiel.Game, seed: int, games: int) -> float:
    choose = at_random(random.Random(seed))
    ends = [list(playout(game, choose))[-1] for _ in range(games)]
    return float(np.mean([end.returns()[0] for end in ends]))


def test_mcts_beats_random_play() -> None:
    game = pyspiel.load_game(SCORING)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(
        game,
        uct_c=0.5,
        max_simulations=60,
        evaluator=evaluator,
        random_state=np.random.RandomState(2),
    )
    assert bot_margin(game, bot, seed=3, games=12) > random_margin(game, 4, 200) + 0.05


def test_ismcts_beats_random_play() -> None:
    """Searches the worlds that fit what the seat knows, by our resampling."""
    game = pyspiel.load_game(SCORING)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(5))
    bot = ismcts.ISMCTSBot(
        game,
        evaluator,
        uct_c=0.5,
        max_simulations=60,
        random_state=np.random.RandomState(6),
    )
    generator = random.Random(7)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, generator.random))
    assert bot_margin(game, bot, seed=8, games=12) > random_margin(game, 4, 200) + 0.05


def test_ismcts_finds_the_resampling_by_itself() -> None:
    game = pyspiel.load_game(SCORING)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(5))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=0.5, max_simulations=5)
    decided = 0
    for state in playout(game, at_random(random.Random(9))):
        if not state.is_chance_node() and not state.is_terminal():
            assert bot.step(state) in state.legal_actions()
            decided += 1
    assert decided >= 10


def test_outcome_sampling_learns_to_block() -> None:
    """In this game the second seat saves itself by two draws from the deck, which end the game.

    It plants one card and cannot score; seat 0, given a second turn, wins by its second species.
    """
    np.random.seed(1)  # noqa: NPY002  what OpenSpiel draws from
    game = pyspiel.load_game(BLOCKING)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2000):
        solver.iteration()
    average = solver.average_policy()
    generator = random.Random(2)

    def choose(state: pyspiel.State) -> int:
        if state.current_player() != 1:
            return generator.choice(state.legal_actions())
        actions, weights = zip(*average.action_probabilities(state).items(), strict=True)
        return generator.choices(actions, weights)[0]

    ends = [list(playout(game, choose))[-1] for _ in range(300)]
    # Random play draws twice from the deck a quarter of the time, and loses else.
    assert np.mean([end.returns()[1] for end in ends]) > -0.5


@pytest.mark.parametrize("name", [BLOCKING, "python_arboretum(players=3)"])
def test_rl_environment(name: str) -> None:
    """OpenSpiel's view of the game for its learners."""
    game = pyspiel.load_game(name)
    environment = rl_environment.Environment(
        game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=11)
    )
    spec = environment.observation_spec()
    assert spec["info_state"] == (game.information_state_tensor_size(),)
    generator = random.Random(10)
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        legal = step.observations["legal_actions"][seat]
        assert len(step.observations["info_state"][seat]) == spec["info_state"][0]
        assert len({decode(game.config, action).kind for action in legal}) <= 2
        step = environment.step([generator.choice(legal)])
    assert abs(sum(step.rewards)) < 1e-12
