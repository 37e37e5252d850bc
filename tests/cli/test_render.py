"""``arboretum render``: formats, positions, seats, and clean refusals."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arboretum_env.drawing.replay_page import replay_page
from arboretum_env.records.files import load_record
from arboretum_lab.cli.main import main

GAMES = Path(__file__).parents[1] / "data" / "games"
GAME = str(GAMES / "anu_game_1.arb")
PNG = b"\x89PNG\r\n\x1a\n"


def test_text_of_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", GAME, "--turn", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "turn 4: seat 1 draws the first card, deck 30",
        "",
        "seat 0 (Student A)",
        "    0  C6",
        "   -1 [D6]",
        "        0",
        "  pile   V4 (top)",
        "  hand   C8 V1 V3 D1 D8 J5 M2",
        "",
        "seat 1 (Student B)",
        "    0  L7",
        "        0",
        "  pile   -",
        "  hand   C4 V8 L2 D4 J2 M1 M8",
    ]


def test_a_move_is_one_decision(capsys: pytest.CaptureFixture[str]) -> None:
    heads = []
    for move in range(6):
        assert main(["render", GAME, "--move", str(move)]) == 0
        heads.append(capsys.readouterr().out.splitlines()[0])
    assert heads == [
        "turn 1: seat 0 draws the first card, deck 34",
        "turn 1: seat 0 draws the second card, deck 33",
        "turn 1: seat 0 chooses a card to plant, deck 32",
        "turn 1: seat 0 chooses a cell for C6, deck 32",
        "turn 1: seat 0 discards, deck 32",
        "turn 2: seat 1 draws the first card, deck 32",
    ]


def test_default_is_the_last_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", GAME]) == 0
    last = capsys.readouterr().out
    assert last.startswith("game over after 33 turns: 6-16, seat 1 wins\n")
    assert "  path   D: D1 V3 D8, denied\n" in last
    assert "seat 1 (Student B): 16 points, wins\n" in last
    assert main(["render", GAME, "--turn", "33"]) == 0
    assert capsys.readouterr().out == last


def test_a_seat_sees_its_own_hand_and_what_is_public(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", GAME, "--turn", "3", "--seat", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("(as seat 1 sees it)")
    # V1 was taken from a pile, in the open.
    assert [line for line in lines if line.startswith("  hand")] == [
        "  hand   V1 ? ? ? ? ? ?",
        "  hand   C4 V8 L2 D4 J2 M1 M8",
    ]
    assert main(["render", GAME, "--turn", "3", "--hide-hands"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("  hand")] == [
        "  hand   V1 ? ? ? ? ? ?",
        "  hand   L2 ? ? ? ? ? ?",
    ]


def test_unknown_cards_are_not_made_up(capsys: pytest.CaptureFixture[str]) -> None:
    chair = str(GAMES / "one_chair.arb")
    for options in ([], ["--seat", "1"], ["--hide-hands"]):
        assert main(["render", chair, "--turn", "0", *options]) == 0
        lines = capsys.readouterr().out.splitlines()
        [_, rival] = [line for line in lines if line.startswith("  hand")]
        assert rival == "  hand   ? ? ? ? ? ? ?"
    # The choice of a card that the note-taker could not see is not shown before the card is.
    assert main(["render", chair, "--move", "9"]) == 0
    assert capsys.readouterr().out.startswith("turn 2: seat 1 discards, deck 31\n")
    assert main(["render", chair, "--move", "8"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("turn 2: seat 1 chooses a cell, deck 31\n")
    assert "  hand   L2 ? ? ? ? ? ? ? ?\n" in printed


def test_svg_and_png_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png = tmp_path / "game.svg", tmp_path / "game.PNG"
    assert main(["render", GAME, "--out", str(svg)]) == 0
    root = ET.fromstring(svg.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert main(["render", GAME, "--out", str(png)]) == 0
    assert png.read_bytes().startswith(PNG)
    text = tmp_path / "game.txt"
    assert main(["render", GAME, "--out", str(text)]) == 0
    assert text.read_text(encoding="utf-8").startswith("game over after 33 turns")
    other = tmp_path / "picture"
    assert main(["render", GAME, "--format", "svg", "--out", str(other)]) == 0
    assert other.read_bytes() == svg.read_bytes()
    assert capsys.readouterr().out == ""


def test_pictures_on_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["render", GAME, "--format", "png"]) == 0
    assert capsysbinary.readouterr().out.startswith(PNG)
    assert main(["render", GAME, "--format", "svg"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"<svg ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--turn", "34"], "--turn 34: expected 0..33 in this record"),
        (["--turn", "-1"], "--turn -1: expected 0..33 in this record"),
        (["--move", "166"], "--move 166: expected 0..165 in this record"),
        (["--turn", "1", "--move", "1"], "--turn and --move: expected one of them"),
        (["--seat", "2"], "--seat 2: expected 0..1"),
        (["--seat", "-1"], "--seat -1: expected 0..1"),
        (["--seat", "0", "--hide-hands"], "--hide-hands and --seat: expected one of them"),
        (["--out", "picture.gif"], "--out picture.gif: expected .txt, .svg, .png or .html"),
        (["--format", "gif"], "gif"),
        (["--theme", "dark"], "--theme dark: expected with --format svg or png, not text"),
        (["--theme", "blue", "--format", "svg"], "blue"),
        (["--format", "html", "--turn", "3"], "a page holds every position"),
        (["--format", "html", "--seat", "2"], "--seat 2: expected 0..1"),
        (["--out", "missing-folder/x.svg"], "missing-folder/x.svg: No such file or directory"),
    ],
)
def test_refusals(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", GAME, *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith("arboretum: error: ")
    assert message in line


def test_a_broken_record_can_be_drawn_up_to_its_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(GAME).read_text(encoding="utf-8").replace("D6@0,-1", "D6@5,5")
    path = tmp_path / "broken.arb"
    path.write_text(text, encoding="utf-8")
    assert main(["render", str(path), "--turn", "2"]) == 0
    assert capsys.readouterr().out.startswith("turn 3: seat 0 draws the first card")
    assert main(["render", str(path), "--turn", "3"]) == 2
    assert f"error: {path}: line 15: 'D6@5,5'" in capsys.readouterr().err


def test_png_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    assert main(["render", GAME, "--format", "png"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "arboretum: error: pictures in pixels need resvg-py, which is not installed: "
        "pip install 'arboretum-lab[render]'\n"
    )


def test_themes(capsys: pytest.CaptureFixture[str]) -> None:
    pictures = {}
    for options in ([], ["--theme", "light"], ["--theme", "dark"]):
        assert main(["render", GAME, "--format", "svg", *options]) == 0
        pictures[tuple(options)] = capsys.readouterr().out
    assert pictures[()] == pictures["--theme", "light"]
    grounds = [
        next(e for e in ET.fromstring(p) if e.tag.endswith("rect")) for p in pictures.values()
    ]
    assert [ground.get("fill") for ground in grounds] == ["#F6F3EA", "#F6F3EA", "#191B18"]


def test_a_page_of_the_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "game.html"
    assert main(["render", GAME, "--out", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text == replay_page(load_record(Path(GAME)))
    assert main(["render", GAME, "--format", "html", "--seat", "1"]) == 0
    assert capsys.readouterr().out == replay_page(load_record(Path(GAME)), 1)
    assert main(["render", GAME, "--format", "html", "--hide-hands"]) == 0
    assert capsys.readouterr().out == replay_page(load_record(Path(GAME)), show_hands=False)
