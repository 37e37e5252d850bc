"""HTML documents from elements, so that no text of anybody can become markup."""

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

from arboretum_env.drawing.svg_parts import xml_text

Content = str | ET.Element


def element(tag: str, *content: Content, class_: str = "", **attributes: str) -> ET.Element:
    """An element with texts and elements in it.

    >>> print(to_text(element("p", "1 < 2, ", element("b", "&"), class_="x")))
    <p class="x">1 &lt; 2, <b>&amp;</b></p>
    """
    made = ET.Element(tag, {key: xml_text(value) for key, value in attributes.items()})
    if class_:
        made.set("class", class_)
    for part in content:
        if isinstance(part, ET.Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + xml_text(part)
        else:
            made.text = (made.text or "") + xml_text(part)
    return made


def table(head: Iterable[str], rows: Iterable[Iterable[ET.Element]], texts: int = 1) -> ET.Element:
    """A table.

    Args:
        head: titles of the columns.
        rows: their cells (``td``).
        texts: how many of the first columns hold text, to the left; the others hold figures.
    """
    titles = [
        element("th", title, class_="text" if number < texts else "", scope="col")
        for number, title in enumerate(head)
    ]
    body = element("tbody", *(element("tr", *row) for row in rows))
    return element("table", element("thead", element("tr", *titles)), body)


def document(title: str, style: str, main: ET.Element, script: str = "") -> str:
    """A whole page, in one file that needs no other.

    Args:
        title: of the page.
        style: the style sheet, our own text; everything else is escaped.
        main: the page's body.
        script: our own program. A page with one has a policy under which no other can run, and
            nothing is loaded from anywhere.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", style),
    )
    body = element("body", main)
    if script:
        policy = (
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        meta = {"http-equiv": "Content-Security-Policy", "content": policy}
        head.insert(1, ET.Element("meta", meta))
        body.append(element("script", script))
    page = element("html", head, body, lang="en")
    return f"<!doctype html>\n{to_text(page)}\n"


def json_block(name: str, data: Any) -> ET.Element:
    """Data for a page's script, in a block of that id that is never run."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    # The block ends at the first "</script", and "<!--" changes how it is read.
    return element("script", text.replace("<", "\\u003c"), id=name, type="application/json")


def _hash(text: str) -> str:
    """What a policy calls a script or style sheet with this text."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def to_text(part: ET.Element) -> str:
    """An element as HTML."""
    return ET.tostring(part, encoding="unicode", method="html")
