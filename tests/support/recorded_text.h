// What was recorded, as text: a line for each mark, its group, place, kind, colours and words.
#pragma once
#include <cstdio>
#include <string>

#include "app/draw/recording.h"

namespace hydra::test {

inline std::string places(const Box& box) {
  char text[80];
  std::snprintf(text, sizeof text, "%.2f,%.2f %.2fx%.2f", static_cast<double>(box.pos.x),
                static_cast<double>(box.pos.y), static_cast<double>(box.size.x), static_cast<double>(box.size.y));
  return text;
}

inline std::string shown_color(ImU32 color) {
  char text[16];
  std::snprintf(text, sizeof text, "#%08x", color);
  return text;
}

struct InWords {
  std::string operator()(const Recording::Fill& f) const {
    return "fill " + shown_color(f.above) + " " + shown_color(f.below);
  }
  std::string operator()(const Recording::Outline& o) const { return "frame " + shown_color(o.color); }
  std::string operator()(const Recording::Path& p) const {
    return std::string(p.curved ? "curve " : "line ") + std::to_string(p.points.size()) + " " + shown_color(p.color);
  }
  std::string operator()(const Recording::Polygon& p) const { return "polygon " + shown_color(p.color); }
  std::string operator()(const Recording::Disc& d) const {
    return (d.thick > 0 ? "ring " : "disc ") + shown_color(d.color);
  }
  std::string operator()(const Recording::Words& w) const {
    return "text " + shown_color(w.ink) + " " + w.shown + (w.meant == w.shown ? "" : " (" + w.meant + ")");
  }
  std::string operator()(const Heatmap& h) const {
    std::string text = "cells " + std::to_string(h.rows) + "x" + std::to_string(h.cols);
    char number[40];
    for (Index row = 0; row < h.rows; ++row)
      for (Index col = 0; col < h.cols; ++col) {
        std::snprintf(number, sizeof number, " %.9g", static_cast<double>(h.value(row, col)));
        text += number;
      }
    return text;
  }
};

inline std::string text_of(const Recording& recording) {
  std::string text;
  for (const Recording::Mark& mark : recording.marks())
    text +=
        std::to_string(mark.group) + " " + places(extent(mark.what)) + " " + std::visit(InWords(), mark.what) + '\n';
  return text;
}

}  // namespace hydra::test
