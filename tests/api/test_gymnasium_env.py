"""``Arboretum-v0``: gymnasium's checker, a PettingZoo loop's games, illegal actions, refusals."""

import copy
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from arboretum_agents.gymnasium_env import ArboretumEnv
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.drawing.scene import scene_of_state
from arboretum_env.drawing.text import scene_text
from arboretum_env.errors import ActionError, ConfigError, DealError, IllegalActionError
from arboretum_env.pettingzoo_env import raw_env
from tests.api.aec_conformance import MALFORMED_ACTIONS, canonical
from tests.api.learner_play import Course, Poisoned, Watcher, hashed_action, pettingzoo_course
from tests.random_games import CONFIGS

REDUCED = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def array_of(observation: Any) -> Any:
    """The observation's array, wherever the mask is."""
    return observation["observation"] if isinstance(observation, dict) else observation


def env_course(environment: ArboretumEnv, shown: tuple[Any, dict[str, Any]]) -> Course:
    """The course of the game that has just begun with ``shown``, played by ``hashed_action``."""
    course: Course = []
    (observation, info), terminated = shown, False
    while not terminated:
        assert observation in environment.observation_space
        mask, seen = info["action_mask"], array_of(observation)
        if environment.mask_in == "observation":
            assert observation["action_mask"].tobytes() == mask.tobytes()
        assert mask.dtype == np.int8 and set(info) == {"action_mask"}
        assert np.array_equal(environment.action_masks(), mask.astype(bool))
        action = hashed_action(seen, mask)
        entry = seen.tobytes(), mask.astype(bool).tobytes(), action
        observation, reward, terminated, truncated, info = environment.step(action)
        assert truncated is False and type(reward) is float
        if not terminated:
            course.append((*entry, reward, ()))
    seats = range(environment.config.num_players)
    winners = tuple(seat in info["winners"] for seat in seats)
    course.append((*entry, reward, (info["seat"], info["scores"], winners, info["turns"], False)))
    assert observation in environment.observation_space
    final = array_of(observation).tobytes(), info["action_mask"].astype(bool).tobytes()
    return [*course, (*final, -1, 0.0, ())]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"num_players": 3, "opponents": "greedy", "mask_in": "info"},
        {"num_players": 4, "starting_discards": True, "illegal_action": "random", "seat": 2},
        {"config": CONFIGS["reduced 3"], "opponents": ["greedy", "random"], "reward": "mixed"},
    ],
)
def test_gymnasiums_checker(arguments: dict[str, Any]) -> None:
    """Warnings are errors here, as in all tests; the checker sends illegal actions."""
    pytest.importorskip("resvg_py")  # it tries every render mode
    environment = gymnasium.make("Arboretum-v0", **arguments)
    check_env(environment.unwrapped)
    environment.close()


@pytest.mark.parametrize(
    "program",
    [
        "import gymnasium; env = gymnasium.make('arboretum_env:Arboretum-v0')",
        "import gymnasium, arboretum_env; env = gymnasium.make('Arboretum-v0')",
        "import arboretum_agents.registry, gymnasium; env = gymnasium.make('Arboretum-v0')",
        "import gymnasium; env = gymnasium.make_vec('arboretum_env:Arboretum-v0', num_envs=2)",
    ],
)
def test_gymnasium_finds_it_in_a_fresh_process(program: str) -> None:
    program += "; print(type(env.unwrapped).__name__, env.reset(seed=1)[1]['action_mask'].sum())"
    command = [sys.executable, "-W", "error", "-c", program]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    name = "ArboretumVectorEnv 3" if "make_vec" in program else "ArboretumEnv 2"
    # Seed 1 begins with seat 1, after a discard; seed 2 of the second row with seat 0 and a deck.
    assert printed == f"{name}\n"


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_a_pettingzoo_loop_plays_the_same_games(name: str, mask_in: Any) -> None:
    config = CONFIGS[name]
    specs = ["random", "greedy", "random"][: config.num_players - 1]
    environment = ArboretumEnv(config=config, opponents=specs, mask_in=mask_in, reward="mixed")
    other = raw_env(config=config, reward="mixed")
    for episode in range(config.num_players):
        seed = 5 if episode == 0 else None
        course = env_course(environment, environment.reset(seed=seed))
        other.reset(seed=seed)
        game_id = int(environment._games.game_id[0])
        opponents = [make_agent(spec, config) for spec in specs]
        for opponent in opponents:
            opponent.reset(np.array([game_id], np.uint64), 0)
        seat = (5 + episode) % config.num_players
        assert course == pettingzoo_course(other, config, seat, opponents, game_id)


def test_arguments_of_the_game_are_those_of_the_pettingzoo_environment() -> None:
    environment = ArboretumEnv(num_players=3, starting_discards=True, species="WOMPGLVJ")
    expected = GameConfig(num_players=3, starting_discards=True, species="WOMPGLVJ")
    assert environment.config == expected
    other = raw_env(config=expected)
    assert environment.observation_space == other.observation_space("player_0")
    assert environment.action_space == other.action_space("player_0")
    bare = ArboretumEnv(mask_in="info").observation_space
    assert bare == raw_env(mask_in="info").observation_space("player_0")


def test_a_second_reset_with_the_seed_gives_the_same_games() -> None:
    environment = ArboretumEnv(num_players=3, opponents="random")
    courses = [env_course(environment, environment.reset(seed=s)) for s in (4, None, 4, None, 5)]
    assert courses[:2] == courses[2:4] and courses[4] != courses[0] != courses[1]
    unseeded = [ArboretumEnv().reset()[0]["observation"].tobytes() for _ in range(2)]
    assert unseeded[0] != unseeded[1]


def test_an_illegal_action_loses_by_default() -> None:
    environment = ArboretumEnv(seat=0)
    observation, info = environment.reset(seed=3)
    after, reward, terminated, truncated, end = environment.step(459)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert set(end) == {"action_mask", "illegal_action", "seat", "turns"}
    assert (end["illegal_action"], end["seat"], end["turns"]) == (True, 0, 0)
    assert not end["action_mask"].any() and not after["action_mask"].any()
    # The position stands as it was; the hands stay hidden.
    assert after["observation"].tobytes() == observation["observation"].tobytes()
    assert info["action_mask"].sum() == 1
    with pytest.raises(ActionError, match=r"action 0: the game is over, call reset\(\)"):
        environment.step(0)
    assert environment.reset()[1]["action_mask"].any()


def test_an_illegal_action_may_stand_for_a_random_legal_one() -> None:
    environments = [ArboretumEnv(seat=0, illegal_action="random") for _ in range(2)]
    for environment in environments:
        environment.reset(seed=3)
    # The first draw has one legal action, which the illegal one stands for.
    steps = [environments[0].step(459), environments[1].step(0)]
    assert steps[0][4].pop("illegal_action") is True
    assert canonical(steps[0]) == canonical(steps[1])
    again = [environment.step(0) for environment in environments]
    assert canonical(again[0]) == canonical(again[1]) and "illegal_action" not in again[0][4]


def test_an_illegal_action_may_raise_and_change_nothing() -> None:
    environment = ArboretumEnv(seat=0, illegal_action="raise")
    environment.reset(seed=3)
    twin = copy.deepcopy(environment)
    with pytest.raises(IllegalActionError, match="action 459 of row 0 is illegal"):
        environment.step(459)
    assert canonical(environment.step(0)) == canonical(twin.step(0))


@pytest.mark.parametrize("rule", ["lose", "random", "raise"])
# Without an object's address: names of tests must be the same in every process.
@pytest.mark.parametrize(
    "action", MALFORMED_ACTIONS, ids=lambda action: repr(action).partition(" at 0x")[0]
)
def test_malformed_actions_raise_and_change_nothing(rule: Any, action: Any) -> None:
    environment = ArboretumEnv(config=REDUCED, illegal_action=rule)
    environment.reset(seed=3)
    before = environment._games.state.raw.copy()
    with pytest.raises(ActionError, match=r"action .*: expected"):
        environment.step(action)
    assert np.array_equal(environment._games.state.raw, before)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.array])
def test_integers_of_any_kind_are_actions(kind: Any) -> None:
    environment, twin = ArboretumEnv(seat=0), ArboretumEnv(seat=0)
    environment.reset(seed=3)
    twin.reset(seed=3)
    assert canonical(environment.step(kind(0))) == canonical(twin.step(0))


def test_before_the_first_reset() -> None:
    environment = ArboretumEnv()
    for call in (lambda: environment.step(0), environment.action_masks):
        with pytest.raises(ValueError, match=r"call reset\(\) first"):
            call()


def test_exact_deals_and_bad_ones() -> None:
    config = GameConfig(species="CD", num_ranks=3, hand_size=1)
    environment = ArboretumEnv(config=config, seat=0)
    options = {"hands": [["C1"], ["D3"]], "deck": ["C2", "C3", "D1", "D2"]}
    observation, _ = environment.reset(options=options)
    assert observation["observation"][:4].tolist() == [1, -1, 0, 0]  # C1: own hand
    assert environment._games.state.deck(0) == [1, 2, 3, 4]
    twin = copy.deepcopy(environment)
    with pytest.raises(DealError, match="deck of 3 cards: expected 4"):
        environment.reset(seed=1, options={**options, "deck": ["C2", "C3", "D1"]})
    for seed in (-1, 1.0, True):
        with pytest.raises(DealError, match="seed"):
            environment.reset(seed=seed)  # type: ignore[arg-type]
    assert canonical(environment.step(0)) == canonical(twin.step(0))
    assert canonical(environment.reset()) == canonical(twin.reset())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 5}, "num_players"),
        ({"num_players": 3, "config": REDUCED}, "expected one or the other"),
        ({"mask_in": "infos"}, "mask_in 'infos': expected one of 'observation', 'info'"),
        ({"render_mode": "svg"}, "render_mode 'svg': expected one of None, 'ansi'"),
        ({"illegal_action": "win"}, "illegal_action 'win': expected one of 'raise', 'lose', 'rand"),
        ({"seat": -1}, "seat -1: expected one of 'rotate', 0, 1"),
        ({"reward": "points"}, "reward 'points'"),
        ({"opponents": ["greedy", "greedy"]}, "2 opponents: expected one for all seats, or 1"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ArboretumEnv(**arguments)


def test_agents_as_opponents_and_their_change() -> None:
    first, second = Watcher(REDUCED), Watcher(REDUCED)
    environment = gymnasium.make("Arboretum-v0", config=REDUCED, opponents=first)
    environment.reset(seed=0)
    environment.get_wrapper_attr("set_opponents")(second)
    env_course(environment.unwrapped, environment.reset())  # type: ignore[arg-type]
    assert len(first.begun) == 1 and len(second.begun) == 1 and second.seats.total() >= 10


def test_a_poisoned_opponent_is_named() -> None:
    environment = ArboretumEnv(opponents=Poisoned(GameConfig()), seat=0)
    _, info = environment.reset(seed=0)
    for _ in range(14):
        _, _, _, _, info = environment.step(int(np.flatnonzero(info["action_mask"])[0]))
    before = environment._games.state.raw.copy()
    with pytest.raises(IllegalActionError, match=r"\(Poisoned\) chose action 9999 for seat 1"):
        environment.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert np.array_equal(environment._games.state.raw, before)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    environment = ArboretumEnv(render_mode="ansi", seat=0)
    _, info = environment.reset(seed=5)
    texts, terminated = [environment.render()], False
    while not terminated:
        state = environment._games.state
        assert texts[-1] == scene_text(scene_of_state(state, show_hands=False))
        action = int(np.flatnonzero(info["action_mask"])[-1])
        _, _, terminated, _, info = environment.step(action)
        texts.append(environment.render())
    assert texts[-1] == scene_text(scene_of_state(environment._games.state, show_hands=True))
    human = ArboretumEnv(render_mode="human", seat=0)
    human.reset(seed=5)
    human.step(0)
    assert capsys.readouterr().out == "".join(f"{text}\n" for text in texts[:2])
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert ArboretumEnv().render() is None


def test_what_was_handed_out_never_changes() -> None:
    environment = ArboretumEnv()
    observation, info = environment.reset(seed=0)
    handed = [observation["observation"], observation["action_mask"], info["action_mask"]]
    kept = [array.copy() for array in handed]
    handed[2][:] = 0  # the info is the caller's own
    kept[2][:] = 0
    environment.step(0)
    assert all(map(np.array_equal, handed, kept))
    assert environment.action_masks().any()
