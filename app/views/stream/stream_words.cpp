#include "app/views/stream/stream_words.h"

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"

namespace hydra {

namespace {

using Kind = StreamLine::Kind;

}  // namespace

std::string stream_line_name(const StreamLayer& layer, int line, bool only_layer) {
  const StreamLine& at = nth(layer.lines, line);
  if (line == layer.leaving()) return only_layer ? "what leaves" : ui::words("after layer ", at.site.layer + 1);
  switch (at.kind) {
    case Kind::head:
      return ui::words("head ", at.site.head + 1);
    case Kind::bias:
      return "b_O";
    case Kind::heads:
      return "all heads";
    case Kind::feed_forward:
      return "feed-forward";
    case Kind::sum:
      return "before the norm";
    case Kind::stream:
      break;
  }
  if (at.site.quantity != Quantity::X) return "after the heads";
  return at.site.layer == 0 ? "X, the words" : "carried on";
}

std::string stream_line_sentence(const Frame& frame, const StreamLayer& layer, int line) {
  const StreamLine& at = nth(layer.lines, line);
  const std::string of = ui::words(" of layer ", at.site.layer + 1), name = symbol(at.site, !frame.fonts.unicode);
  switch (at.kind) {
    case Kind::head:
      return ui::words("Head ", at.site.head + 1, of, " adds ", name);
    case Kind::bias:
      return "The bias" + of + " adds " + name + ", the same for every token";
    case Kind::heads:
      return "The heads" + of + " together add " + name;
    case Kind::feed_forward:
      return "The feed-forward part" + of + " adds " + name;
    case Kind::sum:
      return name + of + ": the sum, before its norm";
    case Kind::stream:
      break;
  }
  if (line == layer.leaving()) return ui::words("What leaves layer ", at.site.layer + 1, ": ", name);
  if (at.site.quantity != Quantity::X) return "The stream after the heads" + of + ": " + name;
  return at.site.layer == 0 ? std::string("X: the words, before any layer")
                            : ui::words("What enters layer ", at.site.layer + 1, ", carried on by the residual sum");
}

std::string stream_percent(double share) { return ui::number(share, As::whole_percent); }
std::string stream_cosine(double cosine) { return std::isnan(cosine) ? "–" : ui::number(cosine, As::brief); }

std::string stream_numbers(const StreamLayer& layer, int line, Index token) {
  std::string text = "size " + ui::number(layer.size(token, line));
  if (const double share = layer.share(token, line); !std::isnan(share)) {
    const Site& sum = nth(layer.lines, nth(layer.lines, line).part_of).site;
    text +=
        "; " + ui::number(share, As::whole_percent) + " of " + entry_of(sum.quantity).letter + " along its direction";
  }
  if (const double cosine = layer.cosine(token, line); !std::isnan(cosine))
    text += "; cosine to the token's row of X " + ui::number(cosine, As::brief);
  return text;
}

std::string read_as(const Frame& frame, MatView<float> row, int most) {
  if (!frame.trace.layout) return {};
  std::string text;
  for (const auto& [column, value] : features_written(row, *frame.trace.layout, most).strongest)
    text += (text.empty() ? "" : ", ") + column_name(*frame.trace.layout, column) + " " + ui::number(value, As::rough);
  return text.empty() ? "no named feature" : text;
}

std::string read_as_sentence(const Frame& frame, MatView<float> row) {
  if (!frame.trace.layout || row.isZero(0)) return {};
  const FeaturesWritten written = features_written(row, *frame.trace.layout, 1);
  if (written.strongest.empty()) return "No named feature: only columns of words and positions.";
  return "Strongest features: " + read_as(frame, row, 6) + ". " + ui::number(written.share, As::whole_percent) +
         " of its squared length lies in columns of features.";
}

std::vector<std::string> residual_notes(const Trace& trace) {
  std::vector<int> without;
  for (int k = 0; k < int_size(trace.layers); ++k)
    if (!trace.layer(k).input.settings.residual) without.push_back(k + 1);
  if (without.empty()) return {};
  if (without.size() == trace.layers.size())
    return {ui::words(without.size() == 1 ? "The layer has" : "No layer has", without.size() == 1 ? " no" : " a",
                      " residual sum: it replaces the stream by what its parts give, and what entered is not carried "
                      "on. Residual sum, in the model panel, carries it."),
            without.size() == 1 ? "No residual sum: the layer replaces what entered by what its parts give."
                                : "No residual sums: each layer replaces what entered by what its parts give.",
            "No residual sum: what entered is replaced."};
  std::string numbers;
  for (std::size_t k = 0; k < without.size(); ++k)
    numbers += (k == 0 ? "" : k + 1 == without.size() ? " and " : ", ") + std::to_string(without[k]);
  const std::string some = without.size() == 1 ? "Layer " + numbers + " has" : "Layers " + numbers + " have";
  const std::string few = without.size() == 1 ? "One layer has" : ui::words(without.size(), " layers have");
  return {some + " no residual sum: what enters there is replaced, not added to.",
          few + " no residual sum: what enters there is replaced.", few + " no residual sum."};
}

}  // namespace hydra
