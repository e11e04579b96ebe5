// BERT (Devlin et al. 2019), with what reads masked words out (cls.predictions) or without it.
#include "core/checkpoints/families/encoders.h"

namespace hydra::family {

bool holds_bert(const Checkpoint& checkpoint) { return holds_encoder(checkpoint, "bert.", kBertNames); }

Model read_bert(const Checkpoint& checkpoint) {
  Parts parts(checkpoint.tensors, {"bert."});
  // What is made of the first token for a sentence as a whole.
  checkpoint.leave_out(parts, {"pooler.", "cls.seq_relationship.", "classifier."});
  Model model = read_encoder(checkpoint, parts, kBertNames);
  read_masked_readout(model, parts, checkpoint.config,
                      {"cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                       "cls.predictions.decoder", "cls.predictions.bias"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
