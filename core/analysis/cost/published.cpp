#include "core/analysis/cost/published.h"

#include <algorithm>
#include <limits>

namespace hydra {

namespace {

constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

double attended(const PublishedModel& model, double tokens) {
  return model.window > 0 ? std::min<double>(tokens, model.window) : tokens;
}

}  // namespace

std::string sources_of(const PublishedModel& model, std::string_view keys) {
  const auto asked = [&](const std::string& key) {
    return keys.empty() || (" " + std::string(keys) + " ").find(" " + key + " ") != std::string::npos;
  };
  std::vector<std::string> found;
  for (const auto& [key, source] : model.sources)
    if (asked(key) && std::ranges::find(found, source) == found.end()) found.push_back(source);
  std::string text;
  for (const std::string& source : found) text += (text.empty() ? "" : "; ") + source;
  return text;
}

double counted_parameters(const PublishedModel& model) {
  if (model.vocabulary == 0) return kNotPublished;
  return model.layers * (weight_count(model.sizes) + feed_forward_weight_count(model.sizes)) +
         (model.own_readout ? 2 : 1) * model.vocabulary * model.sizes.d_model;
}

double next_token_multiply_adds(const PublishedModel& model, double tokens) {
  if (model.encoder) return kNotPublished;
  return model.layers * decoding_step(model.sizes, attended(model, tokens)).total() +
         model.vocabulary * model.sizes.d_model;
}

double kept_bytes(const PublishedModel& model, double tokens, double bytes_per_number) {
  return model.encoder ? kNotPublished
                       : kv_cache_bytes(model.sizes, attended(model, tokens), model.layers, bytes_per_number);
}

bool beyond_context(const PublishedModel& model, double tokens) { return model.context > 0 && tokens > model.context; }

}  // namespace hydra
