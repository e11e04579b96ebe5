// Checkpoints of one training that lie side by side: folders or files whose names differ in a number, checkpoint-100
// and checkpoint-200, step_1000.pt and step_2000.pt.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra {

struct CheckpointSeries {
  struct Member {
    std::string path;
    std::uint64_t number = 0;  // of its name
  };
  std::vector<Member> members;      // by their numbers; two at least
  std::size_t here = 0;             // of the path that was asked about; of a folder that holds them, the last
  std::vector<std::string> others;  // a sentence each: what lies beside them and is another model
  // Nothing: it is none of them.
  std::optional<std::size_t> place_of(const std::string& path) const;
};

// Of a checkpoint, or of a folder that holds some and is no model itself. Nothing: it stands alone. Members have arrays
// of the same names and shapes, and configs that say the same of the model; of none a number is read. What cannot be
// opened is none. Throws nothing but what a lack of memory throws.
std::optional<CheckpointSeries> series_of(const std::string& path);
// What is to be opened: the last of a folder's checkpoints, else the path itself.
std::string model_in_series(const std::string& path);

}  // namespace hydra
