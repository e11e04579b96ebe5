// A folder of checkpoints of one made GPT-2: checkpoint-N, whose numbers are those of the family's model plus N / 1000.
#pragma once
#include <filesystem>
#include <vector>

#include "core/tensors/numbers.h"
#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "tests/support/data.h"
#include "tests/support/folder.h"

namespace hydra {

struct TrainedCheckpoints {
  explicit TrainedCheckpoints(const std::vector<int>& steps) {
    const std::string made = test::data("checkpoints/gpt2");
    const TensorFile file = open_tensors(made);
    for (const int step : steps) {
      std::filesystem::create_directory(folder_of(step));
      std::filesystem::copy_file(made + "/config.json", folder_of(step) + "/config.json");
      std::vector<std::vector<float>> numbers;
      std::vector<Tensor> tensors;
      for (const Tensor& tensor : file.tensors) {
        std::vector<float>& moved = numbers.emplace_back(static_cast<std::size_t>(count_of(tensor)));
        to_floats(tensor, 0, moved);
        for (float& number : moved) number += static_cast<float>(step) / 1000;
        tensors.push_back({tensor.name, NumberType::f32, tensor.shape, std::as_bytes(std::span(moved)), {}, false});
      }
      write_safetensors(folder_of(step) + "/model.safetensors", tensors);
    }
  }
  std::string folder_of(int step) const { return folder.file("checkpoint-" + std::to_string(step)); }
  Folder folder;
};

}  // namespace hydra
