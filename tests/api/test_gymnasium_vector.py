"""The native vector environment: row by row the single one, with autoreset as gymnasium's own."""

import copy
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from arboretum_agents.gymnasium_vector import ArboretumVectorEnv
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError, ConfigError, DealError, IllegalActionError, ViewError
from arboretum_env.observation import observation_slices
from arboretum_env.phase import Phase
from tests.api.aec_conformance import canonical
from tests.api.learner_play import Poisoned, Watcher, hashed_action
from tests.random_games import CONFIGS

REDUCED = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)
MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def native(num_envs: int, mode: AutoresetMode, **arguments: Any) -> Any:
    return gymnasium.make_vec(
        "Arboretum-v0",
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        **arguments,
    )


def synchronous(num_envs: int, mode: AutoresetMode, **arguments: Any) -> Any:
    """Gymnasium's loop over single environments: what the native one has to equal."""
    return gymnasium.make_vec(
        "Arboretum-v0",
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **arguments,
    )


def piece(observation: np.ndarray, name: str) -> int:
    """A scalar piece of an observation of ``REDUCED``."""
    return int(observation[observation_slices(REDUCED)[name].start])


def chosen(observations: Any, infos: dict[str, Any]) -> np.ndarray:
    """``hashed_action`` of every row; 0 where nothing is legal."""
    masks = infos["action_mask"]
    arrays = observations["observation"] if isinstance(observations, dict) else observations
    return np.array(
        [
            hashed_action(array, mask) if mask.any() else 0
            for array, mask in zip(arrays, masks, strict=True)
        ]
    )


def steps(environment: Any, number: int, *, illegal_every: int = 0) -> Iterator[tuple[Any, ...]]:
    """Plays on with ``chosen``; now and then the first row's action is the last id."""
    shown = environment.reset(seed=30)
    yield shown
    for step in range(number):
        actions = chosen(shown[0], shown[-1])
        if illegal_every and step % illegal_every == illegal_every - 1:
            actions[0] = environment.single_action_space.n - 1
        shown = environment.step(actions)
        yield shown


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("name", ["reduced 2", "reduced 3", "reduced 4, rights for all"])
def test_it_is_gymnasiums_loop_over_single_environments(
    name: str, mask_in: str, mode: AutoresetMode
) -> None:
    arguments = {"config": CONFIGS[name], "mask_in": mask_in, "reward": "mixed"}
    ours, theirs = native(5, mode, **arguments), synchronous(5, mode, **arguments)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    ends = 0
    pairs = zip(
        steps(ours, 120, illegal_every=33), steps(theirs, 120, illegal_every=33), strict=True
    )
    for ours_now, theirs_now in pairs:
        assert canonical(ours_now[:-1]) == canonical(theirs_now[:-1])
        assert told(ours_now[-1]) == told(theirs_now[-1])
        assert ours_now[0] in ours.observation_space
        ends += int(ours_now[2].sum()) if len(ours_now) == 5 else 0
    assert ends >= 12


def told(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos with every array as its type and contents."""
    return {
        key: told(value)
        if isinstance(value, dict)
        else (value.dtype, [canonical(item) for item in value])
        for key, value in infos.items()
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rule", ["lose", "random"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_row_is_the_same_in_any_batch(players: int, rule: str, mode: AutoresetMode) -> None:
    config = GameConfig(num_players=players, species=4, num_ranks=5, hand_size=2)
    arguments = {"config": config, "illegal_action": rule, "opponents": "greedy"}
    large, single = native(6, mode, **arguments), native(1, mode, **arguments)
    several = zip(
        steps(large, 90, illegal_every=27), steps(single, 90, illegal_every=27), strict=True
    )
    for many, one in several:
        for left, right in zip(many[:-1], one[:-1], strict=True):
            if isinstance(left, dict):
                assert all(np.array_equal(left[key][0], right[key][0]) for key in left)
            else:
                assert left[0].tobytes() == right[0].tobytes()
        final = one[-1].get("final_obs", [None])[0]
        if final is not None:
            assert canonical(many[-1]["final_obs"][0]) == canonical(final)


def test_same_step_keeps_the_end_and_shows_the_next_game() -> None:
    environment = native(3, AutoresetMode.SAME_STEP, config=REDUCED, seat=0)
    ended = 0
    for shown in steps(environment, 80):
        if len(shown) < 5 or not shown[2].any():
            continue
        observations, rewards, terminations, truncations, infos = shown
        assert not truncations.any()
        for row in np.flatnonzero(terminations):
            final, last = infos["final_obs"][row], infos["final_info"]
            assert piece(final["observation"], "phase") == Phase.GAME_OVER
            assert not final["action_mask"].any()
            assert not last["action_mask"][row].any() and last["_scores"][row]
            own, other = last["scores"][row]
            assert np.sign(rewards[row]) == np.sign(own - other) or own == other
            assert last["seat"][row] == 0
            assert last["turns"][row] == piece(final["observation"], "turn")
            assert piece(observations["observation"][row], "turn") == 0
            assert infos["action_mask"][row].tolist()[:3] == [1, 0, 0]
            ended += 1
        assert infos["_final_obs"].tolist() == terminations.tolist()
    assert ended >= 9


def test_next_step_ignores_the_action_that_begins_a_game() -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, config=REDUCED, seat=0)
    shown = environment.reset(seed=0)
    while len(shown) < 5 or not shown[2].any():
        shown = environment.step(chosen(shown[0], shown[-1]))
    row = int(np.flatnonzero(shown[2])[0])
    assert piece(shown[0]["observation"][row], "phase") == Phase.GAME_OVER
    assert "final_obs" not in shown[-1] and shown[-1]["_scores"][row]
    twin = copy.deepcopy(environment)
    actions, others = chosen(shown[0], shown[-1]), chosen(shown[0], shown[-1])
    actions[row], others[row] = 10_000, -7
    now = environment.step(actions)
    assert actions[row] == 10_000  # the caller's array stays as it is
    assert canonical(now[:-1]) == canonical(twin.step(others)[:-1])
    assert now[1][row] == 0 and not now[2][row] and now[-1]["action_mask"][row].any()


def test_disabled_autoreset_waits_for_a_reset_mask() -> None:
    environment = native(3, AutoresetMode.DISABLED, config=REDUCED, seat=0)
    observations, infos = environment.reset(seed=0)
    actions = chosen(observations, infos)
    actions[1] = environment.single_action_space.n - 1  # illegal: loses
    observations, _, terminations, _, infos = environment.step(actions)
    assert terminations.tolist() == [False, True, False]
    with pytest.raises(ActionError, match="the game of row 1 is over: call reset with a reset_m"):
        environment.step(chosen(observations, infos))
    options = {"reset_mask": np.array([False, True, False])}
    again, infos = environment.reset(options=options)
    assert options == {"reset_mask": options["reset_mask"]}  # left as it was given
    assert np.array_equal(again["observation"][[0, 2]], observations["observation"][[0, 2]])
    fresh = native(3, AutoresetMode.DISABLED, config=REDUCED, seat=0)
    fresh.reset(seed=0)
    assert np.array_equal(again["observation"][1], fresh.reset()[0]["observation"][1])
    assert infos["action_mask"].any(axis=1).all()
    assert not environment.step(chosen(again, infos))[2].any()


def test_reset_masks_with_seeds_and_deals() -> None:
    config = GameConfig(species="CD", num_ranks=3, hand_size=1)
    environment = native(3, AutoresetMode.NEXT_STEP, config=config, seat=0)
    environment.reset(seed=0)
    options = {
        "hands": [["C1"], ["D3"]],
        "deck": ["C2", "C3", "D1", "D2"],
        "reset_mask": np.array([True, False, True]),
    }
    environment.reset(options=options)
    decks = [environment.unwrapped._games.state.deck(row) for row in range(3)]
    assert decks[0] == decks[2] == [1, 2, 3, 4] != decks[1]
    seeded = environment.reset(seed=[9, 9, None])[0]["observation"]
    assert np.array_equal(seeded[0], seeded[1])


@pytest.mark.parametrize(
    "mask",
    [
        [True, False, True],
        np.array([1, 0]),
        np.array([False, False]),
        np.array([[True, False]]),
        None,
    ],
    ids=repr,
)
def test_bad_reset_masks_change_nothing(mask: Any) -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, config=REDUCED)
    environment.reset(seed=0)
    before = environment.unwrapped._games.state.raw.copy()
    with pytest.raises(ViewError, match=r"reset_mask of shape .*: expected \[2\] bool with a True"):
        environment.reset(options={"reset_mask": mask})
    with pytest.raises(DealError, match="seed"):
        environment.reset(seed=[1, -1])
    assert np.array_equal(environment.unwrapped._games.state.raw, before)


def test_opponents_are_asked_once_a_decision_for_all_games() -> None:
    watcher = Watcher(GameConfig(num_players=3))
    environment = native(8, AutoresetMode.SAME_STEP, num_players=3, opponents=watcher, seat=0)
    shown = environment.reset(seed=0)
    for _ in range(5):
        shown = environment.step(chosen(shown[0], shown[-1]))
    assert watcher.batches == [8] * 10
    other = Watcher(GameConfig(num_players=3))
    environment.unwrapped.set_opponents(other, rows=np.array([2]))
    environment.reset()
    assert (len(watcher.begun[-1]), len(other.begun[-1])) == (7, 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_poisoned_opponent_is_named_and_nothing_changes(mode: AutoresetMode) -> None:
    poisoned = Poisoned(GameConfig())
    environment = native(3, mode, opponents=poisoned, seat=0)
    shown = environment.reset(seed=0)
    for _ in range(14):
        shown = environment.step(chosen(shown[0], shown[-1]))
    games = environment.unwrapped._games
    before = games.state.raw.copy()
    with pytest.raises(IllegalActionError, match=r"\(Poisoned\) chose action 9999 for seat 1"):
        environment.step(chosen(shown[0], shown[-1]))
    assert np.array_equal(environment.unwrapped._games.state.raw, before)
    assert np.array_equal(environment.unwrapped.action_masks(), shown[-1]["action_mask"])


@pytest.mark.parametrize("mode", MODES)
def test_an_opponent_that_fails_as_a_next_game_begins_undoes_the_whole_step(
    mode: AutoresetMode,
) -> None:
    class Unwilling(Watcher):
        """Plays one game of each row, in seat 1, and no other."""

        def act(self, views: Any) -> Any:
            if views.seat[0] == 0:
                raise RuntimeError("not I")
            return super().act(views)

    environment = native(2, mode, config=REDUCED, opponents=Unwilling(REDUCED))
    shown = environment.reset(seed=[0, 0])  # seat 0 now, seat 1 in the next game
    failed = False
    while not failed:
        games = environment.unwrapped._games
        before = games.state.raw.tobytes(), games.over.tolist()
        try:
            shown = environment.step(chosen(shown[0], shown[-1]))
        except RuntimeError:
            failed = True
    games = environment.unwrapped._games
    assert (games.state.raw.tobytes(), games.over.tolist()) == before
    assert games.over.any() == (mode is AutoresetMode.NEXT_STEP)


@pytest.mark.parametrize("rule", ["raise", "lose", "random"])
@pytest.mark.parametrize(
    "actions",
    [0, [0], [0, 0, 0], [[0], [0]], [0.0, 0.0], [True, False], [0, None], [0, 10_000], [-1, 0]],
    ids=repr,
)
def test_malformed_actions_raise_and_change_nothing(rule: str, actions: Any) -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, config=REDUCED, illegal_action=rule)
    environment.reset(seed=0)
    before = environment.unwrapped._games.state.raw.copy()
    with pytest.raises(ActionError, match="expected"):
        environment.step(actions)
    assert np.array_equal(environment.unwrapped._games.state.raw, before)


def test_malformed_actions_raise_where_a_row_waits_too() -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, config=REDUCED, seat=0)
    environment.reset(seed=0)
    environment.step([0, environment.single_action_space.n - 1])
    for actions in (0, [0.0, 0.0], [0, 0, 0], [-1, 0]):
        with pytest.raises(ActionError, match="expected"):
            environment.step(actions)
    assert environment.unwrapped._games.over.tolist() == [False, True]


def test_illegal_actions_raise_if_asked_to() -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, illegal_action="raise", seat=0)
    environment.reset(seed=0)
    with pytest.raises(IllegalActionError, match="action 459 of row 1 is illegal"):
        environment.step([0, 459])


def test_make_vec_takes_it_by_itself_and_wrappers_count_its_episodes() -> None:
    environment = gymnasium.make_vec("Arboretum-v0", num_envs=4, config=REDUCED, opponents="greedy")
    assert isinstance(environment.unwrapped, ArboretumVectorEnv)
    assert environment.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    counted = RecordEpisodeStatistics(environment)
    shown = counted.reset(seed=0)
    returns: list[float] = []
    rewards = 0.0
    while len(returns) < 12:
        shown = counted.step(chosen(shown[0], shown[-1]))
        rewards += float(shown[1].sum())
        if "episode" in shown[-1]:
            returns += shown[-1]["episode"]["r"][shown[-1]["_episode"]].tolist()
    assert sum(returns) == rewards and set(returns) <= {-1.0, 0.0, 1.0}
    counted.close()


def test_rendering() -> None:
    environment = native(2, AutoresetMode.NEXT_STEP, render_mode="ansi")
    environment.reset(seed=0)
    single = gymnasium.make("Arboretum-v0", render_mode="ansi")
    frames = environment.render()
    for row in range(2):
        single.reset(seed=row)
        assert frames[row] == single.render()
    assert native(2, AutoresetMode.NEXT_STEP).render() is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"autoreset_mode": "Sometimes"}, "autoreset_mode 'Sometimes': expected one of 'NextStep'"),
        ({"num_envs": 0}, "0 games: expected a positive integer"),
        ({"render_mode": "human"}, "render_mode 'human': expected one of None, 'ansi', 'rgb_arr"),
        ({"mask_in": "infos"}, "mask_in 'infos'"),
        ({"num_players": 1}, "num_players"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ArboretumVectorEnv(**arguments)


def test_what_was_handed_out_never_changes() -> None:
    environment = native(2, AutoresetMode.SAME_STEP, config=REDUCED)
    shown = environment.reset(seed=0)
    arrays = [*shown[0].values(), shown[1]["action_mask"]]
    kept = [array.copy() for array in arrays]
    for _ in range(40):
        now = environment.step(chosen(shown[0], shown[-1]))
        for array, before in zip(arrays, kept, strict=True):
            assert np.array_equal(array, before)
        arrays = [*now[0].values(), *now[1:4], now[4]["action_mask"]]
        kept = [array.copy() for array in arrays]
        shown = now
