// What the lines of the ladder do to the logits: their direct effects, and above them the logits that they add up to.
#pragma once
#include "app/views/frame/look.h"
#include "app/views/stream/stream_parts.h"
#include "core/analysis/stream/direct_effect.h"

namespace hydra {

// That the lines of the stream say which logits they raise and lower, not which features they write; null: they do not.
const DirectEffects* told_effects(const Frame& frame);
// Of the lines that are shown those whose effects add up to the logits: what counts, and what stands for heads that are
// not shown.
std::vector<StreamPlace> adding_up(const Stream& stream, const DirectEffects& effects,
                                   const std::vector<StreamPlace>& shown);
// What direct effects are, and how far they add up here: shorter from one to the next.
std::vector<std::string> effect_notes(const DirectEffects& effects);

class StreamReadout : Drawing {
 public:
  StreamReadout(Frame& frame, const StreamLayout& at, const std::vector<StreamPlace>& places);
  bool told() const { return effects_ != nullptr; }
  // Of the words' column, shorter from one to the next.
  std::vector<std::string> column_titles() const;
  // In the words' place of a line.
  void draw_words(const StreamPlace& place, const Box& box) const;
  // For the tooltip of a line.
  std::string sentence(const StreamPlace& place) const;
  // A line of what is read out, at its upper left corner. Probe names: stream/line/logits and stream/row/logits,
  // stream/line/shifts.
  void draw_line(const StreamPlace& place, ImVec2 pos) const;

 private:
  const DirectEffect& effect_of(const StreamPlace& place) const;
  DirectPaths::Part part_of(const StreamPlace& place) const;
  double on_chosen(const StreamPlace& place) const;
  std::string words_of(const StreamPlace& place, int most) const;
  void picture(const Box& box) const;

  const StreamLayout& at_;
  const Measured<StreamMeasure>& shown_;
  const DirectEffects* effects_;
  std::vector<StreamPlace> adding_up_;
  Index token_;
  Index first_ = 0;              // column of the question
  std::optional<Index> chosen_;  // the word whose logit or probability is selected
  RowVec<double> reader_;        // of it
  double largest_ = 0;           // effect on it, of these lines
};

}  // namespace hydra
