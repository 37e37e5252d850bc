"""How Sphinx makes a website of these pages: ``make docs``.

The pages are written for a reader of the repository; the site takes them as they are. What stands
outside of this folder (README.md, CONTRIBUTING.md, CHANGELOG.md) comes in by a page of one line.
Nothing is executed but the imports of the modules in ``api.md``.
"""

import importlib.metadata
import re
from typing import Any, Final, Generic, TypeVar

import numpy.typing as npt
import pydantic
from sphinx.application import Sphinx

project = "Arboretum Lab"
author = "Arboretum Lab contributors"
project_copyright = "Arboretum Lab contributors, MIT licence"
version = release = importlib.metadata.version("arboretum-lab")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates"]

# GitHub's anchors for headings, so that one link works on the repository host and here.
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # no lexer knows the .arb notation

autosummary_generate = True
autosummary_imported_members = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": False}
python_maximum_signature_line_length = 88
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# Attributes as a list of their class: not once more beside what autodoc finds.
napoleon_use_ivar = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_sphinx = False
html_copy_source = False

# Where the site has what a page of the repository links to outside of this folder.
_PAGES: Final = {"README": "start", "CONTRIBUTING": "contributing", "CHANGELOG": "changelog"}


_Dtype = TypeVar("_Dtype")


class NDArray(Generic[_Dtype]):
    """In signatures stands numpy's alias, as in the sources, and not all that it stands for."""

    __module__ = "numpy.typing"


class ArrayLike:
    """Likewise."""

    __module__ = "numpy.typing"


npt.NDArray = NDArray  # type: ignore[misc, assignment]
npt.ArrayLike = ArrayLike  # type: ignore[misc, assignment]


def _links_inside(app: Sphinx, page: str, source: list[str]) -> None:
    """Leads links out of this folder to the pages that stand for their targets."""
    source[0] = re.sub(
        r"(?<=\]\()(?:\.\./)?([A-Z]+)\.md",
        lambda link: f"{_PAGES[link[1]]}.md" if link[1] in _PAGES else link[0],
        source[0],
    )


def _signature_of_a_model(
    app: Sphinx,
    what: str,
    name: str,
    thing: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Leaves a pydantic model's out: its fields say it all."""
    model = isinstance(thing, type) and issubclass(thing, pydantic.BaseModel)
    return ("", None) if model else (signature, returns)


def _for_napoleon(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Keeps napoleon from taking for a type what is none.

    Of an attribute's docstring it would take the part before a colon, ``ranks: one a species``; of
    several arguments with one explanation, ``x, y: the corner``, all but the last name.
    """
    if what in ("attribute", "data", "property") and any(lines):
        lines[:0] = ["..", ""]  # an empty comment: it reads the first line alone so
    for number, line in enumerate(lines):
        if names := re.match(r"\s*(?:\w+, )+\w+(?=: )", line):
            lines[number] = names[0].replace(", ", ",") + line[names.end() :]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _links_inside)
    app.connect("include-read", lambda app, path, page, text: _links_inside(app, page, text))
    app.connect("autodoc-process-signature", _signature_of_a_model)
    app.connect("autodoc-process-docstring", _for_napoleon, priority=400)  # before napoleon's 500
    return {"parallel_read_safe": True}
