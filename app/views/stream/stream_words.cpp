#include "app/views/stream/stream_words.h"

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;

}  // namespace

std::string stream_line_name(const StreamLayer& layer, int line, bool only_layer) {
  const StreamLine& at = nth(layer.lines, line);
  if (line == layer.leaving())
    return only_layer ? wording("stream:line.leaves")
                      : wording("stream:line.after_layer", {{"layer", at.site.layer + 1}});
  switch (at.kind) {
    case Kind::head:
      return wording("stream:head", {{"head", at.site.head + 1}});
    case Kind::bias:
      return "b_O";
    case Kind::heads:
    case Kind::normed_heads:
      return wording("stream:line.all_heads");
    case Kind::feed_forward:
    case Kind::normed_feed_forward:
      return wording("stream:line.feed_forward");
    case Kind::sum:
      return wording("stream:line.before_norm");
    case Kind::stream:
      break;
  }
  if (at.site.quantity != Quantity::X) return wording("stream:line.after_heads");
  return wording(at.site.layer == 0 ? "stream:line.words" : "stream:line.carried_on");
}

std::string stream_line_sentence(const Frame& frame, const StreamLayer& layer, int line) {
  const StreamLine& at = nth(layer.lines, line);
  const std::string name = symbol(at.site, !frame.fonts.unicode);
  const int number = at.site.layer + 1;
  switch (at.kind) {
    case Kind::head:
      return wording("stream:told.head", {{"head", at.site.head + 1}, {"layer", number}, {"name", name}});
    case Kind::bias:
      return wording("stream:told.bias", {{"layer", number}, {"name", name}});
    case Kind::heads:
    case Kind::normed_heads:
      return wording("stream:told.heads", {{"layer", number}, {"name", name}});
    case Kind::feed_forward:
    case Kind::normed_feed_forward:
      return wording("stream:told.feed_forward", {{"layer", number}, {"name", name}});
    case Kind::sum:
      if (at.site.quantity == Quantity::Y || at.site.quantity == Quantity::feed_forward)
        return wording("stream:told.before_norm", {{"name", name}, {"layer", number}});
      return wording("stream:told.sum", {{"name", name}, {"layer", number}});
    case Kind::stream:
      break;
  }
  if (line == layer.leaving()) return wording("stream:told.leaves", {{"layer", number}, {"name", name}});
  if (at.site.quantity != Quantity::X) return wording("stream:told.after_heads", {{"layer", number}, {"name", name}});
  return at.site.layer == 0 ? wording("stream:told.words") : wording("stream:told.enters", {{"layer", number}});
}

std::string stream_percent(double share) { return ui::number(share, As::whole_percent); }
std::string stream_cosine(double cosine) { return std::isnan(cosine) ? "–" : ui::number(cosine, As::brief); }

std::string stream_numbers(const StreamLayer& layer, int line, Index token) {
  std::string text = wording("stream:numbers.size", {{"size", ui::number(layer.size(token, line))}});
  if (const double share = layer.share(token, line); !std::isnan(share)) {
    const Site& sum = nth(layer.lines, nth(layer.lines, line).part_of).site;
    text += "; " + wording("stream:numbers.share",
                           {{"share", ui::number(share, As::whole_percent)}, {"sum", entry_of(sum.quantity).letter}});
  }
  if (const double cosine = layer.cosine(token, line); !std::isnan(cosine))
    text += "; " + wording("stream:numbers.cosine", {{"cosine", ui::number(cosine, As::brief)}});
  return text;
}

std::string read_as(const Frame& frame, MatView<float> row, int most) {
  if (!frame.trace.layout) return {};
  std::string text;
  for (const auto& [column, value] : features_written(row, *frame.trace.layout, most).strongest)
    text += (text.empty() ? "" : ", ") + column_name(*frame.trace.layout, column) + " " + ui::number(value, As::rough);
  return text.empty() ? wording("stream:features.none") : text;
}

std::string read_as_sentence(const Frame& frame, MatView<float> row) {
  if (!frame.trace.layout || row.isZero(0)) return {};
  const FeaturesWritten written = features_written(row, *frame.trace.layout, 1);
  if (written.strongest.empty()) return wording("stream:features.none.tip");
  return wording("stream:features",
                 {{"features", read_as(frame, row, 6)}, {"share", ui::number(written.share, As::whole_percent)}});
}

std::vector<std::string> residual_notes(const Trace& trace) {
  std::vector<int> without;
  for (int k = 0; k < int_size(trace.layers); ++k)
    if (!trace.layer(k).input.settings.residual) without.push_back(k + 1);
  if (without.empty()) return {};
  if (without.size() == trace.layers.size())
    return {wording(without.size() == 1 ? "stream:residual.only" : "stream:residual.none"),
            wording(without.size() == 1 ? "stream:residual.only.brief" : "stream:residual.none.brief"),
            wording("stream:residual.none.least")};
  if (without.size() == 1)
    return {wording("stream:residual.one", {{"layer", without.front()}}), wording("stream:residual.one.brief"),
            wording("stream:residual.one.least")};
  std::string numbers = std::to_string(without.front());
  for (std::size_t k = 1; k + 1 < without.size(); ++k) numbers += ", " + std::to_string(without[k]);
  return {wording("stream:residual.several", {{"layers", numbers}, {"last", without.back()}}),
          wording("stream:residual.several.brief", {{"n", without.size()}}),
          wording("stream:residual.several.least", {{"n", without.size()}})};
}

}  // namespace hydra
