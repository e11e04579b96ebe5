// Words in and words out, in files and traces: round trips, what is wrong, the command line.
#include <catch2/catch.hpp>

#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

// "it saw it": two numbers a token, one head that gives nothing, so that what is read out is X.
Document small(const std::string& more) {
  return parse_document(R"({"hydrascope": 1, "tokens": ["it", "saw", "it"], "d_model": 2, "layers": [{"heads": 1,
    "residual": true, "weights": {"init": "zero"}}], )" +
                            more + "}",
                        "f");
}

const char* const kTable =
    R"("embedding": {"kind": "learned", "vocabulary": ["it", "saw", "was"], "positions": "none",
      "E": [[1, 2], [3, -1], [0, 4]]})";

}  // namespace

TEST_CASE("readout: every kind is written and read back to the bit", "[readout]") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Document document = test::some_document(seed);
    for (Layer& layer : document.layers) layer.painted.clear();
    check_document(document);
    const std::string text = document_text(document);
    INFO(text);
    const Document again = parse_document(text, "f");
    REQUIRE(same_document(document, again));
    CHECK(document_text(again) == text);
  }
  CHECK(document_text(default_document()).find("readout") == std::string::npos);
}

TEST_CASE("readout: the trace's JSON has it at the end", "[readout]") {
  const std::string text = trace_text(*evaluate(small(std::string(kTable) + R"(, "readout": {"kind": "tied"})")));
  CHECK_THAT(text, Contains(R"("vocabulary": ["it", "saw", "was"])") && Contains(R"("final": [)") &&
                       Contains("\"logits\": [\n  [5, 1, 8]") && Contains(R"("probabilities": [)"));
  CHECK(trace_text(*evaluate(default_document())).find("vocabulary") == std::string::npos);
}

TEST_CASE("readout: what is wrong in a file is said in a sentence with its place and a remedy", "[readout]") {
  const auto refused = [](const std::string& more, const std::string& place, const std::string& word) {
    CHECK_THROWS_WITH(small(more), fault_at("f: " + place, word));
  };
  const std::string table = std::string(kTable) + ", ";
  refused(R"("readout": {"kind": "tied"})", "/readout/kind", "let the embedding be learned");
  refused(R"("readout": {"kind": "both"})", "/readout/kind", "\"tied\" or \"own\"");
  refused(R"("readout": 3)", "/readout", "object");
  refused(R"("readout": {"rank": 3})", "/readout/rank", "not known");
  refused(R"("readout": {"vocabulary": ["a"]})", "/readout/vocabulary", "for a readout of its own");
  refused(table + R"("readout": {"kind": "tied", "seed": 3})", "/readout/seed", "for a readout of its own; a tied one");
  refused(table + R"("readout": {"kind": "tied", "W_U": []})", "/readout/W_U", "a tied one reads out");
  refused(R"("readout": {"b_U": [1]})", "/readout/b_U", "of a readout");
  refused(R"("readout": {"kind": "own", "vocabulary": ["a", "a"]})", "/readout/vocabulary",
          "word 1 of the vocabulary is the same as word 0");
  refused(R"("readout": {"kind": "own", "vocabulary": [""]})", "/readout/vocabulary",
          "word 0 of the vocabulary is empty");
  refused(R"("readout": {"kind": "own", "vocabulary": []})", "/readout/vocabulary", "1 to 4096 words, not 0");
  refused(R"("readout": {"kind": "own", "vocabulary": [3]})", "/readout/vocabulary/0", "string");
  refused(R"("readout": {"kind": "own", "W_U": [[1, 2]]})", "/readout/W_U", "1 row where 2");
  refused(R"("readout": {"kind": "own", "W_U": [[1, 2], [3]]})", "/readout/W_U/1", "1 number where 2");
  refused(R"("readout": {"kind": "own", "W_U": [[1, 2], [3, 4]], "edits": {"W_U": [[0, 0, 1]]}})", "/readout/edits/W_U",
          "beside /readout/W_U");
  refused(R"("readout": {"kind": "own", "edits": {"W_U": [[0, 2, 1]]}})", "/readout/edits/W_U/0/1", "from 0 to 1");
  refused(R"("readout": {"kind": "own", "edits": {"E": []}})", "/readout/edits/E", "not known");
  refused(R"("readout": {"kind": "own", "init": "xavier"})", "/readout/init", "\"random\" or \"identity\" or \"zero\"");
  refused(R"("final_norm": {"kind": "batch"})", "/final_norm/kind", "\"layer\" or \"rms\"");
  refused(R"("final_norm": true)", "/final_norm", "object");
  refused(R"("final_norm": {"epsilon": 0})", "/final_norm/epsilon", "from 1e-12 to 1");
  refused(R"("final_norm": {"kind": "rms", "shift": [1, 2]})", "/final_norm/shift", "for a layer norm");
  refused(R"("final_norm": {"gain": [1]})", "/final_norm/gain", "1 number where 2");
  refused(R"("embedding": {"E": [[1, 2]]})", "/embedding/E", "for learned embeddings");
  refused(R"("embedding": {"positions": "learned"})", "/embedding/positions", "for learned embeddings");
  refused(R"("embedding": {"kind": "learned", "X": [[1, 2]]})", "/embedding/X", "for explicit embeddings");
  refused(R"("embedding": {"kind": "learned", "E": [[1, 2]]})", "/embedding/E", "1 row where 2");
  refused(R"("embedding": {"kind": "learned", "P": []})", "/embedding/P", "0 rows where 1 to 4096");
  refused(R"("embedding": {"kind": "learned", "P": [[1, 2], [3, 4]], "places": 1})", "/embedding/places",
          "from 2 to 4096");
  refused(R"("embedding": {"kind": "hashed", "case": "exact"})", "/embedding/case", "for learned embeddings");
  refused(R"("embedding": {"kind": "learned", "positions": "none", "P": [[1, 2], [3, 4], [5, 6]]})", "/embedding/P",
          "for learned positions");
  refused(R"("embedding": {"kind": "learned", "places": 5})", "/embedding/places", "for learned positions");
  refused(R"("embedding": {"kind": "learned", "positions": "learned", "places": 0})", "/embedding/places",
          "from 1 to 4096");
  refused(R"("embedding": {"kind": "learned", "edits": [[0, 0, 1]]})", "/embedding/edits", "object");
  refused(R"("embedding": {"kind": "learned", "edits": {"P": []}})", "/embedding/edits/P", "for learned positions");
  refused(R"("embedding": {"kind": "learned", "vocabulary": "it"})", "/embedding/vocabulary", "array of words");
}

TEST_CASE("readout: switches of the command line reach it", "[readout]") {
  const auto set = [](const std::vector<std::string>& sets) {
    return parse_document(R"({"hydrascope": 1})", "f", sets);
  };
  CHECK(set({"/readout/kind=own"}).settings.readout == ReadoutKind::own);
  CHECK(set({"/readout/kind=own"}).readout.vocabulary.size() == 12);
  CHECK(set({"/final_norm/kind=rms"}).settings.final_norm);
  const Document document = set({"/embedding/kind=learned", "/embedding/positions=learned", "/readout/kind=tied"});
  CHECK(document.weights.E.rows() == 12);
  CHECK(document.weights.P.rows() == 12);
  CHECK_THROWS_WITH(set({"/readout/kind=tied"}),
                    fault_at("--set /readout/kind=tied: /readout/kind", "let the embedding be learned"));
}
