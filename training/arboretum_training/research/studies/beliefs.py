"""What may be believed of hidden cards: four ways to believe, on the same positions."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from arboretum_agents.registry import make_agent
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_agents.search.steady import Network
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_training.research.belief import BeliefModel
from arboretum_training.research.belief_study import BASELINE, study_beliefs
from arboretum_training.research.odds_belief import FactsModel, NetworkModel, UniformModel
from arboretum_training.research.particles import PARTICLES, ParticleModel
from arboretum_training.research.studies.study import Row, Setting, Study

POLICY: Final = "planner:temperature=0.5"
"""How the particles think that rivals play."""

SEED: Final = 85
_DEALS_FOR_ONE: Final = 40  # a study's deals for one deal here: particles take seconds a game
_FEWEST: Final = 2  # deals, for intervals


def tables(players: int) -> tuple[str, ...]:
    """Who sits at the tables that are looked at, in all seats: a bot, and the network."""
    return ("planner@1", f"league-{players}p@1")


def study(setting: Setting) -> Study:
    """A row is a table."""
    deals = max(_FEWEST, setting.deals // _DEALS_FOR_ONE)
    particles = min(PARTICLES, setting.deals // 2)
    parts = {
        f"{players} players, {agent}": partial(measure, players, agent, deals, particles)
        for players in (2, 3, 4)
        for agent in tables(players)
    }
    given = {"policy": POLICY, "seed": SEED, "deals": deals, "particles": particles}
    return Study("beliefs", setting, parts, given)


def measure(players: int, agent: str, deals: int, particles: int) -> Row:
    """A table of equals.

    Returns:
        ``players``, ``agent``, and what ``belief_study.Study.to_json`` has.
    """
    config = GameConfig(num_players=players)
    models = ways_to_believe(config, particles)
    *_, found = study_beliefs((agent, agent), config, models, deals=deals, seed=SEED)
    return {"players": players, "agent": agent, **found.to_json()}


def ways_to_believe(config: GameConfig, particles: int) -> Mapping[str, BeliefModel]:
    """By name: all cards alike, public facts, a network's belief head, and particles."""
    network = make_agent(f"league-{config.num_players}p@1", config)
    policy = make_agent(POLICY, config)
    assert isinstance(network, Network)
    assert isinstance(policy, PolicyAgent)
    return {
        BASELINE: UniformModel(),
        "facts": FactsModel(FittedBeliefs(FITTED[config.num_players])),
        "network": NetworkModel(network),
        "particles": ParticleModel(policy, particles=particles, seed=SEED),
    }
