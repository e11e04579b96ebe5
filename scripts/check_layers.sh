#!/usr/bin/env bash
# Checks that includes point one way: core <- app, and inside each from the bottom of the table below to its top.
# Usage: scripts/check_layers.sh [ROOT]    prints one line per violation; exit 1 when there is one
set -euo pipefail
export LC_ALL=C
cd "${1:-"$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."}"

# A folder (or a file with a rule of its own) | what of ours it may include | which graphics headers it may include.
# A rule holds for subfolders without a rule of their own; a rule ending in /* holds for the files of that folder alone.
rules='
core/*          | core/*                                                              |
core/linalg     | core/* core/linalg                                                  |
core/text       | core/* core/linalg core/text                                        |
core/attention  | core/* core/linalg core/attention                                   |
core/analysis   | core/* core/linalg core/text core/attention core/analysis           |
core/learning   | core/* core/linalg core/text core/attention core/analysis core/learning |
core/document   | core                                                                |
app/platform    | core app/platform app/gl/gl_api.h                                   | imgui gl
app/gl          | core app/platform app/gl app/widgets/heatmap.h app/widgets/color_map.h embedded  | imgui gl
app/widgets     | core app/platform/fonts.h app/platform/input.h app/platform/theme.h app/widgets embedded | imgui
app/views       | core app/platform/fonts.h app/platform/input.h app/platform/theme.h app/widgets app/views embedded | imgui
app/*           | core app/platform/fonts.h app/platform/input.h app/platform/theme.h app/widgets app/views app/app.h app/app_state.h app/evaluator.h embedded | imgui
app/window_main.cpp     | core app                                                    | imgui
app/offscreen_frame.h   | core app                                                    | imgui
app/offscreen_frame.cpp | core app                                                    | imgui
app/cli         | core app embedded                                                   | imgui
app/main.cpp    | core app embedded                                                   | imgui
tests/core      | core tests                                                          |
tests           | core app tests embedded                                             | imgui gl
'
# app/gl may include two headers of app/widgets: they declare what a heatmap is and the interface the renderer implements,
# and belong to those who draw heatmaps. app/*, the frame, knows no window: tests and render run it without one.
# Above it, window_main and offscreen_frame bring it together with a window, or with none.

mapfile -t files < <(find core app tests -name '*.h' -o -name '*.cpp' | sort)
((${#files[@]})) || { echo "check_layers: no sources under $PWD" >&2; exit 1; }

awk -v rules="$rules" '
function trim(text) { gsub(/^ +| +$/, "", text); return text }
function folder(path) { return path ~ /\// ? substr(path, 1, length(path) - length(last_part(path)) - 1) : "" }
function last_part(path,   parts, n) { n = split(path, parts, "/"); return parts[n] }

# The rule that a file falls under, or "".
function rule_of(path,   at) {
  if (path in ours) return path
  at = folder(path)
  if (at "/*" in ours) return at "/*"
  for (; at != ""; at = folder(at)) if (at in ours) return at
  return ""
}
# Whether path is meant by one of the entries: a file, a folder with all below it, or folder/* for its files alone.
function covered(path, entries,   list, n, i, entry) {
  n = split(entries, list, " ")
  for (i = 1; i <= n; i++) {
    entry = list[i]
    if (entry == path || index(path, entry "/") == 1) return 1
    if (entry ~ /\/\*$/ && entry == folder(path) "/*") return 1
  }
  return 0
}
function graphics_kind(header) {
  if (header ~ /^(epoxy|GL|GLES[23]?|KHR|EGL|GLFW|X11|backends)\// || header ~ /(^|\/)imgui_impl_/) return "gl"
  return header ~ /(^|\/)(imgui|imstb)[a-z_]*\.h$/ ? "imgui" : ""
}
function violation(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; violations++ }

BEGIN {
  n = split(rules, lines, "\n")
  for (i = 1; i <= n; i++) {
    if (split(lines[i], parts, "|") < 2) continue
    ours[trim(parts[1])] = trim(parts[2])
    graphics[trim(parts[1])] = trim(parts[3])
  }
}
FNR == 1 {
  files++
  rule = rule_of(FILENAME)
  if (rule == "") violation("stands in a folder that scripts/check_layers.sh has no rule for")
}
rule != "" && /^[ \t]*#[ \t]*include[ \t]*["<]/ {
  header = $0
  sub(/^[^"<]*["<]/, "", header)
  sub(/[">].*$/, "", header)
  kind = graphics_kind(header)
  if (header ~ /^(core|app|tests|embedded)\//) {
    if (!covered(header, ours[rule])) violation(rule " may not include " header)
  } else if (kind != "") {
    if (!covered(kind, graphics[rule])) violation(rule " may not include " header)
  } else if ($0 ~ /"/) {
    violation("write " header " from the root of the sources (core/..., app/...), or in <> when it is not ours")
  }
}
END {
  printf "check_layers: %d files, %d violations\n", files, violations
  exit violations > 0
}' "${files[@]}"
