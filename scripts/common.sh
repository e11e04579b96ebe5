# Sourced by the other scripts: where the sources are, how to speak, how to configure and build a preset.
# shellcheck shell=bash
set -euo pipefail
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# On standard error, so that scripts/run trace | ... carries nothing but the trace.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: what COMMAND says goes to LOG, and to the screen as well when it fails.
quietly() {
  local log=$1
  shift
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    fail "failed: $* (also in $log)"
  fi
}

# Everything that a configuration depends on and that ninja does not watch itself. The package database is one of them: a
# library installed since may be one that was missing.
configuration_key() {
  printf '%s\n' "$root" "$*" "$(cksum <"$root/CMakePresets.json")"
  if [[ -e /var/lib/dpkg/status ]]; then stat -c %Y /var/lib/dpkg/status; fi
}

# configure PRESET: only when its build directory is missing or something it depends on has changed.
configure() {
  local preset=$1 build=$root/build/$1 fresh=()
  local options=("-DHYDRA_WARNINGS_AS_ERRORS=${HYDRA_WARNINGS_AS_ERRORS:-OFF}")
  local key
  key=$(configuration_key "$preset" "${options[@]}")
  if [[ -e $build/build.ninja && -e $build/configured && $key == "$(<"$build/configured")" ]]; then return; fi
  say "configuring build/$preset"
  mkdir -p "$build"
  # A build directory that was moved with its clone still names the old place.
  if [[ -e $build/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  rm -f "$build/configured"
  (cd "$root" && quietly "$build/configure.log" cmake --preset "$preset" "${fresh[@]}" "${options[@]}")
  grep '^-- Hydrascope' "$build/configure.log" | cut -c4- >&2 || true
  printf '%s\n' "$key" >"$build/configured"
}

# build PRESET [TARGET]: silent when nothing is to be done, one moving line on a terminal, a log elsewhere.
build() {
  local preset=$1 target=${2:-all} build=$root/build/$1
  if [[ $(ninja -C "$build" -n "$target" 2>/dev/null) == *'no work to do'* ]]; then return; fi
  say "building $target in build/$preset (the first time takes some minutes)"
  cd "$root"
  if [[ -t 2 ]]; then
    cmake --build --preset "$preset" --target "$target" >&2 || fail "the build failed, see above"
  else
    quietly "$build/build.log" cmake --build --preset "$preset" --target "$target"
  fi
  cd - >/dev/null
}
