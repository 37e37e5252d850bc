"""Where holding and planting decided: by hand, and against every alternative played out."""

import json
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.actions import Action, encode
from arboretum_env.config import GameConfig
from arboretum_env.phase import Phase
from arboretum_training.analysis.game_charts import holding_chart, margin_chart, told_chart
from arboretum_training.analysis.game_page import game_page
from arboretum_training.analysis.moments import DECIDED, moments
from arboretum_training.analysis.seat_game import seat_game
from arboretum_training.analysis.story import story
from arboretum_training.analysis.told import make_likelihood
from arboretum_training.research.counterfactual import denied_values
from arboretum_training.research.playouts import Playouts
from tests.analysis.games import LAST_DISCARD, bots_course, thrown_away


def test_the_card_that_was_thrown_away_by_hand() -> None:
    """Seat 0 throws C8 and wins 3-2; throwing D7 it keeps the right to C: 3-0, two points more.

    Before, it holds C8, without which seat 1 scores 2, and D7, without which its own 3 are lost.
    """
    game = thrown_away()
    found = moments(story(game, 0), Playouts(make_agent("planner", game.states[0].config), 64))
    text = game.states[0].config.card_text
    last = found.departures[-1]
    assert (last.step.at, last.kind, text(last.card), text(last.other or 0)) == (
        LAST_DISCARD, "let go", "C8", "D7",
    )  # fmt: skip
    assert last.margin.to_json() == {"value": -2.0, "source": "exact"}
    assert last.decided
    step, hand = found.holdings[-1]
    assert step.at == LAST_DISCARD
    by_card = {text(each.card): each for each in hand}
    assert by_card["C8"].rivals.value == 2.0
    assert by_card["D7"].own.value == -3.0
    held = {text(m.card): m for m in found.held if m.step.at == LAST_DISCARD}
    assert held["D7"].margin.value == 3.0
    assert last in found.decisive


def test_every_alternative_is_played_out() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=2)
    game = bots_course(config, 3, ("greedy", "random"))
    playouts = Playouts(make_agent("greedy", config), 24)
    seen = story(game, 1)
    found = moments(seen, playouts)
    steps = [s for s in seen.steps if s.view.phase in (Phase.PLAY, Phase.DISCARD)]
    assert [m.step.at for m in found.departures] == [s.at for s in steps]
    for moment in found.departures:
        view = moment.step.view
        kind = "play_card" if view.phase is Phase.PLAY else "discard_card"
        worlds = playouts.worlds(view)
        margins = {
            card: playouts.outcomes(
                worlds,
                moment.step.actions
                if card == moment.card
                else (encode(config, Action(kind, card)),),  # type: ignore[arg-type]
            ).margin(1).value
            for card in view.hand
        }  # fmt: skip
        best = max(margins[card] for card in view.hand if card != moment.card)
        assert moment.margin.value == pytest.approx(margins[moment.card] - best, abs=1e-4)
        assert moment.other is not None
        assert margins[moment.other] == best
    for step, hand in found.holdings:
        assert hand == tuple(denied_values(step.view, playouts))
    for moment in found.held:
        alone = [d for _, hand in found.holdings for d in hand if d.card == moment.card]
        assert moment.margin.value == max(-each.margin.value for each in alone)
    for moment in found.decisive:
        assert abs(moment.margin.value) >= DECIDED
        low, high = moment.margin.interval or (moment.margin.value,) * 2
        assert not low <= 0 <= high
        assert low > 0 or moment.kind != "held"


def test_the_page_is_whole_and_loads_nothing() -> None:
    game = thrown_away()
    playouts = Playouts(make_agent("planner", game.states[0].config), 32)
    likelihood = make_likelihood(game.states[0].config)
    seats = [seat_game(game, seat, playouts, likelihood) for seat in (0, 1)]
    page = game_page("A <game>", ["seat 0 (A&B)", "seat 1"], seats, "planner, 32 worlds")
    assert "A &lt;game&gt;" in page
    assert "seat 0 (A&amp;B)" in page
    assert "let go C8, not D7" in page
    for word in ("<script", "http:", "https:", "src=", "@import", "url("):
        assert word not in page, word
    assert page.count("<svg") == 6
    json.dumps([seat.to_json() for seat in seats])
    for seat in seats:
        for chart in (
            margin_chart(seat.split, seat.moments),
            holding_chart(seat.moments),
            told_chart(seat.told),
        ):
            numbers = [float(v) for e in chart.iter() for k, v in e.attrib.items()
                       if k in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy")]  # fmt: skip
            assert np.isfinite(numbers).all()
            assert ET.tostring(chart)
