"""Specs: the grammar, names and versions, options, other distributions' agents, errors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arboretum_agents import registry
from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.registry import (
    BUILT_IN,
    AgentEntry,
    AgentSpec,
    AgentSpecError,
    describe_options,
    find_entry,
    is_path,
    list_agents,
    make_agent,
    parse_spec,
)
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main

CONFIG = GameConfig()

FOREIGN_BOTS = """
CLASSES = {"Bot": object}


class Bot:
    def __init__(self, config, mode="sample", depth: int = 2, speed: float | None = None,
                 bold: bool = False, label: str = "x", weights: list[int] = (), extra=None):
        self.config, self.mode, self.depth = config, mode, depth
        self.speed, self.bold, self.label = speed, bold, label

    def reset(self, game_ids, seed):
        pass

    def act(self, views):
        return views.legal_action_mask().argmax(axis=1)


def make_newer(config):
    bot = Bot(config)
    bot.label = "newer"
    return bot


def odd(config, depth: int = float("inf"), speed: float = CLASSES["Bot"], label: str = b"x"):
    return Bot(config)


def needs_no_game():
    return Bot(None)


def means_nothing(config, depth: "Depht" = 2):
    return Bot(config)


number = 7
"""

ENTRY_POINTS = """[arboretum.agents]
foreign = foreign_bots:Bot
foreign@3 = foreign_bots:make_newer
broken = foreign_bots:Missing
absent = no_such_module:Bot
exploding = exploding_bots:Bot
gameless = foreign_bots:needs_no_game
mistyped = foreign_bots:means_nothing
number = foreign_bots:number
odd = foreign_bots:odd
random = foreign_bots:Bot
"""


@pytest.fixture
def other_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs, as far as Python can tell, a distribution with agents."""
    info = tmp_path / "foreign_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "foreign_bots.py").write_text(FOREIGN_BOTS)
    (tmp_path / "exploding_bots.py").write_text("raise KeyError('config')")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("greedy", AgentSpec("greedy", None, {})),
        ("planner@1", AgentSpec("planner", 1, {})),
        ("search:seconds=0.5", AgentSpec("search", None, {"seconds": "0.5"})),
        (
            "search@2:simulations=64,prior=planner@1",
            AgentSpec("search", 2, {"simulations": "64", "prior": "planner@1"}),
        ),
        ("a:b=", AgentSpec("a", None, {"b": ""})),
        ("levels:5,c=1", AgentSpec("levels", None, {"": "5", "c": "1"})),
    ],
)
def test_grammar(text: str, spec: AgentSpec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":a=1",
        "greedy:",
        "greedy@",
        "greedy@x",
        "greedy@-1",
        "a:b,c",
        "a:b=1,c",
        "a:=1",
        "a:b=1,",
        "a:b=1,b=2",
    ],
)
def test_grammar_errors_name_the_spec(text: str) -> None:
    with pytest.raises(AgentSpecError, match=r"expected|no new option") as error:
        parse_spec(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "entry", [entry for entry in BUILT_IN if not entry.outside], ids=lambda entry: entry.name
)
def test_every_built_in_agent_can_be_made(entry: AgentEntry, players: int) -> None:
    config = GameConfig(num_players=players)
    for spec in (entry.name, f"{entry.name}@{entry.version}"):
        if players not in entry.players:
            with pytest.raises(AgentSpecError, match=f"not with {players}: expected"):
                make_agent(spec, config)
            continue
        for mode in ("sample", "greedy"):
            assert isinstance(make_agent(spec, config, mode=mode), Agent)  # type: ignore[arg-type]


def test_the_first_option_may_be_bare() -> None:
    bare = make_agent("planner:2,tempo=0", CONFIG)
    named = make_agent("planner:denial=2,tempo=0", CONFIG)
    assert isinstance(bare, PlannerAgent)
    assert isinstance(named, PlannerAgent)
    assert bare.weights == named.weights
    with pytest.raises(AgentSpecError, match="denial is given twice: '3'"):
        make_agent("planner:2,denial=3", CONFIG)
    with pytest.raises(AgentSpecError, match="'greedy' has no option 'fast'"):
        make_agent("greedy:fast", CONFIG)
    with pytest.raises(AgentSpecError, match=r"denial=high: expected a number"):
        make_agent("planner:high", CONFIG)


def test_built_in_names_are_unique_with_their_versions() -> None:
    assert len({(entry.name, entry.version) for entry in BUILT_IN}) == len(BUILT_IN)


def test_the_bare_name_is_the_newest_version(monkeypatch: pytest.MonkeyPatch) -> None:
    target = "arboretum_agents.bots.random:RandomAgent"
    entries = tuple(AgentEntry("planner", v, target, "arboretum-lab", "") for v in (1, 3, 2))
    monkeypatch.setattr(registry, "BUILT_IN", entries)
    assert find_entry(parse_spec("planner")).version == 3
    assert find_entry(parse_spec("planner@1")).version == 1
    with pytest.raises(
        AgentSpecError,
        match="planner@4 does not exist: expected planner@1, planner@2, planner@3",
    ):
        find_entry(parse_spec("planner@4"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", "unknown agent 'gredy'; did you mean 'greedy'? expected one of "),
        ("zzz", "unknown agent 'zzz': expected one of blocker, greedy, "),
        ("random@7", "agent random@7 does not exist: expected random@1"),
        ("random:depth=2", "agent 'random' has no option 'depth': it takes none"),
        ("runs/nothing-here", "agent 'runs/nothing-here': expected a run or checkpoint folder"),
    ],
)
def test_unknown_agents(text: str, message: str) -> None:
    with pytest.raises(AgentSpecError) as error:
        make_agent(text, CONFIG)
    assert str(error.value).startswith(message)


@pytest.mark.usefixtures("other_distribution")
def test_agents_of_other_distributions_are_listed_and_made() -> None:
    listed = [entry for entry in list_agents() if entry.source == "foreign-bots"]
    assert [(entry.name, entry.version) for entry in listed] == [
        ("absent", 1),
        ("broken", 1),
        ("exploding", 1),
        ("foreign", 1),
        ("foreign", 3),
        ("gameless", 1),
        ("mistyped", 1),
        ("number", 1),
        ("odd", 1),
    ]
    bot = make_agent("foreign@1:depth=5,speed=0.5,bold=True,label=a=b", CONFIG, mode="greedy")
    made = vars(bot)
    assert made == {
        "config": CONFIG,
        "mode": "greedy",
        "depth": 5,
        "speed": 0.5,
        "bold": True,
        "label": "a=b",
    }
    assert vars(make_agent("foreign", CONFIG))["label"] == "newer"
    assert describe_options(listed[3]) == {
        "depth": "int",
        "speed": "float",
        "bold": "bool",
        "label": "str",
    }


@pytest.mark.usefixtures("other_distribution")
def test_a_built_in_name_cannot_be_taken_over() -> None:
    assert type(make_agent("random", CONFIG)) is RandomAgent


@pytest.mark.usefixtures("other_distribution")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foreign@1:dept=5", "agent 'foreign' has no option 'dept'; did you mean 'depth'?"),
        ("foreign@1:depth=five", "agent 'foreign': depth=five: expected a number (int)"),
        ("foreign@1:speed=fast", "agent 'foreign': speed=fast: expected a number (float)"),
        ("foreign@1:bold=1", "agent 'foreign': bold=1: expected true or false"),
        ("foreign@1:weights=1", "agent 'foreign' has no option 'weights'"),
        ("foreign@1:config=x", "agent 'foreign' has no option 'config'"),
        ("broken", "agent 'broken' of foreign-bots: cannot import foreign_bots:Missing"),
        ("absent", "agent 'absent' of foreign-bots: cannot import no_such_module:Bot"),
        ("exploding", "agent 'exploding' of foreign-bots: cannot import exploding_bots:Bot: "),
        ("gameless", "agent 'gameless' of foreign-bots: foreign_bots:needs_no_game: expected a"),
        ("mistyped", "agent 'mistyped' of foreign-bots: foreign_bots:means_nothing: expected a"),
        ("number", "agent 'number' of foreign-bots: foreign_bots:number: expected a factory that"),
    ],
)
def test_bad_options_and_broken_distributions(text: str, message: str) -> None:
    with pytest.raises(AgentSpecError) as error:
        make_agent(text, CONFIG)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("text", ["x" * 5000, f"runs/{'x' * 5000}", "x\0", "runs/\0"])
def test_a_name_that_no_file_can_have_is_an_unknown_agent(text: str) -> None:
    with pytest.raises(AgentSpecError, match=r"unknown agent|there is none"):
        make_agent(text, CONFIG)


def test_a_folder_is_a_path_unless_a_name_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random").mkdir()
    (tmp_path / "demo").mkdir()
    assert is_path("demo") and is_path("./random") and is_path(str(tmp_path))
    assert not is_path("random") and not is_path("random@1")
    assert is_path(".") and not is_path("")
    # Only the head of a spec can be a path, options may hold slashes.
    assert not is_path("zzz:weights=runs/demo")


def test_bots_are_made_without_torch() -> None:
    probe = (
        "import sys; from arboretum_agents.registry import make_agent;"
        "from arboretum_env.config import GameConfig;"
        "make_agent('random', GameConfig()); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


@pytest.mark.parametrize(
    ("spec", "mode"),
    [("half", "sample"), ("half:mode=greedy", "greedy"), ("half:depth=2,mode=greedy", "greedy")],
)
def test_a_spec_may_choose_its_own_mode(
    spec: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def factory(config: GameConfig, mode: str, depth: int = 0) -> RandomAgent:
        seen.append(mode)
        return RandomAgent(config)

    monkeypatch.setattr(registry, "find_entry", lambda spec: None)
    monkeypatch.setattr(registry, "_load", lambda entry: factory)
    make_agent(spec, CONFIG)
    assert seen == [mode]


@pytest.mark.parametrize(
    "spec", ["random:mode=best", "random:mode=greedy,mode=sample", "x/y:mode="]
)
def test_an_unknown_mode_is_refused(spec: str) -> None:
    with pytest.raises(AgentSpecError, match="expected mode=sample or mode=greedy, once"):
        make_agent(spec, CONFIG)


@pytest.mark.usefixtures("other_distribution")
def test_the_list_shows_other_distributions_with_defaults_and_faults(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["agents", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    foreign = {
        (agent["name"], agent["version"]): agent
        for agent in listed
        if agent["source"] == "foreign-bots"
    }
    assert foreign["foreign", 1]["defaults"] == {
        "depth": 2,
        "speed": None,
        "bold": False,
        "label": "x",
    }
    assert foreign["exploding", 1]["fault"] == (
        "agent 'exploding' of foreign-bots: cannot import exploding_bots:Bot: 'config'"
    )
    assert "fault" not in foreign["foreign", 3]
    assert foreign["mistyped", 1]["fault"].endswith("name 'Depht' is not defined")
    # What no JSON can hold is in words.
    assert foreign["odd", 1]["defaults"] == {
        "depth": "inf",
        "speed": "<class 'object'>",
        "label": "b'x'",
    }
    [planner] = [agent for agent in listed if agent["name"] == "planner"]
    assert planner["defaults"]["denial"] == 1.0
    assert main(["agents"]) == 0
    assert "depth=2" in capsys.readouterr().out.replace("\n", "")
