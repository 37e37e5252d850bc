"""Rows of a data set, from games that were played: everything is read off a replay.

``B`` denotes games, ``T`` decisions of the longest, ``N`` rows. A decision's row is that of its
mover; rows stand game by game, in the order of play.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from arboretum_agents.search.agent import SearchAgent
from arboretum_env.actions import num_actions
from arboretum_env.agent import Agent, PolicyAgent, is_deterministic, wants_history
from arboretum_env.engine.deal import initial_deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import Scores
from arboretum_env.engine.state import GameState
from arboretum_env.history import HistoryKeeper
from arboretum_env.match import MatchResult
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from arboretum_training.research.dataset_schema import bit_bytes
from arboretum_training.research.hands import held_cards
from arboretum_training.research.information_key import KEY_BYTES, InformationKeys


@dataclass(frozen=True)
class Cast:
    """Who plays a batch.

    Attributes:
        agents: the agents, reset for these games.
        names: theirs.
        hashes: theirs, see ``evaluation.agent_identity``.
        deal_id: [B] uint64.
        game_id: [B] uint64.
    """

    agents: Sequence[Agent]
    names: Sequence[str]
    hashes: Sequence[str]
    deal_id: NDArray[np.uint64]
    game_id: NDArray[np.uint64]


def replayed_columns(initial: GameState, actions: NDArray[np.int16]) -> dict[str, NDArray[Any]]:
    """What every decision's row holds that follows from deal and actions.

    Args:
        initial: B games as they were dealt.
        actions: [T, B] flat action ids, -1 once a game is over.

    Returns:
        By column name, [N] or [N, bytes]; ``game`` is the row of the game.
    """
    config, batch = initial.config, len(initial)
    steps = len(actions)
    wide = {
        "legal_mask": np.empty((batch, steps, bit_bytes(num_actions(config))), np.uint8),
        "information_set": np.empty((batch, steps, KEY_BYTES), np.uint8),
        "hands": np.empty(
            (batch, steps, config.num_players, bit_bytes(config.num_cards)), np.uint8
        ),
        "turn": np.empty((batch, steps), np.uint8),
        "phase": np.empty((batch, steps), np.uint8),
        "seat": np.empty((batch, steps), np.uint8),
    }
    state, keys, every = initial.clone(), InformationKeys(initial), np.arange(batch)
    masks = np.empty((batch, num_actions(config)), np.bool_)
    for at, taken in enumerate(actions):
        legal_action_mask(state, masks)
        movers = state.mover.astype(np.int64)
        wide["legal_mask"][:, at] = np.packbits(masks, axis=1, bitorder="little")
        wide["information_set"][:, at] = keys.of(every, movers)
        wide["hands"][:, at] = np.packbits(held_cards(state), axis=2, bitorder="little")
        wide["turn"][:, at], wide["phase"][:, at] = state.turn, state.phase
        wide["seat"][:, at] = movers
        ids = _playable(state, taken)
        keys.note(state, ids)
        apply_action(state, ids)
    made = actions.T >= 0  # [B, T]
    game, decision = np.nonzero(made)
    columns: dict[str, NDArray[Any]] = {name: array[made] for name, array in wide.items()}
    hands = columns.pop("hands")
    for seat in range(config.num_players):
        columns[f"privileged_hand_{seat}"] = np.ascontiguousarray(hands[:, seat])
    columns |= {
        "game": game,
        "decision": decision.astype(np.uint16),
        "action": actions.T[made].astype(np.uint16),
    }
    return columns


def _playable(state: GameState, taken: NDArray[np.int16]) -> NDArray[np.int64]:
    """The actions; games that were forfeited are over from there on."""
    ids = taken.astype(np.int64)
    stopped = (ids < 0) & ~state.done
    if stopped.any():
        state.rows["phase"][stopped] = Phase.GAME_OVER
    return ids


def decision_table(match: MatchResult, cast: Cast, schema: pa.Schema) -> pa.Table:
    """One row a decision.

    Args:
        match: played by the cast, with ``keep_actions``.
        cast: who played; asked again for their probabilities.
        schema: of ``dataset_schema``.
    """
    assert match.actions is not None
    columns: dict[str, Any] = dict(replayed_columns(match.initial, match.actions))
    game, seat = columns.pop("game"), columns["seat"].astype(np.int64)
    who = match.seating[game, seat]
    columns |= outcome_columns(match.scores, game, seat)
    columns |= {
        "deal_id": cast.deal_id[game],
        "game_id": cast.game_id[game],
        "agent": _dictionary(who, cast.names),
        "agent_hash": _dictionary(who, cast.hashes),
        "outcome_forfeit": _forfeits(match)[game],
        **_behaviour(match, cast, columns),
    }
    return _table(columns, schema)


def outcome_columns(
    scores: Scores, game: NDArray[np.int64], seat: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """What came of the games for the seats of [N] rows, by column name."""
    points, players = scores.points, scores.points.shape[1]
    margins = points - (points.sum(axis=1, keepdims=True) - points) / (players - 1)
    return {
        "outcome_points": points[game, seat].astype(np.uint16),
        "outcome_margin": margins[game, seat].astype(np.float32),
        "outcome_win_share": scores.win_shares[game, seat].astype(np.float32),
    }


def game_table(match: MatchResult, cast: Cast, schema: pa.Schema) -> pa.Table:
    """One row a game; arguments as for ``decision_table``."""
    columns: dict[str, Any] = {
        "deal_id": cast.deal_id,
        "game_id": cast.game_id,
        "actions": [match.game_actions(row) for row in range(len(match.final))],
        "outcome_forfeit": _forfeits(match),
        **replayed_game_columns(match.initial, match.final, match.scores),
    }
    for seat in range(match.final.config.num_players):
        columns[f"agent_{seat}"] = _dictionary(match.seating[:, seat], cast.names)
        columns[f"agent_hash_{seat}"] = _dictionary(match.seating[:, seat], cast.hashes)
    return _table(columns, schema)


def replayed_game_columns(initial: GameState, final: GameState, scores: Scores) -> dict[str, Any]:
    """What every game's row holds that follows from deal and actions, by column name.

    Args:
        initial, final: B games as they were dealt, and at their end.
        scores: theirs, forfeits settled.
    """
    batch = range(len(final))
    deals = [initial_deal(initial, row) for row in batch]
    columns: dict[str, Any] = {
        "turns": final.turn.copy(),
        "starting_discards": [[card for pile in piles for card in pile] for *_, piles in deals],
        "privileged_deck": [deck for _, deck, _ in deals],
    }
    for seat in range(final.config.num_players):
        columns |= {
            f"outcome_points_{seat}": scores.points[:, seat].astype(np.uint16),
            f"outcome_denied_{seat}": scores.denied_points[:, seat].astype(np.uint16),
            f"outcome_win_share_{seat}": scores.win_shares[:, seat].astype(np.float32),
            f"privileged_dealt_{seat}": [hands[seat] for hands, *_ in deals],
            f"privileged_final_hand_{seat}": [final.hand(row, seat) for row in batch],
        }
    return columns


def _behaviour(
    match: MatchResult, cast: Cast, columns: Mapping[str, NDArray[Any]]
) -> dict[str, pa.Array]:
    """``policy`` and ``action_probability`` of every row; null where an agent gives none."""
    assert match.actions is not None
    made = match.actions.T >= 0
    number = np.full(made.shape, -1)
    number[made] = np.arange(made.sum())  # [B, T] row of the table
    policy: list[Any] = [None] * int(made.sum())
    chance = np.full(len(policy), np.nan, np.float32)
    asked = [i for i, agent in enumerate(cast.agents) if _says(agent)]
    for index, agent in enumerate(cast.agents):
        if is_deterministic(agent):
            played = match.seating[np.nonzero(made)[0], columns["seat"]] == index
            chance[played] = 1.0
    if asked:
        _ask(match, cast, asked, number, policy, chance)
    return {
        "policy": pa.array(policy, pa.list_(pa.float32())),
        "action_probability": pa.array(chance, pa.float32(), mask=np.isnan(chance)),
    }


def _says(agent: Agent) -> bool:
    return isinstance(agent, PolicyAgent) and not is_deterministic(agent)


def _ask(
    match: MatchResult,
    cast: Cast,
    asked: Sequence[int],
    number: NDArray[np.int64],
    policy: list[Any],
    chance: NDArray[np.float32],
) -> None:
    """Plays the games again and asks the agents in the same batches as when they played."""
    assert match.actions is not None
    state = match.initial.clone()
    keeper = HistoryKeeper(state) if any(wants_history(cast.agents[i]) for i in asked) else None
    masks = np.empty((len(state), num_actions(state.config)), np.bool_)
    for at, taken in enumerate(match.actions):
        ids = _playable(state, taken)
        legal_action_mask(state, masks)
        movers = state.mover.astype(np.int64)
        who = np.where(ids >= 0, match.seating[np.arange(len(state)), movers], -1)
        for index in asked:
            agent, rows = cast.agents[index], np.flatnonzero(who == index)
            if not len(rows):
                continue
            assert isinstance(agent, PolicyAgent)
            histories = None
            if keeper is not None and wants_history(agent):
                histories = keeper.histories(rows, movers[rows])
            views = redact(state.select(rows), movers[rows], cast.game_id[rows], histories)
            chances, _ = agent.policy(views)
            for each, row in zip(chances, rows, strict=True):
                policy[number[row, at]] = each[masks[row]]
            # A search takes its best move: its shares of simulations are no chances of it.
            if not isinstance(agent, SearchAgent):
                chance[number[rows, at]] = chances[np.arange(len(rows)), ids[rows]]
        before = state.clone() if keeper is not None else state
        apply_action(state, ids)
        if keeper is not None:
            keeper.note(before, state, ids)


def _forfeits(match: MatchResult) -> NDArray[np.int64]:
    """[B] the seat that forfeited, -1 for none."""
    seats = np.full(len(match.final), -1)
    for row, forfeit in match.forfeits.items():
        seats[row] = forfeit.seat
    return seats


def _dictionary(index: NDArray[np.int64], texts: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(index.astype(np.int8)), pa.array(list(texts)))


def _table(columns: Mapping[str, Any], schema: pa.Schema) -> pa.Table:
    arrays = [_array(field, columns[field.name]) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(field: pa.Field, values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    if pa.types.is_fixed_size_binary(field.type):
        buffer = pa.py_buffer(np.ascontiguousarray(values))
        return pa.FixedSizeBinaryArray.from_buffers(field.type, len(values), [None, buffer])
    if field.name == "outcome_forfeit":
        return pa.array(values, field.type, mask=values < 0)
    return pa.array(values, field.type)
