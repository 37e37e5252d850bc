"""The cache of machine code: found again, never stale, and never in the way of a game."""

import errno
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numba.core import caching

from arboretum_env import kernel_cache
from arboretum_env.errors import CacheWarning
from tests.compile.conftest import PLAYER, RULES, Load

NameFolder = Callable[[Path], None]


def hits(module: ModuleType) -> int:
    """How many signatures of ``total`` came from the cache, after its first call."""
    return sum(module.total.stats.cache_hits.values())


def files(folder: Path) -> list[str]:
    """Names of the files of code below a folder."""
    return sorted(path.name for path in folder.rglob("*.nb[ic]"))


def blocked(folder: Path) -> Path:
    """A folder that cannot be made, not even by root: a file stands in its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("not a folder", encoding="utf-8")
    return folder


def test_code_is_kept_beside_the_module_and_found_by_the_next_start(
    start: Load, places: dict[str, Path]
) -> None:
    first = start()
    assert (first.total(5), hits(first)) == (72, 0)  # 10 * (5 + 2) + 2
    assert first.total(5.5) == 77.0  # a second signature
    second = start()
    assert (second.total(5), hits(second)) == (72, 1)
    assert (second.total(5.5), hits(second)) == (77.0, 2)
    names = files(places["module"] / "__pycache__")
    assert [name.split("-")[0] for name in names] == ["cards_player.total"] * 3 + [
        "cards_rules.points"
    ] * 3  # an index and two signatures each
    assert files(places["user"]) == []


@pytest.mark.parametrize(
    ("rules", "player", "expected"),
    [
        # Numba's own cache knows of no other file than the kernel's, and would say 72.
        (RULES.replace("cards + BONUS", "2 * cards + BONUS"), PLAYER, 122),
        (RULES.replace("BONUS = 2", "BONUS = 3"), PLAYER, 83),
        (RULES, PLAYER.replace("10 *", "20 *"), 142),
        (RULES.replace("@kernel", '@kernel(error_model="numpy")'), PLAYER, 72),
    ],
    ids=["callee", "constant", "itself", "options"],
)
def test_an_edit_compiles_anew(start: Load, rules: str, player: str, expected: int) -> None:
    assert start().total(5) == 72
    edited = start(rules, player)
    assert (edited.total(5), hits(edited)) == (expected, 0)
    again = start(rules, player)
    assert (again.total(5), hits(again)) == (expected, 1)


TEACHING = """
from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic, lower_builtin
from arboretum_env.compile import kernel

BONUS = 2

@intrinsic
def points(typing_context, cards):
    return types.int64(cards), lambda context, builder, signature, given: builder.add(
        given[0], ir.Constant(ir.IntType(64), BONUS)
    )
"""


def test_the_module_of_an_intrinsic_counts_as_a_whole(start: Load) -> None:
    """What it registers with the compiler is in no global of a kernel."""
    assert start(TEACHING).total(5) == 72
    again = start(TEACHING)
    assert (again.total(5), hits(again)) == (72, 1)
    assert start(TEACHING.replace("BONUS = 2", "BONUS = 3")).total(5) == 83
    edited = start(TEACHING + "# lower_builtin(...)")
    assert (edited.total(5), hits(edited)) == (72, 0)


def test_comments_and_line_numbers_are_no_edit(start: Load) -> None:
    assert start().total(5) == 72
    same = start("# Rules.\n\n" + RULES, PLAYER.replace("return", "# Ten.\n    return"))
    assert (same.total(5), hits(same)) == (72, 1)


def test_files_of_old_code_do_not_pile_up(start: Load, places: dict[str, Path]) -> None:
    start().total(5)
    before = files(places["module"])
    start("\n" + RULES.replace("BONUS = 2", "BONUS = 4"), PLAYER).total(5)
    assert files(places["module"]) == before


def test_a_tree_that_takes_nothing_is_no_reason_to_warn(
    start: Load, places: dict[str, Path]
) -> None:
    blocked(places["module"] / "__pycache__")
    assert start().total(5) == 72
    again = start()
    assert (again.total(5), hits(again)) == (72, 1)
    assert len(files(places["user"])) == 4


def test_one_warning_where_nothing_can_be_kept(start: Load, places: dict[str, Path]) -> None:
    tree, user = blocked(places["module"] / "__pycache__"), blocked(places["user"])
    module = start()
    with pytest.warns(CacheWarning) as caught:
        assert module.total(5) == 72
    assert module.total(5.5) == 77.0  # without a second warning, which would raise here
    [warning] = caught
    text = str(warning.message)
    assert text.startswith(f"compiled kernels cannot be kept ({tree}: File exists; {user}")
    assert "every start compiles them anew, which takes about 15 seconds" in text
    assert text.endswith("name a folder that you may write to: NUMBA_CACHE_DIR=/path/to/folder")
    again = start()
    assert (again.total(5), hits(again)) == (72, 0)


def test_a_named_folder_is_the_one_in_use(
    start: Load, places: dict[str, Path], name_folder: NameFolder
) -> None:
    start().total(5)
    beside = files(places["module"])
    name_folder(places["named"])
    moved = start()
    assert (moved.total(5), hits(moved)) == (72, 1)
    # What is called from Python; the callee is compiled into it.
    assert [name.split("-")[0] for name in files(places["named"])] == ["cards_player.total"] * 2
    assert moved.total(5.5) == 77.0
    assert len(files(places["named"])) == 5
    assert files(places["module"]) == beside


def test_a_warning_where_the_named_folder_takes_nothing(
    start: Load, places: dict[str, Path], name_folder: NameFolder
) -> None:
    name_folder(blocked(places["named"]) / "below")
    module = start()
    with pytest.warns(CacheWarning) as caught:
        assert module.total(5) == 72
    [warning] = caught
    tree = places["module"] / "__pycache__"
    assert f"Not a directory; compiled kernels are kept in {tree} instead" in str(warning.message)
    assert str(warning.message).startswith(f"{places['named'] / 'below'}")
    kernel_cache._warned.clear()
    written = [path.stat().st_ino for path in sorted(tree.glob("*.nb[ic]"))]
    with pytest.warns(CacheWarning, match="kept in .* instead"):  # also if there is nothing to do
        assert start().total(5) == 72
    assert [path.stat().st_ino for path in sorted(tree.glob("*.nb[ic]"))] == written


def test_read_only_code_is_used_and_not_written(
    start: Load, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    start().total(5)
    written: list[Any] = []

    def refuse(self: Any, key: Any, data: Any) -> None:
        written.append(key)
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", refuse)
    module = start()
    assert (module.total(5), hits(module)) == (72, 1)
    assert written == []
    with pytest.warns(CacheWarning, match="Read-only file system"):
        assert module.total(5.5) == 77.0


def test_code_that_may_not_be_read_is_left_alone(
    start: Load, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's, in a folder that is shared: it is not damaged."""
    start().total(5)
    [index] = places["module"].rglob("*total*.nbi")
    content = index.read_bytes()

    def refuse(self: Any, *arguments: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(caching.IndexDataCacheFile, "load", refuse)
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", refuse)
    with pytest.warns(CacheWarning, match="Permission denied"):
        assert start().total(5) == 72
    assert index.read_bytes() == content


@pytest.mark.parametrize("damage", [b"", b"\x80", b"nonsense"], ids=["empty", "short", "other"])
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_damaged_files_are_written_afresh(
    start: Load, places: dict[str, Path], kind: str, damage: bytes
) -> None:
    start().total(5)
    for path in places["module"].rglob(kind):
        path.write_bytes(damage)
    mended = start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (mended.total(5), hits(mended)) == (72, 0)
    again = start()
    assert (again.total(5), hits(again)) == (72, 1)
    assert files(places["user"]) == []  # they were mended, not left for another place


def test_code_of_other_sources_under_the_same_index_is_not_used(
    start: Load, places: dict[str, Path]
) -> None:
    """Two processes that write at once may leave the index of one and the code of the other."""
    start().total(5)
    [old] = places["module"].rglob("*total*.nbc")
    stale = old.read_bytes()
    changed = RULES.replace("BONUS = 2", "BONUS = 3")
    start(changed).total(5)
    old.write_bytes(stale)
    module = start(changed)
    assert (module.total(5), hits(module)) == (83, 0)


def test_forgetting(start: Load) -> None:
    module = start()
    module.total(5)
    module.total.recompile()
    assert module.total(5) == 72
    again = start()
    assert (again.total(5), hits(again)) == (72, 1)
