// How it is computed: time and memory of three ways on this machine, and of one token more with and without kept keys
// and values.
#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/computed/tiles_motion.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_layout.h"
#include "app/views/tradeoff/tradeoff_view.h"

namespace hydra::tradeoff {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of a power of ten: on the axis.
std::string time_mark(double milliseconds) {
  if (milliseconds < 0.99) return ui::number(std::round(1000 * milliseconds), As::axis) + " µs";
  if (milliseconds < 999) return ui::number(std::round(milliseconds), As::axis) + " ms";
  return ui::number(std::round(milliseconds / 1000), As::axis) + " s";
}
// Of a power of four.
std::string bytes_mark(double bytes) {
  constexpr const char* kNames[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  int k = 0;
  for (; bytes >= 1023.5 && k < 4; ++k) bytes /= 1024;
  return ui::number(std::round(bytes), As::axis) + kNames[k];
}
// The half power of base at or below value (up: at or above it): ranges that do not move with every point.
double half_power(double base, double value, bool up) {
  const double power = 2 * std::log(value) / std::log(base);
  return std::pow(base, 0.5 * (up ? std::ceil(power - 1e-9) : std::floor(power + 1e-9)));
}

struct Curve {
  std::vector<double> values;  // by length
  ImU32 color;
  std::string label;
};

class TimingPage : Drawing {
 public:
  TimingPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        at_(timing_layout(pos, size, em_, frame.unit, ways_key_height(frame, size.x))),
        timed_(timed_ways(frame)),
        lengths_(timed_ ? timed_->lengths : timing_lengths(frame.view)) {
    const LayerTrace<float>& layer = layer_of(frame);
    old_ = timed_ && timed_->sizes != timed_sizes(layer.input);
    if (!timed_) return;
    for (std::size_t k = 0; k < timed_->lengths.size(); ++k)
      if (timed_->lengths[k] == frame.was.length) pointed_ = static_cast<int>(k);
  }

  float draw() {
    draw_timing_bar(frame_, at_.bar, old_);
    draw_ways_key(frame_, at_.key.pos, at_.key.size.x);
    ways_charts();
    step_charts();
    draw_timing_words(frame_, at_.words, at_.step_words, old_);
    frame_.next.length = next_ >= 0 ? nth(lengths_, next_) : 0;
    return at_.bottom;
  }

 private:
  ImU32 shown(ImU32 color) const { return old_ ? with_alpha(color, 95) : color; }

  // --- charts

  void chart(const char* name, const Box& area, const std::string& heading, const std::string& below,
             const std::string& tip, const std::vector<Curve>& curves, bool bytes) {
    auto plot = styled<Plot>(frame_);
    for (const Index n : lengths_) plot.places.push_back(static_cast<double>(n));
    plot.x.logarithmic = true;
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const Curve& curve : curves) {
      for (const double value : curve.values)
        if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
      plot.series.push_back({curve.values, shown(curve.color), PlotSeries::Kind::line, say(curve.label)});
    }
    const bool any = high > 0;
    if (!any) low = bytes ? 16 * 1024 : 0.01, high = bytes ? 16 * 1024 * 1024 : 100;
    plot.y = {.logarithmic = true, .base = bytes ? 4.0 : 10.0, .zero = true};
    plot.y.low = half_power(plot.y.base, low, false);
    plot.y.high = std::max(half_power(plot.y.base, high, true), plot.y.low * plot.y.base * plot.y.base);
    plot.y.say = [this, bytes](double value) { return bytes ? bytes_mark(value) : say(time_mark(value)); };
    plot.pointed = pointed_;
    if (!any)
      plot.instead = wording(frame_.now.started<WaysMeasure>().computing ? "tradeoff:timing.being_measured"
                                                                         : "tradeoff:timing.not_yet");
    const PlotResult hit = plotted(frame_, name, {heading, below, tip}, area, std::move(plot));
    if (hit.place < 0) return;
    next_ = hit.place;
    readings(curves, bytes);
  }

  void readings(const std::vector<Curve>& curves, bool bytes) const {
    std::vector<std::string> lines{wording("tradeoff:timing.tokens", {{"n", nth(lengths_, next_)}})};
    for (const Curve& curve : curves) {
      const double value = nth(curve.values, next_);
      const std::string reading = !std::isfinite(value) ? wording("tradeoff:timing.not_measured")
                                  : bytes               ? bytes_text(value)
                                                        : time_text(value);
      lines.push_back(say(wording("tradeoff:timing.reading", {{"curve", curve.label}, {"reading", reading}})));
    }
    ui::tooltip(frame_, lines);
  }

  template <class Value>
  Curve curve_of(Way way, const Value& value) const {
    Curve curve{{}, way_color(theme_, way), wording(entry_of(way).label)};
    for (const Index n : lengths_) {
      const WayTiming* timing = timed_ ? timing_of(timed_->timings, way, n) : nullptr;
      curve.values.push_back(timing ? static_cast<double>(value(*timing)) : kNone);
    }
    return curve;
  }
  template <class Value>
  std::vector<Curve> of_ways(const Value& value) const {
    return {curve_of(Way::per_head, value), curve_of(Way::combined, value), curve_of(Way::tiled, value)};
  }
  template <class Value>
  Curve of_steps(ImU32 color, const std::string& label, const Value& value) const {
    Curve curve{{}, color, label};
    for (const Index n : lengths_) {
      double found = kNone;
      for (std::size_t k = 0; timed_ && k < timed_->timings.steps.size(); ++k)
        if (timed_->timings.steps[k].n == n) found = static_cast<double>(value(timed_->timings.steps[k]));
      curve.values.push_back(found);
    }
    return curve;
  }

  void ways_charts() {
    chart("tradeoff/timing/time", at_.time, wording("tradeoff:timing.time"), wording("tradeoff:timing.time.below"),
          wording("tradeoff:timing.time.tip"), of_ways([](const WayTiming& t) { return t.milliseconds; }), false);
    const std::string tile =
        bytes_text(static_cast<double>(kTileQueries * kTileKeys * static_cast<Index>(sizeof(float))));
    std::string counted = wording("tradeoff:timing.memory.below", {{"tile", tile}});
    if (text_width(fonts_.small, counted) > at_.memory.size.x)
      counted = at_.memory.size.y > 12 * em_ ? wording("tradeoff:timing.memory.below_lines", {{"tile", tile}})
                                             : wording("tradeoff:timing.memory.below_short", {{"tile", tile}});
    chart("tradeoff/timing/memory", at_.memory, wording("tradeoff:timing.memory"), counted,
          wording("tradeoff:timing.memory.tip", {{"tile", tile}}),
          of_ways([](const WayTiming& t) { return t.peak_bytes; }), true);
  }
  void step_charts() {
    chart("tradeoff/timing/step_time", at_.step_time, wording("tradeoff:timing.step_time"),
          wording("tradeoff:timing.step_time.below"), wording("tradeoff:timing.step_time.tip"),
          {of_steps(theme_.link_affected, wording("tradeoff:timing.anew"),
                    [](const StepTiming& s) { return s.anew_milliseconds; }),
           of_steps(theme_.ink, wording("tradeoff:timing.kept"),
                    [](const StepTiming& s) { return s.kept_milliseconds; })},
          false);
    chart("tradeoff/timing/step_memory", at_.step_memory, wording("tradeoff:timing.step_memory"),
          wording("tradeoff:timing.step_memory.below"), wording("tradeoff:timing.step_memory.tip"),
          {of_steps(theme_.link_affected, wording("tradeoff:timing.anew"),
                    [](const StepTiming& s) { return s.anew_bytes; }),
           of_steps(theme_.ink, wording("tradeoff:timing.kept"), [](const StepTiming& s) { return s.kept_bytes; })},
          true);
  }

  TimingLayout at_;
  const TimedWays* timed_;
  std::vector<Index> lengths_;
  bool old_ = false;              // measured with other sizes than the document's
  int pointed_ = -1, next_ = -1;  // lengths: pointed at in the last frame, in this one
};

}  // namespace

void draw_timing(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.timing");
  // Scrolls where the room is lower than what can be read.
  const float em = frame.fonts.text->FontSize;
  const bool low = timing_height(size.x, em, frame.unit, ways_key_height(frame, size.x)) > size.y + 1;
  ui::room(frame.canvas, "tradeoff/timing", pos, size, low, [&](ImVec2 corner) {
    const float width = ImGui::GetContentRegionAvail().x - (low ? 2 * frame.unit : 0);
    const float bottom = TimingPage(frame, corner, {width, size.y}).draw();
    return std::max(1.0f, low ? bottom - corner.y : size.y);
  });
}

void draw_computed(Frame& frame, ImVec2 pos, ImVec2 size) {
  const ComputedPart part = frame.view.tradeoff.part;
  if (part == ComputedPart::tiles) return draw_tiles(frame, pos, size);
  frame.hands.of<TilesMotion>().playing = false;
  if (part == ComputedPart::product) return draw_product(frame, pos, size);
  draw_timing(frame, pos, size);
}

}  // namespace hydra::tradeoff

namespace hydra {

std::vector<Index> timing_lengths(const ViewState& view) {
  if (!view.tradeoff.lengths.empty()) return view.tradeoff.lengths;
  return {64, 128, 256, 512, 1024, 2048, 4096};
}

}  // namespace hydra
