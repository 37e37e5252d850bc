"""Arboretum as a game of OpenSpiel."""
