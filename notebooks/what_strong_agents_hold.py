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
from arboretum_training.research.studies.holdings import agents_of
from arboretum_training.research.studies.study import chosen_setting

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
held = pl.DataFrame(STUDIES["holdings"](setting).rows(RESULTS))

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
    axes[-1].legend()
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
