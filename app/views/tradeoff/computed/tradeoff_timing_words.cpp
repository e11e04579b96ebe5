// How it is computed, around the charts: the button that measures, what the three ways do in the colours of their
// curves, and what was measured in sentences.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/computed/tradeoff_computed.h"
#include "app/views/tradeoff/tradeoff_view.h"

namespace hydra::tradeoff {

namespace {

std::string sizes_text(const TimedSizes& sizes) {
  std::string text = wording("tradeoff:timing.sizes", {{"d_model", sizes.d_model}, {"n", sizes.heads}});
  if (sizes.kv_heads != sizes.heads)
    text = wording("tradeoff:timing.sizes.sets", {{"sizes", text}, {"n", sizes.kv_heads}});
  if (sizes.mask == Mask::Kind::none) return text;
  return sizes.mask == Mask::Kind::causal ? wording("tradeoff:timing.sizes.causal", {{"sizes", text}})
                                          : wording("tradeoff:timing.sizes.masked", {{"sizes", text}});
}

}  // namespace

void draw_timing_bar(Frame& frame, const Box& area, bool old) {
  const Measured<WaysMeasure>& ways = frame.now.started<WaysMeasure>();
  const TimedWays* timed = timed_ways(frame);
  ImGui::SetCursorScreenPos(area.pos);
  if (ways.computing) {
    if (ui::button(frame, "tradeoff/timing/cancel", wording("tradeoff:timing.cancel"),
                   wording("tradeoff:timing.cancel.tip"), !ways.stopped))
      frame.out.act(act::StopWays{});
  } else if (ui::button(frame, "tradeoff/timing/run", wording(timed ? "tradeoff:timing.again" : "tradeoff:timing.run"),
                        wording("tradeoff:timing.run.tip"))) {
    frame.out.act(act::MeasureWays{timing_lengths(frame.view)});
  }
  const float height = ImGui::GetFrameHeight(), x = ImGui::GetItemRectMax().x + 3 * frame.unit;
  const float width = area.right() - x;
  ImFont* small = frame.fonts.small;
  std::string text;
  if (ways.computing) {
    text = ways.stopped ? wording("tradeoff:ending")
           : ways.older || !ways.value || ways.value->now.empty()
               ? wording("tradeoff:timing.begins")
               : wording("tradeoff:timing.thread", {{"what", ways.value->now}});
  } else {
    const TimedSizes sizes = timed ? timed->sizes : timed_sizes(layer_of(frame).input);
    text = wording("tradeoff:timing.thread", {{"what", sizes_text(sizes)}});
    if (timed && old) text = wording("tradeoff:timing.old", {{"measured", text}});
    if (timed && WaysMeasure::ended_early(ways))
      text = timed->renewed ? wording("tradeoff:timing.ended_renewed", {{"measured", text}})
                            : wording("tradeoff:timing.ended", {{"measured", text}});
  }
  float y = area.pos.y + 0.5f * (height - small->FontSize);
  if (ways.computing) y -= frame.unit;
  frame.canvas.text_at(small, {x, y}, old && !ways.computing ? frame.theme.warning : frame.theme.ink_soft,
                       spelled(frame, text), width);
  ui::probe("tradeoff/timing/sizes", {x, y}, {x + width, y + small->FontSize});
  if (!ways.computing) return;
  const float high = std::max(2.0f, 0.75f * frame.unit), top = std::round(y + small->FontSize + frame.unit);
  ui::progress_bar(frame, "tradeoff/timing/progress", {x, top},
                   {std::min(width, 24 * frame.fonts.text->FontSize), high}, ways.progress);
}

ImU32 way_color(const Theme& theme, Way way) {
  return way == Way::per_head ? theme.ink_soft : way == Way::combined ? theme.gold : theme.accent;
}

namespace {

struct KeyItem {
  const char* name;
  std::string label, text, whole, tip;  // whole: in the place of the text where all items fit into one line
  ImU32 color = 0;
  bool swatch = true;
};

std::vector<KeyItem> key_items(const Frame& frame) {
  const auto of = [&](Way way, const char* name, const std::string& text, const std::string& whole,
                      const std::string& tip) {
    return KeyItem{name,
                   wording("tradeoff:timing.key", {{"way", wording(entry_of(way).label)}}) + " ",
                   spelled(frame, text),
                   spelled(frame, whole),
                   spelled(frame, tip),
                   way_color(frame.theme, way)};
  };
  const TimedWays* timed = timed_ways(frame);
  const bool measured = timed && !timed->timings.ways.empty();
  const std::string apart = measured ? ui::number(timed->timings.largest_difference, As::order) : "";
  std::vector<KeyItem> items{
      of(Way::per_head, "loop", wording("tradeoff:timing.key.loop"), wording("tradeoff:timing.key.loop.whole"),
         wording("tradeoff:timing.key.loop.tip")),
      of(Way::combined, "combined", wording("tradeoff:timing.key.combined"),
         wording("tradeoff:timing.key.combined.whole"), wording("tradeoff:timing.key.combined.tip")),
      of(Way::tiled, "tiles", wording("tradeoff:timing.key.tiles"), wording("tradeoff:timing.key.tiles"),
         wording("tradeoff:timing.key.tiles.tip"))};
  const LayerSettings& settings = layer_of(frame).input.settings;
  if (std::ranges::any_of(ways(), [&](const WayEntry& entry) { return *why_not(entry.way, settings) != 0; }))
    return items;
  const std::string& all = wording("tradeoff:timing.key.all");
  const ImU32 ink = frame.theme.ink;
  if (measured)
    items.push_back({"same", all, wording("tradeoff:timing.key.within", {{"apart", apart}}),
                     wording("tradeoff:timing.key.within.whole", {{"apart", apart}}),
                     wording("tradeoff:timing.key.within.tip", {{"apart", apart}}), ink, false});
  else
    items.push_back({"same", all, wording("tradeoff:timing.key.same"), wording("tradeoff:timing.key.same"),
                     wording("tradeoff:timing.key.same.tip"), ink, false});
  return items;
}

// One after the other, as many in a line as fit whole.
template <class Place>
float flow(const Frame& frame, float width, const Place& place) {
  ImFont* font = frame.fonts.small;
  const float line = std::round(1.35f * font->FontSize), swatch = 4 * frame.unit;
  const float gap = 3.5f * frame.unit;
  const auto width_of = [&](const KeyItem& item, const std::string& text) {
    return (item.swatch ? swatch : 0) + text_width(font, item.label + " " + text);
  };
  std::vector<KeyItem> items = key_items(frame);
  float all = -gap;
  for (const KeyItem& item : items) all += width_of(item, item.whole) + gap;
  float x = 0, y = 0;
  for (KeyItem& item : items) {
    if (all <= width) item.text = item.whole;
    const float wide = width_of(item, item.text);
    if (x > 0 && x + wide > width) x = 0, y += line;
    place(item, ImVec2(x, y), wide);
    x += wide + gap;
  }
  return y + line;
}

}  // namespace

float ways_key_height(const Frame& frame, float width) {
  return flow(frame, width, [](const KeyItem&, ImVec2, float) {});
}

void draw_ways_key(const Frame& frame, ImVec2 pos, float width) {
  ImFont* font = frame.fonts.small;
  flow(frame, width, [&](const KeyItem& item, ImVec2 offset, float wide) {
    float x = pos.x + offset.x;
    const float y = pos.y + offset.y, middle = std::round(y + 0.55f * font->FontSize);
    ui::probe({"tradeoff/timing/key/", item.name}, {x, y}, {x + wide, y + font->FontSize});
    if (item.swatch) {
      frame.canvas.fill({x, middle - 0.5f * frame.unit}, {x + 3 * frame.unit, middle + 0.5f * frame.unit}, item.color);
      x += 4 * frame.unit;
    }
    if (frame.canvas.over({x, y}, {pos.x + offset.x + wide, y + font->FontSize})) ui::tooltip(frame, {item.tip});
    const std::string label = item.label + (item.swatch ? "" : " ");
    frame.canvas.text_at(font, {x, y}, frame.theme.ink, label);
    x += text_width(font, label);
    frame.canvas.text_at(font, {x, y}, frame.theme.ink_soft, item.text, pos.x + width - x);
  });
}

namespace {

std::string times_text(double ratio) {
  return ratio < 9.995 ? ui::number(ratio, As::brief) : ui::number(ratio, ratio < 99.5 ? As::rough : As::value);
}

class TimingWords : Drawing {
 public:
  TimingWords(Frame& frame, const Box& area, bool old)
      : Drawing(frame), timed_(timed_ways(frame)), area_(area), pos_(area.pos), old_(old) {}

  void ways_words() {
    const Index n = longest({Way::per_head, Way::combined, Way::tiled});
    if (n > 0) {
      main(wording(
          "tradeoff:timing.times",
          {{"n", n}, {"combined", times_text(ratio(Way::combined, n))}, {"tiles", times_text(ratio(Way::tiled, n))}}));
      main(wording("tradeoff:timing.bytes", {{"loop", bytes_of(Way::per_head, n)},
                                             {"combined", bytes_of(Way::combined, n)},
                                             {"tiles", bytes_of(Way::tiled, n)}}));
    } else if (!refused().empty()) {
      main(refused());
    } else {
      main(wording("tradeoff:timing.three"));
    }
    left_out();
    soft(wording("tradeoff:timing.gpu"));
    // Seen in the system's share of its time, which the others do not have.
    if (n > 0 && ratio(Way::combined, n) > 1.05) soft(wording("tradeoff:timing.costs_more"));
    if (n > 0 && timed_->sizes.mask == Mask::Kind::causal) soft(wording("tradeoff:timing.causal"));
    ui::probe("tradeoff/timing/words", area_.pos, {area_.right(), pos_.y});
  }

  void step_words() {
    if (timed_ && !timed_->timings.steps.empty()) {
      const StepTiming& last = timed_->timings.steps.back();
      main(wording("tradeoff:timing.step", {{"n", last.n},
                                            {"kept", time_text(last.kept_milliseconds)},
                                            {"anew", time_text(last.anew_milliseconds)},
                                            {"times", times_text(last.anew_milliseconds / last.kept_milliseconds)}}));
      const auto bytes = static_cast<double>(last.kept_bytes);
      main(wording("tradeoff:timing.step.bytes",
                   {{"bytes", bytes_text(bytes)}, {"each", bytes_text(bytes / static_cast<double>(last.n))}}));
    } else {
      main(wording("tradeoff:timing.step.when"));
    }
    soft(wording("tradeoff:timing.step.reads"));
    ui::probe("tradeoff/timing/step_words", area_.pos, {area_.right(), pos_.y});
  }

 private:
  void add(ImFont* font, ImU32 color, const std::string& text) {
    if (pos_.y + paragraph_height(frame_, font, area_.size.x, text) > area_.bottom()) return;  // whole or not at all
    pos_.y += paragraph(frame_, font, pos_, area_.size.x, color, text) + 1.5f * u_;
  }
  void main(const std::string& text) { add(fonts_.text, old_ ? theme_.ink_soft : theme_.ink, text); }
  void soft(const std::string& text) { add(fonts_.small, theme_.ink_soft, text); }

  // Why some ways are not there; empty where all are.
  std::string refused() const {
    std::string text;
    for (const WayEntry& entry : ways())
      if (const char* why = why_not(entry.way, layer_of(frame_).input.settings); *why != 0)
        text += (text.empty() ? "" : " ") +
                wording("tradeoff:timing.refused", {{"way", wording(entry.title)}, {"why", wording(why)}});
    return text;
  }

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
    soft(wording("tradeoff:timing.left_out",
                 {{"way", wording(entry_of(way).title)}, {"lengths", at}, {"bytes", bytes_text(least)}}));
  }

  const TimedWays* timed_;
  Box area_;
  ImVec2 pos_;  // where the next sentence begins
  bool old_;
};

}  // namespace

std::string time_text(double milliseconds) {
  if (milliseconds < 0.9995) return ui::number(1000 * milliseconds) + " µs";
  if (milliseconds < 999.5) return ui::number(milliseconds) + " ms";
  return ui::number(milliseconds / 1000) + " s";
}

void draw_timing_words(Frame& frame, const Box& ways, const Box& steps, bool old) {
  TimingWords(frame, ways, old).ways_words();
  TimingWords(frame, steps, old).step_words();
}

}  // namespace hydra::tradeoff
