"""The minibatch at which a run went wrong, kept for whoever wants to know why.

runs/NAME/failed/iteration-12.safetensors   its decisions, advantages and returns, and the weights
                                            of the moment; where and why stand in its metadata
"""

import safetensors.torch

from arboretum_agents.neural.checkpoint_reader import latest_step
from arboretum_training.divergence import DivergenceError
from arboretum_training.files import replace_file
from arboretum_training.runs import RunFolder


def save_failed_batch(run: RunFolder, error: DivergenceError) -> str:
    """Writes the minibatch of an error.

    Returns:
        What to tell: where it lies or why it does not, and what there is to go on from.
    """
    step = latest_step(run.path)
    intact = (
        "there is no checkpoint yet: begin anew with --overwrite"
        if step is None
        else f"step {step} is intact"
    )
    file = run.failed / f"iteration-{error.where['iteration']}.safetensors"
    metadata = {**error.where, "fault": str(error)}
    tensors = {name: tensor.contiguous() for name, tensor in error.tensors.items()}
    try:
        file.parent.mkdir(exist_ok=True)
        replace_file(file, safetensors.torch.save(tensors, metadata))
    except OSError as refusal:
        return f"{intact}; the minibatch cannot be kept: {refusal.strerror or refusal}"
    return f"{intact}; the minibatch is in {file}"
