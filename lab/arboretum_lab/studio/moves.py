"""The choices of a seat as data, and why a choice is none."""

from collections.abc import Sequence
from typing import Any

from arboretum_env.actions import action_slices, action_text, decode, torus_cell
from arboretum_env.errors import ActionError
from arboretum_env.notation import EXPECTED, legal_moves, open_cells, parse_move
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView


def choices(view: PlayerView) -> list[dict[str, Any]]:
    """Every legal decision of the view's seat: its action id and what it is about."""
    config = view.config
    found = []
    cells = {torus_cell(config, x, y): [x, y] for x, y in open_cells(view)}
    for action_id in view.legal_actions():
        action = decode(config, action_id)
        choice: dict[str, Any] = {"action": action_id, "kind": _KINDS[action.kind]}
        match action.kind:
            case "draw_discard":
                owner = (view.seat + action.index) % config.num_players
                choice["seat"] = owner
                choice["card"] = config.card_text(view.discard_piles[owner][-1])
            case "play_card" | "discard_card":
                choice["card"] = config.card_text(action.index)
            case "place_cell":
                choice["cell"] = cells[action.index]
        found.append(choice)
    return found


_KINDS = {
    "draw_deck": "draw_deck",
    "draw_discard": "draw_discard",
    "play_card": "play",
    "place_cell": "place",
    "discard_card": "discard",
}


def cells_to_come(view: PlayerView) -> list[dict[str, Any]]:
    """While a card is chosen to be planted: where it may go then, with the second action's id."""
    if view.phase is not Phase.PLAY:
        return []
    return [{"cell": [x, y], "action": action} for (x, y), action in cells_now(view).items()]


def cells_now(view: PlayerView) -> dict[tuple[int, int], int]:
    """Cell -> action id of every cell where the card that is planted now may go."""
    if view.mover != view.seat or view.phase not in (Phase.PLAY, Phase.PLACE):
        return {}
    start = action_slices(view.config)["place_cell"].start
    return {(x, y): start + torus_cell(view.config, x, y) for x, y in open_cells(view)}


def why_illegal(view: PlayerView, actions: Sequence[int]) -> str:
    """Why one or two action ids are no move of the seat to move; ``""`` if they are one."""
    legal = set(view.legal_actions())
    if len(actions) == 1 and actions[0] in legal:
        return ""
    if tuple(actions) in legal_moves(view).values():
        return ""
    try:
        parse_move(view, _text(view, actions))
    except ActionError as error:
        return str(error)
    return f"expected {EXPECTED[view.phase]}"


def _text(view: PlayerView, actions: Sequence[int]) -> str:
    """The actions as a person would write them, as far as they can be written at all.

    Raises:
        ActionError: an id outside the action space.
    """
    config, words = view.config, []
    near = {torus_cell(config, x, y): (x, y) for x, y in open_cells(view)}
    near |= {torus_cell(config, x, y): (x, y) for x, y, _ in view.arboreta[view.seat]}
    for action in actions:
        struct = decode(config, action)
        cell = near.get(struct.index) if struct.kind == "place_cell" else None
        words.append(action_text(config, action, view.seat, cell))
    text = "".join(words)
    if view.phase is Phase.PLACE and text.startswith("@") and view.chosen_card is not None:
        return f"{config.card_text(view.chosen_card)}{text}"
    if view.phase is Phase.PLAY and "@" not in text and len(text) == 2:
        return f"{text}@0,0"  # the card alone is the question
    return text
