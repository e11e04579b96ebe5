// How it is computed: the button that measures, with what and how far.
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

std::string sizes_text(const TimedSizes& sizes) {
  std::string text = "d_model " + std::to_string(sizes.d_model) + ", " + ui::counted(sizes.heads, "head");
  if (sizes.kv_heads != sizes.heads) text += ", " + ui::counted(sizes.kv_heads, "set") + " of keys and values";
  if (sizes.mask != Mask::Kind::none) text += sizes.mask == Mask::Kind::causal ? ", causal" : ", masked";
  return text;
}

}  // namespace

void draw_timing_bar(Frame& frame, const TradeoffArea& area, bool old) {
  const WaysShown& ways = frame.ways;
  const TimedWays* timed = ways.timed.get();
  ImGui::SetCursorScreenPos(area.pos);
  if (ways.measuring) {
    if (ui::button(frame, "tradeoff/timing/cancel", "Cancel",
                   "Ends the measurement; what it and the one before it found stays.", !ways.ending))
      frame.view.tradeoff.timing = TimingAsked::cancel;
  } else if (ui::button(frame, "tradeoff/timing/run",
                        timed ? "Measure again on this machine" : "Measure on this machine",
                        "Runs the three ways with this document's weights and random tokens, longer and longer, and "
                        "one token more with and without kept keys and values. On one thread, beside the window.")) {
    frame.view.tradeoff.timing = TimingAsked::start;
  }
  const float height = ImGui::GetFrameHeight(), x = ImGui::GetItemRectMax().x + 3 * frame.unit;
  const float width = area.pos.x + area.size.x - x;
  ImFont* small = frame.fonts.small;
  std::string text =
      std::string("On ") + (ways.threads == 1 ? "one thread" : std::to_string(ways.threads) + " threads");
  if (ways.measuring)
    text = ways.ending ? "Ending" : ways.now.empty() ? "Begins" : text + ": " + ways.now;
  else if (timed)
    text += ": " + sizes_text(timed->sizes) + (old ? " — not the document's sizes any more" : "") +
            (ways.cancelled ? timed->renewed ? "; ended early, the rest is from before" : "; ended before it was done"
                            : "");
  else
    text += ": " + sizes_text(timed_sizes(layer_of(frame).input));
  float y = area.pos.y + 0.5f * (height - small->FontSize);
  if (ways.measuring) y -= frame.unit;
  text_at(ImGui::GetWindowDrawList(), small, {x, y},
          old && !ways.measuring ? frame.theme.warning : frame.theme.ink_soft,
          clipped(small, spelled(frame, text), width));
  ui::probe("tradeoff/timing/sizes", {x, y}, {x + width, y + small->FontSize});
  if (!ways.measuring) return;
  const float high = std::max(2.0f, 0.75f * frame.unit), top = std::round(y + small->FontSize + frame.unit);
  ui::progress_bar(frame, "tradeoff/timing/progress", {x, top},
                   {std::min(width, 24 * frame.fonts.text->FontSize), high}, ways.progress);
}

}  // namespace hydra::tradeoff
