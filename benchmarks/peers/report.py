"""The results as a table for people and as JSON."""

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import metadata
from typing import Any, Final

from benchmarks.peers.bars import Verdict
from benchmarks.peers.contest import Result

LIBRARIES: Final = (
    "numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "rlcard", "shimmy",
)  # fmt: skip


def machine() -> dict[str, Any]:
    """What it was measured on and with."""
    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "versions": versions,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123 - no file but Linux's
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def as_json(results: Sequence[Result], verdicts: Sequence[Verdict], how: dict[str, Any]) -> str:
    """Everything, machine-readable."""
    measured = {
        result.key: {
            "title": result.title,
            "best_per_s": result.best if result.seconds else None,
            "median_per_s": result.median if result.seconds else None,
            "units": len(result.decisions),
            "decisions": sum(result.decisions),
            "round_seconds": [sum(times) for times in result.seconds],
            "problem": result.problem,
        }
        for result in results
    }
    judged = [asdict(verdict) | {"met": verdict.met} for verdict in verdicts]
    content = {"machine": machine(), "how": how, "results": measured, "ratios": judged}
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
