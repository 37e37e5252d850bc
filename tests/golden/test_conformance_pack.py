"""The conformance pack: current, valid, small, rich in corners, and checked by another language."""

import copy
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from scripts.make_conformance import pack
from tests.engine_game import ActionIds
from tests.reference import PLACE, Options, ReferenceGame, rank, scoring_paths

FOLDER = Path(__file__).parents[1] / "data" / "conformance"
CHECKER = FOLDER / "check.mjs"
NODE = shutil.which("node")

Row = dict[str, Any]
needs_node = pytest.mark.skipif(
    NODE is None, reason="THE PACK WAS NOT CHECKED IN JAVASCRIPT: there is no node on this machine"
)


def stored_rows() -> list[Row]:
    files = sorted(FOLDER.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines]


def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def run_checker(*files: Path) -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    return subprocess.run(
        [NODE, CHECKER, *files], check=False, capture_output=True, text=True, timeout=120
    )


def test_pack_is_what_this_version_makes() -> None:
    """A difference is a change of behaviour. If it is meant: run scripts/make_conformance.py."""
    made = pack()
    stored = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.jsonl")}
    assert sorted(made) == sorted(stored)
    for name, text in made.items():
        pairs = zip(text.splitlines(), stored[name].splitlines(), strict=True)
        drifted = [number for number, (new, old) in enumerate(pairs, start=1) if new != old]
        assert drifted == [], f"{name}: lines {drifted} have changed"


def test_rows_follow_the_schema() -> None:
    check = validator()
    rows = stored_rows()
    for row in rows:
        check.validate(row)
    assert len({row["id"] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda row: row.pop("scores"),
        lambda row: row.update(comment="extra"),
        lambda row: row["config"].update(num_players=5),
        lambda row: row["deal"]["deck"].append("X1"),
        lambda row: row["decisions"][0].update(action="0"),
        lambda row: row["decisions"][0].update(legal=[]),
        lambda row: row["final_observations"].update({"0": "not base64!"}),
    ],
)
def test_schema_can_refuse(spoil: Callable[[Row], Any]) -> None:
    row = stored_rows()[0]
    spoil(row)
    assert not validator().is_valid(row)


def test_pack_is_small_and_holds_every_kind_of_game() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 2_000_000
    kinds = Counter(
        (
            row["config"]["num_players"],
            row["config"]["starting_discards"],
            row["sizes"]["cards"] == {2: 48, 3: 64, 4: 80}[row["config"]["num_players"]],
        )
        for row in stored_rows()
    )
    for players in (2, 3, 4):
        assert kinds[players, False, True] >= 6  # whole games
        assert kinds[players, True, True] >= 3
        assert kinds[players, False, False] >= 3  # reduced games
    assert {row["config"]["cancel_eights"] for row in stored_rows()} == {True, False}
    assert {row["config"]["rights"] for row in stored_rows()} == {"highest", "all"}


def test_games_reach_the_corners_of_the_rules() -> None:
    """What the games contain, seen with the literal reference; it also judges their scores."""
    seen: Counter[str] = Counter()
    for row in stored_rows():
        _replay(row, seen)
    wanted = {
        *("deck emptied by a first draw", "both cards from one pile", "known card planted"),
        *("plants beyond the table's middle", "cancelled top rank", "cancelling switched off"),
        *("nobody holds a species", "shared right", "right without a path", "denied path"),
        *("doubled path", "starts with a 1", "ends with the top rank", "mixed path"),
        *("tie broken by species", "shared win", "last card drawn second"),
    }
    assert wanted <= set(seen), wanted - set(seen)


def _replay(row: Row, seen: Counter[str]) -> None:
    options = Options(**row["config"])
    game = ReferenceGame(options, **row["deal"])
    ids = ActionIds(options)
    draws: list[Any] = []
    for decision in row["decisions"]:
        table = ids.table(game.legal(), game.mover)
        assert sorted(table) == decision["legal"]
        action = table[decision["action"]]
        draws = [*draws, action][-2:] if action[0] in ("deck", "pile") else []
        if len(draws) == 2 and draws[0] == draws[1] and action[0] == "pile":
            seen["both cards from one pile"] += 1
        if game.phase == PLACE:
            seen["known card planted"] += game.chosen in game.known[game.mover]
            seen["plants beyond the table's middle"] += min(action[1]) < 0
        if action == ("deck",) and len(game.deck) == 1:
            order = "deck emptied by a first draw" if len(draws) == 1 else "last card drawn second"
            seen[order] += 1
        game.apply(action)
    assert game.over
    _judge(row, game, seen)
    for name in [name for name, times in seen.items() if not times]:
        del seen[name]


def _judge(row: Row, game: ReferenceGame, seen: Counter[str]) -> None:
    score, given = game.score(), row["scores"]
    options, seats = game.options, range(game.options.num_players)
    assert (score.totals, score.winners) == (given["points"], given["winners"])
    assert score.distinct_species == given["distinct_species"]
    for index, species in enumerate(options.species):
        parts = [score.species[seat][species] for seat in seats]
        assert [part.hand_sum for part in parts] == [given["hand_sum"][k][index] for k in seats]
        assert [part.right for part in parts] == [given["right"][k][index] for k in seats]
        assert [part.path_points for part in parts] == [
            given["path_points"][k][index] for k in seats
        ]
        holders = [seat for seat in seats if any(c[0] == species for c in game.hands[seat])]
        tops = [seat for seat in seats if f"{species}{options.num_ranks}" in game.hands[seat]]
        ones = [seat for seat in seats if f"{species}1" in game.hands[seat]]
        if tops and ones and tops != ones:
            seen["cancelled top rank" if options.cancel_eights else "cancelling switched off"] += 1
        rights = sum(part.right for part in parts)
        seen["nobody holds a species"] += not holders
        seen["shared right"] += bool(holders) and rights > 1 and options.rights == "highest"
        for seat, part in enumerate(parts):
            seen["right without a path"] += part.right and not part.path_points
            seen["denied path"] += bool(part.path_points) and not part.right
            for path in scoring_paths(game.arboreta[seat], species):
                pure = all(card[0] == species for card in path)
                seen["doubled path"] += pure and len(path) >= 4
                seen["mixed path"] += not pure
                seen["starts with a 1"] += rank(path[0]) == 1
                seen["ends with the top rank"] += rank(path[-1]) == options.num_ranks
    tied = [seat for seat in seats if score.totals[seat] == max(score.totals)]
    seen["tie broken by species"] += len(tied) > len(score.winners)
    seen["shared win"] += len(score.winners) > 1


@needs_node
def test_javascript_agrees_with_every_row() -> None:
    done = run_checker()
    assert done.returncode == 0, done.stderr
    rows = stored_rows()
    decisions = sum(len(row["decisions"]) for row in rows)
    assert done.stdout == f"{len(rows)} games, {decisions} decisions, 0 mismatches\n"


def _other_legal_action(row: Row) -> None:
    decision = next(d for d in row["decisions"] if len(d["legal"]) > 1)
    decision["action"] = next(i for i in decision["legal"] if i != decision["action"])


def _flip_a_bit(observations: dict[str, str], seat: str) -> None:
    first = observations[seat][0]
    observations[seat] = ("B" if first == "A" else "A") + observations[seat][1:]


def _swap(cards: list[str]) -> None:
    cards[0], cards[1] = cards[1], cards[0]


TAMPERINGS: dict[str, Callable[[Row], Any]] = {
    "an action": _other_legal_action,
    "an illegal action": lambda row: row["decisions"][2].update(action=0),
    "a legal id more": lambda row: row["decisions"][7]["legal"].append(999),
    "a legal id less": lambda row: row["decisions"][7]["legal"].pop(),
    "an observation": lambda row: _flip_a_bit(row["decisions"][0]["observations"], "1"),
    "a final observation": lambda row: _flip_a_bit(row["final_observations"], "0"),
    "a missing final observation": lambda row: row["final_observations"].pop("0"),
    "the digest": lambda row: row.update(all_observations_sha256="0" * 64),
    "the deck's order": lambda row: _swap(row["deal"]["deck"]),
    "a card dealt twice": lambda row: row["deal"]["deck"].__setitem__(0, row["deal"]["deck"][1]),
    "the end": lambda row: row["decisions"].pop(),
    "points": lambda row: row["scores"]["points"].__setitem__(0, 77),
    "winners": lambda row: row["scores"].update(winners=[]),
    "a sum": lambda row: row["scores"]["hand_sum"][0].__setitem__(0, 77),
    "a right": lambda row: row["scores"]["right"][0].__setitem__(
        0, not row["scores"]["right"][0][0]
    ),
    "a path": lambda row: row["scores"]["path_points"][0].__setitem__(0, 77),
    "species": lambda row: row["scores"]["distinct_species"].__setitem__(0, 0),
    "a size": lambda row: row["sizes"].update(side=row["sizes"]["side"] + 1),
    "a rule": lambda row: row["config"].update(cancel_eights=not row["config"]["cancel_eights"]),
}


@needs_node
def test_javascript_rejects_every_tampered_row(tmp_path: Path) -> None:
    row = next(row for row in stored_rows() if row["id"] == "3-plain-0")
    file = tmp_path / "tampered.jsonl"
    lines = []
    for spoil in TAMPERINGS.values():
        tampered = copy.deepcopy(row)
        spoil(tampered)
        assert tampered != row
        lines.append(json.dumps(tampered))
    file.write_text("\n".join([json.dumps(row), *lines, "not json"]) + "\n", encoding="utf-8")
    done = run_checker(file)
    assert done.returncode == 1
    refused = [line.split(":")[1] for line in done.stderr.splitlines()]
    accepted = [
        name for number, name in enumerate(TAMPERINGS, start=2) if str(number) not in refused
    ]
    assert accepted == []
    assert refused == [str(number) for number in range(2, len(TAMPERINGS) + 3)]


@needs_node
def test_javascript_rejects_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    done = run_checker(tmp_path / "empty.jsonl")
    assert (done.returncode, done.stderr) == (1, "no games to check\n")
