// GPT-2's made model as a file of names that no family has; its heads are 3.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "tests/support/data.h"

namespace hydra {

inline void write_renamed_model(const std::string& path, const std::string& without = "no such name") {
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"h.", "blocks."},      {"attn.c_attn", "attention.qkv"}, {"attn.c_proj", "attention.out"},
      {"mlp.c_fc", "mlp.up"}, {"mlp.c_proj", "mlp.down"},       {"wte.", "words."},
      {"wpe.", "places."},    {"ln_f.", "final_norm."},         {"ln_1.", "norm_1."},
      {"ln_2.", "norm_2."}};
  const TensorFile file = open_tensors(test::data("checkpoints/gpt2"));
  std::vector<Tensor> renamed;
  for (Tensor tensor : file.tensors) {
    for (const auto& [from, to] : kNames)
      if (const std::size_t at = tensor.name.find(from); at != std::string::npos)
        tensor.name.replace(at, std::string(from).size(), to);
    if (tensor.name.find(without) == std::string::npos) renamed.push_back(std::move(tensor));
  }
  write_safetensors(path, renamed);
}

}  // namespace hydra
