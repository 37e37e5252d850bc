"""A move in words: what it does, and of the planner, what spoke for it.

The first sentence states facts of the view and holds for any agent. Chances of the right to score
are those of ``arboretum_env.features.rights``, with the hands as they are after the move. The
planner's own values follow, and whether it would have moved otherwise without regard to rivals.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.planner import PlannerAgent
from arboretum_env.actions import decode
from arboretum_env.agent import Agent
from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import placements
from arboretum_env.features.rights import rights
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews


@runtime_checkable
class ValuingAgent(Protocol):
    """An agent that can say what it thinks of every action."""

    def action_values(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, A] in points up to a constant; -inf for illegal actions."""
        ...


def explain(agent: Agent, view: PlayerView, move: str, actions: Sequence[int]) -> str:
    """A move in one to three sentences.

    Args:
        agent: who chose it.
        view: what its seat knows; it is to move.
        move: in notation.
        actions: the move's flat action ids.
    """
    views = PlayerViews(view.config, view.to_observation()[None, :])
    sentences = [_facts(view, views, move, actions)]
    if isinstance(agent, ValuingAgent):
        sentences.append(_lead(agent.action_values(views)[0], view, actions[0]))
    if isinstance(agent, PlannerAgent):
        sentences.append(_without_denial(agent, view, views, actions[0]))
    return " ".join(filter(None, sentences))


def _facts(view: PlayerView, views: PlayerViews, move: str, actions: Sequence[int]) -> str:
    config = view.config
    action = decode(config, actions[0])
    standing = outlook(views)
    match action.kind:
        case "draw_deck":
            return f"Draws from the deck of {view.deck_size}."
        case "draw_discard":
            owner = (view.seat + action.index) % config.num_players
            card = view.discard_piles[owner][-1]
            own, rival, seat = _gains(view, standing.total_gain[0], card)
            text = f"Takes {config.card_text(card)} from seat {owner}'s pile, which could add {own}"
            return f"{text} to its own paths and {rival} to those of seat {seat}."
        case "discard_card":
            _, rival, seat = _gains(view, standing.total_gain[0], action.index)
            keeps = _keeps(view, action.index)
            return f"Discards {move[1:]}, which could add {rival} to seat {seat}'s paths; {keeps}."
        case _:
            gain = _placed_gain(view, views, actions)
            keeps = _keeps(view, config.parse_card(move[:2]))
            return f"Plants {move[:2]} at {move[3:]}, adding {gain} to its own paths; {keeps}."


def _gains(view: PlayerView, gains: NDArray[np.int16], card: int) -> tuple[int, int, int]:
    """What a card could add to the own paths, and to those of which rival most."""
    players = view.config.num_players
    seat = max(range(1, players), key=lambda k: int(gains[k, card]))
    return int(gains[0, card]), int(gains[seat, card]), (view.seat + seat) % players


def _placed_gain(view: PlayerView, views: PlayerViews, actions: Sequence[int]) -> int:
    options = placements(views)
    cell = decode(view.config, actions[-1]).index
    card = view.chosen_card
    if view.phase is Phase.PLAY:
        card = decode(view.config, actions[0]).index
    [row] = np.flatnonzero((options.card == card) & (options.cell == cell))
    return round(float(options.gain[row].sum()))


def _keeps(view: PlayerView, card: int) -> str:
    """What the hand holds of a species without a card, and how likely that is enough."""
    config, seat = view.config, view.seat
    piles = list(view.discard_piles)
    piles[seat] = (*piles[seat], card)  # planted or discarded makes no difference here
    after = replace(
        view,
        hand=tuple(held for held in view.hand if held != card),
        known_hands=tuple(known - {card} for known in view.known_hands),
        discard_piles=tuple(piles),
        chosen_card=None,
    )
    chances = rights(PlayerViews(config, after.to_observation()[None, :]))
    species = card // config.num_ranks
    rest = int(chances.hand_sum[0, species])
    text = f"enough for the right to score {_percent(chances.own[0, species, rest])}"
    top = (species + 1) * config.num_ranks - 1
    cancelled = chances.top_cancelled[0, species]
    if top in after.hand and cancelled > 0:
        text += f", unless a rival's 1 cancels the {config.num_ranks}: {_percent(cancelled)}"
    return f"keeps {rest} in {SPECIES_NAMES[config.species[species]]} ({text})"


def _percent(chance: float) -> str:
    return f"{100 * float(chance):.0f} %"


def _lead(values: NDArray[np.float64], view: PlayerView, chosen: int) -> str:
    """How far its own value is before the next best choice's."""
    others = values.copy()
    others[chosen] = -np.inf
    if not np.isfinite(values[chosen]) or not np.isfinite(others).any():
        return ""
    second = int(others.argmax())
    lead = float(values[chosen] - values[second])
    if lead < 0:
        return ""
    return f"By its own values {_name(view, second)} is {lead:.1f} points behind."


def _without_denial(agent: PlannerAgent, view: PlayerView, views: PlayerViews, chosen: int) -> str:
    """What the planner would choose if rivals' points did not count in what it holds."""
    careless = PlannerAgent.with_weights(view.config, agent.weights._replace(deny=0.0, offer=0.0))
    other = int(careless.act(views)[0])
    if other == chosen:
        return ""
    return f"Without regard to rivals' points: {_name(view, other)}."


def _name(view: PlayerView, action: int) -> str:
    """A choice in notation; of a plant that is still to be chosen, its card."""
    for move, ids in legal_moves(view).items():
        if ids[0] == action:
            return move if len(ids) == 1 else move[:2]
    raise AssertionError(f"action {action} is illegal")
