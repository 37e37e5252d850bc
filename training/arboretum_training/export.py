"""Writing a policy as one ONNX file, features included (docs/export.md).

The file takes raw observations and plays anywhere that onnxruntime runs, without torch and without
this distribution: ``arboretum_agents.onnx_policy`` is one reader, a page in a browser another.
"""

import hashlib
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import safetensors.torch
import torch

from arboretum_agents.neural.graph.policy import PolicyGraph
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.onnx_policy import INPUT, METADATA, OUTPUTS, PolicyFacts
from arboretum_env.observation import observation_length
from arboretum_training.files import replace_file

OPSET: Final = 20
"""Of ONNX's operations; the runtimes of the last years know it."""

_TRACED_BATCH: Final = 3  # any size but 0 and 1, which torch would take for fixed


@dataclass(frozen=True)
class Exported:
    """A file that was written.

    Attributes:
        path: the file.
        bytes: its size.
        sha256: its hash, in hex.
        nodes: operations of the graph.
        facts: what it says of its policy.
    """

    path: Path
    bytes: int
    sha256: str
    nodes: int
    facts: PolicyFacts


def export_policy(agent: NeuralAgent, path: Path) -> Exported:
    """Writes the agent's policy; the same network gives the same bytes.

    Args:
        agent: its network is left as it is, its mode does not matter.
        path: written in one step; an older file is replaced.

    Raises:
        ModuleNotFoundError: onnx or onnxscript, of the extra "export", is not installed.
    """
    facts = PolicyFacts.of(
        agent.config, weights_digest(agent.network), agent.reward, version("arboretum-lab")
    )
    model = _traced(agent)
    _clean(model)
    model.producer_name, model.producer_version = "arboretum-lab", facts.made_by
    entry = model.metadata_props.add()
    entry.key, entry.value = METADATA, facts.to_json()
    import onnx

    onnx.checker.check_model(model, full_check=True)
    data = model.SerializeToString(deterministic=True)
    replace_file(path, data)
    digest = hashlib.sha256(data).hexdigest()
    return Exported(path, len(data), digest, len(model.graph.node), facts)


def weights_digest(network: PolicyNetwork) -> str:
    """SHA-256 of the weights as a checkpoint has them in its ``weights.safetensors``, in hex."""
    weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    return hashlib.sha256(safetensors.torch.save(weights)).hexdigest()


def _traced(agent: NeuralAgent) -> Any:
    """The policy's ``onnx.ModelProto``."""
    # First of all, so that what is missing is said at once.
    import onnxscript  # noqa: F401

    graph = PolicyGraph(agent.config, agent.network, agent.temperature).eval()
    example = torch.zeros((_TRACED_BATCH, observation_length(agent.config)), dtype=torch.int8)
    with _quiet():
        program = torch.onnx.export(
            graph,
            (example,),
            input_names=[INPUT],
            output_names=list(OUTPUTS),
            dynamic_shapes=({0: torch.export.Dim("batch")},),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    return program.model_proto


def _clean(model: Any) -> None:
    """Drops what the exporter notes on the way: traces of source files, shapes in between."""
    del model.metadata_props[:], model.graph.metadata_props[:], model.graph.value_info[:]
    model.graph.name, model.graph.doc_string, model.doc_string = "policy", "", ""
    parts = (model.graph.node, model.graph.initializer, model.graph.input, model.graph.output)
    for part in parts:
        for item in part:
            item.doc_string = ""
            del item.metadata_props[:]
    for node in model.graph.node:
        node.name = ""


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the exporter from reporting what is no concern of ours: a missing torchvision, say."""
    logger = logging.getLogger("torch.onnx")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(before)
