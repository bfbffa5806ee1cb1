#!/usr/bin/env bash
# fetch_packages.sh FOLDER PACKAGE...: Debian packages unpacked into FOLDER/PACKAGE, those that are not there yet; nothing is installed.
set -euo pipefail
cd "$1"
shift
for package in "$@"; do
  [ -d "$package" ] && continue
  apt-get download -qq -o APT::Sandbox::User=root "$package"
  dpkg -x "$package"_*.deb "$package"
  rm -f "$package"_*.deb
done
