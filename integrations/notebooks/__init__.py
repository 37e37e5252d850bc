"""Tests of the notebooks as they are kept: pairs of a script and an executed notebook."""
