// DistilBERT (Sanh et al. 2019): half of BERT's layers under names of their own, and no types of tokens.
#include "core/checkpoints/families/encoders.h"

namespace hydra::family {

namespace {

constexpr EncoderNames kDistilBertNames{"transformer.layer.", "attention.q_lin",   "attention.k_lin",
                                        "attention.v_lin",    "attention.out_lin", "sa_layer_norm",
                                        "ffn.lin1",           "ffn.lin2",          "output_layer_norm"};

}  // namespace

bool holds_distilbert(const Checkpoint& checkpoint) {
  return holds_encoder(checkpoint, "distilbert.", kDistilBertNames);
}

Model read_distilbert(const Checkpoint& checkpoint) {
  Parts parts(checkpoint.tensors, {"distilbert."});
  checkpoint.leave_out(parts, {"pre_classifier.", "classifier.", "qa_outputs."});
  Model model = read_encoder(checkpoint, parts, kDistilBertNames);
  read_masked_readout(model, parts, checkpoint.config,
                      {"vocab_transform", "vocab_layer_norm", "vocab_projector", "vocab_projector.bias"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
