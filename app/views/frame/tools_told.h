// What tools say of what they do (app/tools).
#pragma once
#include <optional>
#include <string>

#include "core/checkpoints/series.h"

namespace hydra {

struct Repelling {               // steps that drive the heads of a layer apart, one after the other
  int layer = 0;                 // whose heads
  int steps = 0;                 // done
  double before = 0, after = 0;  // the mean cosine
  bool over = false;
  bool present = true;  // the layer's weights are those of the last step
};

struct Solving {  // a W_O from a target
  bool under_way = false;
  bool present = false;  // W_O is the one found; of that one:
  std::string result, remark;
};

struct ToolsTold {
  const std::optional<float>& collapse;  // how far the heads in focus are moved towards their mean
  const std::optional<Repelling>& repelling;
  const Solving& solving;
  bool writing = false;                           // the model goes on with the text
  const CheckpointSeries* checkpoints = nullptr;  // that the document's model is one of; null: it stands alone
};

}  // namespace hydra
