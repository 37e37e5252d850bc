"""The named tasks are those that were published: definitions, games, and reference scores."""

import hashlib
from dataclasses import fields, replace
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from arboretum_agents import tasks
from arboretum_agents.tasks import TASKS, Task, find_task
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.registration import TASK_IDS
from arboretum_env.version import RULES_VERSION
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from tests.api.aec_conformance import canonical
from tests.api.learner_play import hashed_actions

PUBLISHED = {
    "Arboretum-Mini-v0": (
        "e7840fd0c2bbc79cc62b7adfae032b1e087c9ad2f2a3b48f8ca7665655cfc79c",
        "90b6b4a6d4099361071a0249e7c815d286f3fcf05288e72dba6bc0d0eefa4484",
    ),
    "Arboretum-2p-v0": (
        "1febdb90367dae3bdfc47bb1657390b0a7c0522455af85ae53297766fb94d736",
        "72b79f2439b7cadd0324d87e1d44133b29dd683c4c1e019b2a6a9f1a9ed02e49",
    ),
    "Arboretum-3p-v0": (
        "c49ed942a0c3146d0fc3aa278198d3afddb565668d09ba6e67384d48f2e6ed0f",
        "4ab2e53613ca43e7c620298a3d671148a0a2ba6da592712006e7a6bc3f70fdb4",
    ),
    "Arboretum-4p-v0": (
        "7a871e13ab6a715957ca351a0cc75d9eca085cfbe8c0254b6b34c4ed85349f0f",
        "51af4a3a9d5bcca55bc0adc6322f8a1b9f981fe442aca712ddea66d83580f69a",
    ),
}
"""Digest of the definition, and of games as they were played. Never edit a line: whatever changes
becomes a task of the next version, with a line of its own."""


def games_digest(task_id: str) -> str:
    """Of what a learner sees and gets in games of three seeds, some ended by an illegal action."""
    environment = gymnasium.make_vec(task_id, num_envs=3, autoreset_mode="SameStep")
    observations, _ = environment.reset(seed=0)
    digest = hashlib.sha256(canonical(observations))
    for step in range(300):
        actions = hashed_actions(observations["observation"], observations["action_mask"])
        if step % 100 == 99:
            actions[step // 100] = environment.single_action_space.n - 1  # type: ignore[attr-defined]
        observations, rewards, terminations, _, _ = environment.step(actions)
        digest.update(canonical((observations, rewards, terminations)))
    return digest.hexdigest()


def test_every_published_task_is_there_and_registered() -> None:
    assert set(PUBLISHED) <= set(TASKS), "a published task is gone"
    assert set(TASKS) == set(PUBLISHED), "a new task needs its line in PUBLISHED"
    assert tuple(TASKS) == TASK_IDS
    assert all(task.task_id == task_id for task_id, task in TASKS.items())


@pytest.mark.parametrize("task_id", PUBLISHED)
def test_a_task_is_as_it_was_published(task_id: str) -> None:
    definition, games = PUBLISHED[task_id]
    name, _, version = task_id.rpartition("-v")
    advice = f"{task_id} has changed: keep it, and add {name}-v{int(version) + 1}"
    assert TASKS[task_id].digest == definition, advice
    assert games_digest(task_id) == games, advice


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_hashes_are_those_of_the_code(task: Task) -> None:
    assert task.layout_hash == layout_hash(task.config)
    assert task.rules_version == RULES_VERSION


def test_the_digest_holds_the_whole_definition() -> None:
    task = TASKS["Arboretum-2p-v0"]
    changes: dict[str, Any] = {
        "task_id": "Arboretum-2p-v1",
        "config": GameConfig(num_players=2, cancel_eights=False),
        "layout_hash": "0" * 64,
        "rules_version": 2,
        "opponent": "greedy@2",
        "seat": 0,
        "reward": "margin",
        "illegal_action": "random",
        "budget": 1,
    }
    digests = {replace(task, **{name: value}).digest for name, value in changes.items()}
    assert len(digests | {task.digest}) == len(changes) + 1
    assert {entry.name for entry in fields(Task)} == {*changes, "references"}
    assert replace(task, references=()).digest == task.digest


def test_changed_rules_or_layouts_refuse_old_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "RULES_VERSION", 2)
    with pytest.raises(ConfigError, match="was published for rules 1 and layout ce21f4ccfe88"):
        gymnasium.make("Arboretum-2p-v0")
    monkeypatch.undo()
    monkeypatch.setattr(tasks, "layout_hash", lambda config: "0" * 64)
    with pytest.raises(ConfigError, match="these are 1 and 000000000000"):
        find_task("Arboretum-3p-v0")
    monkeypatch.undo()
    with pytest.raises(ConfigError, match="task 'Arboretum-5p-v0': expected one of Arboretum-Mi"):
        find_task("Arboretum-5p-v0")


@pytest.mark.parametrize("task_id", PUBLISHED)
def test_tasks_are_environments(task_id: str) -> None:
    pytest.importorskip("resvg_py")  # the checker tries every render mode
    environment = gymnasium.make(task_id)
    check_env(environment.unwrapped)
    task = TASKS[task_id]
    assert environment.unwrapped.config == task.config  # type: ignore[attr-defined]
    games = environment.unwrapped._games  # type: ignore[attr-defined]
    given = games.seat_rule, games.reward_kind, games.illegal_rule
    assert given == (task.seat, task.reward, task.illegal_action)
    bare = gymnasium.make(task_id, mask_in="info")
    assert bare.reset(seed=1)[0].shape == bare.observation_space.shape
    for change in ({"opponents": "random"}, {"reward": "margin"}, {"num_players": 3}, {"seat": 0}):
        with pytest.raises(TypeError, match="unexpected keyword"):
            gymnasium.make(task_id, **change)
        with pytest.raises(TypeError, match="unexpected keyword"):
            gymnasium.make_vec(task_id, num_envs=2, **change)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_reference_scores_are_those_of_a_smaller_run(task: Task) -> None:
    """The first deals of the documented measurement; its interval holds for the whole of it."""
    for reference in task.references:
        deals = 100
        result = evaluate([reference.agent, task.opponent], task.config, deals=deals, seed=7)
        measured = summarise(result).agents[result.names[0]]
        low, high = measured.win_rate_ci95
        assert low <= reference.win_rate <= high
        assert reference.low < reference.win_rate < reference.high
        assert reference.deals == 2000


def test_the_command_measures_the_game_of_the_task() -> None:
    commands = [task.command("random") for task in TASKS.values()]
    assert commands == [
        "arboretum evaluate random greedy@1 --players 2 --species CDJV --ranks 5 --hand-size 3 "
        "--deals 2000 --seed 7",
        *(
            f"arboretum evaluate random greedy@1 --players {players} --deals 2000 --seed 7"
            for players in (2, 3, 4)
        ),
    ]


def test_greedy_against_itself_is_fair() -> None:
    """A deterministic agent wins one of P seats of every deal, or shares it: exactly 1/P."""
    for task in TASKS.values():
        (own,) = (each for each in task.references if each.agent == task.opponent)
        assert own.win_rate == pytest.approx(1 / task.config.num_players, abs=5e-4)
