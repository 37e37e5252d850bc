"""Hypothesis strategies of game records: random legal games, cut anywhere, with any texts."""

from dataclasses import replace

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.record import DECK, UNKNOWN, GameRecord, TurnRecord
from tests.random_games import CONFIGS, random_actions

SOME = settings(deadline=None, max_examples=60)
"""Kernels are compiled in the first example, so no example has a deadline."""

HEADER_TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"'), max_size=20
)
COMMENTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="}"), max_size=20)


def random_record(name: str, seed: int) -> GameRecord:
    """A whole game of a configuration of ``CONFIGS`` under random play."""
    config = CONFIGS[name]
    initial = deal(config, seed, [0])
    state, actions = initial.clone(), []
    rng = np.random.default_rng(seed)
    while not state.done[0]:
        actions.append(int(random_actions(legal_action_mask(state), rng)[0]))
        apply_action(state, np.array(actions[-1:]))
    return record_from_match(initial, actions)


def cut(record: GameRecord, decisions: int) -> GameRecord:
    """The record stopped after some decisions: unfinished, unless it holds no more."""
    if decisions >= record.num_decisions:
        return record
    turns: list[TurnRecord] = []
    for turn in record.turns:
        if decisions == 0:
            break
        draws = turn.draws[:decisions]
        decisions -= len(draws)
        parts: list[object] = [turn.card, turn.cell, turn.discard]
        kept = [part if number < decisions else None for number, part in enumerate(parts)]
        decisions -= sum(part is not None for part in kept)
        turns.append(TurnRecord(draws, *kept, comment=turn.comment))  # type: ignore[arg-type]
    return replace(record, turns=tuple(turns), result=None, winners=None)


def one_chair(record: GameRecord, seat: int) -> GameRecord:
    """The record as one seat can have noted it: no card that it did not see."""
    hands = tuple(
        hand if owner == seat else (UNKNOWN,) * len(hand) for owner, hand in enumerate(record.hands)
    )
    deck, drawn, turns = list(record.deck), 0, []
    for number, turn in enumerate(record.turns):
        draws = []
        for draw in turn.draws:
            if draw.pile == DECK:
                if number % record.config.num_players != seat:
                    deck[drawn] = UNKNOWN
                    draw = replace(draw, seen=False)
                drawn += 1
            draws.append(draw)
        turns.append(replace(turn, draws=tuple(draws)))
    deck[drawn:] = [UNKNOWN] * len(deck[drawn:])
    return replace(record, hands=hands, deck=tuple(deck), turns=tuple(turns))


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Any record: whole or cut, noted by all or from one chair, with any texts."""
    record = random_record(draw(st.sampled_from(sorted(CONFIGS))), draw(st.integers(0, 50)))
    record = cut(record, draw(st.integers(0, record.num_decisions + 20)))
    players = record.config.num_players
    if draw(st.booleans()):
        record = one_chair(record, draw(st.integers(0, players - 1)))
    turns = tuple(
        replace(turn, comment=draw(COMMENTS)) if number % 5 == 0 else turn
        for number, turn in enumerate(record.turns)
    )
    termination = draw(st.just("") | HEADER_TEXTS)
    winners = record.winners
    if winners is not None and draw(st.booleans()):
        winners = None
    if termination and winners is None:
        winners = draw(st.none() | st.just(tuple(range(players))))
        if termination.startswith("forfeit"):
            termination = "adjudicated"
    return replace(
        record,
        turns=turns,
        seats=draw(st.tuples(*[HEADER_TEXTS] * players)),
        deal=draw(HEADER_TEXTS),
        termination=termination,
        winners=winners,
        takebacks=draw(st.integers(0, 3)),
    )
