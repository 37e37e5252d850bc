"""Sampled worlds: consistent with the view, uniform over all that are, and keyed."""

import itertools
import math

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ViewError
from arboretum_env.observation import observation_slices
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews, redact
from tests.random_games import CONFIGS, random_actions, random_positions

PUBLIC = (
    *("num_players", "num_species", "num_ranks", "num_cards", "side", "hand_size", "options"),
    *("deck_length", "phase", "mover", "turn", "drawn", "pile_top", "pile_size", "planted", "grid"),
)
"""Fields of a game's row in which no hidden card can be."""

World = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]
"""(hands by seat, deck in draw order, chosen card)."""


def world_of(state: GameState, index: int) -> World:
    seats = range(state.config.num_players)
    hands = tuple(tuple(state.hand(index, seat)) for seat in seats)
    return hands, tuple(state.deck(index)), int(state.chosen_card[index])


def consistent_worlds(view: PlayerView) -> set[World]:
    """Every completion of a view, by going through all orders of the unseen cards."""
    config, players = view.config, view.config.num_players
    seen = {card for hand in view.known_hands for card in hand} | set(view.hand)
    seen |= {card for pile in view.discard_piles for card in pile}
    seen |= {card for planted in view.arboreta for _, _, card in planted}
    unseen = [card for card in range(config.num_cards) if card not in seen]
    extra = (0, 1, 2, 2, 1)[view.phase]
    sizes = [config.hand_size + (extra if seat == view.mover else 0) for seat in range(players)]
    found: set[World] = set()
    for order in itertools.permutations(unseen):
        rest = list(order)
        hands = []
        for seat in range(players):
            if seat == view.seat:
                hands.append(tuple(view.hand))
                continue
            missing = sizes[seat] - len(view.known_hands[seat])
            hands.append(tuple(sorted([*view.known_hands[seat], *rest[:missing]])))
            rest = rest[missing:]
        chosen: tuple[int, ...] = (-1 if view.chosen_card is None else view.chosen_card,)
        if view.phase is Phase.PLACE and view.mover != view.seat:
            chosen = hands[view.mover]
        found |= {(tuple(hands), tuple(rest), card) for card in chosen}
    return found


def assert_uniform(state: GameState, seat: int, keys: np.ndarray) -> int:
    """Samples hit every consistent world, and all equally often; returns how many there are."""
    view = redact(state, seat)
    expected = consistent_worlds(view[0])
    samples = determinize(view.select(np.zeros(len(keys), int)), keys)
    columns = np.concatenate(
        [samples.rows["place"], samples.rows["deck"], samples.rows["chosen"][:, None]], axis=1
    )
    # Deck slots that are drawn already say nothing about a world.
    columns[:, state.config.num_cards :][:, : int(state.rows["drawn"][0])] = 0
    _, first, counts = np.unique(columns, axis=0, return_index=True, return_counts=True)
    assert {world_of(samples, int(i)) for i in first} == expected
    assert len(first) == len(expected)
    mean = len(keys) / len(expected)
    assert mean >= 50
    freedom = len(expected) - 1
    chi_square = float(((counts - mean) ** 2 / mean).sum())
    # Mean and deviation of chi-square: n and sqrt(2 n). Too even would be wrong as well.
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom), (chi_square, freedom)
    return len(expected)


def random_keys(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)


@pytest.mark.parametrize(
    ("config", "count"),
    [
        # 5 unseen cards: the rival's one and the order of the deck's four.
        (GameConfig(num_players=2, species=2, num_ranks=3, hand_size=1), 120),
        # 6 unseen: 2 of them in the rival's hand, 4 in order.
        (GameConfig(num_players=2, species=2, num_ranks=4, hand_size=2), 360),
        (GameConfig(num_players=3, species=2, num_ranks=3, hand_size=1), 120),
        (GameConfig(num_players=4, species=2, num_ranks=3, hand_size=1), 120),
    ],
    ids=lambda value: f"{value.num_players} players" if isinstance(value, GameConfig) else "",
)
@pytest.mark.parametrize("keys", ["random", "counting"])
def test_uniform_after_the_deal(config: GameConfig, count: int, keys: str) -> None:
    state = deal(config, 3, [0])
    samples = 100 * count
    drawn = random_keys(samples, 1) if keys == "random" else np.arange(samples, dtype=np.uint64)
    for seat in range(config.num_players):
        assert assert_uniform(state, seat, drawn) == count


def test_uniform_with_known_cards_and_a_chosen_one() -> None:
    """Seat 1 takes a discarded card and chooses one of its three cards, which ones nobody sees."""
    config = GameConfig(num_players=2, species=3, num_ranks=3, hand_size=1)
    state = deal_exact(config, [["C1"], ["D1"]], ["C2", "C3", "D2", "D3", "J1", "J2", "J3"])
    for text in ("d d C1 @ xC2", "p d"):
        _play(state, text)
    assert state.phase[0] == Phase.PLAY
    # Seat 0 holds C3; unseen: D1 and D2 in seat 1's hand, D3 J1 J2 J3 in the deck.
    before = assert_uniform(state, 0, random_keys(50_000, 2))
    assert before == math.comb(6, 2) * math.factorial(4)
    _play(state, "D2")
    assert state.phase[0] == Phase.PLACE
    # Any of its three cards may be the chosen one, the publicly known C2 too.
    assert assert_uniform(state, 0, random_keys(100_000, 3)) == 3 * before
    # The mover knows which: only the deck and seat 0's card are open to it.
    assert assert_uniform(state, 1, random_keys(50_000, 4)) == math.factorial(5)


def _play(state: GameState, text: str) -> None:
    """Actions of one game: d, p (the rival's pile), a card to choose, @ (any cell), xCARD."""
    config = state.config
    for token in text.split():
        legal = np.flatnonzero(legal_action_mask(state)[0])
        cards, cells = config.num_cards, config.side**2
        action = {"d": 0, "p": 2, "@": int(legal[0])}.get(token)
        if action is None:
            card = config.parse_card(token.removeprefix("x"))
            action = 3 + card + (cards + cells if token.startswith("x") else 0)
        apply_action(state, np.array([action]))


@pytest.mark.parametrize("name", CONFIGS)
def test_worlds_are_true_positions(name: str) -> None:
    """Everything public is as it was; every card is somewhere; hands and piles have their sizes."""
    config = CONFIGS[name]
    rng = np.random.default_rng(1)
    for number, (state, _) in enumerate(random_positions(config, 8, seed=31)):
        if number % 3:
            continue
        for seat in range(config.num_players):
            views = redact(state, seat)
            world = determinize(views, rng)
            for field in PUBLIC:
                assert np.array_equal(world.rows[field], state.rows[field]), field
            shown = views.cards[:, :, 0] != 0
            for field in ("place", "order", "x", "y", "below"):
                mine, there = state.rows[field][shown], world.rows[field][shown]
                if field == "place":  # a final hand is public, whoever took what from where
                    mine, there = mine & ~np.uint8(4), there & ~np.uint8(4)
                assert np.array_equal(there, mine), field
            for i in range(len(state)):
                hands = [world.hand(i, k) for k in range(config.num_players)]
                assert list(map(len, hands)) == [
                    len(state.hand(i, k)) for k in range(config.num_players)
                ]
                known = [state.known_in_hand(i, k) for k in range(config.num_players)]
                if not state.done[i]:
                    assert [world.known_in_hand(i, k) for k in range(config.num_players)] == known
                held = [card for hand in hands for card in hand]
                hidden = sorted([*held, *world.deck(i)])
                truth = [card for k in range(config.num_players) for card in state.hand(i, k)]
                assert hidden == sorted([*truth, *state.deck(i)])
                chosen = int(world.chosen_card[i])
                assert (chosen >= 0) == (int(state.chosen_card[i]) >= 0)
                assert chosen < 0 or chosen in hands[int(state.mover[i])]


@pytest.mark.parametrize("name", CONFIGS)
def test_worlds_can_be_played_to_their_end(name: str) -> None:
    config = CONFIGS[name]
    rng = np.random.default_rng(2)
    for number, (state, _) in enumerate(random_positions(config, 16, seed=32)):
        if number % 23:
            continue
        world = determinize(redact(state, number % config.num_players), rng)
        masks = legal_action_mask(world)
        while not world.done.all():
            step(world, random_actions(masks, rng), masks)
        scores = score(world)
        assert scores.winners.any(axis=1).all()
        assert all(len(world.hand(i, 0)) == config.hand_size for i in range(len(world)))


def test_a_world_depends_on_its_key_and_view_alone() -> None:
    state = deal(GameConfig(num_players=3), 1, np.arange(40))
    views = redact(state, 1)
    keys = random_keys(40, 5)
    together = determinize(views, keys)
    order = np.random.default_rng(6).permutation(40)
    assert np.array_equal(determinize(views.select(order), keys[order]).raw, together.raw[order])
    for i in (0, 17, 39):
        alone = determinize(views.select([i]), keys[[i]])
        assert np.array_equal(alone.raw[0], together.raw[i])


def test_different_keys_give_different_worlds_and_generators_move_on() -> None:
    view = redact(deal(GameConfig(), 1, [0]), 0)
    many = view.select(np.zeros(2_000, int))
    assert len(np.unique(determinize(many, np.arange(2_000, dtype=np.uint64)).raw, axis=0)) == 2_000
    rng, again = np.random.default_rng(7), np.random.default_rng(7)
    first, second = determinize(many, rng), determinize(many, rng)
    assert not np.array_equal(first.raw, second.raw)
    assert np.array_equal(determinize(many, again).raw, first.raw)
    assert np.array_equal(determinize(many, again).raw, second.raw)


def test_the_end_has_one_world() -> None:
    config = CONFIGS["reduced 3"]
    *_, (state, _) = random_positions(config, 5, seed=33)
    assert state.done.all()
    for seat in range(3):
        world = determinize(redact(state, seat), np.random.default_rng(8))
        assert [world_of(world, i) for i in range(5)] == [world_of(state, i) for i in range(5)]
        assert np.array_equal(score(world).points, score(state).points)


@pytest.mark.parametrize(
    ("piece", "change"), [("deck_size", 1), ("deck_size", -1), ("cards", 1), ("phase", 1)]
)
def test_a_view_that_adds_up_to_no_position_is_refused(piece: str, change: int) -> None:
    config = GameConfig()
    views = redact(deal(config, 1, [0, 1]), 0)
    observation = views.observation.copy()
    at = observation_slices(config)[piece].start
    if piece == "cards":  # one more card in the own hand
        at = int(np.flatnonzero(views.cards[1, :, 0] == 0)[0]) * 4
    observation[1, at] += change
    with pytest.raises(ViewError, match="view 1 cannot be a position of this game"):
        determinize(PlayerViews(config, observation), np.random.default_rng(1))


def test_keys_of_the_wrong_number_are_refused() -> None:
    views = redact(deal(GameConfig(), 1, [0, 1]), 0)
    with pytest.raises(ViewError, match=r"keys of shape \(3,\): expected \[2\]"):
        determinize(views, random_keys(3, 1))
