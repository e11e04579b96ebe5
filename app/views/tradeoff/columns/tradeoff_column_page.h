// Columns side by side: a header, all patterns, and rows of aligned numbers over bars. What the pages of head counts
// and of shared keys are made of.
#pragma once
#include <optional>

#include "app/draw/nth.h"
#include "app/views/frame/look.h"
#include "app/views/tradeoff/tradeoff_parts.h"

namespace hydra::tradeoff {

// What a column says in a row, and the bar under it.
struct TableCell {
  std::string text, of;  // "5.1", "of 8"
  double part = 0;       // of the bar; NaN: there is no such number
  double mark = -1;      // a limit on the bar
  // On the bar, where it has them: what the number is over seeds, and what it is of independent heads.
  std::optional<std::pair<double, double>> seeds = {};
  std::optional<double> independent = {};
  std::vector<std::string> said = {};  // of a cell pointed at
};

struct Row {
  const char* key;
  std::string label;
  std::string below;  // small, under the label
  std::string tip;
  TableCell (*cell)(const Frame&, const SweepTable&, const SweepEntry&);
  std::vector<std::string> (*arithmetic)(const Frame&, const SweepEntry&) = nullptr;  // said of a cell pointed at
};

// Rows of both pages.
Row effective_row();
Row cosine_row();
Row divergence_row();
Row change_row();  // of the output

// The number with what it is over seeds. scale: what the part of the bar is the number times.
TableCell over_seeds(TableCell cell, const SweepTable& table, const SweepEntry& entry, SweptNumber number, double scale,
                     As style);

std::string of(Index count);                  // "of 8"
std::string or_none(double value, As style);  // "n/a" for what is not a number

class ColumnPage : protected Drawing {
 public:
  // captions: two small lines left of the headers. diagram: the height of what stands between header and patterns.
  ColumnPage(Frame& frame, const SweepTable& table, std::vector<Row> rows, std::pair<std::string, std::string> captions,
             float diagram = 0);
  ColumnPage(const ColumnPage&) = delete;
  ColumnPage& operator=(const ColumnPage&) = delete;
  virtual ~ColumnPage() = default;

  void draw(ImVec2 pos, ImVec2 size);       // scrolls where that is too low
  int pointed() const { return pointed_; }  // the column under the pointer; -1: none

 protected:
  virtual void header(std::size_t k, ImVec2 min, ImVec2 max) = 0;
  virtual void diagram(std::size_t, ImVec2 /*pos*/, ImVec2 /*size*/) {}
  virtual void diagram_labels(ImVec2 /*pos*/) {}
  // In the place of a bar; false: the bar.
  virtual bool picture(const Row&, const SweepEntry&, ImVec2 /*pos*/, float /*width*/, float /*height*/) {
    return false;
  }

  // Parts of a header, which is pressed as a whole: its button, then its words, a large count with the rest behind it
  // where that fits; words gives where they end.
  Canvas::Item press(std::size_t k, ImVec2 min, ImVec2 max, std::string_view words);
  float words(std::size_t k, ImVec2 min, ImVec2 max, const std::string& count, const std::string& rest,
              const std::string& below, ImU32 below_ink);

  const SweepEntry& entry(std::size_t k) const { return table_.entries[k]; }
  bool present(std::size_t k) const { return is_present(frame_, table_, entry(k)); }

  const SweepTable& table_;
  TradeoffLayout at_;

 private:
  float left(std::size_t k) const { return origin_.x + real(k) * (at_.column + at_.gap); }
  float row_top(std::size_t row) const { return at_.rows + real(row) * at_.row; }
  bool two_lines() const { return at_.row >= em_ + small_ + u_; }
  void draw_within(ImVec2 pos, ImVec2 size);
  TradeoffInput room_in(ImVec2 pos, ImVec2 size) const;
  void labels();
  void query();
  void ground(std::size_t k) const;
  void column(std::size_t k);
  void cell(std::size_t k, std::size_t number);
  void bar(const TableCell& cell, ImVec2 a, ImVec2 b, bool present) const;
  void bracket(float from, float to, float top, float bottom) const;
  void diamond(float x, float y) const;

  std::vector<Row> rows_;
  std::pair<std::string, std::string> captions_;
  float diagram_, label_ = 0;
  ImVec2 pos_, origin_;
  int pointed_ = -1;
};

}  // namespace hydra::tradeoff
