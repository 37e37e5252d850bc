"""The networks that ship: whole, small, described, frozen, and weaker at lower levels."""

from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.neural.checkpoint_reader import read_checkpoint
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import BUILT_IN, AgentSpecError, make_agent
from arboretum_agents.shipped import LEVELS, WEIGHTS_FOLDER, shipped_folder
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from tests.agents.positions import mover_views

MAX_BYTES = 5_000_000  # of all together, in the wheel
NAMES = {
    f"{entry.name}@{entry.version}": int(entry.name[-2])
    for entry in BUILT_IN
    if entry.name.startswith("league-")
}

PUBLISHED = {
    "league-2p@1": "e6412f2a18e5",
    "league-2p@2": "506e1bb943b7",
    "league-3p@1": "c198d35e0e80",
    "league-4p@1": "b06b7d88a80b",
}
"""The beginning of the SHA-256 of each network's weights: a published version stays as it is."""


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_folders_and_names_are_the_same() -> None:
    folders = {path.name for path in WEIGHTS_FOLDER.iterdir() if path.is_dir()}
    assert folders == NAMES.keys()
    assert sum(path.stat().st_size for path in files(WEIGHTS_FOLDER)) <= MAX_BYTES


def test_published_weights_stay_as_they_are() -> None:
    digests = {name: read_checkpoint(WEIGHTS_FOLDER / name).digest or "" for name in NAMES}
    assert {name: digest[:12] for name, digest in digests.items()} == PUBLISHED


@pytest.mark.parametrize("name", NAMES)
def test_a_card_tells_what_the_weights_are(name: str) -> None:
    checkpoint = read_checkpoint(WEIGHTS_FOLDER / name)
    assert checkpoint.tensors.keys() == {"weights", "critic"}
    assert checkpoint.game == GameConfig(num_players=NAMES[name])
    card = (WEIGHTS_FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert checkpoint.digest is not None
    assert f"SHA-256 `{checkpoint.digest[:12]}`" in card
    assert f"{checkpoint.step:,} decisions" in card
    assert "| `planner@1` | 1000 |" in card
    assert "/home/" not in card
    assert "/work/" not in card


@pytest.mark.parametrize("name", NAMES)
def test_levels_are_the_same_weights_at_falling_temperatures(name: str) -> None:
    config = GameConfig(num_players=NAMES[name])
    views = mover_views(config, 4, seed=7)
    entropies = []
    for level in range(1, 6):
        agent = make_agent(f"{name}:{level}", config)
        assert isinstance(agent, NeuralAgent)
        assert agent.temperature == LEVELS[name][level - 1]
        chances, _ = agent.policy(views)
        logs = np.log(np.where(chances > 0, chances, 1))
        entropies.append(float(-(chances * logs).sum(axis=1).mean()))
    assert entropies == sorted(entropies, reverse=True)
    assert entropies[0] > 2 * entropies[-1]
    best = make_agent(name, config)
    assert isinstance(best, NeuralAgent)
    assert best.temperature == LEVELS[name][-1]


def test_a_bare_name_means_the_newest() -> None:
    for name, players in NAMES.items():
        newest = max(other for other, of in NAMES.items() if of == players)
        bare, config = name.partition("@")[0], GameConfig(num_players=players)
        assert shipped_folder(bare) == shipped_folder(newest) == WEIGHTS_FOLDER / newest
        assert shipped_folder(name) == WEIGHTS_FOLDER / name
        views = mover_views(config, 1, seed=7)
        chances = [
            agent.policy(views)[0].tobytes()
            for agent in (make_agent(bare, config), make_agent(newest, config))
            if isinstance(agent, NeuralAgent)
        ]
        assert len(chances) == 2 and chances[0] == chances[1]
    assert shipped_folder("league-2p@1") != shipped_folder("league-2p")
    for unknown in ("league-2p@9", "league-5p", "../league-2p@1", ""):
        assert shipped_folder(unknown) is None


@pytest.mark.parametrize("name", NAMES)
def test_what_it_does_not_play_is_refused_with_what_does(name: str) -> None:
    players = NAMES[name]
    other = 2 if players != 2 else 3
    with pytest.raises(AgentSpecError, match=f"with {other}: expected league-{other}p"):
        make_agent(name, GameConfig(num_players=other))
    for level in (0, 6):
        with pytest.raises(AgentSpecError, match=rf"level={level}: expected 1\.\.5"):
            make_agent(f"{name}:level={level}", GameConfig(num_players=players))


@pytest.mark.parametrize("name", NAMES)
def test_it_beats_the_greedy_bot_and_its_lowest_level_does_so_less(name: str) -> None:
    """A coarse net for broken weights or features; how strong it is, its card says."""
    players = NAMES[name]
    game = GameConfig(num_players=players)
    rates = {
        level: summarise(evaluate([f"{name}:{level}", "greedy"], game, deals=40, seed=5))
        .agents[f"{name}:{level}"]
        .win_rate
        for level in (1, 5)
    }
    assert rates[5] > {2: 0.85, 3: 0.65, 4: 0.5}[players]
    assert rates[1] < rates[5] - 0.1
