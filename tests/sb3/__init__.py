"""Stable-Baselines3: vector environment, policy, self-play, and a run from end to end."""
