"""The results as tables for people and as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from benchmarks.peers.bars import Verdict
from benchmarks.peers.contest import Result

LIBRARIES: Final = (
    "numba", "numpy", "pettingzoo", "open_spiel", "pgx", "jax", "rlcard", "shimmy",
)  # fmt: skip


def as_json(
    results: Sequence[Result], verdicts: Sequence[Verdict], machine: str, how: dict[str, Any]
) -> str:
    """Everything, machine-readable."""
    measured = {
        result.key: {
            "title": result.title,
            "best_per_s": result.best if result.seconds else None,
            "median_per_s": result.median if result.seconds else None,
            "steps": len(result.decisions),
            "decisions": sum(result.decisions),
            "round_seconds": [sum(times) for times in result.seconds],
            "problem": result.problem,
        }
        for result in results
    }
    judged = [asdict(verdict) | {"met": verdict.met} for verdict in verdicts]
    content = {"machine": machine, "how": how, "results": measured, "ratios": judged}
    return json.dumps(content, indent=2)


def as_text(results: Sequence[Result], verdicts: Sequence[Verdict]) -> str:
    """Two tables in Markdown: rates, and ratios beside their bars."""
    return "\n".join([*_rates(results), "", *_ratios(results, verdicts)])


def _rates(results: Sequence[Result]) -> Iterator[str]:
    yield "| random legal play, mask and observation | decisions/s | median round |"
    yield "|---|---|---|"
    for result in results:
        if result.seconds:
            yield f"| {result.title} | {result.best:,.0f} | {result.median:,.0f} |"
        else:
            yield f"| {result.title} | {result.problem} | |"


def _ratios(results: Sequence[Result], verdicts: Sequence[Verdict]) -> Iterator[str]:
    titles = {result.key: result.title for result in results}
    yield "| of | to | ratio | of median rounds | bar |"
    yield "|---|---|---|---|---|"
    for verdict in verdicts:
        bar = "for information"
        if verdict.times is not None:
            bar = f">= {verdict.times:g}: {'met' if verdict.met else 'MISSED'}"
        yield (
            f"| {titles[verdict.ours]} | {titles[verdict.peer]} | {verdict.ratio:.1f} "
            f"| {verdict.median_ratio:.1f} | {bar} |"
        )
