// What the names of arrays say of what they are: the words that models give their parameters.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/model/site.h"

namespace hydra {

// "_attn_w_q_weight_": lower case, cut at points, capitals and numbers, so that wq, W_Q and Wq are the same.
std::string name_words(std::string_view name);
// Whether one of "q|query|to_q" stands in it as a word.
bool says(const std::string& words, std::string_view any);

// Of weights the biases that are added to their products.
inline constexpr std::pair<Quantity, Quantity> kBiasesOf[] = {
    {Quantity::W_Q, Quantity::b_Q}, {Quantity::W_K, Quantity::b_K}, {Quantity::W_V, Quantity::b_V},
    {Quantity::W_O, Quantity::b_O}, {Quantity::W_1, Quantity::b_1}, {Quantity::W_2, Quantity::b_2},
    {Quantity::W_U, Quantity::b_U}};

// What words say of a row: that it is a bias or a norm's shift; that it is of a norm; that it is a norm's gain.
bool is_shift(const std::string& words);
bool is_of_norm(const std::string& words);
bool is_gain(const std::string& words);

// Of a matrix: its own words, those of what it is part of, and those of others.
struct NameHint {
  Quantity place;
  bool of_layer;
  std::string_view own, around, against;
};
std::span<const NameHint> name_hints();
int score(const NameHint& hint, const std::string& words);  // how well they fit it; 0: not at all

// Of what is part of the heads, of the feed-forward part, and of queries, keys and values in one array.
inline constexpr std::string_view kOfHeads =
    "attn|attention|att|mha|mixer|self|heads|self_attn|selfattention|selfattn|mhsa|sa";
inline constexpr std::string_view kOfHidden = "mlp|ffn|ff|feed|feedforward|intermediate|fc|pwff|ffwd|hidden";
inline constexpr std::string_view kFused =
    "qkv|kqv|query_key_value|c_attn|in_proj|attn_in|in|to_qkv|w_qkv|packed|fused";

}  // namespace hydra
