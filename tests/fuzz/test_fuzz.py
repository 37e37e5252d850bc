"""A slice of the fuzzer, and proof that each of its invariants can fail.

The whole run is ``python -m tests.fuzz``; CONTRIBUTING.md has what it gave.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.moves import legal_action_mask
from arboretum_env.engine.state import GameState
from tests.fuzz import invariants, play
from tests.fuzz.invariants import InvariantError
from tests.fuzz.play import Tally, fuzz, play_batch, random_config
from tests.fuzz.table import ARBORETUM, DECK, HAND, KNOWN, NOWHERE, PILE, Table
from tests.random_games import random_actions, random_positions


@pytest.mark.parametrize("seed", range(3))
def test_every_invariant_holds_at_every_random_decision(seed: int) -> None:
    tally = Tally()
    fuzz(15_000, seed, tally)
    assert tally.decisions >= 15_000
    assert tally.observations > 2 * tally.decisions
    assert tally.games >= tally.scores > 0


@pytest.mark.parametrize("starting_discards", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_of_every_kind(players: int, starting_discards: bool) -> None:
    tally = Tally()
    config = GameConfig(num_players=players, starting_discards=starting_discards)
    state = play_batch(config, 7, 24, tally)
    play.check_scores(state, range(24), tally)
    # Hurrying and lingering rows reach the shortest and nearly the longest game.
    assert state.turn.min() <= config.min_turns + 1
    assert state.turn.max() >= config.max_turns - 3


def test_kinds_of_games_are_many() -> None:
    rng = np.random.default_rng(0)
    kinds = {random_config(rng) for _ in range(300)}
    assert {kind.num_players for kind in kinds} == {2, 3, 4}
    assert {kind.num_ranks for kind in kinds} == set(range(3, 9))
    assert {kind.hand_size for kind in kinds} == set(range(1, 8))
    assert {kind.num_species for kind in kinds} == set(range(2, 11))
    for switch in ("starting_discards", "cancel_eights", "rights"):
        assert len({getattr(kind, switch) for kind in kinds}) == 2


CONFIG = GameConfig(num_players=3)


@pytest.fixture(scope="module")
def positions() -> dict[int, tuple[GameState, Table, Table, Any]]:
    """By phase, in the middle of games: (state, table, next table, actions between them)."""
    found = {}
    before: tuple[GameState, Table] | None = None
    for state, _ in random_positions(CONFIG, 4, seed=5):
        table = Table.of(state)
        if before is not None and int(before[1].phase[0]) not in found and is_rich(before[1]):
            actions = actions_between(before[0], state)
            found[int(before[1].phase[0])] = (*before, table, actions)
        before = (state.clone(), table)
    assert sorted(found) == list(range(5))
    return found


def is_rich(table: Table) -> bool:
    """Whether the games are far enough on for every change below to be possible."""
    everywhere = set(table.kind[0].tolist()) >= {DECK, HAND, PILE, ARBORETUM}
    return everywhere and 15 <= int(table.turn[0]) <= 25


def actions_between(before: GameState, after: GameState) -> Any:
    """The actions that led from one position of each game to the next."""
    chosen = []
    for row in range(len(before)):
        for action in np.flatnonzero(legal_action_mask(before.select([row]))[0]):
            twin = before.select([row])
            play.step(twin, np.array([action]), legal_action_mask(twin))
            if (twin.raw == after.raw[row]).all():
                chosen.append(int(action))
                break
    return np.array(chosen)


def changed(table: Table, name: str, where: Any, value: Any) -> Table:
    """The table with some entries of one array replaced."""
    array = getattr(table, name).copy()
    array[where] = value(array[where]) if callable(value) else value
    return replace(table, **{name: array})


def first(table: Table, kind: int, number: int = 0) -> tuple[int, int]:
    """Row 0 and its first card (or a later one) of a kind."""
    return 0, int(np.flatnonzero(table.kind[0] == kind)[number])


def raised(value: Any) -> Any:
    return value + 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda t: changed(t, "kind", first(t, PILE), NOWHERE), "a card is nowhere"),
        (lambda t: changed(t, "deck_size", 0, raised), "the deck's size"),
        (lambda t: changed(t, "kind", first(t, PILE), HAND), "a hand has another size"),
        (lambda t: changed(t, "order", first(t, HAND), 0), "a card in hand has an order"),
        (lambda t: changed(t, "order", first(t, DECK), raised), "orders have a gap"),
        (lambda t: changed(t, "order", first(t, ARBORETUM), raised), "orders"),
        (lambda t: changed(t, "owner", first(t, ARBORETUM), lambda k: (k + 1) % 3), "orders"),
    ],
)
def test_cards(positions: Any, change: Callable[[Table], Table], what: str) -> None:
    _, table, _, _ = positions[invariants.PLAY]
    invariants.check_cards(table)
    with pytest.raises(InvariantError, match=f"row 0: {what}"):
        invariants.check_cards(change(table))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda t: changed(t, "turn", 1, 43), "more turns than there can be"),
        (lambda t: changed(t, "phase", 1, invariants.OVER), "fewer turns than there can be"),
        (lambda t: changed(t, "turn", 1, lambda n: n + 3), "a seat planted less or more"),
        (lambda t: changed(t, "deck_size", 1, lambda n: n - 1), "a turn takes one card"),
    ],
)
def test_bounds(positions: Any, change: Callable[[Table], Table], what: str) -> None:
    _, table, _, _ = positions[invariants.DRAW_FIRST]
    invariants.check_bounds(table)
    with pytest.raises(InvariantError, match=f"row 1: {what}"):
        invariants.check_bounds(change(table))


def planted(table: Table, number: int) -> tuple[int, int]:
    """Row 2 and its card of seat 1 with a planting number."""
    mine = (table.kind[2] == ARBORETUM) & (table.owner[2] == 1) & (table.order[2] == number)
    return 2, int(np.flatnonzero(mine)[0])


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda t: changed(t, "x", first(t, HAND), 1), "row 0: a card off the table"),
        (lambda t: changed(t, "y", planted(t, 3), 14), "row 2: a card lies out of reach"),
        (
            lambda t: changed(changed(t, "x", planted(t, 3), 0), "y", planted(t, 3), 0),
            "row 2: a card is covered",
        ),
        (lambda t: changed(t, "x", planted(t, 0), -5), "row 2: the first card is not at 0, 0"),
        (lambda t: changed(t, "x", planted(t, 3), 9), "row 2: a card touches no earlier one"),
    ],
)
def test_arboreta(positions: Any, change: Callable[[Table], Table], what: str) -> None:
    _, table, _, _ = positions[invariants.PLAY]
    invariants.check_arboreta(table)
    with pytest.raises(InvariantError, match=what):
        invariants.check_arboreta(change(table))


def test_two_cells_that_are_one_on_the_torus(positions: Any) -> None:
    """A line of 17 cards on a torus of side 16: its ends are one cell."""
    _, table, _, _ = positions[invariants.PLAY]
    line = changed(table, "kind", 0, HAND)
    line = changed(line, "x", 0, 0)
    for number in range(CONFIG.side + 1):
        card = (0, number)
        for name, value in (("kind", ARBORETUM), ("owner", 0), ("order", number), ("y", 0)):
            line = changed(line, name, card, value)
        line = changed(line, "x", card, number - CONFIG.side // 2)
    with pytest.raises(InvariantError):
        invariants.check_arboreta(line)
    assert invariants._some_twice(np.array([3, 0, 3]))
    assert not invariants._some_twice(np.array([3, 0, 2]))


@pytest.mark.parametrize("phase", range(5))
def test_masks(positions: Any, phase: int) -> None:
    state, table, _, _ = positions[phase]
    mask = legal_action_mask(state)
    invariants.check_mask(table, mask)
    for action in range(mask.shape[1]):
        wrong = mask.copy()
        wrong[3, action] ^= True
        with pytest.raises(InvariantError, match="row 3: the mask is not the legal set"):
            invariants.check_mask(table, wrong)


def test_a_mask_after_the_end() -> None:
    *_, (state, mask) = random_positions(CONFIG, 2, seed=5)
    table = Table.of(state)
    invariants.check_mask(table, mask)
    mask[1, 0] = True
    with pytest.raises(InvariantError, match="row 1: the mask is not the legal set"):
        invariants.check_mask(table, mask)


STEP_FAULTS = {
    "phase": lambda t: changed(t, "phase", 0, raised),
    "turn": lambda t: changed(t, "turn", 0, raised),
    "mover": lambda t: changed(t, "mover", 0, lambda seat: (seat + 1) % 3),
    "the deck's size": lambda t: changed(t, "deck_size", 0, raised),
    "chosen card": lambda t: changed(t, "chosen", 0, raised),
    "place": lambda t: changed(t, "kind", first(t, HAND), KNOWN),
    "owner": lambda t: changed(t, "owner", first(t, ARBORETUM), lambda seat: (seat + 1) % 3),
    "order": lambda t: changed(t, "order", first(t, ARBORETUM), raised),
    "a card changed its cell": lambda t: changed(t, "x", first(t, ARBORETUM), raised),
}


@pytest.mark.parametrize("what", STEP_FAULTS)
@pytest.mark.parametrize("phase", range(5))
def test_steps(positions: Any, phase: int, what: str) -> None:
    _, table, after, actions = positions[phase]
    invariants.check_step(table, after, actions)
    with pytest.raises(InvariantError, match=f"row 0: {what}"):
        invariants.check_step(table, STEP_FAULTS[what](after), actions)


@pytest.mark.parametrize("phase", range(5))
def test_another_action_than_the_one_taken(positions: Any, phase: int) -> None:
    state, table, after, actions = positions[phase]
    others = legal_action_mask(state)
    others[np.arange(len(actions)), actions] = False
    others = random_actions(others, np.random.default_rng(3))
    with pytest.raises(InvariantError):
        invariants.check_step(table, after, others)


def test_what_seats_see(positions: Any) -> None:
    """A table with one hidden card known, or one known card hidden, is not what they see."""
    state, table, _, _ = positions[invariants.PLACE]
    assert invariants.check_observations(state, table) == 12
    for change in (
        changed(table, "kind", first(table, HAND), KNOWN),
        changed(table, "kind", first(table, DECK), KNOWN),
        changed(table, "order", first(table, PILE), raised),
        changed(table, "chosen", 0, raised),
        changed(table, "turn", 0, raised),
        replace(table, config=GameConfig(num_players=3, rights="all")),
    ):
        with pytest.raises(InvariantError, match=r"row 0: seat \d sees something else"):
            invariants.check_observations(state, change)


def test_a_false_score_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    state = play_batch(CONFIG, 7, 2, Tally())
    right = play.score(state)
    monkeypatch.setattr(play, "score", lambda _: replace(right, points=right.points + 1))
    with pytest.raises(InvariantError, match="row 1: the score is not the reference's"):
        play.check_scores(state, range(1, 2), Tally())


def test_a_fault_says_what_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(table: Table, mask: Any) -> None:
        raise InvariantError("row 0: broken")

    monkeypatch.setattr(invariants, "check_mask", broken)
    with pytest.raises(InvariantError, match=r"batch 0 of seed 3, \d+ games of GameConfig\(num_"):
        fuzz(1, 3, Tally())
