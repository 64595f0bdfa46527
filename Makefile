# `make help` lists the targets. The environment is .venv and node_modules; both are made from
# the locks, once, and again when a lock changes.

# The first Python that is new enough. To choose another: make setup PYTHON=/path/to/python3.12
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PORT ?= 8000
# For example: make build BUILD_FLAGS=--without-runtime
BUILD_FLAGS ?=
TRAIN_FLAGS ?=

PIP_TOOLS := pip-tools==7.6.2
BIN := .venv/bin
NPX := node_modules/.bin
VENV := .venv/.stamp
NODE := node_modules/.stamp
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SETUP := $(VENV) $(NODE)
# Two at a time, each one's output in one piece where make can do that; a -j of the user's wins.
SIDE_BY_SIDE = $(if $(findstring j,$(MAKEFLAGS)),,-j2) $(if $(filter output-sync,$(.FEATURES)),-Otarget)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup build serve check test ids bench mutants train lock clean
.PHONY: lint ruff mypy imports tsc biome fast all-tests html chromium

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(SETUP) ## make .venv and node_modules from the locks

build: $(SETUP) ## build the site into dist/
	$(BIN)/python build.py build $(BUILD_FLAGS)

serve: $(SETUP) ## build, serve, and reload the browser on each change
	$(BIN)/python build.py serve --port $(PORT) $(BUILD_FLAGS)

check: $(SETUP) ## linters, types and the fast tests: under a minute
	@$(MAKE) --no-print-directory $(SIDE_BY_SIDE) fast lint

test: lint all-tests html ## everything, with a real browser and the built site

ids: $(SETUP) ## add new ids to content/ids.txt, the list of all that were ever published
	$(BIN)/python build.py ids

bench: $(SETUP) .venv-bench/.stamp chromium ## measure builds and pages; prints JSON
	@$(BIN)/python -m bench

mutants: $(VENV) ## make small mistakes in every equation; prints how many the checks catch
	@PYTHONPATH=src:. $(BIN)/python -m tests.mutants

train: $(VENV) ## train the model, then sample from it
	$(BIN)/python -m tinygpt.train $(TRAIN_FLAGS)

lock: ## rewrite the locks from requirements.in, bench/requirements.in and package.json
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	  $(PYTHON) -m venv "$$tools"; \
	  "$$tools/bin/python" -m pip --disable-pip-version-check --quiet install '$(PIP_TOOLS)'; \
	  for name in requirements bench/requirements; do \
	    echo "$$name.in -> $$name.lock"; \
	    "$$tools/bin/pip-compile" --quiet --generate-hashes --allow-unsafe --no-emit-index-url \
	      --no-emit-find-links --no-emit-trusted-host --strip-extras --no-header \
	      --output-file "$$name.lock" "$$name.in"; \
	  done
	npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean: ## remove all that was made, the environment too
	rm -rf .venv .venv-bench node_modules dist dist.* .cache .mypy_cache .ruff_cache .pytest_cache \
	  .import_linter_cache .hypothesis src/*.egg-info
	find src site_builder tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# The parts of `check` and `test`.

lint: ruff mypy imports tsc biome

ruff: $(VENV)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet

mypy: $(VENV)
	$(BIN)/mypy

imports: $(VENV)
	$(BIN)/lint-imports

tsc: $(NODE)
	$(NPX)/tsc -p tsconfig.json
	$(NPX)/tsc -p tsconfig.worker.json

biome: $(NODE)
	$(NPX)/biome check --error-on-warnings

fast: $(SETUP)
	$(BIN)/pytest -q -n auto --dist loadfile -m 'not browser and not site and not slow'

all-tests: $(SETUP) chromium
	$(BIN)/pytest -q -n 2 --dist worksteal

html: build
	$(NPX)/html-validate --max-warnings 0 'dist/**/*.html'

chromium: $(VENV)
	@$(BIN)/python -m tests.chromium >&2

# The environment.

$(VENV): requirements.lock
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'Python 3.11 or newer is needed, and none was found: make PYTHON=/path/to/it' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo 'Python lacks venv: on Debian, apt-get install python3-venv' >&2; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(NODE): package-lock.json package.json
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null || { \
	  echo 'Node 20.19 or newer is needed, and it was not found' >&2; exit 1; }
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.venv-bench/.stamp: bench/requirements.lock | $(VENV)
	@.venv-bench/bin/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes \
	  -r bench/requirements.lock
	@touch $@
