"""``render``: text, pixels and printing, seen with a spectator's eyes."""

import random
from typing import Any

import numpy as np
import pytest

from arboretum_env.drawing.scene import scene_of_state
from arboretum_env.drawing.text import scene_text
from arboretum_env.pettingzoo_env import raw_env
from tests.api.aec_conformance import choose, is_out


def played(render_mode: Any, steps: int, players: int = 2) -> Any:
    environment = raw_env(num_players=players, render_mode=render_mode)
    environment.reset(seed=5)
    rng = random.Random(5)
    for _ in range(steps):
        if not is_out(environment):
            environment.step(choose(environment, rng))
    return environment


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ansi_hides_hands_until_the_end(players: int) -> None:
    running = played("ansi", 13, players)
    text = running.render()
    assert text == scene_text(scene_of_state(running._game, show_hands=False))
    assert text != scene_text(scene_of_state(running._game, show_hands=True))
    ended = played("ansi", 400, players)
    assert is_out(ended)
    assert ended.render() == scene_text(scene_of_state(ended._game, show_hands=True))


def test_rgb_array_is_a_picture() -> None:
    pytest.importorskip("resvg_py")
    for steps in (0, 40, 400):
        picture = played("rgb_array", steps).render()
        height, width, channels = picture.shape
        assert picture.dtype == np.uint8 and channels == 3
        assert height > 100 and width > 100
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3


def test_human_prints_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    environment = played("human", 2)
    printed = capsys.readouterr().out
    assert printed.count("seat 0 draws the first card") == 1
    assert printed.count("seat 0 draws the second card") == 1
    assert printed.endswith(f"{scene_text(scene_of_state(environment._game, show_hands=False))}\n")
    assert environment.render() is None


def test_without_a_render_mode_render_warns() -> None:
    environment = played(None, 1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert environment.render() is None
