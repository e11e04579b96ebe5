// Every field of what a document is made of, once: comparing documents, their stamps and counting what they hold go by
// this list. A field that is added does not compile until it stands here.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <map>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "core/document/document.h"
#include "core/linalg/same_bits.h"

namespace hydra {

inline auto fields(const CellValue& cell) {
  const auto& [row, col, value] = cell;
  return std::tie(row, col, value);
}
inline auto fields(const Embedding& embedding) {
  const auto& [kind, seed, positions, edits, words, slot, X, vocabulary, init] = embedding;
  return std::tie(kind, seed, positions, edits, words, slot, X, vocabulary, init);
}
inline auto fields(const ReadoutSource& source) {
  const auto& [vocabulary, questions, init, seed] = source;
  return std::tie(vocabulary, questions, init, seed);
}
inline auto fields(const ModelWeights<float>& weights) {
  const auto& [E, P, gain, shift, W_U, b_U] = weights;
  return std::tie(E, P, gain, shift, W_U, b_U);
}
inline auto fields(const FeatureWeight& feature) {
  const auto& [name, weight] = feature;
  return std::tie(name, weight);
}
inline auto fields(const Ask& ask) {
  const auto& [query, key, strength] = ask;
  return std::tie(query, key, strength);
}
inline auto fields(const Kernel& kernel) {
  const auto& [offset, strength, first_wave, waves] = kernel;
  return std::tie(offset, strength, first_wave, waves);
}
inline auto fields(const Write& write) {
  const auto& [reads, writes, strength] = write;
  return std::tie(reads, writes, strength);
}
inline auto fields(const HeadDesign& design) {
  const auto& [preset, asks, same_word, slot_word, kernels, place, sharpness, carries, writes] = design;
  return std::tie(preset, asks, same_word, slot_word, kernels, place, sharpness, carries, writes);
}
inline auto fields(const WeightSource& source) {
  const auto& [kind, init, seed, designs, gain, fingerprints] = source;
  return std::tie(kind, init, seed, designs, gain, fingerprints);
}
inline auto fields(const AttentionWeights<float>& weights) {
  const auto& [W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, gain_Q, gain_K, sink, W_G, w_G, P_L, P_W, lambda_q1, lambda_k1,
               lambda_q2, lambda_k2, gain_O, gain_1, shift_1, gain_2, shift_2, W_1, b_1, W_3, W_2, b_2] = weights;
  return std::tie(W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, gain_Q, gain_K, sink, W_G, w_G, P_L, P_W, lambda_q1,
                  lambda_k1, lambda_q2, lambda_k2, gain_O, gain_1, shift_1, gain_2, shift_2, W_1, b_1, W_3, W_2, b_2);
}
inline auto fields(const Mask& mask) {
  const auto& [kind, allowed, window] = mask;
  return std::tie(kind, allowed, window);
}
inline auto fields(const PaintedRow<float>& painted) {
  const auto& [row, values] = painted;
  return std::tie(row, values);
}
inline auto fields(const PaintedHead<float>& head) {
  const auto& [attention, values] = head;
  return std::tie(attention, values);
}
inline auto fields(const LayerSettings& settings) {
  const auto& [scale, temperature, residual, norm, norm_kind, norm_place, norm_epsilon, feed_forward,
               feed_forward_width, activation, gated, parallel, norm_shared, sink, output_gate, talking_heads,
               differential, lambda_0, window, soft_cap, alibi, alibi_slopes, qk_norm, rotary, rotary_base,
               rotary_width, rotary_pairs] = settings;
  return std::tie(scale, temperature, residual, norm, norm_kind, norm_place, norm_epsilon, feed_forward,
                  feed_forward_width, activation, gated, parallel, norm_shared, sink, output_gate, talking_heads,
                  differential, lambda_0, window, soft_cap, alibi, alibi_slopes, qk_norm, rotary, rotary_base,
                  rotary_width, rotary_pairs);
}
inline auto fields(const ModelSettings& settings) {
  const auto& [final_norm, final_norm_kind, final_norm_epsilon, readout] = settings;
  return std::tie(final_norm, final_norm_kind, final_norm_epsilon, readout);
}
inline auto fields(const Layer& layer) {
  const auto& [heads, group_size, own_width, mask, settings, source, weights, split, slice_factor, painted, gates] =
      layer;
  return std::tie(heads, group_size, own_width, mask, settings, source, weights, split, slice_factor, painted, gates);
}
inline auto fields(const Notes& notes) {
  const auto& [title, paragraphs, about] = notes;
  return std::tie(title, paragraphs, about);
}
inline auto fields(const Text& text) {
  const auto& [notes, sentence, tokens] = text;
  return std::tie(notes, sentence, tokens);
}
inline auto fields(const Model& model) {
  const auto& [d_model, embedding, settings, readout, weights, layers] = model;
  return std::tie(d_model, embedding, settings, readout, weights, layers);
}
inline auto fields(const Document& document) {
  struct Counted : Text, Model {
    decltype(Document::aside) aside;
  };
  static_assert(sizeof(Document) == sizeof(Counted));
  return std::tie(static_cast<const Text&>(document), static_cast<const Model&>(document), document.aside);
}

template <class T>
concept HasFields = requires(const T& value) {
  fields(value);
};
template <class T>
concept SharedMatrix = requires(const T& value) {
  value.owner(), value.column_stamps();
};
template <class T>
concept SharedWords = std::same_as<T, Vocabulary>;
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
          return std::apply([&](const auto&... of_b) { return (same(of_a, of_b) && ...); }, fields(b));
        },
        fields(a));
  } else if constexpr (SharedMatrix<T>) {
    return same_bits(a, b);
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
    std::apply([&](const auto&... field) { (add(key, field), ...); }, fields(value));
  } else if constexpr (SharedMatrix<T>) {
    key << value.stamp();
  } else if constexpr (SharedWords<T>) {
    key << value.stamp() << value.letter_case();
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
    return std::apply([&](const auto&... field) { return (held_bytes(field, visit) + ... + 0); }, fields(value));
  } else if constexpr (SharedMatrix<T>) {
    if (value) visit(value.owner().values.get(), value.owner().bytes);
    for (const auto* stamps : {&value.column_stamps(), &value.row_stamps()})
      if (*stamps) visit(stamps->get(), (*stamps)->size() * sizeof(Stamp));
    return 0;
  } else if constexpr (SharedWords<T>) {
    if (value.owner()) visit(value.owner(), value.bytes());
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
