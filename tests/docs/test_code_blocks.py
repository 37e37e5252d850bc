"""Every code block of every page is run, parsed or read by the code that it is for.

A block says its language: ``python`` runs; ``sh`` is commands, each parsed as its program would;
``console`` is a command with what it prints, which is compared; data are read by the test named
below; ``text`` is a picture or an excerpt, and nothing in it can be run.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from arboretum_lab.cli.arguments import UsageError, parse_command
from arboretum_lab.cli.commands import find_command
from arboretum_lab.cli.main import main
from arboretum_training.config import ExperimentConfig
from tests.docs.blocks import BLOCKS, ROOT, Block, command_lines

PYTHON_ELSEWHERE = {
    "docs/agents.md": "tests/docs/test_agents_page.py",  # installed as a distribution, and played
    "docs/compatibility.md": "integrations/examples.py",  # needs TorchRL and Ray
    "docs/export.md": "tests/export/test_page.py",  # needs an exported network
    "docs/hand-blocking.md": "tests/docs/test_research_pages.py",  # its figures are compared
    "docs/openspiel.md": "integrations/openspiel/test_page.py",  # needs pyspiel
    "docs/sb3.md": "tests/docs/test_sb3_page.py",  # lends the library its random state
}
DATA = {
    ("docs/agents.md", "toml"): "tests/docs/test_agents_page.py",
    ("docs/protocol.md", "json"): "tests/docs/test_protocol_page.py",
    ("docs/records.md", "arb"): "tests/docs/test_records_page.py",
    ("docs/records.md", "json"): "tests/docs/test_records_page.py",
}
TOO_LONG_TO_RUN = {
    "docs/exploit.md": "it trains an exploiter for 94,000 decisions",
}
# Of other people; their own options are not looked at.
OTHER_PROGRAMS = ("pip", "ray", "grep", "source")


def of_language(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def where(block: Block) -> str:
    return block.place


def test_every_block_says_what_it_is() -> None:
    known = {"python", "sh", "console", "text", "yaml", *(language for _, language in DATA)}
    assert {block.place: block.language for block in BLOCKS if block.language not in known} == {}
    for block in BLOCKS:
        if block.language in {"toml", "json", "arb"}:
            assert (name_of(block.page), block.language) in DATA, block.place
        if block.language == "text":
            assert not re.match(r"\$ |arboretum |make |python ", block.text), block.place


@pytest.mark.parametrize(
    ("page", "test"),
    [*PYTHON_ELSEWHERE.items(), *((page, test) for (page, _), test in DATA.items())],
)
def test_what_is_run_elsewhere_is_run_there(page: str, test: str) -> None:
    assert any(name_of(block.page) == page for block in BLOCKS)
    assert Path(page).name in (ROOT / test).read_text(encoding="utf-8")


def no_setting(folder: Path) -> None:
    """Most examples need nothing."""


def a_data_set(folder: Path) -> None:
    assert main(["dataset", "greedy", "random", "--games", "4", "--out", "games.parquet"]) == 0


SETTINGS: dict[str, Callable[[Path], None]] = {"docs/datasets.md": a_data_set}


@pytest.mark.parametrize(
    "block",
    [block for block in of_language("python") if name_of(block.page) not in PYTHON_ELSEWHERE],
    ids=where,
)
def test_examples_run(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SETTINGS.get(name_of(block.page), no_setting)(tmp_path)
    padding = "\n" * block.line  # so that a traceback names the page's own line
    exec(compile(padding + block.text, str(block.page), "exec"), {})  # noqa: S102 - the pages' own


def check_command(words: list[str]) -> None:
    """Parses one command as its program would; raises where it would complain."""
    program, *rest = words
    if program in ("torchrun", "python") and "-m" in rest:
        module, *rest = rest[rest.index("-m") + 1 :]
        if module != "arboretum_lab":
            homes = [ROOT / base / module.replace(".", "/") for base in ("", "agents", "training")]
            assert any(home.with_suffix(".py").exists() or home.is_dir() for home in homes), module
            return
        program = "arboretum"
    if program == "arboretum":
        check_arboretum(rest)
    elif program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert rest[0] in targets, f"make {rest[0]}"
    elif program == "python":
        assert rest[0] == "-c", rest
        compile(rest[1], "python -c", "exec")
    else:
        known = program in OTHER_PROGRAMS or program.startswith((".venvs/", "python3"))
        assert known, f"{program}: nobody parses it"


def check_arboretum(words: list[str]) -> None:
    name, *rest = words
    if name == "--help":
        return
    entry = find_command(name)
    assert entry is not None, name
    if "--resume" in rest:  # it reads the run's folder first, which nobody has
        at = rest.index("--resume")
        rest = ["configs/demo.yaml", *rest[:at], *rest[at + 2 :]]
    parse_command(entry.load(), name, rest)


@pytest.mark.parametrize("block", of_language("sh") + of_language("console"), ids=where)
def test_commands_are_taken(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = block.text
    if block.language == "console":
        text = re.sub(r"\\\n", " ", text.removeprefix("$ ")).splitlines()[0]
    lines = command_lines(text)
    assert lines
    for words in lines:
        check_command(words)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("arboretum evaluate greedy random --deal 5", UsageError),
        ("arboretum evaluat greedy random", AssertionError),
        ("arboretum train configs/demo.yaml --ppo.learning-rat 1", UsageError),
        (
            "torchrun --nproc-per-node 2 -m arboretum_lab train configs/demo.yaml --nam x",
            UsageError,
        ),
        ("make tests", AssertionError),
        ("python -m arboretum_training.tunings", AssertionError),
        ("arboretun bench", AssertionError),
        ("python -c 'print('", SyntaxError),
    ],
)
def test_a_command_that_is_not_taken_is_noticed(
    line: str, fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [words] = command_lines(line)
    with pytest.raises(fault):
        check_command(words)


def comparable(text: str) -> str:
    """Printed text without what another terminal or moment changes: line ends, and durations."""
    return re.sub(r"about \S+ s\b", "about N s", " ".join(text.split()))


def shows(shown: str, printed: str) -> bool:
    """Whether a page's excerpt is what was printed; a line of ``...`` leaves some of it out."""
    parts = [comparable(part) for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
    pattern = r".*".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, comparable(printed), re.DOTALL) is not None


@pytest.mark.parametrize(
    "block",
    [block for block in of_language("console") if name_of(block.page) not in TOO_LONG_TO_RUN],
    ids=where,
)
def test_commands_print_what_the_page_shows(
    block: Block, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    command, shown = block.text.split("\n", 1)
    [words] = command_lines(command.removeprefix("$ arboretum "))
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert shows(shown, printed), printed


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        ("a 1\nb 2, about 1 s\nc", True),
        ("...\nb 2, about 1 s\nc", True),
        ("a 1\nb 3, about 1 s\nc", False),
        ("...\nc\nb 2, about 1 s", False),
        ("a 1\nb 2, about 1 s", False),
    ],
)
def test_another_output_is_noticed(shown: str, same: bool) -> None:
    assert shows(shown, "a 1\nb 2, about 9 s\nc\n") is same


@pytest.mark.parametrize("block", of_language("yaml"), ids=where)
def test_parts_of_experiments_are_valid(block: Block) -> None:
    part = yaml.safe_load(block.text)
    assert ExperimentConfig.model_validate({"name": "page", **part}).pool.bots


def test_what_is_too_long_to_run_is_there() -> None:
    pages = {name_of(block.page) for block in of_language("console")}
    assert set(TOO_LONG_TO_RUN) <= pages
