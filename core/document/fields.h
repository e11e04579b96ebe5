// Every field of what a document is made of, once and by its name: comparing documents, their stamps, counting what
// they hold and the spelling of actions go by this list. A field that is added does not compile until it stands here.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <map>
#include <string_view>
#include <type_traits>

#include "core/design/design_fields.h"
#include "core/document/document.h"
#include "core/document/model_file.h"
#include "core/json/named.h"
#include "core/linalg/same_bits.h"

namespace hydra {

HYDRA_NAMED(CellValue, row, col, value)
HYDRA_NAMED(Embedding, kind, seed, positions, edits, words, slot, X, vocabulary, init)
HYDRA_NAMED(ReadoutSource, vocabulary, questions, init, seed)
HYDRA_NAMED(ModelWeights<float>, E, P, T, gain_E, shift_E, W_T, b_T, gain, shift, W_U, b_U)
HYDRA_NAMED(WeightSource, kind, init, seed, designs, gain, fingerprints)
HYDRA_NAMED(AttentionWeights<float>, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, gain_Q, gain_K, sink, W_G, w_G, P_L, P_W,
            offset_bias, lambda_q1, lambda_k1, lambda_q2, lambda_k2, gain_O, gain_1, shift_1, gain_2, shift_2, W_1, b_1,
            W_3, W_2, b_2, gain_Y, shift_Y, gain_F, shift_F, kv_of)
HYDRA_NAMED(Mask, kind, allowed, window, first)
HYDRA_NAMED(PaintedRow<float>, row, values)
HYDRA_NAMED(PaintedHead<float>, attention, values)
HYDRA_NAMED(LayerSettings, scale, temperature, residual, norm, norm_kind, norm_place, norm_epsilon, feed_forward,
            feed_forward_width, activation, gated, parallel, norm_shared, sink, output_gate, talking_heads,
            differential, lambda_0, window, soft_cap, alibi, alibi_slopes, offset_bias, offset_reach, dropout,
            dropout_seed, qk_norm, qk_norm_over, rotary, rotary_base, rotary_width, rotary_pairs, rotary_scaling,
            rotary_factor, rotary_length, rotary_slow_turns, rotary_fast_turns, rotary_magnitude)
HYDRA_NAMED(HeadRule, head, mask, window, temperature)
HYDRA_NAMED(ModelSettings, types, embedding_norm, embedding_norm_kind, embedding_norm_epsilon, transform,
            transform_activation, final_norm, final_norm_kind, final_norm_epsilon, readout, logit_cap)
HYDRA_NAMED(Layer, heads, group_size, kv_of, own_width, mask, settings, own, source, weights, split, slice_factor,
            painted, gates)
HYDRA_NAMED(Notes, title, paragraphs, about)
HYDRA_NAMED(GoldPair, from, to)
HYDRA_NAMED(MarkedRelation, name, pairs)
HYDRA_NAMED(MarkedText, sentence, tokens, relations)
HYDRA_NAMED(Pads, count, placed)
HYDRA_NAMED(Text, notes, sentence, tokens, pads, marks)
// By which its model and tokenizer are known.
inline auto named(const ModelFile& file) { return fields_named("path, sha256", file.path, file.sha256); }
HYDRA_NAMED(Model, d_model, embedding, settings, readout, weights, layers, file)
inline auto named(const Document& document) {
  struct Counted : Text, Model {
    decltype(Document::aside) aside;
  };
  static_assert(sizeof(Document) == sizeof(Counted));
  return fields_named("text, model, aside", static_cast<const Text&>(document), static_cast<const Model&>(document),
                      document.aside);
}

template <class T>
concept HasFields = requires(const T& value) {
  named(value);
};
template <class T>
concept SharedMatrix = requires(const T& value) {
  value.owner(), value.column_stamps();
};
template <class T>
concept SharedWords = std::same_as<T, Vocabulary>;
template <class T>
concept Shared = requires(const T& value) {
  typename T::element_type;
  value.use_count();
};
template <class T>
concept Optional = requires(const T& value) {
  value.has_value();
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};
template <class T>
concept List = !Map<T> && !SharedMatrix<T> && requires(const T& value) {
  value.begin(), value.size();
};

// The same to the last bit, whoever owns the matrices.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (HasFields<T>) {
    return std::apply(
        [&](const auto&... of_a) {
          return std::apply([&](const auto&... of_b) { return (same(of_a, of_b) && ...); }, named(b).values);
        },
        named(a).values);
  } else if constexpr (SharedMatrix<T>) {
    return same_bits(a, b);
  } else if constexpr (Shared<T>) {
    return a == b || (a && b && same(*a, *b));
  } else if constexpr (Optional<T>) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  } else if constexpr (List<T>) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& p, const auto& q) { return same(p, q); });
  } else if constexpr (std::is_floating_point_v<T>) {
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

// All that a value says, in the order of its fields; lists with how long they are.
template <class T>
void add(Key& key, const T& value) {
  if constexpr (HasFields<T>) {
    std::apply([&](const auto&... field) { (add(key, field), ...); }, named(value).values);
  } else if constexpr (SharedMatrix<T>) {
    key << value.stamp();
  } else if constexpr (SharedWords<T>) {
    key << value.stamp() << value.letter_case();
  } else if constexpr (Shared<T>) {
    key << static_cast<bool>(value);
    if (value) add(key, *value);
  } else if constexpr (Optional<T>) {
    key << value.has_value();
    if (value) add(key, *value);
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    key << std::string_view(value);
  } else if constexpr (Map<T>) {
    key << value.size();
    for (const auto& [name, mapped] : value) add(key, name), add(key, mapped);
  } else if constexpr (List<T>) {
    key << value.size();
    for (const auto& element : value) add(key, element);
  } else if constexpr (std::is_floating_point_v<T>) {
    key << static_cast<double>(value);
  } else {
    key << value;
  }
}

// What a value holds outside of itself, in bytes, without shared matrices; for those visit(address, bytes) is called.
template <class T, class Visit>
std::size_t held_bytes(const T& value, const Visit& visit) {
  if constexpr (HasFields<T>) {
    return std::apply([&](const auto&... field) { return (held_bytes(field, visit) + ... + 0); }, named(value).values);
  } else if constexpr (SharedMatrix<T>) {
    if (value) visit(value.owner().values.get(), value.owner().bytes);
    for (const auto* stamps : {&value.column_stamps(), &value.row_stamps()})
      if (*stamps) visit(stamps->get(), (*stamps)->size() * sizeof(Stamp));
    return 0;
  } else if constexpr (SharedWords<T>) {
    if (value.owner()) visit(value.owner(), value.bytes());
    return 0;
  } else if constexpr (Shared<T>) {
    if (value) visit(value.get(), held_bytes(value->model, visit));
    return 0;
  } else if constexpr (Optional<T>) {
    return value ? held_bytes(*value, visit) : 0;
  } else if constexpr (Map<T>) {
    std::size_t sum = 0;
    constexpr std::size_t node = sizeof(typename T::value_type) + 4 * sizeof(void*);
    for (const auto& [key, mapped] : value) sum += node + held_bytes(key, visit) + held_bytes(mapped, visit);
    return sum;
  } else if constexpr (List<T>) {
    using Element = typename T::value_type;
    std::size_t sum = value.capacity() * sizeof(Element);
    if constexpr (!std::is_trivially_copyable_v<Element>)
      for (const Element& element : value) sum += held_bytes(element, visit);
    return sum;
  } else {
    return 0;
  }
}

}  // namespace hydra
