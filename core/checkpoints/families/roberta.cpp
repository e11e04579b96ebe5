// RoBERTa (Liu et al. 2019): BERT, whose places begin after that of the pad.
#include "core/checkpoints/families/encoders.h"

namespace hydra::family {

// Its arrays are called as BERT's are: known by their prefix, by the readout's names, or by the config.
bool holds_roberta(const Checkpoint& checkpoint) {
  const TensorFile& file = checkpoint.tensors;
  const bool named = file.find("roberta.embeddings.word_embeddings.weight") || file.find("lm_head.layer_norm.weight") ||
                     checkpoint.is_called("roberta") || checkpoint.is_called("xlm-roberta") ||
                     checkpoint.is_called("camembert");
  return named && holds_encoder(checkpoint, "roberta.", kBertNames);
}

Model read_roberta(const Checkpoint& checkpoint) {
  Parts parts(checkpoint.tensors, {"roberta."});
  checkpoint.leave_out(parts, {"pooler.", "classifier."});
  const Index pad = checkpoint.config.whole({"pad_token_id"}).value_or(1);
  if (pad < 0 || pad > 1'000'000) checkpoint.config.fail("pad_token_id", "must be the number of a word");
  Model model = read_encoder(checkpoint, parts, kBertNames, pad + 1);
  read_masked_readout(model, parts, checkpoint.config,
                      {"lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias"});
  parts.finish();
  return model;
}

}  // namespace hydra::family
