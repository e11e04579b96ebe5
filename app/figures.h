// Parts of views as figures of a book: named, as wide as they are asked for, their text at seven points where the
// view can be laid out so narrow, else smaller, nothing scrolled away, light, with nothing pointed at.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/draw/recording.h"
#include "app/draw/svg.h"

namespace hydra {

struct FigureChoice {
  const char *key = nullptr, *value = nullptr;  // act::Choose
};
struct FigureEntry {
  const char* name;   // "heads.pattern"; what the view draws in a part of that name (Canvas::open), or in part
  const char* title;  // a text
  ViewId view;
  const char* page = nullptr;   // of the view; null: whichever is open
  const char* part = nullptr;   // null: name
  float tall = 0.9f;            // how high the view is laid out for the width that is asked for
  float wide = 0;               // how wide the view is at least, in text sizes; 0: as in the window
  double from = 85;             // millimetres: at less width some of its text is under five points
  bool of_head = false;         // of the head in focus; others know of no focus
  FigureChoice choice = {};     // what is chosen on the page for it
  const char* needs = nullptr;  // what is missing where there is nothing to be drawn
};
std::span<const FigureEntry> all_figures();
// Throws InputError, which names the nearest ones.
const FigureEntry& figure_of(const std::string& name);

// Of a page of paper or of a screen, in millimetres.
inline constexpr double kLeastFigure = 40, kWidestFigure = 2000;
// "85mm", "8.5cm", "3.3in" or "240pt". Throws InputError.
double millimetres_of(const std::string& width);

// A figure as it was laid out: what is drawn of the recording, and the page that it is on.
struct Figure {
  Recording recording;
  std::vector<const Recording::Mark*> marks;  // of the recording
  SvgPage page;
};

// The figure of what the app shows: its focus and choices, but for the view and the page, which are the figure's.
// Throws InputError where there is nothing to be drawn: why.
Figure lay_out_figure(App& app, const FigureEntry& figure, double millimetres);

}  // namespace hydra
