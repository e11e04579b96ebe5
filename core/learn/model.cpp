#include "core/learn/model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/document/evaluate.h"
#include "core/document/fingerprints.h"
#include "core/document/model.h"
#include "core/error.h"
#include "core/learn/task.h"
#include "core/text/embedding.h"

namespace hydra::learn {

namespace {

std::string of_layer(int layer) { return "layer " + std::to_string(layer + 1); }

// What lanes do not compute.
void check_trainable(const Document& document, const Running& running) {
  if (document.embedding.kind != Embedding::Kind::learned)
    throw InputError("the words are no rows of a table, so they cannot learn; set the embedding's kind to learned");
  if (!document.embedding.edits.empty())
    throw InputError("numbers of X are set by hand, where training would pass them by; undo them first");
  if (running.length > kMostPlaces)
    throw InputError("a sequence has " + std::to_string(running.length) + " tokens; training runs at most " +
                     std::to_string(kMostPlaces));
  const ModelSettings& s = document.settings;
  const auto refuse = [](const std::string& part, const std::string& remedy) {
    throw InputError(part + ", which is not trained here; " + remedy);
  };
  if (s.types > 0) refuse("the model has types of tokens", "set their number to 0");
  if (s.embedding_norm) refuse("the model norms its embedding", "take that norm away");
  if (s.transform && !running.square) refuse("the readout has a transform before it", "take that away");
  if (s.logit_cap != 0 && !running.square) refuse("the logits are capped", "set the cap to 0");
  if (!running.square && document.settings.readout == ReadoutKind::none)
    throw InputError("the model has no readout, so it gives no answers; give it one");
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
    const Layer& layer = document.layer(k);
    if (layer.split == Split::slice)
      throw InputError("the heads of " + of_layer(k) + " read slices, which are not trained; let them project");
    for (const PaintedHead<float>& head : layer.painted)
      if (!head.empty())
        throw InputError("a head of " + of_layer(k) + " has rows set by hand, which are not trained; clear them first");
    if (layer.mask.kind == Mask::Kind::custom && layer.mask.allowed.rows() < running.length)
      throw InputError("the mask of " + of_layer(k) + " is drawn for " + std::to_string(layer.mask.allowed.rows()) +
                       " tokens, and the sequences have " + std::to_string(running.length));
  }
}

lanes::LayerShape layer_shape(const Document& document, int k, Index pads) {
  const Layer& layer = document.layer(k);
  LayerInput<double> rules;  // what of a layer's input the rules are made of
  rules.heads = layer.heads;
  rules.settings = layer.settings;
  rules.own = layer.terms(pads);
  rules.weights.W_Q = share(Mat<double>(Mat<double>::Zero(1, layer.concat_width(document.d_model))));
  lanes::LayerShape shape;
  shape.settings = layer.settings;
  shape.widths = layer.widths(document.d_model);
  shape.kv_heads = layer.kv_heads();
  shape.kv_of = layer.kv_of;
  shape.mask = layer.seen(pads);
  shape.factor = rules.score_factor(0);
  for (Index h = 0; h < std::ssize(rules.own); ++h) {
    shape.own_masks.push_back(rules.mask_of(h));
    shape.own_factors.push_back(rules.score_factor(h));
  }
  if (layer.settings.alibi)
    for (Index h = 0; h < layer.heads; ++h) shape.slopes.push_back(scores::slope_of(layer.settings, h, layer.heads));
  for (const Quantity parameter : program_of(layer.settings).parameters)
    if (!*field_of(layer.weights, parameter)) shape.without.push_back(parameter);
  return shape;
}

}  // namespace

lanes::Shape shape_of(const Document& document, const Running& running) {
  check_trainable(document, running);
  lanes::Shape shape;
  shape.settings = document.settings;
  shape.widths = widths_of(document);
  shape.questions = next_words_of(document).parts();
  shape.widths.next_words /= shape.questions;
  shape.places_learn = document.embedding.positions == Embedding::Positions::learned;
  if (document.embedding.positions == Embedding::Positions::none) shape.widths.places = 0;
  if (document.embedding.positions == Embedding::Positions::sinusoidal) shape.widths.places = running.length;
  if (shape.places_learn && shape.widths.places < running.length)
    throw InputError("the table of places has " + std::to_string(shape.widths.places) +
                     " rows, and the sequences have " + std::to_string(running.length) + " tokens");
  if (running.places_stay) shape.frozen.push_back(Quantity::P);
  shape.with_bias = static_cast<bool>(document.weights.b_U);
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k)
    shape.layers.push_back(layer_shape(document, k, running.pads));
  shape.length = running.length, shape.slots = running.slots;
  shape.relations = running.relations, shape.some_are_shorter = running.some_are_shorter;
  shape.square = running.square, shape.controls = running.controls;
  shape.gates = running.gates, shape.alike = running.alike;
  return shape;
}

namespace {

template <class S>
void put(const Array<float>& from, std::span<S> to) {
  if (!from) {  // a bias that is left out
    std::ranges::fill(to, S(0));
    return;
  }
  const Mat<float> values = *from;
  std::transform(values.data(), values.data() + std::min<Index>(values.size(), static_cast<Index>(to.size())),
                 to.begin(), [](float v) { return static_cast<S>(v); });
}

const Array<float>* field_of(const Document& document, const Site& site) {
  if (is_of_model(site.quantity)) return field_of(document.weights, site.quantity);
  return field_of(document.layer(site.layer).weights, site.quantity);
}

// to(place): where its numbers go.
template <class S, class To>
void read(const Document& document, const lanes::Compiled& compiled, S open, const To& to) {
  for (const lanes::ParameterPlace& place : compiled.parameters()) {
    const std::span<S> numbers = to(place);
    if (place.gate_logits)
      std::ranges::fill(numbers, open);
    else if (place.site.quantity == Quantity::positions)
      put(share(sinusoidal_positions(place.rows, place.cols)), numbers);
    else
      put(*field_of(document, place.site), numbers);
  }
}

}  // namespace

template <class S>
void read_parameters(const Document& document, lanes::Executor<S>& executor) {
  read(document, executor.compiled(), static_cast<S>(kOpenLogit),
       [&](const lanes::ParameterPlace& place) { return executor.parameter(place); });
}
template void read_parameters(const Document&, lanes::Executor<float>&);
template void read_parameters(const Document&, lanes::Executor<double>&);

std::vector<float> parameters_of(const Document& document, const lanes::Compiled& compiled) {
  std::vector<float> all(static_cast<std::size_t>(compiled.plan().parameters));
  read(document, compiled, kOpenLogit, [&](const lanes::ParameterPlace& place) {
    return std::span(all).subspan(static_cast<std::size_t>(place.at), static_cast<std::size_t>(place.count()));
  });
  return all;
}

bool has_all(const lanes::Compiled& compiled, const Document& document) {
  const auto known = [&](const Array<float>& values, const Site& site) { return !values || compiled.find(site); };
  for (const Quantity p : kModelWeights)
    if (!known(*field_of(document.weights, p), {p, 0})) return false;
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k)
    for (const Quantity p : kWeights)
      if (!known(*field_of(document.layer(k).weights, p), {p, k})) return false;
  return true;
}

std::vector<double> gates_of(const Document& document) {
  Index most = 0;
  bool any = false;
  for (const Layer& layer : document.layers) most = std::max(most, layer.heads), any |= !layer.gates.empty();
  if (!any) return {};
  std::vector<double> gates(document.layers.size() * static_cast<std::size_t>(most), 1);
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    std::ranges::copy(document.layers[k].gates, gates.begin() + static_cast<std::ptrdiff_t>(k) * most);
  return gates;
}

void put_gates(Document& document, const std::vector<double>& gates) {
  Index most = 0;
  for (const Layer& layer : document.layers) most = std::max(most, layer.heads);
  for (std::size_t k = 0; k < document.layers.size(); ++k) {
    Layer& layer = document.layers[k];
    layer.gates.clear();
    for (Index h = 0; h < layer.heads && !gates.empty(); ++h)
      layer.gates.push_back(
          static_cast<float>(gates[k * static_cast<std::size_t>(most) + static_cast<std::size_t>(h)]));
  }
}

double gate_of(double logit) { return std::clamp(1.2 / (1 + std::exp(-logit)) - 0.1, 0.0, 1.0); }

namespace {

// What was gated by hand stays so.
void gate(Layer& layer, std::span<const float> logits) {
  std::vector<float> gates = layer.gates;
  gates.resize(static_cast<std::size_t>(layer.heads), 1);
  for (std::size_t h = 0; h < gates.size(); ++h)
    gates[h] *= static_cast<float>(gate_of(static_cast<double>(logits[h])));
  layer.gates = std::move(gates);
}

}  // namespace

Document with_parameters(const Document& document, const lanes::Compiled& compiled,
                         const std::shared_ptr<const std::vector<float>>& numbers) {
  Document changed = document;
  for (const lanes::ParameterPlace& place : compiled.parameters()) {
    if (place.gate_logits) {
      gate(changed.layer(place.site.layer), {numbers->data() + place.at, static_cast<std::size_t>(place.count())});
      continue;
    }
    if (place.site.quantity == Quantity::positions) continue;
    const Array<float> values({numbers, numbers->size() * sizeof(float)}, numbers->data() + place.at, place.rows,
                              place.cols, place.cols, new_stamp());
    const Quantity quantity = place.site.quantity;
    if (is_of_model(quantity)) {
      // A table tells its rows apart, so that a word that does not occur changes nothing.
      const auto rows = std::make_shared<const std::vector<Stamp>>(new_stamps(place.rows));
      *hydra::field_of(changed.weights, quantity) = is_table(quantity) ? values.with_row_stamps(rows) : values;
      continue;
    }
    Layer& layer = changed.layer(place.site.layer);
    *hydra::field_of(layer.weights, quantity) = with_part_stamps(quantity, values);
  }
  return changed;
}

void mark_layers(Document& document, WeightSource::Kind kind) {
  for (Layer& layer : document.layers) mark(layer, kind);
}

}  // namespace hydra::learn
