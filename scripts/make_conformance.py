"""Writes the conformance pack: games that any implementation of the rules must agree with.

    python scripts/make_conformance.py [FOLDER]

One JSON object a line and game, described by ``schema.json`` beside it: the deal, every decision
with its legal action ids, observations, and the final scores. ``tests/golden`` regenerates the pack
and compares, so that no change of behaviour goes unnoticed; run this after a change that is meant.
"""

import base64
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, initial_deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observation_length, observe
from arboretum_env.phase import Phase
from arboretum_env.seeding import uniforms

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "conformance"
ROOT = 20_261_130
ALL_SEATS_EVERY = 37  # every so many decisions the row has the observations of all seats ...
MOVER_EVERY = 9  # ... and every so many that of the mover

Choose = Callable[[GameState, np.ndarray, int], int]


@dataclass(frozen=True)
class Series:
    """Games of one kind; one for every manner of play."""

    name: str
    config: GameConfig
    games: int = 3


def series() -> dict[str, list[Series]]:
    """File name -> what is in it."""
    files: dict[str, list[Series]] = {}
    for players in (2, 3, 4):
        files[f"players_{players}.jsonl"] = [
            Series("plain", GameConfig(num_players=players)),
            Series("starting-discards", GameConfig(num_players=players, starting_discards=True)),
            Series("no-cancelling", GameConfig(num_players=players, cancel_eights=False), 2),
            Series("rights-all", GameConfig(num_players=players, rights="all"), 1),
        ]
    files["reduced.jsonl"] = [
        Series("smallest-2", GameConfig(num_players=2, species=2, num_ranks=3, hand_size=1)),
        Series("smallest-3", GameConfig(num_players=3, species=2, num_ranks=3, hand_size=1)),
        Series("smallest-4", GameConfig(num_players=4, species=2, num_ranks=3, hand_size=1)),
        Series("deck-of-two", GameConfig(num_players=2, species="GM", num_ranks=8, hand_size=7)),
        Series("small-2", GameConfig(num_players=2, species="WOP", num_ranks=4, hand_size=3), 6),
        Series("small-3", GameConfig(num_players=3, species="LVJD", num_ranks=5, hand_size=4), 6),
        Series(
            "small-4",
            GameConfig(
                num_players=4, species="MCW", num_ranks=7, hand_size=2, starting_discards=True
            ),
            6,
        ),
        Series(
            "small-4-no-cancelling",
            GameConfig(num_players=4, species=4, num_ranks=6, hand_size=3, cancel_eights=False),
        ),
    ]
    return files


def rows(parts: list[Series]) -> Iterator[dict[str, Any]]:
    """The games of one file."""
    for number, part in enumerate(parts):
        for game in range(part.games):
            manner = (eager, taking, uniform)[game % 3]
            players = part.config.num_players
            row_id = f"{players}-{part.name}-{game}"
            yield play(row_id, part.config, 1_000 * players + 100 * number + game, manner)


def play(row_id: str, config: GameConfig, game_id: int, manner: Choose) -> dict[str, Any]:
    """One game as a row."""
    state = deal(config, ROOT, [game_id])
    seats = range(config.num_players)
    hands, deck, discards = initial_deal(state, 0)
    digest = hashlib.sha256()
    decisions: list[dict[str, Any]] = []
    while not state.done[0]:
        legal = np.flatnonzero(legal_action_mask(state)[0])
        number = len(decisions)
        action = manner(state, legal, game_id)
        decision: dict[str, Any] = {"legal": legal.tolist(), "action": int(action)}
        shown = [] if number % MOVER_EVERY else [int(state.mover[0])]
        if number % ALL_SEATS_EVERY == 0:
            shown = list(seats)
        if shown:
            decision["observations"] = {str(seat): encoded(state, seat) for seat in shown}
        decisions.append(decision)
        add_observations(digest, state)
        apply_action(state, np.array([action]))
    add_observations(digest, state)
    scores = score(state)
    text = config.card_text
    return {
        "id": row_id,
        "config": config.model_dump(),
        "sizes": {
            "cards": config.num_cards,
            "side": config.side,
            "actions": num_actions(config),
            "observation": observation_length(config),
        },
        "deal": {
            "hands": [[text(card) for card in hand] for hand in hands],
            "deck": [text(card) for card in deck],
            "discards": [[text(card) for card in pile] for pile in discards],
        },
        "decisions": decisions,
        "final_observations": {str(seat): encoded(state, seat) for seat in seats},
        "all_observations_sha256": digest.hexdigest(),
        "scores": {
            "points": scores.points[0].tolist(),
            "winners": np.flatnonzero(scores.winners[0]).tolist(),
            "distinct_species": scores.distinct_species[0].tolist(),
            "hand_sum": scores.hand_sum[0].tolist(),
            "right": scores.right[0].tolist(),
            "path_points": scores.path_points[0].tolist(),
        },
    }


def encoded(state: GameState, seat: int) -> str:
    """An observation's bytes in base64."""
    return base64.b64encode(observe(state, seat)[0].tobytes()).decode("ascii")


def add_observations(digest: "hashlib._Hash", state: GameState) -> None:
    """Adds what every seat sees to a running digest, seat by seat."""
    for seat in range(state.config.num_players):
        digest.update(observe(state, seat)[0].tobytes())


def draw(state: GameState, game_id: int, salt: int) -> float:
    """A number in [0, 1) that depends on the game and the decision alone, on any machine."""
    decision = 5 * int(state.turn[0]) + int(state.phase[0])
    return float(uniforms(ROOT, np.array([game_id]), np.array([salt]), np.array([decision]))[0])


def pick(options: np.ndarray, number: float) -> int:
    """One of some options, by a number in [0, 1)."""
    return int(options[int(number * len(options))])


def uniform(state: GameState, legal: np.ndarray, game_id: int) -> int:
    """Any legal action."""
    return pick(legal, draw(state, game_id, 0))


def taking(state: GameState, legal: np.ndarray, game_id: int) -> int:
    """Mostly draws from discard piles (long games, known cards), else any legal action."""
    draws = int(state.phase[0]) <= Phase.DRAW_SECOND
    if draws and draw(state, game_id, 1) < 0.7 and len(legal[legal > 0]):
        legal = legal[legal > 0]
    return uniform(state, legal, game_id)


def eager(state: GameState, legal: np.ndarray, game_id: int) -> int:
    """Mostly plants where the mover's paths gain most, so that there is something to score."""
    if state.phase[0] not in (Phase.PLAY, Phase.PLACE) or draw(state, game_id, 2) < 0.1:
        return uniform(state, legal, game_id)
    gains = np.array([best_gain(state, int(action)) for action in legal])
    return pick(legal[gains == gains.max()], draw(state, game_id, 3))


def best_gain(state: GameState, action: int) -> int:
    """The mover's path points after an action, and the best cell when the action chose a card."""
    mover = int(state.mover[0])
    after = state.clone()
    apply_action(after, np.array([action]))
    if after.phase[0] == Phase.PLACE:
        cells = np.flatnonzero(legal_action_mask(after)[0])
        after = after.select(np.zeros(len(cells), int))
        apply_action(after, cells)
    return int(score(after).path_points[:, mover].sum(axis=1).max())


def pack() -> dict[str, str]:
    """File name -> text."""
    return {
        name: "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows(parts))
        for name, parts in series().items()
    }


def main() -> None:
    """Writes the files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, text in pack().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{folder / name}: {text.count(chr(10))} games, {len(text)} bytes")


if __name__ == "__main__":
    main()
