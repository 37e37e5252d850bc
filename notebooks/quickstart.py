# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Quickstart
#
# The environment, the bots, a training and its evaluation, in a few minutes on one core.

# %% [markdown]
# ## The environment
#
# A PettingZoo environment of 2 to 4 players. An observation is everything that a seat may know and nothing
# else; the mask says which of the flat actions are legal.

# %%
import numpy as np

import arboretum_env

env = arboretum_env.env(num_players=2)
env.reset(seed=1)
rng = np.random.default_rng(0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    legal = np.flatnonzero(observation["action_mask"])
    env.step(None if terminated or truncated else int(rng.choice(legal)))
    if agent == env.possible_agents[0] and not terminated:
        last = observation
env.close()
last["observation"].shape, last["action_mask"].shape

# %% [markdown]
# ## Agents
#
# Agents have names (`arboretum agents`), with options after a colon. They play in batches: here 64 deals, each
# with both seatings, so that the luck of the cards cancels.

# %%
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise

game = GameConfig(num_players=2)
summary = summarise(evaluate(["planner", "greedy"], game, deals=64, seed=0))
planner = summary.agents["planner"]
print(f"planner wins {planner.win_rate:.1%} ({planner.win_rate_ci95.low:.1%} ..", end=" ")
print(f"{planner.win_rate_ci95.high:.1%}) against greedy, {summary.games} games")

# %% [markdown]
# The network that ships, `league-2p`, learned by self-play alone:

# %%
summary = summarise(evaluate(["league-2p", "planner"], game, deals=64, seed=0))
network = summary.agents["league-2p"]
print(f"league-2p wins {network.win_rate:.1%} ({network.win_rate_ci95.low:.1%} ..", end=" ")
print(f"{network.win_rate_ci95.high:.1%}) against planner, {summary.games} games")

# %% [markdown]
# ## A position
#
# Views draw themselves. This is a table as its mover sees it, in mid-game:

# %%
from arboretum_agents.registry import make_agent
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import redact

state = deal(game, root_from_seed(1, Purpose.USER), np.zeros(1, np.uint64))
bot = make_agent("planner", game)
bot.reset(np.zeros(1, np.uint64), 0)
for _ in range(60):
    apply_action(state, bot.act(redact(state, state.mover.astype(np.int64))))
redact(state, state.mover.astype(np.int64))

# %% [markdown]
# ## A training
#
# `arboretum train configs/demo.yaml` does this with checkpoints, a dashboard and a report; here is the loop
# itself. A policy learns from games against itself alone. (80,000 decisions are a beginning: after millions it
# beats every bot.)

# %%
from arboretum_training.config import ExperimentConfig, RolloutConfig
from arboretum_training.ppo import Learner

experiment = ExperimentConfig(name="quickstart", game=game, seed=1, rollout=RolloutConfig(games=64))
learner = Learner(experiment)
DECISIONS = 80_000
while learner.decisions < DECISIONS:
    metrics = learner.iterate(learner.decisions / DECISIONS)
    if learner.iteration % 5 == 0:
        print(f"{learner.decisions:6,} decisions, entropy {metrics['policy/entropy']:.2f}")

# %% [markdown]
# ## Its evaluation

# %%
from arboretum_agents.neural.policy import NeuralAgent

learner.model.eval()


def mine(config: GameConfig, mode: str) -> NeuralAgent:
    """The policy that was just learned, as an agent."""
    return NeuralAgent(config, learner.network, mode)


summary = summarise(evaluate([mine, "random"], game, deals=64, seed=0))
own = summary.agents["mine"]
print(f"mine wins {own.win_rate:.1%} ({own.win_rate_ci95.low:.1%} ..", end=" ")
print(f"{own.win_rate_ci95.high:.1%}) against random, margin {summary.margin:+.1f} points")

# %% [markdown]
# Go on with `arboretum train configs/selfplay_2p.yaml`, with [learning](../docs/learning.md), and with the
# other notebooks of this folder.
