"""What ``search`` samples and does depends on nothing that its seat cannot know."""

from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_agents.search.beliefs import Beliefs, alike, hand_log_odds, redeal
from arboretum_agents.search.endgame import consistent_deals, count_deals
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.deal import deal
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observe
from arboretum_env.view import redact
from tests.agents.test_loading import saved
from tests.random_games import CONFIGS, random_positions
from tests.secrecy.reshuffle import reshuffle_hidden

HIDDEN_IN_HAND, KNOWN_IN_HAND = 8, 12


def movers(config: GameConfig, games: int, every: int, seed: int) -> GameState:
    """Positions of random games that are not over."""
    kept = [
        state.raw[~state.done]
        for number, (state, _) in enumerate(random_positions(config, games, seed))
        if number % every == 0
    ]
    return GameState(config, np.concatenate(kept))


@pytest.mark.parametrize("name", CONFIGS)
def test_moves(name: str) -> None:
    config = CONFIGS[name]
    state = movers(config, 3, 8, seed=31)
    seats = state.mover.astype(np.int64)
    ids = np.arange(len(state), dtype=np.uint64)
    agent = make_agent("search:simulations=8", config)
    agent.reset(ids, 4)
    views = redact(state, seats, ids)
    moves = agent.act(views)
    rng = np.random.default_rng(8)
    for world in (determinize(views, rng), reshuffle_hidden(state, seats, rng)):
        assert np.array_equal(agent.act(redact(world, seats, ids)), moves)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_of_a_network(players: int, tmp_path: Path) -> None:
    """Its beliefs and its judgement of sampled worlds included."""
    config = GameConfig(num_players=players, species=4, num_ranks=5, hand_size=3)
    run = saved(tmp_path / "run", config)
    state = movers(config, 6, 7, seed=33)
    seats = state.mover.astype(np.int64)
    ids = np.arange(len(state), dtype=np.uint64)
    agent = make_agent(f"search:policy={run},simulations=16", config)
    agent.reset(ids, 4)
    views = redact(state, seats, ids)
    chances, values = agent.policy(views)  # type: ignore[attr-defined]
    rng = np.random.default_rng(8)
    for world in (determinize(views, rng), reshuffle_hidden(state, seats, rng)):
        again = agent.policy(redact(world, seats, ids))  # type: ignore[attr-defined]
        assert np.array_equal(again[0], chances)
        assert again[1] == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("name", CONFIGS)
def test_worlds(name: str) -> None:
    """They look to the seat as the truth does, and are drawn alike whatever the truth is."""
    config = CONFIGS[name]
    state = movers(config, 6, 5, seed=32)
    seats = state.mover.astype(np.int64)
    keys = np.arange(len(state), dtype=np.uint64)
    beliefs = FittedBeliefs(FITTED[config.num_players])

    def sampled(truth: GameState) -> GameState:
        views = redact(truth, seats)
        worlds = determinize(views, keys)
        redeal(worlds, seats, keys, beliefs(views))
        return worlds

    worlds = sampled(state)
    other = reshuffle_hidden(state, seats, np.random.default_rng(9))
    assert sampled(other).raw.tobytes() == worlds.raw.tobytes()
    assert observe(worlds, seats).tobytes() == observe(state, seats).tobytes()
    # Every card is somewhere once, and hands have the sizes they had.
    for row in range(len(worlds)):
        deck = worlds.deck(row)
        assert sorted(deck) == np.flatnonzero(worlds.rows["place"][row] == 0).tolist()
        for seat in range(config.num_players):
            assert len(worlds.hand(row, seat)) == len(state.hand(row, seat))
            assert worlds.known_in_hand(row, seat) == state.known_in_hand(row, seat)
    assert (worlds.rows["place"] != state.rows["place"]).any(axis=1).mean() > 0.5


def late_position() -> tuple[GameState, int]:
    """A two-player position with one hidden hand card of a few unseen ones."""
    config = GameConfig(species=2, num_ranks=5, hand_size=1)
    for state, _ in random_positions(config, 40, seed=6):
        for i in range(len(state)):
            game = state.select([i])
            rival = 1 - int(game.mover[0])
            hidden = (game.rows["place"][0] == HIDDEN_IN_HAND + rival).sum()
            planted = int(game.rows["planted"][0].sum())
            if not game.done[0] and hidden == 1 and game.deck_left[0] == 4 and planted:
                return game, 1 - rival
    raise AssertionError("no such position")


@pytest.mark.parametrize("beliefs", [alike, FittedBeliefs(FITTED[2])], ids=["alike", "fitted"])
def test_one_hidden_card_is_drawn_in_proportion_to_its_odds(beliefs: Beliefs) -> None:
    game, seat = late_position()
    log_odds = beliefs(redact(game, seat))
    worlds = game.select(np.zeros(20_000, np.int64))
    keys = np.arange(len(worlds), dtype=np.uint64)
    redeal(worlds, np.full(len(worlds), seat), keys, log_odds[np.zeros(len(worlds), np.int64)])
    held = worlds.rows["place"] == HIDDEN_IN_HAND + 1 - seat
    deals = consistent_deals(game, seat)
    # The same card in hand with the 4! orders of the deck: all are equally likely.
    assert len(deals) == count_deals(game, seat) == 5 * 24
    odds = np.exp(hand_log_odds(deals, seat, log_odds[0]))
    card = (deals.rows["place"] == HIDDEN_IN_HAND + 1 - seat).argmax(axis=1)
    expected = np.bincount(card, odds, game.config.num_cards) / odds.sum()
    assert held.mean(axis=0) == pytest.approx(expected, abs=0.012)
    if beliefs is alike:
        assert sorted(set(expected)) == pytest.approx([0.0, 0.2])
    else:
        assert expected.max() > 0.3
    # And every order of the deck.
    decks = np.unique(worlds.rows["deck"][:, -4:], axis=0, return_counts=True)[1]
    assert len(decks) == 120


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_of_several_slots_are_uniform_without_beliefs(players: int) -> None:
    config = GameConfig(num_players=players, species=4, num_ranks=5, hand_size=2)
    game = deal(config, 3, np.zeros(1, np.uint64))
    worlds = game.select(np.zeros(20_000, np.int64))
    keys = np.arange(len(worlds), dtype=np.uint64)
    odds = np.zeros((len(worlds), players - 1, config.num_cards))
    redeal(worlds, np.zeros(len(worlds), np.int64), keys, odds)
    unseen = config.num_cards - 2
    mine = game.hand(0, 0)
    for rival in range(1, players):
        share = (worlds.rows["place"] == HIDDEN_IN_HAND + rival).mean(axis=0)
        assert np.delete(share, mine) == pytest.approx(2 / unseen, abs=0.012)
        assert not share[mine].any()
    first = np.bincount(worlds.rows["deck"][:, 0], minlength=config.num_cards) / len(worlds)
    assert np.delete(first, mine) == pytest.approx(1 / unseen, abs=0.012)
