"""Perft: the whole game tree of tiny exact deals, counted by depth, as chess programs do.

A count is the number of sequences of legal decisions of that length; a single illegal or missing
action anywhere changes it. Each row also sums, over the finished games among them, the winning
seats' shares and everybody's points, so that two wrong scores do not go unseen either.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from tests.engine_game import config_of
from tests.reference import Options, ReferenceGame

BATCH = 1 << 15


@dataclass(frozen=True)
class Tree:
    """A tiny game, and the literal numbers of its tree.

    Attributes:
        nodes: positions after 0, 1, 2 ... decisions, as paths from the root, a group for each turn.
        finished: games over, by depth.
        points: over all these finished games, each seat's total points.
        wins: likewise, in how many it won (alone or shared).
    """

    name: str
    options: Options
    hands: list[list[str]]
    deck: list[str]
    nodes: str
    finished: dict[int, int]
    points: list[int]
    wins: list[int]
    discards: list[list[str]] | None = None

    @property
    def depth(self) -> int:
        """The deepest level counted."""
        return len(self.expected[0]) - 1

    @property
    def expected(self) -> "Counts":
        """The literal numbers in the form in which trees are counted."""
        nodes = [int(count) for count in self.nodes.replace(",", " ").replace(";", " ").split()]
        finished = [self.finished.get(level, 0) for level in range(len(nodes))]
        return nodes, finished, self.points, self.wins


Counts = tuple[list[int], list[int], list[int], list[int]]
TREES = [
    # By hand. Turn 1: only the deck can be drawn from (1, 1), three cards to plant (3) on one cell
    # (3), two to discard (6). Turn 2: deck or pile (12); after the deck again both, after the pile
    # (now empty) only the deck: 12 + 6 = 18; x 3 x 1 x 2 = 108, of which 6 x 6 = 36 drew the deck's
    # last two cards. Turn 3, the other 72: deck or the one pile (144); after the deck's last card
    # only the pile, after the pile only the deck (144); x 3 (432) x 4 cells (1728) x 2 (3456).
    Tree(
        "two players, 2 x 3, hands of 1",
        Options(2, "CD", 3, 1),
        [["C1"], ["C2"]],
        ["C3", "D1", "D2", "D3"],
        nodes="1, 1 1 3 3 6; 12 18 54 54 108; 144 144 432 1728 3456",
        finished={10: 36, 15: 3456},
        points=[3936, 0],
        wins=[3492, 420],
    ),
    Tree(
        "two players, 2 x 4, hands of 1",
        Options(2, "CD", 4, 1),
        [["C1"], ["D4"]],
        ["C2", "D1", "C4", "D2", "C3", "D3"],
        nodes="1, 1 1 3 3 6; 12 18 54 54 108; 252 468 1404 5616 11232; 24192 41472",
        finished={15: 864},
        points=[624, 0],
        wins=[864, 152],
    ),
    Tree(
        "two players, 2 x 4, hands of 2",
        Options(2, "CD", 4, 2),
        [["C1", "D3"], ["C4", "D1"]],
        ["C2", "D4", "C3", "D2"],
        nodes="1, 1 1 4 4 12; 24 36 144 144 432; 576 576 2304 9216 27648",
        finished={10: 144, 15: 27648},
        points=[20736, 0],
        wins=[27792, 5552],
    ),
    # The same tree, other points.
    Tree(
        "two players, both rule switches",
        Options(2, "CD", 4, 2, cancel_eights=False, rights="all"),
        [["C1", "D3"], ["C4", "D1"]],
        ["C2", "D4", "C3", "D2"],
        nodes="1, 1 1 4 4 12; 24 36 144 144 432; 576 576 2304 9216 27648",
        finished={10: 144, 15: 27648},
        points=[38016, 0],
        wins=[27792, 144],
    ),
    Tree(
        "two players, starting discards",
        Options(2, "CD", 4, 1, starting_discards=True),
        [["C1"], ["D4"]],
        ["C2", "D1", "C4", "D2", "C3"],
        nodes="1, 2 3 9 9 18; 42 78 234 234 468; 1116 2196 6588 26352 52704",
        finished={15: 8640},
        points=[7072, 0],
        wins=[8640, 1376],
        discards=[[], ["D3"]],
    ),
    Tree(
        "three players, 2 x 4, hands of 1",
        Options(3, "CD", 4, 1),
        [["C1"], ["C4"], ["D3"]],
        ["C3", "D1", "D2", "C2", "D4"],
        nodes="1, 1 1 3 3 6; 12 18 54 54 108; 252 432 1296 1296 2592; 2592 2592 7776 31104",
        finished={15: 1296},
        points=[0, 0, 0],
        wins=[1296, 1296, 1296],
    ),
    Tree(
        "three players, starting discards",
        Options(3, "CD", 4, 1, starting_discards=True),
        [["C1"], ["C4"], ["D3"]],
        ["D2", "C2", "D4"],
        nodes="1, 3 7 21 21 42; 120 276 828 828 1656; 3240 5832 17496 17496 34992; 28512 28512",
        finished={10: 360, 15: 20736},
        points=[0, 0, 0],
        wins=[21096, 21096, 20736],
        discards=[[], ["C3"], ["D1"]],
    ),
    Tree(
        "four players, 3 x 3, hands of 1",
        Options(4, "CDJ", 3, 1),
        [["C1"], ["C3"], ["D3"], ["D1"]],
        ["J1", "C2", "D2", "J3", "J2"],
        nodes="1, 1 1 3 3 6; 12 18 54 54 108; 252 432 1296 1296 2592; 2592 2592 7776 7776 15552",
        finished={15: 1296, 20: 15552},
        points=[0, 0, 0, 0],
        wins=[16848, 16848, 16848, 15552],
    ),
]


def reference_counts(tree: Tree) -> Counts:
    """Walk the tree depth first."""
    depth = tree.depth
    players = tree.options.num_players
    nodes, finished = [0] * (depth + 1), [0] * (depth + 1)
    points, wins = [0] * players, [0] * players
    stack = [(ReferenceGame(tree.options, tree.hands, tree.deck, tree.discards), 0)]
    while stack:
        game, level = stack.pop()
        nodes[level] += 1
        if game.over:
            finished[level] += 1
            result = game.score()
            for seat in range(players):
                points[seat] += result.totals[seat]
                wins[seat] += seat in result.winners
        elif level < depth:
            for action in game.legal():
                child = game.copy()
                child.apply(action)
                stack.append((child, level + 1))
    return nodes, finished, points, wins


def engine_counts(tree: Tree) -> Counts:
    """Widen a batch of positions level by level, in blocks that fit in memory."""
    depth = tree.depth
    players = tree.options.num_players
    nodes, finished = [0] * (depth + 1), [0] * (depth + 1)
    points, wins = np.zeros(players, np.int64), np.zeros(players, np.int64)
    root = deal_exact(config_of(tree.options), tree.hands, tree.deck, tree.discards)
    blocks = [(root, 0)]
    while blocks:
        state, level = blocks.pop()
        nodes[level] += len(state)
        over = np.flatnonzero(state.done)
        if len(over):
            finished[level] += len(over)
            result = score(state.select(over))
            points += result.points.sum(axis=0)
            wins += result.winners.sum(axis=0)
        if level == depth:
            continue
        rows, actions = np.nonzero(legal_action_mask(state))
        for start in range(0, len(rows), BATCH):
            children = state.select(rows[start : start + BATCH])
            apply_action(children, actions[start : start + BATCH])
            blocks.append((children, level + 1))
    return nodes, finished, points.tolist(), wins.tolist()


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_engine(tree: Tree) -> None:
    assert engine_counts(tree) == tree.expected


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_reference(tree: Tree) -> None:
    assert reference_counts(tree) == tree.expected
