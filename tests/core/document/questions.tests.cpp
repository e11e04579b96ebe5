// A readout that answers several questions: columns for every word of each, probabilities of each by themselves.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/analysis/stream/direct_effect.h"
#include "core/document/edits/edit.h"
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

using Words = std::vector<std::string>;
using M = ModelSetting;

// "it saw it": two numbers a token, one head that gives nothing, so that what is read out is X.
Document small(const std::string& more) {
  return parse_document(R"({"hydrascope": 1, "tokens": ["it", "saw", "it"], "d_model": 2, "layers": [{"heads": 1,
    "residual": true, "weights": {"init": "zero"}}], "embedding": {"kind": "learned", "vocabulary": ["it", "saw"],
    "positions": "none", "E": [[1, 2], [3, -1]]}, )" +
                            more + "}",
                        "f");
}

Document asked(const Words& questions, const Words& words = {"a", "b", "c"}) {
  Document document = hydra::apply(default_document(), SetModelSetting{M::readout, 2});
  document = hydra::apply(document, SetVocabulary{SetVocabulary::Of::readout, words});
  return hydra::apply(document, SetQuestions{questions});
}

Mat<float> columns(const Document& document, Quantity quantity, Index question) {
  const NextWords next = next_words_of(document);
  return (*field_of(document.weights, quantity))->middleCols(next.first_of(question), next.words.size());
}

// Some document with so many questions, and a bias where its seed has one.
Document several(std::uint64_t seed, const Words& questions) {
  Document document = hydra::apply(test::some_document(seed), SetModelSetting{M::readout, 2});
  for (Layer& layer : document.layers) layer.painted.clear();
  return hydra::apply(document, SetQuestions{questions});
}

}  // namespace

TEST_CASE("questions: logits and probabilities of two, worked by hand", "[questions]") {
  const Document document = small(
      R"("readout": {"kind": "own", "vocabulary": ["a", "b"], "questions": ["first", "second"],
          "W_U": [[1, 0, 2, 0], [0, 1, 0, -1]], "b_U": [0, 0, 0, 3]})");
  const auto trace = evaluate(document);
  // it = [1, 2], saw = [3, -1].
  CHECK(*trace->model.logits == (Mat<float>(3, 4) << 1, 2, 2, 1, 3, -1, 6, 4, 1, 2, 2, 1).finished());
  const MatView<float> p = *trace->model.probabilities;
  const double e = std::exp(1.0), e4 = std::exp(4.0), e2 = std::exp(2.0);
  for (const auto& [row, col, share] : {std::tuple<Index, Index, double>{0, 0, 1 / (1 + e)},
                                        {0, 1, e / (1 + e)},
                                        {0, 2, e / (1 + e)},
                                        {0, 3, 1 / (1 + e)},
                                        {1, 0, e4 / (1 + e4)},
                                        {1, 1, 1 / (1 + e4)},
                                        {1, 2, e2 / (1 + e2)},
                                        {1, 3, 1 / (1 + e2)}})
    CHECK(p(row, col) == Approx(share));
  CHECK(cell_title(*trace, {{Quantity::probabilities}, 1, 2}) == "p[saw → a (second)]");
  CHECK(cell_title(*trace, {{Quantity::W_U}, 1, 1}) == "W_U[1, b (first)]");
  CHECK(likeliest(trace->model.of_question(trace->model.probabilities, 1), 0, 1) == std::vector<Index>{0});
  CHECK_THAT(trace_text(*trace), Contains(R"("vocabulary": ["a", "b"])") &&
                                     Contains(R"("questions": ["first", "second"])") &&
                                     Contains("\"logits\": [\n  [1, 2, 2, 1]"));
  CHECK(trace_text(*evaluate(asked({}))).find("questions") == std::string::npos);
}

TEST_CASE("questions: the arithmetic of a probability sums over the words of its question alone", "[questions]") {
  const auto trace = evaluate(asked({"first", "second"}));
  for (Index col = 0; col < 6; ++col) {
    const Explanation e = explain(*trace, {{Quantity::probabilities}, 4, col});
    CAPTURE(col);
    REQUIRE(e.steps.size() == 3);
    CHECK(e.steps.back().result == Approx(e.value));
    REQUIRE(e.steps[1].terms.size() == 3);
    for (Index k = 0; k < 3; ++k) {
      const Term& term = e.steps[1].terms[static_cast<std::size_t>(k)];
      CHECK(term.label == std::string(1, static_cast<char>('a' + k)));
      CHECK(term.factors.front().source == Cell{{Quantity::logits}, 4, col / 3 * 3 + k});
    }
  }
  CHECK_THAT(explain(*trace, {{Quantity::probabilities}, 4, 4}).steps[1].text, Contains("as an answer to “second”"));
  CHECK_THAT(explain(*trace, {{Quantity::logits}, 4, 4}).steps[0].text, Contains("for “b (second)”"));
  CHECK(formula(*trace, {Quantity::probabilities}) == "p = softmax(L), of each question by itself");
  // Links: of a probability the logits of its question, and the other way.
  using Role = Region::Role;
  CHECK(linked(*trace, {{Quantity::probabilities}, 4, 4}, {Quantity::logits}) ==
        std::vector<Region>{{4, 5, 3, 6, Role::input}});
  CHECK(linked(*trace, {{Quantity::W_U}, 7, 1}, {Quantity::probabilities}) ==
        std::vector<Region>{{0, 12, 0, 3, Role::affected}});
  CHECK(linked(*trace, {{Quantity::probabilities}, 4, 4}, {Quantity::W_U}) ==
        std::vector<Region>{{0, 64, 3, 6, Role::input}});
}

TEST_CASE("questions: each question's probabilities sum to one, and are those of its columns alone", "[questions]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Document document = several(seed, {"who", "what", "where"});
    const auto trace = evaluate(document);
    for (Index q = 0; q < 3; ++q) {
      const Array<float> p = trace->model.of_question(trace->model.probabilities, q);
      for (Index i = 0; i < p.rows(); ++i) CHECK(static_cast<double>(p->row(i).sum()) == Approx(1).margin(1e-5));
      Document alone = hydra::apply(document, SetQuestions{{document.readout.questions.word(q)}});
      CHECK(same_bits(alone.weights.W_U, share(columns(document, Quantity::W_U, q))));
      const auto of_one = evaluate(alone);
      CHECK(same_bits(of_one->model.probabilities, share(Mat<float>(*p))));
    }
    // In another order they are the same, block by block; and it is the same again when they are put back.
    const Words reversed{"where", "who", "what"};
    const Document other = hydra::apply(document, SetQuestions{reversed});
    const auto of_other = evaluate(other, trace.get());
    CHECK(same_bits(of_other->model.probabilities, evaluate(other)->model.probabilities));
    for (Index q = 0; q < 3; ++q) {
      const Index before = document.readout.questions.find(reversed[static_cast<std::size_t>(q)]);
      CHECK(same_bits(share(Mat<float>(*of_other->model.of_question(of_other->model.probabilities, q))),
                      share(Mat<float>(*trace->model.of_question(trace->model.probabilities, before)))));
    }
    CHECK(same_document(hydra::apply(other, SetQuestions{{"who", "what", "where"}}), document));
    CHECK(same_document(parse_document(document_text(other), "f"), other));
  }
}

TEST_CASE("questions: the first begins like that of a readout with one, each other by itself", "[questions]") {
  for (const Init init : {Init::xavier, Init::identity, Init::zero}) {
    const auto begun = [&](const Words& questions) {
      return hydra::apply(asked(questions), SetReadoutSource{init, 5});
    };
    const Document one = begun({}), three = begun({"x", "y", "z"}), two = begun({"p", "q"});
    CHECK(columns(three, Quantity::W_U, 0) == *one.weights.W_U);
    CHECK(columns(three, Quantity::W_U, 1) == columns(two, Quantity::W_U, 1));
    CHECK((columns(three, Quantity::W_U, 1) == columns(three, Quantity::W_U, 0)) == (init != Init::xavier));
    CHECK((columns(three, Quantity::W_U, 1) == columns(three, Quantity::W_U, 2)) == (init != Init::xavier));
    CHECK(document_text(three).find("\"W_U\"") == std::string::npos);
  }
}

TEST_CASE("questions: what is known of a question stays with its name, of a renamed one with its place",
          "[questions]") {
  Document document = asked({"x", "y"});
  document = hydra::apply(document, set_cell(Quantity::W_U, 2, 4, 9));  // b (y)
  document = hydra::apply(document, set_cell(Quantity::b_U, 0, 4, 7));
  const auto blocks = [&](const Words& names) { return hydra::apply(document, SetQuestions{names}); };
  const Mat<float> x = columns(document, Quantity::W_U, 0), y = columns(document, Quantity::W_U, 1);
  for (const auto& [names, of_x, of_y] : {std::tuple<Words, Index, Index>{{"y", "x"}, 1, 0},
                                          {{"x", "other"}, 0, 1},
                                          {{"new", "x", "y"}, 1, 2},
                                          {{"y"}, -1, 0},
                                          {{}, 0, -1},
                                          {{"x", "y", "z"}, 0, 1}}) {
    const Document now = blocks(names);
    CAPTURE(names);
    check_document(now);
    CHECK(next_words_of(now).parts() == std::max<Index>(1, std::ssize(names)));
    if (of_x >= 0) CHECK(columns(now, Quantity::W_U, of_x) == x);
    if (of_y >= 0) {
      CHECK(columns(now, Quantity::W_U, of_y) == y);
      CHECK(columns(now, Quantity::b_U, of_y)(0, 1) == 7);
    }
  }
  CHECK(columns(blocks({"new", "x", "y"}), Quantity::b_U, 0).isZero(0));
  // Another vocabulary moves the words of every question.
  const Document words = hydra::apply(document, SetVocabulary{SetVocabulary::Of::readout, {"b", "new"}});
  CHECK(columns(words, Quantity::W_U, 0).col(0) == x.col(1));
  CHECK(columns(words, Quantity::W_U, 1).col(0) == y.col(1));
  CHECK(columns(words, Quantity::b_U, 1)(0, 0) == 7);
  // A tied readout has one question, and keeps the first one's bias.
  Document tied = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  tied = hydra::apply(tied, SetModelSetting{M::readout, 1});
  CHECK(tied.readout.questions.size() == 0);
  check_document(tied);
}

TEST_CASE("questions: setting them is undone and done again", "[questions]") {
  History history(asked({}));
  const Document first = history.current();
  for (const Words& names : {Words{"f"}, Words{"fi"}, Words{"fi", "se"}}) history.preview(SetQuestions{names});
  history.commit();
  CHECK(history.undo_label() == "questions fi, se");
  history.apply(SetQuestions{{}});
  CHECK(history.undo_label() == "one question");
  const Document last = history.current();
  CHECK(same_document(last, first));
  history.undo();
  CHECK(next_words_of(history.current()).parts() == 2);
  history.undo();
  CHECK(same_document(history.current(), first));
}

TEST_CASE("questions: direct effects are of one question at a time", "[questions]") {
  const Document document = asked({"x", "y"});
  const auto trace = evaluate(document);
  const Stream stream = StreamMeasures().of(*trace, 3);
  DirectMeasures measures;
  for (const Index question : {0, 1, 0}) {
    const auto made = measures.of(*trace, stream, question);
    const Document alone = hydra::apply(document, SetQuestions{{question == 0 ? "x" : "y"}});
    const auto of_alone = evaluate(alone);
    const auto expected = direct_effects(*of_alone, StreamMeasures().of(*of_alone, 3));
    CHECK(made->question == question);
    CHECK(made->logits.raised == expected->logits.raised);
    CHECK(made->lines[0][1].raised == expected->lines[0][1].raised);
    CHECK(made->paths.constant(2) == expected->paths.constant(2));
  }
}

TEST_CASE("questions: of another readout with as many columns nothing is taken over", "[questions]") {
  Document two = asked({"x", "y"}, {"a", "b", "c"});
  Document three = asked({"x", "y", "z"}, {"a", "b"});
  three.weights.W_U = two.weights.W_U;
  check_document(three);
  const auto before = evaluate(two);
  CHECK(same_bits(evaluate(three, before.get())->model.probabilities, evaluate(three)->model.probabilities));
}

TEST_CASE("questions: names in a list, and what is wrong is said in a sentence", "[questions]") {
  CHECK(names_in("first, second ,third") == Words{"first", "second", "third"});
  CHECK(names_in(" the first one,, ") == Words{"the first one"});
  CHECK(names_in("").empty());
  const auto refused = [](const std::string& readout, const std::string& place, const std::string& word) {
    CHECK_THROWS_WITH(small(R"("readout": )" + readout), fault_at("f: " + place, word));
  };
  const auto own = [](const std::string& questions) {
    return R"({"kind": "own", "vocabulary": ["a", "b"], "questions": )" + questions + "}";
  };
  refused(own("3"), "/readout/questions", "array of names");
  refused(own("[]"), "/readout/questions", "names no question");
  refused(own(R"([""])"), "/readout/questions", "question 0 of the readout is empty");
  refused(own(R"(["x", "x"])"), "/readout/questions", "question 1 of the readout is the same as question 0");
  refused(own(R"(["x, y"])"), "/readout/questions", "“x, y”, has a comma");
  refused(own(R"(["x", 3])"), "/readout/questions/1", "string");
  refused(R"({"kind": "tied", "questions": ["x"]})", "/readout/questions", "a tied one answers one question");
  refused(R"({"questions": ["x"]})", "/readout/questions", "\"kind\": \"own\" is needed");
  refused(R"({"kind": "own", "vocabulary": ["a", "b"], "questions": ["x", "y"], "b_U": [1, 2]})", "/readout/b_U",
          "2 numbers where 4");
  std::string many;
  for (int k = 0; k < 2049; ++k) many += (k > 0 ? ", \"" : "\"") + std::to_string(k) + "\"";
  refused(own("[" + many + "]"), "/readout", "4098 columns; at most 4096");
  Words names;
  for (int k = 0; k < 1366; ++k) names.push_back(std::to_string(k));
  CHECK_THROWS_WITH(hydra::apply(asked({}), SetQuestions{names}),
                    fault_at("a readout of 1366 questions", "4098 columns; at most 4096"));
  CHECK_THROWS_WITH(hydra::apply(default_document(), SetQuestions{{"x"}}), fault_at("W_U", "does not have"));
  Document tied = hydra::apply(default_document(), SetEmbedding{Embedding::Kind::learned, 1});
  tied = hydra::apply(tied, SetModelSetting{M::readout, 1});
  CHECK_THROWS_WITH(hydra::apply(tied, SetQuestions{{"x", "y"}}), fault_at("a tied readout", "one question"));
  names.resize(2049, "");
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = "w" + std::to_string(k);
  CHECK_THROWS_WITH(hydra::apply(asked({"x", "y"}), SetVocabulary{SetVocabulary::Of::readout, names}),
                    fault_at("a readout of 2 questions", "4098 columns; at most 4096"));
}
