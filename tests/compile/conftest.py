"""Modules with kernels of their own, written for a test, and places where their code may lie."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from numba.core import config

from arboretum_env import kernel_cache

Load = Callable[..., ModuleType]

RULES = """
from arboretum_env.compile import kernel

BONUS = 2

@kernel
def points(cards):
    return cards + BONUS
"""

PLAYER = """
import cards_rules
from arboretum_env.compile import kernel
from cards_rules import points

@kernel
def total(cards):
    return 10 * points(cards) + cards_rules.BONUS
"""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Path]]:
    """Folders for code, all of them fit for use: beside the module, the user's, a named one.

    The named one is not in use before ``NUMBA_CACHE_DIR`` is set.
    """
    found = {"module": tmp_path / "module", "user": tmp_path / "user", "named": tmp_path / "named"}
    found["module"].mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(found["user"]))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernel_cache, "_warned", [])
    with monkeypatch.context() as patch:
        patch.setattr(config, "CACHE_DIR", "")
        yield found


@pytest.fixture
def name_folder(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Sets ``NUMBA_CACHE_DIR`` as if it had been set when Python started."""

    def name(folder: Path) -> None:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
        monkeypatch.setattr(config, "CACHE_DIR", str(folder))

    return name


@pytest.fixture
def start(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Imports ``cards_player`` and ``cards_rules`` afresh, as a new process would.

    Arguments are the sources of the two.
    """
    monkeypatch.syspath_prepend(places["module"])
    names = ("cards_rules", "cards_player")

    def forget() -> None:
        for name in names:
            sys.modules.pop(name, None)

    def load(rules: str = RULES, player: str = PLAYER) -> ModuleType:
        forget()
        for name, source in zip(names, (rules, player), strict=True):
            (places["module"] / f"{name}.py").write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        return importlib.import_module("cards_player")

    yield load
    forget()
