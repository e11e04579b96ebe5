#include "core/document/model_file.h"

#include "core/model/program.h"

namespace hydra {

const AttentionWeights<float>* weights_in_file(const Model& model, const Layer& now, std::size_t place) {
  if (!model.file || place >= model.file->model.layers.size()) return nullptr;
  const Layer& then = model.file->model.layers[place];
  const Index d_model = model.d_model;
  if (d_model != model.file->model.d_model) return nullptr;
  const LayerWidths widths = now.widths(d_model), in_file = then.widths(d_model);
  const LayerProgram &program = program_of(now.settings), &of_file = program_of(then.settings);
  for (const Quantity p : kWeights) {
    if (program.has(p) != of_file.has(p)) return nullptr;
    if (program.has(p) && (widths.rows(p) != in_file.rows(p) || widths.cols(p) != in_file.cols(p))) return nullptr;
  }
  return &then.weights;
}

bool reads_in_as_file(const Model& model) {
  return model.file && model.embedding.kind == Embedding::Kind::learned &&
         model.embedding.vocabulary == model.file->model.embedding.vocabulary;
}

bool reads_out_as_file(const Model& model) {
  if (!model.file || model.settings.readout != model.file->model.settings.readout) return false;
  return model.settings.readout == ReadoutKind::tied
             ? reads_in_as_file(model)
             : model.readout.vocabulary == model.file->model.readout.vocabulary && model.readout.questions.size() == 0;
}

const Tokenizer* tokenizer_of(const Model& model) {
  return reads_in_as_file(model) ? model.file->tokenizer.get() : nullptr;
}

}  // namespace hydra
