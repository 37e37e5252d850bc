"""The columns of a data set of games, and what is said of it in the file itself.

Two kinds of rows: one a decision, or one a game. Cards are ids as in the engine, species index * R
+ rank - 1 (``cards`` in the description has their texts); sets of cards and actions are bit fields,
number i being bit i mod 8, the least significant first, of byte i div 8
(``numpy.unpackbits(..., bitorder="little")``).

Columns whose name begins with ``privileged_`` hold what no seat could know when it decided: they
are for critics, beliefs and studies, never for a policy. ``outcome_`` columns hold what came of the
game. A deal id names the deal, so it is no input either.
"""

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError, ConfigError
from arboretum_training.research.information_key import KEY_BYTES

RowKind = Literal["decisions", "games"]

FORMAT: Final = 1
"""Raised on every change of a column or of its meaning."""

DESCRIPTION: Final = b"arboretum_dataset"
"""Key of the description, JSON, in the file's metadata."""

_TEXTS: Final = pa.dictionary(pa.int8(), pa.string())


class DatasetError(ArboretumError, ValueError):
    """Options that make no data set, or a file that is none."""


def bit_bytes(count: int) -> int:
    """Bytes of a bit field of so many bits."""
    return -(-count // 8)


def schema_of(config: GameConfig, rows: RowKind, description: Mapping[str, Any]) -> pa.Schema:
    """The columns of a kind of rows, with the description as metadata."""
    fields = _decision_fields(config) if rows == "decisions" else _game_fields(config)
    text = json.dumps(description, sort_keys=True, separators=(",", ":"))
    return pa.schema(fields, metadata={DESCRIPTION: text.encode()})


def _decision_fields(config: GameConfig) -> list[pa.Field]:
    hand = pa.binary(bit_bytes(config.num_cards))
    return [
        pa.field("deal_id", pa.uint64(), nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),
        pa.field("decision", pa.uint16(), nullable=False),  # of the game, all seats, from 0
        pa.field("turn", pa.uint8(), nullable=False),  # completed turns
        pa.field("phase", pa.uint8(), nullable=False),  # arboretum_env.phase.Phase
        pa.field("seat", pa.uint8(), nullable=False),  # who decides
        pa.field("agent", _TEXTS, nullable=False),
        pa.field("agent_hash", _TEXTS, nullable=False),  # SHA-256, evaluation.agent_identity
        pa.field("information_set", pa.binary(KEY_BYTES), nullable=False),
        pa.field("legal_mask", pa.binary(bit_bytes(num_actions(config))), nullable=False),
        pa.field("policy", pa.list_(pa.float32())),  # of the legal actions, ascending
        pa.field("action", pa.uint16(), nullable=False),
        pa.field("action_probability", pa.float32()),  # that the agent took this action
        pa.field("outcome_points", pa.uint16(), nullable=False),  # of this seat
        pa.field("outcome_margin", pa.float32(), nullable=False),  # over the mean of the others
        pa.field("outcome_win_share", pa.float32(), nullable=False),
        pa.field("outcome_forfeit", pa.int8()),  # the seat that forfeited the game, or null
        *(
            pa.field(f"privileged_hand_{seat}", hand, nullable=False)
            for seat in range(config.num_players)
        ),
    ]


def _game_fields(config: GameConfig) -> list[pa.Field]:
    cards, seats = pa.list_(pa.uint8()), range(config.num_players)
    return [
        pa.field("deal_id", pa.uint64(), nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),
        *(pa.field(f"agent_{seat}", _TEXTS, nullable=False) for seat in seats),
        *(pa.field(f"agent_hash_{seat}", _TEXTS, nullable=False) for seat in seats),
        pa.field("turns", pa.uint8(), nullable=False),
        pa.field("actions", pa.list_(pa.uint16()), nullable=False),
        pa.field("starting_discards", cards, nullable=False),  # by seat, from seat 1
        *(pa.field(f"outcome_points_{seat}", pa.uint16(), nullable=False) for seat in seats),
        *(pa.field(f"outcome_denied_{seat}", pa.uint16(), nullable=False) for seat in seats),
        *(pa.field(f"outcome_win_share_{seat}", pa.float32(), nullable=False) for seat in seats),
        pa.field("outcome_forfeit", pa.int8()),
        *(pa.field(f"privileged_dealt_{seat}", cards, nullable=False) for seat in seats),
        *(pa.field(f"privileged_final_hand_{seat}", cards, nullable=False) for seat in seats),
        pa.field("privileged_deck", cards, nullable=False),  # in draw order
    ]


def project_version() -> str:
    """The version of this distribution, for the description."""
    return version("arboretum-lab")


def read_description(path: Path) -> dict[str, Any]:
    """What a data set says of itself.

    Raises:
        DatasetError: no Parquet file, or not one of ``arboretum dataset``, or of another format.
        OSError: it cannot be read.
    """
    with path.open("rb"):  # for its own errors, which name the file
        pass
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (pa.ArrowInvalid, OSError) as error:
        raise DatasetError(f"{path}: no Parquet file, or not whole: {error}") from error
    if DESCRIPTION not in metadata:
        raise DatasetError(f"{path}: expected a data set of `arboretum dataset`")
    description: dict[str, Any] = json.loads(metadata[DESCRIPTION])
    if description.get("format") != FORMAT:
        raise DatasetError(f"{path}: format {description.get('format')}, expected {FORMAT}")
    missing = {"rows", "game", "seed", "games", "agents"} - description.keys()
    if missing:
        raise DatasetError(f"{path}: its description lacks {', '.join(sorted(missing))}")
    return description


def config_of(description: Mapping[str, Any]) -> GameConfig:
    """The game of a data set.

    Raises:
        DatasetError: it describes none.
    """
    try:
        return GameConfig(**description["game"])
    except (ConfigError, KeyError, TypeError) as error:
        raise DatasetError(f"the data set describes no game: {error}") from error
