#!/usr/bin/env bash
# sanitize.sh asan|tsan|fuzz JOBS [SECONDS A FUZZ TARGET]: the suite under sanitizers, or every fuzz target for a while.
set -euo pipefail
kind=$1 jobs=$2 seconds=${3:-30}
build=build-$kind

configure() { [ -f "$build/build.ninja" ] || cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug "$@" >/dev/null; }

case $kind in
  asan)
    configure -DBOUQUET_SANITIZE=address,undefined
    cmake --build "$build" -j "$jobs"
    # the tiny models cover every path; the real one only takes longer here
    BOUQUET_TEST_MODEL="" UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ctest --test-dir "$build" --output-on-failure -j "$jobs"
    ;;
  tsan)
    configure -DBOUQUET_SANITIZE=thread
    cmake --build "$build" -j "$jobs" --target tulip_tests ivy_tests integration_tests
    for program in tulip_tests ivy_tests; do TSAN_OPTIONS=halt_on_error=1 "$build/$program" --gtest_brief=1; done
    TSAN_OPTIONS=halt_on_error=1 BOUQUET_TEST_MODEL="" "$build/tests/integration_tests" --gtest_brief=1 --gtest_filter='*Tulip*'
    ;;
  fuzz)
    configure -DBOUQUET_SANITIZE=address,undefined -DBOUQUET_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14
    cmake --build "$build" -j "$jobs" --target fuzzers
    for target in "$build"/tests/*_fuzz; do
      name=$(basename "$target")
      mkdir -p "$build/corpus/$name"
      [ "$name" != tokenizer_json_fuzz ] || cp tests/golden/models/pool-mean/tokenizer.json "$build/corpus/$name/"
      [ "$name" != safetensors_fuzz ] || cp tests/golden/models/pool-mean/golden.safetensors "$build/corpus/$name/"
      echo "fuzzing $name for $seconds s"
      log=$build/$name.log
      if ! "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$build/" "$build/corpus/$name" >"$log" 2>&1; then
        tail -40 "$log" >&2
        echo "$name found something: its input lies in $build/" >&2
        exit 1
      fi
      grep "stat::number_of_executed_units" "$log"
    done
    ;;
esac
