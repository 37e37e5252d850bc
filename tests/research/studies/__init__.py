"""Tests of the studies that the notebooks show."""
