"""Pixels: the PNG reader, and that cards have their colours where the SVG says."""

import struct
import zlib
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from arboretum_env.drawing.png import decode_png
from arboretum_env.drawing.raster import svg_to_png, svg_to_rgb
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.theme import SPECIES_COLOURS
from arboretum_env.errors import DrawingError
from tests.drawing.pictures import board_origin, box_of, elements, scene, seat_part


def chunk(kind: bytes, data: bytes) -> bytes:
    crc = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def png_of(
    pixels: np.ndarray, filters: list[int], form: tuple[int, ...] = (8, 6, 0, 0, 0)
) -> bytes:
    """A PNG file of [H, W, 4] uint8 pixels, each line with the given filter."""
    height, width, _ = pixels.shape
    flat = pixels.reshape(height, -1).astype(int)
    lines = b""
    for row, kind in enumerate(filters):
        lines += bytes([kind])
        for i, value in enumerate(flat[row]):
            left = flat[row, i - 4] if i >= 4 else 0
            above = flat[row - 1, i] if row else 0
            corner = flat[row - 1, i - 4] if row and i >= 4 else 0
            nearest = min((left, above, corner), key=lambda c: abs(left + above - corner - c))
            guess = (0, left, above, (left + above) // 2, nearest)[kind]
            lines += bytes([(value - guess) % 256])
    data = zlib.compress(lines)
    header = struct.pack(">IIBBBBB", width, height, *form)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"tEXt", b"x")
        + chunk(b"IDAT", data[:5])
        + chunk(b"IDAT", data[5:])
        + chunk(b"IEND", b"")
    )


def test_every_filter_is_undone() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (11, 7, 4)).astype(np.uint8)
    filters = [4, 0, 1, 2, 3, 4, 4, 3, 2, 1, 4]
    decoded = decode_png(png_of(pixels, filters))
    assert decoded.dtype == np.uint8 and decoded.flags.c_contiguous
    assert np.array_equal(decoded, pixels[:, :, :3])


@pytest.mark.parametrize("form", [(16, 6, 0, 0, 0), (8, 2, 0, 0, 0), (8, 6, 0, 0, 1)])
def test_other_pngs_are_refused(form: tuple[int, ...]) -> None:
    pixels = np.zeros((1, 1, 4), np.uint8)
    with pytest.raises(ValueError, match="PNG form"):
        decode_png(png_of(pixels, [0], form))
    with pytest.raises(ValueError, match="PNG signature"):
        decode_png(b"GIF89a")


@pytest.mark.parametrize("zoom", [1, 2])
def test_cards_have_their_colours(zoom: int) -> None:
    svg = scene_svg(scene("four_players"))
    [root] = elements(svg, "svg")
    width, height = int(root.get("width", "")), int(root.get("height", ""))
    rgb = svg_to_rgb(svg, zoom)
    assert rgb.shape == (height * zoom, width * zoom, 3)
    assert rgb.dtype == np.uint8
    seen = set()
    for seat in range(4):
        left, top, scale = board_origin(svg, seat)
        [board] = elements(seat_part(svg, seat), "g", "arboretum")
        for card in elements(ET.tostring(board, "unicode"), "g", "card"):
            x, y, _ = box_of(card)
            letter = card.get("data-card", "")[0]
            # The upper half between rank and letter, nearer to the edge than either.
            column, row = left + (x + 30) * scale, top + (y + 4) * scale
            pixel = rgb[int(row * zoom), int(column * zoom)]
            assert "#" + pixel.tobytes().hex().upper() == SPECIES_COLOURS[letter]
            seen.add(letter)
    assert seen == set("CDJVLGMPOW")


def test_text_is_drawn_in_our_own_font() -> None:
    blank = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" font-family="{}">{}</svg>'
    )
    text = '<text x="5" y="22" font-size="20">M7</text>'
    empty = svg_to_png(blank.format("Arboretum Sans", ""))
    assert svg_to_png(blank.format("Arboretum Sans", text)) != empty
    # No font of the machine is used: a picture is the same everywhere.
    assert svg_to_png(blank.format("Nobody's Font", text)) == empty


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(DrawingError, match=r"pip install 'arboretum-lab\[render\]'"):
        svg_to_png("<svg/>")
