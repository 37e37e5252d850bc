"""What every section of an experiment is: frozen, and without keys that nobody knows."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]


class Section(BaseModel):
    """A part of an experiment; an unknown key in it is an error."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )
