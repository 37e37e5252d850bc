"""What the notebooks study: experiments in parts, computed once and kept as lines of JSON."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from arboretum_training.research.studies import (
    beliefs,
    denial_sweep,
    first_seat,
    holdings,
    rule_switch,
)
from arboretum_training.research.studies.study import Setting, Study

STUDIES: Final[Mapping[str, Callable[[Setting], Study]]] = MappingProxyType(
    {
        "beliefs": beliefs.study,
        "denial_sweep": denial_sweep.study,
        "first_seat": first_seat.study,
        "holdings": holdings.study,
        "rule_switch": rule_switch.study,
    }
)
"""By name, what makes a study of a setting."""
