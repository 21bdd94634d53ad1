# The front door. Each target installs what it needs (tools/setup.sh) and calls a CMake preset.
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc)
# Many tests wait more than they compute.
TEST_JOBS ?= $(shell expr $(JOBS) + 2)
SETUP := tools/setup.sh
SOURCES = $(shell git ls-files --cached --others --exclude-standard 'src/*.[ch]' 'sim/*.[ch]' 'ports/*.[ch]' 'include/mpico.h' 'tests/*.[ch]' 'bench/*.[ch]' 'apps/*.[ch]')
# What is compiled here: harts have headers of their own.
TIDY = $(shell git ls-files --cached --others --exclude-standard 'src/*.c' 'sim/*.c' 'ports/*.c' ':!ports/chip')
PREFIX ?= /usr/local
# Nothing of the caller's make gets into the tests.
unexport MAKEFLAGS MFLAGS

.PHONY: build extras boards size prove demo test test-all configured lint format bench bench-sim bench-simgrid programs suite mpi4py reproduce asan tsan fuzz \
        install clean help

build: ## the library, mpiexec, the wrappers and the tools, in build/; no tests
	@$(SETUP) build
	@cmake --preset release --log-level=WARNING
	@cmake --build build --parallel $(JOBS) --target product
	@echo "Built: build/bin/mpicc, build/bin/mpiexec, build/lib/libmpi_abi.so.1"

extras: build ## and the programs of the benchmarks and the tracker, which are not installed
	@cmake --build build --parallel $(JOBS) --target extras

boards: ## the library for every board, chip and DSP of boards/, in build/lib/mpico/board
	@$(SETUP) build boards
	@cmake --preset release --log-level=WARNING -DMPICO_BOARDS=all
	@cmake --build build --parallel $(JOBS) --target product

size: boards ## what the library takes of each board and of a static program here, in docs/footprint.md and docs/footprint-host.md
	@python3 tools/size/size.py --build build --docs --budget
	@python3 tools/size/host.py --build build --docs --budget

demo: extras ## find a ship by its sound with 2 processes, and draw where it went
	@$(SETUP) python
	@PYTHON=build/venv/bin/python3 apps/mft/demo.sh build/bin/mft build/bin/mpiexec build/demo 2
	@echo "The picture: $(CURDIR)/build/demo/mft.png"

# Of the tests: FILTER=REGEX, those whose names it finds; SAMPLE=0 to 9, this part of the matrix.
RUN = build/venv/bin/python3 -B tools/test/run.py --jobs $(JOBS) --test-jobs $(TEST_JOBS) \
      $(if $(FILTER),--filter '$(value FILTER)') $(if $(SAMPLE),--sample $(SAMPLE))
configured:
	@$(SETUP) test boards prove
	@cmake --preset release --log-level=WARNING -DBUILD_TESTING=ON -DMPICO_BOARDS=all

test: configured ## unit tests, launcher, tools, and a tenth of the conformance matrix, another with each commit; FILTER=REGEX: those tests
	@$(RUN)

test-all: configured ## every test there is; the counts go to docs/testing.md
	@$(RUN) --all

prove: ## the models of the link and of the ring, searched by spin (two minutes)
	@$(SETUP) prove
	@python3 tests/proof/run.py

lint: ## formatting and likely bugs; changes nothing
	@$(SETUP) lint
	clang-format --dry-run -Werror $(SOURCES)
	@cmake --preset lint --log-level=WARNING
	@cmake --build build-lint --parallel $(JOBS)
	clang-tidy -p build-lint --quiet --warnings-as-errors='*' $(TIDY)
	build/venv/bin/ruff format --check .
	build/venv/bin/ruff check .
	build/venv/bin/mypy --strict --cache-dir build/mypy python/mpico

format: ## format C and Python in place
	@$(SETUP) lint
	clang-format -i $(SOURCES)
	build/venv/bin/ruff format .

bench: extras ## speed and size beside other MPIs, as ratios taken in one run (about ten minutes)
	@$(SETUP) python
	build/venv/bin/python3 bench/compare.py --build build

bench-sim: extras ## how large a machine the simulator takes, and how fast
	python3 bench/simulator.py --build build

bench-simgrid: extras ## our simulator beside SimGrid's SMPI, the same programs on both (about ten minutes)
	@$(SETUP) python
	@$(SETUP) simgrid || true # the script says what it cannot do without it
	build/venv/bin/python3 bench/simgrid/compare.py --build build

programs: build ## programs people know, from Debian's sources, built with our wrapper and checked by themselves (ten minutes)
	@$(SETUP) programs
	python3 tools/programs/programs.py --build build

suite: build ## MPICH's own test suite on our library (ten minutes)
	@$(SETUP) programs
	python3 tools/suites/mpich.py --build build

mpi4py: build ## mpi4py's own test suite, benchmarks and futures demo on our library (ten to twenty minutes)
	@$(SETUP) python mpi4py
	build/venv/bin/python3 tools/mpi4py/judge.py --build build --extras --foreign --json build/mpi4py.json

reproduce: extras ## the ring paper's tables and figures, and its model, on the simulated ring, in build/ring-* (a minute)
	@$(SETUP) python
	build/bin/mpico reproduce ring-paper --figures build/ring-paper
	build/bin/mpico reproduce ring-model --figures build/ring-model
	build/bin/mpico reproduce realtime --figures build/realtime-report

asan: ## every test under the address and undefined-behaviour sanitizers
	@$(SETUP) test
	@cmake --preset asan --log-level=WARNING
	@cmake --build build-asan --parallel $(JOBS)
	@ctest --test-dir build-asan --output-on-failure --parallel $(TEST_JOBS) -E '^pytest/' --label-exclude '^long$$'

tsan: ## programs with several threads a rank under the thread sanitizer
	@$(SETUP) test
	@cmake --preset tsan --log-level=WARNING
	@cmake --build build-tsan --parallel $(JOBS)
	@ctest --test-dir build-tsan --output-on-failure --parallel $(JOBS) -R '^mpi/threads/'

FUZZ_SECONDS ?= 60
fuzz: ## each libFuzzer target for FUZZ_SECONDS (60)
	@$(SETUP) build fuzz
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build build-fuzz --parallel $(JOBS)
	@for t in $(basename $(notdir $(wildcard tests/fuzz/fuzz_*.c))); do \
	    mkdir -p build-fuzz/corpus/$$t && \
	    build-fuzz/tests/fuzz/$$t -max_total_time=$(FUZZ_SECONDS) build-fuzz/corpus/$$t || exit 1; done

install: build ## into PREFIX (/usr/local)
	@cmake --install build --prefix $(PREFIX)

clean: ## remove everything that was built
	rm -rf build build-asan build-tsan build-debug build-lint build-fuzz

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 15
