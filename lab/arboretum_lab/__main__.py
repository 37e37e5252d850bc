"""``python -m arboretum_lab`` is the console script ``arboretum``."""

import sys

from arboretum_lab.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
