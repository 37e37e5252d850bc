"""Damaged texts: reading and replaying end in a record or in a ``RecordError``, never otherwise."""

import contextlib
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from arboretum_env.errors import RecordError
from arboretum_env.records.arb_reader import parse_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.replay import replay

GAMES = Path(__file__).parents[1] / "data" / "games"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.arb"))]
FEW = [text for text in TEXTS if len(text) < 1000]
INSERTIONS = st.sampled_from(
    [*'[]{}"@,()?.-/*x \n\r\t\0', "٣", "²", "p9(", "@@", "1.", "99999.", "d", "M7@", "\ud7ff"]
)


@st.composite
def damaged_texts(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(FEW + TEXTS[:1]))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 8)))
        text = text[:start] + draw(INSERTIONS | st.just("")) + text[end:]
    return text


@settings(deadline=None, max_examples=400)
@given(damaged_texts() | st.text(max_size=60))
@example("[")
@example("{")
@example("1.")
@example('[Players "2"]' * 2)
def test_damaged_texts(text: str) -> None:
    parsed = parse_arb(text)
    for error in parsed.errors:
        assert isinstance(error, RecordError)
        assert error.reason
        # An error names a line of the text, or says what the whole text lacks.
        assert error.line is None or 1 <= error.line <= text.count("\n") + 1
    if parsed.record is None:
        assert parsed.errors
        return
    assert parse_arb(write_arb(parsed.record)).record == parsed.record
    with contextlib.suppress(RecordError):
        replay(parsed.record)
