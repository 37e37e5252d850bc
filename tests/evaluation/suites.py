"""Small measurements with the suite, and forged result files."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.forfeit import FORFEIT
from arboretum_env.view import PlayerViews
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.evaluate import AgentFactory
from arboretum_training.evaluation.saved_games import game_file
from arboretum_training.evaluation.suite_card import Card
from arboretum_training.evaluation.suite_match import SuiteMatch
from arboretum_training.evaluation.suite_run import finish_suite, play_matches, suite_matches
from arboretum_training.evaluation.unit_files import canonical, digest
from tests.evaluation.stub_agents import FirstLegal

Matches = dict[tuple[int, str], SuiteMatch]


class GivesUp(FirstLegal):
    """Forfeits every second game in its second turn."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        late = (views.game_id % 2 == 0) & (views.turn >= views.config.num_players)
        return np.where(late, FORFEIT, super().act(views))

    def forfeit_reason(self, game_id: int, seat: int) -> str:
        return "nothing comes to mind"


def silent(done: int, total: int, name: str) -> None:
    """Progress that nobody watches."""


def measured(
    agent: str | AgentFactory,
    folder: Path,
    *,
    players: Sequence[int] = (2,),
    deals: int = 3,
    workers: int = 1,
    keep: int | None = None,
) -> tuple[Card, Path, Matches]:
    """Card, result file and matches of a small measurement; the first ``keep`` matches of it."""
    who = identify(agent)
    matches = suite_matches(who, players, folder, "sample", deals)
    matches = dict(list(matches.items())[:keep])
    play_matches(list(matches.values()), workers=workers, records=True, report=silent)
    card, file = finish_suite(who, matches, folder)
    return card, file, matches


def contents(path: Path) -> dict[str, bytes]:
    """The members of a result file."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def forged(
    path: Path,
    change: Callable[[dict[str, bytes], Any], None],
    *,
    records_hash: bool = True,
    result_hash: bool = True,
) -> Path:
    """A result file in which something was changed, and the hashes mended afterwards.

    Args:
        path: an honest one.
        change: is called with the members and the data of ``result.json``, and changes them.
        records_hash: mend the hashes of the records.
        result_hash: mend the hash of the whole.
    """
    members = contents(path)
    data = json.loads(members["result.json"])
    change(members, data)
    for match in data["matches"]:
        ids = zip(match["games"]["deal_id"], match["games"]["game_id"], strict=True)
        names = [f"games/{match['name']}/{game_file(*pair)}" for pair in ids]
        if records_hash and all(name in members for name in names):
            whole = b"".join(members[name] for name in names)
            match["records"] = hashlib.sha256(whole).hexdigest()
    if result_hash:
        del data["sha256"]
        data["sha256"] = digest(data)
    members["result.json"] = canonical(data)
    other = path.with_name("forged.zip")
    with zipfile.ZipFile(other, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return other
