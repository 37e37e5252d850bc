"""Tests of the numbers that people look at games with."""
