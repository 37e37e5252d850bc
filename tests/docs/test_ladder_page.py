"""docs/ladder.md has the ladder that is published, and names what is there."""

import json
import re
from pathlib import Path

from arboretum_training.algorithm_run import TRACKS
from arboretum_training.evaluation.ladder import ladder_text, published_ladder
from arboretum_training.evaluation.suite import DEALS
from scripts.make_ladder_docs import PAGE, PUBLISHED, with_table


def test_the_table_is_that_of_the_published_ladder() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text, PUBLISHED.read_text(encoding="utf-8")) == text
    assert ladder_text(published_ladder()) in text


def test_every_figure_of_the_table_by_hand() -> None:
    data = {
        "official": True,
        "players": {
            "2": {
                "ratings": {
                    "random@1": {"rating": 400.4, "ci95": [350.0, 450.0]},
                    "greedy@1": {"rating": 1000.0, "ci95": [1000.0, 1000.0]},
                },
                "win_rates": [
                    {"agent": "greedy@1", "against": "random@1", "win_rate": 0.98, "ci95": [0.9, 1]}
                ],
            }
        },
    }
    assert ladder_text(data).splitlines() == [
        "**2 players** (fair is 50.0 %)",
        "",
        "| rung | rating (95 %) | against greedy@1 | against random@1 |",
        "|---|---|---|---|",
        "| `greedy@1` | 1000 (the anchor) | - | 98.0 (90.0 .. 100.0) |",
        "| `random@1` | 400 (350 .. 450) | - | - |",
    ]
    assert ladder_text({**data, "official": False}).startswith("UNOFFICIAL")
    assert json.loads(json.dumps(data)) == data


def test_the_page_names_tracks_and_deals_that_exist() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"`((?:decisions|minutes)-\w+)`", text)) == set(TRACKS)
    assert f"{DEALS[2]} deals for two players" in text
    assert f"{DEALS[3]} for three and four" in text and DEALS[3] == DEALS[4]
    assert Path(PUBLISHED).name == "ladder.json"
