// The role table of documents: incremental equals from scratch, pooled equals by hand, what cannot be pooled.
#include "core/measures/role_tables.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/measures/known_bounds.h"
#include "tests/core/document/measured.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/data.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

Document small_layer() { return hydra::apply(hydra::apply(default_document(), SetModelWidth{12}), SetHeads{3}); }

}  // namespace

TEST_CASE("role table: after any edits the same as from scratch", "[core][document][roles]") {
  Random random(5);
  const MarkedSentences set = marked({"the cat didn't see", "it cat the"});
  RoleTables kept;
  Document document = small_layer();
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
    REQUIRE(text_of(kept.of_sentence(*trace, 0, set)) == text_of(fresh.of_sentence(*trace, 0, set)));
    ++compared;
    if (document.embedding.kind == Embedding::Kind::explicit_values ||
        document.layers.front().mask.kind == Mask::Kind::custom)
      continue;
    RoleTables fresh_pooled;
    REQUIRE(text_of(kept.pooled(document, 0, set)) == text_of(fresh_pooled.pooled(document, 0, set)));
  }
  CHECK(compared > 20);
}

TEST_CASE("role table: pooled over sentences is the sum over each of them", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat", "it was tired .", "cat cat cat"});
  const Document document = small_layer();
  const RoleTable table = RoleTables().pooled(document, 0, set);
  REQUIRE(table.heads.size() == 3);
  CHECK(table.sentences.size() == 3);
  CHECK(table.random_heads == 33);
  for (int h = 0; h < 3; ++h) {
    double rows = 0, entropy = 0, mass = 0, relation_rows = 0;
    for (const AnnotatedSentence& sentence : *set) {
      const auto trace = evaluate(hydra::apply(document, SetSentence{sentence.sentence}));
      const MatView<float> A = *trace->layers[0].heads[static_cast<std::size_t>(h)].attention;
      rows += static_cast<double>(A.rows());
      entropy -= (A.array() * A.array().log() / std::log(2.0f)).sum();
      mass += A(2, 0);
      relation_rows += 1;
    }
    const RoleMeasures& m = table.heads[static_cast<std::size_t>(h)];
    CHECK(m.rows == static_cast<Index>(rows));
    CHECK(m[head_number::entropy_bits] == Approx(entropy / rows).epsilon(1e-5));
    CHECK(m.relation(Relation::coreference).mass == Approx(mass / relation_rows).epsilon(1e-5));
    CHECK(m.relation(Relation::coreference).rows == 3);
    CHECK(m.relation(Relation::coreference).offset_accuracy == 1);
  }
}

TEST_CASE("role table: one sentence pooled is that sentence", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat"});
  const Document document = hydra::apply(small_layer(), SetSentence{"the cat sat on the mat"});
  RoleTable pooled = RoleTables().pooled(document, 0, set);
  CHECK(std::isnan(pooled.intervals.front().low[head_number::confidence]));  // of a single sentence
  pooled.sentences.clear();
  pooled.intervals.clear();
  CHECK(text_of(pooled) == text_of(RoleTables().of_sentence(*evaluate(document), 0, set)));
}

TEST_CASE("role table: relations are there when the sentence is marked", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat"});
  RoleTables tables;
  const auto rows = [&](const std::string& sentence) {
    const auto trace = evaluate(hydra::apply(small_layer(), SetSentence{sentence}));
    return tables.of_sentence(*trace, 0, set).heads[0].relation(Relation::coreference).rows;
  };
  CHECK(rows("the cat sat on the mat") == 1);
  CHECK(rows("the cat sat on the hat") == 0);
  CHECK(rows("the cat sat on the mat") == 1);
}

TEST_CASE("role table: what fits one sentence only cannot be pooled", "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat"});
  RoleTables tables;
  const Document document = small_layer();
  CHECK_THROWS_WITH(tables.pooled(document, 0, marked({})), fault_at("sentences", "no marked sentences"));
  const auto n = static_cast<Index>(tokens_of(document).size());
  const Mask mask{Mask::Kind::custom, share(Mat<std::uint8_t>(Mat<std::uint8_t>::Ones(n, n)))};
  CHECK_THROWS_AS(tables.pooled(hydra::apply(document, SetMask{mask}), 0, set), InputError);
  CHECK_THROWS_WITH(tables.pooled(hydra::apply(document, SetMask{mask}), 0, set), fault_at("the mask", "set by hand"));
  Document given = document;
  given.embedding.kind = Embedding::Kind::explicit_values;
  given.embedding.X = evaluate(document)->X;
  CHECK_THROWS_WITH(tables.pooled(given, 0, set), fault_at("the document", "gives X itself"));
  CHECK_NOTHROW(tables.pooled(
      hydra::apply(document, SetBlock{Quantity::X, 0, 0, share(Mat<float>(Mat<float>::Ones(1, 1)))}), 0, set));
}

TEST_CASE("role table: a head with a mask of its own is measured by what it sees", "[core][document][roles][rules]") {
  const MarkedSentences set = marked({"the cat sat on the mat", "it was tired ."});
  Document mixed = hydra::apply(small_layer(), SetHeadRule{{1, Mask::Kind::causal, 3, {}}});
  mixed = hydra::apply(mixed, SetHeadRule{{2, {}, {}, 0.5}});
  const Document open = small_layer(),
                 local = hydra::apply(hydra::apply(small_layer(), SetMask{{Mask::Kind::causal, nullptr}}),
                                      SetSetting{LayerSetting::window, 3});
  const RoleTable of_mixed = RoleTables().pooled(mixed, 0, set), of_open = RoleTables().pooled(open, 0, set),
                  of_local = RoleTables().pooled(local, 0, set);
  const auto same = [](const RoleMeasures& a, const RoleMeasures& b) {
    for (std::size_t p = 0; p < a.patterns.size(); ++p) {
      CHECK(a.patterns[p].rows == b.patterns[p].rows);
      if (a.patterns[p].rows > 0) CHECK(a.patterns[p].mass == b.patterns[p].mass);
    }
    CHECK(a[head_number::entropy_fraction] == b[head_number::entropy_fraction]);
  };
  same(of_mixed.heads[0], of_open.heads[0]);
  same(of_mixed.heads[1], of_local.heads[1]);
  CHECK(of_mixed.heads[1].pattern(TokenPattern::next).rows == 0);
  CHECK(of_mixed.heads[2].pattern(TokenPattern::next).rows == of_open.heads[2].pattern(TokenPattern::next).rows);
  // So are the random heads it is compared with: one of three sees no word after it.
  CHECK(of_mixed.random.layer.own.size() == 3);
  RoleTables kept;
  kept.pooled(open, 0, set);
  CHECK(text_of(kept.pooled(mixed, 0, set)) == text_of(of_mixed));
  CHECK(text_of(kept.of_sentence(*evaluate(mixed), 0, set)) ==
        text_of(RoleTables().of_sentence(*evaluate(mixed), 0, set)));
}

TEST_CASE("role table: untrained heads of any kind are drawn as their layer draws them", "[core][document][roles]") {
  // random_weights is what weights_of gives for the same seed.
  for (const Index kv_heads : {3, 1}) {
    const HeadsLike like{3, kv_heads, 0.5f};
    WeightSource source;
    source.seed = 11;
    const AttentionWeights<float> drawn = random_weights(12, like, 11),
                                  own = weights_of(source, 12, {12, 12, 4 * kv_heads});
    CHECK(*drawn.W_Q == *own.W_Q);
    CHECK(*drawn.W_K == *own.W_K);
    CHECK(*drawn.W_V == *own.W_V);
  }
  // A gain on W_Q and W_K is one on the scores.
  Document gained = small_layer();
  gained.layers.front().source.gain = 3;
  gained.layers.front().weights = weights_of(gained.layers.front().source, gained.layers.front(), 12);
  const MarkedSentences set = marked({"the cat sat on the mat"});
  const float factor = evaluate(small_layer())->layers.front().input.score_factor(0);
  CHECK(RoleTables().pooled(gained, 0, set).random.layer.score_factor == Approx(9 * factor));
  CHECK(RoleTables().of_sentence(*evaluate(gained), 0, set, &gained.layers.front()).random.layer.score_factor ==
        Approx(9 * factor));
  const Document cut = hydra::apply(small_layer(), SetSplit{Split::slice});
  const LayerInput<float> input = evaluate(cut)->layers.front().input;
  CHECK(*random_weights(12, heads_like(input), 7).W_Q == *input.weights.W_Q);
}

TEST_CASE("role table: what random layers reach is found again while nothing that it depends on changes",
          "[core][document][roles]") {
  const MarkedSentences set = marked({"the cat sat on the mat", "it was tired ."});
  KnownBounds known;
  const auto random = [&](const Document& document) { return RoleTables().pooled(document, 0, set).random; };
  const Document document = small_layer();
  NameBounds bounds;
  bounds.layers = 1;
  known.keep(random(document), bounds);
  Document reseeded = document;
  reseeded.layers.front().source.seed = 99;
  reseeded.layers.front().weights = weights_of(reseeded.layers.front().source, reseeded.layers.front(), 12);
  CHECK(known.find(random(reseeded)));
  CHECK(known.find(random(hydra::apply(document, SetSentence{"another one"}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetHeads{4}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetKvHeads{1}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetMask{{Mask::Kind::causal, nullptr}}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetSetting{LayerSetting::temperature, 2}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetSplit{Split::slice}))));
  CHECK_FALSE(known.find(random(hydra::apply(document, SetEmbedding{Embedding::Kind::hashed, 2}))));
  CHECK_FALSE(
      known.find(RoleTables().pooled(document, 0, marked({"the cat sat on the hat", "it was tired ."})).random));
}

TEST_CASE("role table: the designed documents keep the names of their heads", "[core][document][roles]") {
  const auto standard = std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
  const std::vector<std::string> names{"coreference",    "pronoun to adjective", "subject-verb",    "adjective-noun",
                                       "previous_token", "punctuation",          "similar-meaning", "same_word"};
  RoleTables tables;
  std::optional<NameBounds> bounds;
  int designed = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::data("../../assets/documents"))) {
    const std::string name = file.path().filename().string();
    if (name.find("designed_") == std::string::npos) continue;
    ++designed;
    CAPTURE(name);
    RoleTable table = tables.pooled(read_document(file.path().string()), 0, standard);
    if (!bounds) bounds = bounds_of(table.random);
    table.bounds = bounds;
    const std::vector<HeadName> named = names_of(table);
    for (std::size_t h = 0; h < names.size(); ++h) {
      const Role& role = named[h].role;
      CHECK(role_key(role) == names[h]);
      if (role.kind == Role::Kind::job) continue;  // what a design by hand asks first: without an interval
      const Interval interval = interval_of(role, table, static_cast<int>(h));
      CHECK(interval.low <= role.score);
      CHECK(interval.high >= role.score - 1e-6);
      CHECK(interval.low > 0.5);
    }
    // Head 3 asks verbs alone, but its kernels look somewhere from every word.
    CHECK(table.unasked[2].rows == 385);
    CHECK(table.unasked[2].bold > 300);
    CHECK(bold_sentence(table, 4).empty());  // the previous token is asked for everywhere
  }
  CHECK(designed == 7);
}

TEST_CASE("role table: what a design by hand asks first is measured on every head, beside random ones",
          "[document][roles][design]") {
  const Document document = read_document(test::data("../../assets/documents/layer_animal_tired.json"));
  const auto standard = std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
  RoleTables tables;
  RoleTable table = tables.pooled(document, 0, standard);
  REQUIRE(table.asked.size() == 2);
  CHECK(table.jobs.empty());
  CHECK(table.asked[0]->title == "pronoun to adjective");
  CHECK(table.asked[1]->title == "pronoun to noun");
  table.bounds = bounds_of(table.random);
  const std::vector<HeadName> names = names_of(table);
  for (std::size_t h = 0; h < 2; ++h) {
    CAPTURE(h);
    const RelationScore& own = table.heads[h].jobs[h];
    const Role& role = names[h].role;
    REQUIRE(role.kind == Role::Kind::job);
    CHECK(role.job == table.asked[h]);
    CHECK(role.score == own.mass);
    CHECK(role.rows == own.rows);
    CHECK(own.accuracy > 0.9);
    CHECK(table.heads[1 - h].jobs[h].mass < 0.1);  // the other head does not do it
    CHECK(table.chance.jobs[h].mass < 0.5 * own.mass);
    CHECK(table.chance.jobs[h].rows == own.rows);
    CHECK(interval_of(role, table, static_cast<int>(h)).low > 0.5);
    CHECK_THAT(evidence_for_name(names[h], table, static_cast<int>(h)), Catch::Contains("random heads"));
  }
  // As the analyze command writes it.
  std::string text;
  write_roles({{0, table}}, {}, 0.5, [&](std::string_view part) { text += part; });
  const nlohmann::json written = nlohmann::json::parse(text).at("layers").at(0).at("heads").at(0);
  CHECK(written.at("jobs").at("pronoun to adjective").at("mass").get<double>() == Approx(table.heads[0].jobs[0].mass));
  CHECK(written.at("jobs").at("pronoun to noun").at("rows") == table.heads[0].jobs[1].rows);
  CHECK(written.at("baseline").at("jobs").at("pronoun to adjective").at("mass").get<double>() ==
        Approx(table.chance.jobs[0].mass));
  // Of the own sentence by hand: "it" asks for the one adjective.
  const auto trace = evaluate(document);
  const RoleTable here = tables.of_sentence(*trace, 0, standard, &document.layer(0));
  const MatView<float> A = *trace->layer(0).heads[0].attention;
  CHECK(here.heads[0].jobs[0].rows == 1);
  CHECK(here.heads[0].jobs[0].mass == Approx(A(7, 10)));
}
