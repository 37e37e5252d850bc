"""Puzzles for the page: a question without its answer, and the answer once one has been tried."""

import re
from typing import Any, Final

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.explanation import explain
from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.drawing.board import legal_cells
from arboretum_env.errors import ConfigError
from arboretum_env.notation import legal_moves
from arboretum_lab.puzzles.puzzle import MovePuzzle, Option, Puzzle, RightPuzzle
from arboretum_lab.studio.pad import pictures
from arboretum_lab.studio.sheet import sheet_json
from arboretum_lab.studio.table import table_json

_TITLES: Final = {
    "right": "Who has the right?",
    "discard": "What to discard?",
    "plant": "Where to plant?",
}


def puzzle_line(puzzle: Puzzle) -> dict[str, Any]:
    """A line of the list."""
    return {
        "id": puzzle.id,
        "kind": puzzle.kind,
        "players": len(puzzle.source.agents),
        "title": _TITLES[puzzle.kind],
    }


def puzzle_json(puzzle: Puzzle) -> dict[str, Any]:
    """The question: what the seat sees, and the choices in an order that tells nothing."""
    if isinstance(puzzle, RightPuzzle):
        return puzzle_line(puzzle) | _right_question(puzzle)
    view = puzzle.read_view()
    seat = view.seat
    what = "discard one card" if puzzle.kind == "discard" else "choose where to plant"
    if view.chosen_card is not None:
        what += f" {_name(view.config.card_text(view.chosen_card))}"
    return puzzle_line(puzzle) | {
        "question": f"Your turn, with {_cards(view.deck_size)} left in the deck: {what}.",
        "table": table_json(view, _names(view.config.num_players, seat), cells=legal_cells(view)),
        "chosen": None if view.chosen_card is None else view.config.card_text(view.chosen_card),
        "choices": list(legal_moves(view)),
    }


def _right_question(puzzle: RightPuzzle) -> dict[str, Any]:
    board = puzzle.read_board()
    return {
        "question": f"The game is over and all hands are open. Who may score "
        f"{SPECIES_NAMES[puzzle.species]}?",
        "board": puzzle.board,
        "letters": board.species,
        "species": puzzle.species,
        "names": _names(len(board.hands)),
        "pictures": pictures(board, board, None),
        "choices": [str(seat) for seat in range(len(board.hands))],
    }


def _names(players: int, own: int | None = None) -> list[str]:
    """What the seats are called: ``player 1`` on, or from a seat's place, rivals in turn order."""
    if own is None:
        return [f"player {seat + 1}" for seat in range(players)]
    names = ["you"] * players
    for after in range(1, players):
        rival = "your rival" if players == 2 else f"rival {after}"
        names[(own + after) % players] = rival
    return names


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _name(card: str) -> str:
    return f"the {SPECIES_NAMES[card[0]]} {card[1:]}"


def judge(puzzle: Puzzle, answer: list[str]) -> dict[str, Any]:
    """The answer after one was tried: ``right``, ``answer``, ``feedback`` and what speaks for it.

    Raises:
        ConfigError: an answer that is none of the choices.
    """
    source = puzzle.source
    when = "its end" if puzzle.kind == "right" else f"turn {source.turn + 1}"
    origin = f"Game {source.game} of seed {source.seed}, {when}, {source.agents[0]} in every seat"
    found = _judge_right(puzzle, answer) if isinstance(puzzle, RightPuzzle) else None
    if found is None:
        assert isinstance(puzzle, MovePuzzle)
        found = _judge_move(puzzle, answer)
    return found | {"source": origin}


def _judge_right(puzzle: RightPuzzle, answer: list[str]) -> dict[str, Any]:
    board = puzzle.read_board()
    seats = [str(seat) for seat in range(len(board.hands))]
    if not answer or set(answer) - set(seats):
        raise ConfigError(f"{answer}: expected seats of {seats}")
    sheet = board.score()
    right = [str(seat) for seat in puzzle.answer]
    account = sheet_json(sheet, board.config, _names(board.config.num_players))
    return {
        "right": sorted(set(answer)) == right,
        "answer": right,
        "feedback": "Exactly." if sorted(set(answer)) == right else "Not quite.",
        "account": [
            {
                "seat": seat,
                "text": account["players"][seat]["species"][puzzle.species]["explanation"],
            }
            for seat in range(len(board.hands))
        ],
        "pictures": pictures(board, board, sheet),
    }


def _judge_move(puzzle: MovePuzzle, answer: list[str]) -> dict[str, Any]:
    by_move = {option.move: option for option in puzzle.options}
    if len(answer) != 1 or answer[0] not in by_move:
        raise ConfigError(f"{answer}: expected one of {list(by_move)}")
    chosen, best = by_move[answer[0]], puzzle.options[0]
    right = chosen == best
    return {
        "right": right,
        "answer": [best.move],
        "feedback": _feedback(puzzle, chosen, best),
        "account": [
            {"move": option.move, "text": _words(puzzle, option.move)}
            for option in ([best] if right else [best, chosen])
        ],
        "options": [option.model_dump() for option in puzzle.options],
        "worlds": puzzle.worlds,
        "measure": (
            f"All choices met the same {puzzle.worlds:,} sampled worlds, in which rivals hold what "
            "they are likely to after what the seat has seen (the search's fitted beliefs), played "
            f"to their end by {puzzle.policy}. Intervals are of 95 %. The best "
            f"choice is worth {100 * puzzle.gap:.1f} ± {100 * puzzle.gap_half:.1f} hundredths of "
            "a game more than the second (half the win, half the margin); "
            f"{puzzle.first_worlds:,} other worlds found {100 * puzzle.first_gap:.1f} ± "
            f"{100 * puzzle.first_gap_half:.1f}, and {puzzle.searches} searches of "
            f"{puzzle.simulations:,} simulations {100 * puzzle.search_gap:.1f} ± "
            f"{100 * puzzle.search_gap_half:.1f}."
        ),
        "others": puzzle.others,
    }


def _feedback(puzzle: MovePuzzle, chosen: Option, best: Option) -> str:
    share = f"{100 * best.wins:.0f} ± {100 * best.wins_half:.0f} %"
    if chosen == best:
        return f"Right: it wins {share} of the sampled games, more than any other choice."
    own = f"{100 * chosen.wins:.0f} ± {100 * chosen.wins_half:.0f} %"
    place = [option.move for option in puzzle.options].index(chosen.move) + 1
    return (
        f"Not the best: {chosen.move} wins {own} of the sampled games, {best.move} {share}. "
        f"Yours is number {place} of {len(puzzle.options)}."
    )


def _words(puzzle: MovePuzzle, move: str) -> str:
    """The facts of a move, as hints tell them."""
    view = puzzle.read_view()
    text = explain(RandomAgent(view.config), view, move, legal_moves(view)[move])
    names = _names(view.config.num_players, view.seat)
    return re.sub(r"\bseat (\d)", lambda found: names[int(found[1])], text)
