# Thin: everything real is in CMakePresets.json, tools/ and .ci/run.
# `make help` says what there is.

export CMAKE_C_COMPILER_LAUNCHER ?= $(shell command -v ccache 2>/dev/null)

# the Python whose packages Debian installs
export PYTHON ?= /usr/bin/python3

# processor time of each fuzz target, in seconds
FUZZ_SECONDS ?= 60

.PHONY: help deps deps-duckdb deps-onnxruntime demo test bench check fuzz coverage tidy clean
.DEFAULT_GOAL := help

help:
	@echo 'make deps    install what a bare Debian 12 lacks (as root or with sudo)'
	@echo 'make deps-duckdb'
	@echo '             put DuckDB into build/deps, for SQL and Parquet tables'
	@echo 'make deps-onnxruntime'
	@echo '             put ONNX Runtime into build/deps, for scorers that are ONNX models'
	@echo 'make demo    audit two real scorers on demo photographs: tare-demo/report.html'
	@echo 'make test    build and run the test suite (the slow tests are in .ci/run)'
	@echo 'make check   the written rules only: layers, style'
	@echo 'make fuzz    each fuzz target for FUZZ_SECONDS (60) of processor time, as a table'
	@echo 'make coverage'
	@echo '             lines and branches that the test suite reaches, by room'
	@echo 'make tidy    what clang-tidy finds in src/'
	@echo 'make bench   speed beside other programs, as a table'
	@echo 'make clean   remove build/'

deps:
	@tools/install_deps.sh build test demo

deps-duckdb:
	@tools/fetch_duckdb.sh build/deps

deps-onnxruntime:
	@tools/fetch_onnxruntime.sh build/deps newest

# without DuckDB, ONNX Runtime or nsfwjs's model their tests are skipped
test: deps
	@tools/fetch_duckdb.sh build/deps || true
	@tools/fetch_onnxruntime.sh build/deps || true
	@tools/fetch_nsfwjs.sh build/deps/nsfwjs || true
	@mkdir -p build
	@cmake --preset dev -Wno-dev >build/dev.configure.log 2>&1 || { cat build/dev.configure.log; exit 1; }
	@cmake --build --preset dev
	@tools/run_tests.py run build/dev --without slow

demo: deps
	@mkdir -p build
	@cmake --preset release >build/release.configure.log 2>&1 || { cat build/release.configure.log; exit 1; }
	@cmake --build --preset release --target tare
	@tools/fetch_demo.sh build/demo/photos
	@tools/fetch_nsfwjs.sh build/deps/nsfwjs || true
	@tools/fetch_onnxruntime.sh build/deps newest || true
	@build/release/tare demo build/demo/photos

check:
	@tools/check_layers.py
	@tools/check_style.py

fuzz:
	@tools/install_deps.sh build fuzz
	@mkdir -p build
	@cmake --preset fuzz >build/fuzz.configure.log 2>&1 || { cat build/fuzz.configure.log; exit 1; }
	@cmake --build --preset fuzz
	@tools/run_fuzz.py build/fuzz --seconds $(FUZZ_SECONDS)

coverage: deps
	@mkdir -p build
	@cmake --preset coverage >build/coverage.configure.log 2>&1 || { cat build/coverage.configure.log; exit 1; }
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@tools/run_tests.py run build/coverage --without 'slow|check|browser'; \
	    status=$$?; tools/coverage.py build/coverage && exit $$status

tidy:
	@tools/install_deps.sh build tidy
	@mkdir -p build
	@cmake --preset tidy >build/tidy.configure.log 2>&1 || { cat build/tidy.configure.log; exit 1; }
	@tools/run_tidy.py build/tidy

bench: deps
	@tools/install_deps.sh bench
	@mkdir -p build
	@cmake --preset release >build/release.configure.log 2>&1 || { cat build/release.configure.log; exit 1; }
	@cmake --build --preset release
	@[ -x build/bench-venv/bin/pip ] || $(PYTHON) -m venv --system-site-packages build/bench-venv
	@build/bench-venv/bin/pip install -q krippendorff==0.9.0 || \
	    echo 'bench: no package krippendorff: alpha is measured without its peer' >&2
	@for script in bench/*/run*.sh; do \
	    ALPHA_PYTHON=build/bench-venv/bin/python "$$script" build/release || exit 1; done

clean:
	rm -rf build
