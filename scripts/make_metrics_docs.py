"""Writes the table of metrics in docs/learning.md from ``METRICS``.

python scripts/make_metrics_docs.py
"""

from pathlib import Path

from arboretum_training.metrics import METRICS

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"
_MARK = "<!-- generated: metrics -->\n"


def with_table(text: str) -> str:
    """The page's text with a current table; the table is the last thing on the page."""
    rows = ["| metric | unit | meaning |", "| --- | --- | --- |"]
    for metric in METRICS:
        name = metric.name if metric.label is None else f"{metric.name}/{metric.label.upper()}"
        rows.append(f"| `{name}` | {metric.unit} | {metric.meaning} |")
    head, _, _ = text.partition(_MARK)
    return head + _MARK + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
