"""A ``PlayerView`` as JSON and back: what programs in other languages are told.

Cards are texts, cells are true coordinates, seats are absolute. Reading is strict: whatever cannot
be a seat's view of a position of its game is refused, so that no agent computes on nonsense
(``view_checks``).
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from arboretum_env.cards import MAX_RANKS
from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, ConfigError, ViewError
from arboretum_env.option_faults import fault_place, fault_reason
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from arboretum_env.view_checks import check_view

PhaseName = Literal["draw_first", "draw_second", "play", "place", "discard", "game_over"]

_NAME_OF_PHASE: Final[dict[Phase, PhaseName]] = {
    Phase.DRAW_FIRST: "draw_first",
    Phase.DRAW_SECOND: "draw_second",
    Phase.PLAY: "play",
    Phase.PLACE: "place",
    Phase.DISCARD: "discard",
    Phase.GAME_OVER: "game_over",
}
_PHASE_OF_NAME: Final = {name: phase for phase, name in _NAME_OF_PHASE.items()}


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ConfigJson(_Strict):
    """The game's options, under the names of a record's JSON form."""

    players: int
    species: str
    ranks: int = MAX_RANKS
    hand_size: int = 7
    starting_discards: bool = False
    cancel_eights: bool = True
    rights: Literal["highest", "all"] = "highest"


class ViewJson(_Strict):
    """A view, field by field; ``docs/protocol.md`` explains each."""

    config: ConfigJson
    seat: int
    mover: int
    phase: PhaseName
    turn: int
    deck_size: int
    chosen_card: str | None = None
    hand: list[str]
    known_hands: list[list[str]]
    discard_piles: list[list[str]]
    arboreta: list[list[list[int | str]]]
    history: list[str] | None = None


def phase_name(phase: Phase) -> PhaseName:
    """A phase by the name that views in JSON have for it."""
    return _NAME_OF_PHASE[phase]


def config_to_json(config: GameConfig) -> dict[str, Any]:
    """Game options as a plain dictionary."""
    return ConfigJson(
        players=config.num_players,
        species=config.species,
        ranks=config.num_ranks,
        hand_size=config.hand_size,
        starting_discards=config.starting_discards,
        cancel_eights=config.cancel_eights,
        rights=config.rights,
    ).model_dump()


def config_from_json(data: Any) -> GameConfig:
    """The game options of a parsed JSON document; ``species`` may be left out (``""``).

    Raises:
        ConfigError: a field is missing, unknown or wrong, or no such game can be played.
    """
    with_species = {"species": "", **data} if isinstance(data, dict) else data
    try:
        return _config(ConfigJson.model_validate(with_species))
    except ValidationError as error:
        raise ConfigError(f"game options: {_first_fault(error)}") from error


def view_to_json(view: PlayerView) -> dict[str, Any]:
    """The view as a plain dictionary, ready for ``json.dumps``."""
    text = view.config.card_text

    def texts(cards: Sequence[int]) -> list[str]:
        return [text(card) for card in cards]

    return {
        "config": config_to_json(view.config),
        "seat": view.seat,
        "mover": view.mover,
        "phase": phase_name(view.phase),
        "turn": view.turn,
        "deck_size": view.deck_size,
        "chosen_card": None if view.chosen_card is None else text(view.chosen_card),
        "hand": texts(view.hand),
        "known_hands": [texts(sorted(cards)) for cards in view.known_hands],
        "discard_piles": [texts(pile) for pile in view.discard_piles],
        "arboreta": [[[x, y, text(card)] for x, y, card in seat] for seat in view.arboreta],
        "history": None if view.history is None else list(view.history),
    }


def view_from_json(data: Any) -> PlayerView:
    """The view of a parsed JSON document.

    Raises:
        ViewError: a field is missing, unknown or wrong, or the view cannot be a seat's view of a
            position of its game; the message says which part.
    """
    try:
        form = ViewJson.model_validate(data)
    except ValidationError as error:
        raise ViewError(f"view: {_first_fault(error)}") from error
    try:
        config = _config(form.config)
        view = PlayerView(
            config=config,
            seat=form.seat,
            mover=form.mover,
            phase=_PHASE_OF_NAME[form.phase],
            deck_size=form.deck_size,
            turn=form.turn,
            chosen_card=None if form.chosen_card is None else config.parse_card(form.chosen_card),
            hand=tuple(sorted(_cards(config, "hand", form.hand))),
            known_hands=tuple(
                frozenset(_cards(config, "known_hands", hand)) for hand in form.known_hands
            ),
            discard_piles=tuple(
                tuple(_cards(config, "discard_piles", pile)) for pile in form.discard_piles
            ),
            arboreta=tuple(
                tuple(_planted(config, planted) for planted in seat) for seat in form.arboreta
            ),
            history=None if form.history is None else tuple(form.history),
        )
    except (ConfigError, CardError) as error:
        raise ViewError(f"view: {error}") from error
    check_view(view)
    return view


def _config(form: ConfigJson) -> GameConfig:
    return GameConfig(
        num_players=form.players,
        species=form.species,
        num_ranks=form.ranks,
        hand_size=form.hand_size,
        starting_discards=form.starting_discards,
        cancel_eights=form.cancel_eights,
        rights=form.rights,
    )


def _cards(config: GameConfig, name: str, texts: Sequence[str]) -> list[int]:
    cards = [config.parse_card(text) for text in texts]
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise ViewError(f"view: {name}: {texts[index]} stands there twice")
    return cards


def _planted(config: GameConfig, planted: list[int | str]) -> tuple[int, int, int]:
    match planted:
        case [int(x), int(y), str(card)]:
            return x, y, config.parse_card(card)
    raise ViewError(f"view: arboreta: {str(planted)[:40]}: expected [x, y, card]")


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = fault_place(first)
    return f"{place}: {fault_reason(first)}" if place else fault_reason(first)
