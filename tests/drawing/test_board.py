"""A board that grows: its cards, legal cells with action ids, marks, and words."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from arboretum_env.drawing.board import Extent, board_extent, board_svg, legal_cells
from arboretum_env.drawing.cards import card_sprite
from arboretum_env.drawing.scene import scene_of_view
from arboretum_env.drawing.style import style_sheet
from arboretum_env.drawing.theme import DARK, LIGHT, PALETTES, SPECIES_COLOURS, Theme
from arboretum_env.drawing.words import board_words
from arboretum_env.engine.moves import apply_action
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from tests.drawing.pictures import elements, position, scene
from tests.random_games import CONFIGS, random_positions
from tests.secrecy.reshuffle import reshuffle_hidden


def view_of(name: str, decisions: int, seat: int) -> PlayerView:
    return redact(position(name, decisions).state, seat)[0]


def box_of_view(svg: str) -> list[float]:
    return list(map(float, str(ET.fromstring(svg).get("viewBox")).split()))


@pytest.mark.parametrize("name", CONFIGS)
def test_every_legal_cell_plants_where_it_is_drawn(name: str) -> None:
    placed = 0
    for state, _ in random_positions(CONFIGS[name], 1, seed=31):
        if state.phase[0] != Phase.PLACE:
            continue
        seat = int(state.mover[0])
        view = redact(state, seat)[0]
        cells = legal_cells(view)
        assert sorted(cells.values()) == view.legal_actions()
        svg = board_svg(scene_of_view(view), seat, cells=cells)
        drawn = {
            tuple(map(int, str(e.get("data-cell")).split(","))): int(str(e.get("data-action")))
            for e in elements(svg, "g", "cell")
        }
        assert drawn == cells
        left, top, width, height = box_of_view(svg)
        for (x, y), action in cells.items():
            after = state.clone()
            apply_action(after, np.array([action]))
            assert after.arboretum(0, seat)[-1][:2] == (x, y)
            # The whole cell lies within the picture.
            assert left <= 76 * x - 38 and 76 * x + 38 <= left + width
            assert top <= -96 * y - 48 and -96 * y + 48 <= top + height
        placed += 1
        for other in range(CONFIGS[name].num_players):
            if other != seat:
                assert legal_cells(redact(state, other)[0]) == {}
        if placed == 12:
            break
    assert placed >= 3  # the shortest of the reduced games


def test_a_cell_is_a_button_with_words_and_a_ghost() -> None:
    view = view_of("anu_game_1", 13, 0)  # turn 3: seat 0 plants D6 next to C6
    svg = board_svg(scene_of_view(view), 0, cells=legal_cells(view))
    cells = list(elements(svg, "g", "cell"))
    assert [(c.get("data-cell"), c.get("aria-label")) for c in cells] == [
        ("0,1", "Plant Dogwood 6 at 0,1, above Cassia 6"),
        ("-1,0", "Plant Dogwood 6 at -1,0, left of Cassia 6"),
        ("1,0", "Plant Dogwood 6 at 1,0, right of Cassia 6"),
        ("0,-1", "Plant Dogwood 6 at 0,-1, below Cassia 6"),
    ]
    for cell in cells:
        assert (cell.get("role"), cell.get("tabindex")) == ("button", "0")
        spot, ghost = cell
        assert "spot" in str(spot.get("class"))
        assert (ghost.get("class"), ghost.get("opacity")) == ("ghost", "0")
        assert ghost.get("href") == "#card-D6"
        for key in ("x", "y", "width", "height"):
            assert ghost.get(key) == spot.get(key)
    # A group, since the parts of an img are hidden from those who do not see it.
    assert ET.fromstring(svg).get("role") == "group"


def test_a_ghost_is_no_card_that_the_reader_does_not_know() -> None:
    rival = scene_of_view(view_of("anu_game_1", 13, 1))
    svg = board_svg(rival, 0, cells={(1, 0): 5})
    [cell] = elements(svg, "g", "cell")
    assert cell.get("aria-label") == "Plant at 1,0, right of Cassia 6"
    assert cell[1].get("href") is None
    assert "D6" not in svg


def test_the_picture_grows_and_its_cells_stay() -> None:
    sizes = []
    for decisions in (0, 5, 15):
        svg = board_svg(scene("anu_game_1", decisions), 0)
        sizes.append(box_of_view(svg))
        for card in elements(svg, "g", "card"):
            use = next(elements(ET.tostring(card, encoding="unicode"), "use"))
            x, y = int(str(card.get("data-x"))), int(str(card.get("data-y")))
            assert (use.get("x"), use.get("y")) == (f"{76 * x - 30}", f"{-96 * y - 40}")
    # Columns and rows of the cards and one more on every side, and 24 for coordinates.
    first = [-24 - 76 - 38, -96 - 48, 24 + 3 * 76, 3 * 96 + 24]
    assert sizes == [first, first, [first[0], first[1], first[2], 4 * 96 + 24]]
    shown = scene("anu_game_1", 15)
    assert board_extent(shown, 0) == Extent(-1, 1, -2, 1)
    wide = board_svg(shown, 0, extent=Extent(-3, 1, -2, 1))
    assert box_of_view(wide)[2] == 24 + 5 * 76


def test_the_last_card_is_marked_and_paths_are_drawn_at_the_end() -> None:
    svg = board_svg(scene("anu_game_1", 15), 0)
    [last] = elements(svg, "g", "last")
    assert (last.get("data-card"), last.get("aria-label")) == ("D6", "Dogwood 6 at 0,-1")
    assert len(list(elements(svg, "rect", "ring"))) == 1
    assert list(elements(svg, "g", "path")) == []
    end = board_svg(scene("anu_game_1"), 0)
    rights = {e.get("data-species"): e.get("data-right") for e in elements(end, "g", "path")}
    assert rights == {"C": "yes", "D": "no", "J": "no"}
    early = board_svg(scene("anu_game_1", 164), 0, paths=True)
    assert {e.get("data-right") for e in elements(early, "g", "path")} == {"open"}
    assert list(elements(board_svg(scene("anu_game_1"), 0, paths=False), "g", "path")) == []


def test_the_board_in_words() -> None:
    shown = scene("anu_game_1", 15)
    words = (
        "Arboretum of seat 0, Student A: 2 cards. Row 0: Cassia 6 at 0. Row -1: Dogwood 6 at 0. "
        "Planted last: 0,-1."
    )
    assert board_words(shown, 0) == words
    svg = board_svg(shown, 0)
    assert [e.text for e in elements(svg, "desc")] == [words]
    assert ET.fromstring(svg).get("aria-label") == "Arboretum of seat 0, Student A: 2 cards"
    assert board_words(scene("anu_game_1", 0), 1) == (
        "Arboretum of seat 1, Student B: nothing planted."
    )
    end = board_words(scene("anu_game_1"), 0)
    assert "Best path of Cassia: C3, D4, C7, C8, scored." in end
    assert "Best path of Jacaranda: J3, J5, denied for want of the right to score." in end


@pytest.mark.parametrize("theme", PALETTES)
def test_every_symbol_is_there(theme: Theme) -> None:
    view = view_of("anu_game_1", 88, 1)
    shown = scene_of_view(view)
    sprite = set(re.findall(r' id="([^"]+)"', card_sprite()))
    page = board_svg(shown, 1, cells=legal_cells(view), theme=theme)
    used = set(re.findall(r'href="#([^"]+)"', page))
    assert used and used <= sprite
    assert " id=" not in page  # several boards stand on one page
    alone = board_svg(shown, 1, cells=legal_cells(view), theme=theme, standalone=True)
    assert set(re.findall(r'href="#([^"]+)"', alone)) <= set(re.findall(r' id="([^"]+)"', alone))
    [title] = elements(alone, "title")
    assert title.text == ET.fromstring(alone).get("aria-label")
    assert list(elements(page, "title")) == []  # browsers would show it as a tooltip
    for svg in (page, alone):
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script", svg)


def test_classes_and_attributes_tell_of_the_same_colours() -> None:
    rules = style_sheet()
    colours = LIGHT | SPECIES_COLOURS
    seen = set()
    for theme, palette in PALETTES.items():
        names = colours | dict(palette)
        for element in ET.fromstring(board_svg(scene("anu_game_1"), 0, theme=theme)).iter():
            for name in str(element.get("class")).split():
                kind, _, colour = name.partition("-")
                if kind in ("f", "s") and colour:
                    assert element.get({"f": "fill", "s": "stroke"}[kind]) == names[colour]
                    assert f".{name}{{" in rules
                    seen.add(colour)
    assert seen >= {"dot", "faint", "mark", "path-edge", "C"}


def test_the_style_sheet_has_both_themes() -> None:
    rules = style_sheet()
    assert ":root{color-scheme:light dark;--ab-page:" + LIGHT["page"] in rules
    dark = ";".join(f"--ab-{name}:{colour}" for name, colour in DARK.items())
    assert (
        f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}' in rules
    )
    assert f':root[data-theme="dark"]{{color-scheme:dark;{dark}}}' in rules
    assert "prefers-reduced-motion" in rules
    assert ".f-M{fill:var(--ab-M)}" in rules and f"--ab-M:{SPECIES_COLOURS['M']}" in rules


@pytest.mark.parametrize("name", ["2 players", "3 players", "4 players", "reduced 3"])
def test_hidden_cards_change_no_byte_of_any_board(name: str) -> None:
    rng = np.random.default_rng(6)
    config = CONFIGS[name]
    for number, (state, _) in enumerate(random_positions(config, 1, seed=23)):
        if state.done[0] or number % 3:
            continue
        observer = number % config.num_players
        views = [
            redact(world, observer)[0]
            for world in (state, reshuffle_hidden(state, np.array([observer]), rng))
        ]
        for seat in range(config.num_players):
            first, second = (
                board_svg(scene_of_view(v), seat, cells=legal_cells(v), standalone=True)
                for v in views
            )
            assert first == second
