"""Engine against reference: 3,000 random games for each number of players, and reduced games."""

import pytest

from tests.differential import lockstep
from tests.differential.lockstep import DisagreementError, Lockstep, compare
from tests.reference import Options, ReferenceGame

SPECIES = {2: "CDJVLG", 3: "CDJVLGMP", 4: "CDJVLGMPOW"}
# docs/rules.md, The end: fewest and most turns without and with starting discards; coordinates.
TURNS = {2: (17, 33), 3: (22, 42), 4: (26, 51)}
TURNS_STARTING = {2: (17, 33), 3: (21, 42), 4: (25, 51)}
REACH = {2: 16, 3: 13, 4: 12}


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("starting_discards", [False, True], ids=["plain", "starting"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_full_games(players: int, starting_discards: bool, chunk: int) -> None:
    options = Options(players, SPECIES[players], starting_discards=starting_discards)
    games = range(375 * chunk, 375 * chunk + 375)
    tally = compare(options, 20_260_101 + players, games, observed=0.05)
    assert tally.games == 375
    assert tally.decisions == 5 * sum(tally.turns)
    fewest, most = (TURNS_STARTING if starting_discards else TURNS)[players]
    # Hurrying and lingering play reach the exact bounds of the rules, and never pass them.
    assert (min(tally.turns), max(tally.turns), tally.extent) == (fewest, most, REACH[players])
    # The mover's at every decision, every seat's in nineteen games (and after their end).
    assert tally.observations >= tally.decisions + 19 * (players - 1) * (5 * fewest + 1)


REDUCED = [
    # The smallest game of each number of players.
    Options(2, "CD", 3, 1),
    Options(3, "CD", 3, 1),
    Options(4, "CD", 3, 1),
    # A deck of exactly two.
    Options(2, "CD", 8, 7),
    Options(3, "CDJV", 4, 4, starting_discards=True),
    Options(4, "WOM", 3, 1, starting_discards=True),
    # Odd sizes, unusual species in an unusual order.
    Options(2, "CD", 4, 2),
    Options(2, "JDC", 5, 3, starting_discards=True),
    Options(2, "PWOM", 7, 5),
    Options(3, "GVLD", 6, 4, starting_discards=True),
    Options(3, "CDJVL", 7, 6),
    Options(4, "CDJ", 4, 2),
    Options(4, "CDJVL", 7, 5, starting_discards=True),
    # The longest games that there are: one hand card, all eighty cards.
    Options(2, "CDJVLGMPOW", 8, 1),
    Options(3, "WOPMGLVJDC", 8, 2, starting_discards=True),
    # The rule switches.
    Options(2, "CDJVLG", cancel_eights=False),
    Options(3, "CDJV", 5, 4, cancel_eights=False, starting_discards=True),
    Options(4, "CDJVLGMPOW", rights="all"),
    Options(2, "CDJ", 6, 4, cancel_eights=False, rights="all"),
]


@pytest.mark.parametrize("options", REDUCED, ids=str)
def test_reduced_games(options: Options) -> None:
    tally = compare(options, 99, range(100), observed=0.2)
    cards_left = len(options.cards) - options.num_players * options.hand_size
    deck = cards_left - (options.num_players - 1) * options.starting_discards
    assert tally.games == 100
    assert min(tally.turns) >= -(-deck // 2)
    assert max(tally.turns) <= cards_left - 1
    assert tally.extent <= -(-(cards_left - 1) // options.num_players) - 1


def test_a_disagreement_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a reference that forbids the own pile is caught."""

    class Strict(ReferenceGame):
        def legal(self) -> set[tuple[object, ...]]:
            return super().legal() - {("pile", self.mover)}

    monkeypatch.setattr(lockstep, "ReferenceGame", Strict)
    with pytest.raises(DisagreementError, match="legal actions"):
        Lockstep(Options(), 5, range(8), range(0)).run()
