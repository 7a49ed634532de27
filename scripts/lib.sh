# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts in this folder; sourced, not run.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# quietly LABEL COMMAND...: runs the command; its output is shown only when it fails.
quietly() {
  local label=$1 log status=0
  shift
  say "$label ..."
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 200 "$log" >&2
    say "error: failed with exit code $status: $*"
  fi
  rm -f "$log"
  return "$status"
}

# packages_of GROUP...: the Debian packages of these groups.
packages_of() {
  local group
  for group in "$@"; do
    awk -v group="$group" '$1 == group {print $2}' scripts/apt-packages.txt
  done
}

# as_root COMMAND...: directly as root, else by sudo; sudo may ask once, and only at a terminal.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    sudo "$@"
  fi
}

# install_packages GROUP...: installs what is missing; does nothing, and needs no rights, when all is there.
install_packages() {
  local package missing=() apt
  command -v apt-get >/dev/null ||
    die "this script installs Debian packages and finds no apt-get here; install the counterparts of these yourself:
$(packages_of "$@" | paste -s -d ' ')
and build with: cmake --preset release && cmake --build --preset release"
  for package in $(packages_of "$@"); do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    if ! { [ -t 0 ] && [ -t 2 ] && command -v sudo >/dev/null && sudo -v; }; then
      die "installing packages needs root or sudo, and neither works here; ask an administrator to run:
apt-get install --no-install-recommends ${missing[*]}"
    fi
  fi
  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300)
  quietly "updating the package lists" as_root "${apt[@]}" update
  quietly "installing ${missing[*]}" as_root "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# configure PRESET [CMAKE ARGUMENT...]: configures build/PRESET, with ccache where it is found, else with sources of a
# target compiled together.
configure() {
  local preset=$1
  shift
  if command -v ccache >/dev/null; then
    set -- -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  else
    set -- -DRAILYARD_UNITY=ON "$@"
  fi
  if [ "${CI:-}" = true ]; then set -- "$@" -DRAILYARD_WERROR=ON; fi
  quietly "configuring build/$preset" cmake --preset "$preset" "$@"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  quietly "building ${*:-everything} in build/$preset" cmake --build "build/$preset" ${1:+--target "$@"}
}

# run_tests PRESET [CTEST ARGUMENT...]: CTest's closing lines and what failed; the names of passing tests are left out.
run_tests() {
  local preset=$1
  shift
  say "running the tests of build/$preset ..."
  ctest --test-dir "build/$preset" --parallel "$(nproc)" --output-on-failure --no-tests=error "$@" </dev/null |
    grep -Ev --line-buffered '^ *(Start +[0-9]+: |[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed )'
}
