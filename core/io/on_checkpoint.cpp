#include "core/io/on_checkpoint.h"

#include <filesystem>

#include "core/checkpoints/open_model.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/io/file.h"
#include "core/weights/model_weights.h"

namespace hydra {

namespace {

std::string last_part(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::path(path).lexically_normal();
  return (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
}

// As files tell what is written whole (io/document_text.h): half of a matrix, or more.
bool is_changed_whole(const Array<float>& values, const Array<float>& begins) {
  if (!values || !begins || values == begins) return false;
  if (values.rows() != begins.rows() || values.cols() != begins.cols()) return true;
  const Mat<float>&now = *values, &was = *begins;
  return 2 * (now.array() != was.array()).count() >= now.size();
}

bool has_sizes_of(const Model& model, const Model& other) {
  const auto same = [](const Array<float>& a, const Array<float>& b) {
    return bool(a) == bool(b) && (!a || (a.rows() == b.rows() && a.cols() == b.cols()));
  };
  if (model.d_model != other.d_model || model.layers.size() != other.layers.size()) return false;
  for (const Quantity p : kModelWeights)
    if (!same(*field_of(model.weights, p), *field_of(other.weights, p))) return false;
  for (std::size_t k = 0; k < model.layers.size(); ++k) {
    if (model.layers[k].heads != other.layers[k].heads) return false;
    for (const Quantity p : kWeights)
      if (!same(*field_of(model.layers[k].weights, p), *field_of(other.layers[k].weights, p))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> changed_whole(const Document& document) {
  std::vector<std::string> changed;
  const Model& begins = document.file->model;
  for (const Quantity p : kModelWeights)
    if (is_changed_whole(*field_of(document.weights, p), *field_of(begins.weights, p)))
      changed.push_back(entry_of(p).key);
  for (std::size_t k = 0; k < document.layers.size(); ++k) {
    const std::string layer = "layers." + std::to_string(k);
    const AttentionWeights<float>* in_file = weights_in_file(document, document.layers[k], k);
    if (!in_file) changed.push_back(layer);
    for (const Quantity p : kWeights)
      if (in_file && is_changed_whole(*field_of(document.layers[k].weights, p), *field_of(*in_file, p)))
        changed.push_back(layer + "." + entry_of(p).key);
  }
  return changed;
}

Document on_checkpoint(const Document& document, const std::string& path, bool with_edits) {
  const OpenedModel opened = open_model(path);
  if (!has_sizes_of(opened.document.file->model, document.file->model))
    throw InputError(printable(path, 200) + ": is another model than " + printable(document.file->path, 200) +
                     ": its arrays have other sizes");
  Document next;
  if (with_edits) {
    // As it would be written, but for where its model is: what it says differs from that is over whatever stands there.
    Document written = document;
    ModelFile there = *document.file;
    there.path = opened.document.file->path, there.sha256.clear();
    written.file = std::make_shared<const ModelFile>(std::move(there));
    next = parse_document(document_text(written), printable(path, 200));
  } else {
    next = opened.document;
    next.sentence = document.sentence, next.tokens = document.tokens, next.pads = document.pads;
    next.marks = document.marks;
    next.embedding.words = document.embedding.words;
  }
  next.notes = document.notes;
  if (next.notes.title == printable(last_part(document.file->path), 80))
    next.notes.title = printable(last_part(path), 80);
  return next;
}

}  // namespace hydra
