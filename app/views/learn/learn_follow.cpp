// What is followed over the steps: an offset, or a number of a pattern, chosen beside the chart.
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

constexpr int kMostAway = static_cast<int>(learn::kMostPlaces);

// "“sun”", or of a word that comes more than once "“sun” (word 9)".
std::string word_at(const std::vector<std::string>& tokens, Index place) {
  if (place < 0 || place >= std::ssize(tokens)) return "";
  const std::string& word = nth(tokens, place);
  const bool once = std::ranges::count(tokens, word) == 1;
  return once ? wording("learn:follow.word", {{"word", word}})
              : wording("learn:follow.word_at", {{"word", word}, {"place", place + 1}});
}

// The selected number, where it is one of a pattern.
std::optional<learn::Followed> selected_cell(const Frame& frame) {
  const std::optional<Cell>& cell = frame.view.selection;
  if (!cell || cell->site.quantity != Quantity::attention) return std::nullopt;
  return learn::Followed{learn::Followed::What::cell, 0, frame.trace.tokens, cell->row, cell->col};
}

}  // namespace

std::string name_of(const learn::Followed& followed) {
  if (followed.what == learn::Followed::What::cell)
    return wording("learn:follow.cell", {{"query", word_at(followed.tokens, followed.row)},
                                         {"key", word_at(followed.tokens, followed.col)}});
  const int offset = followed.offset;
  if (offset == 0) return wording("learn:follow.itself");
  return offset < 0 ? wording("learn:follow.back", {{"n", -offset}}) : wording("learn:follow.on", {{"n", offset}});
}

void follow_selected(Frame& frame) {
  const std::optional<learn::Followed> cell = selected_cell(frame);
  if (!cell) return;
  const LearnState& state = frame.view.learn;
  frame.choose(state.followed, *cell);
  frame.choose(state.page, LearnPage::run);
  frame.choose(state.chart, LearnChart::followed);
  frame.choose(frame.view.view, ViewId::learn);
  frame.out.act(act::Unselect{});  // arrows are of the steps now
}

void draw_follow_choice(Frame& frame) {
  const learn::Followed& followed = frame.view.learn.followed;
  using What = learn::Followed::What;
  ui::Chips chips(frame, true);
  for (const int offset : {-1, 0, 1}) {
    const learn::Followed one{What::offset, offset, {}, 0, 0};
    if (chips.picked("learn/follow/" + std::to_string(offset), name_of(one), followed == one,
                     wording("learn:follow.offset.tip")))
      frame.choose(followed, one);
  }
  ImGui::SameLine(0, 2 * frame.unit);
  int offset = followed.what == What::offset ? followed.offset : 0;
  ImGui::SetNextItemWidth(6 * ImGui::GetFontSize());
  if (ImGui::InputInt("##offset", &offset, 1, 0))
    frame.choose(followed, {What::offset, std::clamp(offset, -kMostAway, kMostAway), {}, 0, 0});
  ui::probe("learn/follow/offset");
  ui::tip(frame, wording("learn:follow.distance.tip"));
  const std::optional<learn::Followed> cell = selected_cell(frame);
  if (cell || followed.what == What::cell) {
    const learn::Followed& shown = cell ? *cell : followed;
    ui::Chips more(frame, true);
    if (more.picked("learn/follow/cell", name_of(shown), followed == shown, wording("learn:follow.cell.tip")))
      frame.choose(followed, shown);
  }
}

}  // namespace hydra
