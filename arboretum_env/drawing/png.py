"""Pixels of the PNG files that our rasteriser writes; not a general PNG reader.

Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", sections 9 (filters)
and 11 (chunks).
"""

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_RGBA_8_BIT: Final = (8, 6, 0, 0, 0)  # depth, colour type, compression, filter, no interlace
_CHANNELS: Final = 4


@kernel
def _unfilter(lines, pixels):  # type: ignore[no-untyped-def]
    """Undoes the filter of every line.

    Args:
        lines: [H, 1 + 4 W] uint8, each led by its filter type.
        pixels: [H, 4 W] uint8, out.
    """
    for row in range(lines.shape[0]):
        kind = lines[row, 0]
        for i in range(pixels.shape[1]):
            left = int(pixels[row, i - 4]) if i >= 4 else 0
            above = int(pixels[row - 1, i]) if row > 0 else 0
            corner = int(pixels[row - 1, i - 4]) if row > 0 and i >= 4 else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = above
            elif kind == 3:
                guess = (left + above) // 2
            elif kind == 4:  # Paeth: the neighbour nearest to left + above - corner
                estimate = left + above - corner
                to_left, to_above = abs(estimate - left), abs(estimate - above)
                to_corner = abs(estimate - corner)
                if to_left <= to_above and to_left <= to_corner:
                    guess = left
                elif to_above <= to_corner:
                    guess = above
                else:
                    guess = corner
            else:
                guess = 0
            pixels[row, i] = (int(lines[row, i + 1]) + guess) & 255


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """[H, W, 3] uint8 colours of an opaque 8-bit RGBA picture.

    Raises:
        ValueError: the file is of another kind.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError(f"PNG signature {data[:8]!r}: expected {_SIGNATURE!r}")
    position, compressed, size = len(_SIGNATURE), b"", (0, 0)
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        chunk = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", chunk)
            if tuple(form) != _RGBA_8_BIT:
                raise ValueError(f"PNG form {tuple(form)}: expected {_RGBA_8_BIT}")
            size = (height, width)
        elif kind == b"IDAT":
            compressed += chunk
        position += length + 12
    height, width = size
    lines = np.frombuffer(zlib.decompress(compressed), np.uint8).reshape(height, -1)
    pixels = np.empty((height, width * _CHANNELS), np.uint8)
    _unfilter(lines, pixels)
    return np.ascontiguousarray(pixels.reshape(height, width, _CHANNELS)[:, :, :3])
