"""Stable-Baselines3: its vector environment, a policy and self-play; nobody else imports it."""
