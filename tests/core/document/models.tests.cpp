// The models of a document: the one in use, and those put aside.
#include "core/document/models.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/document/fingerprints.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

constexpr SwitchModel kTo[] = {{ModelKind::untrained}, {ModelKind::designed}, {ModelKind::trained}};

Document opened_again(const Document& document) { return parse_document(document_text(document), "f"); }

// Round once by the kinds that there are, from whichever is in use.
Document gone_round(const Document& document) { return hydra::apply(document, SwitchModel{*next_kind(document)}); }

std::string model_fault(const std::string& rest) {
  try {
    parse_document(R"({"hydrascope": 1, "sentence": "a b")" + rest + "}", "m.json");
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "opened";
}

}  // namespace

TEST_CASE("models: what kind each is stands in its layers' sources", "[core][models]") {
  Document document = default_document();
  CHECK(kind_of(document) == ModelKind::untrained);
  CHECK(kind_of(hydra::apply(document, set_cell(Quantity::W_Q, 0, 0, 1))) == ModelKind::untrained);
  CHECK(kind_of(hydra::apply(document, SetWeightSource{Init::identity, 7})) == ModelKind::untrained);
  CHECK(kind_of(test::designed_heads()) == ModelKind::designed);
  for (const char* trained : {"grammar", "induction", "king", "students_1", "students_4", "students_32"})
    CHECK(kind_of(test::example(std::string("trained_") + trained)) == ModelKind::trained);
  CHECK(kind_of(test::example("two_heads_by_hand")) == ModelKind::given);
  mark(document.layers.front(), WeightSource::Kind::drawn);
  CHECK(kind_of(document) == ModelKind::untrained);
}

TEST_CASE("models: going round keeps what was edited in each, and the sentence", "[core][models]") {
  const Document opening = opening_document();
  Document document = opening;
  std::vector<Document> edited;
  for (int k = 0; k < 3; ++k) {  // trained, untrained, designed
    document = hydra::apply(document, set_cell(Quantity::W_V, 3, 5, 0.25f + static_cast<float>(k)));
    edited.push_back(document);
    document = gone_round(document);
  }
  CHECK(kind_of(edited[0]) == ModelKind::trained);
  CHECK(kind_of(edited[1]) == ModelKind::untrained);
  CHECK(kind_of(edited[2]) == ModelKind::designed);
  for (int round = 0; round < 2; ++round)
    for (int k = 0; k < 3; ++k) {
      const Model &now = document, &then = edited[static_cast<std::size_t>(k)];
      CHECK(same_document(with_model(document, now), with_model(opening, then)));
      CHECK(same_document(opened_again(document), document));
      document = gone_round(document);
    }
  CHECK(document.aside.size() == 2);
  // By name, and with undo and redo, it is the same.
  History history(opening);
  for (const SwitchModel& to : {kTo[0], kTo[1], kTo[2]}) {
    history.apply(to);
    CHECK(kind_of(history.current()) == to.to);
  }
  CHECK(history.steps() == 3);
  for (int k = 0; k < 3; ++k) history.undo();
  CHECK(same_document(history.current(), opening));
  for (int k = 0; k < 3; ++k) history.redo();
  CHECK(kind_of(history.current()) == ModelKind::trained);
}

TEST_CASE("models: an untrained one is what its seeds give, in the form of the one it stands beside",
          "[core][models]") {
  Document opening = hydra::apply(opening_document(), SetGate{1, 0});
  const Document made = hydra::apply(opening, kTo[0]);
  CHECK(made.embedding.vocabulary == opening.embedding.vocabulary);
  CHECK(made.layers.front().heads == 4);
  CHECK(made.layers.front().settings.residual);
  CHECK(made.layers.front().gates.empty());
  CHECK(made.weights.P.rows() == opening.weights.P.rows());
  CHECK_FALSE(*made.weights.E == *opening.weights.E);
  CHECK(is_untrained(made.layers.front()));
  CHECK(document_text(made) == document_text(hydra::apply(opening, kTo[0])));
  CHECK(document_text(with_model(made, made)).size() < 4096);  // words and seeds, no tables
  CHECK_THROWS_WITH(hydra::apply(default_document(), kTo[0]), fault_at("weights", "untrained"));
  CHECK_FALSE(next_kind(default_document()));
  // Of edited ones it is another, and both are kept.
  const Document edited = hydra::apply(default_document(), set_cell(Quantity::W_Q, 0, 0, 1));
  const Document fresh = hydra::apply(edited, kTo[0]);
  CHECK(is_untrained(fresh.layers.front()));
  CHECK(same_document(with_model(fresh, hydra::apply(fresh, kTo[0])), edited));
  // Layers that say nothing of a seed do not all get the same weights.
  const Document two = hydra::apply(test::example("trained_king"), kTo[0]);
  CHECK_FALSE(*two.layers[0].weights.W_Q == *two.layers[1].weights.W_Q);
}

TEST_CASE("models: what is not there is refused with a sentence, and nothing else is made", "[core][models]") {
  CHECK_THROWS_WITH(hydra::apply(default_document(), kTo[1]), fault_at("designed model", "no other"));
  CHECK_THROWS_WITH(hydra::apply(default_document(), kTo[2]), fault_at("trained model", "no other"));
  CHECK(can_switch(opening_document(), ModelKind::untrained));
  CHECK(can_switch(opening_document(), ModelKind::designed));
  CHECK_FALSE(can_switch(opening_document(), ModelKind::trained));
  CHECK_FALSE(can_switch(opening_document(), ModelKind::given));
}

TEST_CASE("models: a head designed among untrained ones makes a second designed model, and none is lost",
          "[core][models]") {
  Document document =
      hydra::apply(hydra::apply(test::designed_heads(), kTo[0]), DesignHead{2, preset_design(HeadPreset::first)});
  CHECK(kind_of(document) == ModelKind::designed);
  CHECK(count_aside(document, ModelKind::designed) == 1);
  const Document other = hydra::apply(document, kTo[1]);
  CHECK(same_document(with_model(other, other), test::designed_heads()));
  CHECK(same_document(hydra::apply(other, kTo[1]), document));
  // Four models are all that a document has.
  for (int k = 0; k < 2; ++k)
    document = hydra::apply(hydra::apply(document, kTo[0]), DesignHead{2, preset_design(HeadPreset::first)});
  CHECK(document.aside.size() == 3);
  CHECK_THROWS_WITH(hydra::apply(document, kTo[0]), fault_at("a document", "at most 4 models"));
  CHECK(same_document(opened_again(document), document));
}

TEST_CASE("models: another sentence is read by all of them", "[core][models]") {
  Document document = hydra::apply(opening_document(), kTo[0]);
  std::string longer = document.sentence;
  for (int k = 0; k < 30; ++k) longer += " the cat";
  document = hydra::apply(document, SetSentence{longer});
  CHECK_NOTHROW(check_document(document));
  CHECK(same_document(opened_again(document), document));
  for (const SwitchModel& to : {kTo[1], kTo[2], kTo[0]}) {
    document = hydra::apply(document, to);
    CHECK_NOTHROW(evaluate(document));
  }
  // So is what is said of a word, by which roles are measured.
  document = hydra::apply(opening_document(), SetWordFeatures{"king", FeatureSet{1}});
  CHECK(document.aside.front().embedding.words.contains("king"));
  CHECK(document.embedding.words.contains("king"));
  // Rows of X that are given stay where the words stay, masks set by hand grow.
  Document given = test::example("two_heads_by_hand");
  given = hydra::apply(hydra::apply(given, kTo[0]), SetSentence{"a b c d e"});
  CHECK_NOTHROW(check_document(given));
}

TEST_CASE("models: older files had other weights of one layer alone", "[core][models]") {
  const Document old = parse_document(R"({"hydrascope": 1, "sentence": "The cat sat.", "layers": [
    {"heads": 8, "gates": [0, 1, 1, 1, 1, 1, 1, 1],
     "weights": {"kind": "random", "seed": 7, "designs": [{"preset": "next"}, null, null, null, null, null, null, null]},
     "other_weights": {"kind": "random", "seed": 7, "gain": 2, "edits": {"W_Q": [[0, 0, 9]]}}}, {"heads": 4}]})",
                                      "old.json");
  REQUIRE(old.aside.size() == 1);
  CHECK(kind_of(old) == ModelKind::designed);
  const Document other = hydra::apply(old, kTo[0]);
  CHECK(other.layers[0].source.gain == 2);
  CHECK((*other.layers[0].weights.W_Q)(0, 0) == 9);
  CHECK(other.layers[0].gates == old.layers[0].gates);
  CHECK(other.layers[1].weights.W_Q == old.layers[1].weights.W_Q);
  CHECK(same_document(opened_again(old), old));
  CHECK(same_document(hydra::apply(other, kTo[1]), old));
  CHECK_THAT(document_text(old), !Contains("other_weights"));
}

TEST_CASE("models: what is wrong with one is one sentence with its place", "[core][models]") {
  CHECK(model_fault(R"(, "other_models": 3)") == "m.json: /other_models must be an array of models, not the number 3");
  CHECK_THAT(model_fault(R"(, "other_models": [{"sentence": "a"}])"),
             Contains("m.json: /other_models/0/sentence is not known"));
  CHECK_THAT(model_fault(R"(, "other_models": [{}, {"layers": [{"heads": 65}]}])"), Contains("/other_models/1/"));
  CHECK_THAT(model_fault(R"(, "other_models": [{"d_model": 6, "layers": [{"heads": 4}]}])"),
             Contains("m.json: /other_models/0/layers/0/heads"));
  CHECK_THAT(model_fault(R"(, "other_models": [{"layers": [{"other_weights": {}}]}])"),
             Contains("/other_models/0/layers/0/other_weights is not known"));
  CHECK_THAT(model_fault(R"(, "other_models": [{}, {}, {}, {}])"),
             Contains("m.json: /other_models is not possible: a document has at most 4 models"));
  CHECK_THAT(model_fault(R"(, "layers": [{"heads": 2, "weights": {"fingerprints": [1, 2]}}])"),
             Contains("/layers/0/weights/fingerprints is for weights that are"));
  CHECK_THAT(model_fault(R"(, "layers": [{"heads": 2, "weights": {"kind": "trained"}}])"),
             Contains("/layers/0/weights has no \"W_Q\""));
  const std::string four = "[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]";
  const std::string trained = R"(, "d_model": 4, "layers": [{"heads": 2, "weights": {"kind": "trained", "W_Q": )" +
                              four + R"(, "W_K": )" + four + R"(, "W_V": )" + four + R"(, "W_O": )" + four;
  CHECK(model_fault(trained + "}}]") == "opened");
  CHECK(model_fault(trained + R"(, "fingerprints": [1, 2]}}])") == "opened");
  CHECK_THAT(model_fault(trained + R"(, "fingerprints": []}}])"), Contains("/layers/0/weights/fingerprints has 0"));
  CHECK_THAT(model_fault(trained + R"(, "fingerprints": [-1]}}])"),
             Contains("/layers/0/weights/fingerprints/0 must be"));
}
