"""Tables of the command line on narrow terminals: names are to be copied, so none is cut short."""

import pytest
from rich.console import Console, RenderableType

from arboretum_agents.registry import list_agents
from arboretum_env.config import GameConfig
from arboretum_lab.cli.agents import to_table
from arboretum_lab.cli.closing import results_table
from arboretum_training.config import ExperimentConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import Summary, summarise


@pytest.fixture(scope="module")
def summary() -> Summary:
    game = GameConfig(species=2, num_ranks=4, hand_size=2)
    return summarise(evaluate(["greedy", "random"], game, deals=2, seed=1))


def printed(table: RenderableType, width: int) -> list[str]:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return capture.get().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80])
def test_agents(width: int) -> None:
    lines = printed(to_table(list_agents()), width)
    assert "…" not in "".join(lines)
    cells = [[cell.strip() for cell in line.split("│")[1:3]] for line in lines if line[0] == "│"]
    for name in ("random", "greedy"):
        assert name in "".join(cell for cell, _ in cells)
        assert f"{name}@1" in "".join(cell for _, cell in cells)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_results(summary: Summary, width: int) -> None:
    config = ExperimentConfig(name="a_run_with_a_long_name")
    lines = printed(results_table([summary, summary], config), width)
    assert "…" not in "".join(lines)
    column = "".join(line.split(maxsplit=1)[0] for line in lines[4:] if line[1:2].strip())
    assert "a_run_with_a_long_name" * 2 in column


def test_figures_stand_in_one_line_at_80_columns(summary: Summary) -> None:
    config = ExperimentConfig(name="a_run_with_a_long_name")
    lines = printed(results_table([summary], config), 80)
    row = next(line for line in lines if line.startswith(" a_run"))
    low, high = summary.agents["greedy"].win_rate_ci95
    assert f"({100 * low:.1f}..{100 * high:.1f})" in row
    assert f"{summary.margin:+.2f}" in row
