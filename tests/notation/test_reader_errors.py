"""Every kind of fault in a text: the error names its line and its token, and reading goes on."""

from pathlib import Path

import pytest

from arboretum_env.errors import RecordError
from arboretum_env.records.arb_reader import parse_arb, read_arb
from arboretum_env.records.files import MAX_FILE_BYTES, load_record

# 3 species of 3 ranks, hands of 2: 9 - 4 = 5 cards in the deck.
GOOD = """[Arboretum "1"]
[Players "2"]
[Species "CDJ"]
[Ranks "3"]
[StartingDiscards "0"]
[Hands "C1 C2 / D1 D2"]
[Deck "C3 D3 J1 J2 J3"]
[Result "*"]

1. d d C1@0,0 xD3
2. p0(D3) d D1@0,0 xC2 {taken
back} 3.
"""


def test_the_text_that_the_faults_are_put_into_is_good() -> None:
    with pytest.raises(RecordError):
        read_arb("")
    record = read_arb(GOOD.replace("xC2", "xD2"))
    assert record.config.hand_size == 2
    assert [turn.num_decisions for turn in record.turns] == [5, 5, 0]
    assert record.turns[1].comment == "taken\nback"


HEADER_FAULTS = [
    # old, new, line, token, part of the reason
    ('[Arboretum "1"]', '[Arboretum "2"]', 1, "2", "expected version 1"),
    ('[Players "2"]', '[Players "5"]', 2, "5", "num_players 5: expected at most 4"),
    ('[Players "2"]', '[Players "two"]', 2, "two", "expected a whole number"),
    ('[Players "2"]', '[Players "２"]', 2, "２", "expected a whole number"),
    ('[Players "2"]', "[Players 2]", 2, "[Players 2]", 'expected [Name "value"]'),
    ('[Players "2"]', '[Players "2"', 2, '[Players "2"', 'expected [Name "value"]'),
    ('[Players "2"]', '[Players "3"]', 6, "", "2 seats given, expected 3"),
    ('[Species "CDJ"]', '[Species "CDX"]', 3, "CDX", "expected different letters"),
    ('[Species "CDJ"]', '[Species "CDD"]', 3, "CDD", "expected different letters"),
    ('[Species "CDJ"]', '[Species ""]', 3, "", "expected the letters"),
    ('[Species "CDJ"]', '[Species "CDJV"]', 7, "", "5 cards, expected the 8 left"),
    ('[Ranks "3"]', '[Ranks "9"]', 4, "9", "num_ranks 9: expected at most 8"),
    ('[Ranks "3"]', '[Ranks "3"] [Rights "some"]', 4, "some", "'highest' or 'all'"),
    ('[Ranks "3"]', '[Ranks "3"] [CancelEights "no"]', 4, "no", "expected 0 or 1"),
    ('[StartingDiscards "0"]', '[StartingDiscards "yes"]', 5, "yes", "expected 0 or 1"),
    (
        '[StartingDiscards "0"]',
        '[StartingDiscards "1"]',
        None,
        "",
        "seat 1 starts with 0 cards, expected 1",
    ),
    ('[StartingDiscards "0"]', '[Discards "- / C3"]', 5, "", "expected 0"),
    ('[StartingDiscards "0"]', '[Takebacks "-1"]', 5, "-1", "expected a whole number"),
    ('[StartingDiscards "0"]', '[Seat2 "Cy"]', 5, "", "the game has 2 seats"),
    ('[StartingDiscards "0"]', '[Seat0 "a\tb"]', 5, "'a\\tb'", "control character"),
    ('[StartingDiscards "0"]', '[Event "club"]', 5, "Event", "unknown header"),
    ('[StartingDiscards "0"]', '[Ranks "3"]', 5, "Ranks", "stands twice, first on line 4"),
    ("C1 C2 / D1 D2", "C1 C9 / D1 D2", 6, "C9", "expected one letter of CDJ and a rank 1..3"),
    ("C1 C2 / D1 D2", "C1 C1 / D1 D2", 6, "C1", "stands twice in the deal"),
    ("C1 C2 / D1 D2", "C1 C2 / D1", 6, "", "seat 1 has 1 cards, expected 2"),
    ("C1 C2 / D1 D2", "C1 C2", 6, "", "1 seats given, expected 2"),
    ("C1 C2 / D1 D2", "", 6, "", "hand_size 0: expected at least 1"),
    ("C3 D3 J1", "C3 C1 J1", 7, "C1", "stands twice in the deal"),
    ("C3 D3 J1", "C3 m7 J1", 7, "m7", "is not a card in play"),
    ('[Result "*"]', '[Result "1:2"]', 8, "1:2", "expected points such as 31-28"),
    ('[Result "*"]', '[Result "1-2-3"]', 8, "1-2-3", "expected 2 scores"),
    ('[Result "*"]', '[Result "*"] [Winners "0"]', 8, "0", "unfinished game has no winners"),
    ('[Result "*"]', '[Result "1-2"] [Winners "2"]', 8, "2", "expected seats of 0..1"),
    ('[Result "*"]', '[Result "1-2"] [Winners "me"]', 8, "me", "expected seats such as 0"),
]


@pytest.mark.parametrize(("old", "new", "line", "token", "reason"), HEADER_FAULTS)
def test_faults_in_headers(old: str, new: str, line: int | None, token: str, reason: str) -> None:
    text = GOOD.replace("xC2", "xD2")
    assert text.count(old) == 1
    with pytest.raises(RecordError) as caught:
        read_arb(text.replace(old, new))
    error = caught.value
    assert (error.line, error.token) == (line, token)
    assert reason in error.reason
    if line is not None:
        assert str(error).startswith(f"line {line}: ")


@pytest.mark.parametrize("name", ["Arboretum", "Players", "Species", "Hands", "Deck", "Result"])
def test_missing_headers(name: str) -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"[{name} ")]
    with pytest.raises(RecordError, match=rf"no \[{name} ...\] header") as caught:
        read_arb("\n".join(lines))
    assert caught.value.token == name


MOVE_FAULTS = [
    ("1. d d", "d d", 10, "d", "expected the first turn's number"),
    ("1. d d", "{before} 1. d d", 10, "before", "expected the first turn's number"),
    ("2. p0", "3. p0", 11, "3.", "expected turn 2."),
    ("2. p0", "2 p0", 11, "2", "the turn is complete"),
    ("1. d d C1", "1. d C1", 10, "C1@0,0", "expected a draw"),
    ("1. d d C1", "1. d q C1", 10, "q", "expected a draw"),
    ("p0(D3)", "p2(D3)", 11, "p2(D3)", "expected a seat 0..1"),
    ("p0(D3)", "p0(X3)", 11, "p0(X3)", "'X3' is not a card in play"),
    ("p0(D3)", "p0(?)", 11, "p0(?)", "is not a card in play"),
    ("p0(D3)", "p0", 11, "p0", "expected a draw"),
    ("D1@0,0", "D1", 11, "D1", "expected a plant"),
    ("D1@0,0", "D4@0,0", 11, "D4@0,0", "'D4' is not a card in play"),
    ("D1@0,0", "D1@0", 11, "D1@0", "expected a plant"),
    ("D1@0,0", "D1@0,123456789", 11, "D1@0,123456789", "within +-99"),
    ("D1@0,0", "D1@0,٣", 11, "D1@0,٣", "expected a plant"),
    ("D1@0,0 x", "D1@ x", 11, "xC2", "nothing can follow D1@"),
    ("xC2", "C2", 11, "C2", "expected a discard"),
    ("xC2", "x?", 11, "x?", "is not a card in play"),
    ("xC2", "xC2 xC2", 11, "xC2", "the turn is complete"),
    ("xD3\n", "\n", 11, "2.", "turn 1 is not complete"),
    ("{taken", "{a} {taken", 11, "taken\nback", "a comment closes its turn"),
    ("back}", "back} d", 12, "d", "a comment closes its turn"),
    ("back}", "back", 11, "{taken", "the comment is not closed"),
    ("3.\n", "3.\n}\n", 13, "}", "expected no closing bracket"),
    ("3.\n", '3.\n[Seat0 "late"]\n', 13, "Seat0", "a header after the first move"),
]


@pytest.mark.parametrize(("old", "new", "line", "token", "reason"), MOVE_FAULTS)
def test_faults_in_moves(old: str, new: str, line: int, token: str, reason: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(RecordError) as caught:
        read_arb(GOOD.replace(old, new))
    error = caught.value
    assert (error.line, error.token) == (line, token)
    assert reason in error.reason


def test_reading_recovers_and_finds_every_error() -> None:
    text = GOOD.replace("1. d d", "1. d q").replace("xC2", "zC2").replace("3.\n", "4. d\n")
    parsed = parse_arb(text)
    assert [(error.line, error.token) for error in parsed.errors] == [
        (10, "q"),
        (11, "zC2"),
        (12, "4."),
    ]
    assert parsed.record is not None
    [turn] = parsed.record.turns  # the readable beginning: one draw of turn 1
    assert turn.num_decisions == 1


def test_errors_in_several_headers_are_all_found() -> None:
    text = GOOD.replace('"2"', '"many"').replace('"0"', '"maybe"').replace("[Ranks", "[Rank")
    parsed = parse_arb(text)
    assert parsed.record is None
    assert [error.line for error in parsed.errors] == [2, 4, 5]


def test_files_that_are_no_text(tmp_path: Path) -> None:
    latin = tmp_path / "latin.arb"
    latin.write_bytes(b'[Arboretum "1"]\n[Seat0 "Andr\xe9"]\n')
    with pytest.raises(RecordError, match=r"latin.arb: not UTF-8 text: .* at byte 28"):
        load_record(latin)
    huge = tmp_path / "huge.arb"
    huge.write_bytes(b" " * (MAX_FILE_BYTES + 1))
    with pytest.raises(RecordError, match=f"more than {MAX_FILE_BYTES} bytes"):
        load_record(huge)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "marked.arb"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load_record(path) == read_arb(GOOD)
