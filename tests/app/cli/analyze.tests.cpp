// hydrascope analyze as a process: the JSON it writes, what it refuses.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/analysis/stream/circuit.h"
#include "core/analysis/stream/rollout.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/measures/likeness_table.h"
#include "core/measures/role_tables.h"
#include "core/report/mixing_json.h"
#include "core/report/stream_json.h"
#include "tests/support/faults.h"
#include "tests/support/program.h"

using namespace hydra;
using Catch::Contains;
using hydra::test::Program;
using hydra::test::Result;
using nlohmann::json;
using test::fault_at;

namespace {

// Without marked sentences of the user's own.
class AnalyzeProgram : public Program {
 public:
  AnalyzeProgram() { ::setenv("XDG_DATA_HOME", file("").c_str(), 1); }
};

void same(const json& written, double value) {
  CAPTURE(written.dump(), value);
  if (std::isnan(value))
    CHECK(written.is_null());
  else
    CHECK(written.get<double>() == Approx(value).epsilon(1e-8));
}

}  // namespace

TEST_CASE("analyze command: every measure of every head, its baseline and its label", "[app][cli]") {
  const AnalyzeProgram program;
  const Result result = program.untrained("analyze");
  REQUIRE(result.code == 0);
  CHECK(result.error.empty());
  const json out = json::parse(result.out);
  const auto trace = evaluate(default_document());
  RoleTables tables;
  const RoleTable table = tables.of_sentence(*trace, 0, shipped_sentences());
  RoleTable named = tables.pooled(default_document(), 0, shipped_sentences());
  named.bounds = bounds_of(named.random);
  CHECK(out.at("tokens") == json(trace->tokens));
  CHECK(out.at("threshold") == 0.5);
  CHECK(out.at("random_heads") == 32);
  CHECK(out.at("named_on_sentences") == standard_sentences().sentences.size());
  CHECK(out.at("layers").at(0).at("random_layers").at("layers") == kMostLayers);
  REQUIRE(out.at("layers").size() == 1);
  const json& heads = out.at("layers").at(0).at("heads");
  REQUIRE(heads.size() == 8);
  for (std::size_t h = 0; h < heads.size(); ++h) {
    for (const bool random : {false, true}) {
      const json& written = random ? heads.at(h).at("baseline") : heads.at(h);
      const RoleMeasures& m = random ? table.chance : table.heads[h];
      for (const HeadMeasure* measure : kHeadMeasures) same(written.at(measure->key), m[*measure]);
      same(written.at("positional").at("share"), m.positional_share);
      CHECK(written.at("offset_profile").size() == 23);
      for (int k = -11; k <= 11; ++k) same(written.at("offset_profile").at(std::to_string(k)), m.offset(k).attention);
      for (const TokenPatternEntry& p : token_patterns()) {
        same(written.at(p.key).at("mass"), m.pattern(p.pattern).mass);
        same(written.at(p.key).at("accuracy"), m.pattern(p.pattern).accuracy);
        CHECK(written.at(p.key).at("rows") == m.pattern(p.pattern).rows);
      }
      for (const RelationEntry& r : relations()) {
        const json& relation = written.at("relations").at(r.key);
        same(relation.at("mass"), m.relation(r.relation).mass);
        same(relation.at("accuracy"), m.relation(r.relation).accuracy);
        CHECK(relation.at("rows") == m.relation(r.relation).rows);
        same(relation.at("offset_accuracy"), m.relation(r.relation).offset_accuracy);
      }
    }
    CHECK(heads.at(h).at("positional").at("offset") == table.heads[h].positional_offset);
    const Role role = role_of(named.heads[h], *named.bounds);  // from the marked sentences, not from this one
    CHECK(heads.at(h).at("label").at("role") == role_key(role));
    CHECK(heads.at(h).at("label").at("text") == label_with_interval(role, named, static_cast<int>(h)));
    CHECK_THAT(heads.at(h).at("label").at("evidence").get<std::string>(), Contains("of 8 random heads reaches"));
    same(heads.at(h).at("label").at("score"), role.score);
  }
  // The default sentence is marked: "it" stands for "animal", and nothing in it is a relative clause.
  CHECK(heads.at(0).at("relations").at("coreference").at("rows") == 1);
  const float mass = (*trace->layers[0].heads[0].attention)(7, 1);
  CHECK(heads.at(0).at("relations").at("coreference").at("mass").get<double>() == Approx(mass));
  CHECK(heads.at(0).at("relations").at("relative-clause").at("mass").is_null());
  CHECK(program.untrained("analyze").out == result.out);
}

TEST_CASE("analyze command: a document whose heads do one thing", "[app][cli]") {
  const AnalyzeProgram program;
  const json out = json::parse(
      program
          .untrained("analyze", "--set '/sentence=a b c d' --set /layers/0/weights/init=zero --set /layers/0/heads=1")
          .out);
  const json& head = out.at("layers").at(0).at("heads").at(0);
  CHECK(head.at("label").at("role") == "uniform");
  CHECK(head.at("entropy_bits") == 2);
  CHECK(head.at("previous_token").at("mass") == 0.25);
  CHECK(head.at("removal").is_null());
  CHECK(head.at("same_word").at("mass").is_null());
}

TEST_CASE("analyze command: pooled over marked sentences", "[app][cli]") {
  const AnalyzeProgram program;
  const json all = json::parse(program.untrained("analyze", "--sentences all").out);
  CHECK(all.at("sentences").size() == standard_sentences().sentences.size());
  CHECK(!all.contains("tokens"));
  Index rows = 0;
  for (const AnnotatedSentence& sentence : standard_sentences().sentences)
    rows += static_cast<Index>(sentence.tokens.size());
  CHECK(all.at("layers").at(0).at("heads").at(0).at("rows") == rows);

  const std::string a = program.file_with("a.json", R"({"title": "a", "group": "g", "sentence": "The cat sat.",
      "relations": {"determiner-noun": [["The", "cat"]]}})");
  const std::string b =
      program.file_with("b.json", R"({"title": "b", "group": "g", "sentence": "It was a very old dog.",
      "relations": {"determiner-noun": [["a", "dog"]]}})");
  const json two = json::parse(program.untrained("analyze", "--sentences '" + a + "' '" + b + "'").out);
  CHECK(two.at("sentences") == json{"The cat sat.", "It was a very old dog."});
  const json& relation = two.at("layers").at(0).at("heads").at(0).at("relations").at("determiner-noun");
  CHECK(relation.at("rows") == 2);
  CHECK(relation.at("best_offset") == 1);
  CHECK(relation.at("offset_accuracy") == 0.5);
}

TEST_CASE("analyze command: what the heads are together", "[app][cli]") {
  const AnalyzeProgram program;
  for (const bool pooled : {false, true}) {
    const json layer =
        json::parse(program.untrained("analyze", pooled ? "--sentences all" : "").out).at("layers").at(0);
    const auto trace = evaluate(default_document());
    LikenessWanted wanted;
    wanted.measures.fill(true);
    wanted.ranks = true;
    LikenessTables tables;
    const LikenessTable table = pooled ? tables.pooled(default_document(), *trace, 0, shipped_sentences(), wanted)
                                       : tables.of_sentence(trace->layer(0), wanted);
    CAPTURE(pooled);
    CHECK(layer.at("similarity").size() == kLikenesses);
    for (const LikenessEntry& entry : likenesses()) {
      const json& matrix = layer.at("similarity").at(entry.key);
      REQUIRE(matrix.size() == 8);
      for (std::size_t i = 0; i < 8; ++i) {
        REQUIRE(matrix.at(i).size() == 8);
        for (std::size_t g = 0; g < 8; ++g)
          same(matrix.at(i).at(g), (*table.matrix(entry.measure))(static_cast<Index>(i), static_cast<Index>(g)));
      }
    }
    const json& tree = layer.at("clustering");
    CHECK(tree.at("measure") == "js_bits");
    CHECK(tree.at("leaf_order") == json(table.clustering.leaves));
    REQUIRE(tree.at("merges").size() == 7);
    for (std::size_t k = 0; k < 7; ++k) {
      const Merge& merge = table.clustering.merges[k];
      CHECK(tree.at("merges").at(k).at(0) == merge.left);
      CHECK(tree.at("merges").at(k).at(1) == merge.right);
      same(tree.at("merges").at(k).at(2), merge.distance);
      CHECK(tree.at("merges").at(k).at(3) == merge.size);
    }
    REQUIRE(layer.at("map").at("points").size() == 8);
    for (std::size_t h = 0; h < 8; ++h)
      for (std::size_t axis = 0; axis < 2; ++axis)
        same(layer.at("map").at("points").at(h).at(axis),
             table.map.points(static_cast<Index>(h), static_cast<Index>(axis)));
    same(layer.at("map").at("stress"), table.map.stress);
    same(layer.at("effective_heads"), table.effective_heads);
    same(layer.at("mean_cosine"), table.mean_cosine);
    const json& ranks = layer.at("ranks");
    CHECK(ranks.at("d_k") == 8);
    CHECK(ranks.at("n") == 12);
    REQUIRE(ranks.at("heads").size() == 8);
    CHECK(ranks.at("heads").at(3).at("scores").at("numerical_rank") == table.ranks[3].scores.numerical_rank);
    same(ranks.at("heads").at(3).at("query_key").at("effective_rank"), table.ranks[3].query_key.effective_rank);
    REQUIRE(ranks.at("heads").at(3).at("scores").at("singular_values").size() == 8);
    same(ranks.at("heads").at(3).at("scores").at("singular_values").at(7), table.ranks[3].scores.values[7]);
  }
}

TEST_CASE("analyze command: how the heads become one output", "[app][cli]") {
  const AnalyzeProgram program;
  const std::string gates = " --set \"/layers/0/gates=[1,1,0.5,1,0,1,1,2]\"";
  const Document document = hydra::apply(default_document(), SetGates{{1, 1, 0.5f, 1, 0, 1, 1, 2}});
  for (const bool pooled : {false, true}) {
    CAPTURE(pooled);
    const json layer =
        json::parse(program.untrained("analyze", gates + (pooled ? " --sentences all" : "")).out).at("layers").at(0);
    std::vector<LayerTrace<float>> layers{evaluate(document)->layers.front()};
    PooledTraces traces;
    if (pooled) {
      layers.clear();
      for (const auto& trace : traces.evaluate(document, shipped_sentences())) layers.push_back(trace->layers.front());
    }
    const Mixing mixing = pooled_mixing(layers);
    const Shares shares = mixing.shares();
    CHECK(layer.at("shares").contains("tokens") == !pooled);
    for (std::size_t h = 0; h < 8; ++h) {
      same(layer.at("shares").at("size").at(h), shares.size[h]);
      same(layer.at("shares").at("along").at(h), shares.along[h]);
      same(layer.at("ablation").at(h), mixing.ablation[h]);
      same(layer.at("W_O_norms").at(h), mixing.block_norm[h]);
      if (!pooled) same(layer.at("shares").at("tokens").at(11).at("along").at(h), mixing.shares(11).along[h]);
    }
    CHECK(layer.at("silent") == json::parse("[4]"));
    CHECK(layer.at("greedy_order") == json(mixing.silencing.order));
    REQUIRE(layer.at("greedy_order").size() == 7);
    REQUIRE(layer.at("greedy_change").size() == 8);
    for (std::size_t k = 0; k < 8; ++k) {
      same(layer.at("greedy_change").at(k), mixing.silencing.change[k]);
      same(layer.at("random_change").at(k), mixing.silencing.random_mean[k]);
    }
    CHECK(layer.at("writing_cosines").at(4).at(0).is_null());
    same(layer.at("writing_cosines").at(1).at(2), writing_cosines(mixing)(1, 2));
    same(layer.at("gate_change"), mixing.gate_change_overall);
    CHECK(layer.at("random_orders") == "all");
    const Mixing varying = pooled_mixing(layers, nullptr, Written::varying);
    same(layer.at("constant").at(1), mixing.constant[1]);
    same(layer.at("varying").at("ablation").at(1), varying.ablation[1]);
    same(layer.at("varying").at("shares").at("along").at(1), varying.shares().along[1]);
    CHECK(layer.at("varying").at("shares").contains("tokens") == !pooled);
    CHECK(layer.at("score_spread").at("heads").size() == 8);
    CHECK(layer.at("unrelated_outputs").at("cka_high").get<double>() > 0);
    CHECK(layer.contains("stream") == !pooled);
    CHECK(layer.contains("rollout") == !pooled);
  }
}

TEST_CASE("analyze command: what a sink takes is a measure of its head", "[app][cli]") {
  const AnalyzeProgram program;
  const json layer = json::parse(program.untrained("analyze", "--set /layers/0/sink=zero").out).at("layers").at(0);
  for (const json& head : layer.at("heads")) {
    CHECK(head.at("sink").get<double>() > 0);
    CHECK(head.at("sink").get<double>() < 1);
  }
}

TEST_CASE("analyze command: likeness that is not defined is null, that is infinite \"inf\"", "[app][cli]") {
  const AnalyzeProgram program;
  const std::string file = program.file_with("two.json", R"({"hydrascope": 1, "sentence": "a b", "d_model": 4,
      "layers": [{"heads": 2, "weights": {"init": "zero"},
                  "painted": [{"head": 0, "attention": [[0, [1, 0]], [1, [0, 1]]]}]}]})");
  const json layer = json::parse(program.run("analyze '" + file + "'").out).at("layers").at(0);
  const json& similarity = layer.at("similarity");
  CHECK(similarity.at("kl_bits") == json::parse(R"([[0, 1], ["inf", 0]])"));
  CHECK(similarity.at("qk") == json::parse("[[null, null], [null, null]]"));
  CHECK(similarity.at("cka") == json::parse("[[null, null], [null, null]]"));
  CHECK(similarity.at("cosine").at(0).at(1).get<double>() == Approx(std::sqrt(0.5)));
  CHECK(layer.at("ranks").at("heads").at(0).at("query_key").at("numerical_rank") == 0);
  const json one = json::parse(program.untrained("analyze", "--set /layers/0/heads=1").out).at("layers").at(0);
  CHECK(one.at("clustering").at("merges").empty());
  CHECK(one.at("clustering").at("leaf_order") == json{0});
  CHECK(one.at("map").at("points") == json::parse("[[0, 0]]"));
  CHECK(one.at("mean_cosine").is_null());
  CHECK(one.at("effective_heads") == 1);
}

TEST_CASE("analyze command: the user's own sentences take part, a broken one is named and skipped", "[app][cli]") {
  const AnalyzeProgram program;
  const std::size_t shipped = standard_sentences().sentences.size();
  std::filesystem::create_directories(program.file("hydrascope/sentences"));
  program.file_with("hydrascope/sentences/mine.json",
                    R"({"title": "t", "group": "g", "sentence": "Mine.", "relations": {}})");
  program.file_with("hydrascope/sentences/broken.json", "{");
  const Result result = program.untrained("analyze", "--sentences all");
  CHECK(result.code == 0);
  CHECK(json::parse(result.out).at("sentences").size() == shipped + 1);
  CHECK_THAT(result.error, Contains("skipped: ") && Contains("broken.json"));
}

TEST_CASE("analyze command: the threshold of the labels, which untrained heads do not reach at any", "[app][cli]") {
  const AnalyzeProgram program;
  const std::string designed =
      program.file_with("designed.json", R"({"hydrascope": 1, "sentence": "The cat that I adopted sleeps.",
      "embedding": {"kind": "features"}, "layers": [{"heads": 2, "weights": {"designs": [
      {"preset": "pronoun-antecedent"}, {"preset": "previous"}]}}]})");
  const auto mixed = [&](const std::string& arguments) {
    int count = 0;
    const json out = json::parse(program.run("analyze " + arguments).out);
    for (const json& head : out.at("layers").at(0).at("heads")) count += head.at("label").at("role") == "mixed";
    return count;
  };
  const std::string untrained = program.file_with("untrained.json", R"({"hydrascope": 1})");
  CHECK(mixed("'" + untrained + "' --threshold 1") == 8);
  CHECK(mixed("'" + untrained + "' --threshold 0.1") == 8);
  CHECK(mixed("'" + designed + "' --threshold 0.5") == 0);
  CHECK(mixed("'" + designed + "' --threshold 0.99") == 1);
  CHECK_THAT(program.refusal("analyze --threshold 1.5"), fault_at("--threshold", "from 0 to 1"));
}

TEST_CASE("analyze command: whatever is wrong is one sentence and exit code 2", "[app][cli]") {
  const AnalyzeProgram program;
  CHECK_THAT(program.refusal("analyze /no/such/file.json"), fault_at("/no/such/file.json", "No such file"));
  CHECK_THAT(program.refusal("analyze --sentences /no/such/file.json"), fault_at("/no/such/file.json", "No such file"));
  CHECK_THAT(program.refusal("analyze --sentences"), fault_at("--sentences", "missing"));
  CHECK_THAT(program.refusal("analyze --sentences '" + program.file_with("bad.json", "{\"title\": 5}") + "'"),
             Contains("bad.json"));
  CHECK_THAT(program.refusal("analyze --out /no/such/folder/t.json"), fault_at("--out", "no folder /no/such/folder"));
  const std::string explicit_X = program.file_with(
      "x.json", R"({"hydrascope": 1, "tokens": ["a"], "d_model": 2, "embedding": {"kind": "explicit", "X": [[1, 2]]},
                    "layers": [{"heads": 1}]})");
  CHECK(program.run("analyze '" + explicit_X + "'").code == 0);
  CHECK_THAT(program.refusal("analyze '" + explicit_X + "' --sentences all"),
             fault_at("the document", "gives X itself"));
}

TEST_CASE("analyze command: the residual stream, line by line for every token", "[app][cli]") {
  const AnalyzeProgram program;
  Document document = default_document();
  for (const LayerSetting setting : {LayerSetting::residual, LayerSetting::feed_forward})
    document = hydra::apply(document, SetSetting{setting, 1});
  const Result result =
      program.untrained("analyze", "--set /layers/0/residual=true --set '/layers/0/feed_forward={\"width\": 256}'");
  REQUIRE(result.code == 0);
  const json written = json::parse(result.out).at("layers").at(0).at("stream");
  const Stream stream = StreamMeasures().of(*evaluate(document), 0);
  const StreamLayer& layer = stream.layer(0);
  REQUIRE(written.size() == layer.lines.size());
  for (std::size_t l = 0; l < layer.lines.size(); ++l) {
    const json& line = written.at(l);
    CHECK(line.at("vector") == spelled(layer.lines[l].site));
    CHECK(line.contains("share") == (layer.lines[l].part_of >= 0));
    for (Index t = 0; t < layer.n(); ++t) {
      const auto at = static_cast<std::size_t>(t);
      const auto k = static_cast<Index>(l);
      same(line.at("size").at(at), layer.size(t, k));
      same(line.at("cosine").at(at), layer.cosine(t, k));
      if (line.contains("share")) same(line.at("share").at(at), layer.share(t, k));
    }
  }
  CHECK(written.front().at("part_of") == "layers.0.stream");
}

TEST_CASE("analyze command: a layer and those before it, rollout and composition", "[app][cli]") {
  const AnalyzeProgram program;
  const Document document = hydra::apply(default_document(), {AddLayer{}, 0});
  const std::string file = program.file_with("stack.json", document_text(document));
  const Result result = program.run("analyze --layer 2 " + file);
  REQUIRE(result.code == 0);
  const json layer = json::parse(result.out).at("layers").at(0);
  const auto trace = evaluate(document);
  const Circuit circuit = CircuitMeasures().of(*trace);
  const auto check_rows = [](const json& rows, const Mat<double>& matrix) {
    REQUIRE(std::ssize(rows) == matrix.rows());
    for (Index i = 0; i < matrix.rows(); ++i)
      for (Index j = 0; j < matrix.cols(); ++j)
        same(rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)), matrix(i, j));
  };
  REQUIRE(layer.at("composition").at("layers").size() == 1);
  const json& before = layer.at("composition").at("layers").at(0);
  CHECK(before.at("layer") == 0);
  check_rows(before.at("query"), circuit.between(0, 1).query);
  check_rows(before.at("key"), circuit.between(0, 1).key);
  check_rows(before.at("value"), circuit.between(0, 1).value);
  same(layer.at("composition").at("random"), random_composition(document.d_model));
  check_rows(layer.at("rollout").at("attention"), rollout(*trace, 2, RolloutKind::attention));
  check_rows(layer.at("rollout").at("value_weighted"), rollout(*trace, 2, RolloutKind::value_weighted));
}

TEST_CASE("analyze command: all layers, each as alone, and all their heads beside each other", "[app][cli]") {
  const AnalyzeProgram program;
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{4});
  for (int k = 0; k < 2; ++k) document = hydra::apply(document, {AddLayer{}, k});
  document = hydra::apply(document, {SetHeads{2}, 1});
  const std::string file = program.file_with("stack.json", document_text(document));
  for (const std::string sentences : {"", " --sentences all"}) {
    CAPTURE(sentences);
    const json all = json::parse(program.run("analyze --layer all '" + file + "'" + sentences).out);
    REQUIRE(all.at("layers").size() == 3);
    for (int k = 0; k < 3; ++k) {
      const std::string number = std::to_string(k + 1);
      const json one = json::parse(program.run("analyze --layer " + number + " '" + file + "'" + sentences).out);
      REQUIRE(one.at("layers").size() == 1);
      CHECK(one.at("layers").at(0).at("layer") == k);
      CHECK(one.at("layers").at(0) == all.at("layers").at(static_cast<std::size_t>(k)));
      CHECK_FALSE(one.contains("all_layers"));
    }
    const json& heads = all.at("all_layers");
    CHECK(heads.at("heads") == json::parse("[[0,0],[0,1],[0,2],[0,3],[1,0],[1,1],[2,0],[2,1],[2,2],[2,3]]"));
    CHECK(heads.at("clustering").at("leaf_order").size() == 10);
    CHECK_FALSE(heads.contains("ranks"));
    for (const LikenessEntry& entry : likenesses()) {
      const json &matrix = heads.at("similarity").at(entry.key),
                 &own = all.at("layers").at(1).at("similarity").at(entry.key);
      REQUIRE(matrix.size() == 10);
      CHECK(matrix.at(4).at(5) == own.at(0).at(1));  // the two heads of the second layer
    }
    double shares = 0;
    for (const json& head : all.at("layers").at(2).at("heads")) shares += head.at("share").get<double>();
    CHECK(shares == Approx(1));
    CHECK(all.at("layers").at(2).at("heads").at(0).at("against_stream").get<double>() > 0);
  }
  CHECK_THAT(program.refusal("analyze --layer 4 '" + file + "'"), fault_at("--layer", "no layer 4"));
  CHECK_THAT(program.refusal("analyze --layer every '" + file + "'"), fault_at("--layer", "give a number, or all"));
}

TEST_CASE("analyze command: direct effects on the logits, which add up to them", "[app][cli]") {
  const AnalyzeProgram program;
  Document document = hydra::apply(default_document(), SetEmbedding{Embedding::Kind::learned, 1});
  document = hydra::apply(document, SetSetting{LayerSetting::residual, 1});
  document = hydra::apply(document, SetModelSetting{ModelSetting::readout, 1});
  document = hydra::apply(document, {AddLayer{}, 0});
  const std::string file = program.file_with("readout.json", document_text(document));
  const auto trace = evaluate(document);
  const auto tokens = static_cast<int>(trace->tokens.size());
  for (const int token : {tokens, 3}) {
    const std::string chosen = token == tokens ? "" : " --token " + std::to_string(token);
    const json effects = json::parse(program.run("analyze '" + file + "'" + chosen).out).at("direct_effects");
    CHECK(effects.at("token") == token - 1);
    const Index next = likeliest(trace->model.probabilities, token - 1, 1).front();
    CHECK(effects.at("next_word") == trace->model.next_words.words.word(next));
    double sum = effects.at("constants").get<double>();
    for (const json& line : effects.at("lines")) {
      if (line.at("counts").get<bool>()) sum += line.at("on_next_word").get<double>();
      CHECK(line.at("raised").size() <= static_cast<std::size_t>(kMostTold));
      for (const json& word : line.at("lowered")) CHECK(word.at("by").get<double>() < 0);
    }
    CHECK(sum == Approx((*trace->model.logits)(token - 1, next)).epsilon(1e-4));
    CHECK(effects.at("logit").get<double>() == Approx((*trace->model.logits)(token - 1, next)));
    CHECK(effects.at("logits").at("raised").at(0).at("word") == effects.at("next_word"));
  }
  document = hydra::apply(document, SetModelSetting{ModelSetting::readout, 2});
  document = hydra::apply(document, SetQuestions{{"who", "what"}});
  const std::string asked = program.file_with("questions.json", document_text(document));
  const json both = json::parse(program.run("analyze '" + asked + "'").out).at("direct_effects");
  REQUIRE(both.size() == 2);
  const auto of_both = evaluate(document);
  for (const Index q : {0, 1}) {
    const json& effects = both[static_cast<std::size_t>(q)];
    CHECK(effects.at("question") == (q == 0 ? "who" : "what"));
    const auto logits = of_both->model.of_question(of_both->model.logits, q);
    CHECK(effects.at("logit").get<double>() == Approx(logits->row(tokens - 1).maxCoeff()));
    CHECK(effects.at("logits").at("raised").at(0).at("word") == effects.at("next_word"));
  }
  CHECK_FALSE(json::parse(program.run("analyze '" + file + "' --sentences all").out).contains("direct_effects"));
  CHECK_FALSE(json::parse(program.untrained("analyze").out).contains("direct_effects"));
  CHECK_THAT(program.refusal("analyze --token 99 '" + file + "'"), fault_at("--token", "no token 99"));
}
