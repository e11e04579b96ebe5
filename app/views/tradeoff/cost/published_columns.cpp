#include "app/views/tradeoff/cost/published_columns.h"

#include <numeric>

#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_parts.h"

namespace hydra::tradeoff {

namespace {

using Line = PublishedLine;
using Settings = PublishedSettings;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kDash = "–";

std::string plain(double value) { return ui::number(value, As::axis); }
std::string whole(double value) { return ui::number(value, As::count); }

double stated(const Line& line, int PublishedModel::*number) {
  return line.model && line.model->*number > 0 ? line.model->*number : kNone;
}

double layers_of(const Line& line) { return line.model ? line.model->layers : static_cast<double>(line.layers.size()); }

// Of all layers, what each has.
template <class Count>
double over_layers(const Line& line, const Count& count) {
  if (line.model) return line.model->layers * count(line.sizes);
  double sum = 0;
  for (const LayerSizes& layer : line.layers) sum += count(layer);
  return sum;
}
double attention_weights(const Line& line) { return over_layers(line, weight_count); }
double feed_forward_weights(const Line& line) { return over_layers(line, feed_forward_weight_count); }

double next_token(const Line& line, const Settings& settings) {
  if (line.model) return next_token_multiply_adds(*line.model, settings.tokens);
  return line.readout +
         over_layers(line, [&](const LayerSizes& s) { return decoding_step(s, settings.tokens).total(); });
}

double cache(const Line& line, const Settings& settings) {
  if (line.model) return kept_bytes(*line.model, settings.tokens, settings.bytes);
  return over_layers(line, [&](const LayerSizes& s) { return kv_cache_bytes(s, settings.tokens, 1, settings.bytes); });
}

double hidden(const Line& line) {
  const LayerSettings& settings = line.sizes.settings;
  return settings.feed_forward ? static_cast<double>(settings.feed_forward_width) : kNone;
}

// A source that says 7 G does not say 7.00 G.
std::string as_stated(double value) {
  std::string round = axis_number(value), brief = brief_number(value);
  return round.size() < brief.size() ? round : brief;
}
double whole(const Line& line) { return line.model ? line.model->parameters : line.parameters; }

std::string sizes_text(const Line& line) {
  const LayerSizes& s = line.sizes;
  std::string text = wording("tradeoff:published.sizes", {{"n", std::lround(layers_of(line))},
                                                          {"d_model", plain(s.d_model)},
                                                          {"heads", std::lround(s.heads)},
                                                          {"d_k", plain(s.d_k)}});
  if (s.kv_heads < s.heads)
    text = wording("tradeoff:published.sizes.sets", {{"sizes", text}, {"sets", plain(s.kv_heads)}});
  if (s.settings.feed_forward) {
    const std::string width = plain(hidden(line));
    text = s.settings.gated ? wording("tradeoff:published.sizes.gated", {{"sizes", text}, {"width", width}})
                            : wording("tradeoff:published.sizes.feed_forward", {{"sizes", text}, {"width", width}});
  }
  if (line.model) return wording("tradeoff:published.sizes.of_year", {{"year", line.model->year}, {"sizes", text}});
  return line.layers.size() == 1 ? wording("tradeoff:published.sizes.of_document", {{"sizes", text}})
                                 : wording("tradeoff:published.sizes.in_focus", {{"sizes", text}});
}

std::string computed_text(const Line& line, const Settings& settings) {
  std::string text = wording("tradeoff:published.computed", {{"number", brief_number(attention_weights(line))}});
  if (const double rest = feed_forward_weights(line); rest > 0)
    text = wording("tradeoff:published.computed.feed_forward", {{"numbers", text}, {"number", brief_number(rest)}});
  if (line.model && !std::isnan(counted_parameters(*line.model))) {
    const std::string words = ui::number(line.model->vocabulary, As::count),
                      number = brief_number(counted_parameters(*line.model));
    text = line.model->own_readout ? wording("tradeoff:published.computed.words_in_out",
                                             {{"numbers", text}, {"words", words}, {"number", number}})
                                   : wording("tradeoff:published.computed.words",
                                             {{"numbers", text}, {"words", words}, {"number", number}});
  }
  if (line.ends > 0)
    text = wording("tradeoff:published.computed.ends", {{"numbers", text}, {"number", brief_number(line.ends)}});
  text = line.model ? wording("tradeoff:published.computed.stated",
                              {{"numbers", text}, {"number", as_stated(line.model->parameters)}})
                    : wording("tradeoff:published.computed.small",
                              {{"numbers", text}, {"number", brief_number(line.parameters)}});
  const double products = next_token(line, settings);
  if (std::isnan(products)) return wording("tradeoff:published.computed.no_token", {{"numbers", text}});
  return wording(
      "tradeoff:published.computed.token",
      {{"numbers", text}, {"products", brief_number(products)}, {"cache", bytes_text(cache(line, settings))}});
}

constexpr const char* kOfAttention = "layers d_model heads kv_heads d_k";
constexpr const char* kOfToken = "layers d_model heads kv_heads d_k feed_forward gated vocabulary window";

// "Source of d_model: Brown et al. 2020, section 2.1".
std::string source_text(const PublishedModel& model, const PublishedColumn* column) {
  if (!column) return wording("tradeoff:published.source", {{"sources", sources_of(model)}});
  std::string title = wording(column->title);
  std::ranges::replace(title, '\n', ' ');
  if (const std::size_t cut = title.find("- "); cut != std::string::npos) title.erase(cut + 1, 1);
  const std::string sources = sources_of(model, column->from);
  return column->computed ? wording("tradeoff:published.source.computed", {{"column", title}, {"sources", sources}})
                          : wording("tradeoff:published.source.of", {{"column", title}, {"sources", sources}});
}

}  // namespace

const std::vector<PublishedColumn>& published_columns() {
  static const std::vector<PublishedColumn> columns{
      {"year", "tradeoff:published.year", 1, false, "tradeoff:published.year.tip",
       [](const Line& l, const Settings&) { return stated(l, &PublishedModel::year); }, plain, "year"},
      {"d_model", "tradeoff:published.d_model", 5, false, "tradeoff:published.d_model.tip",
       [](const Line& l, const Settings&) { return l.sizes.d_model; }, whole, "d_model"},
      {"heads", "tradeoff:published.heads", 11, false, "tradeoff:published.heads.tip",
       [](const Line& l, const Settings&) { return l.sizes.heads; }, plain, "heads"},
      {"kv_heads", "tradeoff:published.kv_heads", 12, false, "tradeoff:published.kv_heads.tip",
       [](const Line& l, const Settings&) { return l.sizes.kv_heads; }, plain, "kv_heads"},
      {"d_k", "tradeoff:published.d_k", 6, false, "tradeoff:published.d_k.tip",
       [](const Line& l, const Settings&) { return l.sizes.d_k; }, plain, "d_k"},
      {"hidden", "tradeoff:published.hidden", 2, false, "tradeoff:published.hidden.tip",
       [](const Line& l, const Settings&) { return hidden(l); }, whole, "feed_forward"},
      {"layers", "tradeoff:published.layers", 4, false, "tradeoff:published.layers.tip",
       [](const Line& l, const Settings&) { return layers_of(l); }, plain, "layers"},
      {"context", "tradeoff:published.context", 3, false, "tradeoff:published.context.tip",
       [](const Line& l, const Settings&) { return stated(l, &PublishedModel::context); }, whole, "context"},
      {"weights", "tradeoff:published.weights", 8, false, "tradeoff:published.weights.tip",
       [](const Line& l, const Settings&) { return attention_weights(l); }, brief_number, kOfAttention, true},
      {"feed_forward", "tradeoff:published.feed_forward", 7, false, "tradeoff:published.feed_forward.tip",
       [](const Line& l, const Settings&) { return feed_forward_weights(l) > 0 ? feed_forward_weights(l) : kNone; },
       brief_number, "layers d_model feed_forward gated", true},
      {"parameters", "tradeoff:published.parameters", 9, false, "tradeoff:published.parameters.tip",
       [](const Line& l, const Settings&) { return whole(l); }, as_stated, "parameters"},
      {"multiply_adds", "tradeoff:published.multiply_adds", 10, true, "tradeoff:published.multiply_adds.tip",
       next_token, brief_number, kOfToken, true},
      {"kv_cache", "tradeoff:published.kv_cache", 13, true, "tradeoff:published.kv_cache.tip", cache, bytes_text,
       "layers kv_heads d_k window", true},
  };
  return columns;
}

std::string text_of(const PublishedColumn& column, const Line& line, const Settings& settings) {
  const double value = column.value(line, settings);
  return std::isnan(value) ? kDash : column.text(value);
}

std::vector<int> fitting_columns(const std::vector<float>& widths, float room, std::optional<int> kept) {
  const std::vector<PublishedColumn>& columns = published_columns();
  std::vector<int> shown(widths.size());
  std::iota(shown.begin(), shown.end(), 0);
  float width = std::accumulate(widths.begin(), widths.end(), 0.0f);
  const auto turn = [&](int k) { return k == kept ? std::numeric_limits<int>::max() : nth(columns, k).leaves; };
  while (width > room && shown.size() > 1) {
    const auto next = std::min_element(shown.begin(), shown.end(), [&](int a, int b) { return turn(a) < turn(b); });
    width -= nth(widths, *next);
    shown.erase(next);
  }
  return shown;
}

std::string name_of(const Line& line) { return line.model ? line.model->name : wording("tradeoff:published.document"); }

bool is_soft(const PublishedColumn& column, const Line& line, const Settings& settings) {
  if (std::isnan(column.value(line, settings))) return true;
  return column.of_tokens && line.model && beyond_context(*line.model, settings.tokens);
}

std::vector<std::string> said_of(const Line& line, const Settings& settings, const PublishedColumn* column) {
  if (!line.model)
    return {wording("tradeoff:published.document.said"), sizes_text(line), computed_text(line, settings)};
  const PublishedModel& model = *line.model;
  std::vector<std::string> lines{name_of(line), sizes_text(line), computed_text(line, settings)};
  const std::string tokens = ui::number(settings.tokens, As::count);
  if (model.encoder) lines.push_back(wording("tradeoff:published.encoder"));
  if (const std::string window = ui::number(model.window, As::count); model.window > 0)
    lines.push_back(settings.tokens > model.window
                        ? wording("tradeoff:published.window.beyond", {{"window", window}, {"tokens", tokens}})
                        : wording("tradeoff:published.window", {{"window", window}}));
  if (!model.note.empty()) lines.push_back(model.note);
  if (const std::string context = ui::number(model.context, As::count); beyond_context(model, settings.tokens))
    lines.push_back(model.encoder ? wording("tradeoff:published.trained.encoder", {{"context", context}})
                                  : wording("tradeoff:published.trained", {{"context", context}, {"tokens", tokens}}));
  const bool none = column && std::isnan(column->value(line, settings));
  lines.push_back(source_text(model, none ? nullptr : column));
  return lines;
}

}  // namespace hydra::tradeoff
