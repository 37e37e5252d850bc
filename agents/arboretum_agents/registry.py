"""From a text to an agent: ``greedy``, ``planner@1``, ``search:simulations=64``, ``runs/demo``.

Grammar: ``NAME[@VERSION][:KEY=VALUE,...]``, or the path of a run or checkpoint folder or of a
``.onnx`` file (docs/export.md). All take ``mode=sample`` or ``mode=greedy``:
``runs/demo:mode=greedy``. The key of an agent's first option may be left out: ``levels:5`` is
``levels:level=5``. A name is one of ``BUILT_IN`` or one that another distribution registers under
the entry-point group ``arboretum.agents``::

    [project.entry-points."arboretum.agents"]
    mybot = "mypackage.bots:MyBot"

What the entry point names is called as ``factory(config, **options)``, and with ``mode=mode`` if it
has that parameter. Its signature says which options there are: the parameters after ``config``
that are annotated ``int``, ``float``, ``bool`` or ``str`` (or one of them ``| None``).
"""

import difflib
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, Literal

from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError

Mode = Literal["sample", "greedy"]
"""Whether agents with probabilities draw from them or take the likeliest move."""

ENTRY_POINT_GROUP: Final = "arboretum.agents"


REQUIRED: Final = "(required)"
"""Stands for the default of an option that has none."""


class AgentSpecError(ArboretumError, ValueError):
    """A text that names no agent, or options that the agent does not have."""


@dataclass(frozen=True)
class AgentEntry:
    """An agent that a spec can name.

    Attributes:
        name: the part of the spec before ``@`` and ``:``.
        version: published agents are frozen; the bare name means the highest version.
        target: ``module:attribute`` of its factory.
        source: the distribution that it comes from.
        summary: one line for lists.
        outside: whether its moves come from outside, from a person or a program.
        players: the numbers of players that it plays with.
    """

    name: str
    version: int
    target: str
    source: str
    summary: str
    outside: bool = False
    players: tuple[int, ...] = (2, 3, 4)


BUILT_IN: Final[tuple[AgentEntry, ...]] = (
    AgentEntry(
        name="random",
        version=1,
        target="arboretum_agents.bots.random:RandomAgent",
        source="arboretum-lab",
        summary="every legal move equally likely",
    ),
    AgentEntry(
        name="greedy",
        version=1,
        target="arboretum_agents.bots.greedy:GreedyAgent",
        source="arboretum-lab",
        summary="raises its own best paths now",
    ),
    AgentEntry(
        name="blocker",
        version=1,
        target="arboretum_agents.bots.blocker:BlockerAgent",
        source="arboretum-lab",
        summary="holds what takes rivals' paths away",
    ),
    AgentEntry(
        name="planner",
        version=1,
        target="arboretum_agents.bots.planner:PlannerAgent",
        source="arboretum-lab",
        summary="weighs its chances of the right to score, gains, denial, offers and tempo",
    ),
    AgentEntry(
        name="search",
        version=1,
        target="arboretum_agents.search.agent:SearchAgent",
        source="arboretum-lab",
        summary="tries moves in sampled worlds, played out by any policy; exact in endgames",
    ),
    AgentEntry(
        name="levels",
        version=1,
        target="arboretum_agents.levels:make_level",
        source="arboretum-lab",
        summary="levels 1 (easy) to 8 (searches)",
    ),
    *(
        AgentEntry(
            name=f"league-{players}p",
            version=version,
            target=f"arboretum_agents.shipped:league_{players}p_{version}",
            source="arboretum-lab",
            summary=f"a network that learned {players}-player games by self-play; levels 1 to 5",
            players=(players,),
        )
        for players, version in ((2, 1), (2, 2), (3, 1), (4, 1))
    ),
    AgentEntry(
        name="human",
        version=1,
        target="arboretum_agents.human:HumanAgent",
        source="arboretum-lab",
        summary="a person in the terminal; arboretum play is made for it",
        outside=True,
    ),
    AgentEntry(
        name="process",
        version=1,
        target="arboretum_agents.protocol.process:ProcessAgent",
        source="arboretum-lab",
        summary="a program in any language that reads and writes JSON lines",
        outside=True,
    ),
)


@dataclass(frozen=True)
class AgentSpec:
    """A spec, parsed: its name, its version (``None``: the newest) and its options as written.

    A first option without a key is under the key ``""``.
    """

    name: str
    version: int | None
    options: Mapping[str, str]


def make_agent(spec: str, config: GameConfig, *, mode: Mode = "sample") -> Agent:
    """Makes the agent that a spec names; it still has to be ``reset``.

    Args:
        spec: see the module's grammar.
        config: the game that it will play.
        mode: see ``Mode``; the spec's own ``mode=...`` goes before. Agents without probabilities
            play alike in both.

    Raises:
        AgentSpecError: no such agent, version, option or mode.
        ArboretumError: a folder that holds no usable network.
    """
    spec, mode = _take_mode(spec, mode)
    if is_path(spec):
        # Lazily: games between bots neither need nor import torch or onnxruntime.
        if _is_policy_file(spec):
            from arboretum_agents.onnx_policy import load_onnx_agent

            return load_onnx_agent(Path(spec), config, mode)
        from arboretum_agents.neural.policy import load_agent

        return load_agent(Path(spec), config, mode)
    parsed = parse_spec(spec)
    factory = _load(find_entry(parsed))
    options = _typed_options(factory, parsed)
    if "mode" in inspect.signature(factory).parameters:
        options["mode"] = mode
    named: Agent = factory(config, **options)
    return named


def _take_mode(spec: str, default: Mode) -> tuple[str, Mode]:
    """The spec without its own ``mode=...``, and that mode; every agent and folder takes it."""
    head, colon, tail = spec.rpartition(":")
    parts = tail.split(",") if colon else []
    modes = [part.partition("=")[2] for part in parts if part.startswith("mode=")]
    if not modes:
        return spec, default
    if modes not in (["sample"], ["greedy"]):
        raise AgentSpecError(f"agent {spec!r}: expected mode=sample or mode=greedy, once")
    others = [part for part in parts if not part.startswith("mode=")]
    return (f"{head}:{','.join(others)}" if others else head), typing.cast(Mode, modes[0])


def is_path(spec: str) -> bool:
    """Whether a spec means a folder or a ``.onnx`` file: a path has a slash or exists.

    A known name never does.

    Raises:
        AgentSpecError: a path on which there is neither.
    """
    head = spec.partition(":")[0]
    if _entries_of(head.partition("@")[0]):
        return False
    if spec and _is_folder(spec):  # an empty path would be the current folder
        return True
    if _is_policy_file(spec):
        return True
    if "/" in head:
        raise AgentSpecError(
            f"agent {spec!r}: expected a run or checkpoint folder or a .onnx file; there is none"
        )
    return False


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # a name that no file can have, because it is too long
        return False


def _is_policy_file(path: str) -> bool:
    try:
        return path.endswith(".onnx") and Path(path).is_file()
    except OSError:
        return False


def parse_spec(spec: str) -> AgentSpec:
    """Takes a spec apart.

    Raises:
        AgentSpecError: it does not follow the grammar.

    >>> parse_spec("search@2:simulations=64")
    AgentSpec(name='search', version=2, options={'simulations': '64'})
    """
    head, colon, tail = spec.partition(":")
    name, at, version = head.partition("@")
    if not name or (at and not version.isdecimal()) or (colon and not tail):
        raise AgentSpecError(f"agent {spec!r}: expected NAME[@VERSION][:KEY=VALUE,...] or a folder")
    options: dict[str, str] = {}
    for part in tail.split(",") if tail else ():
        key, equals, value = part.partition("=")
        if not equals and not options:
            key, value = "", part
        if not (key if equals else value) or key in options:
            raise AgentSpecError(f"agent {spec!r}: {part!r} is no new option KEY=VALUE")
        options[key] = value
    return AgentSpec(name, int(version) if at else None, options)


def list_agents() -> tuple[AgentEntry, ...]:
    """Every agent that a name can mean: ``BUILT_IN`` and those of other distributions.

    A name of ``BUILT_IN`` always means the built-in agent, so that a baseline never changes because
    something was installed.
    """
    taken = {entry.name for entry in BUILT_IN}
    others = [_foreign_entry(point) for point in entry_points(group=ENTRY_POINT_GROUP)]
    return BUILT_IN + tuple(
        sorted(
            (entry for entry in others if entry.name not in taken),
            key=lambda entry: (entry.name, entry.version),
        )
    )


def find_entry(spec: AgentSpec) -> AgentEntry:
    """The entry that a spec means.

    Raises:
        AgentSpecError: no agent of that name or version.
    """
    versions = {entry.version: entry for entry in _entries_of(spec.name)}
    if not versions:
        known = sorted({entry.name for entry in list_agents()})
        raise AgentSpecError(
            f"unknown agent {spec.name!r}{_suggestion(spec.name, known)}"
            " or a run or checkpoint folder"
        )
    version = max(versions) if spec.version is None else spec.version
    if version not in versions:
        published = ", ".join(f"{spec.name}@{number}" for number in sorted(versions))
        raise AgentSpecError(f"agent {spec.name}@{version} does not exist: expected {published}")
    return versions[version]


def _entries_of(name: str) -> list[AgentEntry]:
    """The entries of one name. Distributions are searched only for names that are not built in."""
    built_in = [entry for entry in BUILT_IN if entry.name == name]
    return built_in or [entry for entry in list_agents() if entry.name == name]


def option_types(factory: Callable[..., Any]) -> dict[str, type]:
    """Options of a factory and their types (``int`` for ``int | None``), from its signature."""
    parameters = inspect.signature(factory, eval_str=True).parameters
    _, *others = parameters.values()  # the first one is the config
    return {
        parameter.name: _bare_type(parameter.annotation)
        for parameter in others
        if _bare_type(parameter.annotation) in (int, float, bool, str)
    }


def option_defaults(factory: Callable[..., Any]) -> dict[str, Any]:
    """Options of a factory and their defaults; ``REQUIRED`` for one without."""
    parameters = inspect.signature(factory).parameters
    return {
        name: REQUIRED
        if parameters[name].default is inspect.Parameter.empty
        else parameters[name].default
        for name in option_types(factory)
    }


def describe_defaults(entry: AgentEntry) -> dict[str, Any]:
    """Options of an agent and their defaults; ``REQUIRED`` for one without.

    Raises:
        AgentSpecError: what another distribution registered cannot be imported or is no factory.
    """
    return option_defaults(_load(entry))


def describe_options(entry: AgentEntry) -> dict[str, str]:
    """Options of an agent and their types in words.

    Raises:
        AgentSpecError: what another distribution registered cannot be imported or is no factory.
    """
    options = option_types(_load(entry)).items()
    return {name: kind.__name__ for name, kind in options}


def _foreign_entry(point: EntryPoint) -> AgentEntry:
    name, _, version = point.name.partition("@")
    return AgentEntry(
        name=name,
        version=int(version) if version.isdecimal() else 1,
        target=point.value,
        source=point.dist.name if point.dist is not None else "unknown",
        summary=f"from {point.value}",
    )


def _load(entry: AgentEntry) -> Callable[..., Any]:
    module, _, attribute = entry.target.partition(":")
    try:
        factory: Callable[..., Any] = getattr(import_module(module), attribute)
    except Exception as error:  # what somebody's module does when imported may raise anything
        if entry in BUILT_IN:
            raise  # a missing extra, or a fault of ours
        raise AgentSpecError(
            f"agent {entry.name!r} of {entry.source}: cannot import {entry.target}: {error}"
        ) from error
    try:
        option_types(factory)
    except Exception as error:  # no signature, an annotation that means nothing, and so on
        raise AgentSpecError(
            f"agent {entry.name!r} of {entry.source}: {entry.target}: expected a factory that is "
            f"called with the game and annotated options: {error}"
        ) from error
    return factory


def _typed_options(factory: Callable[..., Any], spec: AgentSpec) -> dict[str, Any]:
    known = option_types(factory)
    typed: dict[str, Any] = {}
    for written, text in spec.options.items():
        key = written or next(iter(known), text)
        if key in typed:
            raise AgentSpecError(
                f"agent {spec.name!r}: {key} is given twice: {text!r} is no new option"
            )
        if key not in known:
            raise AgentSpecError(
                f"agent {spec.name!r} has no option {key!r}{_suggestion(key, sorted(known))}"
            )
        typed[key] = _convert(spec.name, key, text, known[key])
    for key, default in option_defaults(factory).items():
        if default is REQUIRED and key not in ("mode", *typed):
            raise AgentSpecError(f"agent {spec.name!r}: expected an option {key}=...")
    return typed


def _convert(name: str, key: str, text: str, kind: type) -> Any:
    """An option's text as a value of its type."""
    try:
        return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        expected = "true or false" if kind is bool else f"a number ({kind.__name__})"
        raise AgentSpecError(f"agent {name!r}: {key}={text}: expected {expected}") from None


def _bare_type(hint: Any) -> Any:
    """``int`` of ``int | None``; any other hint as it is."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return next(part for part in typing.get_args(hint) if part is not type(None))
    return hint


def _suggestion(given: str, known: Iterable[str]) -> str:
    """``; did you mean ...? Known: ...``, the end of an error message."""
    names = list(known)
    close = difflib.get_close_matches(given, names, n=1)
    guess = f"; did you mean {close[0]!r}?" if close else ":"
    return f"{guess} expected one of {', '.join(names)}" if names else ": it takes none"
