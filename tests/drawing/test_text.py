"""The text form, word for word."""

from arboretum_env.drawing.text import scene_text
from tests.drawing.pictures import scene


def test_a_seats_view_in_the_middle() -> None:
    assert (
        scene_text(scene("anu_game_1", 88, seat=0))
        == """\
turn 18: seat 1 chooses a cell, deck 15 (as seat 0 sees it)

seat 0 (Student A)
    1   .   D8   J6
    0 [J2]  V3   C6
   -1   .   D1   D6
   -2  M6   C8    .
       -2   -1    0
  pile   -
  hand   C1 C4 L6 D4 D5 D7 J5
  path   D: D1 V3 D8

seat 1 (Student B)
    0  L2   D3   L7   V8
   -1  M1   M2   V1   M7
       -2   -1    0    1
  pile   -
  hand   V2 V4 J1 ? ? ? ? ? ?
  path   V: V1 M2 D3 L7 V8
  path   L: L2 D3 L7
  path   M: M1 M2"""
    )


def test_the_deal() -> None:
    assert (
        scene_text(scene("three_players_reduced", 0))
        == """\
turn 1: seat 0 draws the first card, deck 9

seat 0 (Ann)
  nothing planted
  pile   -
  hand   C4 J3 J5

seat 1 (Bo)
  nothing planted
  pile   D2 (top)
  hand   C2 C5 V4

seat 2 (Cy)
  nothing planted
  pile   J1 (top)
  hand   D4 D5 V1"""
    )


def test_the_chosen_card_stands_in_brackets() -> None:
    text = scene_text(scene("three_players_reduced", 3))
    assert text.startswith("turn 1: seat 0 chooses a cell for C4, deck 9\n")
    assert "  hand   [C4] D2 J1 J3 J5\n" in text
    seen = scene_text(scene("three_players_reduced", 3, seat=1))
    assert seen.startswith("turn 1: seat 0 chooses a cell, deck 9 (as seat 1 sees it)\n")
    assert "  hand   D2 J1 ? ? ?\n" in seen


def test_the_end_has_the_score_sheet() -> None:
    text = scene_text(scene("three_players_reduced"))
    assert text.startswith("game over after 10 turns: 6-0-0, seat 0 wins\n")
    assert "  path   J: J1 C4 J5, scored\n" in text
    assert "  path   C: C1 C4, denied\n" in text
    assert "  V Olive          2+(5) = 2           no          0  -\n" in text
