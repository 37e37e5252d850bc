"""What notebooks show: the same pictures as everywhere, and nothing where there is none."""

import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree as ET

from arboretum_env.config import GameConfig
from arboretum_env.drawing.scene import scene_of_state, scene_of_view
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.engine.deal import deal
from arboretum_env.records.replay import replay
from arboretum_env.view import redact
from tests.drawing.pictures import position, scene


def test_views_show_what_the_seat_knows() -> None:
    state = position("anu_game_1", 60).state
    view = redact(state, 1)[0]
    assert view._repr_svg_() == scene_svg(scene_of_view(view))
    assert view._repr_html_() is None


def test_a_single_game_shows_itself_and_a_batch_does_not() -> None:
    state = position("anu_game_1", 60).state
    assert state._repr_svg_() == scene_svg(scene_of_state(state))
    assert deal(GameConfig(), 1, [0, 1])._repr_svg_() is None


def test_records_and_replays_show_where_they_stop() -> None:
    at = position("anu_game_1")
    last = scene_svg(scene("anu_game_1"))
    assert at.record._repr_svg_() == at._repr_svg_() == replay(at.record)._repr_svg_() == last
    first, *others = at.record.turns
    broken = replace(at.record, turns=(replace(first, cell=(3, 3)), *others))
    assert broken._repr_svg_() is None


def test_a_score_sheet_is_a_table_a_player() -> None:
    sheet = scene("anu_game_1").sheet
    assert sheet is not None and sheet._repr_svg_() is None
    root = ET.fromstring(str(sheet._repr_html_()))
    assert [e.text for e in root.iter("h4")] == ["Seat 0: 6 points", "Seat 1: 16 points, wins"]
    first, second = root.iter("table")
    rows = [[cell.text for cell in row.iter("td")] for row in first.iter("tr")][1:]
    assert rows[0] == ["C Cassia", "1+2+4+5 = 12", "yes", "C3 D4 C7 C8", "6"]
    assert rows[3] == ["D Dogwood", "5", "no", "D1 V3 D8", "(6) 0"]
    assert rows[-1] == ["6 species planted (breaks ties)", "6"]
    assert [cell.text for cell in second.iter("td")][-1] == "16"


def test_a_view_finds_its_picture_though_it_knows_nothing_of_drawing() -> None:
    program = (
        "import sys\n"
        "from arboretum_env.config import GameConfig\n"
        "from arboretum_env.engine.deal import deal\n"
        "from arboretum_env.view import redact\n"
        "view = redact(deal(GameConfig(), 1, [0]), 0)[0]\n"
        "assert 'arboretum_env.drawing.svg' not in sys.modules\n"
        "print(view._repr_svg_()[:4])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "<svg\n"
