// The weights that are of no layer: tables by which words, places and types are read in, the norms' rows, and what
// reads words out (model/readout.cpp).
#pragma once
#include "core/text/next_words.h"
#include "core/weights/weights.h"

namespace hydra {

template <class S>
struct ModelWeights {
  Array<S> E{}, P{}, T{};        // [words x d_model], [places x d_model], [types x d_model]
  Array<S> gain_E{}, shift_E{};  // [1 x d_model], of the norm after them
  Array<S> W_T{}, b_T{};         // [d_model x d_model], and a bias or none: of the transform
  Array<S> gain{}, shift{};      // [1 x d_model], of the final norm
  Array<S> W_U{}, b_U{};         // [d_model x columns of the readout (next_words.h)], and a bias or none
};

// In the order of files.
inline constexpr Quantity kModelWeights[] = {Quantity::E,           Quantity::P,   Quantity::T,   Quantity::gain_E,
                                             Quantity::shift_E,     Quantity::W_T, Quantity::b_T, Quantity::final_gain,
                                             Quantity::final_shift, Quantity::W_U, Quantity::b_U};
// A row of it for each word, place or type.
constexpr bool is_table(Quantity quantity) {
  return quantity == Quantity::E || quantity == Quantity::P || quantity == Quantity::T;
}

// The field of a weight or bias; null when the quantity is neither of them.
template <class S>
Array<S>* field_of(ModelWeights<S>& weights, Quantity quantity);
template <class S>
const Array<S>* field_of(const ModelWeights<S>& weights, Quantity quantity);

// How wide the axes of a model's parameters are.
struct ModelWidths {
  Index d_model = 0, words = 0, places = 0, next_words = 0, types = 0;
  Index rows(Quantity parameter) const { return along(entry_of(parameter).rows); }
  Index cols(Quantity parameter) const { return along(entry_of(parameter).cols); }

 private:
  Index along(Axis axis) const {
    return axis == Axis::one         ? 1
           : axis == Axis::word      ? words
           : axis == Axis::place     ? places
           : axis == Axis::type      ? types
           : axis == Axis::next_word ? next_words
                                     : d_model;
  }
};

// Tables tell their rows apart, so that a word that does not occur changes nothing.
Array<float> share_model_weight(Quantity quantity, Mat<float> values);

// What tables and readouts begin as. By their seed: a row of E is what hashed words have, and every number of a table
// normal with variance 1; of W_U normal with variance 1 / d_model, so that logits of a normed row spread by about 1.
// Every word and every place has its numbers whatever others there are, so a longer table begins with the shorter one;
// so has every question by its place, the first one those of a readout that has no other.
// identity: word k is column k of X, for every question; zero. Gains are ones, shifts zeros, biases none.
Array<float> initial_words(const Vocabulary& vocabulary, Index d_model, Init init, std::uint64_t seed);
Array<float> initial_places(Index places, Index d_model, Init init, std::uint64_t seed);
// Types as places, by numbers of their own.
Array<float> initial_types(Index types, Index d_model, Init init, std::uint64_t seed);
// W_T, normal with variance 1 / d_model.
Array<float> initial_transform(Index d_model, std::uint64_t seed);
Array<float> initial_readout(const NextWords& next_words, Index d_model, Init init, std::uint64_t seed);

}  // namespace hydra
