#!/usr/bin/env bash
# Builds Bouquet for 64-bit ARM on a Debian 12 machine of another kind and runs the module tests under qemu: downloads
# Debian's arm64 packages into a folder of their own (450 MB; nothing of this system is changed but two packages added).
#   tools/arm64.sh [JOBS] [TARGETS...]        e.g. tools/arm64.sh 8 bouquet
set -euo pipefail
jobs=${1:-$(nproc)}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(base_tests rose_tests tokenizer_tests)
here=$PWD/.cache/arm64
root=$here/root
sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)

if ! command -v aarch64-linux-gnu-g++ qemu-aarch64 >/dev/null; then
  $sudo apt-get install -y -qq --no-install-recommends g++-aarch64-linux-gnu qemu-user >/dev/null
fi

if [ ! -f "$here/complete" ]; then
  mkdir -p "$here"/{state/lists/partial,cache/archives/partial} "$root"
  touch "$here/status"
  apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$here/state"
    -o Dir::State::status="$here/status" -o Dir::Cache="$here/cache")
  echo "Downloading the arm64 packages into $here"
  "${apt[@]}" update
  "${apt[@]}" install -y --download-only --no-install-recommends libc6-dev libstdc++-12-dev libboost1.81-dev libabsl-dev \
    libprotobuf-dev libgrpc++-dev libsimdjson-dev libfmt-dev libspdlog-dev libcli11-dev libtomlplusplus-dev \
    prometheus-cpp-dev libonig-dev libcurl4-openssl-dev libssl-dev zlib1g-dev libgtest-dev libgmock-dev
  for package in "$here"/cache/archives/*.deb; do dpkg -x "$package" "$root"; done
  find "$root" -type l -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
  touch "$here/complete"
fi

export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
export PKG_CONFIG_SYSROOT_DIR=$root
cmake -G Ninja -S . -B "$here/build" -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DBOUQUET_SYSROOT="$root" >/dev/null
cmake --build "$here/build" -j "$jobs" --target "${targets[@]}"
for target in "${targets[@]}"; do
  [[ $target != *_tests ]] || qemu-aarch64 -L "$root" "$here/build/$target" --gtest_brief=1
done
