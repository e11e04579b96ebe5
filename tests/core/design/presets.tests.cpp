// The designed heads over all marked sentences, through the real forward pass. core_tests -s "[presets]" prints the
// masses.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/attention/forward.h"
#include "core/design/head_design.h"
#include "core/linalg/random.h"
#include "core/text/annotated.h"
#include "core/text/tokenizer.h"
#include "core/text/wording.h"

using namespace hydra;

namespace {

// The layer whose first head is designed; the others are zero.
LayerTrace<float> trace_of(const HeadDesign& design, const std::vector<std::string>& tokens, Index d_model, Index heads,
                           std::uint64_t seed = 1) {
  const FeatureLayout layout = feature_layout(d_model);
  std::vector<WordFeatures> words;
  for (const std::string& token : tokens) words.push_back(Lexicon::standard().look_up(token));
  LayerInput<float> input;
  input.heads = heads;
  input.X = share(Mat<float>(feature_embedding(tokens, words, layout, seed) +
                             feature_positions(static_cast<Index>(tokens.size()), layout)));
  const Index d_k = d_model / heads;
  const float factor = 1 / std::sqrt(static_cast<float>(d_k));
  const HeadWeights head = build_head(design, layout, d_k, factor);
  Mat<float> W_Q = Mat<float>::Zero(d_model, d_model), W_K = W_Q, W_V = W_Q, W_O = W_Q;
  W_Q.leftCols(d_k) = head.W_Q;
  W_K.leftCols(d_k) = head.W_K;
  W_V.leftCols(d_k) = head.W_V;
  W_O.topRows(d_k) = head.W_O;
  input.weights = {share(std::move(W_Q)),
                   share(std::move(W_K)),
                   share(std::move(W_V)),
                   share(std::move(W_O)),
                   nullptr,
                   nullptr,
                   nullptr,
                   nullptr};
  return forward(std::move(input));
}

// What each preset is for: the pairs of a sentence. Rows without a target do not count.
std::vector<GoldPair> targets(HeadPreset preset, const AnnotatedSentence& sentence) {
  const int n = static_cast<int>(sentence.tokens.size());
  std::vector<GoldPair> pairs;
  const auto offset = [&](int by) {
    for (int i = 0; i < n; ++i)
      if (i + by >= 0 && i + by < n) pairs.push_back({i, i + by});
    return pairs;
  };
  const auto marked = [&](Relation relation) {
    const auto k = static_cast<std::size_t>(relation);
    return sentence.unresolved[k].empty() ? sentence.gold[k] : std::vector<GoldPair>{};
  };
  switch (preset) {
    case HeadPreset::none:
      break;
    case HeadPreset::previous:
      return offset(-1);
    case HeadPreset::next:
      return offset(1);
    case HeadPreset::self:
      return offset(0);
    case HeadPreset::first:
      for (int i = 0; i < n; ++i) pairs.push_back({i, 0});
      return pairs;
    case HeadPreset::uniform:  // every token is a target; a test of its own holds the shares
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) pairs.push_back({i, j});
      return pairs;
    case HeadPreset::punctuation:
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (is_punctuation(static_cast<unsigned char>(sentence.tokens[static_cast<std::size_t>(j)].front())))
            pairs.push_back({i, j});
      return pairs;
    case HeadPreset::same_word:
      return marked(Relation::same_word);
    case HeadPreset::pronoun_antecedent:
      return marked(Relation::coreference);
    case HeadPreset::verb_subject:
      return marked(Relation::subject_verb);
    case HeadPreset::adjective_noun:
      return marked(Relation::adjective_noun);
    case HeadPreset::determiner_noun:
      return marked(Relation::determiner_noun);
    case HeadPreset::similar_meaning:
      return marked(Relation::similar_meaning);
  }
  return pairs;
}

struct Mass {
  double mean = 0;
  int rows = 0;
};

Mass mass(HeadPreset preset, Index d_model, Index heads, std::uint64_t seed = 1,
          const std::vector<AnnotatedSentence>& sentences = standard_sentences().sentences) {
  Mass result;
  double sum = 0;
  for (const AnnotatedSentence& sentence : sentences) {
    const std::vector<GoldPair> pairs = targets(preset, sentence);
    if (pairs.empty()) continue;
    const LayerTrace<float> trace = trace_of(preset_design(preset), sentence.tokens, d_model, heads, seed);
    std::set<int> queries;
    for (const auto& [from, to] : pairs) {
      sum += static_cast<double>((*trace.heads[0].attention)(from, to));
      queries.insert(from);
    }
    result.rows += static_cast<int>(queries.size());
  }
  result.mean = sum / result.rows;
  return result;
}

}  // namespace

TEST_CASE("presets: each puts at least 0.9 of its attention on its target, on average", "[core][design][presets]") {
  for (const PresetEntry& entry : presets()) {
    const Mass at_64 = mass(entry.preset, 64, 8);
    INFO(entry.key << ": " << at_64.mean << " over " << at_64.rows << " rows");
    CHECK(at_64.rows >= 10);
    CHECK(at_64.mean >= 0.9);
    CHECK(at_64.mean <= 1.00001);
    for (const Index d_model : {128, 512}) {
      const Mass wider = mass(entry.preset, d_model, 8);
      INFO("at d_model " << d_model << " " << wider.mean);
      CHECK(wider.mean >= 0.9);
    }
  }
}

// Sentences that a class would type next: other words of the lexicon in like constructions.
TEST_CASE("presets: hold on variations of the sentences", "[core][design][presets]") {
  std::vector<AnnotatedSentence> sentences;
  const auto add = [&](const std::string& sentence, const std::string& relations) {
    sentences.push_back(parse_annotated(
        R"({"title": "T", "sentence": ")" + sentence + R"(", "relations": {)" + relations + "}}", "variation"));
  };
  add("The dog crossed the street because it was hungry.",
      R"("subject-verb": [["crossed", "dog"], ["was", "it"]], "adjective-noun": [["hungry", "dog"]],
         "determiner-noun": [["the@1", "dog"], ["the@2", "street"]], "coreference": [["it", "dog"]])");
  add("The boy gave the dog his ball.",
      R"("subject-verb": [["gave", "boy"]], "determiner-noun": [["the@1", "boy"], ["the@2", "dog"], ["his", "ball"]],
         "coreference": [["his", "boy"]])");
  add("The letters from the king are on the old table.",
      R"("subject-verb": [["are", "letters"]], "adjective-noun": [["old", "table"]],
         "determiner-noun": [["the@1", "letters"], ["the@2", "king"], ["the@3", "table"]])");
  add("The man with the dogs sleeps.",
      R"("subject-verb": [["sleeps", "man"]], "determiner-noun": [["the@1", "man"], ["the@2", "dogs"]])");
  add("The horses near the river are hungry.",
      R"("subject-verb": [["are", "horses"]], "adjective-noun": [["hungry", "horses"]],
         "determiner-noun": [["the@1", "horses"], ["the@2", "river"]])");
  add("The soft blanket was on the bed.",
      R"("subject-verb": [["was", "blanket"]], "adjective-noun": [["soft", "blanket"]],
         "determiner-noun": [["the@1", "blanket"], ["the@2", "bed"]])");
  add("The teacher thanked her students.",
      R"("subject-verb": [["thanked", "teacher"]], "determiner-noun": [["the", "teacher"], ["her", "students"]],
         "coreference": [["her", "teacher"]])");
  add("The boys asked the farmers for bread, because the horses were hungry.",
      R"("subject-verb": [["asked", "boys"], ["were", "horses"]], "adjective-noun": [["hungry", "horses"]],
         "determiner-noun": [["the@1", "boys"], ["the@2", "farmers"], ["the@3", "horses"]])");
  for (const HeadPreset preset : {HeadPreset::pronoun_antecedent, HeadPreset::verb_subject, HeadPreset::adjective_noun,
                                  HeadPreset::determiner_noun}) {
    const Mass found = mass(preset, 64, 8, 1, sentences);
    INFO("preset " << static_cast<int>(preset) << ": " << found.mean << " over " << found.rows << " variations");
    CHECK(found.mean >= 0.9);
  }
}

TEST_CASE("presets: uniform gives every token the same share", "[core][design][presets]") {
  const LayerTrace<float> trace = trace_of(preset_design(HeadPreset::uniform), {"The", "cat", "sleeps", "."}, 64, 8);
  CHECK((trace.heads[0].attention->array() == 0.25f).all());
}

TEST_CASE("presets: the same word is found whatever the seed of the identities", "[core][design][presets]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Mass found = mass(HeadPreset::same_word, 64, 8, seed);
    INFO("seed " << seed << ": " << found.mean);
    CHECK(found.mean >= 0.9);
  }
}

// "it" scores "animal" and "street" from three rows of X alone, which are the same in both sentences.
TEST_CASE("presets: no head weighs animal against street differently in the twins", "[core][design][presets]") {
  const std::vector<std::string> tired = tokenize("The animal didn't cross the street because it was too tired.");
  const std::vector<std::string> wide = tokenize("The animal didn't cross the street because it was too wide.");
  constexpr Index kIt = 7, kAnimal = 1, kStreet = 5;
  REQUIRE(tired[kIt] == "it");
  std::vector<HeadDesign> designs;
  for (const PresetEntry& entry : presets()) designs.push_back(preset_design(entry.preset));
  Random random(5);
  for (int k = 0; k < 20; ++k) {  // and heads made at random
    HeadDesign design;
    for (int a = 0; a < 5; ++a) {
      const auto any = [&] {
        const auto place = static_cast<std::size_t>(random.uniform(0, 32));
        return FeatureWeight{Lexicon::standard().features()[place].name, static_cast<float>(random.uniform(-2, 2))};
      };
      design.asks.push_back({{any(), any()}, {any(), any()}, static_cast<float>(random.uniform(-2, 2))});
    }
    design.kernels = {{static_cast<float>(random.uniform(-6, 6)), 0.5f, 0, 1}};
    design.sharpness = 3;
    designs.push_back(std::move(design));
  }
  for (const HeadDesign& design : designs) {
    INFO(describe(design));
    const LayerTrace<float> first = trace_of(design, tired, 64, 8), second = trace_of(design, wide, 64, 8);
    const auto difference = [&](const LayerTrace<float>& trace) {
      const MatView<float> S = *trace.heads[0].scores;
      return S(kIt, kAnimal) - S(kIt, kStreet);
    };
    CHECK(difference(first) == difference(second));  // to the last bit
    const auto ratio = [&](const LayerTrace<float>& trace) {
      const MatView<float> A = *trace.heads[0].attention;
      return static_cast<double>(A(kIt, kAnimal)) / static_cast<double>(A(kIt, kStreet));
    };
    const bool measurable =
        (*first.heads[0].attention)(kIt, kAnimal) > 1e-30f && (*first.heads[0].attention)(kIt, kStreet) > 1e-30f &&
        (*second.heads[0].attention)(kIt, kAnimal) > 1e-30f && (*second.heads[0].attention)(kIt, kStreet) > 1e-30f;
    if (measurable) CHECK(ratio(first) == Approx(ratio(second)).epsilon(1e-6));
  }
}

TEST_CASE("presets: so one of the twins is always wrong, and the adjectives find the answer",
          "[core][design][presets]") {
  const std::vector<std::string> tired = tokenize("The animal didn't cross the street because it was too tired.");
  const std::vector<std::string> wide = tokenize("The animal didn't cross the street because it was too wide.");
  const auto pronoun = [](const std::vector<std::string>& tokens, Index to) {
    return (*trace_of(preset_design(HeadPreset::pronoun_antecedent), tokens, 64, 8).heads[0].attention)(7, to);
  };
  CHECK(pronoun(tired, 1) > 0.9f);
  CHECK(pronoun(wide, 5) < 0.1f);
  const auto adjective = [](const std::vector<std::string>& tokens, Index to) {
    return (*trace_of(preset_design(HeadPreset::adjective_noun), tokens, 64, 8).heads[0].attention)(10, to);
  };
  CHECK(adjective(tired, 1) > 0.9f);
  CHECK(adjective(wide, 5) > 0.9f);
}

TEST_CASE("presets: what is carried arrives in the output's columns", "[core][design][presets]") {
  const LayerTrace<float> trace =
      trace_of(preset_design(HeadPreset::verb_subject), tokenize("The keys to the cabinet are on the table."), 64, 8);
  const auto wrote = [&](const char* feature) { return (*trace.output)(5, Lexicon::standard().feature(feature)); };
  CHECK(wrote("noun") > 0.9f);  // "are" has learned of its subject: a plural thing
  CHECK(wrote("plural") > 0.9f);
  CHECK(wrote("object") > 0.9f);
  CHECK(std::abs(wrote("human")) < 0.1f);
}

TEST_CASE("presets: named once, each with a tip of one sentence", "[core][design][presets]") {
  CHECK(presets().size() == 12);
  std::set<std::string> keys, titles;
  int place = 1;
  for (const PresetEntry& entry : presets()) {
    INFO(entry.key);
    CHECK(static_cast<int>(entry.preset) == place++);
    CHECK(keys.insert(entry.key).second);
    CHECK(titles.insert(wording(entry.title)).second);
    const std::string& tip = wording(entry.tip);
    CHECK(tip.size() > 40);
    CHECK(tip.find('.') == tip.size() - 1);
    CHECK(preset_design(entry.preset).preset == entry.preset);
    CHECK(build_head(preset_design(entry.preset), feature_layout(64), 8, 1).left_out.empty());
  }
  CHECK(preset_design(HeadPreset::none) == HeadDesign{});
}
