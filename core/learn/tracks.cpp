#include "core/learn/tracks.h"

#include <algorithm>
#include <limits>

#include "core/analysis/stream/composition.h"

namespace hydra::learn {

namespace {

std::size_t at(Index place) { return static_cast<std::size_t>(place); }

// What composition reads of a layer: its weights.
LayerInput<float> weights_of(const Document& document, int k) {
  const Layer& layer = document.layer(k);
  LayerInput<float> input;
  input.X = share(Mat<float>(Mat<float>::Zero(1, document.d_model)));
  input.weights = layer.weights;
  input.weights.kv_of = layer.kv_of;
  input.heads = layer.heads;
  input.group_size = layer.group_size;
  input.settings = layer.settings;
  return input;
}

}  // namespace

Tracks tracks_of(const TaskInfo& info, const Document& document) {
  Tracks tracks;
  tracks.questions = info.shape.questions;
  tracks.relations = info.shape.relations;
  tracks.layers = static_cast<Index>(document.layers.size());
  for (const Layer& layer : document.layers) tracks.heads = std::max(tracks.heads, layer.heads);
  return tracks;
}

void write_scores(const Tracks& tracks, const Document& document, const Scores& scores, std::span<float> row) {
  std::ranges::fill(row, std::numeric_limits<float>::quiet_NaN());
  const auto put = [&](Index place, double value) { row[at(place)] = static_cast<float>(value); };
  put(tracks.loss(), scores.loss);
  put(tracks.accuracy(), scores.accuracy);
  put(tracks.gradient_norm(), scores.gradient_norm);
  for (std::size_t q = 0; q < scores.by_question.size(); ++q)
    put(tracks.question(static_cast<Index>(q)), scores.by_question[q]);
  for (std::size_t k = 0; k < scores.masses.size(); ++k)
    row[at(tracks.mass(0, 0, 0)) + k] = static_cast<float>(scores.masses[k]);
  for (std::size_t k = 0; k < scores.alike.size(); ++k) put(tracks.alike(static_cast<Index>(k)), scores.alike[k]);
  auto gate = scores.gates.begin();
  for (Index k = 0; k < tracks.layers && gate != scores.gates.end(); ++k)
    for (Index h = 0; h < document.layer(k).heads; ++h) put(tracks.gate(k, h), *gate++);
  if (scores.head_gradients.empty()) return;
  auto from = scores.head_gradients.begin();
  for (Index k = 0; k < tracks.layers; ++k)
    for (Index h = 0; h < document.layer(k).heads; ++h)
      for (Index m = 0; m < Tracks::kMatrices; ++m) put(tracks.gradient(k, h, m), *from++);
}

void write_held_out(const Tracks& tracks, const Scores& scores, double split_accuracy, std::span<float> row) {
  row[at(tracks.held_out_loss())] = static_cast<float>(scores.loss);
  row[at(tracks.held_out_accuracy())] = static_cast<float>(scores.accuracy);
  row[at(tracks.split_accuracy())] = static_cast<float>(split_accuracy);
}

void write_composition(const Tracks& tracks, const Document& document, std::span<float> row) {
  for (int k = 0; k + 1 < static_cast<int>(tracks.layers); ++k) {
    const LayerReads reads = reads_of(weights_of(document, k + 1));
    const Mat<double> scores = composition_scores(writes_of(weights_of(document, k)), reads.key);
    for (Index h = 0; h < scores.rows(); ++h)
      for (Index g = 0; g < scores.cols(); ++g) row[at(tracks.composition(k, h, g))] = static_cast<float>(scores(h, g));
  }
}

}  // namespace hydra::learn
