"""Computes what the notebooks show, for as long as it takes; stop it and call it again as you like.

    python scripts/run_studies.py                                # everything, the full setting
    python scripts/run_studies.py --only denial_sweep            # one study
    python scripts/run_studies.py --setting small --folder DIR   # seconds, to try it

Results are lines of ``notebooks/results/SETTING/STUDY.jsonl``; what is there already is kept.
"""

import argparse
import sys
from pathlib import Path

from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.study import FULL, SETTINGS

CHECKOUT = Path(__file__).resolve().parent.parent
RESULTS = CHECKOUT / "notebooks" / "results"


def show(study: str, done: int, number: int) -> None:
    """A line a part."""
    print(f"{study}: {done} of {number}", flush=True)


def main() -> int:
    """The command; see the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--setting", choices=sorted(SETTINGS), default=FULL.name)
    parser.add_argument("--only", nargs="+", choices=sorted(STUDIES), default=sorted(STUDIES))
    parser.add_argument("--folder", type=Path, default=RESULTS)
    options = parser.parse_args()
    try:
        for name in options.only:
            STUDIES[name](SETTINGS[options.setting]).rows(options.folder, show)
    except KeyboardInterrupt:
        print("stopped; what is done is kept, the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
