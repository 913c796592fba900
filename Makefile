# The only commands anyone needs; `make` alone lists them.

PYTHON  ?= python3
VENV    ?= .venv
PROFILE ?= paper
JOBS    ?=
EXPLORER ?=

BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
RUN     := $(BIN)/credalbench
SPACE   := $(subst ,, )
EXPLORERS := $(patsubst credalbench/explore/explorers/%/view.py,%,$(wildcard credalbench/explore/explorers/*/view.py))
JOBFLAG := $(if $(JOBS),--jobs $(JOBS))

# Workers, kernels and servers import the same packages: each is compiled once, not in every process.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help reproduce test test-all test-portable mutants kernels check style scripts notebooks site explore pictures bench clean
.DELETE_ON_ERROR:

help:
	@echo "credalbench: make <command>"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
	    printf '  %-14s %s\n' "$$name" "$$text"; done
	@echo
	@echo "Variables: PROFILE=paper|smoke  JOBS=number  EXPLORER=$(subst $(SPACE),|,$(EXPLORERS))  PYTHON=$(PYTHON)  VENV=$(VENV)"

# The site is built even when a study failed, and names the study; the exit code stays that of the failure. Exit
# code 2: a usage error, such as an unknown PROFILE; nothing was run and there is nothing to show.
reproduce: $(READY)  ## run every experiment and build the site (PROFILE=smoke takes minutes)
	@failed=0; $(RUN) run --profile $(PROFILE) $(JOBFLAG) || failed=$$?; \
	[ $$failed -ne 2 ] && [ $$failed -lt 128 ] || exit $$failed; \
	$(RUN) site --profile $(PROFILE) || failed=$$?; exit $$failed

# Several processes share the cores: threads of BLAS and OpenMP would only wait for each other. Three for two
# cores: servers, browsers and processes that tests start and end are often waited for. Files in the order of
# their names: by default those with few tests, which are the long ones, come last, and processes run dry.
PYTEST  = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(or $(JOBS),3) \
          --dist loadfile --no-loadscope-reorder

QUICK   = "not slow and not e2e and not long"

test: kernels  ## all tests but the long ones, browser tests included
	$(PYTEST) tests

# The fourth pass compiles all loops anew, so that they raise an IndexError instead of reading foreign memory,
# and tries laws on more examples, others each time.
test-all: kernels  ## every test, lessons in kernels, more random calls, loops that check each index
	$(PYTEST) -m "" tests
	for kind in "" --functions; do $(BIN)/python -P tools/fuzz.py --seeds 2000 $$kind || exit; done
	$(PYTEST) --nbval-lax --nbval-current-env --nbval-cell-timeout=300 notebooks/learn
	@export NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$$(mktemp -d) CREDALBENCH_EXAMPLES=60; status=0; $(COMPILE); \
	    $(PYTEST) -m $(QUICK) tests || status=$$?; rm -rf $$NUMBA_CACHE_DIR; exit $$status
	$(MAKE) test-portable

# Compiled once, before several processes would each compile all loops.
COMPILE = $(BIN)/python -c 'import tests.test_estimators, credalbench.core.kernels as k; k.compile_kernels()'

kernels: $(READY)
	@$(COMPILE)

# Ties and signs must not depend on the processor, the number of threads or what memory held before.
test-portable: $(READY)  ## the quick tests without the processor's vector instructions (TESTS=paths)
	@features=$$($(BIN)/python -c 'import numpy._core._multiarray_umath as numpy; \
	    print(*(name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__[name]))'); \
	NPY_DISABLE_CPU_FEATURES="$$features" OPENBLAS_CORETYPE=Prescott MALLOC_PERTURB_=165 \
	    $(subst THREADS=1,THREADS=2,$(PYTEST)) -m $(QUICK) $(or $(TESTS),tests)

# In a clone of the last commit: cosmic-ray writes each mistake into the file itself.
MUTANTS := build/mutants
mutants: $(READY)  ## small mistakes that tests do not notice (MODULE=belief/combine TESTS=tests/belief)
	@$(BIN)/cosmic-ray --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet 'cosmic-ray>=8.4'
	@rm -rf $(MUTANTS); git clone --quiet . $(MUTANTS)
	@cd $(MUTANTS); bin=$(abspath $(BIN)); \
	    sed "s|MODULE|$(MODULE)|; s|PYTHON|$$bin/python|; s|TESTS|$(TESTS)|" tools/mutants.toml > mutants.toml; \
	    $$bin/cosmic-ray init mutants.toml mutants.sqlite && $$bin/cr-filter-operators mutants.sqlite mutants.toml && \
	    $$bin/cosmic-ray exec mutants.toml mutants.sqlite && \
	    $$bin/cr-report --surviving-only --show-diff mutants.sqlite

check: style scripts  ## style, import layers, equations, lock file, environment.yml, scripts of live pages
	$(BIN)/python -m pytest tests/test_house.py

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Types, format and lint of the JavaScript of live pages, if npx is installed.
scripts:
	@if command -v npx >/dev/null; then \
	    npx -y -p typescript@5.9 tsc -p jsconfig.json && npx -y @biomejs/biome@2.6.8 ci; \
	else echo "npx is missing: the scripts of live pages are not checked"; fi

notebooks: PROFILE = smoke
notebooks: $(READY)  ## execute the reproduction notebooks (PROFILE=smoke unless given)
	$(RUN) run --profile $(PROFILE) $(JOBFLAG)

site: $(READY)  ## build the offline site from the stored results of PROFILE
	$(RUN) site --profile $(PROFILE)

explore: $(READY)  ## open the page of all explorers and lessons, or one of them (EXPLORER=name)
	$(RUN) explore $(EXPLORER)

pictures: $(READY)  ## make the pictures of README and docs anew, from their code and the explorers
	$(BIN)/python -P tools/pictures.py
	$(BIN)/python -P tools/pictures.py --explorers
	$(BIN)/python -P tools/tiles.py

bench: $(READY)  ## run the benchmarks one after another
	@set -e; for script in benchmarks/*.py; do \
	    [ -e "$$script" ] || { echo "no benchmarks yet"; break; }; \
	    echo "== $$script"; $(BIN)/python "$$script"; done

clean:  ## remove results and caches; the environment stays
	rm -rf results build dist .pytest_cache .hypothesis .ruff_cache .import_linter_cache
	find . -path './$(VENV)' -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -print0 | xargs -0 rm -rf

# A new pip takes half as long as that of Python 3.11 (and is not needed); the lock names all that there is to find.
# The environment is updated when the dependencies change. A working one is kept, whatever PYTHON is:
# a second `venv` over it with another Python would break it.
$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "credalbench needs Python 3.11 or later; got: $$($(PYTHON) --version 2>&1 | head -n 1)."; \
	    echo "Choose another interpreter: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "$(PYTHON) cannot create virtual environments: its venv module is incomplete."; \
	    echo "On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Setting up $(VENV): about 170 packages, a minute ..."
	@$(BIN)/python -c 'import ensurepip, ssl' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip || true
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements.lock
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@
	@echo "$(VENV) is ready."
