// The file of published models: what ships reads, each number with its source; what is wrong is said.
#include "core/analysis/cost/published.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

const PublishedModel& published_model(std::string_view name) {
  for (const PublishedModel& model : published_models())
    if (model.name == name) return model;
  FAIL("no model " << name);
  return published_models().front();
}

constexpr const char* kSmall = R"({
  "sources": {"paper": "Somebody 2020", "card": "Model card"},
  "models": [{"name": "Tiny",
    "stated": [{"source": "paper", "at": "table 1", "year": 2020, "layers": 2, "d_model": 8, "heads": 2, "kv_heads": 1,
                "d_k": 4, "feed_forward": 32},
               {"source": "card", "at": "its first line", "parameters": [1000, 24], "context": 64}]}],
  "head_counts": {"source": "paper", "at": "table 2",
                  "rows": [{"heads": 1, "d_k": 8, "perplexity": 5.29, "bleu": 24.9}]}
})";

// What is said of the small file with one place written otherwise.
std::string published_fault(const std::string& place, const std::string& otherwise) {
  std::string json = kSmall;
  const std::size_t at = json.find(place);
  REQUIRE(at != std::string::npos);
  json.replace(at, place.size(), otherwise);
  try {
    parse_published(json, "p.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("published file: what ships is what the sources state", "[core][published]") {
  CHECK(published_models().size() == 18);
  const PublishedModel& base = published_model("Transformer base");
  CHECK(base.year == 2017);
  CHECK(base.sizes.d_model == 512);
  CHECK(base.context == 0);
  CHECK_THAT(base.note, Contains("of its decoder"));
  const PublishedModel& bert = published_model("BERT-large");
  CHECK(bert.encoder);
  CHECK(bert.parameters == 340e6);
  CHECK(published_model("GPT-2 XL").parameters == 1557611200);
  const PublishedModel& palm = published_model("PaLM 540B");
  CHECK(palm.parameters == 540.35e9);
  CHECK(palm.sizes.kv_heads == 1);
  CHECK(palm.sizes.settings.gated);
  CHECK_FALSE(palm.own_readout);
  const PublishedModel& mistral = published_model("Mistral 7B");
  CHECK(mistral.window == 4096);
  CHECK(mistral.own_readout);
  const PublishedModel& llama = published_model("Llama 3.1 405B");
  CHECK(llama.layers == 126);
  CHECK(llama.sizes.settings.feed_forward_width == 53248);
  CHECK(llama.vocabulary == 128000);
  CHECK(published_model("Gemma 7B").parameters == 786825216.0 + 7751248896.0);
  CHECK(published_head_counts().source == "Vaswani et al. 2017, table 3 (A)");
  CHECK(published_head_counts().rows[2].bleu == 25.8);
  CHECK(published_head_counts().rows[3].perplexity == 4.91);
}

TEST_CASE("published file: every number of a model has a source", "[core][published]") {
  for (const PublishedModel& model : published_models()) {
    CAPTURE(model.name);
    for (const char* key : {"year", "layers", "d_model", "heads", "kv_heads", "d_k", "feed_forward", "parameters"})
      CHECK_THAT(sources_of(model, key), Contains(" et al. 20") || Contains("Meta 2024") || Contains("Gemma Team"));
    CHECK(model.sources.contains("vocabulary") == (model.vocabulary > 0));
    CHECK(model.sources.contains("context") == (model.context > 0));
    CHECK(model.sources.contains("window") == (model.window > 0));
    CHECK((!model.sizes.settings.gated || model.sources.contains("gated")));
    CHECK((!model.own_readout || model.sources.contains("own_readout")));
    CHECK((!model.encoder || model.sources.contains("encoder")));
  }
}

TEST_CASE("published file: numbers of several sources, and the sources of several numbers", "[core][published]") {
  const Published all = parse_published(kSmall, "p.json");
  const PublishedModel& tiny = all.models.front();
  CHECK(tiny.parameters == 1024);
  CHECK(tiny.sources.at("context") == "Model card, its first line");
  CHECK(sources_of(tiny, "d_model heads") == "Somebody 2020, table 1");
  CHECK(sources_of(tiny, "heads context window") == "Model card, its first line; Somebody 2020, table 1");
  CHECK(sources_of(tiny, "window").empty());
}

TEST_CASE("published file: a sentence for everything that is wrong", "[core][published]") {
  CHECK_THAT(published_fault("\"layers\"", "\"layer\""), fault_at("p.json: /models/0/stated/0/layer", "not known"));
  CHECK_THAT(published_fault("\"source\": \"card\", ", ""), fault_at("p.json: /models/0/stated/1", "without a source"));
  CHECK_THAT(published_fault("\"source\": \"card\"", "\"source\": \"cart\""),
             fault_at("p.json: /models/0/stated/1/source", "cart"));
  CHECK_THAT(published_fault("\"at\": \"table 1\", ", ""), fault_at("p.json: /models/0/stated/0", "at which place"));
  CHECK_THAT(published_fault("\"at\": \"table 1\"", "\"at\": \"\""),
             fault_at("p.json: /models/0/stated/0/at", "empty"));
  CHECK_THAT(published_fault("\"context\": 64", "\"d_k\": 4"), fault_at("p.json: /models/0/stated/1/d_k", "twice"));
  CHECK_THAT(published_fault("\"d_k\": 4,", ""), fault_at("p.json: /models/0", "no d_k"));
  CHECK_THAT(published_fault("\"d_model\": 8", "\"d_model\": 0"),
             fault_at("p.json: /models/0/stated/0/d_model", "from 1 to 1000000"));
  CHECK_THAT(published_fault("\"year\": 2020", "\"year\": 20.5"),
             fault_at("p.json: /models/0/stated/0/year", "whole number"));
  CHECK_THAT(published_fault("[1000, 24]", "[1000, -24]"),
             fault_at("p.json: /models/0/stated/1/parameters/1", "not the number -24"));
  CHECK_THAT(published_fault("\"kv_heads\": 1", "\"kv_heads\": 3"),
             fault_at("p.json: /models/0", "2 heads", "3 heads of keys and values"));
  CHECK_THAT(published_fault("\"context\": 64", "\"context\": 64, \"window\": 65"),
             fault_at("p.json: /models/0", "a window longer"));
  CHECK_THAT(published_fault("\"sources\": {", "\"sources\": {\"thesis\": \"Somebody 2021\", "),
             fault_at("p.json: /sources/thesis", "cited by nothing"));
  CHECK_THAT(published_fault("\"bleu\": 24.9", "\"bleu\": 101"),
             fault_at("p.json: /head_counts/rows/0/bleu", "from 0 to 100"));
  CHECK_THAT(published_fault("\"models\": [", "\"models\": [], \"model\": ["), fault_at("p.json: /model", "not known"));
  const std::string small = kSmall;
  const std::size_t from = small.find("{\"name\""), to = small.find("],\n  \"head_counts\"");
  const std::string tiny = small.substr(from, to - from);
  CHECK_THAT(published_fault(tiny, tiny + ", " + tiny), fault_at("p.json: /models/1/name", "an earlier model"));
}
