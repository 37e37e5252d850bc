"""Writes the tables of docs/environment.md from the tables of the code.

    python scripts/make_environment_docs.py

What stands between ``<!-- generated: NAME -->`` and ``<!-- end of generated -->`` is replaced. A
test in ``tests/docs`` fails while the page differs from what this makes.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from arboretum_env.actions import ACTION_LAYOUT, action_slices, num_actions
from arboretum_env.config import GameConfig
from arboretum_env.observation import (
    OBSERVATION_LAYOUT,
    Place,
    observation_length,
    observation_slices,
)
from arboretum_env.phase import Phase

PAGE = Path(__file__).parents[1] / "docs" / "environment.md"
GAMES = [GameConfig(num_players=players) for players in (2, 3, 4)]
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of generated -->)", re.DOTALL)

PHASES = {
    Phase.DRAW_FIRST: ("draw a card", "draw_deck, draw_discard"),
    Phase.DRAW_SECOND: ("draw another, knowing the first", "draw_deck, draw_discard"),
    Phase.PLAY: ("choose the hand card to plant", "play_card"),
    Phase.PLACE: ("choose its cell, next to any own card", "place_cell"),
    Phase.DISCARD: ("discard a hand card, which ends the turn", "discard_card"),
    Phase.GAME_OVER: ("nothing: the game is over", ""),
}
PLACES = (
    (f"{Place.UNSEEN:d}", "not seen: in the deck or in a rival's hand"),
    (f"{Place.OWN_HAND:d}", "in the own hand"),
    (f"{Place.OWN_KNOWN:d}", "in the own hand, and publicly known to be there"),
    (f"{Place.RIVAL_HAND:d} + k", "publicly known to be in the hand of the k-th seat, k = 1..3"),
    (f"{Place.PILE:d} + k", "on the discard pile of the k-th seat, k = 0..3"),
    (f"{Place.ARBORETUM:d} + k", "in the arboretum of the k-th seat, k = 0..3"),
)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def sizes() -> str:
    """Shape letters and their values."""
    letters: list[tuple[str, str, Callable[[GameConfig], int]]] = [
        ("P", "players", lambda c: c.num_players),
        ("S", "species in play", lambda c: c.num_species),
        ("R", "ranks", lambda c: c.num_ranks),
        ("C", "cards in play, S * R", lambda c: c.num_cards),
        ("n", "most cards that a player can plant", lambda c: c.max_plants),
        ("W", "side of the torus, n + 2", lambda c: c.side),
        ("A", "actions", num_actions),
        ("L", "length of an observation", observation_length),
        ("", "cards in the deck after the deal", lambda c: c.deck_size),
        ("", "fewest turns of a game", lambda c: c.min_turns),
        ("", "most turns of a game", lambda c: c.max_turns),
    ]
    head = ["", "", *(f"{game.num_players} players" for game in GAMES)]
    return table(head, [[n, text, *map(value, GAMES)] for n, text, value in letters])


def phases() -> str:
    """The phases in their order."""
    rows = [(phase.value, phase.name, *PHASES[phase]) for phase in Phase]
    return table(
        ["phase", "name", "the seat to move has to", "legal pieces of the action table"], rows
    )


def id_range(piece: slice) -> str:
    """``3-50``, or ``0`` for a single id."""
    return f"{piece.start}-{piece.stop - 1}" if piece.stop - piece.start > 1 else f"{piece.start}"


def actions() -> str:
    """``ACTION_LAYOUT``."""
    head = ["piece", "size", "meaning", *(f"ids, {game.num_players} players" for game in GAMES)]
    return table(
        head,
        [
            (
                f"`{piece.name}`",
                piece.size_text,
                piece.meaning,
                *(id_range(action_slices(game)[piece.name]) for game in GAMES),
            )
            for piece in ACTION_LAYOUT
        ],
    )


def observation() -> str:
    """``OBSERVATION_LAYOUT``."""
    places = [f"at, {game.num_players} players" for game in GAMES]
    return table(
        ["piece", "shape", "range", "who sees it", "meaning", *places],
        [
            (
                f"`{piece.name}`",
                piece.shape_text,
                f"{piece.low} ... {piece.high}",
                piece.visibility,
                piece.meaning,
                *(id_range(observation_slices(game)[piece.name]) for game in GAMES),
            )
            for piece in OBSERVATION_LAYOUT
        ],
    )


def places() -> str:
    """The codes of a card's place."""
    return table(["place", "the card is"], PLACES)


TABLES: dict[str, Callable[[], str]] = {
    "sizes": sizes,
    "phases": phases,
    "actions": actions,
    "observation": observation,
    "places": places,
}


def with_tables(page: str) -> str:
    """The page with every generated table made anew."""
    return BLOCK.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], page)


def main() -> None:
    """Rewrites the page."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
