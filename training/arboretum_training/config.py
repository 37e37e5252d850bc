"""An experiment: everything that decides a training run, as one YAML file and one command line.

The same frozen classes check ``configs/*.yaml``, read the command line's options (tyro) and are
written, resolved, into the run's folder. An unknown key is an error, never ignored. The key
``trainer`` says which of the trainers a file is for, and so which keys it may have.
"""

from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar

import yaml
from pydantic import BaseModel, Field, ValidationError, model_validator

from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.option_faults import fault_place, fault_text, unknown_key
from arboretum_env.phase import DECISIONS_PER_TURN
from arboretum_env.rewards import RewardKind
from arboretum_training.config_section import Section, Share
from arboretum_training.league_config import HousePoolConfig, LeagueConfig, PoolConfig
from arboretum_training.precision import Precision

AnyExperiment = TypeVar("AnyExperiment", bound="Experiment")


class RolloutConfig(Section):
    """How games are collected between two updates."""

    games: Annotated[int, Field(ge=1)] = 256
    """Games played side by side by a learner."""

    turns: Annotated[int, Field(ge=1)] = 16
    """Turns that each game advances per iteration."""

    reward: RewardKind = "mixed"
    """What a seat gets at the end: the win, the squashed margin in points, or half of each."""


class Sb3RolloutConfig(RolloutConfig):
    """How games are collected between two updates."""

    games: Annotated[int, Field(ge=1)] = 256
    """Games played side by side, each with one learner's seat; seats rotate from game to game."""

    turns: Annotated[int, Field(ge=1)] = 16
    """Turns that the learner takes in each game per iteration, of five decisions each."""

    reward: RewardKind = "mixed"
    """What the learner gets at the end: the win, the margin in points over 20, or half of each."""


class RllibRolloutConfig(Sb3RolloutConfig):
    """How games are collected between two updates."""

    runners: Annotated[int, Field(ge=0, le=4096)] = 0
    """Processes of Ray that collect, on whatever nodes it has, each an equal part of the games;
    0: the process that learns also collects."""


class CommonPPOConfig(Section):
    """Hyperparameters of proximal policy optimisation that all trainers have."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] = 2.5e-3
    """Step size of Adam at the start."""

    learning_rate_end: Share = 0.05
    """Share of the learning rate that is left at the end of the budget; linear between."""

    entropy: Annotated[float, Field(ge=0)] = 0.01
    """Weight of the entropy bonus at the start."""

    entropy_end: Annotated[float, Field(ge=0)] = 0.006
    """Weight of the entropy bonus at the end of the budget; linear between."""

    value: Annotated[float, Field(ge=0)] = 0.5
    """Weight of the value loss."""

    clip: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """How far the probability ratio may move from 1 before its gradient stops."""

    value_clip: Annotated[float, Field(gt=0)] | None = None
    """How far a value may move in one update; none: as far as it likes."""

    gamma: Share = 1.0
    """Discount from one own decision to the next."""

    lam: Share = 0.95
    """Lambda of generalised advantage estimation."""

    epochs: Annotated[int, Field(ge=1)] = 1
    """Passes over the collected decisions per iteration."""

    minibatches: Annotated[int, Field(ge=1)] = 16
    """Updates per pass."""

    max_grad_norm: Annotated[float, Field(gt=0)] = 1.0
    """Length that a gradient is cut down to."""


class PPOConfig(CommonPPOConfig):
    """Hyperparameters of proximal policy optimisation."""

    critic: Literal["privileged", "public"] = "privileged"
    """Who judges moves: one who sees hidden hands and deck, or the policy's own value head."""

    belief: Annotated[float, Field(ge=0)] = 0.1
    """Weight of the loss of predicting the rivals' hidden hands."""


class BudgetConfig(Section):
    """When a run ends: after so many decisions or so many minutes, one of the two.

    Only a budget in decisions makes a resumed run bit-identical to an unbroken one: with minutes,
    the clock decides how fast the learning rate falls.
    """

    decisions: Annotated[int, Field(ge=1)] | None = None
    """Decisions learned from, over all seats and learners."""

    minutes: Annotated[float, Field(gt=0)] | None = None
    """Minutes of training, evaluations not counted."""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.decisions is None) == (self.minutes is None):
            raise ValueError("expected either decisions or minutes")
        return self

    def progress(self, decisions: int, seconds: float) -> float:
        """Share of the budget that is used; 1 or more ends the run.

        Args:
            decisions: decisions learned from so far, over every launch of the run.
            seconds: seconds trained so far, likewise.
        """
        if self.decisions is not None:
            return decisions / self.decisions
        assert self.minutes is not None  # one of the two, checked above
        return seconds / (60 * self.minutes)


class EvaluationConfig(Section):
    """How the policy is measured on the way and at the end."""

    every: Annotated[int, Field(ge=0)] = 0
    """Iterations between two measurements on the way; 0: only at the end."""

    deals: Annotated[int, Field(ge=1)] = 100
    """Duplicate deals of a measurement on the way."""

    final_deals: Annotated[int, Field(ge=1)] = 400
    """Duplicate deals of the measurement at the end."""

    opponents: tuple[str, ...] = ("random", "greedy")
    """Agents to be measured against, each alone."""

    past: tuple[Annotated[float, Field(gt=0, lt=1)], ...] = (0.5,)
    """On the way, also against the policy of the past: at these shares of the decisions so far."""

    games: Annotated[int, Field(ge=0)] = 2
    """Games of a measurement on the way that are kept as .arb files."""

    keep_games: Annotated[int, Field(ge=0)] = 40
    """How many of the newest such files stay."""

    mode: Literal["sample", "greedy"] = "sample"
    """Whether the policy samples its moves, as it does in training, or takes the likeliest."""

    @model_validator(mode="after")
    def _some_opponent(self) -> Self:
        if not self.opponents or len(set(self.opponents)) != len(self.opponents):
            raise ValueError(
                f"opponents {list(self.opponents)}: expected different agents, at least 1"
            )
        if len(set(self.past)) != len(self.past):
            raise ValueError(f"past {list(self.past)}: expected different shares")
        return self


class CheckpointConfig(Section):
    """When the run is saved. It also is at the end and on the first Ctrl-C."""

    every: Annotated[int, Field(ge=1)] = 50
    """Iterations between two checkpoints."""

    keep: Annotated[int, Field(ge=1)] = 3
    """How many of the newest checkpoints stay."""


class Experiment(Section):
    """One training run, completely: what all trainers have in common."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
    """Name of the run and of its folder."""

    trainer: Literal["house", "sb3", "rllib"]
    """Which trainer: this project's own, Stable-Baselines3's MaskablePPO, or RLlib's PPO."""

    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Seed of the deals, the weights and every choice."""

    game: GameConfig = GameConfig()
    """The game that is learned."""

    network: NetworkConfig = NetworkConfig()
    """Sizes of the network."""

    rollout: RolloutConfig = RolloutConfig()
    """Collecting games."""

    ppo: CommonPPOConfig = CommonPPOConfig()
    """Learning from them."""

    budget: BudgetConfig = BudgetConfig(decisions=2_000_000)
    """When to stop."""

    evaluation: EvaluationConfig = EvaluationConfig()
    """Measuring."""

    checkpoint: CheckpointConfig = CheckpointConfig()
    """Saving."""

    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads of torch; results are bit-identical for equal numbers only."""


class ExperimentConfig(Experiment):
    """A run of this project's own trainer."""

    trainer: Literal["house"] = "house"
    """This project's own trainer."""

    ppo: PPOConfig = PPOConfig()
    """Learning from them."""

    pool: HousePoolConfig = HousePoolConfig()
    """Opponents of a learner. By default it plays itself alone."""

    league: LeagueConfig = LeagueConfig()
    """Further learners. By default there are none."""

    precision: Precision = "auto"
    """Type that the network computes in; auto: bfloat16 where the processor has it, else float32.
    Results are bit-identical for equal types only."""

    start_from: Path | None = None
    """Run or checkpoint folder, or name of a network that ships, whose weights the run begins with,
    whatever its number of players; none: with weights drawn from the seed."""

    @model_validator(mode="after")
    def _exploiters_are_met(self) -> Self:
        if self.league.exploiters and self.pool.snapshot_share == 0:
            raise ValueError(
                f"league.exploiters {self.league.exploiters} with pool.latest "
                f"{self.pool.latest:g} and pool.bot_share {self.pool.bot_share:g}: expected less "
                "than 1 together, so that main meets the exploiters' snapshots"
            )
        if self.league.mains > 1 and self.pool.snapshot_share == 0:
            raise ValueError(
                f"league.mains {self.league.mains} with pool.latest {self.pool.latest:g} and "
                f"pool.bot_share {self.pool.bot_share:g}: expected less than 1 together, so that "
                "they meet each other"
            )
        return self


class LibraryConfig(Experiment):
    """A run of another library's trainer: one seat of every game learns, a pool has the others."""

    # Those libraries seed generators of 32 bits.
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """Seed of the deals, the weights and every choice."""

    rollout: Sb3RolloutConfig = Sb3RolloutConfig()
    """Collecting games."""

    pool: PoolConfig = PoolConfig()
    """Opponents."""

    @property
    def decisions_per_iteration(self) -> int:
        """Decisions of the learner in one iteration."""
        return self.rollout.games * self.rollout.turns * DECISIONS_PER_TURN

    @model_validator(mode="after")
    def _whole_minibatches(self) -> Self:
        # Stable-Baselines3 normalises advantages by minibatch: a rest of one decision would be NaN.
        size, rest = divmod(self.decisions_per_iteration, self.ppo.minibatches)
        if rest or size < 2:
            raise ValueError(
                f"ppo.minibatches {self.ppo.minibatches}: expected a divisor of the "
                f"{self.decisions_per_iteration} decisions of an iteration (games * turns * 5) "
                "that leaves at least 2 for each"
            )
        return self


class Sb3Config(LibraryConfig):
    """A run of sb3-contrib's MaskablePPO."""

    trainer: Literal["sb3"] = "sb3"
    """Stable-Baselines3's MaskablePPO."""


class RllibConfig(LibraryConfig):
    """A run of RLlib's PPO."""

    trainer: Literal["rllib"] = "rllib"
    """RLlib's PPO."""

    rollout: RllibRolloutConfig = RllibRolloutConfig()
    """Collecting games."""

    @model_validator(mode="after")
    def _what_rllib_has(self) -> Self:
        games, runners = self.rollout.games, self.rollout.runners
        if runners and games % runners:
            raise ValueError(
                f"rollout.runners {runners}: expected a divisor of rollout.games {games}"
            )
        if self.ppo.value_clip is not None:
            raise ValueError(
                f"ppo.value_clip {self.ppo.value_clip:g}: expected none, for RLlib clips the "
                "squared error instead"
            )
        if self.budget.decisions is None:
            raise ValueError(
                "budget.minutes: expected budget.decisions, by which RLlib's schedules go"
            )
        return self


TRAINERS: Final[dict[str, type[Experiment]]] = {
    "house": ExperimentConfig,
    "sb3": Sb3Config,
    "rllib": RllibConfig,
}
"""The class of a file's experiment by its key ``trainer``; the first one without it."""


def load_experiment(path: Path) -> Experiment:
    """Read and check a YAML file.

    Returns:
        An experiment of the class in ``TRAINERS`` that its key ``trainer`` names.

    Raises:
        ConfigError: one line that names the file and every faulty key.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        given = {type(None): "nothing", list: "a list"}.get(type(data), "a single value")
        raise ConfigError(f"{path}: expected keys and values, given {given}")
    trainer = data.get("trainer", "house")
    if not isinstance(trainer, str) or trainer not in TRAINERS:
        raise ConfigError(f"{path}: trainer {trainer!r}: expected one of {', '.join(TRAINERS)}")
    kind = TRAINERS[trainer]
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{path}: {explain(error, kind)}") from error


def dump_experiment(config: Experiment) -> str:
    """The whole experiment as YAML, defaults written out; ``load_experiment`` reads it back."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def follow_players(before: Experiment, changed: AnyExperiment) -> AnyExperiment:
    """Species in play for a number of players that options changed.

    A loaded experiment has its species written out. With ``--game.num-players 3`` on top, the six
    of a two-player game would silently stay; so default species follow the number of players,
    while species that somebody chose stay.

    Args:
        before: the experiment as loaded.
        changed: the same with options on top.
    """
    default = GameConfig(num_players=before.game.num_players).species
    if (
        changed.game.num_players == before.game.num_players
        or changed.game.species != before.game.species
        or before.game.species != default
    ):
        return changed
    game = GameConfig(**{**changed.game.model_dump(), "species": ""})
    return changed.model_copy(update={"game": game})


def explain(error: ValidationError, kind: type[Experiment] = ExperimentConfig) -> str:
    """One line that names each faulty key of an experiment, and the key that was perhaps meant.

    Args:
        error: what validation found.
        kind: the class that validated.
    """
    faults = error.errors(include_url=False)
    return "; ".join(_explain_fault(fault, kind) for fault in faults)


def _explain_fault(fault: Any, kind: type[Experiment]) -> str:
    if fault["type"] == "extra_forbidden":
        return unknown_key(fault_place(fault), _keys_beside(fault["loc"], kind))
    # GameConfig names its own keys behind the prefix that it has when it stands alone.
    return fault_text(fault).replace("game: game options: ", "game: ")


def _keys_beside(location: tuple[int | str, ...], kind: type[BaseModel]) -> list[str]:
    """Keys of the section that the last step of ``location`` was looked for in."""
    section = kind
    for step in location[:-1]:
        annotation = section.model_fields[str(step)].annotation
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return []
        section = annotation
    return list(section.model_fields)
