"""The root of a search: sequential halving over candidates that meet the same worlds.

Sequential halving (Karnin, Koren, Somekh: Almost Optimal Exploration in Multi-Armed Bandits, ICML
2013) spends an equal part of the budget on every round and drops the worse half of the candidates
after each: what counts is the choice in the end, not the play on the way, which UCB would optimise.
All candidates of a round meet the same sampled worlds, so that the luck of the cards is not
mistaken for a difference between them.

What the policy thinks of a candidate stands against the evidence as so many simulations more. With
a prior in proportion to the log probability, that is the rule of Gumbel AlphaZero, which ranks by
logit + sigma(value) with a sigma that grows with the visits (Danihelka, Guez, Schrittwieser,
Silver: Policy Improvement by Planning with Gumbel, ICLR 2022), without its noise.
"""

from arboretum_agents.search.budget import Clock
from arboretum_agents.search.tree import Edge


class Root:
    """One decision under search.

    Args:
        actions: candidates, the policy's choice first.
        priors: how much more each is worth than the policy's choice, as the policy has it.
        prior_visits: how many simulations the policy's opinion stands for.
    """

    def __init__(self, actions: list[int], priors: list[float], prior_visits: float) -> None:
        self.actions = actions
        self.priors = priors
        self.prior_visits = prior_visits
        self.edges = [Edge() for _ in actions]
        self.alive = list(range(len(actions)))
        self.rounds = max(len(actions) - 1, 0).bit_length()
        self.round = 0
        self.worlds = 0  # sampled so far
        self.used = 0  # simulations so far

    @property
    def over(self) -> bool:
        """Whether nothing is left to find out."""
        return self.round >= self.rounds

    def next_worlds(self, clock: Clock, most: int) -> int:
        """How many worlds all candidates alive are to meet next; ends rounds that are spent.

        Args:
            clock: of the budget.
            most: simulations at once, at most.
        """
        while not self.over:
            share = (self.round + 1) / self.rounds
            worlds = clock.most(self.used, share) // len(self.alive)
            # Everybody gets a first look, however late it is.
            if worlds > 0 and (self.used == 0 or clock.progress(self.used) < 1.0):
                return max(min(worlds, most // len(self.alive)), 1)
            self._halve()
        return 0

    def _halve(self) -> None:
        ranked = sorted(self.alive, key=self.estimate, reverse=True)
        self.alive = sorted(ranked[: (len(ranked) + 1) // 2])
        self.round += 1

    def estimate(self, index: int) -> float:
        """What a candidate is worth, drawn towards those it is compared with.

        As if ``prior_visits`` simulations had returned what the candidates alive are worth on
        average, and more or less by what the policy thinks of each.
        """
        average = sum(self.edges[i].mean for i in self.alive) / len(self.alive)
        prior = average + self.priors[index]
        edge = self.edges[index]
        return (edge.total + self.prior_visits * prior) / (edge.visits + self.prior_visits)

    @property
    def best(self) -> int:
        """The index of the candidate that is chosen."""
        return self.alive[0]
