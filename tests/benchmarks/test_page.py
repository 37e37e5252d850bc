"""The page of measurements: its marks, and the one table on it that is the same everywhere."""

import pytest

from benchmarks import page


def test_only_the_marked_piece_is_replaced() -> None:
    text = "a\n<!-- measured: x -->\nold\nold\n<!-- end of measured -->\nb\n"
    expected = "a\n<!-- measured: x -->\nnew\n<!-- end of measured -->\nb\n"
    assert page.replaced(text, "x", "new\n\n") == expected
    assert page.replaced(expected, "x", "new") == expected


def test_marks_have_to_be_there_once() -> None:
    with pytest.raises(ValueError, match="0 pieces marked 'x': expected 1"):
        page.replaced("nothing", "x", "new")
    twice = "<!-- measured: x -->\n<!-- end of measured -->\n" * 2
    with pytest.raises(ValueError, match="2 pieces"):
        page.replaced(twice, "x", "new")


def test_memory_on_the_page_is_that_of_the_engine() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.replaced(text, "memory", page.memory_table()) == text
    assert "| 2 | 1,280 | 201 |" in text


@pytest.mark.parametrize("name", page.COMMANDS)
def test_the_page_has_marks_for_everything_measured(name: str) -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert "\nwithout\n" in page.replaced(text, name, "without")
