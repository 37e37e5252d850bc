"""Self-play with Stable-Baselines3: opponents are drawn from the learner's own past.

Before every rollout each game's next opponents are drawn anew; a game under way goes on as it
began.
"""

from stable_baselines3.common.callbacks import BaseCallback

from arboretum_training.opponents.drawn_pool import OpponentPool
from arboretum_training.sb3.vec_env import ArboretumVecEnv


class SelfPlay(BaseCallback):
    """Seats opponents from a pool and lets the pool grow.

    Args:
        pool: whose network is the model's.
        environment: the model's.
    """

    def __init__(self, pool: OpponentPool, environment: ArboretumVecEnv) -> None:
        super().__init__()
        self.pool = pool
        self.environment = environment
        self._rollouts = 0

    def _on_rollout_start(self) -> None:
        if self._rollouts and self._rollouts % self.pool.config.every == 0:
            self.pool.take_snapshot()
        self._rollouts += 1
        self.pool.seat(self.environment)

    def _on_step(self) -> bool:
        return True
