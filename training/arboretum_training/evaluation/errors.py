"""What can be wrong with an evaluation."""

from arboretum_env.errors import ArboretumError


class EvaluationError(ArboretumError, ValueError):
    """An evaluation that cannot be run as asked: too few agents, deals or workers."""


class WorkerError(ArboretumError, RuntimeError):
    """A worker process died before it could report."""


class DamagedFileError(ArboretumError, ValueError):
    """A file of results that is not whole, was changed, or belongs to something else."""


class ResultError(ArboretumError, ValueError):
    """A result of the suite that is not whole, or not what it claims to be."""
