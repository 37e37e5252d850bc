"""What a comparison of training methods came to: data, a table, and a page with curves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arboretum_env.drawing.html import document, element, table
from arboretum_training.algorithm_run import TRACKS, YARDSTICKS, AlgorithmSettings
from arboretum_training.evaluation.curve_chart import Curve, curve_chart
from arboretum_training.evaluation.over_seeds import (
    ENOUGH_SEEDS,
    difference,
    mean_over_seeds,
    on_grid,
    seed_scores,
)
from arboretum_training.evaluation.report_theme import style_sheet
from arboretum_training.evaluation.suite import DEALS, SEED, SUITE_VERSION
from arboretum_training.files import replace_file

GRID_POINTS: Final = 8
PAGE_NAME: Final = "report.html"
_CURVE_RESAMPLES: Final = 999  # for bands that are looked at

Measured = Mapping[str, Mapping[int, Mapping[tuple[int, str], Any]]]
"""By method, seed, and (decisions, yardstick): [D] the policy's share of the win, deal by deal."""


def make_report(settings: AlgorithmSettings, measured: Measured) -> dict[str, Any]:
    """The comparison as plain data.

    Args:
        settings: what was compared.
        measured: see ``Measured``; methods and seeds that are finished.
    """
    final = {
        method: {
            rung: seed_scores([_final(seeds[seed], rung) for seed in sorted(seeds)])
            for rung in YARDSTICKS
        }
        for method, seeds in measured.items()
    }
    first = next(iter(final))
    return {
        "suite": SUITE_VERSION,
        "official": _official(settings),
        "players": settings.players,
        "track": settings.track,
        "seeds": list(settings.seeds),
        "settings": settings.to_json(),
        "methods": {
            method: {
                rung: {
                    "by_seed": scores.tolist(),
                    **_mean_json(scores),
                    "curve": _curve_json(measured[method], rung),
                }
                for rung, scores in rungs.items()
            }
            for method, rungs in final.items()
        },
        "differences": [
            {"method": method, "less": first, "against": rung}
            | difference(scores, final[first][rung], SEED)._asdict()
            for method, rungs in final.items()
            if method != first
            for rung, scores in rungs.items()
        ],
    }


def to_table(report: dict[str, Any]) -> RenderableType:
    """The comparison for a terminal."""
    players = report["players"]
    title = f"{players} players, {report['track']}, {len(report['seeds'])} seeds"
    made = Table(
        title=title if report["official"] else f"{title}, UNOFFICIAL",
        box=box.SIMPLE,
        pad_edge=False,
    )
    made.add_column("method", overflow="fold")
    for head in ("against", "win %", "(95 % over seeds)", "by seed %"):
        made.add_column(head, justify="right", overflow="fold")
    for method, rungs in report["methods"].items():
        for rung, figures in rungs.items():
            made.add_row(
                Text(method),
                rung,
                f"{100 * figures['mean']:.1f}",
                _spread(figures["ci95"]),
                " ".join(f"{100 * score:.1f}" for score in figures["by_seed"]),
            )
    lines = [
        f"{gap['method']} less {gap['less']} against {gap['against']}: {100 * gap['mean']:+.1f} "
        f"({_spread(gap['ci95'])}), p = {gap['p_value']:.2g}"
        for gap in report["differences"]
    ]
    lines.append(
        f"win %: per seat held, fair is {100 / players:.1f}; each seed is one number, and "
        "intervals resample seeds."
    )
    return Group(made, Text("\n".join(lines)))


def write_page(folder: Path, report: dict[str, Any], command: str) -> Path:
    """Writes the page with the learning curves; returns its path."""
    main = element("main", _header(report))
    for rung in YARDSTICKS:
        curves = [
            Curve(
                method,
                tuple(rungs[rung]["curve"]["decisions"]),
                tuple(rungs[rung]["curve"]["mean"]),
                tuple(map(tuple, rungs[rung]["curve"]["ci95"])),
            )
            for method, rungs in report["methods"].items()
        ]
        chart = curve_chart(curves, fair=1 / report["players"])
        main.append(_section(f"Against {rung}", chart, _final_table(report, rung)))
    main.append(
        element("section", element("h2", "Again"), element("pre", element("code", command)))
    )
    title = f"Training methods: {', '.join(report['methods'])}"
    replace_file(folder / PAGE_NAME, document(title, style_sheet(), main).encode())
    return folder / PAGE_NAME


def _official(settings: AlgorithmSettings) -> bool:
    return (
        settings.track in TRACKS
        and len(settings.seeds) >= ENOUGH_SEEDS
        and settings.final_deals == DEALS[settings.players]
    )


def _final(points: Mapping[tuple[int, str], Any], rung: str) -> Any:
    last = max(step for step, _ in points)
    return points[last, rung]


def _curve_json(
    seeds: Mapping[int, Mapping[tuple[int, str], Any]], rung: str
) -> dict[str, list[Any]]:
    curves = []
    for seed in sorted(seeds):
        steps = sorted(step for step, other in seeds[seed] if other == rung)
        curves.append((steps, seed_scores([seeds[seed][step, rung] for step in steps])))
    grid, scores = on_grid(curves, GRID_POINTS)
    means = [mean_over_seeds(column, SEED, _CURVE_RESAMPLES) for column in scores.T]
    return {
        "decisions": [round(step) for step in grid],
        "mean": [point.mean for point in means],
        "ci95": [list(point.ci95 or (point.mean, point.mean)) for point in means],
    }


def _mean_json(scores: Any) -> dict[str, Any]:
    mean, interval = mean_over_seeds(scores, SEED)
    return {"mean": mean, "ci95": None if interval is None else list(interval)}


def _spread(interval: Any) -> str:
    if interval is None:
        return "one seed"
    return f"{100 * interval[0]:.1f}..{100 * interval[1]:.1f}"


def _header(report: dict[str, Any]) -> ET.Element:
    facts = [
        f"{report['players']} players",
        f"track {report['track']}",
        f"{len(report['seeds'])} seeds",
        f"suite {report['suite']}",
    ]
    chips = [element("li", fact) for fact in facts]
    if not report["official"]:
        chips.insert(0, element("li", "unofficial", class_="warn"))
    return element(
        "header", element("h1", "Training methods compared"), element("ul", *chips, class_="facts")
    )


def _section(title: str, chart: ET.Element, figures: ET.Element) -> ET.Element:
    return element(
        "section",
        element("h2", title),
        element(
            "p",
            "Win rate by decisions learned from: mean over seeds, and its 95 % interval from "
            "resampled seeds. The dotted line is a fair share.",
        ),
        element("div", chart, class_="wide"),
        element("div", figures, class_="wide"),
    )


def _final_table(report: dict[str, Any], rung: str) -> ET.Element:
    gaps = {gap["method"]: gap for gap in report["differences"] if gap["against"] == rung}
    rows = []
    for method, rungs in report["methods"].items():
        figures, gap = rungs[rung], gaps.get(method)
        less = "-"
        if gap is not None:
            less = f"{100 * gap['mean']:+.1f} ({_spread(gap['ci95'])}), p = {gap['p_value']:.2g}"
        by_seed = " · ".join(f"{100 * score:.1f}" for score in figures["by_seed"])
        rows.append(
            [
                element("td", method, class_="name"),
                element("td", f"{100 * figures['mean']:.1f}"),
                element("td", _spread(figures["ci95"])),
                element("td", element("small", by_seed)),
                element("td", less),
            ]
        )
    return table(("method", "win %", "95 % over seeds", "by seed", "less the first"), rows)
