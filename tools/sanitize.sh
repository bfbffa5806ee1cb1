#!/usr/bin/env bash
# sanitize.sh asan|fuzz|tsan JOBS [SECONDS A FUZZ TARGET]: the suite under ASan and UBSan, every fuzz target for a while,
# or the threaded parts under TSan. asan and fuzz share one build, by clang 14, whose runtime holds libFuzzer.
set -euo pipefail
kind=$1 jobs=$2 seconds=${3:-30}
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1:suppressions=$PWD/tests/tsan_suppressions.txt
export LSAN_OPTIONS=suppressions=$PWD/tests/lsan_suppressions.txt:print_suppressions=0
# The tiny models cover every path; the real one only takes longer here.
export BOUQUET_TEST_MODEL=""

configure() { cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug "$@" >/dev/null; }
configure_clang() {
  build=build-clang
  configure -DBOUQUET_SANITIZE=address,undefined -DBOUQUET_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14
}

# fuzz_one TARGET: fails where the target found something, and shows what.
fuzz_one() {
  local name log corpus
  name=$(basename "$1") log=$build/$name.log corpus=$build/corpus/$name
  mkdir -p "$corpus"
  case $name in
    tokenizer_json_fuzz) cp tests/golden/models/pool-mean/tokenizer.json "$corpus/" ;;
    safetensors_fuzz) cp tests/golden/models/pool-mean/golden.safetensors "$corpus/" ;;
    torch_file_fuzz) cp tests/golden/weights/*.{bin,pt} "$corpus/" ;;
    state_dict_fuzz) for file in ordered protocol4; do python3 -m zipfile -e tests/golden/weights/$file.bin "$corpus/"; done ;;
    model_config_fuzz) for model in tests/golden/models/*; do cp "$model/config.json" "$corpus/$(basename "$model")" 2>/dev/null || true; done ;;
    qrels_fuzz) cp tests/retrieval/qrels/*.tsv "$corpus/" ;;
    chat_template_fuzz) cp tests/golden/models/qwen3-reranker/chat_template.jinja "$corpus/" ;;
    gguf_fuzz) cp tests/golden/weights/types.gguf tests/golden/gguf/*.gguf "$corpus/" ;;
  esac
  if ! "$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
    -artifact_prefix="$build/" "$corpus" >"$log" 2>&1; then
    tail -40 "$log" >&2
    echo "$name found something: its input lies in $build/" >&2
    return 1
  fi
  echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s, nothing found"
}

case $kind in
  asan)
    configure_clang
    cmake --build "$build" -j "$jobs"
    ctest --test-dir "$build" --output-on-failure -j "$jobs"
    ;;
  fuzz)
    configure_clang
    cmake --build "$build" -j "$jobs" --target fuzzers
    export -f fuzz_one
    export build seconds
    printf '%s\n' "$build"/tests/*_fuzz | xargs -P "$jobs" -I{} bash -c 'fuzz_one {}'
    ;;
  tsan)
    build=build-tsan
    configure -DBOUQUET_SANITIZE=thread
    cmake --build "$build" -j "$jobs" --target tulip_tests ivy_tests integration_tests
    for program in tulip_tests ivy_tests; do "$build/$program" --gtest_brief=1; done
    "$build/tests/integration_tests" --gtest_brief=1 --gtest_filter='*Tulip*'
    ;;
  *)
    echo "what: $kind? asan, fuzz or tsan" >&2
    exit 2
    ;;
esac
