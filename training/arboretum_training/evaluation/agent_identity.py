"""Which agent a spec meant when it played: its frozen name, or the hash of its weights.

A run folder's newest checkpoint changes while the run goes on, and the bare name of a bot means its
newest version. What outlives a process therefore says what exactly played.
"""

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from arboretum_agents.registry import find_entry, is_path, parse_spec
from arboretum_training.evaluation.evaluate import AgentFactory


@dataclass(frozen=True)
class AgentIdentity:
    """An agent, pinned.

    Attributes:
        name: how reports call it.
        agent: what makes it: a spec that does not change its meaning any more, or a factory.
        pinned: ``greedy@1``, ``search@1:simulations=64``, ``checkpoint@<12 hex digits>`` ...
        digest: SHA-256 of the checkpoint's manifest, which holds those of all its files, or of the
            ``.onnx`` file; for other agents of ``source``, its version and ``pinned``.
        source: the distribution that it comes from, ``checkpoint`` or ``onnx``.
    """

    name: str
    agent: str | AgentFactory
    pinned: str
    digest: str
    source: str

    def to_json(self) -> dict[str, Any]:
        """Who it is, without where it lies."""
        return {
            "name": self.name,
            "pinned": self.pinned,
            "digest": self.digest,
            "source": self.source,
        }


def identify(agent: str | AgentFactory, name: str | None = None) -> AgentIdentity:
    """Pins an agent.

    Args:
        agent: a spec or a factory.
        name: how reports are to call it; default: the spec as given, or the factory's name.

    Raises:
        AgentSpecError: no such agent.
        CheckpointError: a folder without a checkpoint.
    """
    if not isinstance(agent, str):
        place = f"{agent.__module__}:{getattr(agent, '__qualname__', 'agent')}"
        own = str(getattr(agent, "__name__", "agent"))
        return _of_code(name or own, agent, place, "python")
    path, mode = _without_mode(agent)
    if is_path(path):
        return _of_path(Path(path), mode, name or agent)
    parsed = parse_spec(agent)
    entry = find_entry(parsed)
    # A first option may have no key, and sorts before the others.
    written = sorted(parsed.options.items())
    options = ",".join(f"{key}={value}" if key else value for key, value in written)
    pinned = f"{entry.name}@{entry.version}" + (f":{options}" if options else "")
    return _of_code(name or agent, pinned, pinned, entry.source)


def _of_code(name: str, agent: str | AgentFactory, pinned: str, source: str) -> AgentIdentity:
    text = f"{source} {_version(source)} {pinned}"
    return AgentIdentity(name, agent, pinned, hashlib.sha256(text.encode()).hexdigest(), source)


def _of_path(path: Path, mode: str, name: str) -> AgentIdentity:
    if path.is_file():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return AgentIdentity(name, f"{path}{mode}", f"onnx@{digest[:12]}{mode}", digest, "onnx")
    # Lazily: games between bots neither need nor import torch.
    from arboretum_agents.neural.checkpoint_reader import MANIFEST_NAME, find_checkpoint

    folder = find_checkpoint(path)
    digest = hashlib.sha256((folder / MANIFEST_NAME).read_bytes()).hexdigest()
    pinned = f"checkpoint@{digest[:12]}{mode}"
    return AgentIdentity(name, f"{folder}{mode}", pinned, digest, "checkpoint")


def _without_mode(spec: str) -> tuple[str, str]:
    """The spec without ``:mode=...``, the one option that a folder takes; and that."""
    head, colon, tail = spec.rpartition(":")
    return (head, colon + tail) if tail.startswith("mode=") else (spec, "")


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"
