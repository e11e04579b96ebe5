// What stands around the values of a plot: its ground, axes, levels, marks, labels and key.
#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/plot/chart_labels.h"
#include "app/widgets/plot/plot.h"
#include "app/widgets/plot/plot_key.h"
#include "app/widgets/plot/plot_scale.h"

namespace hydra {

std::string number_along(const PlotAxis& axis, double value);  // a number of it

class PlotFrame {
 public:
  PlotFrame(Canvas& canvas, const Plot& plot, const Box& box);

  const PlotScale& scale() const { return scale_; }
  float below_key() const;
  int key(const std::string& name) const;  // draws it; the series whose entry is under the pointer, or -1
  void behind(int pointed) const;          // the place that stands out in this plot; -1: none
  void before() const;

  // Of the values that have a place: how many, where, and whether the k-th is one.
  int count(const PlotSeries& series) const;
  ImVec2 at(const PlotSeries& series, int k) const;
  static bool is_there(const PlotSeries& series, int k);
  float x_of(int place) const;

 private:
  void ground(int pointed) const;
  float right_of_shaded() const;
  void shaded_label(float right) const;
  std::vector<LabelBox> covered() const;
  void titles() const;
  void level_line(double level) const;
  void dashed(const PlotLevel& level) const;
  void marks() const;
  void instead() const;
  void numbers() const;
  struct EndLabel {
    const std::string* text;
    ImU32 color;
    ImVec2 end;  // of what it names
    bool strong = false;
  };
  void labels() const;
  std::optional<ImVec2> end_of(const PlotSeries& series) const;
  float label_gap() const { return 1.5f * p_.unit; }  // between an end and its label
  void draw_labels(std::vector<EndLabel>& all, float left) const;

  Canvas& canvas_;
  const Plot& p_;
  const Box& box_;
  float high_;  // of text
  PlotKey key_;
  PlotScale scale_;
};

}  // namespace hydra
