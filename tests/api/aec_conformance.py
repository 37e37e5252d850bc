"""What a PettingZoo AEC environment promises, as checks that any such environment can be put to.

PettingZoo's own tests stop at the first end, never try an illegal action, and look at no idle seat.
These play whole games, many on one object, and compare everything that can be observed, bit by bit.

The module needs numpy and the standard library alone. To use it elsewhere, copy it, describe an
environment by a ``Contract`` and call every function of ``CHECKS`` with it; a broken promise is an
``AssertionError``. Actions must be a ``Discrete`` space with an action mask, in the observation
(``{"observation": ..., "action_mask": ...}``), in the infos, or in both; ``state()`` and
``render()`` are looked at where there are any. ``tests/api/test_tiny_aec.py`` shows it on a game of
its own.
"""

import copy
import hashlib
import pickle
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Env = Any  # a pettingzoo.AECEnv; not imported, so that wrappers and look-alikes pass too

MALFORMED_ACTIONS = (
    *(-1, 2**31, 2**63, 2**70, 0.0, 1.0, float("nan"), float("inf"), True, False, None),
    *("0", b"0", [0], (0,), {}, object(), np.float32(0), np.float64(1), np.bool_(True)),
    *(np.array([0]), np.array([0, 1]), np.array([[0]]), np.array(0.0), np.array(True)),
    *(np.uint64(2**64 - 1), np.int64(-1)),
)
"""What no environment with a ``Discrete`` action space may take, whatever is legal."""


@dataclass(frozen=True)
class Contract:
    """An environment and what it promises.

    Attributes:
        name: for messages.
        make: makes a new object, always of the same kind.
        illegal: what ``step`` raises on a bad action, leaving everything as it was; None for an
            environment that ends the game instead (the checks then try no bad action).
        redraw: the secrecy hook: (environment, agent, key) -> a copy in which everything that the
            agent cannot know is drawn anew. None skips the secrecy check.
        reveals: (environment, agent, action) -> whether taking the action now may show the agent
            something that it could not know before.
        episodes: how many games the longest check plays on one object.
        zero_sum: whether the rewards of a game sum to zero over the seats.
        stride: of how many positions the costly checks look at one; 1 for games of a few steps.
    """

    name: str
    make: Callable[[], Env]
    illegal: type[Exception] | None
    redraw: Callable[[Env, str, int], Env] | None = None
    reveals: Callable[[Env, str, int], bool] = lambda env, agent, action: True
    episodes: int = 50
    zero_sum: bool = True
    stride: int = 7


def canonical(value: Any) -> bytes:
    """A value as bytes that are equal only if types and bits are."""
    if isinstance(value, np.ndarray):
        return b"%s%r%s" % (value.dtype.str.encode(), value.shape, value.tobytes())
    if isinstance(value, Mapping):
        items = (b"%r:%s" % (key, canonical(item)) for key, item in sorted(value.items()))
        return b"{%s}" % b",".join(items)
    if isinstance(value, list | tuple):
        return b"[%s]" % b",".join(map(canonical, value))
    return b"%s %r" % (type(value).__name__.encode(), value)


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Every array in nested containers."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        yield from arrays_in(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays_in(item)


def seen_by(env: Env, agent: str) -> bytes:
    """Everything that one seat is shown now."""
    return canonical((env.observe(agent), env.infos.get(agent)))


def truth(env: Env) -> Any:
    """The environment's ``state()``, or None where there is none."""
    try:
        return env.state()
    except NotImplementedError:
        return None


def drawing(env: Env) -> bytes:
    """What ``render()`` gives, or nothing without a render mode."""
    return canonical(env.render()) if getattr(env, "render_mode", None) is not None else b""


def fingerprint(env: Env) -> bytes:
    """A digest of everything that can be observed from outside, for all seats."""
    books = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations)
    shown = [seen_by(env, agent) for agent in env.possible_agents]
    everything = canonical((env.agent_selection, list(env.agents), *books, truth(env)))
    return hashlib.blake2b(b"".join((everything, *shown)), digest_size=16).digest()


def mask_of(env: Env, agent: str) -> np.ndarray:
    """The action mask that a seat is shown."""
    observation = env.observe(agent)
    if isinstance(observation, Mapping):
        return np.asarray(observation["action_mask"])
    return np.asarray(env.infos[agent]["action_mask"])


def is_out(env: Env) -> bool:
    """Whether the selected agent's game has ended."""
    agent = env.agent_selection
    return bool(env.terminations[agent] or env.truncations[agent])


def choose(env: Env, rng: random.Random) -> int | None:
    """A random legal action of the selected agent; None for one whose game has ended."""
    if is_out(env):
        return None
    return rng.choice(np.flatnonzero(mask_of(env, env.agent_selection)).tolist())


def walk(env: Env, rng: random.Random) -> Iterator[int]:
    """Plays to the end with random legal actions; stops before each step for the caller."""
    number = 0
    while env.agents:
        yield number
        env.step(choose(env, rng))
        number += 1


def trace(env: Env, seed: int) -> list[bytes]:
    """Fingerprints of every step of the game of one seed."""
    env.reset(seed=seed)
    prints = [fingerprint(env) for _ in walk(env, random.Random(seed))]
    return [*prints, fingerprint(env)]


def expect_equal(what: str, first: list[bytes], second: list[bytes]) -> None:
    """Two traces must agree; the message names the first step that differs."""
    pairs = zip(first, second, strict=False)
    step = next((i for i, (one, two) in enumerate(pairs) if one != two), None)
    assert step is None, f"{what}: step {step} differs"
    assert len(first) == len(second), f"{what}: {len(first)} steps and {len(second)} steps"


def expect_refusal(contract: Contract, env: Env, action: Any) -> None:
    """A bad action must raise and leave everything as it was."""
    assert contract.illegal is not None
    before = fingerprint(env)
    said = None
    try:
        env.step(action)
    except contract.illegal as error:
        said = str(error)
    assert said is not None, f"action {action!r} was taken although it is illegal"
    assert said, f"action {action!r}: the error says nothing"
    assert fingerprint(env) == before, f"action {action!r} was refused but changed something"


def check_replay(contract: Contract) -> None:
    """The same seed is the same game: again on the same object, after others, and on a new one."""
    env = contract.make()
    library_state = random.getstate(), canonical(np.random.get_state())  # noqa: NPY002
    traces = [trace(env, seed) for seed in range(contract.episodes)]
    assert len({run[0] for run in traces}) > contract.episodes / 2, "different seeds, same deals"
    for seed in reversed(range(contract.episodes)):
        expect_equal(f"seed {seed} again", traces[seed], trace(env, seed))
    for seed in range(0, contract.episodes, 7):
        expect_equal(f"seed {seed} on a new object", traces[seed], trace(contract.make(), seed))
    now = random.getstate(), canonical(np.random.get_state())  # noqa: NPY002
    assert now == library_state, "a library's global random state was used"


def check_streams(contract: Contract) -> None:
    """Resets without a seed go on with the last seed's stream; without any, objects differ."""

    def deals(seed: int | None) -> list[bytes]:
        env = contract.make()
        env.reset(seed=seed)
        prints = [fingerprint(env)]
        for _ in range(11):
            env.reset()
            prints.append(fingerprint(env))
        return prints

    stream = deals(3)
    expect_equal("the stream of one seed", stream, deals(3))
    assert len(set(stream)) > 6, "resets without a seed deal the same game again"
    assert stream != deals(4), "two seeds, one stream"
    assert deals(None) != deals(None), "two objects without a seed deal the same games"


def check_second_reset(contract: Contract) -> None:
    """A reset at any moment, also among the steps of seats that are out, begins a clean game."""
    env = contract.make()
    expected = trace(env, 5)
    for seed in (6, 7, 8):  # several, since a tie pays nothing that could be left behind
        length = len(trace(env, seed))
        for stop in (seed - 6, length // 2, length - 4, length - 3, length - 2, length):
            env.reset(seed=seed)
            for number in walk(env, random.Random(seed)):
                if number == stop:
                    break
            expect_equal(f"reset after {stop} steps", expected, trace(env, 5))


def check_illegal_actions(contract: Contract) -> None:
    """Bad actions raise, change nothing, and the game goes on as if they had never been tried."""
    if contract.illegal is None:
        return
    env = contract.make()
    expected = trace(env, 7)
    env.reset(seed=7)
    chooser, rng = random.Random(7), random.Random(70)
    prints = []
    for _ in walk(env, chooser):
        prints.append(fingerprint(env))
        if is_out(env):
            for action in (0, 1, -1, 1.0, True, "0"):
                expect_refusal(contract, env, action)
            continue
        agent = env.agent_selection
        size = int(env.action_space(agent).n)
        illegal = np.flatnonzero(mask_of(env, agent) == 0).tolist()
        bad = rng.sample(illegal, min(len(illegal), 4))
        bad += rng.sample(MALFORMED_ACTIONS, len(MALFORMED_ACTIONS) // contract.stride)
        for action in (*bad, size, np.int32(rng.choice(illegal)) if illegal else size):
            expect_refusal(contract, env, action)
    expect_equal("a game with bad actions", expected, [*prints, fingerprint(env)])
    expect_refusal(contract, env, 0)
    env.reset(seed=7)
    for action in MALFORMED_ACTIONS:
        expect_refusal(contract, env, action)


def check_masks(contract: Contract) -> None:
    """Masks in observation and info agree, are the legal set, and all zeros for idle seats."""
    env = contract.make()
    for seed in range(3):
        env.reset(seed=seed)
        for number in walk(env, random.Random(seed)):
            for agent in env.agents:
                mask = mask_of(env, agent)
                assert mask.dtype.kind in "biu" and mask.shape == (env.action_space(agent).n,)
                shown = env.infos[agent].get("action_mask", mask)
                assert canonical(mask) == canonical(shown), f"{agent}: mask and info differ"
                may_move = agent == env.agent_selection and not is_out(env)
                assert bool(mask.any()) == may_move, f"{agent}: {int(mask.sum())} legal actions"
                assert set(np.unique(mask)) <= {0, 1}
            if number % (3 * contract.stride) == 2 * seed % contract.stride and not is_out(env):
                _check_legal_set(contract, env)


def _check_legal_set(contract: Contract, env: Env) -> None:
    mask = mask_of(env, env.agent_selection)
    for action in np.flatnonzero(mask):
        twin = copy.deepcopy(env)
        try:
            twin.step(int(action))
        except Exception as error:
            raise AssertionError(f"action {action} is in the mask, but raises {error!r}") from error
        assert fingerprint(twin) != fingerprint(env), f"action {action} did nothing"
    if contract.illegal is not None:
        for action in np.flatnonzero(mask == 0)[:: 1 + len(mask) // 100]:
            expect_refusal(contract, env, int(action))


def check_rewards(contract: Contract) -> None:
    """Every reward arrives exactly once, the last mover's too; games sum to zero; all seats end."""
    env = contract.make()
    for seed in range(10):
        env.reset(seed=seed)
        rng = random.Random(seed)
        given = dict.fromkeys(env.possible_agents, 0.0)
        received = dict.fromkeys(env.possible_agents, 0.0)
        left: list[str] = []
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            received[agent] += reward
            assert info is env.infos[agent]
            seats = list(env.agents)
            env.step(None if terminated or truncated else choose(env, rng))
            if terminated or truncated:
                left.append(agent)
                assert env.agents == [other for other in seats if other != agent]
            for other, reward in env.rewards.items():
                assert isinstance(reward, int | float)
                given[other] += reward
            over = list(env.terminations.values())
            assert all(over) or not any(over), "the game has ended for some seats only"
            for book in (env.rewards, env._cumulative_rewards, env.terminations, env.infos):
                assert set(book) == set(env.agents), "books and agents do not match"
        assert sorted(left) == sorted(env.possible_agents), f"not everybody left: {left}"
        assert received == given, f"seed {seed}: received {received}, given {given}"
        assert any(given.values()) or seed, "nobody ever got a reward"
        if contract.zero_sum:
            assert abs(sum(given.values())) < 1e-9, f"seed {seed}: rewards {given}"
        assert not env.agents and not env.rewards and not env.infos


def check_copies(contract: Contract) -> None:
    """Deep copies and unpickled copies stand where the original stands and live on their own."""
    env = contract.make()
    length = len(trace(env, 8))
    for stop in (0, 1, 3, length // 3, length // 2, length - 4, length - 3, length - 2):
        env.reset(seed=8)
        rng = random.Random(8)
        for number in walk(env, rng):
            if number == stop:
                break
        here = fingerprint(env)
        copies = {
            "deepcopy": copy.deepcopy(env),
            "pickle": pickle.loads(pickle.dumps(env)),  # noqa: S301 - our own bytes
        }
        rests = {}
        for name, twin in copies.items():
            assert fingerprint(twin) == here, f"{name} after {stop} steps is elsewhere"
            rests[name] = _rest(twin, rng)
            assert fingerprint(env) == here, f"playing on a {name} moved the original"
        original = _rest(env, rng)
        for name, rest in rests.items():
            expect_equal(f"{name} after {stop} steps, played on", original, rest)


def _rest(env: Env, rng: random.Random) -> list[bytes]:
    """Fingerprints to the end of the game and of the next deal; ``rng`` is not advanced."""
    mine = copy.deepcopy(rng)
    prints = [fingerprint(env) for _ in walk(env, mine)]
    env.reset()
    return [*prints, fingerprint(env)]


def check_arrays(contract: Contract) -> None:
    """Arrays that were handed out never change later, and writing into them changes no game."""
    env = contract.make()
    env.reset(seed=9)
    kept: list[tuple[Any, Any]] = []
    for _ in walk(env, random.Random(9)):
        shown = [(env.observe(agent), env.infos[agent]) for agent in env.agents]
        kept += [(item, canonical(item)) for item in (*shown, truth(env))]
    for item, before in kept:
        assert canonical(item) == before, "an array that was handed out has changed"
    env.reset(seed=9)
    for _ in walk(env, random.Random(9)):
        before = fingerprint(env)
        shown = [env.observe(agent) for agent in env.possible_agents]
        for array in arrays_in((shown, truth(env), list(env.infos.values()))):
            if array.flags.writeable:
                array.fill(1)
        assert fingerprint(env) == before, "writing into what was shown changed the environment"


def check_spaces(contract: Contract) -> None:
    """Spaces are one object a seat, and hold what is observed, to the end."""
    env = contract.make()
    for seed in range(3):
        env.reset(seed=seed)
        for agent in env.possible_agents:
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
        steps = walk(env, random.Random(seed))
        for _ in steps:
            for agent in env.possible_agents:
                observation = env.observe(agent)
                assert env.observation_space(agent).contains(observation), f"{agent}: {observation}"
            if (vector := truth(env)) is not None:
                assert env.state_space.contains(vector)
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent))


def check_secrecy(contract: Contract) -> None:
    """What a seat cannot know changes nothing that it is shown, now or by the next action."""
    if contract.redraw is None:
        return
    env = contract.make()
    tally = {"compared": 0, "changed": 0, "stepped": 0}
    for seed in range(3):
        env.reset(seed=seed)
        rng = random.Random(seed)
        for number in walk(env, rng):
            if number % contract.stride == 2 * seed % contract.stride and not is_out(env):
                for agent in env.agents:
                    _check_seat(contract, env, agent, 1000 * seed + number, tally)
    assert tally["changed"] > tally["compared"] / 2, "the hook redraws nothing: nothing is proved"
    assert tally["stepped"] > tally["compared"] / 5, "hardly any action was compared"


def _check_seat(contract: Contract, env: Env, agent: str, key: int, tally: dict[str, int]) -> None:
    assert contract.redraw is not None
    other = contract.redraw(env, agent, key)
    assert seen_by(other, agent) == seen_by(env, agent), f"{agent} sees a hidden card"
    assert drawing(other) == drawing(env), "the drawing shows a hidden card"
    tally["compared"] += 1
    tally["changed"] += fingerprint(other) != fingerprint(env)
    action = choose(env, random.Random(key))
    legal_there = mask_of(other, other.agent_selection)[action]
    if not legal_there or contract.reveals(env, agent, action):
        return
    # Infos are written by a step, so only now can they differ.
    twin = copy.deepcopy(env)
    twin.step(action)
    other.step(action)
    assert seen_by(other, agent) == seen_by(twin, agent), f"{agent} is shown a hidden card"
    tally["stepped"] += 1


CHECKS: tuple[Callable[[Contract], None], ...] = (
    check_replay,
    check_streams,
    check_second_reset,
    check_illegal_actions,
    check_masks,
    check_rewards,
    check_copies,
    check_arrays,
    check_spaces,
    check_secrecy,
)
