#!/usr/bin/env bash
# install.test.sh CMAKE BUILD SOURCE: installs into a new prefix (with a space in it) and uses what is there as a stranger
# would: from another directory, without a home, without the build's environment.
set -euo pipefail
cmake=$1 build=$2 source=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix="$place/a prefix"
"$cmake" --install "$build" --prefix "$prefix" >"$place/install.log"
cd "$place"

fail() {
  echo "install: $*"
  exit 1
}
# The sanitizers' options are the one thing of the environment that is kept.
hydrascope() {
  env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 ${ASAN_OPTIONS+"ASAN_OPTIONS=$ASAN_OPTIONS"} \
    ${LSAN_OPTIONS+"LSAN_OPTIONS=$LSAN_OPTIONS"} ${UBSAN_OPTIONS+"UBSAN_OPTIONS=$UBSAN_OPTIONS"} \
    "$prefix/bin/hydrascope" "$@"
}

# Every file is there, and the desktop entry names the program and the icon that are.
desktop=$prefix/share/applications/hydrascope.desktop
manual=$prefix/share/man/man1/hydrascope.1
for file in "$desktop" "$manual" "$prefix/share/icons/hicolor/scalable/apps/hydrascope.svg"; do
  [[ -s $file ]] || fail "$file is missing"
done
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$desktop" || fail "the desktop entry is wrong"; fi
exec_name=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$desktop")
icon_name=$(sed -n 's/^Icon=//p' "$desktop")
[[ -x $prefix/bin/$exec_name ]] || fail "the desktop entry starts $exec_name, which is not there"
[[ -s $prefix/share/icons/hicolor/scalable/apps/$icon_name.svg ]] || fail "there is no icon $icon_name"

# The program says its version, traces its own example and every installed one.
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
[[ $(hydrascope --version) == *"$version"* ]] || fail "--version does not say $version"
grep -qF "Hydrascope $version" "$manual" || fail "the manual is not of version $version"
hydrascope trace --out own.json || fail "trace fails"
grep -q '"tokens"' own.json && grep -q '"didn' own.json || fail "trace does not start from the opening sentence"
examples=0
for document in "$prefix"/share/hydrascope/documents/*.json; do
  hydrascope trace "$document" --out example.json || fail "trace $document fails"
  examples=$((examples + 1))
done
((examples > 0)) || fail "no example documents are installed"

# The shaders and the examples are in the program: it draws, and no path of the source tree is left in an optimised one.
hydrascope render --out frame.png || fail "render fails"
[[ $(head -c 8 frame.png | od -An -tx1 | tr -d ' \n') == 89504e470d0a1a0a ]] || fail "render wrote no PNG"
if grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release$' "$build/CMakeCache.txt" && grep -qF "$source" "$prefix/bin/hydrascope"; then
  fail "the program names the source tree $source"
fi

# The manual and --help name the same options.
options() { grep -oE -- '--[a-z][a-z-]+' | sort -u; }
for command in "" trace render; do hydrascope ${command:+"$command"} --help; done | options >help.txt
sed 's/\\-/-/g' "$manual" | options >manual.txt
diff help.txt manual.txt || fail "the options of --help (<) and of the manual (>) differ"
