"""The SVG picture: well-formed, at true coordinates, with paths, marks and the score sheet."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from arboretum_env.drawing.scene import Scene
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from tests.drawing.pictures import board_origin, box_of, elements, scene, seat_part


@pytest.mark.parametrize("name", ["anu_game_1", "three_players_reduced", "four_players"])
@pytest.mark.parametrize("decisions", [0, 23, None])
def test_cards_stand_at_their_true_coordinates(name: str, decisions: int | None) -> None:
    shown = scene(name, decisions)
    svg = scene_svg(shown)
    for seat, part in enumerate(shown.seats):
        drawn = {}
        for element in elements(seat_part(svg, seat), "g", "card"):
            if element.get("data-x") is not None:
                cell = int(element.get("data-x", "")), int(element.get("data-y", ""))
                drawn[cell] = element.get("data-card"), box_of(element)
        planted = {(x, y): shown.config.card_text(card) for x, y, card in part.arboretum}
        assert {cell: card for cell, (card, _) in drawn.items()} == planted
        for (x, y), (_, pixel) in drawn.items():  # 76 and 96 apart, y grows upwards
            assert pixel == (76 * x - 30, -96 * y - 40, 60)
        # The arboretum stands within its seat's panel.
        left, top, scale = board_origin(svg, seat)
        panel = next(elements(seat_part(svg, seat), "rect"))
        x, y, width, height = (float(panel.get(key, "")) for key in ("x", "y", "width", "height"))
        for cell_x, cell_y in drawn:
            assert x < left + (76 * cell_x - 30) * scale < x + width - 60 * scale
            assert y < top + (-96 * cell_y - 40) * scale < y + height - 80 * scale


def test_axis_labels_are_true_coordinates() -> None:
    part = seat_part(scene_svg(scene("anu_game_1")), 0)
    [axis] = elements(part, "g", "axis")
    labels = [(e.text, e.get("text-anchor"), e.get("x"), e.get("y")) for e in axis]
    columns = {text: x for text, anchor, x, _ in labels if anchor == "middle"}
    rows = [text for text, anchor, _, _ in labels if anchor == "end"]
    assert columns == {"-3": "-228", "-2": "-152", "-1": "-76", "0": "0", "1": "76"}
    assert rows == ["-4", "-3", "-2", "-1", "0", "1"]


def test_paths_are_drawn_through_their_cards() -> None:
    svg = scene_svg(scene("anu_game_1"))
    for seat, expected in enumerate(
        [
            {"C": "C3 D4 C7 C8", "D": "D1 V3 D8", "J": "J3 J5"},
            {"V": "V1 M2 D3 L7 V8", "L": "L2 D3 L7", "M": "M3 M4 M8"},
        ]
    ):
        part = seat_part(svg, seat)
        lines = {e.get("data-species"): e for e in elements(part, "g", "path")}
        assert {letter: e.get("data-cards") for letter, e in lines.items()} == expected
        centres = {
            e.get("data-card"): (76.0 * int(e.get("data-x", "")), -96.0 * int(e.get("data-y", "")))
            for e in elements(part, "g", "card")
            if e.get("data-x") is not None
        }
        shifts = set()
        for line in lines.values():
            outline, inner = (e.get("points", "") for e in line)
            assert outline == inner
            points = [tuple(map(float, p.split(","))) for p in inner.split()]
            cards = line.get("data-cards", "").split()
            distances = {
                (x - centres[card][0], y - centres[card][1])
                for card, (x, y) in zip(cards, points, strict=True)
            }
            [(right, down)] = distances  # one lane for the whole path
            assert right == down and abs(right) < 30
            shifts.add(right)
        assert len(shifts) == len(lines)  # no two paths on one lane
    rights = {
        (seat, line.get("data-species")): (line.get("data-right"), line.get("stroke-dasharray"))
        for seat in (0, 1)
        for line in elements(seat_part(svg, seat), "g", "path")
    }
    denied = {path for path, (right, _) in rights.items() if right == "no"}
    assert denied == {path for path, (_, dashes) in rights.items() if dashes}
    assert denied == {(0, "D"), (0, "J")}
    before = scene_svg(scene("anu_game_1", 164))
    assert {line.get("data-right") for line in elements(before, "g", "path")} == {"open"}


def test_last_move_is_marked() -> None:
    svg = scene_svg(scene("anu_game_1", 15))
    marked = list(elements(seat_part(svg, 0), "g", "last"))
    assert [card.get("data-card") for card in marked] == ["D6", "V4"]
    for card, out in zip(marked, (3, 2), strict=True):
        x, y, width = box_of(card)
        assert box_of(card, "rect") == (x - out, y - out, width + 2 * out)
    assert list(elements(seat_part(svg, 1), "g", "last")) == []
    assert len(list(elements(svg, "rect", "ring"))) == 2


def test_the_chosen_card_is_marked_for_its_owner_alone() -> None:
    for seat, chosen in ((0, ["C6"]), (1, [])):
        svg = scene_svg(scene("anu_game_1", 3, seat=seat))
        assert [card.get("data-card") for card in elements(svg, "g", "chosen")] == chosen


def test_piles_from_bottom_to_top_and_hidden_cards_as_backs() -> None:
    shown = scene("four_players", 170, seat=2)
    svg = scene_svg(shown)
    for seat, part in enumerate(shown.seats):
        xml = seat_part(svg, seat)
        [pile] = elements(xml, "g", "discard-pile")
        drawn = [e.get("data-card") for e in elements(ET.tostring(pile, "unicode"), "g", "card")]
        assert drawn == [shown.config.card_text(card) for card in part.discard_pile]
        assert len(list(elements(xml, "g", "card-back"))) == part.hidden_cards
    assert [seat.hidden_cards for seat in shown.seats] == [3, 4, 0, 4]


def sheet_rows(svg: str, seat: int) -> dict[str | None, list[str | None]]:
    [sheet] = elements(seat_part(svg, seat), "g", "score-sheet")
    rows = {}
    for group in sheet:
        if group.get("data-species"):
            rows[group.get("data-species")] = [e.text for e in group if e.tag.endswith("text")]
    return rows


def test_score_sheet_explains_right_path_and_points() -> None:
    svg = scene_svg(scene("anu_game_1"))
    assert sheet_rows(svg, 0) == {
        "C": ["C Cassia", "1+2+4+5 = 12", "yes", "C3 D4 C7 C8", "6"],
        "V": ["V Olive", "5", "no", "–", "0"],
        "L": ["L Lilac", "0", "no", "–", "0"],
        "D": ["D Dogwood", "5", "no", "D1 V3 D8", "(6) 0"],
        "J": ["J Jacaranda", "4", "no", "J3 J5", "(2) 0"],
        "M": ["M Maple", "0", "no", "–", "0"],
    }
    small = scene_svg(scene("three_players_reduced"))
    assert sheet_rows(small, 0)["V"] == ["V Olive", "2+(5) = 2", "no", "–", "0"]
    explained = ["in brackets: counts nothing" in seat_part(small, seat) for seat in range(3)]
    assert explained == [True, False, False]
    assert list(elements(scene_svg(scene("anu_game_1", 164)), "g", "score-sheet")) == []


def test_the_board_in_words_stands_in_the_description() -> None:
    shown = scene("four_players", 100)
    svg = scene_svg(shown)
    [description] = elements(svg, "desc")
    assert description.text == scene_text(shown)
    [title] = elements(svg, "title")
    assert title.text == f"Arboretum, {shown.status}"


def named(name: str) -> Scene:
    shown = scene("anu_game_1", 0)
    return replace(shown, seats=(replace(shown.seats[0], name=name), shown.seats[1]))


@pytest.mark.parametrize("name", ["<b>&\"'", "a\0b\x1b[31m", "\ufffe\ud800", "木蘭", "x" * 500])
def test_any_name_gives_a_well_formed_picture(name: str) -> None:
    svg = scene_svg(named(name))
    svg.encode("utf-8")
    assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"


def test_long_names_are_cut_so_that_they_fit() -> None:
    texts = [e.text or "" for e in elements(scene_svg(named("x" * 500)), "text")]
    [title] = [text for text in texts if "xxx" in text]
    assert title.startswith("Seat 0  xxx") and title.endswith("…") and len(title) < 40


def test_pictures_are_the_same_every_time() -> None:
    assert scene_svg(scene("four_players")) == scene_svg(scene("four_players"))
