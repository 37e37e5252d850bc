"""Takes the pictures of the studio that the documents show, in a real browser.

They are taken anew where the looks change, in the environment of the studio's browser tests::

    make test-integrations ENVIRONMENTS=studio             # builds the environment, once
    .venvs/studio/bin/python -m integrations.studio.pictures [NAME ...]
    .venvs/studio/bin/python -m integrations.studio.pictures --every FOLDER [VIEW ...]

Without names all are taken. ``--every`` is for looking: every view on a phone, a tablet and a desk,
by day and by night, whole pages and not only what a window shows of them.
"""

import argparse
import io
import itertools
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from integrations.studio.conftest import CHROMIUM
from integrations.studio.serving import Studio
from integrations.studio.views import VIEWS

CHECKOUT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = CHECKOUT / "docs" / "studio"
PHONE: Final = (390, 844)
TABLET: Final = (820, 1180)
WIDE: Final = (1280, 860)
DESK: Final = (1440, 900)
PAPER: Final = (794, 1123)
SIZES: Final = {"phone": PHONE, "tablet": TABLET, "desk": DESK}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
PATIENCE: Final = 600_000
"""Milliseconds; an analysis takes its time."""


@dataclass(frozen=True)
class Picture:
    """What is taken.

    Attributes:
        view: of VIEWS.
        size: of the window, in pixels.
        scheme: by day or by night.
        media: on the screen, or as it is printed.
        whole: the whole page, not only what the window shows.
    """

    view: str
    size: tuple[int, int]
    scheme: Literal["light", "dark"] = "light"
    media: Literal["screen", "print"] = "screen"
    whole: bool = False


PICTURES: Final[dict[str, Picture]] = {
    "start": Picture("start", DESK),
    "start-phone": Picture("start", PHONE),
    "deal": Picture("deal", WIDE),
    "table": Picture("ghost", DESK),
    "table-dark": Picture("table-4", DESK, "dark"),
    "table-tablet": Picture("table-3", TABLET),
    "table-phone": Picture("table-2", PHONE),
    "end": Picture("end", DESK, whole=True),
    "curtain": Picture("curtain", PHONE, "dark"),
    "replay": Picture("replay", DESK),
    "replay-phone": Picture("replay", PHONE),
    "what-if": Picture("what-if", WIDE),
    "analyse": Picture("analyse", WIDE),
    "analyse-phone": Picture("analyse", PHONE),
    "analyse-position": Picture("analyse-position", WIDE, "dark", whole=True),
    "pad": Picture("pad", WIDE),
    "pad-phone": Picture("pad", PHONE),
    "pad-print": Picture("pad", PAPER, media="print", whole=True),
    "chair": Picture("chair", WIDE, "dark"),
    "lesson": Picture("lesson", (1280, 800)),
    "puzzle": Picture("puzzle", WIDE, whole=True),
}
"""By name, what docs/studio shows."""


def take(browser: Browser, studio: Studio, picture: Picture) -> bytes:
    """Takes one picture in a browser of its own."""
    width, height = picture.size
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    if picture.size == PHONE:
        options |= {"has_touch": True, "is_mobile": True}
    context = browser.new_context(color_scheme=picture.scheme, **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    VIEWS[picture.view](page, studio)
    page.emulate_media(media=picture.media)
    taken = shot(page, whole=picture.whole)
    context.close()
    return taken


def shot(page: Page, *, whole: bool) -> bytes:
    """The page once motion has come to rest: a PNG of at most 256 colours."""
    page.evaluate("document.querySelector('dialog[open]') || document.activeElement.blur()")
    if whole:
        page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(600)
    taken = Image.open(io.BytesIO(page.screenshot(full_page=whole))).convert("RGB")
    small = io.BytesIO()
    taken.quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def every(browser: Browser, studio: Studio, view: str) -> Iterator[tuple[str, bytes]]:
    """One view at three widths, by day and by night, and printed; what is longer also whole."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    VIEWS[view](page, studio)
    for (place, (width, height)), scheme in itertools.product(SIZES.items(), SCHEMES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        yield f"{view}-{place}-{scheme}", shot(page, whole=False)
        if page.evaluate("document.documentElement.scrollHeight") > height + 40:
            yield f"{view}-{place}-{scheme}-whole", shot(page, whole=True)
    page.set_viewport_size({"width": PAPER[0], "height": PAPER[1]})
    page.emulate_media(color_scheme="light", media="print")
    yield f"{view}-print", shot(page, whole=True)
    page.context.close()


def main(arguments: list[str]) -> None:
    """Takes the named pictures, or all."""
    parser = argparse.ArgumentParser(description="Takes the pictures of the studio in docs/studio.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a picture, or of a view")
    parser.add_argument("--every", type=Path, metavar="FOLDER", help="every view, into a folder")
    options = parser.parse_args(arguments)
    known: dict[str, Any] = VIEWS if options.every else PICTURES
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no picture {', '.join(unknown)}: expected some of {', '.join(known)}")
    names = options.names or list(known)
    folder: Path = options.every or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as games, sync_playwright() as playwright:
        studio = Studio(Path(games))
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        try:
            for name in names:
                taken = (
                    every(browser, studio, name)
                    if options.every
                    else [(name, take(browser, studio, PICTURES[name]))]
                )
                for file, content in taken:
                    (folder / f"{file}.png").write_bytes(content)
                    sys.stdout.write(f"{folder / file}.png\n")
                    sys.stdout.flush()
        finally:
            browser.close()
            studio.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
