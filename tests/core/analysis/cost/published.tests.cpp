// The file of published models: what ships reads, each number with its source; what is wrong is said.
#include "core/analysis/cost/published.h"

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace hydra;
using Catch::Contains;

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
  CHECK_THAT(published_fault("\"layers\"", "\"layer\""),
             Contains("p.json: /models/0/stated/0/layer is not known; the keys here are source, at, year"));
  CHECK(published_fault("\"source\": \"card\", ", "") == "p.json: /models/0/stated/1 has numbers without a source");
  CHECK(published_fault("\"source\": \"card\"", "\"source\": \"cart\"") ==
        "p.json: /models/0/stated/1/source is cart, which is not among the sources");
  CHECK(published_fault("\"at\": \"table 1\", ", "") ==
        "p.json: /models/0/stated/0 does not say at which place of its source");
  CHECK(published_fault("\"at\": \"table 1\"", "\"at\": \"\"") == "p.json: /models/0/stated/0/at must not be empty");
  CHECK(published_fault("\"context\": 64", "\"d_k\": 4") == "p.json: /models/0/stated/1/d_k is stated twice");
  CHECK(published_fault("\"d_k\": 4,", "") == "p.json: /models/0 states no d_k");
  CHECK(published_fault("\"d_model\": 8", "\"d_model\": 0") ==
        "p.json: /models/0/stated/0/d_model must be from 1 to 1000000, not the number 0");
  CHECK(published_fault("\"year\": 2020", "\"year\": 20.5") ==
        "p.json: /models/0/stated/0/year must be a whole number, not the number 20.5");
  CHECK(published_fault("[1000, 24]", "[1000, -24]") ==
        "p.json: /models/0/stated/1/parameters/1 must be from 1 to 1000000000000000, not the number -24");
  CHECK(published_fault("\"kv_heads\": 1", "\"kv_heads\": 3") ==
        "p.json: /models/0 has 2 heads, which 3 heads of keys and values cannot share evenly");
  CHECK(published_fault("\"context\": 64", "\"context\": 64, \"window\": 65") ==
        "p.json: /models/0 has a window longer than the sequences it was trained on");
  CHECK(published_fault("\"sources\": {", "\"sources\": {\"thesis\": \"Somebody 2021\", ") ==
        "p.json: /sources/thesis is cited by nothing");
  CHECK(published_fault("\"bleu\": 24.9", "\"bleu\": 101") ==
        "p.json: /head_counts/rows/0/bleu must be from 0 to 100, not the number 101");
  CHECK(published_fault("\"models\": [", "\"models\": [], \"model\": [") ==
        "p.json: /model is not known; the keys here are sources, models, head_counts");
  const std::string small = kSmall;
  const std::size_t from = small.find("{\"name\""), to = small.find("],\n  \"head_counts\"");
  const std::string tiny = small.substr(from, to - from);
  CHECK(published_fault(tiny, tiny + ", " + tiny) == "p.json: /models/1/name is the name of an earlier model");
}
