"""Measuring: duplicate deals, statistics and reports."""
