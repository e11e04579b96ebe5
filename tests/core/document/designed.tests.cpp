// Named features and designed heads, as parts of a document.
#include <catch2/catch.hpp>

#include "core/analysis/forms.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/io/file.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Document featured() { return apply(default_document(), SetEmbedding{Embedding::Kind::features, 1}); }

int feature(const char* name) { return Lexicon::standard().feature(name); }

Document round_trip(const Document& document) { return parse_document(document_text(document), "trip"); }

}  // namespace

TEST_CASE("features: X has a named column per feature, and the trace knows the names", "[document][features]") {
  const auto trace = evaluate(featured());
  REQUIRE(trace->layout);
  REQUIRE(trace->tokens[1] == "animal");
  CHECK((*trace->embedding)(1, feature("noun")) == 1);
  CHECK((*trace->embedding)(1, feature("verb")) == 0);
  CHECK((*trace->X)(1, feature("animate")) == 1);
  CHECK((*trace->positions)(1, feature("noun")) == 0);
  CHECK(axis_label(*trace, Axis::model_dim, feature("noun")) == "noun");
  CHECK(cell_label(*trace, {{Quantity::W_Q, 0, 2}, feature("noun"), 3}) == "[noun, 3]");
  CHECK(cell_label(*trace, {{Quantity::W_O, 0, kNoHead}, 3, feature("noun")}) == "[3, noun]");
  CHECK(cell_label(*trace, {{Quantity::concat, 0, kNoHead}, 3, feature("noun")}) ==
        "[cross, " + std::to_string(feature("noun")) + "]");
}

TEST_CASE("features: the arithmetic of a query speaks of named columns", "[document][features]") {
  const auto trace = evaluate(featured());
  const Explanation e = explain(*trace, {{Quantity::Q, 0, 0}, 1, 0});
  const Term& term = e.steps.front().terms[static_cast<std::size_t>(feature("noun"))];
  CHECK(term.label == "noun");
  CHECK(term.factors.front().label == "x[noun]");
  CHECK(term.factors.front().value == 1);
}

TEST_CASE("features: a guessed word can be corrected, and undone by the lexicon", "[document][features]") {
  Document document = apply(featured(), SetSentence{"The blorp slept."});
  auto before = evaluate(document);
  CHECK(before->words[1].guessed);
  CHECK_FALSE(before->words[0].guessed);
  document = apply(document, SetWordFeatures{"Blorp", feature_bit(feature("verb"))});
  const auto after = evaluate(document, before.get());
  CHECK(after->words[1].corrected);
  CHECK((*after->X)(1, feature("verb")) == 1);
  CHECK((*after->X)(1, feature("noun")) == 0);
  CHECK(same_document(round_trip(document), document));
  document = apply(document, SetWordFeatures{"blorp", std::nullopt});
  CHECK(document.embedding.words.empty());
  CHECK(*evaluate(document)->X == *before->X);
}

TEST_CASE("features: a typographic apostrophe makes no other word", "[document][features]") {
  const auto straight = evaluate(apply(featured(), SetSentence{"It wasn't blorp's."}));
  const Document document = apply(featured(), SetSentence{"It wasn’t blorp’s."});
  CHECK(*evaluate(document)->X == *straight->X);
  const Document corrected = apply(document, SetWordFeatures{"Blorp’s", feature_bit(feature("adjective"))});
  CHECK(evaluate(corrected)->words[2].corrected);
  CHECK(same_document(round_trip(corrected), corrected));
}

TEST_CASE("features: a hand-made entry of X stays over the features", "[document][features]") {
  const Document document = apply(featured(), set_cell(Quantity::X, 1, feature("noun"), 0.5f));
  CHECK(document.embedding.edits.size() == 1);
  CHECK((*evaluate(document)->X)(1, feature("noun")) == 0.5f);
  CHECK(same_document(round_trip(document), document));
  CHECK(apply(featured(), set_cell(Quantity::X, 1, feature("noun"), 1)).embedding.edits.empty());
}

TEST_CASE("features: widths without named columns are refused in one sentence", "[document][features]") {
  CHECK_THROWS_AS(apply(featured(), SetModelWidth{8}), InputError);
  CHECK_THROWS_AS(apply(featured(), SetModelWidth{1024}), InputError);
  CHECK_THROWS_WITH(parse_document(R"({"hydrascope": 1, "d_model": 8, "embedding": {"kind": "features"},
                                       "layers": [{"heads": 2}]})",
                                   "f.json"),
                    fault_at("f.json: /embedding", "from 32 to 512"));
  CHECK_THROWS_WITH(
      parse_document(R"({"hydrascope": 1, "embedding": {"kind": "features", "words": {"x": ["nuon"]}}})", "f.json"),
      fault_at("/embedding/words/x/0", "nuon"));
  CHECK(evaluate(apply(featured(), SetModelWidth{32}))->X->cols() == 32);
  CHECK(evaluate(apply(featured(), SetModelWidth{512}))->X->cols() == 512);
}

TEST_CASE("designs: a designed head is written as its recipe and opens to the same bits", "[document][designs]") {
  Document document = apply(featured(), DesignHead{2, preset_design(HeadPreset::previous)});
  CHECK(document.layers[0].source.designs.size() == 8);
  CHECK(same_document(round_trip(document), document));
  const std::string text = document_text(document);
  CHECK(text.find("\"previous\"") != std::string::npos);
  CHECK(text.find("W_Q") == std::string::npos);  // no matrix, no edits
  const auto trace = evaluate(document);
  const MatView<float> A = *trace->layers[0].heads[2].attention;
  for (Index i = 1; i < A.rows(); ++i) CHECK(A(i, i - 1) > 0.9f);
  // Other heads are as they were.
  CHECK(*trace->layers[0].heads[3].attention == *evaluate(featured())->layers[0].heads[3].attention);
  document = apply(document, set_cell(Quantity::W_Q, 5, 17, 0.25f));  // a cell over the recipe
  CHECK(same_document(round_trip(document), document));
}

TEST_CASE("designs: taking the design back gives the seed's weights", "[document][designs]") {
  const Document designed = apply(featured(), DesignHead{2, preset_design(HeadPreset::self)});
  CHECK(same_document(apply(designed, DesignHead{2, std::nullopt}), featured()));
}

TEST_CASE("designs: another head count keeps the weights and the recipe", "[document][designs]") {
  const Document designed = apply(featured(), DesignHead{2, preset_design(HeadPreset::self)});
  const Document recut = apply(designed, SetHeads{4});
  CHECK(*recut.layers[0].weights.W_Q == *designed.layers[0].weights.W_Q);
  CHECK(same_document(round_trip(recut), recut));
  CHECK(same_document(apply(recut, SetHeads{8}), designed));
  const Document mixed = apply(recut, DesignHead{0, preset_design(HeadPreset::next)});
  CHECK(same_document(round_trip(mixed), mixed));
}

TEST_CASE("designs: bad ones are one sentence", "[document][designs]") {
  const auto opened = [](const std::string& designs) {
    return parse_document(R"({"hydrascope": 1, "layers": [{"weights": {"designs": )" + designs + "}}]}", "d.json");
  };
  CHECK_THROWS_WITH(opened(R"([null, {"preset": "previus"}])"),
                    fault_at("d.json: /layers/0/weights/designs/1/preset", "previus"));
  CHECK_THROWS_WITH(opened("[null, null, null]"),
                    fault_at("d.json: /layers/0/weights/designs", "3 heads do not divide"));
  CHECK_THROWS_WITH(opened("[]"), fault_at("d.json: /layers/0/weights/designs", "heads is 0"));
  CHECK_THROWS_WITH(opened(R"({"0": {"preset": "next"}})"), fault_at("d.json: /layers/0/weights/designs", "array"));
  CHECK_THROWS_WITH(opened(R"([{"preset": "next", "asks": [{"query": ["nuon"], "key": ["any"]}]}, null])"),
                    fault_at("d.json: /layers/0/weights/designs/0/asks/0/query/0", "nuon"));
}

TEST_CASE("designs: untrained weights beside them spread their scores", "[document][designs]") {
  const Document designed = apply(featured(), DesignHead{0, preset_design(HeadPreset::previous)});
  const Document untrained = apply(designed, SwitchModel{ModelKind::untrained});
  const float gain = untrained.layers[0].source.gain;  // named features alone would hardly spread the scores
  CHECK(gain > 1);
  CHECK(*untrained.layers[0].weights.W_Q == Mat<float>(gain * *featured().layers[0].weights.W_Q));
  CHECK(*untrained.layers[0].weights.W_V == *featured().layers[0].weights.W_V);
  CHECK(same_document(round_trip(untrained), untrained));
}

TEST_CASE("forms: what is shown is the product, and an edit of it changes the weights", "[document][forms]") {
  const Document document = apply(featured(), DesignHead{1, preset_design(HeadPreset::punctuation)});
  const auto trace = evaluate(document);
  const Site asks{Quantity::query_key, 0, 1}, writes{Quantity::value_output, 0, 1};
  const Mat<float> form = form_of(*trace, asks);
  CHECK(form == Mat<float>(document.layers[0].weights.W_Q->middleCols(8, 8) *
                           document.layers[0].weights.W_K->middleCols(8, 8).transpose()));
  CHECK(form_of(*trace, writes)
            .isApprox(document.layers[0].weights.W_V->middleCols(8, 8) *
                      document.layers[0].weights.W_O->middleRows(8, 8)));
  const Index verb = feature("verb"), noun = feature("noun");
  CHECK(value_at(*trace, {asks, verb, noun}) == Approx(form(verb, noun)).margin(1e-6));
  const Document changed = apply(document, SetForm{SetForm::Which::query_key, 1, verb, noun, 12});
  const auto after = evaluate(changed, trace.get());
  CHECK(form_of(*after, asks)(verb, noun) == Approx(12));
  const Mat<float> elsewhere = form_of(*after, asks) - form;
  CHECK((elsewhere.cwiseAbs().sum() - std::abs(elsewhere(verb, noun))) < 1e-3f);
  CHECK(after->layers[0].heads[0].Q == trace->layers[0].heads[0].Q);  // other heads are not recomputed
  const Explanation e = explain(*after, {asks, verb, noun});
  CHECK(e.steps.back().result == Approx(12));
  const Document written = apply(document, SetForm{SetForm::Which::value_output, 1, verb, noun, -3});
  CHECK(form_of(*evaluate(written), writes)(verb, noun) == Approx(-3).epsilon(0.2));
}

TEST_CASE("slot: X has empty columns, designs write there, and all of it opens to the same bits",
          "[document][designs]") {
  const std::string text = R"({"hydrascope": 1, "embedding": {"kind": "features", "slot": true}, "layers": [)"
                           R"({"heads": 2, "residual": true, "weights": {"designs": [)"
                           R"({"preset": "previous", "carries": "word-to-slot"}, {"slot_word": 1}]}}]})";
  Document document = parse_document(text, "slot.json");
  CHECK(document.columns().slot);
  CHECK(same_document(round_trip(document), document));
  for (const Index width : {64, 96, 34}) {  // other widths, with the same recipes
    document = apply(document, SetModelWidth{width});
    const auto trace = evaluate(document);
    REQUIRE(trace->layout);
    const Index at = trace->layout->slot_at(), slot = trace->layout->slot;
    CHECK(axis_label(*trace, Axis::model_dim, at) == "slot 0");
    CHECK(trace->X->middleCols(at, slot).isZero(0));
    const Mat<float> written = *trace->layer(0).heads[0].contribution;
    CHECK_FALSE(written.middleCols(at, slot).isZero(0));
    CHECK(written.leftCols(at).isZero(0));
    CHECK(same_document(round_trip(document), document));
  }
  Document without = apply(document, SetModelWidth{64});
  document = without;
  without.embedding.slot = false;
  CHECK_FALSE(same_document(document, without));
  // The embedding is made anew where the columns are others.
  CHECK(*evaluate(without, evaluate(document).get())->X == *evaluate(without)->X);
  const Document again = apply(document, DesignHead{0, document.layer(0).source.designs[0]});
  CHECK(*again.layer(0).weights.W_O == *document.layer(0).weights.W_O);
  CHECK_THROWS_WITH(parse_document(R"({"hydrascope": 1, "embedding": {"slot": 1}})", "s.json"),
                    fault_at("s.json: /embedding/slot", "true or false"));
}

TEST_CASE("notes: a title and paragraphs stay with the document", "[document][notes]") {
  const std::string text =
      R"({"hydrascope": 1, "notes": {"title": "Über √2", "text": ["# First", "One \"two\" \\ three."]}})";
  const Document document = parse_document(text, "notes.json");
  CHECK(document.notes.title == "Über √2");
  CHECK(document.notes.paragraphs == std::vector<std::string>{"# First", "One \"two\" \\ three."});
  CHECK(same_document(round_trip(document), document));
  CHECK(document_text(round_trip(document)) == document_text(document));
  CHECK(document_text(default_document()).find("notes") == std::string::npos);
  const Document changed = apply(apply(document, SetSentence{"Other words."}), SetModelWidth{32});
  CHECK(changed.notes.title == document.notes.title);
  CHECK(changed.notes.paragraphs == document.notes.paragraphs);
  // They speak of the sentence that was there, until it is there again.
  CHECK(document.notes.about.empty());
  CHECK(changed.notes.about == document.sentence);
  CHECK(apply(changed, {SetSentence{document.sentence}, 0}).notes == document.notes);
  CHECK(apply(changed, {SetSentence{"A third one."}, 0}).notes.about == document.sentence);
  const Document title_alone = parse_document(R"({"hydrascope": 1, "notes": {"title": "A"}})", "n.json");
  CHECK(same_document(round_trip(title_alone), title_alone));
  CHECK(same_document(parse_document(R"({"hydrascope": 1, "notes": {}})", "n.json"), default_document()));
}

TEST_CASE("notes: bad ones are one sentence", "[document][notes]") {
  const auto opened = [](const std::string& notes) {
    return parse_document(R"({"hydrascope": 1, "notes": )" + notes + "}", "n.json");
  };
  CHECK_THROWS_WITH(opened("3"), fault_at("n.json: /notes", "object"));
  CHECK_THROWS_WITH(opened(R"({"text": "one"})"), fault_at("n.json: /notes/text", "array of paragraphs"));
  CHECK_THROWS_WITH(opened(R"({"text": ["one", 2]})"), fault_at("n.json: /notes/text/1", "string"));
  CHECK_THROWS_WITH(opened(R"({"paragraphs": []})"), fault_at("n.json: /notes/paragraphs", "not known"));
  CHECK_THROWS_WITH(opened(R"({"text": ["a\nb"]})"), fault_at("n.json: /notes", "UTF-8 text without control"));
  CHECK_THROWS_WITH(opened(R"({"title": ")" + std::string(70000, 'a') + "\"}"),
                    fault_at("n.json: /notes", "70000 bytes"));
  std::string many = R"({"text": ["")";
  for (int k = 1; k < 100; ++k) many += R"(, "")";
  CHECK_THROWS_WITH(opened(many + "]}"), fault_at("n.json: /notes/text", "100 paragraphs"));
}

TEST_CASE("designed: heads that may talk listen to themselves until they are let", "[core][designed]") {
  const Document document = test::designed_heads();
  const Document talking =
      apply(document, SetSetting{LayerSetting::talking_heads, static_cast<double>(TalkingHeads::both)});
  const AttentionWeights<float>& weights = talking.layer(0).weights;
  for (const Array<float>& P : {weights.P_L, weights.P_W}) CHECK(P->isIdentity(0));
  CHECK(*evaluate(talking)->layer(0).output == *evaluate(document)->layer(0).output);
  const Document drawn = apply(talking, SetWeightSource{Init::xavier, 3});  // no designs any more
  CHECK_FALSE(drawn.layer(0).weights.P_L->isIdentity(0.01f));
}
