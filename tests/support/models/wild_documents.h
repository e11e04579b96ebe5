// Documents at the edges of what can be: one token, one head, heads of 1 to 4 d_model numbers, shared keys, 12 layers,
// every setting, and numbers that overflow in any stage.
#pragma once
#include "core/error.h"
#include "tests/core/document/random_edit.h"

namespace hydra::test {

// 1e30 to the largest float, of either sign: their products overflow.
inline float huge_number(Random& random) {
  const double size = std::pow(10.0, random.uniform(30, std::log10(3.4e38)));
  return static_cast<float>(below(random, 2) == 0 ? size : -size);
}

// As random_stack_edit has it, but some numbers of every fourth block are huge, and every fourth change of sizes makes
// heads wider than d_model.
inline Edit wild_edit(Random& random, const Document& document) {
  Edit edit = random_stack_edit(random, document);
  if (auto* block = std::get_if<SetBlock>(&edit.what); block && below(random, 4) == 0) {
    Mat<float> values = *block->values;
    for (Index k = 0; k < values.size(); ++k)
      if (values.size() == 1 || below(random, 4) == 0) values.data()[k] = huge_number(random);
    block->values = values.rows() == 1 ? share(RowVec<float>(values.row(0))) : share(std::move(values));
  }
  if (auto* sizes = std::get_if<SetHeadSizes>(&edit.what); sizes && below(random, 4) == 0)
    sizes->d_k = document.d_model * (1 + below(random, 4));
  return edit;
}

inline Document wild_document(std::uint64_t seed) {
  Random random(seed);
  const auto pick = [&](std::initializer_list<Index> of) { return of.begin()[below(random, std::ssize(of))]; };
  Document document = default_document();
  const auto attempt = [&](const Edit& edit) {
    try {
      document = apply(document, edit);
    } catch (const InputError&) {  // it does not go with what is there
    }
  };
  std::string sentence = "it";
  for (Index k = pick({0, 0, 1, 3, 8}); k > 0; --k)
    sentence += below(random, 2) == 0 ? " the" : " é" + std::to_string(k);
  attempt(SetSentence{sentence});
  attempt(SetModelWidth{pick({1, 2, 4, 6, 8, 32})});
  if (below(random, 3) == 0) attempt(SetEmbedding{static_cast<Embedding::Kind>(pick({0, 1, 3})), random.bits()});
  for (Index k = pick({0, 3, 6}); k > 0; --k) attempt(random_model_edit(random, document));
  const Index layers = pick({1, 2, 2, 3, 12});
  for (int at = 0; at < layers; ++at) {
    if (at > 0) attempt({AddLayer{}, at - 1});
    const Index heads = pick({1, 1, 2, 3, 4});
    const Index d_model = document.d_model;
    if (below(random, 4) != 0) attempt({SetHeadSizes{heads, pick({1, 2, d_model, 2 * d_model, 4 * d_model})}, at});
    if (below(random, 3) == 0) attempt({SetKvHeads{1}, at});
    attempt({SetMask{mask_to_set(random, static_cast<Index>(tokens_of(document).size()))}, at});
    for (Index k = pick({0, 4, 40}); k > 0; --k) {
      Edit setting = random_setting(random);
      setting.layer = at;
      attempt(setting);
    }
    if (below(random, 6) == 0) attempt({SetWeightSource{static_cast<Init>(below(random, 3)), random.bits()}, at});
    if (below(random, 6) == 0) attempt({SetSplit{Split::slice, below(random, 2) == 0}, at});
  }
  for (Index k = pick({0, 2, 8}); k > 0; --k) {
    const Edit edit = wild_edit(random, document);
    if (!std::holds_alternative<SetSentence>(edit.what) && !std::holds_alternative<SetModelWidth>(edit.what))
      attempt(edit);
  }
  for (Index k = pick({0, 0, 1, 4}); k > 0; --k) {
    Edit edit = random_block_edit(random, document);
    auto& block = std::get<SetBlock>(edit.what);
    Mat<float> values = *block.values;
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = huge_number(random);
    block.values = share(std::move(values));
    edit.layer = 0;
    attempt(edit);
  }
  if (seed % 5 == 3) attempt(SetPads{{1 + static_cast<Index>(seed / 5 % 3), seed % 2 == 0}});
  return document;
}

}  // namespace hydra::test
