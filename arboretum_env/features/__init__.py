"""Derived features: sums, best paths and gains, computed from what a seat sees."""
