#!/usr/bin/env bash
# Installs what Bouquet builds with, where it is missing, and says what. Debian 12 and systems like it; elsewhere it says
# which packages are needed and stops before anything is half done.
set -euo pipefail

PACKAGES=(
  build-essential cmake ninja-build ccache pkg-config
  libboost1.81-dev libabsl-dev libprotobuf-dev protobuf-compiler libgrpc++-dev protobuf-compiler-grpc libsimdjson-dev libfmt-dev libspdlog-dev
  libcli11-dev libtomlplusplus-dev prometheus-cpp-dev libonig-dev libcurl4-openssl-dev libssl-dev zlib1g-dev
  libgtest-dev libgmock-dev python3 python3-venv curl ca-certificates
)
# For `make asan tsan fuzz lint` and .ci/run.
CI_PACKAGES=(clang-14 clang-format-14 libclang-rt-14-dev nftables)

# For `make wheel`.
PYTHON_PACKAGES=(python3-dev)

case "${1:-}" in
  ci) PACKAGES+=("${CI_PACKAGES[@]}" "${PYTHON_PACKAGES[@]}") ;;
  python) PACKAGES+=("${PYTHON_PACKAGES[@]}") ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  missing=()
  for tool in g++ cmake ninja pkg-config protoc; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
  echo "This system has no apt-get, so nothing was installed. Missing tools: ${missing[*]}" >&2
  echo "Bouquet needs what these Debian 12 packages hold: ${PACKAGES[*]}" >&2
  exit 1
fi

# dpkg-query fails where a package was never heard of, and lists the others all the same.
known=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${PACKAGES[@]}" 2>/dev/null || true)
installed=$(awk '$2 == "installed" {print $1}' <<<"$known")
missing=()
for package in "${PACKAGES[@]}"; do grep -qx "$package" <<<"$installed" || missing+=("$package"); done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing with apt-get: ${missing[*]}"
SUDO=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Not root and no sudo here. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  SUDO=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$SUDO apt-get update -qq
if ! $SUDO apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/bouquet-apt.$$.log 2>&1; then
  tail -20 /tmp/bouquet-apt.$$.log >&2
  echo "apt-get could not install: ${missing[*]} (Bouquet is made for Debian 12 and what is like it)" >&2
  exit 1
fi
rm -f /tmp/bouquet-apt.$$.log
