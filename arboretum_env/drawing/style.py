"""The style sheet that goes with the pictures on a page, by daylight and in the dark.

Pictures carry the light colours as attributes and classes named after them: ``f-ink`` is filled,
``s-ink`` stroked with the colour ``ink`` of ``drawing.theme``. These rules give a page's pictures
the reader's theme: the system's, or what the root element's ``data-theme`` says.
"""

from arboretum_env.drawing.theme import DARK, LIGHT, SPECIES_COLOURS, Palette, ink_on


def style_sheet() -> str:
    """CSS of every colour name as a custom property ``--ab-NAME``, and the classes' rules."""
    species = SPECIES_COLOURS | {
        f"{letter}-ink": ink_on(colour) for letter, colour in SPECIES_COLOURS.items()
    }
    names = [*LIGHT, *species]
    rules = "\n".join(
        f".f-{name}{{fill:var(--ab-{name})}}.s-{name}{{stroke:var(--ab-{name})}}" for name in names
    )
    return f""":root{{color-scheme:light dark;{_properties(LIGHT | species)}}}
@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{_properties(DARK)}}}}}
:root[data-theme="light"]{{color-scheme:light}}
:root[data-theme="dark"]{{color-scheme:dark;{_properties(DARK)}}}
{rules}
{_MOTION}"""


_MOTION = """.cell{cursor:pointer;outline:none}
.cell .ghost{opacity:0;transition:opacity .12s}
.cell:hover .ghost,.cell:focus-visible .ghost{opacity:.75}
.cell:hover .spot,.cell:focus-visible .spot{stroke-dasharray:none;stroke-width:3}
@media (prefers-reduced-motion:reduce){.cell .ghost{transition:none}}
"""


def _properties(palette: Palette) -> str:
    return ";".join(f"--ab-{name}:{colour}" for name, colour in palette.items())
