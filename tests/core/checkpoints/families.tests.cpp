// Models of every family, in the layout that the hub has them in, against what PyTorch computes of them
// (scripts/make_model_golden.py).
#include <filesystem>

#include "core/checkpoints/open_model.h"
#include "core/document/evaluate.h"
#include "core/document/model_file.h"
#include "core/files/whole_file.h"
#include "core/json/json.h"
#include "core/linalg/same_bits.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

namespace fs = std::filesystem;

const char* const kMade[] = {"gpt2",
                             "gpt2_f16",
                             "nanogpt",
                             "mingpt",
                             "gpt_neo",
                             "gpt_neox",
                             "gpt_neox_in_line",
                             "llama",
                             "mistral",
                             "qwen2",
                             "qwen3",
                             "gemma",
                             "transformer_lens",
                             "transformer_lens_folded",
                             "llama_linear",
                             "llama_llama3",
                             "qwen2_yarn",
                             "mistral_yarn",
                             "gemma2",
                             "gemma3_text",
                             "gemma3_text_now",
                             "olmo2",
                             "bloom",
                             "mpt",
                             "mpt_places",
                             "nanda",
                             "nanda_attention_only",
                             "bert",
                             "bert_old",
                             "bert_without_readout",
                             "roberta",
                             "distilbert"};

std::string folder_of(const std::string& name) { return test::data("checkpoints/" + name); }

JsonTree golden_of(const std::string& name) {
  return parse_json(read_whole(folder_of(name) + "/golden.json"), name, 1 << 20, JsonNumbers::doubles);
}

Document on_ids(Document document, const Json& ids) {
  if (document.file->tokenizer) {  // which would cut numbers
    document.tokens.emplace();
    for (const Json& id : ids) document.tokens->push_back(document.embedding.vocabulary.word(id.as<Index>()));
    return document;
  }
  document.sentence.clear();
  for (const Json& id : ids)
    document.sentence += (document.sentence.empty() ? "" : " ") + std::to_string(id.as<Index>());
  return document;
}

double largest_difference(const Array<float>& ours, const Json& theirs) {
  REQUIRE(ours.rows() == static_cast<Index>(theirs.size()));
  double most = 0;
  Index row = 0;
  for (const Json& line : theirs) {
    REQUIRE(ours.cols() == static_cast<Index>(line.size()));
    Index col = 0;
    for (const Json& value : line)
      most = std::max(most, std::abs(static_cast<double>((*ours)(row, col++)) - value.as<double>()));
    ++row;
  }
  return most;
}

}  // namespace

TEST_CASE("checkpoints: every family gives the patterns and logits that PyTorch does", "[checkpoints]") {
  for (const char* const name : kMade) {
    CAPTURE(name);
    const OpenedModel opened = open_model(folder_of(name));
    const JsonTree golden = golden_of(name);
    const auto trace = evaluate(on_ids(opened.document, *golden.root().find("ids")));
    REQUIRE(trace->layers.size() == golden.root().find("patterns")->size());
    std::size_t k = 0;
    for (const Json& layer : *golden.root().find("patterns")) {
      std::size_t h = 0;
      for (const Json& head : layer) CHECK(largest_difference(trace->layers[k].heads[h++].attention, head) < 1e-5);
      CHECK(h == trace->layers[k].heads.size());
      ++k;
    }
    const Json* const logits = golden.root().find("logits");
    const Json& last = logits ? *logits : *golden.root().find("stream");  // of a model that reads nothing out
    CHECK(static_cast<bool>(trace->model.logits) == (logits != nullptr));
    double scale = 1;
    for (const Json& line : last)
      for (const Json& value : line) scale = std::max(scale, std::abs(value.as<double>()));
    CHECK(largest_difference(logits ? trace->model.logits : trace->blocks.back().of(Quantity::stream), last) <
          1e-5 * scale);
  }
}

TEST_CASE("checkpoints: products that convert a large model's numbers as they go have the bits of those of kept ones",
          "[checkpoints]") {
  Index elsewhere = 0;
  for (const char* const name : kMade) {
    CAPTURE(name);
    const JsonTree golden = golden_of(name);
    const Json& ids = *golden.root().find("ids");
    const Document kept = on_ids(open_model(folder_of(name)).document, ids),
                   large = on_ids(open_model(folder_of(name), 1e12, 0).document, ids);
    for (const Layer& layer : large.layers)
      for (const Quantity p : kWeights) elsewhere += field_of(layer.weights, p)->elsewhere() ? 1 : 0;
    const auto a = evaluate(kept), b = evaluate(large);
    for (std::size_t k = 0; k < a->layers.size(); ++k) {
      CHECK(same_bits<float>(*a->layers[k].output, *b->layers[k].output));
      CHECK(same_bits<float>(*a->layers[k].heads[0].attention, *b->layers[k].heads[0].attention));
    }
    const Array<float>&ours = a->model.logits, &theirs = b->model.logits;
    REQUIRE(static_cast<bool>(ours) == static_cast<bool>(theirs));
    if (ours) CHECK(same_bits<float>(*ours, *theirs));
    CHECK(trace_bytes(large, 8) <= trace_bytes(kept, 8));
  }
  CHECK(elsewhere > 200);
}

namespace {

// A model without words reads X as it is given.
Document on_vectors(Document document, const Json& rows) {
  Mat<float> X(static_cast<Index>(rows.size()), document.d_model);
  Index i = 0;
  document.sentence.clear();
  for (const Json& row : rows) {
    document.sentence += (i > 0 ? " w" : "w") + std::to_string(i);
    Index k = 0;
    for (const Json& value : row) X(i, k++) = static_cast<float>(value.as<double>());
    ++i;
  }
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.embedding.X = share(std::move(X));
  return document;
}

const Array<float>& leaving(const Trace& trace) {
  const std::size_t last = trace.layers.size() - 1;
  const Quantity leaves = program_of(trace.layers[last].input.settings).leaves;
  if (trace.model.final) return trace.model.final;
  return leaves == Quantity::Y ? trace.layers[last].output : trace.block(static_cast<Index>(last)).of(leaves);
}

}  // namespace

TEST_CASE("checkpoints: PyTorch's own layers give the patterns and the vectors that PyTorch does", "[checkpoints]") {
  for (const char* const name : {"torch_attention", "torch_layer", "torch_encoder"}) {
    CAPTURE(name);
    const OpenedModel opened = open_model(folder_of(name));
    CHECK_FALSE(opened.document.weights.E);
    CHECK(evaluate(opened.document)->layers.size() == opened.document.layers.size());  // on words of its own, too
    const JsonTree golden = golden_of(name);
    const auto trace = evaluate(on_vectors(opened.document, *golden.root().find("X")));
    const Json& patterns = *golden.root().find("patterns");
    REQUIRE(trace->layers.size() == patterns.size());
    std::size_t k = 0;
    for (const Json& layer : patterns) {
      std::size_t h = 0;
      for (const Json& head : layer) CHECK(largest_difference(trace->layers[k].heads[h++].attention, head) < 1e-5);
      CHECK(h == trace->layers[k++].heads.size());
    }
    CHECK(largest_difference(leaving(*trace), *golden.root().find("stream")) < 1e-5);
  }
}
