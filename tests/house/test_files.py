"""House rules that no linter knows: one idea a file, nothing of the machine it was written on."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_LINES = 500
SOURCE_ROOTS = ("arboretum_env", "agents", "training", "lab")

# A folder of somebody's machine, or the address of a package registry, means nothing to a reader.
FOREIGN = re.compile(
    r"(?<![\w.])/(?:root|home|work|opt|mnt|Users)/\w"
    r"|(?:pypi|pythonhosted|npmjs|pytorch|debian)\.(?:org|com)"
    r"|\bshared/[A-Z]\w+\.md"
)
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".js", ".mjs", ".txt", ".cfg", ".sh", ""}


def repository_files() -> list[Path]:
    """Files of the repository, also those not yet committed; ignored ones are left out."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if listing.returncode:
        pytest.skip("not a git checkout: what belongs to the repository is unknown")
    paths = (ROOT / name for name in listing.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def source_modules() -> list[Path]:
    return [path for root in SOURCE_ROOTS for path in sorted((ROOT / root).rglob("*.py"))]


def too_long(paths: list[Path]) -> dict[str, int]:
    lengths = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return {name: length for name, length in lengths.items() if length > MAX_LINES}


def foreign_mentions(name: str, text: str) -> list[str]:
    return [
        f"{name}:{number}: {match[0]}"
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := FOREIGN.search(line))
    ]


def test_no_file_is_longer_than_one_idea() -> None:
    code = [path for path in repository_files() if path.suffix in {".py", ".js", ".mjs"}]
    assert len(code) > 20
    assert too_long(code) == {}


def test_length_is_measured(tmp_path: Path) -> None:
    fits, exceeds = tmp_path / "fits.py", tmp_path / "exceeds.py"
    fits.write_text("\n" * MAX_LINES, encoding="utf-8")
    exceeds.write_text("\n" * (MAX_LINES + 1), encoding="utf-8")
    assert too_long([fits, exceeds]) == {str(exceeds): MAX_LINES + 1}


def test_nothing_of_one_machine_is_mentioned() -> None:
    mentions = [
        mention
        for path in repository_files()
        if path.suffix in TEXT
        for mention in foreign_mentions(
            str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        )
    ]
    assert mentions == []


@pytest.mark.parametrize(
    "line",
    [
        "cd /" + "work/main",
        "see /" + "home/me/x",
        "from " + "pypi" + ".org",
        "shared" + "/RULES.md",
    ],
)
def test_a_mention_is_found(line: str) -> None:
    assert len(foreign_mentions("page", f"fine\n{line}\n")) == 1


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in source_modules()
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_every_package_is_typed_and_every_folder_a_package() -> None:
    for root in ("arboretum_env", *(str(p.parent) for p in ROOT.glob("*/arboretum_*/__init__.py"))):
        assert (ROOT / root / "py.typed").is_file(), root
    folders = {path.parent for path in source_modules()}
    assert [str(f) for f in sorted(folders) if not (f / "__init__.py").is_file()] == []
