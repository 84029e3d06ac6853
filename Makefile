# Needs Python 3.11 or newer (with venv) and make; everything else goes into .venv.
# Another Python: make test PYTHON=/path/to/python3.12

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PLAIN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
TESTS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test lint docs bench clean

# An environment whose Python is gone is made anew.
ifneq ($(shell [ ! -d $(VENV) ] || $(BIN)/python -c 'import pip' 2>/dev/null || echo broken),)
.PHONY: $(PLAIN) $(DEV)
endif

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

demo: $(PLAIN) ## a short game played by bots: board, undo, fork, audit, transcript
	@$(BIN)/warptape demo
	@printf '  %-60s %s\n' '. $(BIN)/activate' 'first, so that this shell knows warptape'

test: $(DEV) ## the tests (make test TESTS=tests/test_x.py; WARPTAPE_SLOW=1 for the long ones too)
	@$(BIN)/python -m pytest -n auto --dist worksteal -rs $(TESTS)

lint: $(DEV) ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

docs: $(DEV) ## writes the generated pages and builds the site into site/
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/generate_commands.py
	@$(BIN)/python docs/generate_api.py
	@$(BIN)/python docs/generate_archive.py
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

bench: $(DEV) ## the benchmarks, as ratios
	@$(BIN)/python benchmarks/run.py

clean: ## removes the environment and everything built
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The development environment serves `make demo` as well.
$(PLAIN): pyproject.toml
	@if [ $(DEV) -nt pyproject.toml ] && $(BIN)/python -c '' 2>/dev/null; then touch $@; else $(call install,.); fi

$(DEV): pyproject.toml
	@$(call install,.[dev])

define install
	set -e; \
	if ! $(BIN)/python -c 'import pip' 2>/dev/null; then \
	  for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11); do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "warptape needs Python 3.11 or newer and found none: install it, or name one with make PYTHON=/path/to/python." >&2; exit 1; \
	  fi; \
	  if ! "$$found" -m venv --clear $(VENV); then \
	    echo "$$found cannot make a virtual environment: install its venv module (on Debian: apt-get install python3-venv)." >&2; exit 1; \
	  fi; \
	fi; \
	echo "Installing warptape into $(VENV)" >&2; \
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '$(1)' >&2; \
	touch $@
endef
