"""Measurements: scripts that print ratios of things measured in the same run."""
