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
# # What may be believed of hidden cards
#
# Four ways to say where the cards are that a seat does not see: all **uniform**, alike; by public **facts** of
# each rival (what it planted and discarded); by the **network**'s belief head, which learned it from the truth;
# and by **particles**: deals that fit what was seen, weighed by how likely a policy would have played so. They are asked at the same
# positions, one a turn, at tables of equals; [beliefs](../docs/beliefs.md) has the definitions.
#
# Rows come from `scripts/run_studies.py`; without `ARBORETUM_STUDY=full` this notebook computes a small
# setting by itself, whose figures mean little.

# %%
from pathlib import Path

import polars as pl
from IPython.display import SVG, display

from arboretum_training.research import plots
from arboretum_training.research.calibration_chart import calibration_picture
from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.study import chosen_setting

setting = chosen_setting()
RESULTS, FIGURES = Path("results"), Path("figures") / setting.name
tables = STUDIES["beliefs"](setting).rows(RESULTS)
setting

# %% [markdown]
# ## Losses
#
# Log loss (nats a card) and Brier score, and how much less they are than with all cards alike: *gain*, with its
# 95 % interval, deals resampled.

# %%
losses = pl.DataFrame(
    [
        {
            "players": table["players"],
            "table of": table["agent"],
            "belief": name,
            "log loss": scores["log_loss"]["mean"],
            "gain": scores["log_loss"]["gain"],
            "low": scores["log_loss"]["gain_interval"][0],
            "high": scores["log_loss"]["gain_interval"][1],
            "Brier": scores["brier"]["mean"],
            "Brier gain": scores["brier"]["gain"],
            "Brier low": scores["brier"]["gain_interval"][0],
            "Brier high": scores["brier"]["gain_interval"][1],
        }
        for table in tables
        for name, scores in table["beliefs"].items()
    ]
)
with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=4):
    display(losses)

# %%
with plots.style():
    figure, axes = plots.panels(3)
    for axis, players in zip(axes, (2, 3, 4), strict=True):
        part = losses.filter((pl.col("players") == players) & (pl.col("belief") != "uniform"))
        for index, agent in enumerate(part["table of"].unique(maintain_order=True)):
            of_agent = part.filter(pl.col("table of") == agent)
            x = [at + 0.16 * (index - 0.5) for at in range(len(of_agent))]
            plots.points(
                axis, index, x, of_agent["gain"], of_agent["low"], of_agent["high"],
                label="tables of networks" if "league" in agent else f"tables of {agent}",
            )  # fmt: skip
        plots.level(axis, 0, "uniform")
        axis.set_xticks(range(len(of_agent)), of_agent["belief"].to_list())
        axis.set_title(f"{players} players")
    axes[0].set_ylabel("log loss less than with all\nunseen cards alike, nats a card")
    plots.legend(figure, axes[0])
    files = plots.save(figure, FIGURES / "belief_gains")
SVG(files[0])

# %% [markdown]
# ## Calibration
#
# Of the cards that a rival was said to hold with some chance, the share that it did hold: with two players, at
# tables of planners and at tables of networks. On the diagonal a belief means what it says.

# %%
FIGURES.mkdir(parents=True, exist_ok=True)
for table in tables[:2]:
    curves = {name: scores["calibration"] for name, scores in table["beliefs"].items()}
    name = table["agent"].split("@")[0].replace("-", "_")
    file = FIGURES / f"calibration_{name}.svg"
    file.write_text(calibration_picture(curves))
    display(SVG(file))
