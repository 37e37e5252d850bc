"""What is the twist worth? Policies that learned without it, against those that learned with it.

For every seed three policies of two players learn from scratch, from as many decisions: one in the
standard game, one where everybody may score everything (``rights="all"``), one where a 1 cancels
no 8 (``cancel_eights=False``). Then they meet, in the standard game and in the one that each
learned. The seed of a training is the unit of every interval (``evaluation.over_seeds``).
"""

from functools import partial
from typing import Final

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.config import ExperimentConfig
from arboretum_training.evaluation.evaluate import AgentFactory, evaluate
from arboretum_training.evaluation.summary import summarise
from arboretum_training.ppo import Learner
from arboretum_training.research.card_fates import card_fates
from arboretum_training.research.studies.study import Row, Setting, Study
from arboretum_training.research.studies.tables import games_among_equals

STANDARD: Final = "standard"
RULES: Final = {
    STANDARD: GameConfig(num_players=2),
    "rights for all": GameConfig(num_players=2, rights="all"),
    "no cancelled 8": GameConfig(num_players=2, cancel_eights=False),
}
"""The games that policies learn, by name."""

SEED: Final = 82


def study(setting: Setting) -> Study:
    """A row is a seed: its trainings and all their meetings."""
    parts = {
        f"seed {seed}": partial(measure, seed, setting.decisions, setting.deals)
        for seed in range(setting.seeds)
    }
    return Study("rule_switch", setting, parts, {"seed": SEED, "rules": list(RULES)})


def measure(seed: int, decisions: int, deals: int) -> Row:
    """The three policies of a seed.

    Returns:
        ``seed``, and by the game that a policy learned: ``in_standard``, its win rate in the
        standard game against the policy that learned that one; ``in_own``, the same in its own
        game; and at tables of its own in its own game, ``score`` and ``lost``, points of a seat,
        and ``kept``, the share of the cards of each rank that a hand saw and kept to the end.
    """
    agents = {name: trained(game, seed, decisions) for name, game in RULES.items()}
    row: Row = {"seed": seed, "in_standard": {}, "in_own": {}, "score": {}, "lost": {}, "kept": {}}
    for name, game in RULES.items():
        if name != STANDARD:
            pair = [agents[name], agents[STANDARD]]
            row["in_standard"][name] = _win_rate(pair, RULES[STANDARD], deals)
            row["in_own"][name] = _win_rate(pair, game, deals)
        games = games_among_equals(agents[name], game, deals, SEED)
        row["score"][name] = float(games.scores.points.mean())
        row["lost"][name] = float(games.scores.denied_points.mean())
        row["kept"][name] = card_fates(games).kept_by_rank(game.num_ranks).tolist()
    return row


def trained(game: GameConfig, seed: int, decisions: int) -> AgentFactory:
    """A policy that learned a game from scratch by the default experiment."""
    config = ExperimentConfig(name="rule-switch", game=game, seed=seed, precision="float32")
    learner = Learner(config)
    while learner.decisions < decisions:
        learner.iterate(learner.decisions / decisions)
    learner.model.eval()

    def policy(config: GameConfig, mode: Mode) -> NeuralAgent:
        return NeuralAgent(config, learner.network, mode)

    return policy


def _win_rate(agents: list[AgentFactory], game: GameConfig, deals: int) -> float:
    summary = summarise(evaluate(agents, game, deals=deals, seed=SEED))
    return next(iter(summary.agents.values())).win_rate
