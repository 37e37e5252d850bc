"""What an environment's ``render()`` shows: the table as a spectator sees it."""

import sys
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arboretum_env.drawing.raster import svg_to_rgb
from arboretum_env.drawing.scene import scene_of_state
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from arboretum_env.engine.state import GameState


def table_frame(
    state: GameState, mode: Literal["ansi", "rgb_array", "human"], index: int = 0
) -> str | NDArray[np.uint8] | None:
    """Draws one game: no hidden card while it goes on, all hands at its end.

    Args:
        state: B games.
        mode: as PettingZoo and gymnasium name them.
        index: which game.

    Returns:
        Text for ``ansi``, [height, width, 3] uint8 for ``rgb_array``; None for ``human``, which
        prints the text.
    """
    scene = scene_of_state(state, index, show_hands=False)
    if mode == "rgb_array":
        return svg_to_rgb(scene_svg(scene))
    text = scene_text(scene)
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n")
    return None
