#include "app/views/tradeoff/published_columns.h"

#include <numeric>

#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"

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

double whole(const Line& line) { return line.model ? line.model->parameters : line.parameters; }

std::string sizes_text(const Line& line) {
  const LayerSizes& s = line.sizes;
  const double layers = layers_of(line);
  std::string text = line.model ? std::to_string(line.model->year) + ": " : "";
  text += ui::counted(std::lround(layers), "layer") + ", " + "d_model " + plain(s.d_model) + ", " +
          ui::counted(std::lround(s.heads), "head") + " of " + plain(s.d_k);
  if (s.kv_heads < s.heads) text += ", keys and values for " + plain(s.kv_heads);
  if (s.settings.feed_forward)
    text += ", feed-forward " + std::string(s.settings.gated ? "gated, " : "") + plain(hidden(line)) + " wide";
  return text + (line.model || line.layers.size() == 1 ? "." : " (the layer in focus).");
}

std::string computed_text(const Line& line, const Settings& settings) {
  std::string text = "Parameters of attention " + brief_number(attention_weights(line));
  if (const double rest = feed_forward_weights(line); rest > 0) text += ", of feed-forward parts " + brief_number(rest);
  if (line.model && !std::isnan(counted_parameters(*line.model)))
    text += ", with " + ui::number(line.model->vocabulary, As::count) + " words " +
            std::string(line.model->own_readout ? "in and out " : "") + brief_number(counted_parameters(*line.model));
  if (line.ends > 0) text += ", of tables and readout " + brief_number(line.ends);
  text += line.model ? " (stated: " + brief_number(line.model->parameters) + ")"
                     : "; with biases, gains and shifts " + brief_number(line.parameters);
  if (const double products = next_token(line, settings); !std::isnan(products))
    text += ", multiply-adds per token " + brief_number(products) + ", KV cache " + bytes_text(cache(line, settings));
  return text + ".";
}

constexpr const char* kOfAttention = "layers d_model heads kv_heads d_k";
constexpr const char* kOfToken = "layers d_model heads kv_heads d_k feed_forward gated vocabulary window";

// "Source of d_model: Brown et al. 2020, section 2.1".
std::string source_text(const PublishedModel& model, const PublishedColumn* column) {
  if (!column) return "Source: " + sources_of(model);
  std::string title = column->title;
  std::ranges::replace(title, '\n', ' ');
  if (const std::size_t cut = title.find("- "); cut != std::string::npos) title.erase(cut + 1, 1);
  return (column->computed ? "Computed, " + title + ", from: " : "Source of " + title + ": ") +
         sources_of(model, column->from);
}

}  // namespace

const std::vector<PublishedColumn>& published_columns() {
  static const std::vector<PublishedColumn> columns{
      {"year", "year", 1, false, "When it was published.",
       [](const Line& l, const Settings&) { return stated(l, &PublishedModel::year); }, plain, "year"},
      {"d_model", "d_model", 5, false, "Numbers per token between the layers.",
       [](const Line& l, const Settings&) { return l.sizes.d_model; }, whole, "d_model"},
      {"heads", "heads", 11, false, "Heads per layer: queries.",
       [](const Line& l, const Settings&) { return l.sizes.heads; }, plain, "heads"},
      {"kv_heads", "KV\nheads", 12, false,
       "Heads of keys and values: fewer than heads where several queries share them (multi-query: Shazeer 2019; "
       "grouped-query: Ainslie et al. 2023).",
       [](const Line& l, const Settings&) { return l.sizes.kv_heads; }, plain, "kv_heads"},
      {"d_k", "d_k", 6, false, "Width of a head.", [](const Line& l, const Settings&) { return l.sizes.d_k; }, plain,
       "d_k"},
      {"hidden", "feed-\nforward", 2, false, "Hidden numbers of the feed-forward part for each token.",
       [](const Line& l, const Settings&) { return hidden(l); }, whole, "feed_forward"},
      {"layers", "layers", 4, false,
       "Layers that attend to their own sequence; of encoder-decoder models, the decoder's.",
       [](const Line& l, const Settings&) { return layers_of(l); }, plain, "layers"},
      {"context", "longest\ncontext", 3, false,
       "The longest sequence that it was trained on, in tokens, where the source states it. For longer ones the "
       "numbers "
       "are soft.",
       [](const Line& l, const Settings&) { return stated(l, &PublishedModel::context); }, whole, "context"},
      {"weights", "attention\nparameters", 8, false,
       "Numbers in W_Q, W_K, W_V and W_O of all layers, biases not counted: layers × d_model (h + 2 h_KV) d_k + h d_k "
       "d_model.",
       [](const Line& l, const Settings&) { return attention_weights(l); }, brief_number, kOfAttention, true},
      {"feed_forward", "feed-forward\nparameters", 7, false,
       "Numbers in W_1 and W_2, and in W_3 where the part is gated, of all layers, biases not counted: the largest "
       "part "
       "of most models.",
       [](const Line& l, const Settings&) { return feed_forward_weights(l) > 0 ? feed_forward_weights(l) : kNone; },
       brief_number, "layers d_model feed_forward gated", true},
      {"parameters", "whole\nmodel", 9, false,
       "Parameters of the whole model, as its source states them: attention, feed-forward parts, the embeddings of the "
       "vocabulary, and what is small. Of the document every number that it has.",
       [](const Line& l, const Settings&) { return whole(l); }, brief_number, "parameters"},
      {"multiply_adds", "multiply-adds\nper token", 10, true,
       "Multiply-adds of all layers, attention and feed-forward parts, and of the readout where a vocabulary is "
       "stated, "
       "for one token more, which attends to so many, itself included, or to those in its window; the others' keys and "
       "values are kept.",
       next_token, brief_number, kOfToken, true},
      {"kv_cache", "KV cache", 13, true,
       "What keys and values of so many tokens, or of those in the window, take in all layers: 2 h_KV d_k × tokens × "
       "layers × bytes per number.",
       cache, bytes_text, "layers kv_heads d_k window", true},
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

std::string name_of(const Line& line) { return line.model ? line.model->name : "This document"; }

bool is_soft(const PublishedColumn& column, const Line& line, const Settings& settings) {
  if (std::isnan(column.value(line, settings))) return true;
  return column.of_tokens && line.model && beyond_context(*line.model, settings.tokens);
}

std::vector<std::string> said_of(const Line& line, const Settings& settings, const PublishedColumn* column) {
  if (!line.model) return {"The document that is open.", sizes_text(line), computed_text(line, settings)};
  const PublishedModel& model = *line.model;
  std::vector<std::string> lines{name_of(line), sizes_text(line), computed_text(line, settings)};
  const std::string tokens = ui::number(settings.tokens, As::count);
  if (model.encoder)
    lines.emplace_back("An encoder reads all tokens at once: there is no next token, and no cache to keep for it.");
  if (model.window > 0)
    lines.push_back("A query attends to a window of the last " + ui::number(model.window, As::count) +
                    " tokens: no more are kept" +
                    (settings.tokens > model.window ? ", of " + tokens + " neither." : "."));
  if (!model.note.empty()) lines.push_back(model.note);
  if (beyond_context(model, settings.tokens))
    lines.push_back("It was trained on sequences of at most " + ui::number(model.context, As::count) + " tokens" +
                    (model.encoder ? "." : ": for " + tokens + " the numbers are what the formulas give."));
  const bool none = column && std::isnan(column->value(line, settings));
  lines.push_back(source_text(model, none ? nullptr : column));
  return lines;
}

}  // namespace hydra::tradeoff
