// `hydrascope render`: one frame of the real interface into a PNG, or a part of it as an SVG file, without a window.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/document_options.h"

namespace hydra {

struct RenderOptions : DocumentOptions {
  std::string out;                       // --out; "-": standard output
  std::optional<std::string> view;       // flow (the default), heads, mixing, stream, ...
  std::optional<std::string> size;       // in pixels, by default 1600x1000
  std::optional<std::string> theme;      // light (the default), dark
  std::optional<double> scale;           // of the text, as Ctrl + and -
  int layer = 1;                         // the one in focus, counted from 1 as on the screen
  std::optional<int> head;               // the focused one, counted from 1 as on the screen
  std::optional<std::string> select;     // "W_Q:3,4": a number, its row and column counted from 0 as on the screen
  std::optional<std::string> relation;   // outlined over the patterns: "coreference"
  std::optional<std::string> measure;    // of Likeness: "cka"
  std::optional<std::string> sentences;  // of Likeness and Roles: this, all (marked ones)
  std::optional<double> threshold;       // of Roles
  std::optional<std::string> figure;     // its name; none: the window
  std::string width;                     // of a figure: "85mm"
  bool list_figures = false;
  std::string page;  // of a view that has several; empty: its first
  int train = 0;     // seeds for the page of trained models, before it is drawn
  bool presentation = false;
  std::vector<std::string> actions;  // --do, performed one after the other before it is drawn
};

// Exit code 0. Throws InputError with the sentence for a bad option, document or file. The file is written whole or not
// at all, and the same options give the same bytes.
int run_render(const RenderOptions& options);

}  // namespace hydra
