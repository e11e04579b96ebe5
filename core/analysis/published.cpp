#include "core/analysis/published.h"

#include <algorithm>
#include <limits>

namespace hydra {

namespace {

constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

double attended(const PublishedModel& model, double tokens) {
  return model.window > 0 ? std::min<double>(tokens, model.window) : tokens;
}

constexpr const char* kDecoder = "Its decoder's attention to itself: that to the encoder's output is not counted.";
constexpr const char* kBanded =
    "Every other layer attends only to a band of nearby tokens; all are counted as if they attended to every token.";
constexpr const char* kLong = "Trained on sequences of 8192 tokens first, on longer ones at the end.";

}  // namespace

const std::vector<PublishedModel>& published_models() {
  static const std::vector<PublishedModel> models{
      {"Transformer base", "Vaswani et al. 2017, table 3", 2017, 6, {512, 8, 8, 64}, 0, 0, false, kDecoder},
      {"Transformer big", "Vaswani et al. 2017, table 3", 2017, 6, {1024, 16, 16, 64}, 0, 0, false, kDecoder},
      {"BERT-base", "Devlin et al. 2019, sections 3 and A.2", 2018, 12, {768, 12, 12, 64}, 512, 0, true},
      {"BERT-large", "Devlin et al. 2019, sections 3 and A.2", 2018, 24, {1024, 16, 16, 64}, 512, 0, true},
      {"GPT-2 (124M)", "Radford et al. 2019, section 2.3; released configuration", 2019, 12, {768, 12, 12, 64}, 1024},
      {"GPT-2 XL", "Radford et al. 2019, section 2.3; released configuration", 2019, 48, {1600, 25, 25, 64}, 1024},
      {"GPT-3 175B", "Brown et al. 2020, section 2.1", 2020, 96, {12288, 96, 96, 128}, 2048, 0, false, kBanded},
      {"PaLM 540B", "Chowdhery et al. 2022, table 1, sections 2 and 5", 2022, 118, {18432, 48, 1, 256}, 2048},
      {"Llama 2 7B", "Touvron et al. 2023b, table 1; released configuration", 2023, 32, {4096, 32, 32, 128}, 4096},
      {"Llama 2 70B", "Touvron et al. 2023b, table 1; released configuration", 2023, 80, {8192, 64, 8, 128}, 4096},
      {"Mistral 7B", "Jiang et al. 2023, table 1 and section 2", 2023, 32, {4096, 32, 8, 128}, 8192, 4096},
      {"Llama 3 8B", "Meta 2024, model card of Llama 3", 2024, 32, {4096, 32, 8, 128}, 8192},
      {"Llama 3 70B", "Meta 2024, model card of Llama 3", 2024, 80, {8192, 64, 8, 128}, 8192},
      {"Llama 3.1 8B", "Grattafiori et al. 2024, section 3", 2024, 32, {4096, 32, 8, 128}, 131072, 0, false, kLong},
      {"Llama 3.1 70B", "Grattafiori et al. 2024, section 3", 2024, 80, {8192, 64, 8, 128}, 131072, 0, false, kLong},
      {"Llama 3.1 405B",
       "Grattafiori et al. 2024, section 3",
       2024,
       126,
       {16384, 128, 8, 128},
       131072,
       0,
       false,
       kLong},
      {"Gemma 2B", "Gemma Team 2024, section 2 and table 1", 2024, 18, {2048, 8, 1, 256}, 8192},
      {"Gemma 7B", "Gemma Team 2024, section 2 and table 1", 2024, 28, {3072, 16, 16, 256}, 8192},
  };
  return models;
}

double next_token_multiply_adds(const PublishedModel& model, double tokens) {
  return model.encoder ? kNotPublished : model.layers * decoding_step(model.sizes, attended(model, tokens)).total();
}

double kept_bytes(const PublishedModel& model, double tokens, double bytes_per_number) {
  return model.encoder ? kNotPublished
                       : kv_cache_bytes(model.sizes, attended(model, tokens), model.layers, bytes_per_number);
}

bool beyond_context(const PublishedModel& model, double tokens) { return model.context > 0 && tokens > model.context; }

}  // namespace hydra
