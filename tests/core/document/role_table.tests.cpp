// The role table of documents: incremental equals from scratch, pooled equals by hand, what cannot be pooled.
#include "core/document/role_table.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;
using Catch::Contains;

namespace {

MarkedSentences marked(const std::vector<std::string>& sentences) {
  auto set = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const std::string& text : sentences) {
    AnnotatedSentence sentence;
    sentence.sentence = text;
    sentence.tokens = tokens_of(hydra::apply(default_document(), SetSentence{text}));
    sentence.gold[0] = {{2, 0}};
    set->push_back(std::move(sentence));
  }
  return set;
}

// Every number, as the file has it.
std::string text_of(const RoleTable& table) {
  std::string text;
  write_roles(table, {}, kRoleThreshold, [&](std::string_view piece) { text += piece; });
  return text;
}

Document small() { return hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{3}); }

}  // namespace

TEST_CASE("role table: after any edits the same as from scratch", "[core][document][roles]") {
  Random random(5);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  RoleTables kept;
  Document document = small();
  std::shared_ptr<const Trace> trace;
  int compared = 0;
  for (int step = 0; step < 60; ++step) {
    try {
      document = hydra::apply(document, random_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    trace = evaluate(document, trace.get());
    RoleTables fresh;
    REQUIRE(text_of(kept.of_sentence(*trace, set)) == text_of(fresh.of_sentence(*trace, set)));
    ++compared;
    if (document.embedding.kind == Embedding::Kind::explicit_values ||
        document.layers.front().mask.kind == Mask::Kind::custom)
      continue;
    RoleTables fresh_pooled;
    REQUIRE(text_of(kept.pooled(document, set)) == text_of(fresh_pooled.pooled(document, set)));
  }
  CHECK(compared > 20);
}

TEST_CASE("role table: pooled over sentences is the sum over each of them", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat", "it was tired .", "cat cat cat"});
  const Document document = small();
  const RoleTable table = RoleTables().pooled(document, set);
  REQUIRE(table.heads.size() == 3);
  CHECK(table.sentences.size() == 3);
  CHECK(table.random_heads == 33);
  for (int h = 0; h < 3; ++h) {
    double rows = 0, entropy = 0, mass = 0, relation_rows = 0;
    for (const AnnotatedSentence& sentence : *set) {
      const auto trace = evaluate(hydra::apply(document, SetSentence{sentence.sentence}));
      const Mat<float>& A = *trace->layers[0].heads[static_cast<std::size_t>(h)].attention;
      rows += static_cast<double>(A.rows());
      entropy -= (A.array() * A.array().log() / std::log(2.0f)).sum();
      mass += A(2, 0);
      relation_rows += 1;
    }
    const RoleMeasures& m = table.heads[static_cast<std::size_t>(h)];
    CHECK(m.rows == static_cast<Index>(rows));
    CHECK(m.entropy_bits == Approx(entropy / rows).epsilon(1e-5));
    CHECK(m.relation(Relation::coreference).mass == Approx(mass / relation_rows).epsilon(1e-5));
    CHECK(m.relation(Relation::coreference).rows == 3);
    CHECK(m.relation(Relation::coreference).offset_accuracy == 1);
  }
}

TEST_CASE("role table: one sentence pooled is that sentence", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat"});
  const Document document = hydra::apply(small(), SetSentence{"the cat sat on the mat"});
  RoleTable pooled = RoleTables().pooled(document, set);
  pooled.sentences.clear();
  CHECK(text_of(pooled) == text_of(RoleTables().of_sentence(*evaluate(document), set)));
}

TEST_CASE("role table: relations are there when the sentence is marked", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat"});
  RoleTables tables;
  const auto rows = [&](const std::string& sentence) {
    const auto trace = evaluate(hydra::apply(small(), SetSentence{sentence}));
    return tables.of_sentence(*trace, set).heads[0].relation(Relation::coreference).rows;
  };
  CHECK(rows("the cat sat on the mat") == 1);
  CHECK(rows("the cat sat on the hat") == 0);
  CHECK(rows("the cat sat on the mat") == 1);
}

TEST_CASE("role table: what fits one sentence only cannot be pooled", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat"});
  RoleTables tables;
  const Document document = small();
  CHECK_THROWS_WITH(tables.pooled(document, marked({})), Contains("no marked sentences"));
  const auto n = static_cast<Index>(tokens_of(document).size());
  const Mask mask{Mask::Kind::custom, share(Mat<std::uint8_t>(Mat<std::uint8_t>::Ones(n, n)))};
  CHECK_THROWS_AS(tables.pooled(hydra::apply(document, SetMask{mask}), set), InputError);
  CHECK_THROWS_WITH(tables.pooled(hydra::apply(document, SetMask{mask}), set), Contains("mask"));
  Document given = document;
  given.embedding.kind = Embedding::Kind::explicit_values;
  given.embedding.X = evaluate(document)->X;
  CHECK_THROWS_WITH(tables.pooled(given, set), Contains("gives X itself"));
  CHECK_NOTHROW(tables.pooled(
      hydra::apply(document, SetBlock{Parameter::X, 0, 0, share(Mat<float>(Mat<float>::Ones(1, 1)))}), set));
}
