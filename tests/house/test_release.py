"""The release check finds what it is for, and the files about the project agree with it."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from scripts.check_release import (
    LIMIT,
    check_changelog,
    check_citation,
    check_clean,
    check_one_place,
    check_sizes,
    project_of,
)
from scripts.check_sizes import LIMIT as FILE_LIMIT
from scripts.check_sizes import too_large
from tests.house.test_files import ROOT, repository_files

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n- news\n"
# https://citation-file-format.github.io, schema 1.2.0: what has to be there, and what may.
CITATION_NEEDS = {"cff-version", "message", "title", "authors"}
CITATION_MAY = {"type", "abstract", "version", "license", "keywords", "date-released"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that could be released, as a git checkout."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\nlicense = "MIT"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\nlicense: MIT\n")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "module.py").write_text('VERSION = "1"\n')
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_nothing_is_in_the_way_of_a_sound_one(project: Path) -> None:
    for check in (check_one_place, check_changelog, check_citation, check_clean):
        assert check(project) == []


def test_a_second_version_is_found(project: Path) -> None:
    (project / "lab" / "module.py").write_text('__version__ = "1.2.0"\n')
    [fault] = check_one_place(project)
    assert fault.startswith("lab/module.py: says a version")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[1.2.0]", "[1.1.0]", "CHANGELOG.md: expected a heading '## [1.2.0] - YYYY-MM-DD'"),
        (" - 2026-12-01", "", "CHANGELOG.md: expected a heading '## [1.2.0] - YYYY-MM-DD'"),
        (
            "[Unreleased]\n",
            "[Unreleased]\n\n- more\n",
            "CHANGELOG.md: lines are unreleased; expected them under the version",
        ),
    ],
)
def test_a_changelog_that_is_behind_is_found(project: Path, old: str, new: str, fault: str) -> None:
    (project / "CHANGELOG.md").write_text(CHANGELOG.replace(old, new))
    assert check_changelog(project) == [fault]


@pytest.mark.parametrize("line", ["version: 1.1.0\nlicense: MIT", "version: 1.2.0\nlicense: BSD"])
def test_a_citation_that_disagrees_is_found(project: Path, line: str) -> None:
    (project / "CITATION.cff").write_text(line)
    [fault] = check_citation(project)
    assert fault.endswith(", as in pyproject.toml")


def test_what_is_not_committed_is_found(project: Path) -> None:
    (project / "new.py").write_text("")
    assert check_clean(project) == ["not committed: ?? new.py"]


def test_what_is_too_large_is_found(tmp_path: Path) -> None:
    assert check_sizes({"a.whl": LIMIT, "weights": LIMIT + 1}) == [
        "weights: 5,000,001 bytes, expected at most 5,000,000"
    ]
    (tmp_path / "fits").write_bytes(bytes(FILE_LIMIT))
    (tmp_path / "large").write_bytes(bytes(FILE_LIMIT + 1))
    assert too_large(["fits", "large", "gone"], tmp_path) == [
        "large: 1,000,001 bytes, expected at most 1,000,000"
    ]


def test_no_file_of_the_repository_is_too_large() -> None:
    files = [str(path.relative_to(ROOT)) for path in repository_files()]
    assert too_large(files, ROOT) == []


def test_the_citation_is_one() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert set(citation) >= CITATION_NEEDS
    assert set(citation) <= CITATION_NEEDS | CITATION_MAY
    assert all(author.get("name") for author in citation["authors"])
    assert check_citation(ROOT) == []
    assert citation["abstract"] == project_of(ROOT)["description"]


def test_the_changelog_is_of_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^(##+) (.*)$", text, re.MULTILINE)
    assert headings[0] == ("##", "[Unreleased]")
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    for level, title in headings:
        if level == "##":
            assert re.fullmatch(r"\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", title)
        else:
            assert title in kinds


def test_the_hooks_before_a_commit_run_what_make_lint_runs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [lint] = re.findall(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook for repository in config["repos"] for hook in repository["hooks"]]
    entries = [hook["entry"].replace(".venv/bin/", "").split()[:2] for hook in hooks]
    for line in lint.replace("$(BIN)/", "").splitlines():
        assert line.split()[:2] in entries, line
    assert all(hook["language"] == "system" for hook in hooks)


def test_the_forms_for_issues_can_be_filled_in() -> None:
    for form in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")):
        content = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(content)
        ids = [part["id"] for part in content["body"]]
        assert len(ids) == len(set(ids))
        assert all(part["attributes"]["label"] for part in content["body"])
