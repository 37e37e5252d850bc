"""The vector environment of Stable-Baselines3: row by row the single one, as its own loop."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from arboretum_agents.gymnasium_env import ArboretumEnv
from arboretum_agents.learner_games import LearnerGames
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.api.learner_play import Watcher, hashed_actions
from tests.random_games import CONFIGS

REDUCED = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)
KEPT = ("TimeLimit.truncated", "terminal_observation", "seat", "turns", "scores", "winners")


def looped(num_envs: int, **arguments: Any) -> DummyVecEnv:
    """The library's own loop over single environments: what the native one has to equal."""
    return DummyVecEnv([lambda: ArboretumEnv(mask_in="info", **arguments)] * num_envs)


Step = tuple[Any, ...]


def steps(environment: VecEnv, number: int, seed: int) -> Iterator[Step]:
    """What a learner sees of ``number`` steps of a seeded environment, with ``hashed_actions``."""
    environment.seed(seed)
    seen = environment.reset()
    assert isinstance(seen, np.ndarray)
    masks = get_action_masks(environment)
    yield seen, masks
    for _ in range(number):
        seen, rewards, dones, infos = environment.step(hashed_actions(seen, masks))
        masks = get_action_masks(environment)
        yield seen, masks, rewards, dones, [{k: i[k] for k in KEPT if k in i} for i in infos]


def same(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray):
        return np.array_equal(left, right) and left.dtype == right.dtype
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@pytest.mark.parametrize("name", CONFIGS)
def test_row_by_row_the_single_environment(name: str) -> None:
    """Observations, masks, rewards, ends, terminal observations: the bytes of the other loop."""
    arguments: dict[str, Any] = {"config": CONFIGS[name], "opponents": "greedy", "reward": "mixed"}
    native = ArboretumVecEnv(5, **arguments)
    assert native.observation_space == looped(1, **arguments).observation_space
    assert native.action_space == looped(1, **arguments).action_space
    ends = 0
    pairs = zip(steps(native, 120, 7), steps(looped(5, **arguments), 120, 7), strict=True)
    for number, (ours, theirs) in enumerate(pairs):
        assert same(ours, theirs), f"step {number}"
        ends += int(ours[3].sum()) if number else 0
    assert ends >= 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_masks_are_the_legal_actions_at_every_step(players: int) -> None:
    """Of 15,000 decisions; read off the observations by the rules of views."""
    config = GameConfig(num_players=players)
    environment = ArboretumVecEnv(50, players)
    assert is_masking_supported(environment)
    rng = np.random.default_rng(3)
    environment.seed(4)
    seen = environment.reset()
    for _ in range(300):
        masks = get_action_masks(environment)
        assert masks.dtype == np.bool_ and masks.any(axis=1).all()
        assert np.array_equal(masks, PlayerViews(config, seen).legal_action_mask())
        assert np.array_equal(masks, environment.action_masks())
        chosen = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        seen, _, _, infos = environment.step(chosen)
        assert not any("illegal_action" in info for info in infos)


def test_rewards_come_once_at_the_end_and_sum_over_episodes() -> None:
    """The library's monitor around it counts what the games themselves are worth."""
    environment = VecMonitor(ArboretumVecEnv(6, config=REDUCED, opponents="greedy", reward="mixed"))
    games = LearnerGames(REDUCED, "greedy", num_games=6, reward="mixed")
    environment.seed(1)
    seen = environment.reset()
    games.reset(1)
    episodes: list[dict[str, Any]] = []
    lengths = np.zeros(6, np.int64)
    for _ in range(120):
        masks = games.legal_action_mask()
        actions = hashed_actions(games.observe(), masks)
        seen, rewards, dones, infos = environment.step(actions)
        lengths += 1
        ended = games.step(actions)
        assert np.flatnonzero(dones).tolist() == ended.rows.tolist()
        assert not rewards[~dones].any()
        for index, row in enumerate(ended.rows):
            assert rewards[row] == np.float32(ended.reward[index])
            assert infos[row]["scores"] == tuple(ended.points[index].tolist())
            episode = infos[row]["episode"]
            assert episode["r"] == pytest.approx(ended.reward[index], abs=1e-6)
            assert episode["l"] == lengths[row]
            lengths[row] = 0
            episodes.append(episode)
        if len(ended.rows):
            games.reset(rows=ended.rows)
        assert np.array_equal(seen, games.observe())
    assert len(episodes) > 20 and len({episode["r"] for episode in episodes}) > 5


def test_the_library_accepts_the_single_environment() -> None:
    """Its checker sends actions at random, illegal ones too."""
    for rule in ("lose", "random"):
        check_env(ArboretumEnv(config=REDUCED, mask_in="info", illegal_action=rule))


def test_the_librarys_check_for_nans_finds_none() -> None:
    environment = VecCheckNan(ArboretumVecEnv(4, config=REDUCED), raise_exception=True)
    for _ in steps(environment, 60, 2):
        pass


def test_an_illegal_action_loses_the_game() -> None:
    environment = ArboretumVecEnv(3, seat=0, opponents="greedy")
    environment.seed(0)
    seen = environment.reset()
    illegal = environment.action_space.n - 1  # a discard, where the first draw is due
    now, rewards, dones, infos = environment.step(np.array([0, illegal, 0]))
    assert rewards.tolist() == [0.0, -1.0, 0.0]
    assert dones.tolist() == [False, True, False]
    assert infos[1]["illegal_action"] is True and "scores" not in infos[1]
    assert infos[1]["TimeLimit.truncated"] is False
    assert np.array_equal(infos[1]["terminal_observation"], seen[1])
    single = ArboretumEnv(seat=0, mask_in="info")
    single.reset(seed=1)
    assert np.array_equal(now[1], single.reset()[0])  # the row's next game has begun


def test_an_illegal_action_can_stand_for_a_random_one() -> None:
    environment = ArboretumVecEnv(2, illegal_action="random")
    environment.seed(0)
    environment.reset()
    _, rewards, dones, infos = environment.step(np.array([459, 0]))
    assert not dones.any() and not rewards.any()
    assert [info.get("illegal_action", False) for info in infos] == [True, False]


def first_seen(environment: ArboretumVecEnv, seed: int | None) -> NDArray[np.int8]:
    environment.seed(seed)
    return environment.reset()


def test_seeds_begin_streams_and_without_one_they_go_on() -> None:
    first, second = (ArboretumVecEnv(3, config=REDUCED) for _ in range(2))
    assert first.seed(5) == [5, 6, 7]
    begun = first.reset()
    assert np.array_equal(begun, first_seen(second, 5))
    again = first.reset()
    assert not np.array_equal(again, begun)
    assert np.array_equal(again, second.reset())
    # Row 1 of seed 5 is row 0 of seed 6.
    assert np.array_equal(first_seen(second, 6)[0], begun[1])
    assert np.array_equal(first_seen(first, 5), begun)


def test_unseeded_it_is_random_but_leaves_numpys_global_generator_alone() -> None:
    environments = [ArboretumVecEnv(4), ArboretumVecEnv(4)]
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - it is this one that matters
    shown = [first_seen(environment, None) for environment in environments]
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert not np.array_equal(*shown)


def test_exact_deals() -> None:
    config = GameConfig(species="CD", num_ranks=3, hand_size=1)
    environment = ArboretumVecEnv(2, config=config, seat=0)
    first_seen(environment, 1)
    environment.set_options({"hands": [["C1"], ["D3"]], "deck": ["C2", "C3", "D1", "D2"]})
    seen = environment.reset()
    assert np.array_equal(seen[0], seen[1])
    assert seen[0][:4].tolist() == [1, -1, 0, 0]  # C1: own hand
    # Options hold for one reset.
    assert not np.array_equal(environment.reset(), seen)


def test_opponents_change_from_a_rows_next_game_on() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=1)
    old, new = Watcher(config), Watcher(config)
    environment = ArboretumVecEnv(4, config=config, opponents=old, seat=0)
    first_seen(environment, 3)
    environment.set_opponents(new, [1, 2])
    environment.env_method("set_opponents", new, indices=[3])
    ended = np.zeros(4, np.bool_)
    seen = environment.reset()  # all rows begin anew: 0 with the old one
    assert [len(ids) for ids in (old.begun[-1], new.begun[-1])] == [1, 3]
    environment.set_opponents([old, new])
    asked = sum(new.batches)
    while not ended.any():
        assert set(new.seats) <= {1, 2}
        seen, _, dones, _ = environment.step(hashed_actions(seen, environment.action_masks()))
        ended |= dones
    assert sum(new.batches) > asked


def test_what_stands_for_one_game() -> None:
    environment = ArboretumVecEnv(3, config=REDUCED)
    seen = first_seen(environment, 0)
    for _ in range(12):  # to the third turn's choice of a card
        seen, *_ = environment.step(hashed_actions(seen, environment.action_masks()))
    masks = environment.action_masks()
    assert len(np.unique(masks, axis=0)) == 3
    assert environment.has_attr("action_masks") and not environment.has_attr("nothing")
    assert environment.get_attr("config") == [REDUCED] * 3
    assert environment.get_attr("row", [2, 0]) == [2, 0]
    assert environment.get_attr("row", 1) == [1]
    for row, mask in enumerate(environment.env_method("action_masks")):
        assert np.array_equal(mask, masks[row])
    [last] = environment.env_method("action_masks", indices=[2])
    assert np.array_equal(last, masks[2])
    assert np.array_equal(environment.get_attr("action_masks", 1)[0](), masks[1])
    assert environment.env_is_wrapped(ArboretumEnv, [0, 1]) == [False, False]  # type: ignore[arg-type]
    environment.close()


def test_pictures() -> None:
    pytest.importorskip("resvg_py")
    drawn = ArboretumVecEnv(2, config=REDUCED, render_mode="rgb_array")
    single = ArboretumEnv(config=REDUCED, render_mode="rgb_array")
    first_seen(drawn, 0)
    images = drawn.get_images()
    for row in range(2):
        single.reset(seed=row)
        assert np.array_equal(images[row], single.render())
    tiled = drawn.render()
    assert tiled is not None and images[0] is not None
    assert tiled.shape == (2 * images[0].shape[0], images[0].shape[1], 3)
    text = ArboretumVecEnv(2, config=REDUCED, render_mode="ansi")
    first_seen(text, 0)
    written = ArboretumEnv(config=REDUCED, render_mode="ansi")
    written.reset(seed=1)
    assert text.env_method("render")[1] == written.render()
    assert ArboretumVecEnv(1).env_method("render") == [None]
    assert ArboretumVecEnv(2).get_images() == [None, None]


def test_what_was_handed_out_never_changes() -> None:
    environment = ArboretumVecEnv(3, config=REDUCED)
    seen = first_seen(environment, 0)
    for _ in range(60):
        masks = environment.action_masks()
        kept = seen.copy(), masks.copy()
        now, rewards, dones, _ = environment.step(hashed_actions(seen, masks))
        copies = rewards.copy(), dones.copy()
        environment.step(hashed_actions(now, environment.action_masks()))
        assert same((seen, masks, rewards, dones), (*kept, *copies))
        seen = environment.reset()
