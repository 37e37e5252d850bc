"""How the game's objects show themselves in a notebook: as pictures.

Drawing stands above views, states and records, and imports them; they know nothing of it. So it is
looked up by name at the moment when a notebook asks for a picture, as a plug-in would be, and no
module below the drawing imports it.
"""

from importlib import import_module
from typing import Any


class Displayed:
    """Gives an object the picture, or the HTML, that ``arboretum_env.drawing.notebook`` has for it.

    Both are None where there is none, and a notebook then shows the object's ``repr``.
    """

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The object as an SVG document."""
        picture: str | None = _notebook().svg_of(self)
        return picture

    def _repr_html_(self) -> str | None:
        """The object as a piece of HTML."""
        text: str | None = _notebook().html_of(self)
        return text


def _notebook() -> Any:
    return import_module("arboretum_env.drawing.notebook")
