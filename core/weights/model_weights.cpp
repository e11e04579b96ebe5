#include "core/weights/model_weights.h"

#include <cmath>
#include <utility>

#include "core/linalg/random.h"
#include "core/text/embedding.h"

namespace hydra {

namespace {

template <class S, class W = ModelWeights<S>>
constexpr std::array<std::pair<Quantity, Array<S> W::*>, std::size(kModelWeights)> kModelFields{
    {{Quantity::E, &W::E},
     {Quantity::P, &W::P},
     {Quantity::T, &W::T},
     {Quantity::gain_E, &W::gain_E},
     {Quantity::shift_E, &W::shift_E},
     {Quantity::W_T, &W::W_T},
     {Quantity::b_T, &W::b_T},
     {Quantity::final_gain, &W::gain},
     {Quantity::final_shift, &W::shift},
     {Quantity::W_U, &W::W_U},
     {Quantity::b_U, &W::b_U}}};

template <class Weights, class S>
auto* model_field(Weights& weights, Quantity quantity) {
  for (const auto& [of, member] : kModelFields<S>)
    if (of == quantity) return &(weights.*member);
  return static_cast<decltype(&(weights.E))>(nullptr);
}

}  // namespace

template <class S>
Array<S>* field_of(ModelWeights<S>& weights, Quantity quantity) {
  return model_field<ModelWeights<S>, S>(weights, quantity);
}
template <class S>
const Array<S>* field_of(const ModelWeights<S>& weights, Quantity quantity) {
  return model_field<const ModelWeights<S>, S>(weights, quantity);
}
template Array<float>* field_of(ModelWeights<float>&, Quantity);
template Array<double>* field_of(ModelWeights<double>&, Quantity);
template const Array<float>* field_of(const ModelWeights<float>&, Quantity);
template const Array<double>* field_of(const ModelWeights<double>&, Quantity);

Array<float> share_model_weight(Quantity quantity, Mat<float> values) {
  return is_table(quantity) ? share_rows(std::move(values)) : share(std::move(values));
}

Array<float> initial_words(const Vocabulary& vocabulary, Index d_model, Init init, std::uint64_t seed) {
  Mat<float> E(vocabulary.size(), d_model);
  if (init == Init::xavier)
    E = hashed_embedding(vocabulary.words(), d_model, seed);
  else if (init == Init::identity)
    E.setIdentity();
  else
    E.setZero();
  return share_rows(std::move(E));
}

namespace {

// Of places or types, one for each.
Array<float> initial_rows(Quantity table, Index count, Index d_model, Init init, std::uint64_t seed) {
  Mat<float> rows(count, d_model);
  if (init == Init::identity) rows.setIdentity();
  if (init == Init::zero) rows.setZero();
  const std::uint64_t of_table = hash(entry_of(table).key, seed);
  for (Index i = 0; init == Init::xavier && i < count; ++i) {
    Random random(hash(std::to_string(i), of_table));
    for (Index c = 0; c < d_model; ++c) rows(i, c) = static_cast<float>(random.normal());
  }
  return share_rows(std::move(rows));
}

}  // namespace

Array<float> initial_places(Index places, Index d_model, Init init, std::uint64_t seed) {
  return initial_rows(Quantity::P, places, d_model, init, seed);
}
Array<float> initial_types(Index types, Index d_model, Init init, std::uint64_t seed) {
  return initial_rows(Quantity::T, types, d_model, init, seed);
}

Array<float> initial_transform(Index d_model, std::uint64_t seed) {
  Mat<float> W(d_model, d_model);
  Random random(hash(entry_of(Quantity::W_T).key, seed));
  const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(deviation * random.normal());
  return share(std::move(W));
}

Array<float> initial_readout(const NextWords& next_words, Index d_model, Init init, std::uint64_t seed) {
  Mat<float> W = Mat<float>::Zero(d_model, next_words.size());
  const Index words = next_words.words.size();
  const std::uint64_t of_readout = hash(entry_of(Quantity::W_U).key, seed);
  const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
  for (Index q = 0; q < next_words.parts(); ++q) {
    if (init == Init::identity) W.middleCols(next_words.first_of(q), words).setIdentity();
    const std::uint64_t of_question = q == 0 ? of_readout : hash(std::to_string(q), of_readout);
    for (Index j = next_words.first_of(q); init == Init::xavier && j < next_words.first_of(q + 1); ++j) {
      Random random(hash(next_words.word(j), of_question));
      for (Index k = 0; k < d_model; ++k) W(k, j) = static_cast<float>(deviation * random.normal());
    }
  }
  return share(std::move(W));
}

}  // namespace hydra
