"""Random game options for the property tests."""

from hypothesis import settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError

LETTERS = "CDJVLGMPOW"

SOME = settings(deadline=None, max_examples=40)
"""Kernels are compiled in the first example, so no example has a deadline."""

seeds = st.integers(0, 2**63 - 1)


@st.composite
def configs(draw: st.DrawFn) -> GameConfig:
    """Any playable game, a third of them the full games of docs/rules.md."""
    players = draw(st.integers(2, 4))
    starting = draw(st.booleans())
    if draw(st.integers(0, 2)) == 0:
        return GameConfig(num_players=players, starting_discards=starting)
    letters = draw(st.permutations(LETTERS))
    options = {
        "num_players": players,
        "species": "".join(letters[: draw(st.integers(2, 10))]),
        "num_ranks": draw(st.integers(3, 8)),
        "starting_discards": starting,
        "cancel_eights": draw(st.booleans()),
        "rights": draw(st.sampled_from(["highest", "all"])),
    }
    try:
        return GameConfig(hand_size=draw(st.integers(1, 7)), **options)
    except ConfigError:
        # Too few cards for these hands. Two species of five leave a deck for any table of ones.
        return GameConfig(**options | {"num_ranks": 5, "hand_size": 1})
