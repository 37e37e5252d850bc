"""The whole policy as tensor operations on raw observations, features included, for export.

The kernels of ``arboretum_env.features`` and the encoder are written for speed on whole batches;
here the same numbers come from tensor operations alone, without a branch on data, so that the
policy can leave as one ONNX graph (docs/export.md). ``tests/export`` holds both sides together.

Module by module: ``table`` (pieces of the observation), ``boards`` (who stands next to whom, legal
cells), ``paths`` (ways and best paths), ``gains`` (what each card would add on each cell),
``rights`` (chances of rights), ``inputs`` (the network's inputs), ``policy`` (all of it).

``B`` views, ``P`` players, ``S`` species, ``R`` ranks, ``C`` cards, ``W`` side of the torus, ``K``
most legal cells of a board, ``SUMS`` rank sums told apart. Cards are numbered from 1 by rising
rank, then species, 0 stands for none: so a card's lower neighbours have smaller numbers.
"""
