// The random stacks of scripts/make_block_golden.py with PyTorch's numbers (tests/data/block_golden.json). The file
// says what each layer is as a document does, with shapes in the place of weights; these and X are drawn here by their
// names.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hydra::test {

struct GoldenStack {
  nlohmann::json golden;
  Document document;
};
const std::vector<GoldenStack>& golden_stacks();
// With types of tokens, norms after the embedding, transforms and capped logits, which are not trained: of no
// gradients.
const std::vector<GoldenStack>& golden_ends();
// With pads at the left; of no gradients.
const std::vector<GoldenStack>& golden_padded();

// Numbers that the script draws alike: multiples of 1/64 up to `most` of them, from a name.
Mat<double> drawn_by_name(const std::string& name, std::uint64_t seed, Index rows, Index cols, int most);

}  // namespace hydra::test
