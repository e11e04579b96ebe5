#include "core/analysis/cost/cost.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "core/analysis/cost/published.h"
#include "core/attention/ways.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/linalg/matmul.h"
#include "core/model/program.h"
#include "tests/support/models/layers.h"

using namespace hydra;

namespace {

// Of heads of d_model / heads.
LayerSizes sizes_of(Index d_model, Index heads, Index kv_heads) {
  const auto d = static_cast<double>(d_model), h = static_cast<double>(heads);
  return {d, h, static_cast<double>(kv_heads), d / h};
}

}  // namespace

TEST_CASE("cost: the weights of a layer are those it has", "[core][cost]") {
  const Document document = default_document();
  const AttentionWeights<float>& w = document.layers[0].weights;
  const auto numbers = static_cast<double>(w.W_Q->size() + w.W_K->size() + w.W_V->size() + w.W_O->size());
  for (const Index heads : {1, 2, 8, 64}) CHECK(weight_count(sizes_of(64, heads, heads)) == numbers);
  // Two key/value heads of eight: W_K and W_V a quarter as wide.
  CHECK(weight_count({64, 8, 2, 8}) == 64 * 64 * 2 + 64 * 16 * 2);
}

namespace {

// The multiply-adds of products that the work does.
template <class Work>
double counted(const Work& work) {
  const std::int64_t before = multiply_adds_done();
  work();
  return static_cast<double>(multiply_adds_done() - before);
}

}  // namespace

TEST_CASE("cost: multiply-adds are those that computing does", "[core][cost]") {
  Random random(1);
  const Index d_model = 24;
  for (const Index n : {1, 5, 70, 300})
    for (const auto& [heads, kv_heads] : {std::pair<Index, Index>{1, 1}, {4, 4}, {4, 2}, {12, 1}, {24, 24}}) {
      CAPTURE(n, heads, kv_heads);
      const LayerInput<float> input = test::random_layer<float>(random, n, d_model, heads, false, heads / kv_heads);
      const double expected = multiply_adds_of(sizes_of(d_model, heads, kv_heads), static_cast<double>(n)).total();
      CHECK(counted([&] { forward<float>(input); }) == expected);
      CHECK(counted([&] { compute<float>(input, Way::combined); }) == expected);
      CHECK(counted([&] { compute<float>(input, Way::tiled); }) == expected);
      // The loop projects the keys and values of a group for each of its heads again.
      const double repeated = multiply_adds_of(sizes_of(d_model, heads, heads), static_cast<double>(n)).total();
      CHECK(counted([&] { compute<float>(input, Way::per_head); }) == repeated);
    }
}

TEST_CASE("cost: the weights and multiply-adds of blocks are those that they have and do", "[core][cost]") {
  Random random(4);
  for (const OutputGate gate : {OutputGate::none, OutputGate::head, OutputGate::element})
    for (const bool gated : {false, true})
      for (const Index kv_heads : {4, 2}) {
        CAPTURE(static_cast<int>(gate), gated, kv_heads);
        Document document = default_document();
        document.d_model = 24;
        Layer& layer = document.layers.front();
        layer.heads = 4;
        layer.group_size = 4 / kv_heads;
        layer.settings.residual = layer.settings.norm = layer.settings.feed_forward = true;
        layer.settings.feed_forward_width = 50;
        layer.settings.gated = gated;
        layer.settings.output_gate = gate;
        layer.source.seed = 3;
        layer.weights = weights_of(layer.source, layer, document.d_model);
        const LayerSizes sizes = sizes_of(evaluate(document)->layer(0).input);
        double numbers = 0;
        for (const Quantity p : program_of(layer.settings).parameters)
          if (is_weight(p)) numbers += static_cast<double>(field_of(layer.weights, p)->size());
        CHECK(weight_count(sizes) + feed_forward_weight_count(sizes) == numbers);
        CHECK(feed_forward_weight_count(sizes) == (gated ? 3 : 2) * 24 * 50);
        const auto n = static_cast<double>(tokens_of(document).size());
        CHECK(counted([&] { evaluate(document); }) == multiply_adds_of(sizes, n).total());
      }
}

TEST_CASE("cost: tables, final norm and readout are counted, a tied readout by its table alone", "[core][cost]") {
  Document document = default_document();
  document.tokens = {"it", "saw", "it"};
  for (const Edit& edit : std::vector<Edit>{SetModelWidth{8}, SetHeads{2}, SetEmbedding{Embedding::Kind::learned, 1},
                                            SetPositions{Embedding::Positions::learned},
                                            SetVocabulary{SetVocabulary::Of::words, {"it", "saw", "a", "cat", "."}},
                                            SetModelSetting{ModelSetting::final_norm, 1}})
    document = apply(document, edit);
  const double layer = 4 * 8 * 8, tables = 5 * 8 + 3 * 8, norm = 2 * 8;
  const double in_layer = multiply_adds_of(sizes_of(8, 2, 2), 3).total();
  const auto check = [&](ReadoutKind kind, double readout, double multiply_adds) {
    const Document made = apply(document, SetModelSetting{ModelSetting::readout, static_cast<double>(kind)});
    CAPTURE(static_cast<int>(kind));
    CHECK(ends_weight_count(model_program_of(made), widths_of(made)) == tables + readout);
    CHECK(readout_multiply_adds(model_program_of(made), widths_of(made)) == multiply_adds);
    CHECK(parameter_count(*evaluate(made)) == layer + tables + readout + norm);
    CHECK(counted([&] { evaluate(made); }) == in_layer + 3 * multiply_adds);
  };
  check(ReadoutKind::none, 0, 0);
  check(ReadoutKind::tied, 0, 8 * 5);
  check(ReadoutKind::own, 8 * 5, 8 * 5);  // begins with the words of the table
  CHECK(ends_weight_count(model_program_of(default_document()), widths_of(default_document())) == 0);
}

TEST_CASE("cost: an edit of one weight computes what depends on it, and no more", "[core][cost]") {
  Random random(2);
  LayerInput<float> input = test::random_layer<float>(random, 40, 24, 4);
  const LayerTrace<float> before = forward<float>(input);
  Mat<float> W_V = *input.weights.W_V;
  W_V(3, 7) += 1;  // of head 2: its V, its output, its contribution
  input.weights.W_V = replaced_block(input.weights.W_V, std::move(W_V), 3, 7, 1, 1);
  CHECK(counted([&] { forward<float>(input, &before); }) == 40 * 24 * 6 + 40 * 40 * 6 + 40 * 6 * 24);
}

TEST_CASE("cost: a step with a cache is the last token's part", "[core][cost]") {
  const LayerSizes sizes = sizes_of(64, 8, 8);
  // All tokens at once cost n steps of n tokens each.
  const MultiplyAdds step = decoding_step(sizes, 10), all = multiply_adds_of(sizes, 10);
  CHECK(10 * step.total() == all.total());
  CHECK(kv_cache_bytes({4096, 32, 32, 128}, 4096, 32, 2) == 2147483648.0);  // Llama 2 7B at 4096 tokens, fp16: 2 GiB
  CHECK(kv_cache_bytes({8192, 64, 8, 128}, 4096, 80, 2) == 1342177280.0);   // Llama 2 70B, 8 of 64: 1.25 GiB
}

TEST_CASE("published models: whole, by year", "[core][cost]") {
  std::set<std::string> names;
  int year = 0;
  for (const PublishedModel& model : published_models()) {
    CAPTURE(model.name);
    CHECK(names.insert(model.name).second);
    CHECK(model.year >= year);
    year = model.year;
    CHECK(model.window <= model.context);
    CHECK(model.layers > 0);
    CHECK(std::fmod(model.sizes.heads, model.sizes.kv_heads) == 0);
  }
  // The sources' table: heads times their width is the model's width.
  for (const char* name : {"BERT-base", "GPT-3 175B", "Llama 2 7B", "Llama 2 70B"}) CHECK(names.count(name) == 1);
}

TEST_CASE("published models: their sizes give the parameters that their sources state", "[core][cost]") {
  int counted = 0;
  for (const PublishedModel& model : published_models()) {
    CAPTURE(model.name);
    CHECK(model.sizes.settings.feed_forward_width > 2 * model.sizes.d_model);
    CHECK(model.parameters > 0);
    const double count = counted_parameters(model);
    if (std::isnan(count)) continue;
    ++counted;
    CHECK(count == Approx(model.parameters).epsilon(0.04));  // positions, biases and gains are small; 7B is 6.7
    if (std::string_view(model.name).starts_with("Gemma") || std::string_view(model.name).starts_with("PaLM"))
      CHECK(count == Approx(model.parameters).epsilon(1e-4));  // states all digits, and has next to none of these
  }
  CHECK(counted == 16);
}

TEST_CASE("published models: a window caps what is kept, an encoder keeps nothing", "[core][cost]") {
  const auto model = [](std::string_view name) {
    return *std::find_if(published_models().begin(), published_models().end(),
                         [&](const PublishedModel& m) { return m.name == name; });
  };
  // Mistral 7B: K and V of 8 heads of 128, 32 layers, 2 bytes: 131072 a token, and 4096 of them: 512 MiB.
  const PublishedModel mistral = model("Mistral 7B");
  CHECK(kept_bytes(mistral, 1, 2) == 131072);
  CHECK(kept_bytes(mistral, 4096, 2) == 536870912.0);
  CHECK(kept_bytes(mistral, 32768, 2) == 536870912.0);
  // 32 layers of 4096 (32 + 16) 128 + 2 * 32 * 4096 * 128 + 32 * 128 * 4096, and of 3 * 4096 * 14336; 4096 * 32000.
  CHECK(next_token_multiply_adds(mistral, 4096) == 2415919104.0 + 5637144576.0 + 131072000);
  CHECK(next_token_multiply_adds(mistral, 131072) == next_token_multiply_adds(mistral, 4096));
  CHECK(kept_bytes(model("Llama 3 8B"), 32768, 2) == 8 * kept_bytes(mistral, 32768, 2));
  for (const char* name : {"BERT-base", "BERT-large"}) {
    CHECK(std::isnan(kept_bytes(model(name), 512, 2)));
    CHECK(std::isnan(next_token_multiply_adds(model(name), 512)));
  }
}

TEST_CASE("published models: the longest context they were trained on", "[core][cost]") {
  const auto context = [](std::string_view name) {
    for (const PublishedModel& model : published_models())
      if (model.name == name) return model.context;
    return -1;
  };
  CHECK(context("Llama 3 70B") == 8192);
  CHECK(context("Llama 3.1 70B") == 131072);
  for (const PublishedModel& model : published_models()) {
    CAPTURE(model.name);
    const bool unknown = model.context == 0;  // said by no source
    CHECK(unknown == std::string_view(model.name).starts_with("Transformer"));
    CHECK_FALSE(beyond_context(model, model.context));
    CHECK(beyond_context(model, model.context + 1) == !unknown);
  }
}
