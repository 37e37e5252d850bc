"""Whether this checkout can be released: ``python scripts/check_release.py`` after a clean build.

The version stands in pyproject.toml alone; the changelog has it, with its day, and nothing is left
unreleased; CITATION.cff agrees; the tree is clean; wheel, sdist and shipped weights are small.
Every fault is one line; the exit code is 1 if there is any.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml

CHECKOUT: Final = Path(__file__).resolve().parent.parent
LIMIT: Final = 5_000_000  # bytes, of each of the wheel, the sdist and all weights that ship


def project_of(root: Path) -> dict[str, Any]:
    """The table ``project`` of pyproject.toml."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def check_one_place(root: Path) -> list[str]:
    """No package says its version itself: they ask ``importlib.metadata``."""
    return [
        f"{path.relative_to(root)}: says a version; expected pyproject.toml to be the only one"
        for package in ("arboretum_env", "agents", "training", "lab")
        for path in sorted((root / package).rglob("*.py"))
        if re.search(r"^__version__\s*[:=]", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def check_changelog(root: Path) -> list[str]:
    """The version has its section, dated, and the section of what is unreleased is empty."""
    version = project_of(root)["version"]
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    faults = []
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", text, re.MULTILINE):
        faults.append(f"CHANGELOG.md: expected a heading '## [{version}] - YYYY-MM-DD'")
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    if unreleased and re.search(r"^- ", unreleased[1], re.MULTILINE):
        faults.append("CHANGELOG.md: lines are unreleased; expected them under the version")
    return faults


def check_citation(root: Path) -> list[str]:
    """CITATION.cff names the same version and licence."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    project = project_of(root)
    return [
        f"CITATION.cff: {key} {citation.get(key)}; expected {project[key]}, as in pyproject.toml"
        for key in ("version", "license")
        if str(citation.get(key)) != project[key]
    ]


def check_clean(root: Path) -> list[str]:
    """Everything is committed."""
    done = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True, text=True
    )
    return [f"not committed: {line}" for line in done.stdout.splitlines()]


def check_sizes(sizes: dict[str, int]) -> list[str]:
    """What is published is small."""
    return [
        f"{name}: {size:,} bytes, expected at most {LIMIT:,}"
        for name, size in sizes.items()
        if size > LIMIT
    ]


def built_sizes(root: Path) -> dict[str, int]:
    """Bytes of the wheel, the sdist and the weights in it; both are built for that."""
    weights = (root / "agents" / "arboretum_agents" / "weights").rglob("*")
    sizes = {"weights": sum(path.stat().st_size for path in weights if path.is_file())}
    with tempfile.TemporaryDirectory(prefix="arboretum-release-") as folder:
        build = [sys.executable, "-m", "build", "--outdir", folder, str(root)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        sizes |= {path.name: path.stat().st_size for path in sorted(Path(folder).iterdir())}
    return sizes


CHECKS: Final[tuple[Callable[[Path], list[str]], ...]] = (
    check_one_place,
    check_changelog,
    check_citation,
    check_clean,
)


def main() -> int:
    """Runs every check; prints sizes and faults.

    Returns:
        0 if nothing is in the way of a release.
    """
    faults = [fault for check in CHECKS for fault in check(CHECKOUT)]
    sizes = built_sizes(CHECKOUT)
    for name, size in sizes.items():
        print(f"{name}: {size:,} bytes")
    faults += check_sizes(sizes)
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
