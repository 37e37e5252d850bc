"""A network that plays from one ONNX file, with onnxruntime alone: no torch, no training library.

``arboretum export`` writes such a file (docs/export.md); its path is a spec, ``policy.onnx``. The
graph in it takes raw observations, so that nothing here knows what the network sees. A file is
data: nothing of it is executed but the graph's operations, and it may name no further files.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.agent import check_movers, decision_uniforms, sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.rewards import REWARD_KINDS, RewardKind
from arboretum_env.version import RULES_VERSION
from arboretum_env.view import PlayerViews

SCHEMA_VERSION: Final = 1
"""Raised on every change of the graph's inputs, outputs or metadata."""

METADATA: Final = "arboretum"
"""The key of the file's metadata under which ``PolicyFacts`` are, as JSON."""

INPUT: Final = "observation"
OUTPUTS: Final = ("probabilities", "value", "beliefs", "greedy")
MAX_BYTES: Final = 64 << 20

_SIZES: Final = ("num_players", "num_species", "num_ranks", "hand_size")


@dataclass(frozen=True)
class PolicyFacts:
    """What a file says of its policy.

    Attributes:
        game: players, species, ranks and hand size; rule options are read from observations.
        rules_version, layout_hash: what the policy takes an observation and an action to mean.
        weights: SHA-256 of the weights, the same that a checkpoint's manifest has.
        reward: what the network learned to expect.
        made_by: the distribution's version that wrote the file.
    """

    game: Mapping[str, int]
    rules_version: int
    layout_hash: str
    weights: str
    reward: RewardKind
    made_by: str

    @classmethod
    def of(
        cls, config: GameConfig, weights: str, reward: RewardKind, made_by: str
    ) -> "PolicyFacts":
        """The facts of a policy for a game, by this version of the rules."""
        return cls(
            game=_sizes(config),
            rules_version=RULES_VERSION,
            layout_hash=layout_hash(config),
            weights=weights,
            reward=reward,
            made_by=made_by,
        )

    def to_json(self) -> str:
        """The metadata's text."""
        facts = {"schema_version": SCHEMA_VERSION} | vars(self)
        return json.dumps(facts, sort_keys=True)


class OnnxAgent:
    """Plays a policy's graph. Make it with ``load_onnx_agent``.

    Args:
        config: the game it plays, the same that the graph was made for.
        session: onnxruntime's.
        facts: what the file says of its policy.
        mode: draw moves by their probability, or take the likeliest.
    """

    def __init__(
        self, config: GameConfig, session: Any, facts: PolicyFacts, mode: Mode = "sample"
    ) -> None:
        self.config = config
        self.facts = facts
        self.reward: RewardKind = facts.reward
        self.mode = mode
        self._session = session
        self._seed = 0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games; nothing but the seed is kept."""
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] actions."""
        return self.decide(views)[0]

    def decide(self, views: PlayerViews) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """([B] actions, [B] expected return of the view's seat)."""
        if self.mode == "greedy":
            actions, value = self._run(views, "greedy", "value")
            return actions, value
        probabilities, value = self.policy(views)
        return sample_rows(probabilities, decision_uniforms(self._seed, views)), value

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """([B, A] probabilities, [B] expected return of the view's seat)."""
        probabilities, value = self._run(views, "probabilities", "value")
        return probabilities, value

    def beliefs(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] how likely each rival, the next to move first, is to hold each card."""
        [held] = self._run(views, "beliefs")
        return held.astype(np.float64)

    def _run(self, views: PlayerViews, *outputs: str) -> list[NDArray[Any]]:
        check_movers(views)
        return cast(
            list[NDArray[Any]], self._session.run(list(outputs), {INPUT: views.observation})
        )


def load_onnx_agent(path: Path, config: GameConfig, mode: Mode = "sample") -> OnnxAgent:
    """The agent of a file that ``arboretum export`` wrote.

    Args:
        path: the file.
        config: the game it is to play.
        mode: draw moves by their probability, or take the likeliest.

    Raises:
        CheckpointError: no such file, not a policy, or one of another game, layout or rules.
        ModuleNotFoundError: onnxruntime, of the extra "onnx", is not installed.
    """
    data = read_bounded(path)
    session = _session(path, data)
    facts = read_facts(path, session.get_modelmeta().custom_metadata_map)
    if dict(facts.game) != _sizes(config):
        raise CheckpointError(
            f"{path}: made for {_describe(facts.game)}, cannot play {_describe(_sizes(config))}"
        )
    if facts.layout_hash != layout_hash(config):
        raise CheckpointError(
            f"{path}: observation-layout hash {facts.layout_hash[:12]}...: expected "
            f"{layout_hash(config)[:12]}...; the policy was made for another observation or action "
            "layout"
        )
    return OnnxAgent(config, session, facts, mode)


def read_bounded(path: Path) -> bytes:
    """The bytes of a policy's file.

    Raises:
        CheckpointError: it cannot be read, is too large, or names further files.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise CheckpointError(f"{path}: more than {MAX_BYTES} bytes: expected at most that")
    # A tensor outside the file is named by an entry with the key "location", as plain bytes; a
    # file of ours has no such word, and by chance it stands in no weights.
    if b"location" in data:
        raise CheckpointError(f"{path}: refers to data outside the file: refused")
    return data


def read_facts(path: Path, metadata: Mapping[str, str]) -> PolicyFacts:
    """What the file says of its policy.

    Raises:
        CheckpointError: no metadata of ours, or of another schema or version of the rules.
    """
    try:
        facts = json.loads(metadata.get(METADATA, ""))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{path}: has no metadata {METADATA!r}: expected a file of arboretum export"
        ) from error
    match facts:
        case {"schema_version": int(schema)} if schema != SCHEMA_VERSION:
            raise CheckpointError(f"{path}: schema version {schema}: expected {SCHEMA_VERSION}")
        case {"rules_version": int(rules)} if rules != RULES_VERSION:
            raise CheckpointError(f"{path}: rules version {rules}: expected {RULES_VERSION}")
        case {
            "schema_version": int(),
            "rules_version": int(rules),
            "game": dict(game),
            "layout_hash": str(layout),
            "weights": str(weights),
            "reward": str(reward),
            "made_by": str(made_by),
        } if set(game) == set(_SIZES) and reward in REWARD_KINDS:
            return PolicyFacts(game, rules, layout, weights, reward, made_by)
    raise CheckpointError(
        f"{path}: metadata {METADATA!r}: expected schema_version, rules_version, game with "
        f"{', '.join(_SIZES)}, layout_hash, weights, reward and made_by"
    )


def _session(path: Path, data: bytes) -> Any:
    """A session of onnxruntime: one thread, equal sums on every run."""
    # Lazily: whoever plays no such file needs no onnxruntime.
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = 4  # what it says of a faulty file is in the error
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise CheckpointError(f"{path}: {' '.join(str(error).split())[:300]}") from error
    names = [each.name for each in session.get_inputs()], [e.name for e in session.get_outputs()]
    if names != ([INPUT], list(OUTPUTS)):
        raise CheckpointError(
            f"{path}: inputs and outputs {names}: expected {[INPUT]} and {list(OUTPUTS)}"
        )
    return session


def _sizes(config: GameConfig) -> dict[str, int]:
    return {name: getattr(config, name) for name in _SIZES}


def _describe(game: Mapping[str, int]) -> str:
    return (
        f"{game['num_players']} players with {game['num_species']} species of {game['num_ranks']} "
        f"ranks and hands of {game['hand_size']}"
    )
