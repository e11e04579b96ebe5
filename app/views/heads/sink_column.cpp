#include "app/views/heads/sink_column.h"

#include "app/views/frame/ui.h"
#include "app/views/heads/heads_grid.h"
#include "core/analysis/shares.h"

namespace hydra {

const std::vector<double>& sink_shares_of(Frame& frame) {
  const ViewState& view = frame.view;
  SinkColumn& kept = frame.made.of<SinkColumn>();
  const LayerTrace<float>& layer = frame.trace.layer(view.layer);
  std::vector<int> heads;
  for (int h = 0; h < int_size(layer.heads); ++h)
    if (view.average ? is_chosen(view, h) : h == view.focused_head) heads.push_back(h);
  Key key("sinks");
  for (const int h : heads) key << nth(layer.heads, h).attention.stamp();
  if (kept.of == key.stamp()) return kept.shares;
  kept = {key.stamp(), {}};
  for (const int h : heads) {
    const auto shares = sink_shares(layer, h);
    if (!shares) break;
    kept.shares.resize(shares->size());
    for (std::size_t i = 0; i < shares->size(); ++i) kept.shares[i] += (*shares)[i] / static_cast<double>(heads.size());
  }
  return kept.shares;
}

void sink_column(Frame& frame, const HeadsLayout& at, const EdgeLabels& of_keys, const ValueScale& scale,
                 ImFont* numbers) {
  Canvas& canvas = frame.canvas;
  const Theme& theme = frame.theme;
  const std::vector<double>& shares = sink_shares_of(frame);
  const float wide = at.sink_width, step = of_keys.step;
  const ImVec2 a{at.sink_x, at.large.y}, b{a.x + wide, a.y + at.side};
  ui::probe("heads/sink", a, b);
  for (int i = 0; i < int_size(shares); ++i) {
    const float y = a.y + real(i) * step;
    const auto share = real(nth(shares, i));
    if (!std::isfinite(share)) continue;
    canvas.fill({a.x, y}, {b.x, y + step}, to_u32(scale.color(share)));
    const std::string text = ui::number(nth(shares, i), As::brief);
    if (numbers && text_width(numbers, text) <= wide)
      canvas.text_centered(numbers, {0.5f * (a.x + b.x), y + 0.5f * step}, ink_on(scale.color(share)), text);
    if (!canvas.over({a.x, y}, {b.x, y + step})) continue;
    canvas.frame({a.x, y}, {b.x, y + step}, theme.hover, 2);
    ui::tooltip_beside(frame, {a.x, y}, {b.x, y + step},
                       {wording("heads:sink.share", {{"token", nth(frame.trace.tokens, i)},
                                                     {"arrow", frame.fonts.unicode ? "→" : ">"},
                                                     {"share", ui::number(nth(shares, i), As::share)}}),
                        wording("heads:sink.tip")});
  }
  canvas.frame({a.x - 1, a.y - 1}, {b.x + 1, b.y + 1}, theme.ink_soft);
  const std::vector<std::string> word{wording("heads:sink")};
  EdgeLabels label = of_keys;
  label.words = &word;
  label.corner = a;
  label.step = wide;
  label.row = label.col = -1;
  if (at.level)
    canvas.text_centered(label.font, {0.5f * (a.x + b.x), a.y - frame.unit - 0.5f * label.font->FontSize},
                         theme.ink_soft, word.front());
  else
    column_labels(frame, label);
}

}  // namespace hydra
