// Every measure against the NumPy version of scripts/make_roles_golden.py, on one sentence and pooled over several.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/roles/roles.h"
#include "core/text/wording.h"
#include "tests/support/data.h"

using namespace hydra;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-6;

template <class S>
Mat<S> matrix(const json& rows) {
  Mat<S> values(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      values(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<S>();
  return values;
}

AnnotatedSentence marks_of(const json& sentence) {
  AnnotatedSentence marks;
  marks.tokens = sentence.at("tokens").get<std::vector<std::string>>();
  for (std::size_t r = 0; r < marks.gold.size(); ++r)
    for (const json& pair : sentence.at("gold").at(r)) marks.gold[r].push_back({pair.at(0), pair.at(1)});
  return marks;
}

RoleSums sums_of(const json& sentence, const RelationOffsets& offsets) {
  const AnnotatedSentence marks = marks_of(sentence);
  std::vector<WordFeatures> words;
  for (std::size_t k = 0; k < marks.tokens.size(); ++k)
    words.push_back({sentence.at("features").at(k), sentence.at("zipf").at(k), sentence.at("guessed").at(k), false});
  Mask mask;
  if (sentence.at("mask") == "causal") mask.kind = Mask::Kind::causal;
  if (sentence.at("mask") == "custom") mask = {Mask::Kind::custom, share(matrix<std::uint8_t>(sentence.at("allowed")))};
  RoleSums sums = pattern_sums(matrix<float>(sentence.at("attention")),
                               sentence_targets(marks.tokens, words, &marks, mask, offsets));
  sums.contribution = matrix<double>(sentence.at("contribution")).squaredNorm();
  sums.output = matrix<double>(sentence.at("output")).squaredNorm();
  return sums;
}

void check(const char* what, double ours, const json& golden) {
  CAPTURE(what, ours, golden.dump());
  if (golden.is_null())
    CHECK(std::isnan(ours));
  else
    CHECK(std::abs(ours - golden.get<double>()) <= kTolerance);
}

void check_target(const char* what, const TargetScore& ours, const json& golden) {
  CAPTURE(what);
  check("mass", ours.mass, golden.at("mass"));
  check("accuracy", ours.accuracy, golden.at("accuracy"));
  CHECK(ours.rows == golden.at("rows").get<Index>());
}

}  // namespace

TEST_CASE("roles: every measure equals NumPy's, on a sentence and pooled", "[core][analysis][roles][golden]") {
  const json cases = json::parse(std::ifstream(test::data("roles_golden.json")));
  REQUIRE(cases.size() >= 12);
  int pooled = 0;
  for (const json& c : cases) {
    std::vector<AnnotatedSentence> all;
    for (const json& sentence : c.at("sentences")) all.push_back(marks_of(sentence));
    pooled += all.size() > 1;
    const RelationOffsets offsets = best_offsets(all);
    RoleSums sums;
    for (const json& sentence : c.at("sentences")) sums += sums_of(sentence, offsets);
    const RoleMeasures ours = finish(sums, offsets);
    const json& golden = c.at("measures");
    CAPTURE(all.front().tokens, all.size());
    CHECK(ours.rows == golden.at("rows").get<Index>());
    for (const HeadMeasure* measure : kHeadMeasures) {
      // What is of a head in its layer has its own tests by hand (shares, stack_measures).
      const bool of_pattern = measure->add_row || measure->add_pattern;
      if (!of_pattern && !golden.contains(measure->key)) continue;
      INFO("a measure of patterns needs its line in scripts/make_roles_golden.py: " << measure->key);
      REQUIRE(golden.contains(measure->key));
      check(measure->key, ours[*measure], golden.at(measure->key));
    }
    check("positional share", ours.positional_share, golden.at("positional").at("share"));
    CHECK(ours.positional_offset == golden.at("positional").at("offset").get<int>());
    CHECK(ours.positional_rows == golden.at("positional").at("rows").get<Index>());
    REQUIRE(ours.offsets.size() == golden.at("offsets").size());
    for (const json& offset : golden.at("offsets")) {
      const int k = offset.at(0);
      CAPTURE(k);
      check("attention at the offset", ours.offset(k).attention, offset.at(1));
      check("maxima at the offset", ours.offset(k).maxima, offset.at(2));
    }
    for (const TokenPatternEntry& p : token_patterns())
      check_target(p.key, ours.pattern(p.pattern), golden.at("patterns").at(p.key));
    for (std::size_t r = 0; r < ours.relations.size(); ++r) {
      const json& relation = golden.at("relations").at(r);
      check_target("relation", ours.relations[r], relation);
      check("offset accuracy", ours.relations[r].offset_accuracy, relation.at("offset_accuracy"));
      CHECK(ours.relations[r].best_offset.has_value() == !relation.at("best_offset").is_null());
      if (ours.relations[r].best_offset) CHECK(*ours.relations[r].best_offset == relation.at("best_offset").get<int>());
    }
  }
  CHECK(pooled >= 4);
}

TEST_CASE("roles: every measure of a head has its own key, words and line in docs/document.md",
          "[core][analysis][roles]") {
  std::ifstream file(test::data("../../docs/document.md"));
  REQUIRE(file);
  const std::string document(std::istreambuf_iterator<char>(file), {});
  for (const HeadMeasure* measure : kHeadMeasures) {
    CAPTURE(measure->key);
    CHECK(std::ranges::count(kHeadMeasures, std::string(measure->key), &HeadMeasure::key) == 1);
    for (const char* words : {measure->brief, measure->title, measure->tip, measure->formula, measure->source})
      CHECK(wording(words) != words);
    CHECK(document.find("`" + std::string(measure->key) + "`") != std::string::npos);
    CHECK(range_of(*measure, 1).low < range_of(*measure, 1).high);
  }
}
