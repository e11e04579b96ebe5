#include "core/document/models.h"

#include <algorithm>
#include <utility>

#include "core/document/fingerprints.h"
#include "core/document/limits.h"
#include "core/document/model.h"
#include "core/document/slices.h"
#include "core/document/stack.h"
#include "core/error.h"
#include "core/text/wording.h"

namespace hydra {

ModelKind kind_of(const Model& model) {
  const auto any = [&](const auto& is) {
    return std::ranges::any_of(model.layers, [&](const Layer& layer) { return is(layer.source); });
  };
  if (any([](const WeightSource& source) { return source.kind == WeightSource::Kind::trained; }))
    return ModelKind::trained;
  if (any([](const WeightSource& source) { return !source.designs.empty(); })) return ModelKind::designed;
  if (any([](const WeightSource& source) { return source.kind == WeightSource::Kind::explicit_values; }))
    return ModelKind::given;
  return ModelKind::untrained;
}

std::string name_of(ModelKind kind) {
  constexpr const char* names[] = {"untrained", "designed", "trained", "given"};
  return names[static_cast<std::size_t>(kind)];
}

const std::string& word_of(ModelKind kind) {
  constexpr const char* keys[] = {"document:model.untrained", "document:model.designed", "document:model.trained",
                                  "document:model.given"};
  return wording(keys[static_cast<std::size_t>(kind)]);
}

Document with_model(const Document& document, const Model& model) {
  Document changed;
  static_cast<Text&>(changed) = document;
  static_cast<Model&>(changed) = model;
  return changed;
}

Index count_aside(const Document& document, ModelKind kind) {
  return std::ranges::count_if(document.aside, [&](const Model& model) { return kind_of(model) == kind; });
}

namespace {

bool is_as_drawn(const Layer& layer) {
  return is_untrained(layer) ||
         (layer.source.kind == WeightSource::Kind::drawn && layer.source.fingerprints == fingerprints_of(layer));
}

bool can_be_made(const Document& document, ModelKind kind) {
  return kind == ModelKind::untrained && !std::ranges::all_of(document.layers, is_as_drawn);
}

// The tables and the readout as their seeds give them, as many places as there are.
void draw_ends(Document& document) {
  const std::shared_ptr<const ModelFile> file = std::exchange(document.file, nullptr);  // whose numbers are no seed's
  for (const Quantity p : kModelWeights) {
    Array<float>& values = *field_of(document.weights, p);
    if (values) values = initial_parameter(document, p);
  }
  document.file = file;
}

// Seeds that are not those of a layer before, gains one after the other: each layer reads what those before give.
void draw_layers(Document& document) {
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
    Layer& layer = document.layer(k);
    layer.gates.clear();
    layer.painted.clear();
    const std::uint64_t seed = free_seed(document, k, layer.source.seed);
    layer.source = WeightSource();
    layer.source.seed = seed;
    layer.source.gain = untrained_gain(document, k);
    layer.weights = weights_of(layer.source, layer, document.columns());
  }
  renew_slice_factor(document);
}

Model untrained_model(const Document& document) {
  Document made = with_model(document, document);
  draw_ends(made);
  draw_layers(made);
  return made;
}

[[noreturn]] void refuse(ModelKind kind) {
  if (kind == ModelKind::untrained)
    throw InputError("these weights are the untrained ones; design or train heads first, then switch");
  throw InputError("there is no other " + name_of(kind) + " model; " +
                   (kind == ModelKind::trained    ? "train one first"
                    : kind == ModelKind::designed ? "design a head first"
                                                  : "open one that is given number by number"));
}

}  // namespace

bool can_switch(const Document& document, ModelKind kind) {
  return count_aside(document, kind) > 0 || can_be_made(document, kind);
}

std::optional<ModelKind> next_kind(const Document& document) {
  constexpr std::size_t kinds = std::size(kModelKinds);
  const auto present = static_cast<std::size_t>(kind_of(document));
  for (std::size_t step = 1; step <= kinds; ++step)
    if (const ModelKind kind = kModelKinds[(present + step) % kinds]; can_switch(document, kind)) return kind;
  return std::nullopt;
}

void switch_model(Document& document, ModelKind kind) {
  const auto of_kind = [&](const Model& model) { return kind_of(model) == kind; };
  const auto there = std::ranges::find_if(document.aside, of_kind);
  if (there == document.aside.end() && !can_be_made(document, kind)) refuse(kind);
  Model taken;
  if (there != document.aside.end()) {
    taken = std::move(*there);
    document.aside.erase(there);
  } else {
    check_aside_count(document.aside.size() + 1);
    taken = untrained_model(document);
  }
  document.aside.push_back(std::move(static_cast<Model&>(document)));
  static_cast<Model&>(document) = std::move(taken);
}

}  // namespace hydra
