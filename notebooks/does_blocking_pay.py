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
# # Does blocking pay?
#
# Only the largest hand of a species may score it. So a card in hand can be worth something to its holder
# because a rival then scores nothing. Is that worth a player's attention, and how much?
#
# Two experiments:
#
# 1. **A dial.** The planner weighs, among other things, the points that a card in its hand takes from its
#    rivals. The dial `denial` multiplies that weight. We turn it from 0 to 2 and rate the planners against a
#    field that stands fixed.
# 2. **The rule switched off.** Policies learn from scratch where everybody may score everything, or where a 1
#    cancels no 8. Then they meet policies that learned the standard game.
#
# Rows come from `scripts/run_studies.py` (hours on two cores in the setting `full`); without
# `ARBORETUM_STUDY=full` this notebook computes a small setting by itself, in a minute, whose figures mean
# little.

# %%
from pathlib import Path

import numpy as np
import polars as pl
from IPython.display import SVG, display

from arboretum_training.evaluation.over_seeds import mean_over_seeds
from arboretum_training.research import plots
from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.rule_switch import RULES
from arboretum_training.research.studies.study import chosen_setting

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
setting

# %% [markdown]
# ## The dial
#
# The field: `greedy@1`, `blocker@1`, `planner@1`, each on the [ladder](../docs/ladder.md), whose ratings stay
# as published. With 3 and 4 players one seat is the planner's and a member of the field has the others.
# Duplicate deals, every seat rotation; intervals are 95 %, deals resampled.

# %%
sweep = pl.DataFrame(STUDIES["denial_sweep"](setting).rows(RESULTS))
with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=1):
    display(sweep)

# %%
with plots.style():
    figure, axes = plots.panels(3, sharey=False)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        part = sweep.filter(pl.col("players") == players)
        plots.series(
            axis, 0, part["denial"], part["rating"], part["rating_low"], part["rating_high"]
        )
        axis.set_title(f"{players} players")
        axis.set_xlabel("denial, multiple of the planner's weight")
    axes[0].set_ylabel("rating, Elo (greedy@1 = 1000)")
    files = plots.save(figure, FIGURES / "denial_sweep")
SVG(files[0])

# %% [markdown]
# How it works: what the planner's hand costs its rivals, and what it costs itself.

# %%
with plots.style():
    figure, axes = plots.panels(3)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        part = sweep.filter(pl.col("players") == players)
        plots.series(axis, 0, part["denial"], part["rivals_lost"], label="a rival's seat")
        plots.series(axis, 1, part["denial"], part["lost"], label="the planner's seat")
        axis.set_title(f"{players} players")
        axis.set_xlabel("denial, multiple of the planner's weight")
    axes[0].set_ylabel("points lost for want\nof the right, a game")
    axes[0].legend()
    files = plots.save(figure, FIGURES / "denial_points")
SVG(files[0])


# %%
def rating_at(players: int, dial: float) -> dict[str, float]:
    """The row of one planner."""
    rows = sweep.filter((pl.col("players") == players) & (pl.col("denial") == dial)).to_dicts()
    return {name: float(value) for name, value in rows[0].items()}


gains = pl.DataFrame(
    [
        {
            "players": players,
            "rating without denial": rating_at(players, 0.0)["rating"],
            "with": rating_at(players, 1.0)["rating"],
            "difference": rating_at(players, 1.0)["rating"] - rating_at(players, 0.0)["rating"],
            "twice": rating_at(players, 2.0)["rating"],
        }
        for players in (2, 3, 4)
    ]
)
gains

# %% [markdown]
# ## The rule switched off
#
# Two players; every policy learned from as many decisions, by the default experiment, and the seed of the
# training is the unit of the intervals: they say what another training would give.

# %%
trained = STUDIES["rule_switch"](setting).rows(RESULTS)
KINDS = ("rights for all", "no cancelled 8")
meetings = pl.DataFrame(
    [
        {
            "learned": kind,
            "met the standard policy in": where,
            "wins": mean_over_seeds([row[key][kind] for row in trained], 0).mean,
            "low": (mean_over_seeds([row[key][kind] for row in trained], 0).ci95 or (0, 1))[0],
            "high": (mean_over_seeds([row[key][kind] for row in trained], 0).ci95 or (0, 1))[1],
            "seeds": len(trained),
        }
        for kind in KINDS
        for key, where in (("in_standard", "the standard game"), ("in_own", "its own game"))
    ]
)
meetings

# %%
with plots.style():
    figure, axes = plots.panels(1, height=2.4)
    for index, where in enumerate(("the standard game", "its own game")):
        part = meetings.filter(pl.col("met the standard policy in") == where)
        plots.points(
            axes[0], index, np.arange(len(KINDS)) + 0.12 * (2 * index - 1),
            part["wins"], part["low"], part["high"], label=f"in {where}",
        )  # fmt: skip
    plots.level(axes[0], 0.5, "equal")
    axes[0].set_xticks(range(len(KINDS)), [f"learned with\n{kind}" for kind in KINDS])
    axes[0].set_xlim(-0.5, len(KINDS) - 0.5)
    axes[0].set_ylabel("wins against the policy\nthat learned the standard game")
    axes[0].legend(loc="upper left")
    files = plots.save(figure, FIGURES / "rule_switch")
SVG(files[0])

# %% [markdown]
# What they hold: of the cards of each rank that a hand saw, the share that it kept to the end, at tables of
# the policy's own, in the game that it learned.

# %%
with plots.style():
    figure, axes = plots.panels(1)
    for index, kind in enumerate(("standard", *KINDS)):
        means = [
            mean_over_seeds([row["kept"][kind][rank] for row in trained], rank) for rank in range(8)
        ]
        bounds = [entry.ci95 or (entry.mean, entry.mean) for entry in means]
        plots.series(
            axes[0], index, range(1, 9), [entry.mean for entry in means],
            [low for low, _ in bounds], [high for _, high in bounds], label=kind,
        )  # fmt: skip
    axes[0].set_xlabel("rank")
    axes[0].set_ylabel("share of the cards seen\nthat were kept to the end")
    axes[0].legend(title="learned with")
    files = plots.save(figure, FIGURES / "rule_switch_kept")
SVG(files[0])

# %% [markdown]
# ## Findings
#
# Of the full setting: 1,000 deals a rating, five seeds of three trainings of a million decisions each; the checks
# below hold them to its rows.
#
# 1. **Blocking pays, and with two players it pays most.** A planner that gives no weight to what its hand takes
#    from rivals is rated 81 points below the planner with two players, 31 with three and 29 with four. The
#    intervals do not meet.
# 2. **A little attention is most of it.** With half of the planner's weight the rating is within the interval of
#    the whole. From there to one and a half times the weight nothing shows but, with three players, a slow fall;
#    at twice the weight the planner of three players has lost a third of what blocking gave it.
# 3. **It works by what rivals lose, and costs little of one's own.** With two players a rival loses 2.5 points a
#    game more for want of the right at the planner's weight than without denial, the planner itself less than half
#    a point more.
# 4. **Without the rule of rights it is another game.** Policies that learned where everybody may score everything
#    win about one game in twenty of the standard game against those that learned it, and about nine in ten of their
#    own; seats score twice as much there. Those that learned the rule keep nearly every 7 that they see and hardly
#    a 1; those that did not keep ranks from 5 up less than half as often, in the mean of the seeds.
# 5. **The cancelled 8 is a detail.** Policies that learned without it win half of their games against the others,
#    in either game; both intervals contain one half.
#
# What would refute them: an overlap of the intervals at 0 and 1 of the dial (1), a rating at 0.5 below that at 1 by
# more than the intervals (2), rivals who lose no more at 1 than at 0 (3), a policy that learned with rights for all
# and holds its own in the standard game after more training (4), and intervals that leave one half with longer
# training (5): a million decisions are a thirtieth of what `league-2p@1` had learned from, and a detail of the rules
# may matter to better players only.

# %%
if setting.name == "full":
    for players, gain in ((2, 81), (3, 31), (4, 29)):
        off, on = rating_at(players, 0.0), rating_at(players, 1.0)
        assert off["rating_high"] < on["rating_low"]
        assert round(on["rating"] - off["rating"]) == gain
        half = rating_at(players, 0.5)
        assert on["rating_low"] < half["rating_high"] and half["rating_low"] < on["rating_high"]
    three = {dial: rating_at(3, dial)["rating"] for dial in (0.0, 0.5, 1.0, 1.5, 2.0)}
    assert three[0.5] > three[1.0] > three[1.5] > three[2.0]
    assert 0.25 < (three[1.0] - three[2.0]) / (three[1.0] - three[0.0]) < 0.4
    off, on = rating_at(2, 0.0), rating_at(2, 1.0)
    assert 2.4 < on["rivals_lost"] - off["rivals_lost"] < 2.6
    assert 0 < on["lost"] - off["lost"] < 0.5
    met = {(row["learned"], row["met the standard policy in"]): row for row in meetings.to_dicts()}
    assert met["rights for all", "the standard game"]["high"] < 0.1
    assert met["rights for all", "its own game"]["low"] > 0.85
    for where in ("the standard game", "its own game"):
        assert met["no cancelled 8", where]["low"] < 0.5 < met["no cancelled 8", where]["high"]
    scores = {kind: np.mean([row["score"][kind] for row in trained]) for kind in RULES}
    assert scores["rights for all"] > 1.9 * scores["standard"]
    high = {kind: np.mean([row["kept"][kind][4:] for row in trained]) for kind in RULES}
    assert high["rights for all"] < high["standard"] / 2
    for row in trained:
        assert row["kept"]["standard"][6] > 0.95 and row["kept"]["standard"][0] < 0.05
