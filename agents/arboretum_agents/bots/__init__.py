"""Bots without learning, one a file."""
