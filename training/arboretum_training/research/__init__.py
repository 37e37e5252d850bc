"""Hand-blocking, studied: what a seat may believe, and what a held card does to the result.

Definitions and measures, for studies and for ``arboretum_training.analysis``, which reports them of
one game; nothing here imports that package.
"""
