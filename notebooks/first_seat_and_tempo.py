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
from arboretum_training.research.studies.study import chosen_setting
from arboretum_training.research.studies.tables import agents_of

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
seats = pl.DataFrame(STUDIES["first_seat"](setting).rows(RESULTS))


def row_of(players: int, agent: str) -> dict[str, object]:
    """One agent's row."""
    chosen = (pl.col("players") == players) & (pl.col("agent") == agent)
    return seats.row(by_predicate=chosen, named=True)


setting

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
    plots.legend(figure, axes[0])
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
    plots.legend(figure, axes[0])
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

# %% [markdown]
# ## Findings
#
# Of the full setting, 1,000 games an agent and number of players; the checks below hold them to its rows.
#
# 1. **It is better to begin.** With two players `planner@1` and `league-2p@1` win clearly more than half of their
#    games from the first seat (intervals above 0.5), and with three or four players the first seat of every bot
#    that plays for points has a larger share than the last one. Part of it is a plain count: the first seat has
#    about half a turn more than the second with two players, a card more on the table in every other game.
# 2. **The stronger the agent, the less it draws blindly near the end.** With two players `league-2p@1` takes more
#    than half of its cards in the ninth tenth of a game from piles; the bots still take over four fifths from the deck.
# 3. **With two players winners of the network's games press on; with three and four they do not.** At tables of
#    two `league-2p@1`, the winner's draws come from the deck more often than the loser's; at tables of three and
#    four networks and planners, less often.
#
# What would refute them: an interval of the first seat that reaches a fair share in more games or with stronger
# agents (1); a stronger agent that draws blindly to the end (2). The third says what goes together, not what
# causes what: a player that is ahead has reason to end the game, one that needs certain cards takes them from
# piles. An experiment on causes would turn the planner's dial `tempo` instead.

# %%
if setting.name == "full":
    for players, agent in ((2, "planner@1"), (2, "league-2p@1")):
        assert row_of(players, agent)["win_low"][0] > 0.5
    for players in (3, 4):
        for agent in agents_of(players)[1:]:
            assert row_of(players, agent)["win_rate"][0] > row_of(players, agent)["win_rate"][-1]
    for agent in agents_of(2):
        turns = row_of(2, agent)["turns"]
        assert 0.4 < turns[0] - turns[1] < 0.7
    assert row_of(2, "league-2p@1")["deck_share"][8] < 0.5
    assert all(row_of(2, bot)["deck_share"][8] > 0.8 for bot in agents_of(2)[1:4])
    assert row_of(2, "league-2p@1")["deck_gap_low"] > 0
    for players in (3, 4):
        for agent in agents_of(players)[3:]:
            assert row_of(players, agent)["deck_gap_high"] < 0
