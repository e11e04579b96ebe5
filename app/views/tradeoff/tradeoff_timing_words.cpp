// How it is computed: what was measured, in sentences.
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

std::string times_text(double ratio) {
  return ratio < 9.995 ? ui::fixed(ratio, 2) : ui::number(ratio, ratio < 99.5 ? 2 : 3);
}

class TimingWords {
 public:
  TimingWords(const Frame& frame, const TradeoffArea& area, bool old)
      : frame_(frame), timed_(frame.ways.timed.get()), area_(area), pos_(area.pos), old_(old) {}

  void ways_words() {
    const Index n = longest({Way::per_head, Way::combined, Way::tiled});
    if (n > 0) {
      main("At n = " + std::to_string(n) + " combined takes " + times_text(ratio(Way::combined, n)) +
           " times as long as the loop here, tiles " + times_text(ratio(Way::tiled, n)) + " times.");
      main("Memory: loop " + bytes_of(Way::per_head, n) + ", combined " + bytes_of(Way::combined, n) + ", tiles " +
           bytes_of(Way::tiled, n) + ".");
    } else {
      main("Three ways to the same Y. Measure them to see what each takes on this machine, in time and in memory.");
    }
    left_out();
    soft(
        "On a GPU combined gains over the loop, as one large product keeps its lanes busy, and tiles gain over both, "
        "as they never write n × n to memory (Dao et al. 2022).");
    // Seen in the system's share of its time, which the others do not have.
    if (n > 0 && ratio(Way::combined, n) > 1.05) soft("Here memory for all patterns costs combined more.");
    if (n > 0 && timed_->sizes.mask == Mask::Kind::causal)
      soft("Under the causal mask the tiles skip what lies above the diagonal; the other two compute and hide it.");
    ui::probe("tradeoff/timing/words", area_.pos, {area_.pos.x + area_.size.x, pos_.y});
  }

  void step_words() {
    if (timed_ && !timed_->timings.steps.empty()) {
      const StepTiming& last = timed_->timings.steps.back();
      main("Token " + std::to_string(last.n) + ": " + time_text(last.kept_milliseconds) +
           " with keys and values kept, " + time_text(last.anew_milliseconds) + " anew, " +
           times_text(last.anew_milliseconds / last.kept_milliseconds) + " times as long.");
      main("For that " + bytes_text(static_cast<double>(last.kept_bytes)) + " are kept, " +
           bytes_text(static_cast<double>(last.kept_bytes) / static_cast<double>(last.n)) + " per token in fp32.");
    } else {
      main(
          "When a model writes, the keys and values of earlier tokens never change: it keeps them, and one "
          "token more costs n, not n².");
    }
    soft(
        "A step reads all that is kept: on long texts the memory that K and V take is what limits it, and why "
        "heads share them (multi-query, Shazeer 2019; grouped-query, Ainslie et al. 2023).");
    ui::probe("tradeoff/timing/step_words", area_.pos, {area_.pos.x + area_.size.x, pos_.y});
  }

 private:
  void add(ImFont* font, ImU32 color, const std::string& text) {
    if (pos_.y + paragraph_height(frame_, font, area_.size.x, text) > area_.pos.y + area_.size.y)
      return;  // whole or not at all
    pos_.y += paragraph(frame_, font, pos_, area_.size.x, color, text) + 1.5f * frame_.unit;
  }
  void main(const std::string& text) { add(frame_.fonts.text, old_ ? frame_.theme.ink_soft : frame_.theme.ink, text); }
  void soft(const std::string& text) { add(frame_.fonts.small, frame_.theme.ink_soft, text); }

  // The longest at which all of them were measured; 0: none.
  Index longest(std::initializer_list<Way> wanted) const {
    Index found = 0;
    if (!timed_) return found;
    for (const Index n : timed_->lengths)
      if (std::all_of(wanted.begin(), wanted.end(), [&](Way way) { return timing_of(timed_->timings, way, n); }))
        found = n;
    return found;
  }
  // Its time over that of the loop.
  double ratio(Way way, Index n) const {
    return timing_of(timed_->timings, way, n)->milliseconds /
           timing_of(timed_->timings, Way::per_head, n)->milliseconds;
  }
  std::string bytes_of(Way way, Index n) const {
    return bytes_text(static_cast<double>(timing_of(timed_->timings, way, n)->peak_bytes));
  }

  void left_out() {
    if (!timed_ || timed_->timings.left_out.empty()) return;
    std::string at;
    double least = std::numeric_limits<double>::infinity();
    const Way way = timed_->timings.left_out.front().way;
    for (const LeftOut& left : timed_->timings.left_out)
      if (left.way == way) {
        at += (at.empty() ? "" : ", ") + std::to_string(left.n);
        least = std::min(least, static_cast<double>(left.bytes));
      }
    soft(std::string(entry_of(way).title) + " is left out at n = " + at + ": it would take " + bytes_text(least) +
         " and more.");
  }

  const Frame& frame_;
  const TimedWays* timed_;
  TradeoffArea area_;
  ImVec2 pos_;  // where the next sentence begins
  bool old_;
};

}  // namespace

std::string time_text(double milliseconds) {
  if (milliseconds < 0.9995) return ui::number(1000 * milliseconds) + " µs";
  if (milliseconds < 999.5) return ui::number(milliseconds) + " ms";
  return ui::number(milliseconds / 1000) + " s";
}

void draw_timing_words(const Frame& frame, const TradeoffArea& ways, const TradeoffArea& steps, bool old) {
  TimingWords(frame, ways, old).ways_words();
  TimingWords(frame, steps, old).step_words();
}

}  // namespace hydra::tradeoff
