"""Splits ``.arb`` text into headers, tokens and comments, each with its line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from arboretum_env.errors import RecordError

_SPACE = re.compile(r"[ \t\r\n]+")
_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9]*)[ \t]+"([^"\n]*)"[ \t]*\]')
_TOKEN = re.compile(r"[^ \t\r\n{}\[\]]+")
_LINE_REST = re.compile(r"[^\r\n]+")
_SHOWN = 40


@dataclass(frozen=True)
class Item:
    """A piece of the text: a header (``name`` and ``text``), a token or a comment."""

    kind: Literal["header", "token", "comment"]
    line: int
    text: str
    name: str = ""


def lex(text: str, errors: list[RecordError]) -> Iterator[Item]:
    """Yield the pieces of a record's text in order.

    Args:
        text: the text.
        errors: what cannot be split is appended here, and reading goes on behind it.
    """
    position, line = 0, 1
    while position < len(text):
        start = position
        if space := _SPACE.match(text, position):
            position = space.end()
        elif text[position] == "{":
            end = text.find("}", position)
            if end < 0:
                errors.append(
                    RecordError(
                        "the comment is not closed: expected }",
                        line=line,
                        token=_first_line(text, position),
                    )
                )
                return
            yield Item("comment", line, text[position + 1 : end])
            position = end + 1
        elif header := _HEADER.match(text, position):
            yield Item("header", line, header.group(2), header.group(1))
            position = header.end()
        elif token := _TOKEN.match(text, position):
            yield Item("token", line, token.group())
            position = token.end()
        else:
            # A lone bracket or brace: nothing else on its line can be trusted.
            shown = _first_line(text, position)
            expected = '[Name "value"]' if text[position] == "[" else "no closing bracket here"
            errors.append(RecordError(f"expected {expected}", line=line, token=shown))
            rest = _LINE_REST.match(text, position)
            position = rest.end() if rest else position + 1
        line += text.count("\n", start, position)


def _first_line(text: str, position: int) -> str:
    match = _LINE_REST.match(text, position)
    return match.group()[:_SHOWN] if match else ""
