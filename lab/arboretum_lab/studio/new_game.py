"""From a form to a game: who sits where, what is dealt, and who is invited."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

from arboretum_agents.human import is_human
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.exact_deal import deal_from_options
from arboretum_env.seeding import random_seed
from arboretum_lab.play.session import Session
from arboretum_lab.studio.forms import NewGameForm
from arboretum_lab.studio.game import Chair, StudioGame
from arboretum_lab.studio.opponents import check_spec
from arboretum_lab.studio.studio import Studio

HUMAN: Final = "human"
GUEST: Final = "guest"
_NAME: Final = re.compile(r"[\w][\w .'-]*")
_INVITATION_BYTES: Final = 18
_GIVEN_DEAL: Final = "as given"


@dataclass(frozen=True)
class NewGame:
    """A game, and by seat the tokens that guests join with; they are kept as hashes alone."""

    game: StudioGame
    invitations: dict[int, str]


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
    specs = _specs(studio, form)
    session = _session(config, specs, form)
    invitations = {
        seat: secrets.token_urlsafe(_INVITATION_BYTES)
        for seat, kind in enumerate(form.seats)
        if kind == GUEST
    }
    chairs = [
        Chair(invitation=invitation_hash(invitations[seat]))
        if seat in invitations
        else Chair(owner if is_human(spec) else None)
        for seat, spec in enumerate(specs)
    ]
    game = studio.store.add(session, chairs, owner, practice=form.practice)
    return NewGame(game, invitations)


def _specs(studio: Studio, form: NewGameForm) -> list[str]:
    """Specs of a session."""
    names = form.names or [""] * form.players
    for what, count in (("seats", len(form.seats)), ("names", len(names))):
        if count != form.players:
            raise ConfigError(f"{count} {what}: expected {form.players}, one a seat")
    if GUEST in form.seats and not studio.settings.lan:
        raise ConfigError("guests join over the network: start the studio with --lan")
    if HUMAN not in form.seats and GUEST not in form.seats:
        raise ConfigError("no person plays: expected at least one seat that is human")
    specs = []
    for kind, name in zip(form.seats, names, strict=True):
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
    options = form.deal.model_dump(exclude_none=True)
    initial = deal_from_options(config, options)
    assert initial is not None  # the form has hands and deck
    seed = random_seed() if form.seed is None else form.seed
    return Session(initial, specs, seed, _GIVEN_DEAL)
