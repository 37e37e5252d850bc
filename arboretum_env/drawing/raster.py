"""Pictures as pixels: an SVG rasterised with resvg (extra ``render``) in our own font."""

from importlib import import_module, resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.drawing.png import decode_png
from arboretum_env.errors import DrawingError


def svg_to_png(svg: str, zoom: float = 1.0) -> bytes:
    """PNG bytes of an SVG document, the same on every machine.

    Args:
        svg: the document.
        zoom: its size relative to the document's own.

    Raises:
        DrawingError: resvg-py is not installed.
    """
    resvg = _resvg()
    fonts = resources.files("arboretum_env.drawing") / "fonts"
    with (
        resources.as_file(fonts / "ArboretumSans-Regular.ttf") as regular,
        resources.as_file(fonts / "ArboretumSans-Bold.ttf") as bold,
    ):
        png: bytes = resvg.svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,  # or the picture would depend on the machine
            font_files=[str(regular), str(bold)],
        )
    return bytes(png)


def svg_to_rgb(svg: str, zoom: float = 1.0) -> NDArray[np.uint8]:
    """[H, W, 3] uint8 pixels of an SVG document.

    Raises:
        DrawingError: resvg-py is not installed.
    """
    return decode_png(svg_to_png(svg, zoom))


def _resvg() -> Any:
    try:
        return import_module("resvg_py")
    except ModuleNotFoundError as error:
        raise DrawingError(
            "pictures in pixels need resvg-py, which is not installed: "
            "pip install 'arboretum-lab[render]'"
        ) from error
