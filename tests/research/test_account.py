"""Summaries are the plain means of what the games' accounts say."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.research.account import Account
from arboretum_training.research.figure import Z
from arboretum_training.research.summary import BlockingSummary
from tests.random_games import CONFIGS
from tests.research.test_course import random_games


@pytest.mark.parametrize("name", CONFIGS)
def test_figures_of_a_seat_are_sums_of_its_account(name: str) -> None:
    config = CONFIGS[name]
    account = Account.of(random_games(config, 2))
    figures = account.seat_figures()
    for game in range(2):
        told = account.to_json(game)
        assert told["scores"] == account.games.scores.points[game].tolist()
        for seat, each in enumerate(told["seats"]):
            rows = list(each["species"].values())
            for key in ("potential", "scored", "denied", "took", "wasted"):
                assert figures[key][game, seat] == pytest.approx(sum(row[key] for row in rows))
            for row in rows:
                assert sum(row["denied_by"]) == pytest.approx(row["denied"])
                assert row["spite_hold"] <= (row["took"] > 0 and row["potential"] == 0)
            held = each["held"]
            assert len(held) == config.hand_size
            assert figures["idle_cards"][game, seat] == sum(card["idle"] for card in held)
            price = np.mean([card["one_more_plant"][seat] for card in held])
            assert figures["price_of_one_more_plant"][game, seat] == pytest.approx(price)
            instead = [card["at_last_plant"] for card in held]
            price = np.mean([0 if way is None else way[seat] for way in instead])
            assert figures["price_at_last_plant"][game, seat] == pytest.approx(price)
            left = each["discards"]
            rivals = [p for p in range(config.num_players) if p != seat]
            exposed = [max(d["path_gain"][p] for p in rivals) for d in left]
            assert figures["exposure"][game, seat] == pytest.approx(np.mean(exposed))
            exposed = [max(d["right_gain"][p][p] for p in rivals) for d in left]
            assert figures["right_exposure"][game, seat] == pytest.approx(np.mean(exposed))
            took = np.mean([d["taken_by"] in rivals for d in left])
            assert figures["rivals_took"][game, seat] == pytest.approx(took)
            draws = each["draws"]
            share = draws["deck"] / sum(draws.values())
            assert figures["deck_share"][game, seat] == pytest.approx(share)


def test_seats_of_one_player_are_averaged_within_a_game() -> None:
    account = Account.of(random_games(GameConfig(num_players=3), 4))
    summary = BlockingSummary()
    summary.add(account, [["a", "b", "b"], ["b", "a", "b"], ["b", "b", "a"], ["b", "b", "b"]])
    potential = account.seat_figures()["potential"]
    expected = [potential[0, 0], potential[1, 1], potential[2, 2]]
    figure = summary.figures()["a"]["potential"]
    assert (summary.games("a"), summary.games("b")) == (3, 4)
    assert figure.value == pytest.approx(np.mean(expected), abs=1e-4)
    assert figure.n == 3 and figure.interval is not None
    half = Z * np.std(expected, ddof=1) / np.sqrt(3)
    assert figure.interval[1] - figure.value == pytest.approx(half, abs=1e-4)
    others = [potential[0, 1:].mean(), potential[1, [0, 2]].mean(), potential[2, :2].mean()]
    value = summary.figures()["b"]["potential"].value
    assert value == pytest.approx(np.mean([*others, potential[3].mean()]), abs=1e-4)
