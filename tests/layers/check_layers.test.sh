#!/usr/bin/env bash
# check_layers.sh on trees made for it: each forbidden include is reported with its line, each allowed one is not.
set -euo pipefail
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# try EXPECTED FILE INCLUDE: in a tree of that one file, is the include refused / allowed?
try() {
  local expected=$1 file=$2 include=$3 output verdict=allowed
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{core,app,tests} "$tree/$(dirname "$file")"
  printf '// A file.\n#include %s\n' "$include" >"$tree/$file"
  output=$("$check" "$tree") || verdict=refused
  if [[ $verdict != "$expected" ]]; then
    echo "$file with #include $include is $verdict, expected $expected"
    failures=$((failures + 1))
  elif [[ $verdict == refused && $output != "$file:2: "* && $output != "$file:1: stands in"* ]]; then
    echo "$file with #include $include is refused without its place: $output"
    failures=$((failures + 1))
  fi
}

try allowed core/linalg/a.cpp '"core/linalg/types.h"'
try allowed core/linalg/a.cpp '<Eigen/Core>'
try allowed core/linalg/a.cpp '"core/error.h"'
try refused core/linalg/a.cpp '"core/text/tokenizer.h"'
try refused core/linalg/deeper/a.cpp '"core/text/tokenizer.h"'
try refused core/text/a.cpp '"core/attention/trace.h"'
try refused core/attention/a.h '"core/text/tokenizer.h"'
try refused core/attention/a.h '"core/analysis/links.h"'
try allowed core/analysis/a.h '"core/attention/trace.h"'
try refused core/analysis/a.h '"core/document/document.h"'
try allowed core/document/a.h '"core/analysis/links.h"'
try refused core/document/a.h '"app/app.h"'
try refused core/document/a.h '"embedded/assets.h"'
try refused core/document/a.h '<imgui.h>'
try refused core/document/a.h '<epoxy/gl.h>'
try refused core/document/a.h '<GLFW/glfw3.h>'
try refused core/error.h '"core/linalg/types.h"'
try refused core/novelty/a.h '<vector>'
try allowed app/gl/a.cpp '<epoxy/gl.h>'
try allowed app/gl/a.cpp '"app/widgets/heatmap.h"'
try refused app/gl/a.cpp '"app/widgets/format.h"'
try refused app/gl/a.cpp '"app/views/context.h"'
try allowed app/platform/a.cpp '<GLFW/glfw3.h>'
try refused app/platform/a.cpp '"app/widgets/heatmap.h"'
try allowed app/widgets/a.cpp '"app/platform/theme.h"'
try allowed app/widgets/a.cpp '<imgui.h>'
try refused app/widgets/a.cpp '"app/platform/window.h"'
try refused app/widgets/a.cpp '"app/views/context.h"'
try refused app/widgets/a.cpp '<backends/imgui_impl_opengl3.h>'
try allowed app/views/a.cpp '"core/analysis/links.h"'
try allowed app/views/a.cpp '"app/widgets/heatmap.h"'
try refused app/views/a.cpp '"app/app.h"'
try refused app/views/a.cpp '"app/gl/heatmap_renderer.h"'
try refused app/views/a.cpp '<GL/gl.h>'
try allowed app/frame.cpp '"app/views/views.h"'
try allowed app/frame.cpp '"app/app.h"'
try refused app/frame.cpp '"app/platform/window.h"'
try refused app/frame.cpp '"app/cli/commands.h"'
try refused app/frame.cpp '"app/window_main.h"'
try allowed app/window_main.cpp '"app/platform/window.h"'
try refused app/window_main.cpp '<epoxy/gl.h>'
try refused app/frame.cpp '<GLFW/glfw3.h>'
try allowed app/cli/render.cpp '"app/gl/framebuffer.h"'
try refused app/cli/render.cpp '<epoxy/gl.h>'
try allowed app/main.cpp '"app/platform/window.h"'
try refused app/main.cpp '<GLFW/glfw3.h>'
try refused app/novelty/a.cpp '<vector>'
try refused tests/core/a.tests.cpp '"app/app.h"'
try allowed tests/app/a.tests.cpp '"app/app.h"'
try refused core/linalg/a.cpp '"types.h"'
try refused core/linalg/a.cpp '"../text/tokenizer.h"'

# An empty tree must not pass for a clean one.
rm -rf "${tree:?}"/*
mkdir "$tree"/{core,app,tests}
if "$check" "$tree" 2>/dev/null; then
  echo "a tree without sources passes"
  failures=$((failures + 1))
fi
((failures == 0))
