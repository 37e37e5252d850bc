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
# # What do strong agents hold?
#
# Seven cards stay in every hand when the game ends. Which ones? We follow every card that a hand saw at tables
# at which one agent holds all seats: it is **kept** to the end, **planted**, or **discarded**
# (`arboretum_training.research.card_fates`).
#
# Rows come from `scripts/run_studies.py`; without `ARBORETUM_STUDY=full` this notebook computes a small
# setting by itself, whose figures mean little.

# %%
from pathlib import Path

import polars as pl
from IPython.display import SVG, display

from arboretum_training.research import plots
from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.study import chosen_setting
from arboretum_training.research.studies.tables import agents_of

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
held = pl.DataFrame(STUDIES["holdings"](setting).rows(RESULTS))
setting

# %% [markdown]
# ## Ranks
#
# Of the cards of each rank that a hand saw, the share that it kept to the end. Bands are 95 % intervals, games
# resampled. A hand that kept at random would keep every rank equally often.

# %%
with plots.style():
    figure, axes = plots.panels(3)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        for index, agent in enumerate(agents_of(players)):
            row = held.row(
                by_predicate=(pl.col("players") == players) & (pl.col("agent") == agent), named=True
            )
            plots.series(
                axis, index, range(1, 9), row["kept"], row["kept_low"], row["kept_high"],
                label=agent.split("-")[0],
            )  # fmt: skip
        axis.set_title(f"{players} players")
        axis.set_xlabel("rank")
    axes[0].set_ylabel("share of the cards seen\nthat were kept to the end")
    axes[0].set_ylim(bottom=0)
    plots.legend(figure, axes[0])
    files = plots.save(figure, FIGURES / "kept_by_rank")
SVG(files[0])

# %% [markdown]
# ## How often is a 1 or an 8 kept?

# %%
ends = held.select(
    "players",
    "agent",
    pl.col("kept").list.get(0).alias("a 1 is kept"),
    pl.col("kept_low").list.get(0).alias("from"),
    pl.col("kept_high").list.get(0).alias("to"),
    pl.col("planted").list.get(0).alias("a 1 is planted"),
    pl.col("kept").list.get(7).alias("an 8 is kept"),
    pl.col("kept_low").list.get(7).alias("from "),
    pl.col("kept_high").list.get(7).alias("to "),
    pl.col("planted").list.get(7).alias("an 8 is planted"),
)
with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=3):
    display(ends)

# %% [markdown]
# ## What for, and since when
#
# Of all cards kept: in species in which the holder has a path (**own**: they secure the right), in which only a
# rival has one (**block**), and in which neither has (**idle**); and the share that came into the hand in the
# second half of the game (**late**).

# %%
with pl.Config(tbl_rows=-1, float_precision=3):
    display(held.select("players", "agent", "own", "block", "idle", "late"))

# %% [markdown]
# ## Findings
#
# Of the full setting, 1,000 games an agent and number of players; the checks below hold them to its rows.
#
# 1. **The 7 is the card to hold.** Every agent that plays for points keeps it more often than any other rank,
#    with 2, 3 and 4 players. It is the largest rank that nothing can cancel.
# 2. **The 8 is for planting as much as for holding.** It is worth 2 points more at the end of a path, and in hand a
#    rival's 1 makes it nothing: agents plant it more often than the 7, and the two-player network and planner plant it more often than they keep it.
# 3. **Almost nobody keeps a 1.** It begins paths (1 point more) and is planted in more than half of the cases. But the networks
#    keep it more often than the planner, which is weaker: cancelling an 8 is worth more than the planner thinks, or
#    holding one against it is.
# 4. **Blocking is a good quarter of a hand.** Of the cards that networks hold at the end with two and three players, a quarter to a third
#    lie in species in which only a rival has a path. `blocker@1`, which has more, is weaker: blocking is not its own reward.
#
# What would refute them: another rank kept more often than the 7 by a stronger agent (1, 2); a stronger network
# that keeps fewer 1s than this one (3); one that blocks far more or far less (4). Kept cards are not always meant:
# a card may be held only because nothing better came to be discarded. What holding one is worth is the
# counterfactual of [hand-blocking](../docs/hand-blocking.md), not its frequency.

# %%
if setting.name == "full":
    by = {(row["players"], row["agent"]): row for row in held.to_dicts()}
    for players in (2, 3, 4):
        random, *others = agents_of(players)
        network, planner = by[players, others[-1]], by[players, "planner@1"]
        for agent in others:
            kept, planted = by[players, agent]["kept"], by[players, agent]["planted"]
            assert kept[6] == max(kept)
            assert planted[7] > planted[6]
        assert network["kept_low"][0] > planner["kept_high"][0]
        assert network["planted"][0] > 0.5
    for agent in ("planner@1", "league-2p@1"):
        assert by[2, agent]["planted"][7] > by[2, agent]["kept"][7]
    for players in (2, 3):
        assert 0.25 <= round(by[players, f"league-{players}p@1"]["block"], 2) <= 1 / 3
        assert by[players, "blocker@1"]["block"] > by[players, f"league-{players}p@1"]["block"]
