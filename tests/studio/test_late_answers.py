"""What is still worked out when the screen is handed over, stopped, or out of time."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_agents import registry
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.errors import RecordError
from arboretum_lab.play.hints import advice_of
from arboretum_lab.studio.analysis.jobs import Analyses, Answer, Job
from arboretum_lab.studio.analysis.work import Exercises
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.settings import Limits
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Pulse, Tick
from tests.analysis.games import bots_course
from tests.studio.bad_bots import BAD_BOTS, LET_GO
from tests.studio.desk import Desk, open_studio
from tests.studio.test_analysis import finished
from tests.studio.tiny import TINY


@pytest.fixture(autouse=True)
def _bad_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "BUILT_IN", (*registry.BUILT_IN, *BAD_BOTS))
    LET_GO.clear()
    yield
    LET_GO.set()


def test_behind_the_curtain_nothing_arrives_that_was_asked_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hint or a try that was begun for one seat, while the screen goes to another."""
    begun = threading.Event()

    def slow(answer: Callable[..., Any]) -> Callable[..., Any]:
        def wait(*given: Any) -> Any:
            begun.set()
            LET_GO.wait()
            return answer(*given)

        return wait

    monkeypatch.setattr(Exercises, "answer", slow(lambda *_: {"played": "d"}))
    monkeypatch.setattr("arboretum_lab.studio.hints.advice_of", slow(advice_of))
    with open_studio(tmp_path) as client, ThreadPoolExecutor() as pool:
        desk = Desk(client)
        game = desk.new_game("human", "human", **TINY)["id"]
        desk.call("POST", f"/games/{game}/handover", {"seat": 0})
        about = {"kind": "mistakes", "game": game, "seat": 0, "worlds": 16}
        job = finished(desk, about)["id"]
        for path, body in (
            (f"/games/{game}/hint", {"seat": 0}),
            (f"/analysis/{job}/try", {"index": 0, "move": "d"}),
        ):
            begun.clear()
            LET_GO.clear()
            desk.call("POST", f"/games/{game}/handover", {"seat": 0})
            asked = pool.submit(desk.refused, "POST", path, body)
            assert begun.wait(60)
            desk.call("POST", f"/games/{game}/handover", {"seat": 1})
            LET_GO.set()
            assert asked.result()[:2] == (409, "curtain")


def test_playouts_stop_at_any_decision() -> None:
    """Not only between positions: a network in 4,096 worlds takes minutes over one."""
    config = GameConfig(species=4, num_ranks=5, hand_size=3)
    view = bots_course(config, 3, ("greedy",)).view(10, 0)
    playouts, asked = Playouts(make_agent("greedy", config), 16), 0

    def count() -> None:
        nonlocal asked
        asked += 1
        if asked == 7:
            raise RecordError("enough")

    with pytest.raises(RecordError, match="enough"):
        playouts.stoppable(count).outcomes(playouts.worlds(view))
    assert asked == 7
    free = playouts.outcomes(playouts.worlds(view))
    assert asked == 7  # those that it was made of go on as before
    again = playouts.stoppable(lambda: None)
    assert np.array_equal(again.outcomes(again.worlds(view)).points, free.points)


def until_over(job: Job) -> Job:
    end = time.monotonic() + 60
    while job.open and time.monotonic() < end:
        time.sleep(0.01)
    return job


def forever(tick: Tick, pulse: Pulse) -> Answer:
    while True:
        pulse()


def test_a_job_ends_within_a_step() -> None:
    """It is never done with its first step, but is at work: stopped, or out of time."""
    stopped = Analyses(Limits())
    job = stopped.begin("owner", forever)
    stopped.cancel(job)
    assert until_over(job).state == "cancelled"
    late = until_over(Analyses(Limits(analysis_seconds=0.05)).begin("owner", forever))
    assert (late.state, late.fault) == ("failed", "not done in 0.05 seconds: use fewer worlds")


def test_what_was_stopped_is_forgotten_although_it_was_done() -> None:
    analyses, begun = Analyses(Limits()), threading.Event()

    def done(tick: Tick, pulse: Pulse) -> Answer:
        begun.set()
        LET_GO.wait()
        return Answer({"hand": ["M7"]})

    job = analyses.begin("owner", done)
    assert begun.wait(60)
    analyses.cancel(job)
    LET_GO.set()
    assert until_over(job).to_json()["result"] is None
    assert job.state == "cancelled"


def test_a_try_has_its_time_and_few_work_at_once() -> None:
    def think(pulse: Pulse) -> None:
        while True:
            pulse()

    with pytest.raises(RefusedError, match=r"no answer: nothing within 0\.05 seconds"):
        Analyses(Limits(bot_seconds=0.05)).ask(think)
    analyses = Analyses(Limits(tries=1))
    with pytest.raises(RefusedError, match="too many moves are tried") as refused:
        analyses.ask(lambda pulse: analyses.ask(think))
    assert refused.value.status == 429
    with pytest.raises(RefusedError, match=r"no answer: it failed \(ZeroDivisionError\)"):
        analyses.ask(lambda pulse: 1 // 0)
    assert analyses.ask(lambda pulse: 7) == 7
