"""What is measured while training: one table, and the log that takes nothing else.

``METRICS`` is the definition of every number that a run writes. The log refuses a name that is not
in it, so a curve without a meaning cannot come into being.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arboretum_training.event_file import EventFile
from arboretum_training.files import GrowingFile
from arboretum_training.run_errors import run_errors


@dataclass(frozen=True)
class Metric:
    """One number of the log.

    Attributes:
        name: ``group/what``; with a label, ``group/what/LABEL``.
        unit: what one of it is; ``1`` for a pure number.
        meaning: its definition.
        label: what stands at the end of the name where there are several, e.g. ``opponent``.
    """

    name: str
    unit: str
    meaning: str
    label: str | None = None


METRICS: Final[tuple[Metric, ...]] = (
    Metric("progress/iteration", "iterations", "iterations of collecting and updating so far"),
    Metric("progress/games", "games", "games finished so far"),
    Metric("progress/budget", "1", "share of the budget that is used"),
    Metric("time/training", "s", "time in collecting and updating so far, over all launches"),
    Metric("time/rollout", "s", "time that this iteration took to collect games"),
    Metric("time/update", "s", "time that this iteration took to update the network"),
    Metric("time/evaluation", "s", "time that a measurement on the way took"),
    Metric("speed/decisions", "decisions/s", "learner's decisions per second of this iteration"),
    Metric("loss/policy", "1", "PPO's clipped surrogate, sign turned; mean over minibatches"),
    Metric("loss/value", "1", "half of the mean squared error of the policy's own values"),
    Metric("loss/critic", "1", "the same of the critic that judges the moves"),
    Metric(
        "loss/belief", "nats", "cross-entropy of where an unseen card is: a rival's hand or not"
    ),
    Metric(
        "belief/skill",
        "bits",
        "how much less that is, a card, than with every unseen card equally likely everywhere",
    ),
    Metric("policy/entropy", "nats", "mean entropy over the legal choices of a decision"),
    Metric(
        "policy/phase_entropy",
        "nats",
        "the same in one phase: `draw_first`, `draw_second`, `placement`, `discard`",
        "phase",
    ),
    Metric("policy/approx_kl", "nats", "estimate k3 of the KL from the acting to the new policy"),
    Metric("policy/clip_fraction", "1", "share of probability ratios outside 1 +- clip"),
    Metric("policy/grad_norm", "1", "length of the gradient before it is cut; mean"),
    Metric(
        "value/explained_variance",
        "1",
        "share of the returns' variance that the values of play explain: the critic's",
    ),
    Metric(
        "value/explained_variance_public",
        "1",
        "the same of the policy's own values, when a decision is first learned from",
    ),
    Metric("schedule/learning_rate", "1", "step size of this iteration"),
    Metric("schedule/entropy_weight", "1", "weight of the entropy bonus in this iteration"),
    Metric("rollout/decisions", "decisions", "decisions learned from in this iteration"),
    Metric("rollout/carried", "decisions", "decisions that wait for their seat's next one"),
    Metric("games/turns", "turns", "mean length of the games finished in this iteration"),
    Metric("games/score", "points", "mean final score of a seat in them"),
    Metric("games/ties", "1", "share of them that more than one seat won"),
    Metric("games/lost", "points", "mean path points that a seat lost for want of the right"),
    Metric("games/win_rate", "1", "share of them won from that seat, shared wins shared", "seat"),
    Metric(
        "pool/win_rate",
        "1",
        "share of the pairs of its seat and one of theirs in which the learner did better: against "
        "its own `snapshots`, those of another learner, a bot; `all`: share of the games that it "
        "won (trainers `sb3` and `rllib`)",
        "opponent",
    ),
    Metric("pool/snapshots", "agents", "older policies among the opponents"),
    Metric(
        "pool/effective",
        "agents",
        "equally frequent snapshots that would be met twice in a row as often as these",
    ),
    Metric(
        "league/win_rate",
        "1",
        "how often an exploiter does better than the main learner that it plays",
        "exploiter",
    ),
    Metric("league/iteration", "iterations", "of an exploiter since it began anew", "exploiter"),
    Metric("evaluation/win_rate", "1", "wins per seat held; fair is 1/P", "opponent"),
    Metric("evaluation/win_rate_low", "1", "lower end of its 95 % interval", "opponent"),
    Metric("evaluation/win_rate_high", "1", "upper end of its 95 % interval", "opponent"),
    Metric("evaluation/margin", "points", "own score minus the mean of the others'", "opponent"),
    Metric(
        "evaluation/lost",
        "points",
        "path points that the policy lost for want of the right to score, a game",
        "opponent",
    ),
    Metric(
        "evaluation/denied",
        "points",
        "path points that the others lost in species to which the policy had the right, a game; "
        "where k seats share the right, 1/k of them",
        "opponent",
    ),
    Metric("evaluation/turns", "turns", "mean length of the games against it", "opponent"),
    Metric(
        "evaluation/past_decisions",
        "decisions",
        "that the older policy had learned from; `past-0.5` is the one kept nearest to half of "
        "the decisions so far, and an opponent like any other",
        "past",
    ),
    Metric(
        "evaluation/rating",
        "Elo",
        "strength by all opponents but the past: on the ladder's scale (`greedy@1` is 1000) by "
        "those that stand on it; in other games `greedy`, or else the first opponent, is 1000",
    ),
    Metric("evaluation/rating_low", "Elo", "lower end of its 95 % interval"),
    Metric("evaluation/rating_high", "Elo", "upper end of its 95 % interval"),
)

_PLAIN: Final = frozenset(metric.name for metric in METRICS if metric.label is None)
_LABELLED: Final = tuple(f"{metric.name}/" for metric in METRICS if metric.label is not None)


def check_name(name: str) -> None:
    """Refuse a name that ``METRICS`` does not define.

    Raises:
        ValueError: no such metric, or its label is missing.
    """
    labelled = any(name.startswith(prefix) and len(name) > len(prefix) for prefix in _LABELLED)
    if name not in _PLAIN and not labelled:
        raise ValueError(f"metric {name!r} is not defined: expected one of METRICS, with its label")


class MetricsLog:
    """Writes rows to ``metrics.jsonl`` and to TensorBoard. A context manager.

    A row is one JSON object a line: ``step`` (decisions learned from so far) and metrics by name;
    ``null`` is a number that is not defined, such as the explained variance of equal returns. Log
    all rows of a step before its checkpoint is saved: a resumed run keeps the rows up to it.

    Args:
        path: the JSONL file; appended to.
        tensorboard: folder for TensorBoard's files.
        resumed_step: in a resumed run, the step that it goes on from: TensorBoard then hides what
            an earlier launch logged after it.

    Raises:
        RunError: a file that cannot be made.
    """

    def __init__(self, path: Path, tensorboard: Path, *, resumed_step: int | None = None) -> None:
        with run_errors():
            self._rows = GrowingFile(path)
            try:
                self._events = EventFile(tensorboard, resumed_step=resumed_step)
            except OSError:
                self._rows.close()
                raise

    def log(self, step: int, metrics: Mapping[str, float]) -> None:
        """Write one row.

        Raises:
            ValueError: a metric that is not defined. Nothing is written.
            RunError: a row that cannot be written, e.g. on a full disk. Resuming removes what
                there is of it.
        """
        for name in metrics:
            check_name(name)
        row: dict[str, float | None] = {"step": step}
        row |= {name: value if math.isfinite(value) else None for name, value in metrics.items()}
        with run_errors():
            self._rows.append(f"{json.dumps(row, allow_nan=False)}\n".encode())
            self._events.add(step, metrics)

    def close(self) -> None:
        """Close the files."""
        self._rows.close()
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
