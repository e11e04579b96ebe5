#include "core/analysis/cost.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

#include "core/analysis/published.h"
#include "core/document/document.h"

using namespace hydra;

TEST_CASE("cost: the weights of a layer are those it has", "[core][cost]") {
  const Document document = default_document();
  const AttentionWeights<float>& w = document.layers[0].weights;
  const auto numbers = static_cast<double>(w.W_Q->size() + w.W_K->size() + w.W_V->size() + w.W_O->size());
  for (const Index heads : {1, 2, 8, 64}) CHECK(weight_count(sizes_of(64, heads, heads)) == numbers);
  // Two key/value heads of eight: W_K and W_V a quarter as wide.
  CHECK(weight_count({64, 8, 2, 8}) == 64 * 64 * 2 + 64 * 16 * 2);
}

namespace {

// A layer computed with loops, its multiply-adds counted one by one.
MultiplyAdds counted(Index n, Index d_model, Index heads, Index kv_heads) {
  const Index d_k = d_model / heads;
  MultiplyAdds count;
  for (Index t = 0; t < n; ++t)
    for (Index column = 0; column < (heads + 2 * kv_heads) * d_k; ++column)
      for (Index k = 0; k < d_model; ++k) ++count.projections;
  for (Index h = 0; h < heads; ++h)
    for (Index query = 0; query < n; ++query)
      for (Index key = 0; key < n; ++key)
        for (Index k = 0; k < d_k; ++k) ++count.scores, ++count.weighted_sum;
  for (Index t = 0; t < n; ++t)
    for (Index column = 0; column < d_model; ++column)
      for (Index k = 0; k < heads * d_k; ++k) ++count.output;
  return count;
}

}  // namespace

TEST_CASE("cost: multiply-adds as counted in a loop", "[core][cost]") {
  for (const Index heads : {1, 2, 4, 8})
    for (const Index kv_heads : {heads, Index(1)}) {
      const MultiplyAdds count = counted(5, 8, heads, kv_heads);
      LayerSizes sizes = sizes_of(8, heads, heads);
      sizes.kv_heads = static_cast<double>(kv_heads);
      const MultiplyAdds formula = multiply_adds_of(sizes, 5);
      CHECK(formula.projections == count.projections);
      CHECK(formula.scores == count.scores);
      CHECK(formula.weighted_sum == count.weighted_sum);
      CHECK(formula.output == count.output);
      CHECK(formula.total() == count.projections + count.scores + count.weighted_sum + count.output);
    }
}

TEST_CASE("cost: a step with a cache is the last token's part", "[core][cost]") {
  const LayerSizes sizes = sizes_of(64, 8, 8);
  // All tokens at once cost n steps of n tokens each.
  const MultiplyAdds step = decoding_step(sizes, 10), all = multiply_adds_of(sizes, 10);
  CHECK(10 * step.total() == all.total());
  CHECK(kv_cache_bytes({4096, 32, 32, 128}, 4096, 32, 2) == 2147483648.0);  // Llama 2 7B at 4096 tokens, fp16: 2 GiB
  CHECK(kv_cache_bytes({8192, 64, 8, 128}, 4096, 80, 2) == 1342177280.0);   // Llama 2 70B, 8 of 64: 1.25 GiB
}

TEST_CASE("published models: whole, by year, each with its source", "[core][cost]") {
  std::set<std::string> names;
  int year = 0;
  for (const PublishedModel& model : published_models()) {
    CAPTURE(model.name);
    CHECK(names.insert(model.name).second);
    CHECK(model.year >= year);
    year = model.year;
    CHECK(std::string(model.source).find("20") != std::string::npos);
    CHECK(model.layers > 0);
    CHECK(std::fmod(model.sizes.heads, model.sizes.kv_heads) == 0);
  }
  // The sources' table: heads times their width is the model's width.
  for (const char* name : {"BERT-base", "GPT-3 175B", "Llama 2 7B", "Llama 2 70B"}) CHECK(names.count(name) == 1);
}
