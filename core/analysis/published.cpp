#include "core/analysis/published.h"

#include <algorithm>
#include <limits>

namespace hydra {

namespace {

constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

double attended(const PublishedModel& model, double tokens) {
  return model.window > 0 ? std::min<double>(tokens, model.window) : tokens;
}

constexpr const char* kDecoder =
    "Layers and multiply-adds are of its decoder, without its attention to the encoder's output; the parameters of the "
    "whole "
    "are those of both.";
constexpr const char* kBanded =
    "Every other layer attends only to a band of nearby tokens; all are counted as if they attended to every token.";
constexpr const char* kLong = "Trained on sequences of 8192 tokens first, on longer ones at the end.";

// With a feed-forward part so wide; gated, with one projection more.
LayerSizes block(LayerSizes sizes, Index hidden) {
  sizes.settings.feed_forward = true;
  sizes.settings.feed_forward_width = hidden;
  return sizes;
}
LayerSizes gated_block(LayerSizes sizes, Index hidden) {
  sizes.settings.gated = true;
  return block(sizes, hidden);
}

}  // namespace

const std::vector<PublishedModel>& published_models() {
  constexpr bool kOwn = true, kEncoder = true, kDecodes = false;
  static const std::vector<PublishedModel> models{
      {"Transformer base", "Vaswani et al. 2017, table 3", 2017, 6, block({512, 8, 8, 64}, 2048), 0, !kOwn, 65e6, 0, 0,
       kDecodes, kDecoder},
      {"Transformer big", "Vaswani et al. 2017, table 3", 2017, 6, block({1024, 16, 16, 64}, 4096), 0, !kOwn, 213e6, 0,
       0, kDecodes, kDecoder},
      {"BERT-base", "Devlin et al. 2019, sections 3 and A.2; released configuration", 2018, 12,
       block({768, 12, 12, 64}, 3072), 30522, !kOwn, 110e6, 512, 0, kEncoder},
      {"BERT-large", "Devlin et al. 2019, sections 3 and A.2; released configuration", 2018, 24,
       block({1024, 16, 16, 64}, 4096), 30522, !kOwn, 340e6, 512, 0, kEncoder},
      {"GPT-2 (124M)", "Radford et al. 2019, section 2.3; released configuration", 2019, 12,
       block({768, 12, 12, 64}, 3072), 50257, !kOwn, 124e6, 1024},
      {"GPT-2 XL", "Radford et al. 2019, section 2.3; released weights", 2019, 48, block({1600, 25, 25, 64}, 6400),
       50257, !kOwn, 1'557'611'200, 1024},
      {"GPT-3 175B", "Brown et al. 2020, section 2.1", 2020, 96, block({12288, 96, 96, 128}, 49152), 50257, !kOwn,
       175e9, 2048, 0, kDecodes, kBanded},
      {"PaLM 540B", "Chowdhery et al. 2022, table 1, sections 2 and 5", 2022, 118,
       gated_block({18432, 48, 1, 256}, 73728), 256e3, !kOwn, 540.35e9, 2048},
      {"Llama 2 7B", "Touvron et al. 2023b, table 1; released configuration", 2023, 32,
       gated_block({4096, 32, 32, 128}, 11008), 32000, kOwn, 7e9, 4096},
      {"Llama 2 70B", "Touvron et al. 2023b, table 1; released configuration", 2023, 80,
       gated_block({8192, 64, 8, 128}, 28672), 32000, kOwn, 70e9, 4096},
      {"Mistral 7B", "Jiang et al. 2023, table 1 and section 2", 2023, 32, gated_block({4096, 32, 8, 128}, 14336),
       32000, kOwn, 7e9, 8192, 4096},
      {"Llama 3 8B", "Meta 2024, model card of Llama 3; released configuration", 2024, 32,
       gated_block({4096, 32, 8, 128}, 14336), 128256, kOwn, 8e9, 8192},
      {"Llama 3 70B", "Meta 2024, model card of Llama 3; released configuration", 2024, 80,
       gated_block({8192, 64, 8, 128}, 28672), 128256, kOwn, 70e9, 8192},
      {"Llama 3.1 8B", "Grattafiori et al. 2024, section 3 and table 3", 2024, 32,
       gated_block({4096, 32, 8, 128}, 14336), 128e3, kOwn, 8e9, 131072, 0, kDecodes, kLong},
      {"Llama 3.1 70B", "Grattafiori et al. 2024, section 3 and table 3", 2024, 80,
       gated_block({8192, 64, 8, 128}, 28672), 128e3, kOwn, 70e9, 131072, 0, kDecodes, kLong},
      {"Llama 3.1 405B", "Grattafiori et al. 2024, section 3 and table 3", 2024, 126,
       gated_block({16384, 128, 8, 128}, 53248), 128e3, kOwn, 405e9, 131072, 0, kDecodes, kLong},
      {"Gemma 2B", "Gemma Team 2024, section 2, tables 1 and 2", 2024, 18, gated_block({2048, 8, 1, 256}, 16384),
       256128, !kOwn, 524'550'144 + 1'981'884'416.0, 8192},
      {"Gemma 7B", "Gemma Team 2024, section 2, tables 1 and 2", 2024, 28, gated_block({3072, 16, 16, 256}, 24576),
       256128, !kOwn, 786'825'216 + 7'751'248'896.0, 8192},
  };
  return models;
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
