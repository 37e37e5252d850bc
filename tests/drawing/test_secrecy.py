"""A drawing for a seat is the same whatever the hidden cards are."""

from collections.abc import Callable

import numpy as np
import pytest

from arboretum_env.drawing.scene import Scene, scene_of_state, scene_of_view
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from arboretum_env.engine.state import GameState
from arboretum_env.view import redact
from tests.drawing.pictures import elements
from tests.random_games import CONFIGS, random_positions
from tests.secrecy.reshuffle import reshuffle_hidden

SPECTATOR = -1


def seen_by(state: GameState, observer: int) -> Scene:
    if observer == SPECTATOR:
        return scene_of_state(state, show_hands=False)
    return scene_of_view(redact(state, observer)[0])


@pytest.mark.parametrize("draw", [scene_svg, scene_text])
@pytest.mark.parametrize("name", ["2 players", "3 players", "4 players", "reduced 3"])
def test_redistributed_hidden_cards_change_no_byte(name: str, draw: Callable[[Scene], str]) -> None:
    rng = np.random.default_rng(5)
    config = CONFIGS[name]
    told_apart = 0
    for number, (state, _) in enumerate(random_positions(config, 1, seed=21)):
        if state.done[0] or number % 3:
            continue
        observer = number % (config.num_players + 1) - 1
        other = reshuffle_hidden(state, np.array([observer]), rng)
        assert draw(seen_by(other, observer)) == draw(seen_by(state, observer))
        told_apart += draw(scene_of_state(other)) != draw(scene_of_state(state))
    # The worlds do differ, and the whole truth shows it.
    assert told_apart > 0


@pytest.mark.parametrize("name", CONFIGS)
def test_a_seats_picture_holds_no_hidden_card(name: str) -> None:
    config = CONFIGS[name]
    seats = range(config.num_players)
    for number, (state, _) in enumerate(random_positions(config, 1, seed=22)):
        if state.done[0] or number % 7:
            continue
        public = {
            card
            for seat in seats
            for card in (
                *state.discard_pile(0, seat),
                *state.known_in_hand(0, seat),
                *(card for _, _, card in state.arboretum(0, seat)),
            )
        }
        for observer in (SPECTATOR, *seats):
            own = set(state.hand(0, observer)) if observer != SPECTATOR else set()
            svg = scene_svg(seen_by(state, observer))
            drawn = [element.get("data-card") for element in elements(svg, "g", "card")]
            assert sorted(drawn) == sorted(map(config.card_text, public | own))  # type: ignore[type-var]
