"""Arboretum's environment beside those of others; ``python benchmarks/peers/run.py`` runs it."""
