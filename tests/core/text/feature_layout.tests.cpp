#include "core/text/feature_layout.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Mat<float> embed(const std::vector<std::string>& tokens, Index d_model, std::uint64_t seed = 1) {
  std::vector<WordFeatures> words;
  for (const std::string& token : tokens) words.push_back(Lexicon::standard().look_up(token));
  return feature_embedding(tokens, words, feature_layout(d_model), seed);
}

}  // namespace

TEST_CASE("feature layout: its parts add up at every even width", "[core][feature_layout]") {
  const auto all = static_cast<Index>(Lexicon::standard().features().size());
  for (Index d_model = kLeastFeatureModel; d_model <= kMostFeatureModel; d_model += 2) {
    const FeatureLayout layout = feature_layout(d_model);
    INFO(d_model);
    CHECK(layout.d_model() == d_model);
    CHECK(layout.positions % 2 == 0);
    CHECK(layout.identity >= 8);
    CHECK(layout.positions >= 8);
    CHECK(layout.features >= 16);
    CHECK(layout.frequencies.size() == static_cast<std::size_t>(layout.positions / 2));
    CHECK(layout.left_out.size() == static_cast<std::size_t>(all - layout.features));
    CHECK(left_out_sentence(layout).empty() == layout.left_out.empty());
  }
  const FeatureLayout at_32 = feature_layout(32), at_64 = feature_layout(64), at_128 = feature_layout(128);
  CHECK((at_32.features == 16 && at_32.identity == 8 && at_32.positions == 8));
  CHECK((at_64.features == 32 && at_64.identity == 16 && at_64.positions == 16));
  CHECK((at_128.features == all && at_128.positions == 16));
  CHECK(at_32.left_out.front() == Lexicon::standard().features()[16].name);
  CHECK(left_out_sentence(at_64).starts_with("At d_model 64 there is no column for "));
  CHECK(at_32.frequencies == std::vector<float>(at_64.frequencies.begin(), at_64.frequencies.begin() + 4));
}

TEST_CASE("feature layout: the slot takes columns of its own, empty in every word", "[core][feature_layout]") {
  for (Index d_model = kLeastFeatureModel; d_model <= kMostFeatureModel; d_model += 2) {
    const FeatureLayout layout = feature_layout({d_model, true}), without = feature_layout(d_model);
    INFO(d_model);
    CHECK(layout.d_model() == d_model);
    CHECK(without.slot == 0);
    CHECK((layout.identity == layout.slot || layout.identity == layout.slot + 1));
    CHECK(layout.slot >= 7);
    CHECK(layout.features >= 8);
    CHECK((layout.positions == without.positions && layout.position_at() == without.position_at()));
    CHECK(layout.slot_at() == layout.identity_at() + layout.identity);
    CHECK(column_name(layout, layout.slot_at()) == "slot 0");
    CHECK(column_name(layout, layout.slot_at() - 1) == "word " + std::to_string(layout.identity - 1));
    CHECK(column_name(layout, layout.position_at()) == "sin 1");
    CHECK(column_gloss(layout, layout.slot_at()).find("0 in every word's vector") != std::string::npos);
    const Mat<float> E = feature_embedding({"keys"}, {Lexicon::standard().look_up("keys")}, layout, 1);
    CHECK(E.middleCols(layout.slot_at(), layout.slot).isZero(0));
    CHECK(E.row(0).segment(layout.identity_at(), layout.identity).norm() == Approx(1));
  }
}

TEST_CASE("feature layout: widths that are not possible", "[core][feature_layout]") {
  for (const Index d_model : {0, 30, 33, 514}) CHECK_THROWS_AS(feature_layout(d_model), InputError);
  CHECK_THROWS_WITH(feature_layout(31), fault_at("d_model", "even and from 32 to 512, not 31"));
}

TEST_CASE("feature layout: every column has a name of its own and a gloss", "[core][feature_layout]") {
  for (const Index d_model : {32, 64, 128, 512}) {
    const FeatureLayout layout = feature_layout(d_model);
    std::set<std::string> names;
    for (Index c = 0; c < d_model; ++c) {
      INFO(d_model << " " << c);
      CHECK(names.insert(column_name(layout, c)).second);
      CHECK(column_gloss(layout, c).size() > 20);
      CHECK(column_gloss(layout, c).back() == '.');
    }
  }
  const FeatureLayout layout = feature_layout(64);
  CHECK(column_name(layout, 0) == "any");
  CHECK(column_name(layout, 4) == "pronoun");
  CHECK(column_name(layout, 32) == "word 0");
  CHECK(column_name(layout, 48) == "sin 1");
  CHECK(column_name(layout, 51) == "cos 0.32");
}

TEST_CASE("feature layout: features are 1 or 0, the word's identity has length 1", "[core][feature_layout]") {
  for (const Index d_model : {32, 64, 512}) {
    const FeatureLayout layout = feature_layout(d_model);
    const Mat<float> E = embed({"The", "keys", "the", "quokka"}, d_model);
    CHECK(E.row(0) == E.row(2));
    for (Index i = 0; i < 4; ++i) CHECK(E.row(i).segment(layout.identity_at(), layout.identity).norm() == Approx(1));
    CHECK(E.rightCols(layout.positions).isZero(0));
    CHECK(E.col(0).isOnes(0));
    for (Index c = 1; c < layout.features; ++c) {
      const int feature = Lexicon::standard().feature(column_name(layout, c));
      CHECK(E(1, c) == (has_feature(Lexicon::standard().look_up("keys").features, feature) ? 1.0f : 0.0f));
    }
    CHECK(embed({"keys"}, d_model, 2).row(0) != E.row(1));
  }
}

TEST_CASE("feature layout: positions are the sinusoid's pairs from fast to slow", "[core][feature_layout]") {
  const FeatureLayout layout = feature_layout(64);
  const Mat<float> P = feature_positions(30, layout);
  CHECK(P.leftCols(48).isZero(0));
  for (Index i = 0; i < 30; ++i) {
    for (Index k = 0; k < 8; ++k) {
      // Vaswani et al. 2017, section 3.5, with 16 columns: 10000^(-2k/16).
      const double angle = static_cast<double>(i) * std::pow(10000.0, -2.0 * static_cast<double>(k) / 16);
      CHECK(P(i, 48 + 2 * k) == Approx(std::sin(angle)).margin(1e-6));
      CHECK(P(i, 48 + 2 * k + 1) == Approx(std::cos(angle)).margin(1e-6));
      CHECK(layout.frequencies[static_cast<std::size_t>(k)] ==
            Approx(std::pow(10000.0, -2.0 * static_cast<double>(k) / 16)));
    }
  }
}
