# Every target does all of its set-up: it needs Python >= 3.11 with pip, and nothing else.
#
#   make test PYTEST_FLAGS="-k paths"         a part of the tests
#   make test-integrations ENVIRONMENTS=rllib a part of the environments
#   make setup PIP_FLAGS="..."                more flags for pip, e.g. an index of CPU-only torch
#   make setup PYTHON=/path/to/python         a certain Python
#
# On Linux the general package index serves torch with CUDA (about 3 GB). Where a CPU build of the
# same version is at hand (an index or folder that pip is told of), pip prefers it.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.installed-docs
PYTEST_FLAGS ?=
PIP_FLAGS ?=
ENVIRONMENTS ?=
# scripts/integrations.py reads them, quotes and all.
export PYTEST_FLAGS PIP_FLAGS

# The first that runs and is new enough; constraints.txt was tested with 3.11.
PYTHON ?= $(shell for candidate in python3.11 python3.12 python3.13 python3 python; do \
	"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo "$$candidate" && break; done)

.PHONY: help setup demo test lint bench bench-peers bench-cold-start bench-page docs \
	test-integrations test-versions
.DEFAULT_GOAL := help

help:
	@echo "make setup              create $(VENV) with everything that the targets below need"
	@echo "make demo               train a 2-player policy by self-play and measure it (about 4 minutes)"
	@echo "make test               lint, types, import layers and all tests"
	@echo "make lint               lint, types and import layers alone"
	@echo "make test-integrations  try the distribution, and the tools of others, in environments of their own"
	@echo "make test-versions      the core again: lowest and newest dependencies, other Pythons that are here"
	@echo "make bench              measure the engine's speed on this machine"
	@echo "make bench-peers        compare it with other environments, installed into .venvs/bench"
	@echo "make bench-cold-start   measure the time from start to the first finished game"
	@echo "make bench-page         measure both again and write them into docs/performance.md"
	@echo "make docs               make the documentation a website, docs/_build/html/index.html"

setup: $(STAMP)

# The stamp is written last, so that an interrupted installation is taken up again.
$(STAMP): pyproject.toml constraints.txt
	@if [ -z "$(PYTHON)" ]; then \
		echo "make: no Python >= 3.11 found; install one or say make PYTHON=/path/to/python" >&2; \
		exit 1; fi
	@if ! $(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "Creating $(VENV) with $(PYTHON)"; \
		"$(PYTHON)" scripts/create_venv.py $(VENV); fi
	@echo "Installing into $(VENV) (minutes the first time)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check $(PIP_FLAGS) \
		--constraint constraints.txt --editable '.[train,sb3,render,onnx,export,web,research,dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/arboretum train configs/demo.yaml --overwrite

test: lint
	$(BIN)/python -m pytest -n 2 $(PYTEST_FLAGS)

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test-integrations: $(STAMP)
	$(BIN)/python scripts/check_distribution.py
	$(BIN)/python scripts/integrations.py $(ENVIRONMENTS)

test-versions: $(STAMP)
	$(BIN)/python scripts/integrations.py versions

bench: $(STAMP)
	$(BIN)/arboretum bench

bench-peers: $(STAMP)
	PIP_FLAGS="$(PIP_FLAGS)" $(BIN)/python benchmarks/peers/run.py

bench-cold-start: $(STAMP)
	$(BIN)/python -m benchmarks.cold_start

bench-page: $(STAMP)
	PIP_FLAGS="$(PIP_FLAGS)" $(BIN)/python -m benchmarks.page

# Not part of the set-up: only this target needs Sphinx.
$(DOCS_STAMP): $(STAMP)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check $(PIP_FLAGS) \
		--constraint constraints.txt --editable '.[docs]'
	@touch $@

# Everything anew: a page that is not read again keeps its warnings to itself.
docs: $(DOCS_STAMP)
	@rm -rf docs/api docs/_build
	$(BIN)/python -m sphinx -b html -q -W --keep-going -j auto docs docs/_build/html
	@echo "Open docs/_build/html/index.html"
