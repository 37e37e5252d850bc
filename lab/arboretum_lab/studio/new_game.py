"""From a form to a game: who sits where, what is dealt, and who is invited."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from arboretum_agents.human import is_human
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.exact_deal import deal_from_options
from arboretum_env.records.replay import Position
from arboretum_env.seeding import random_seed
from arboretum_lab.play.session import Session
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.filled_deal import filled_deal
from arboretum_lab.studio.forms import NewGameForm
from arboretum_lab.studio.game import Chair, StudioGame
from arboretum_lab.studio.opponents import check_spec
from arboretum_lab.studio.studio import Studio

HUMAN: Final = "human"
GUEST: Final = "guest"
_NAME: Final = re.compile(r"[\w][\w .'-]*")
_INVITATION_BYTES: Final = 18
_GIVEN_DEAL: Final = "as given"
_FILLED_DEAL: Final = "as given, the others shuffled"


@dataclass(frozen=True)
class NewGame:
    """A game, and by seat the tokens that guests join with; they are kept as hashes alone."""

    game: StudioGame
    invitations: dict[int, str]

    def invitations_json(self, network: str) -> list[dict[str, Any]]:
        """What the page shows to whoever began the game.

        Args:
            network: the page's address for other devices. A link names the game and the token
                behind its ``#``, which no browser sends to a server.
        """
        return [
            invitation_json(self.game, seat, token, network)
            for seat, token in self.invitations.items()
        ]


def invitation_json(game: StudioGame, seat: int, token: str, network: str) -> dict[str, Any]:
    """One invitation, see ``NewGame.invitations_json``."""
    return {"seat": seat, "token": token, "link": f"{network}#/join/{game.id}/{token}"}


def new_invitation() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_INVITATION_BYTES)


def invitation_hash(token: str) -> str:
    """What is kept of an invitation."""
    return hashlib.sha256(f"invitation {token}".encode()).hexdigest()


def begin(studio: Studio, owner: str, form: NewGameForm) -> NewGame:
    """Deals and keeps a new game.

    Raises:
        ArboretumError: no such game, deal or agent.
        RefusedError: too many games.
    """
    config = GameConfig(
        num_players=form.players,
        species=form.species,
        num_ranks=form.ranks,
        hand_size=form.hand_size,
        starting_discards=form.starting_discards,
        cancel_eights=form.cancel_eights,
        rights=form.rights,
    )
    specs = _specs(studio, form.seats, form.names or [""] * form.players, form.players)
    session = _session(config, specs, form)
    invitations = {seat: new_invitation() for seat, kind in enumerate(form.seats) if kind == GUEST}
    chairs = [
        Chair(invitation=invitation_hash(invitations[seat]))
        if seat in invitations
        else Chair(owner if is_human(spec) else None)
        for seat, spec in enumerate(specs)
    ]
    game = studio.store.add(session, chairs, owner, practice=form.practice)
    return NewGame(game, invitations)


def begin_from_record(
    studio: Studio,
    owner: str,
    start: Position,
    position: Position,
    seats: Sequence[str],
    names: Sequence[str],
) -> StudioGame:
    """Plays on from a position of a record: a practice game, since its deal is known.

    Args:
        studio: keeps the game.
        owner: hash of the browser's token, which gets every seat of a person.
        start: the record's position after the deal.
        position: where the game begins.
        seats: who plays from here, per seat: ``human`` or the spec of an agent.
        names: of the people; ``""`` where there is none.

    Raises:
        ArboretumError: no such agent.
        RefusedError: the position is no game to be played on, or there are too many games.
    """
    if start.record.has_unknown_cards:
        raise RefusedError(
            "invalid", "some cards of this record are unknown: such a game cannot be played on"
        )
    if position.state.done[0]:
        raise RefusedError("not_now", "the game is over there: choose an earlier position")
    if GUEST in seats:
        raise ConfigError("no guests: expected human or the spec of an agent")
    specs = _specs(studio, seats, names, start.record.config.num_players)
    deal = start.record.deal or _GIVEN_DEAL
    session = Session(start.state, specs, random_seed(), deal, position.actions)
    chairs = [Chair(owner if is_human(spec) else None) for spec in specs]
    return studio.store.add(session, chairs, owner, practice=True)


def _specs(studio: Studio, seats: Sequence[str], names: Sequence[str], players: int) -> list[str]:
    """Specs of a session."""
    for what, count in (("seats", len(seats)), ("names", len(names))):
        if count != players:
            raise ConfigError(f"{count} {what}: expected {players}, one a seat")
    if GUEST in seats and not studio.settings.lan:
        raise ConfigError("guests join over the network: start the studio with --lan")
    if HUMAN not in seats and GUEST not in seats:
        raise ConfigError("no person plays: expected at least one seat that is human")
    specs = []
    for kind, name in zip(seats, names, strict=True):
        if kind in (HUMAN, GUEST):
            name = name.strip()
            if name and not _NAME.fullmatch(name):
                raise ConfigError(f"name {name!r}: expected letters, digits, spaces and . ' -")
            specs.append(f"{HUMAN}:name={name}" if name else HUMAN)
        else:
            check_spec(kind, studio.settings)
            specs.append(kind)
    return specs


def _session(config: GameConfig, specs: list[str], form: NewGameForm) -> Session:
    if form.deal is None:
        return Session.begin(config, specs, form.seed)
    seed = random_seed() if form.seed is None else form.seed
    given = form.deal
    if given.fill:
        options = filled_deal(config, given.hands, given.deck, given.discards or [], seed)
    else:
        options = given.model_dump(exclude_none=True, exclude={"fill"})
    initial = deal_from_options(config, options)
    assert initial is not None  # there are hands and deck
    return Session(initial, specs, seed, _FILLED_DEAL if given.fill else _GIVEN_DEAL)
