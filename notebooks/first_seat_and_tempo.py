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
# # First seat and tempo
#
# Is it better to begin? And who presses on: a card from the deck brings the end nearer, one from a pile does
# not. Every agent sits in all seats of a table of its own, so that seats differ in nothing but their turn.
#
# Rows come from `scripts/run_studies.py`; without `ARBORETUM_STUDY=full` this notebook computes a small
# setting by itself, whose figures mean little.

# %%
from pathlib import Path

import numpy as np
import polars as pl
from IPython.display import SVG, display

from arboretum_training.research import plots
from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.holdings import agents_of
from arboretum_training.research.studies.study import chosen_setting

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
seats = pl.DataFrame(STUDIES["first_seat"](setting).rows(RESULTS))


def row_of(players: int, agent: str) -> dict[str, object]:
    """One agent's row."""
    chosen = (pl.col("players") == players) & (pl.col("agent") == agent)
    return seats.row(by_predicate=chosen, named=True)


# %% [markdown]
# ## Seats
#
# Share of the games won from each seat (Wilson intervals, 95 %).

# %%
with plots.style():
    figure, axes = plots.panels(3, sharey=False)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        agents = agents_of(players)
        for index, agent in enumerate(agents):
            row = row_of(players, agent)
            x = np.arange(players) + 0.12 * (index - (len(agents) - 1) / 2)
            plots.points(
                axis, index, x, row["win_rate"], row["win_low"], row["win_high"],
                label=agent.split("-")[0],
            )  # fmt: skip
        plots.level(axis, 1 / players, "fair")
        axis.set_title(f"{players} players")
        axis.set_xlabel("seat, in order of turns")
        axis.set_xticks(range(players))
    axes[0].set_ylabel("share of the games won")
    axes[-1].legend()
    files = plots.save(figure, FIGURES / "seats")
SVG(files[0])

# %%
with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=3, fmt_table_cell_list_len=4):
    display(seats.select("players", "agent", "win_rate", "points", "turns", "closed"))

# %% [markdown]
# ## Tempo
#
# The share of draws that came from the deck, by tenths of a game.

# %%
with plots.style():
    figure, axes = plots.panels(3)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        for index, agent in enumerate(agents_of(players)):
            share = row_of(players, agent)["deck_share"]
            plots.series(axis, index, np.arange(10) / 10 + 0.05, share, label=agent.split("-")[0])
        axis.set_title(f"{players} players")
        axis.set_xlabel("part of the game, by turns")
    axes[0].set_ylabel("share of draws from the deck")
    axes[0].set_ylim(0, 1.02)
    axes[0].legend()
    files = plots.save(figure, FIGURES / "tempo")
SVG(files[0])

# %% [markdown]
# Do winners press on? Their share of draws from the deck less that of the losers of the same game (95 %
# interval of the difference, games resampled).

# %%
with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=3):
    display(
        seats.select(
            "players",
            "agent",
            "winner_deck",
            "others_deck",
            (pl.col("winner_deck") - pl.col("others_deck")).alias("difference"),
            "deck_gap_low",
            "deck_gap_high",
            "game_turns",
        )
    )
