"""The members of a run's pool: everybody who may sit opposite a learner.

- *snapshots*: policies as they once were, of any learner; their weights never change.
- *bots*: agents by spec. What is a network is copied into the run, so that the folder it came from
  may go or learn on.
- *learners*: main learners as they are at every moment, for exploiters to play.

A member has a number for good. One that leaves the pool stays as long as it sits in a game.
"""

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import list_agents, make_agent
from arboretum_env.agent import Agent, wants_history
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_training.opponents.priorities import superfluous

Kind = Literal["snapshot", "bot", "learner"]


@dataclass(frozen=True)
class Member:
    """Somebody in a pool.

    Attributes:
        number: its own for good.
        name: ``main@120000``, a bot's spec, or a learner's name.
        kind: see the module.
        agent: plays it.
        owner: the learner that a snapshot is of; empty for others.
        step: decisions that the run had learned from when a snapshot was taken; 0 for others.
    """

    number: int
    name: str
    kind: Kind
    agent: Agent
    owner: str = ""
    step: int = 0

    @property
    def network(self) -> PolicyNetwork | None:
        """The network whose moves are sampled; None for who chooses its moves itself."""
        agent = self.agent
        if not isinstance(agent, NeuralAgent) or agent.mode != "sample" or agent.temperature != 1:
            return None
        return agent.network


class Pool:
    """Everybody that learners may play, by number.

    Args:
        game: the game.
        seed: of the bots' moves.

    Attributes:
        members: those that may be drawn, and those that have left but still sit somewhere.
        left: numbers of the latter.
        next_number: the first that nobody has had.
    """

    def __init__(self, game: GameConfig, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.members: dict[int, Member] = {}
        self.left: set[int] = set()
        self.next_number = 0

    def __getitem__(self, number: int) -> Member:
        return self.members[number]

    @property
    def present(self) -> set[int]:
        """Numbers of those that have not left."""
        return self.members.keys() - self.left

    def _present(self, kind: Kind) -> Iterator[Member]:
        return (
            member
            for member in self.members.values()
            if member.kind == kind and member.number not in self.left
        )

    @property
    def bots(self) -> list[Member]:
        """The bots, in the order in which they came."""
        return list(self._present("bot"))

    def snapshots(self, owner: str | None = None) -> list[Member]:
        """Snapshots of one learner, or of all, the oldest first."""
        return [member for member in self._present("snapshot") if owner in (None, member.owner)]

    def learner(self, name: str) -> Member:
        """The learner of that name; raises ``KeyError``."""
        found = [member for member in self._present("learner") if member.name == name]
        if not found:
            raise KeyError(name)
        return found[0]

    def enrol(self, name: str, network: PolicyNetwork) -> None:
        """Adds a learner: its network, which goes on learning. One of that name is replaced."""
        agent = NeuralAgent(self.game, network)
        known = [member.number for member in self._present("learner") if member.name == name]
        number = known[0] if known else self._take_number()
        self.members[number] = Member(number, name, "learner", agent)

    def invite(self, specs: Sequence[str]) -> None:
        """Makes these the pool's bots; those that are there already stay as they are.

        Raises:
            ArboretumError: a spec that makes no agent.
            ConfigError: an agent that a resumed run could not go on with exactly.
        """
        for bot in self.bots:
            if bot.name not in specs:
                self.left.add(bot.number)
        known = {bot.name for bot in self.bots}
        for spec in specs:
            if spec not in known:
                agent = make_bot(spec, self.game)
                agent.reset(np.zeros(0, np.uint64), self.seed)
                number = self._take_number()
                self.members[number] = Member(number, spec, "bot", agent)

    def take_snapshot(self, owner: str, step: int, network: PolicyNetwork, size: int) -> None:
        """Adds a learner's policy as it is now.

        Args:
            owner: the learner's name.
            step: decisions that the run has learned from.
            network: copied.
            size: how many of the learner's snapshots stay, see ``priorities.superfluous``.
        """
        frozen = copy.deepcopy(network).requires_grad_(False).eval()
        number = self._take_number()
        self.members[number] = Member(
            number, f"{owner}@{step}", "snapshot", NeuralAgent(self.game, frozen), owner, step
        )
        own = self.snapshots(owner)
        place = superfluous([member.step for member in own], size)
        if place is not None:
            self.left.add(own[place].number)

    def forget(self, seated: Iterable[int]) -> None:
        """Lets go of who has left and sits nowhere.

        Args:
            seated: numbers of those that sit in some game under way.
        """
        for number in self.left - set(seated):
            self.left.remove(number)
            del self.members[number]

    def _take_number(self) -> int:
        self.next_number += 1
        return self.next_number - 1


def make_bot(spec: str, game: GameConfig) -> Agent:
    """The agent of a spec, if it may sit in a pool.

    Raises:
        ArboretumError: a spec that makes no agent.
        ConfigError: an agent whose moves depend on more than the position and a seed, with which a
            resumed run could not go on exactly.
    """
    name = spec.partition(":")[0].partition("@")[0]
    if any(entry.outside for entry in list_agents() if entry.name == name):
        raise ConfigError(
            f"bot {spec!r}: its moves come from outside, so that a run with it could not be "
            "resumed exactly: expected another agent"
        )
    agent = make_agent(spec, game)
    if wants_history(agent):
        raise ConfigError(
            f"bot {spec!r}: asks for the course of the game, which training does not keep: "
            "expected another agent"
        )
    return agent
