## make demo    convert and verify samples/legacy, write demo/report.html
## make test    all tests (those whose needs are absent are skipped)
## make mutation  break converted programs on purpose and count what the verification catches: docs/mutation.md
## make check   linters, types, layers and the tests without TensorFlow
## make tf1     the real TensorFlow 1.15, where a Python 3.7 is found
## make clean   remove what these made
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
export TF_CPP_MIN_LOG_LEVEL ?= 3
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_ROOT_USER_ACTION = ignore

VENV ?= .venv
BIN := $(VENV)/bin
PYTHONS := python3.11 python3.12 python3.10 python3.13 python3 python
FAST := not (tf or tf1 or workers or chromium or slow)
# A file's tests stay in one process, which prepares what they share once.
WORKERS ?= 2
PYTEST := python -m pytest -q -n $(WORKERS) --dist loadfile

.PHONY: help demo test mutation check static tf1 clean

help:
	@sed -n 's/^## //p' Makefile

# A virtual environment on the first Python that TensorFlow has wheels for. The stamp comes last: an interrupted one is
# made anew.
$(VENV)/made:
	@for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; then \
	    echo "Making $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv --clear $(VENV) && touch $@; exit; \
	  fi; \
	done; echo "No Python 3.10 to 3.13 with venv was found (looked for: $(PYTHONS))" >&2; exit 1

$(VENV)/has-verify: $(VENV)/made pyproject.toml
	@echo "Installing tfmigrate with TensorFlow (a few minutes the first time)"
	@$(BIN)/python -m pip install --quiet --quiet --editable '.[verify]'
	@touch $@

$(VENV)/has-dev: $(VENV)/made pyproject.toml
	@echo "Installing tfmigrate with TensorFlow and the tools to develop it (a few minutes the first time)"
	@$(BIN)/python -m pip install --quiet --quiet --editable '.[dev]'
	@touch $@ $(VENV)/has-verify

# The real TensorFlow 1.15, where a Python 3.7 is found.
tf1: $(VENV)/has-verify
	@$(BIN)/tfmigrate tf1 status >/dev/null 2>&1 || $(BIN)/tfmigrate tf1 install

demo: $(VENV)/has-verify
	@before=both; \
	$(MAKE) --no-print-directory tf1 || { before=compat; \
	  echo "*** WITHOUT THE REAL TENSORFLOW 1.15: verifying against tf.compat.v1 alone. ***"; \
	  echo "*** Install a Python 3.7 (pyenv or uv have it) and type make demo again for the whole proof. ***"; }; \
	code=0; \
	$(BIN)/tfmigrate convert samples/legacy --out demo/legacy_tf2 --json demo/convert.json || code=$$?; \
	$(BIN)/tfmigrate verify samples/legacy demo/legacy_tf2 --before $$before \
	  --json demo/verify.json --report demo/report.html || code=$$?; \
	if [ $$before = compat ]; then echo "*** Verified against tf.compat.v1 alone, see above. ***"; fi; \
	echo "The report: $(CURDIR)/demo/report.html"; exit $$code

test: $(VENV)/has-dev
	@$(MAKE) --no-print-directory tf1 || echo "Without TensorFlow 1.15 (no Python 3.7): the tests that need it are skipped"
	@$(BIN)/$(PYTEST)

mutation: $(VENV)/has-verify
	@$(MAKE) --no-print-directory tf1 || echo "Without TensorFlow 1.15 (no Python 3.7): tf.compat.v1 is what is compared with"
	@$(BIN)/python tests/mutation/run.py --out docs/mutation.md

static: $(VENV)/has-dev
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

check: static
	@$(BIN)/$(PYTEST) -m "$(FAST)"

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
