"""The tokens of a turn, shared by the text form and the JSON form of a record.

In the order of a turn, two draws, a plant and a discard::

    d           draw from the deck           ?           the same, its card not seen by who noted it
    p0(O3)      take the top of seat 0's pile (absolute seat), which is O3
    M7@0,-1     plant M7 on x 0, y -1        M7@         M7 is chosen, but not yet placed
    xO3         discard O3
"""

import re
from dataclasses import replace

from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, RecordError
from arboretum_env.records.record import MAX_COORDINATE, UNKNOWN, Draw, TurnRecord

_PILE = re.compile(r"p([0-9])\(([^()]*)\)", re.ASCII)
_PLANT = re.compile(r"([^@]*)@(?:(-?[0-9]{1,2}),(-?[0-9]{1,2}))?", re.ASCII)


def card_or_unknown_text(config: GameConfig, card: int) -> str:
    """Text of a card, ``?`` for an unknown one."""
    return "?" if card == UNKNOWN else config.card_text(card)


def parse_card_or_unknown(config: GameConfig, text: str) -> int:
    """Card id of a text, ``UNKNOWN`` for ``?``; raises ``CardError``."""
    return UNKNOWN if text == "?" else config.parse_card(text)


def turn_tokens(config: GameConfig, turn: TurnRecord) -> list[str]:
    """The tokens of a turn, one per decision but for card and cell, which share one."""
    tokens = []
    for draw in turn.draws:
        if draw.pile >= 0:
            tokens.append(f"p{draw.pile}({config.card_text(draw.card)})")
        else:
            tokens.append("d" if draw.seen else "?")
    if turn.card is not None:
        cell = "" if turn.cell is None else f"{turn.cell[0]},{turn.cell[1]}"
        tokens.append(f"{config.card_text(turn.card)}@{cell}")
    if turn.discard is not None:
        tokens.append(f"x{config.card_text(turn.discard)}")
    return tokens


def add_token(config: GameConfig, turn: TurnRecord, token: str) -> TurnRecord:
    """The turn with one more token.

    Raises:
        RecordError: the token is malformed or has no place here; without a line.
    """
    try:
        if len(turn.draws) < 2:
            return replace(turn, draws=(*turn.draws, _parse_draw(config, token)))
        if turn.card is None:
            return _parse_plant(config, turn, token)
        if turn.cell is None:
            raise RecordError(
                f"nothing can follow {config.card_text(turn.card)}@, a card chosen but not placed",
                token=token,
            )
        if turn.discard is None:
            if not token.startswith("x"):
                raise RecordError("expected a discard such as xG2", token=token)
            return replace(turn, discard=config.parse_card(token[1:]))
    except CardError as error:
        raise RecordError(str(error), token=token) from error
    raise RecordError("the turn is complete: expected the next turn's number", token=token)


def _parse_draw(config: GameConfig, token: str) -> Draw:
    if token in ("d", "?"):
        return Draw(seen=token == "d")
    match = _PILE.fullmatch(token)
    if match is None:
        raise RecordError(
            "expected a draw: d (deck), pN(card) (top of seat N's pile) or ? (deck, not seen)",
            token=token,
        )
    pile = int(match.group(1))
    if pile >= config.num_players:
        raise RecordError(f"expected a seat 0..{config.num_players - 1}", token=token)
    return Draw(pile, config.parse_card(match.group(2)))


def _parse_plant(config: GameConfig, turn: TurnRecord, token: str) -> TurnRecord:
    match = _PLANT.fullmatch(token)
    if match is None:
        raise RecordError(
            "expected a plant such as M7@0,-1 (card@x,y, coordinates within "
            f"+-{MAX_COORDINATE}) or M7@",
            token=token,
        )
    card = config.parse_card(match.group(1))
    if match.group(2) is None:
        return replace(turn, card=card)
    return replace(turn, card=card, cell=(int(match.group(2)), int(match.group(3))))
