"""How much a belief knows: against one that knows only how many cards each rival holds."""

import math

import pytest
import torch

from arboretum_training.actor_critic import belief_loss, uniform_belief_loss


def views(*rows: str, rivals: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """(held, unseen) of views of few cards.

    A digit is the rival that holds an unseen card, ``.`` an unseen card that nobody holds, ``x`` a
    card that is seen.
    """
    held = torch.zeros(len(rows), rivals, len(rows[0]))
    unseen = torch.zeros(len(rows), len(rows[0]))
    for b, row in enumerate(rows):
        for card, sign in enumerate(row):
            unseen[b, card] = sign != "x"
            if sign.isdigit():
                held[b, int(sign) - 1, card] = 1
    return held, unseen


def test_by_hand() -> None:
    # One of four unseen cards is held: 1/4 and 3/4.
    held, unseen = views("1...xx")
    expected = 0.25 * math.log(4) + 0.75 * math.log(4 / 3)
    assert float(uniform_belief_loss(held, unseen)) == pytest.approx(expected)
    # Two rivals with one card each, of four.
    held, unseen = views("1.2.", rivals=2)
    assert float(uniform_belief_loss(held, unseen)) == pytest.approx(1.5 * math.log(2))


def test_views_count_by_their_unseen_cards() -> None:
    held, unseen = views("1...xxxx", "1.......")
    one = 0.25 * math.log(4) + 0.75 * math.log(4 / 3)
    other = 0.125 * math.log(8) + 0.875 * math.log(8 / 7)
    expected = (4 * one + 8 * other) / 12
    assert float(uniform_belief_loss(held, unseen)) == pytest.approx(expected)


def test_it_is_the_loss_of_logits_that_know_the_numbers_alone() -> None:
    held, unseen = views("12..2x", rivals=2)
    # One and two of five are held, two are not: log odds to none.
    logits = torch.log(torch.tensor([1 / 2, 2 / 2]))[None, :, None].expand(1, 2, 6)
    loss = belief_loss(logits, held, unseen)
    assert float(uniform_belief_loss(held, unseen)) == pytest.approx(float(loss))


def test_cards_that_are_known_to_be_held_are_no_question() -> None:
    held, unseen = views("1....")
    held[0, 0, 4], unseen[0, 4] = 1, 0  # held in the open
    known, rest = views("1...")
    expected = float(uniform_belief_loss(known, rest))
    assert float(uniform_belief_loss(held, unseen)) == pytest.approx(expected)


@pytest.mark.parametrize("row", ["xxxx", "1111", "...."])
def test_where_nothing_is_hidden_nothing_is_lost(row: str) -> None:
    held, unseen = views(row)
    assert float(uniform_belief_loss(held, unseen)) == 0
