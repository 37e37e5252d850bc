"""The search: waves of simulations for many decisions at once.

A wave gives every decision some sampled worlds, sends each through each candidate still alive, down
its tree and on to the end of the game by the policy. All simulations of a wave run as one batch of
games, so the engine and the policy work at their best; which ones there are depends on a decision
alone, never on the batch that it is in.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.beliefs import redeal
from arboretum_agents.search.budget import Budget
from arboretum_agents.search.candidates import list_candidates, ranker
from arboretum_agents.search.guide import Guide
from arboretum_agents.search.root import Root
from arboretum_agents.search.tree import Edge, Node
from arboretum_env.compile import kernel
from arboretum_env.determinize import determinize
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.seeding import subkey
from arboretum_env.view import PlayerViews, redact

WAVE: Final = 64  # simulations of a decision at once, at most

_Path = list[tuple[Edge, int]]
"""Edges that a simulation went through, with the seat that moved."""


@kernel
def _decision_keys(seed, game_ids, seats, decisions, keys):  # type: ignore[no-untyped-def]
    for i in range(keys.shape[0]):
        game = subkey(subkey(seed, game_ids[i]), np.uint64(seats[i]))
        # Apart from the uniform numbers of other agents, which end here.
        keys[i] = subkey(subkey(game, np.uint64(decisions[i])), np.uint64(1))


@kernel
def _world_keys(keys, numbers, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = subkey(keys[i], np.uint64(numbers[i]))


class Search:
    """Searches decisions.

    Args:
        guide: of the search; its policy has been reset.
        budget: of every decision.
        seed: keys the sampled worlds.
    """

    def __init__(self, guide: Guide, budget: Budget, seed: int) -> None:
        self._guide = guide
        self._budget = budget
        self._seed = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)

    def run(self, views: PlayerViews, log_odds: NDArray[np.float64]) -> list[Root]:
        """Searches the decisions of B views; at least one action is legal in each.

        Args:
            views: B views.
            log_odds: [B, P - 1, C] of the guide.
        """
        clock = self._budget.start(len(views))
        roots = self._guide.roots(views, self._budget.expected)
        odds = self._guide.draw_odds(log_odds)
        keys = np.empty(len(views), np.uint64)
        _decision_keys(self._seed, views.game_id, views.seat.astype(np.int64), views.decision, keys)
        while True:
            plan = [root.next_worlds(clock, WAVE) for root in roots]
            if not any(plan):
                return roots
            self._wave(views, keys, odds, roots, plan)

    def _wave(
        self,
        views: PlayerViews,
        keys: NDArray[np.uint64],
        odds: NDArray[np.float64],
        roots: list[Root],
        plan: list[int],
    ) -> None:
        """Gives every root ``plan`` worlds more and sends its candidates through them."""
        view_of = np.repeat(np.arange(len(roots)), plan)
        numbers = np.concatenate(
            [root.worlds + np.arange(count) for root, count in zip(roots, plan, strict=True)]
        )
        ids = np.empty(len(view_of), np.uint64)
        _world_keys(keys[view_of], numbers, ids)
        sampled = determinize(views.select(view_of), ids)
        redeal(sampled, views.seat[view_of].astype(np.int64), ids, odds[view_of])
        world_of: list[int] = []
        actions: list[int] = []
        paths: list[_Path] = []
        first_world = 0
        for root, count, seat in zip(roots, plan, views.seat, strict=True):
            for index in root.alive if count else ():
                edge = root.edges[index]
                for world in range(first_world, first_world + count):
                    edge.enter()
                    world_of.append(world)
                    actions.append(root.actions[index])
                    paths.append([(edge, int(seat))])
            first_world += count
            root.worlds += count
            root.used += count * len(root.alive)
        worlds = sampled.select(np.array(world_of))
        simulation_ids = ids[world_of]
        turns = worlds.turn.astype(np.int64)
        apply_action(worlds, np.array(actions, np.int64))
        self._descend(worlds, simulation_ids, paths)
        values = self._guide.values(worlds, simulation_ids, turns)
        for path, value in zip(paths, values, strict=True):
            for edge, seat in path:
                edge.total += float(value[seat])

    def _descend(self, worlds: GameState, ids: NDArray[np.uint64], paths: list[_Path]) -> None:
        """Moves in every world as its tree says, until it leaves the tree."""
        rows = np.arange(len(worlds))
        while True:
            nodes = [paths[row][-1][0].child for row in rows]
            inside = np.array([node is not None for node in nodes], np.bool_)
            inside &= ~worlds.done[rows]
            rows = rows[inside]
            if not len(rows):
                return
            games = worlds.select(rows)
            here = [node for node, stays in zip(nodes, inside, strict=True) if stays]
            movers = games.mover.astype(np.int64)
            chosen = self._select(redact(games, movers, ids[rows]), here, movers, rows, paths)
            apply_action(games, chosen)
            worlds.raw[rows] = games.raw

    def _select(
        self,
        views: PlayerViews,
        nodes: list[Node | None],
        movers: NDArray[np.int64],
        rows: NDArray[np.int64],
        paths: list[_Path],
    ) -> NDArray[np.int64]:
        """[n] the actions that the nodes select; their edges are added to the paths."""
        chosen = self._guide.policy.act(views)
        widths = [node.width for node in nodes if node is not None]
        listed = chosen[:, None]
        wide = np.flatnonzero(np.array(widths) > 1)
        if len(wide):
            rank = ranker(self._guide.policy, views.config)
            listed = np.full((len(views), max(widths)), -1, np.int64)
            listed[:, 0] = chosen
            listed[wide] = list_candidates(views.select(wide), chosen[wide], rank, max(widths))
        for i, (node, row) in enumerate(zip(nodes, rows, strict=True)):
            assert node is not None
            candidates = [int(action) for action in listed[i, : node.width] if action >= 0]
            chosen[i], edge = node.select(candidates)
            paths[row].append((edge, int(movers[i])))
        return chosen
