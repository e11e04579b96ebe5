// Words in and words out: their controls in the panel, and what the Flow view shows of the last layer.
#include "core/document/model.h"
#include "core/explain/explain.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

void click(Session& s, const char* name) {
  INFO(name);
  s.ui.click(name);
  s.ui.settle();
}

}  // namespace

TEST_CASE("flow out: switches of the panel bring tables, final norm and readout, and undo takes them away",
          "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    Session s(default_document(), size);
    s.set(s.view().flow.around, true);
    CHECK_FALSE(s.ui.exists("flow/out/logits"));
    CHECK_FALSE(s.ui.exists("model/readout/kind/tied"));
    for (const char* name :
         {"model/embedding/learned", "model/positions/learned", "model/readout/tied", "model/final_norm"})
      click(s, name);
    CHECK(s.document().settings.readout == ReadoutKind::tied);
    CHECK(s.document().weights.P.rows() == 12);
    for (const char* picture : {"output", "final", "logits", "probabilities"}) {
      INFO(picture);
      REQUIRE(s.ui.exists(std::string("flow/out/") + picture));
      CHECK(s.ui.rect(std::string("flow/out/") + picture).max.y <= size.y);
    }
    for (int token = 0; token < 12; ++token) {  // of so few tokens none is left out
      const std::string next = "flow/out/next/" + std::to_string(token);
      REQUIRE(s.ui.exists(next));
      CHECK(s.ui.rect(next).max.y <= size.y);
    }
    check_as_scratch(s);
    for (int k = 0; k < 4; ++k) s.ui.key(key::letter('z'), true);
    s.ui.settle();
    CHECK_FALSE(s.ui.exists("flow/out/logits"));
    CHECK(same_document(s.document(), default_document()));
  }
}

TEST_CASE("flow out: only the last layer is read out", "[app][flow]") {
  Session s(hydra::apply(hydra::apply(default_document(), AddLayer{}), SetModelSetting{ModelSetting::readout, 2}),
            {1280, 800});
  s.set(s.view().flow.around, true);
  CHECK_FALSE(s.ui.exists("flow/out/logits"));
  s.ui.key(key::page_down);
  s.ui.settle();
  CHECK(s.ui.exists("flow/out/logits"));
  click(s, "model/layers/add");
  CHECK(s.view().layer == 2);
  CHECK(s.ui.exists("flow/out/logits"));
}

TEST_CASE("flow out: the likeliest next word opens as its probability, and stays open in another layer",
          "[app][flow]") {
  Session s(hydra::apply(hydra::apply(default_document(), AddLayer{}), SetModelSetting{ModelSetting::readout, 2}),
            {1600, 1000});
  s.ui.key(key::page_down);
  s.ui.settle();
  s.ui.click("flow/out/next/7");
  s.ui.settle();
  const Cell cell = s.selection();
  CHECK(cell.site == Site{Quantity::probabilities});
  CHECK(cell.row == 7);
  const MatView<float> p = *s.app.trace().model.probabilities;
  CHECK(p(7, cell.col) == p.row(7).maxCoeff());
  CHECK(s.view().layer == 1);
  CHECK(s.ui.exists("inspector/value"));
  s.ui.key(key::page_up);
  s.ui.settle();
  CHECK(s.selection() == cell);
  CHECK(s.view().inspected == cell.site);
}

TEST_CASE("flow out: a table is opened by the panel, and a word that it lacks is named and added", "[app][flow]") {
  Session s(default_document(), {1600, 1000});
  click(s, "model/embedding/learned");
  click(s, "model/open/E");
  CHECK(s.view().inspected == Site{Quantity::E});
  s.open({{Quantity::E}, 1, 3});
  CHECK(s.ui.exists("inspector/value"));
  CHECK_FALSE(s.ui.exists("model/words/missing"));
  s.app.edit(SetSentence{"The blorp was tired."});
  s.ui.settle();
  CHECK(s.ui.exists("model/words/missing"));
  CHECK(s.document().weights.E.rows() == 12);
  click(s, "model/words/add");
  CHECK(s.document().embedding.vocabulary.find("blorp") == 12);
  CHECK_FALSE(s.ui.exists("model/words/missing"));
  click(s, "model/words/sentence");
  CHECK(s.document().weights.E.rows() == 5);
  check_as_scratch(s);
}

TEST_CASE("flow out: every stage and its weights open into the inspector", "[app][flow]") {
  Session s(hydra::apply(hydra::apply(default_document(), SetModelSetting{ModelSetting::readout, 2}),
                         SetModelSetting{ModelSetting::final_norm, 1}),
            {1280, 800});
  s.set(s.view().flow.around, true);
  for (const Quantity quantity : {Quantity::final, Quantity::logits, Quantity::probabilities, Quantity::final_gain,
                                  Quantity::final_shift, Quantity::W_U}) {
    INFO(entry_of(quantity).key);
    s.open({{quantity}, 0, 3});
    CHECK(s.view().inspected == Site{quantity});
    CHECK(s.ui.exists("inspector/value"));
  }
  s.ui.click("flow/out/W_U");
  s.ui.settle();
  CHECK(s.view().inspected == Site{Quantity::W_U});
  s.app.edit({set_cell(Quantity::W_U, 2, 3, 4), 0});
  s.ui.settle();
  check_as_scratch(s);
}

TEST_CASE("flow out: questions are typed with commas, each keeps its numbers while its name is typed", "[app][flow]") {
  Session s(hydra::apply(default_document(), SetModelSetting{ModelSetting::readout, 2}), {1600, 1000});
  const Mat<float> first = *s.document().weights.W_U;
  CHECK_FALSE(s.ui.exists("flow/out/question/0"));
  s.ui.click("model/questions");
  s.ui.type("who, what");
  s.ui.settle();
  CHECK(s.document().readout.questions.words() == std::vector<std::string>{"who", "what"});
  CHECK(s.document().weights.W_U->leftCols(12) == first);
  CHECK(s.ui.exists("flow/out/question/1"));
  s.ui.key(key::enter);
  s.ui.settle();
  check_as_scratch(s);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(s.document().readout.questions.size() == 0);  // one step
  CHECK_FALSE(s.ui.exists("flow/out/question/0"));
}

TEST_CASE("flow out: of several questions one is told, chosen by its name or by a number of it", "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}}) {
    Document document = hydra::apply(default_document(), SetModelSetting{ModelSetting::readout, 2});
    document = hydra::apply(document, SetQuestions{{"first", "second", "third", "fourth"}});
    Session s(document, size);
    s.set(s.view().flow.around, true);
    s.ui.settle();
    const auto likeliest_at = [&](Index question) {
      const ModelTrace<float>& model = s.app.trace().model;
      return model.next_words.first_of(question) +
             likeliest(model.of_question(model.probabilities, question), 7, 1).front();
    };
    s.ui.click("flow/out/next/7");
    s.ui.settle();
    CHECK(s.selection() == Cell{{Quantity::probabilities}, 7, likeliest_at(0)});
    s.ui.click("flow/out/question/2");
    s.ui.settle();
    s.ui.click("flow/out/next/7");
    s.ui.settle();
    CHECK(s.selection() == Cell{{Quantity::probabilities}, 7, likeliest_at(2)});
    s.open({{Quantity::logits}, 7, 3 * 12 + 5});  // a number of the fourth
    s.ui.click("flow/out/next/7");
    s.ui.settle();
    CHECK(s.selection() == Cell{{Quantity::probabilities}, 7, likeliest_at(3)});
    s.app.edit(SetQuestions{{"first"}});  // goes with the question in view
    s.ui.settle();
    CHECK(s.ui.exists("flow/out/question/0"));  // it has a name
    CHECK_FALSE(s.ui.exists("flow/out/question/1"));
    s.ui.click("flow/out/next/7");
    s.ui.settle();
    CHECK(s.selection() == Cell{{Quantity::probabilities}, 7, likeliest_at(0)});
    std::vector<std::string> many;
    for (int k = 0; k < 20; ++k) many.push_back("question " + std::to_string(k));
    s.app.edit(SetQuestions{many});
    s.ui.settle();
    s.ui.click("flow/out/question/next");
    s.ui.settle();
    s.ui.click("flow/out/next/7");
    s.ui.settle();
    CHECK(s.app.trace().model.next_words.question_of(s.selection().col) == 1);
  }
}

TEST_CASE(
    "flow out: a token of several words stays one while the sentence is typed, and only its unknown words are added",
    "[app][flow]") {
  Document document = default_document();
  document.tokens = std::vector<std::string>{"Ann+apple+1:Bob", "Bob", "Ann+apple"};
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  document = hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, {"Ann", "apple", "1:Bob", "Bob"}});
  Session s(document, {1280, 800});
  CHECK_FALSE(s.ui.exists("model/words/missing"));
  CHECK_FALSE(s.ui.exists("model/words/sentence"));  // it has these and no others
  s.ui.click("sentence");
  s.ui.key(key::end);
  s.ui.type(" Bob+apple Ann+pear Ann+fig");
  s.ui.settle();
  s.ui.key(key::enter);
  s.ui.settle();
  CHECK(tokens_of(s.document()) == std::vector<std::string>{"Ann+apple+1:Bob", "Bob", "Ann+apple", "Bob+apple", "Ann",
                                                            "+", "pear", "Ann", "+", "fig"});
  check_as_scratch(s);
  s.ui.key(key::letter('z'), true);
  s.ui.settle();
  CHECK(same_document(s.document(), document));
  document.tokens->push_back("Ann+pear");
  s.app.edit(ReplaceDocument{document, "more"});
  s.ui.settle();
  CHECK(s.ui.exists("model/words/missing"));
  click(s, "model/words/add");
  CHECK(s.document().embedding.vocabulary.words() == std::vector<std::string>{"Ann", "apple", "1:Bob", "Bob", "pear"});
  CHECK_FALSE(s.ui.exists("model/words/missing"));
  // Its arithmetic has its rows, each of which opens.
  s.open({{Quantity::embedding}, 0, 3});
  CHECK(s.ui.exists("inspector/term/0/0/0"));
  s.ui.click("inspector/term/0/2/0");
  s.ui.settle();
  CHECK(s.selection() == Cell{{Quantity::E}, 2, 3});
}
