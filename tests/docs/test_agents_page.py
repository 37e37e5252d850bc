"""docs/agents.md: the bot that it writes plays, by its name and with its option."""

import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.actions import action_slices
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
[CODE] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
[PROJECT] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


class Watched:
    """An agent whose discards are noted: (rank discarded, ranks in hand), from 0."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.discards: list[tuple[int, list[int]]] = []

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        self._agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        actions = self._agent.act(views)
        ranks = views.config.num_ranks
        first = action_slices(views.config)["discard_card"].start
        for view, action in zip(views, actions.tolist(), strict=True):
            if view.phase == Phase.DISCARD:
                hand = [card % ranks for card in view.hand]
                self.discards.append(((action - first) % ranks, hand))
        return actions


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's two files, as if installed."""
    project = tomllib.loads(PROJECT)
    [module] = project["tool"]["setuptools"]["py-modules"]
    (tmp_path / f"{module}.py").write_text(CODE)
    name, version = (project["project"][key] for key in ("name", "version"))
    info = tmp_path / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = project["project"]["entry-points"].items()
    text = [f"[{group}]\n{key} = {value}\n" for group, of in groups for key, value in of.items()]
    (info / "entry_points.txt").write_text("".join(text))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, module, raising=False)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("spec", "highest"), [("miser", False), ("miser:highest=true", True)])
def test_the_bot_discards_as_it_says(players: int, spec: str, highest: bool) -> None:
    config = GameConfig(num_players=players)
    bot, rivals = Watched(make_agent(spec, config)), make_agent("random", config)
    ids = np.arange(4, dtype=np.uint64)
    for agent in (bot, rivals):
        agent.reset(ids, 1)
    seating = np.ones((4, players), np.int64)
    seating[np.arange(4), np.arange(4) % players] = 0
    play_match(deal(config, root_from_seed(1, Purpose.EVALUATE), ids), [bot, rivals], seating, ids)
    assert len(bot.discards) >= 4 * 4
    wanted = max if highest else min
    assert all(rank == wanted(hand) for rank, hand in bot.discards)
    assert any(rank != min(hand) for rank, hand in bot.discards) is highest
