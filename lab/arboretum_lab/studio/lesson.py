"""The lesson: what each step shows, and whether an answer is right, by the engine's rules.

Nothing is kept: an answer comes whole (all moves of a turn so far, all cards of a path), and what
comes back is where it leads, whether the step is done, and the engine's account in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from arboretum_env.actions import Action, encode, torus_cell
from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import path_points
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, ConfigError
from arboretum_env.notation import legal_moves, open_cells, parse_move
from arboretum_env.phase import Phase
from arboretum_env.records.board import Board
from arboretum_env.records.board_json import board_from_json
from arboretum_env.records.scoresheet import ScoreSheet, state_sheet
from arboretum_env.view import PlayerView, redact
from arboretum_lab.studio.lesson_steps import STEPS, Game, Step
from arboretum_lab.studio.pad import pictures
from arboretum_lab.studio.sheet import path_terms, right_words, sheet_json
from arboretum_lab.studio.table import table_json

READER: Final = 0
NAMES: Final = ("you", "your rival", "the third player", "the fourth player")
_HANDS: Final = ("your hand", "your rival's hand", "the third hand", "the fourth hand")


@dataclass(frozen=True)
class Verdict:
    """What the engine says of an answer.

    Attributes:
        right: the step is done.
        text: why, or why not.
    """

    right: bool
    text: str


def find_step(name: str) -> Step | None:
    """The step of that id."""
    return next((step for step in STEPS if step.id == name), None)


def step_json(step: Step) -> dict[str, Any]:
    """Everything that the page shows of a step, but not its answer."""
    data: dict[str, Any] = {
        "id": step.id,
        "title": step.title,
        "text": list(step.text),
        "task": step.task,
        "kind": step.kind,
        "species": step.species,
        "numbers": list(step.numbers),
    }
    if step.game is not None:
        data["table"] = _table(_start(step.game))
    if step.board is not None:
        board = board_from_json(step.board.to_json())
        planted = max(map(len, board.arboreta))
        data |= {
            "board": step.board.to_json(),
            "letters": board.species,
            # Without paths: to find them is the task.
            "pictures": pictures(board, board, None) if planted else [],
            "names": list(NAMES[: len(board.hands)]),
        }
    return data


def check(step: Step, answer: Sequence[str]) -> dict[str, Any]:
    """Judges an answer: ``right``, ``feedback``, and ``table`` (of ``play``) where it leads to.

    Raises:
        ConfigError: an answer of another kind than the step's.
    """
    data: dict[str, Any] = {}
    if step.game is not None:
        state = _start(step.game)
        fault = _play(state, answer)
        data["table"] = _table(state)
        verdict = Verdict(False, fault) if fault else _judge_play(step, state, answer)
        if state.done[0]:
            data["sheet"] = sheet_json(state_sheet(state), state.config, _HANDS)
    else:
        assert step.board is not None
        board = board_from_json(step.board.to_json())
        verdict = _JUDGES[step.kind](step, board, answer)
        if verdict.right:
            # Now that it is found, the paths may be seen.
            data["pictures"] = pictures(board, board, board.score())
    praise = f"{step.praise} {verdict.text}".strip()
    return data | {"right": verdict.right, "feedback": praise if verdict.right else verdict.text}


# Games


def _start(game: Game) -> GameState:
    config = GameConfig(num_players=2, species=game.species, hand_size=len(game.hands[0]))
    state = deal_exact(config, game.hands, game.deck)
    fault = _play(state, game.moves)
    assert not fault, fault  # the lesson's own content
    return state


def _view(state: GameState, seat: int) -> PlayerView:
    return PlayerView.from_observation(state.config, redact(state, seat).observation[0])


def _play(state: GameState, moves: Sequence[str]) -> str:
    """Plays moves as far as they are legal; why the next one is not, or ``""``."""
    for move in moves:
        if state.done[0]:
            return "The game is over."
        try:
            actions = parse_move(_view(state, int(state.mover[0])), move)
        except ActionError as error:
            return str(error)
        for action in actions:
            apply_action(state, np.array([action]))
    return ""


def _table(state: GameState) -> dict[str, Any]:
    view = _view(state, READER)
    moves = legal_moves(view)
    cells = {}
    if view.phase is Phase.PLAY:
        cells = {
            cell: encode(view.config, Action("place_cell", torus_cell(view.config, *cell)))
            for cell in open_cells(view)
        }
    return table_json(view, NAMES[:2], cells=cells) | {"moves": list(moves)}


def _judge_play(step: Step, state: GameState, moves: Sequence[str]) -> Verdict:
    phase = Phase(int(state.phase[0]))
    if step.goal == "pile":
        if phase is not Phase.PLAY:
            return Verdict(False, "One more card.")
        if not any(move.startswith("p") for move in moves):
            return Verdict(False, "Both came from the deck. Try again, and take one from a pile.")
        return Verdict(True, "")
    if int(state.mover[0]) == READER and phase is not Phase.GAME_OVER:
        words = {Phase.DISCARD: "Planted. Now discard a card.", Phase.PLAY: "Now plant a card."}
        return Verdict(False, words.get(phase, "One more card."))
    sheet = state_sheet(state)
    if step.goal == "turn":
        index = state.config.species.index(step.species)
        path = sheet.players[READER].rows[index].best_path
        name = SPECIES_NAMES[step.species]
        if not path:
            return Verdict(False, f"That turn left you without a path of {name}. Try again.")
        return Verdict(True, f"{' '.join(path)}: {path_terms(path, step.species, state.config)}.")
    return _judge_win(sheet)


def _judge_win(sheet: ScoreSheet) -> Verdict:
    own, *others = sheet.scores
    points = f"You have {own} points, your rival {others[0]}."
    if sheet.winners == (READER,):
        return Verdict(True, f"{points} You win.")
    if READER in sheet.winners:
        return Verdict(
            False, f"{points} As many species planted, too: the win is shared. Try again."
        )
    return Verdict(False, f"{points} Your rival wins. Try again.")


# Boards


def _judge_path(step: Step, board: Board, answer: Sequence[str]) -> Verdict:
    fault = path_fault(board, answer, step.species)
    if fault:
        return Verdict(False, fault)
    config = board.config
    species = config.species.index(step.species)
    points = path_points(list(map(config.parse_card, answer)), species, config.num_ranks)
    words = f"{path_terms(answer, step.species, config)}: {points} points."
    if len(answer) < step.cards:
        return Verdict(False, f"A path, but a short one: expected at least {step.cards} cards.")
    best = board.score().players[READER].rows[species].path_points
    if step.goal == "best" and points < best:
        return Verdict(False, f"A path: {words} But there is a better one.")
    return Verdict(True, words[0].upper() + words[1:])


def path_fault(board: Board, cards: Sequence[str], species: str) -> str:
    """Why some cards of the reader's arboretum are no path of a species; ``""`` if they are."""
    cell_of = {board.config.card_text(card): (x, y) for x, y, card in board.arboreta[READER]}
    name = SPECIES_NAMES[species]
    missing = [card for card in cards if card not in cell_of]
    if missing:
        return f"{missing[0][:4]!r} is not planted here."
    if len(cards) < 2:
        return "A path has at least two cards."
    for before, card in pairwise(cards):
        (x, y), (column, row) = cell_of[before], cell_of[card]
        if abs(x - column) + abs(y - row) != 1:
            return f"{card} is not next to {before}: up, down, left and right alone count."
        if int(card[1:]) <= int(before[1:]):
            return f"{card} is not higher than {before}."
    if cards[0][0] != species:
        return f"It begins with {cards[0]}, which is no {name}."
    if cards[-1][0] != species:
        return f"It ends with {cards[-1]}, which is no {name}."
    return ""


def _judge_species(step: Step, board: Board, answer: Sequence[str]) -> Verdict:
    if set(answer) - set(board.species):
        raise ConfigError(f"{list(answer)}: expected letters of {board.species}")
    rows = board.score().players[READER].rows
    paths = {row.species: " ".join(row.best_path) for row in rows if row.best_path}
    wrong = next((letter for letter in answer if letter not in paths), None)
    if wrong is not None:
        return Verdict(False, f"There is no path of {SPECIES_NAMES[wrong]}: look at both its ends.")
    if len(set(answer)) < len(paths):
        return Verdict(False, "That is right, but not all." if answer else "Choose at least one.")
    found = "; ".join(f"{SPECIES_NAMES[letter]}: {path}" for letter, path in paths.items())
    return Verdict(True, f"{found}.")


def _judge_number(step: Step, board: Board, answer: Sequence[str]) -> Verdict:
    if len(answer) != 1 or answer[0] not in map(str, step.numbers):
        raise ConfigError(f"{list(answer)}: expected one of {list(step.numbers)}")
    row = board.score().players[READER].rows[board.species.index(step.species)]
    if int(answer[0]) != row.path_points:
        less = int(answer[0]) < row.path_points
        return Verdict(False, f"It is {'more' if less else 'less'} than that.")
    terms = path_terms(row.best_path, step.species, board.config)
    return Verdict(True, f"{terms}: {row.path_points} points.")


def _judge_seats(step: Step, board: Board, answer: Sequence[str]) -> Verdict:
    seats = list(map(str, range(len(board.hands))))
    if set(answer) - set(seats):
        raise ConfigError(f"{list(answer)}: expected seats of {seats}")
    sheet = board.score()
    index = board.species.index(step.species)
    rows = [player.rows[index] for player in sheet.players]
    right = [str(seat) for seat, row in enumerate(rows) if row.right]
    if sorted(set(answer)) != right:
        sums = ", ".join(f"{_HANDS[seat]}: {row.sum_text}" for seat, row in enumerate(rows))
        return Verdict(False, f"Add up what counts: {sums}.")
    words = [
        f"{_HANDS[seat].capitalize()}: {right_words(sheet, seat, row, board.config, _HANDS)}"
        for seat, row in enumerate(rows)
    ]
    return Verdict(True, " ".join(words))


def _judge_discard(step: Step, board: Board, answer: Sequence[str]) -> Verdict:
    hand = [board.config.card_text(card) for card in board.hands[READER]]
    if len(answer) != 1 or answer[0] not in hand:
        raise ConfigError(f"{list(answer)}: expected one card of {hand}")
    return _judge_win(without(board, answer[0]).score())


def without(board: Board, card: str) -> Board:
    """The board after the reader has discarded a card."""
    own, *others = board.hands
    kept = tuple(held for held in own if board.config.card_text(held) != card)
    return Board(board.config, board.species, (kept, *others), board.arboreta)


_JUDGES: Final = {
    "path": _judge_path,
    "species": _judge_species,
    "number": _judge_number,
    "seats": _judge_seats,
    "discard": _judge_discard,
}
