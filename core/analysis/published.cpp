#include "core/analysis/published.h"

namespace hydra {

const std::vector<PublishedModel>& published_models() {
  static const std::vector<PublishedModel> models{
      {"Transformer base", "Vaswani et al. 2017, table 3", 2017, 6, {512, 8, 8, 64}},
      {"Transformer big", "Vaswani et al. 2017, table 3", 2017, 6, {1024, 16, 16, 64}},
      {"BERT-base", "Devlin et al. 2019, section 3", 2018, 12, {768, 12, 12, 64}},
      {"BERT-large", "Devlin et al. 2019, section 3", 2018, 24, {1024, 16, 16, 64}},
      {"GPT-2 (124M)", "Radford et al. 2019, table 2; released configuration", 2019, 12, {768, 12, 12, 64}},
      {"GPT-2 XL", "Radford et al. 2019, table 2; released configuration", 2019, 48, {1600, 25, 25, 64}},
      {"GPT-3 175B", "Brown et al. 2020, table 2.1", 2020, 96, {12288, 96, 96, 128}},
      {"PaLM 540B", "Chowdhery et al. 2022, table 1 and section 2", 2022, 118, {18432, 48, 1, 256}},
      {"Llama 2 7B", "Touvron et al. 2023b; released configuration", 2023, 32, {4096, 32, 32, 128}},
      {"Llama 2 70B", "Touvron et al. 2023b; released configuration", 2023, 80, {8192, 64, 8, 128}},
      {"Mistral 7B", "Jiang et al. 2023, table 1", 2023, 32, {4096, 32, 8, 128}},
      {"Llama 3 8B", "Grattafiori et al. 2024, table 3", 2024, 32, {4096, 32, 8, 128}},
      {"Llama 3 70B", "Grattafiori et al. 2024, table 3", 2024, 80, {8192, 64, 8, 128}},
      {"Llama 3 405B", "Grattafiori et al. 2024, table 3", 2024, 126, {16384, 128, 8, 128}},
      {"Gemma 2B", "Gemma Team 2024, table 1", 2024, 18, {2048, 8, 1, 256}},
      {"Gemma 7B", "Gemma Team 2024, table 1", 2024, 28, {3072, 16, 16, 256}},
  };
  return models;
}

}  // namespace hydra
