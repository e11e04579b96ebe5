// Words in and words out: learned tables, the final norm, logits and probabilities.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/explain/overflow.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "core/measures/pooled.h"
#include "core/text/embedding.h"
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
    "residual": true, "weights": {"init": "zero"}}], )" +
                            more + "}",
                        "f");
}

Document with(Document document, std::initializer_list<std::pair<ModelSetting, double>> settings) {
  for (const auto& [setting, value] : settings) document = hydra::apply(document, SetModelSetting{setting, value});
  return document;
}

Document learned(const Document& document = default_document()) {
  return hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
}

// A stack of two blocks that reads out by weights of its own.
Document read_out() {
  Document document = hydra::apply(default_document(), {AddLayer{}, 0});
  for (const int layer : {0, 1}) document = hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, layer});
  return with(document, {{M::final_norm, 1}, {M::readout, 2}});
}

const char* const kTable =
    R"("embedding": {"kind": "learned", "vocabulary": ["it", "saw", "was"], "positions": "none",
      "E": [[1, 2], [3, -1], [0, 4]]})";

}  // namespace

TEST_CASE("readout: logits and probabilities worked by hand, tied and own", "[readout]") {
  const double e2 = std::exp(2.0), e12 = std::exp(12.0);
  const auto by_hand = [&](const Trace& trace) {
    // it = [1, 2]: [5, 1, 8]; saw = [3, -1]: [1, 10, -4].
    CHECK(*trace.model.logits == (Mat<float>(3, 3) << 5, 1, 8, 1, 10, -4, 5, 1, 8).finished());
    const MatView<float> p = *trace.model.probabilities;
    const double sum = std::exp(5.0) + std::exp(1.0) + std::exp(8.0);
    CHECK(p(0, 0) == Approx(std::exp(5.0) / sum));
    CHECK(p(2, 2) == Approx(std::exp(8.0) / sum));
    CHECK(*trace.model.final == *trace.X);
  };
  by_hand(*evaluate(small(std::string(kTable) + R"(, "readout": {"kind": "tied"})")));
  by_hand(*evaluate(small(std::string(kTable) + R"(, "readout": {"kind": "own", "W_U": [[1, 3, 0], [2, -1, 4]]})")));
  const auto moved = evaluate(small(std::string(kTable) + R"(, "readout": {"kind": "tied", "b_U": [-3, 1, -8]})"));
  CHECK(Mat<float>(moved->model.logits->topRows(1)) == (Mat<float>(1, 3) << 2, 2, 0).finished());
  CHECK((*moved->model.probabilities)(0, 0) == Approx(e2 / (2 * e2 + 1)));
  CHECK((*moved->model.probabilities)(1, 2) == Approx(1 / (std::exp(10.0) + e12 * std::exp(11.0))).margin(1e-4));
}

TEST_CASE("readout: a word's vector is its row of the table, a place's its row", "[readout]") {
  const auto trace = evaluate(small(R"("embedding": {"kind": "learned", "vocabulary": ["saw", "it"],
      "E": [[1, 2], [3, 4]], "P": [[10, 20], [30, 40], [50, 60], [70, 80]]})"));
  CHECK(*trace->embedding == (Mat<float>(3, 2) << 3, 4, 1, 2, 3, 4).finished());
  CHECK(*trace->X == (Mat<float>(3, 2) << 13, 24, 31, 42, 53, 64).finished());
  CHECK(trace->model.rows == IndexLists{{1}, {0}, {1}});
  CHECK_FALSE(trace->model.logits);
}

TEST_CASE("readout: the final norm stands without a readout, and before one", "[readout]") {
  const auto alone = evaluate(with(default_document(), {{M::final_norm, 1}}));
  REQUIRE(alone->model.final);
  CHECK_FALSE(alone->model.logits);
  for (Index i = 0; i < alone->X.rows(); ++i) {
    CHECK(std::abs(alone->model.final->row(i).mean()) < 1e-5f);
    CHECK(alone->model.final->row(i).squaredNorm() == Approx(64).epsilon(1e-3));
  }
  const auto plain = evaluate(default_document());
  CHECK_FALSE(plain->model.final);
  CHECK_FALSE(exists(*plain, {Quantity::final}));
  CHECK_FALSE(exists(*plain, {Quantity::logits}));
  const auto both = evaluate(with(default_document(), {{M::final_norm, 1}, {M::readout, 2}}));
  CHECK(*both->model.final == *alone->model.final);
  CHECK(both->model.logits.cols() == 12);  // "the" and "The" are two words
}

TEST_CASE("readout: probabilities of every token sum to 1, and a tied readout is an own one with the table transposed",
          "[readout]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Document document = test::some_document(seed);
    document.embedding.X = nullptr;
    document = with(learned(document), {{M::readout, 1}});
    const auto tied = evaluate(document);
    for (Index i = 0; i < tied->X.rows(); ++i) {
      CHECK(static_cast<double>(tied->model.probabilities->row(i).cast<double>().sum()) == Approx(1).margin(1e-5));
      CHECK(tied->model.probabilities->row(i).minCoeff() >= 0);
    }
    Document own = with(document, {{M::readout, 2}});
    own.weights.W_U = share(Mat<float>(document.weights.E->transpose()));
    own.weights.b_U = document.weights.b_U;
    check_document(own);
    CHECK(same_bits(evaluate(own)->model.probabilities, tied->model.probabilities));
  }
}

TEST_CASE("readout: the trace is that of the same numbers in double", "[readout]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto trace = evaluate(test::some_document(seed));
    const ModelTrace<float>& m = trace->model;
    if (!m.logits) continue;
    const Mat<double> x = m.final->cast<double>(), W = m.settings.readout == ReadoutKind::tied
                                                           ? Mat<double>(m.weights.E->cast<double>().transpose())
                                                           : Mat<double>(m.weights.W_U->cast<double>());
    Mat<double> logits = x * W;
    if (m.weights.b_U) logits.rowwise() += RowVec<double>(m.weights.b_U->row(0).cast<double>());
    if (const double cap = m.settings.logit_cap; cap != 0)
      logits = logits.unaryExpr([&](double logit) { return cap * std::tanh(logit / cap); });
    const double size = std::max(1.0, logits.cwiseAbs().maxCoeff());
    CHECK((logits - m.logits->cast<double>()).cwiseAbs().maxCoeff() < 1e-5 * size);
    for (Index q = 0; q < m.next_words.parts(); ++q) {
      const Array<float> of_one = m.of_question(m.logits, q), probabilities = m.of_question(m.probabilities, q);
      for (Index i = 0; i < logits.rows(); ++i) {
        const RowVec<double> shifted = (of_one->row(i).cast<double>().array() - of_one->row(i).maxCoeff()).exp();
        const RowVec<double> p = probabilities->row(i).cast<double>();
        CHECK((shifted / shifted.sum() - p).cwiseAbs().maxCoeff() < 1e-6);
      }
    }
  }
}

TEST_CASE("readout: learned words begin as hashed ones, so nothing changes when they are", "[readout]") {
  const Document document = learned();
  CHECK(document.embedding.vocabulary.words() == distinct(tokens_of(document)));
  CHECK(*evaluate(document)->X == *evaluate(default_document())->X);
  const Document identity = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1, Init::identity});
  CHECK(*identity.weights.E == Mat<float>::Identity(12, 64));
  const Document zero = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1, Init::zero});
  CHECK(evaluate(zero)->embedding->isZero(0));
  CHECK(same_document(hydra::apply(document, SetEmbedding{Embedding::Kind::hashed, 1}), default_document()));
}

TEST_CASE("readout: a word that is in no vocabulary has the vector of its letters, and the table stays", "[readout]") {
  Document document = hydra::apply(learned(), set_cell(Quantity::E, 1, 5, 9));
  document = hydra::apply(document, SetPositions{Embedding::Positions::none});
  const Array<float> E = document.weights.E;
  const Document other = hydra::apply(document, SetSentence{"The blorp was tired. animal"});
  check_document(other);
  CHECK(other.weights.E == E);
  CHECK(other.embedding.vocabulary == document.embedding.vocabulary);
  const auto trace = evaluate(other);
  CHECK(Mat<float>(trace->X->row(1)) == hashed_embedding({"blorp"}, 64, 1));
  CHECK((*trace->X)(5, 5) == 9);
  CHECK(explain(*trace, {{Quantity::embedding}, 1, 0}).steps.front().text ==
        "“blorp” is not in the vocabulary, so its vector is drawn from its letters");
  CHECK(same_document(parse_document(document_text(other), "f"), other));
}

TEST_CASE("readout: drawn places go on with the sentence until a number of them is another", "[readout]") {
  Document document = hydra::apply(learned(), SetPositions{Embedding::Positions::learned});
  CHECK(document.weights.P.rows() == 12);
  const Document drawn = hydra::apply(document, SetSentence{document.sentence + " And so on."});
  CHECK(drawn.weights.P.rows() == 16);
  CHECK(drawn.weights.P->topRows(12) == *document.weights.P);
  CHECK(hydra::apply(drawn, SetSentence{"The cat."}).weights.P == drawn.weights.P);
  document = hydra::apply(document, set_cell(Quantity::P, 11, 3, 7));
  const Document shorter = hydra::apply(document, SetSentence{"The cat."});
  CHECK(shorter.weights.P == document.weights.P);
  const Document longer = hydra::apply(shorter, SetSentence{document.sentence + " And so on."});
  CHECK(longer.weights.P == document.weights.P);
  for (const Document& each : {document, shorter, longer})
    CHECK(same_document(parse_document(document_text(each), "f"), each));
  CHECK_THROWS_WITH(hydra::apply(default_document(), SetPositions{Embedding::Positions::learned}),
                    fault_at("learned positions", "let the words be learned first"));
}

TEST_CASE("readout: what is known of a word goes with it to another vocabulary", "[readout]") {
  Document document = with(learned(), {{M::readout, 2}});
  document = hydra::apply(document, set_cell(Quantity::E, 1, 5, 9));    // animal
  document = hydra::apply(document, set_cell(Quantity::W_U, 4, 1, 8));  // animal
  document = hydra::apply(document, set_cell(Quantity::b_U, 0, 1, 3));  // animal
  const Words list{"new", "animal", "street", "The"};
  const Document in = hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, list});
  CHECK(in.weights.E.rows() == 4);
  CHECK(Mat<float>(in.weights.E->row(1)) == Mat<float>(document.weights.E->row(1)));
  CHECK(Mat<float>(in.weights.E->row(0)) == hashed_embedding({"new"}, 64, 1));
  CHECK(in.weights.W_U == document.weights.W_U);
  const Document out = hydra::apply(document, SetVocabulary{SetVocabulary::Of::readout, list});
  CHECK((*out.weights.W_U)(4, 1) == 8);
  CHECK((*out.weights.b_U)(0, 1) == 3);
  CHECK((*out.weights.b_U)(0, 0) == 0);
  // A column begins as from the seed, whatever others there are.
  CHECK(Mat<float>(out.weights.W_U->col(3)) == Mat<float>(document.weights.W_U->col(0)));
  const Document back =
      hydra::apply(out, SetVocabulary{SetVocabulary::Of::readout, document.readout.vocabulary.words()});
  CHECK(Mat<float>(back.weights.W_U->col(1)) == Mat<float>(document.weights.W_U->col(1)));
  CHECK_THROWS_WITH(hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, {"a", "a"}}),
                    fault_at("word 1 of the vocabulary", "same as word 0"));
  CHECK_THROWS_WITH(hydra::apply(default_document(), SetVocabulary{SetVocabulary::Of::words, {"a"}}),
                    fault_at("E", "does not have"));
  // Tied, both have one vocabulary.
  Document tied = with(learned(), {{M::readout, 1}});
  tied =
      hydra::apply(hydra::apply(tied, set_cell(Quantity::b_U, 0, 1, 3)), SetVocabulary{SetVocabulary::Of::words, list});
  check_document(tied);
  CHECK((*tied.weights.b_U)(0, 1) == 3);
  CHECK(evaluate(tied)->model.logits.cols() == 4);
}

TEST_CASE("readout: a tied one goes with its table, other parts go with their switches", "[readout]") {
  CHECK_THROWS_WITH(with(default_document(), {{M::readout, 1}}),
                    fault_at("a tied readout", "let the embedding be learned"));
  const Document tied = with(learned(), {{M::readout, 1}, {M::final_norm, 1}});
  CHECK(hydra::apply(tied, SetEmbedding{Embedding::Kind::hashed, 1}).settings.readout == ReadoutKind::none);
  Document off = with(tied, {{M::final_norm_kind, 1}});
  CHECK_FALSE(off.weights.shift);
  off = with(off, {{M::final_norm, 0}, {M::readout, 0}});
  CHECK(same_document(off, learned()));
  CHECK_THROWS_WITH(hydra::apply(off, set_cell(Quantity::final_gain, 0, 0, 1)), fault_at("gain", "does not have"));
  const Document wide = hydra::apply(with(tied, {{M::readout, 2}}), SetModelWidth{32});
  check_document(wide);
  CHECK(wide.weights.E.cols() == 32);
  CHECK(wide.weights.W_U.rows() == 32);
  CHECK(wide.embedding.vocabulary == tied.embedding.vocabulary);
}

TEST_CASE("readout: an edit of it recomputes no layer, an edit of a word nothing when the word does not occur",
          "[readout]") {
  const Document document = read_out();
  const auto before = evaluate(document);
  for (const auto& [quantity, kept] : {std::pair(Quantity::W_U, true), {Quantity::final_gain, false}}) {
    const auto after = evaluate(hydra::apply(document, set_cell(quantity, 0, 3, 2)), before.get());
    for (Index k = 0; k < 2; ++k) {
      CHECK(after->layer(k).output.owner() == before->layer(k).output.owner());
      CHECK(after->block(k).input.owner() == before->block(k).input.owner());
    }
    CHECK((after->model.final == before->model.final) == kept);
    CHECK_FALSE(after->model.probabilities == before->model.probabilities);
  }
  const auto late = evaluate(hydra::apply(document, {set_cell(Quantity::W_V, 0, 3, 2), 1}), before.get());
  CHECK(late->layer(0).output.owner() == before->layer(0).output.owner());
  CHECK_FALSE(late->model.logits == before->model.logits);
  const Document words =
      hydra::apply(learned(), SetVocabulary{SetVocabulary::Of::words, {"The", "animal", "elsewhere"}});
  const auto table = evaluate(words);
  CHECK(evaluate(hydra::apply(words, set_cell(Quantity::E, 2, 0, 9)), table.get())->X == table->X);
  CHECK_FALSE(evaluate(hydra::apply(words, set_cell(Quantity::E, 1, 0, 9)), table.get())->X == table->X);
}

TEST_CASE("readout: edits are undone and done again like those of W_Q", "[readout]") {
  History history(with(learned(), {{M::readout, 1}}));
  const Document first = history.current();
  history.preview(set_cell(Quantity::E, 1, 5, 1));
  history.preview(set_cell(Quantity::E, 1, 5, 2));
  history.commit();
  CHECK(history.undo_label() == "E[1, 5] = 2");
  history.apply(SetModelSetting{M::readout, 2});
  CHECK(history.undo_label() == "readout own");
  history.apply(set_cell(Quantity::b_U, 0, 2, 3));
  CHECK(history.undo_label() == "b_U[2] = 3");
  const Document last = history.current();
  for (int k = 0; k < 3; ++k) history.undo();
  CHECK(same_document(history.current(), first));
  for (int k = 0; k < 3; ++k) history.redo();
  CHECK(same_document(history.current(), last));
}

TEST_CASE("readout: a probability is walked back to a number of the table", "[readout]") {
  const auto trace = evaluate(with(learned(read_out()), {{M::readout, 1}}));
  Cell cell{{Quantity::probabilities}, 7, 3};
  std::string path;
  while (true) {
    path += symbol(cell.site, true) + " ";
    const Explanation e = explain(*trace, cell);
    REQUIRE(std::abs(e.steps.back().result - e.value) < 1e-4 * (1 + std::abs(e.value)));
    // Norms are entered by the number itself, which stands in the last steps but two.
    const auto source = [&]() -> std::optional<Cell> {
      for (const Step& step : e.steps)
        for (const Term& term : step.terms)
          for (const Operand& factor : term.factors)
            if (factor.source) return factor.source;
      return std::nullopt;
    }();
    if (!source) break;
    cell = *source;
  }
  CHECK(path == "p L N R X R X E W_E ");
  const Explanation logit = explain(*trace, {{Quantity::logits}, 7, 3});
  CHECK(logit.title == "L[it → cross]");
  CHECK(logit.steps.front().text == "the final stream of “it” times the vector of the word “cross”");
  CHECK(logit.steps.front().terms.size() == 64);
  const Explanation final = explain(*trace, {{Quantity::final}, 7, 3});
  CHECK(final.steps.size() == 10);  // the mean in 2 steps, the root in 4, x less the mean, divided, gain and shift
}

TEST_CASE("readout: formulas and names say what is read out", "[readout]") {
  const auto tied = evaluate(with(learned(read_out()), {{M::readout, 1}}));
  CHECK(formula(*tied, {Quantity::logits}) == "L = N W_Eᵀ");
  CHECK(formula(*tied, {Quantity::final}) == "N = (R − mean) / √(variance + ε) ⊙ γ + β");
  CHECK(formula(*tied, {Quantity::probabilities}) == "p = softmax(L)");
  const auto own = evaluate(with(default_document(), {{M::readout, 2}}));
  CHECK(formula(*own, {Quantity::logits}) == "L = N W_U");
  CHECK(formula(*own, {Quantity::final}) == "N = Y");
  CHECK(cell_title(*own, {{Quantity::W_U}, 3, 1}) == "W_U[3, animal]");
  CHECK(spelled(Cell{{Quantity::logits}, 11, 40}) == "logits[11,40]");
  CHECK(parse_cell("W_U[3,12]") == Cell{{Quantity::W_U}, 3, 12});
  CHECK(parse_cell("gain[3]") == Cell{{Quantity::final_gain}, 0, 3});
  CHECK_THROWS_WITH(parse_cell("layers.0.logits[0,0]"), fault_at("\"layers.0.logits[0,0]\"", "a layer's matrix"));
}

TEST_CASE("readout: links lead from a probability to every word of the sentence, and from a row of the table on",
          "[readout]") {
  const auto trace = evaluate(with(learned(read_out()), {{M::readout, 2}}));
  using Role = Region::Role;
  const Cell p{{Quantity::probabilities}, 7, 3};
  CHECK(linked(*trace, p, {Quantity::logits}) == std::vector<Region>{{7, 8, 0, 12, Role::input}});
  CHECK(linked(*trace, p, {Quantity::final}) == std::vector<Region>{{7, 8, 0, 64, Role::input}});
  CHECK(linked(*trace, p, {Quantity::stream, 1}) == std::vector<Region>{{7, 8, 0, 64, Role::input}});
  CHECK_FALSE(linked(*trace, p, {Quantity::E}).empty());
  // The vector of a word that stands once: its row, and what the heads carry to all others.
  const Cell animal{{Quantity::E}, 1, 5};
  CHECK(linked(*trace, animal, {Quantity::X}) == std::vector<Region>{{1, 2, 5, 6, Role::affected}});
  CHECK(linked(*trace, animal, {Quantity::probabilities}) == std::vector<Region>{{0, 12, 0, 12, Role::affected}});
  const Cell b{{Quantity::logits}, 2, 3};
  CHECK(linked(*trace, {{Quantity::W_U}, 4, 3}, {Quantity::logits}) ==
        std::vector<Region>{{0, 12, 3, 4, Role::affected}});
  CHECK(linked(*trace, b, {Quantity::W_U}) == std::vector<Region>{{0, 64, 3, 4, Role::input}});
  CHECK(linked(*trace, {{Quantity::W_U}, 4, 3}, {Quantity::X}).empty());
}

TEST_CASE("readout: a logit beyond the largest number is said", "[readout]") {
  const auto trace = evaluate(hydra::apply(hydra::apply(read_out(), set_cell(Quantity::W_U, 0, 0, 3e38f)),
                                           set_cell(Quantity::final_gain, 0, 0, 1e9f)));
  REQUIRE(trace->overflow);
  CHECK_THAT(trace->overflow->sentence, Contains("the sum of N times W_U is beyond the largest number"));
}

TEST_CASE("readout: measured on longer sentences, learned positions go on as they are drawn", "[core][readout]") {
  Document document = default_document();
  document.sentence.clear();
  document.tokens = std::vector<std::string>{"a", "b"};
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  document = hydra::apply(document, SetPositions{Embedding::Positions::learned});
  REQUIRE(document.weights.P.rows() == 2);
  const std::vector<std::string> longer(40, "c"), shorter{"c"};
  const Document measured = with_tokens(document, longer);
  REQUIRE(measured.weights.P.rows() == 40);
  CHECK(measured.weights.P->topRows(2) == *document.weights.P);
  CHECK(evaluate(measured)->positions.rows() == 40);
  CHECK(with_tokens(document, shorter).weights.P == document.weights.P);
  CHECK(with_tokens(document, longer).embedding.vocabulary == document.embedding.vocabulary);
}

TEST_CASE("readout: a token of several words has the sum of their rows, shown and linked word by word", "[readout]") {
  Document document = parse_document(R"({"hydrascope": 1, "tokens": ["Ann+apple+1:Bob", "Bob", "Ann+Ann", "Ann+pear"],
    "d_model": 2, "layers": [{"heads": 1}], "embedding": {"kind": "learned", "vocabulary": ["Ann", "apple", "1:Bob", "Bob"],
    "positions": "none", "E": [[1, 2], [3, -1], [0.5, 4], [7, 8]]}})",
                                     "f");
  const auto trace = evaluate(document);
  CHECK(trace->model.rows == IndexLists{{0, 1, 2}, {3}, {0, 0}, {}});
  CHECK(Mat<float>(trace->X->topRows(3)) == (Mat<float>(3, 2) << 4.5, 5, 7, 8, 2, 4).finished());
  CHECK(Mat<float>(trace->X->row(3)) == hashed_embedding({"Ann+pear"}, 2, 1));
  const Explanation sum = explain(*trace, {{Quantity::embedding}, 0, 1});
  REQUIRE(sum.steps.size() == 1);
  CHECK(sum.steps[0].text ==
        "the token “Ann+apple+1:Bob” is made of several words: the sum of their rows of the table");
  CHECK(formula(*trace, {Quantity::embedding}) == "E = for each token the sum of its words' rows in W_E");
  CHECK(sum.steps[0].formula == "Σ W_E[word, 1]");
  REQUIRE(sum.steps[0].terms.size() == 3);
  for (const auto& [k, word, row] : {std::tuple(0, "Ann", 0), {1, "apple", 1}, {2, "1:Bob", 2}}) {
    const Term& term = sum.steps[0].terms[static_cast<std::size_t>(k)];
    CHECK(term.label == word);
    CHECK(term.factors.front().source == Cell{{Quantity::E}, row, 1});
  }
  CHECK(sum.steps[0].result == 5);
  CHECK_THAT(explain(*trace, {{Quantity::embedding}, 3, 1}).steps[0].text,
             Contains("“Ann+pear” is not in the vocabulary"));
  // A row of the table reaches all tokens that contain it, and no other; a token reads its rows.
  using Role = Region::Role;
  CHECK(linked(*trace, {{Quantity::E}, 0, 1}, {Quantity::X}) ==
        std::vector<Region>{{0, 1, 1, 2, Role::affected}, {2, 3, 1, 2, Role::affected}});
  CHECK(linked(*trace, {{Quantity::X}, 0, 1}, {Quantity::E}).size() == 3);
  CHECK(linked(*trace, {{Quantity::X}, 2, 1}, {Quantity::E}) == std::vector<Region>{{0, 1, 1, 2, Role::input}});
  CHECK(linked(*trace, {{Quantity::X}, 3, 1}, {Quantity::E}).empty());
  // An edit of a row changes what has it, one of a row that is in no token nothing.
  CHECK(Mat<float>(evaluate(hydra::apply(document, set_cell(Quantity::E, 1, 0, 9)), trace.get())->X->topRows(3)) ==
        (Mat<float>(3, 2) << 10.5, 5, 7, 8, 2, 4).finished());
  const Document with_pear =
      hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, missing_in(trace->model.words, trace->tokens)});
  CHECK(with_pear.embedding.vocabulary.words() == Words{"pear"});
  document = hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, {"Ann", "apple", "1:Bob", "Bob", "other"}});
  const auto more = evaluate(document);
  CHECK(evaluate(hydra::apply(document, set_cell(Quantity::E, 4, 0, 9)), more.get())->X == more->X);
}

TEST_CASE("readout: a row of the table lights each of many tokens, not what stands between them", "[readout]") {
  Document document = default_document();
  document.tokens.emplace();
  for (int k = 0; k < 20; ++k) document.tokens->push_back(k % 2 == 0 ? "a+b" : "c");
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  document = hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, {"a", "b", "c"}});
  const auto trace = evaluate(document);
  for (const Quantity shown : {Quantity::embedding, Quantity::X}) {
    const std::vector<Region> regions = linked(*trace, {{Quantity::E}, 1, 3}, {shown});
    REQUIRE(regions.size() == 10);
    for (const Region& region : regions) {
      CHECK(region.row0 % 2 == 0);
      CHECK(region.row1 == region.row0 + 1);
    }
  }
}

TEST_CASE("readout: a token of several words stays one when the sentence is edited, saved and opened", "[readout]") {
  Document document = default_document();
  document.tokens = Words{"Ann+apple", "likes", "don't!", "Ann"};
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::learned, 1});
  document = hydra::apply(document, SetVocabulary{SetVocabulary::Of::words, {"Ann", "apple", "likes", "."}});
  const auto after = [&](const std::string& sentence) {
    const Document edited = hydra::apply(document, SetSentence{sentence});
    check_document(edited);
    CHECK(same_document(parse_document(document_text(edited), "f"), edited));
    return tokens_of(edited);
  };
  CHECK(after("Ann+apple likes don't! Ann") == *document.tokens);
  CHECK(after("Ann+apple likes don't! Ann.") == Words{"Ann+apple", "likes", "don't!", "Ann", "."});
  CHECK(after("Ann  likes apple+Ann") == Words{"Ann", "likes", "apple+Ann"});           // of known words
  CHECK(after("Ann likes apple+pear") == Words{"Ann", "likes", "apple", "+", "pear"});  // as any sentence is cut
  CHECK_FALSE(hydra::apply(document, SetSentence{"Ann likes apple."}).tokens);
  CHECK_FALSE(hydra::apply(default_document(), SetSentence{"a+b"}).tokens);
}

TEST_CASE("readout: over many words rows are computed when they are asked for, to the bits of all", "[core][readout]") {
  Random random(11);
  Document document = apply(default_document(), SetModelWidth{64});
  std::vector<std::string> words;
  for (int k = 0; k < 60'000; ++k) words.push_back("w" + std::to_string(k));
  document.readout.vocabulary = Vocabulary(words);
  document.settings.readout = ReadoutKind::own;
  Mat<float> W_U(64, 60'000);
  for (float& value : W_U.reshaped()) value = static_cast<float>(random.normal());
  document.weights.W_U = share(std::move(W_U));
  document.sentence.clear();
  for (int k = 0; k < 30; ++k) document.sentence += "word" + std::to_string(k) + " ";
  const auto all = evaluate(document);
  const auto asked = evaluate(document, nullptr, nullptr, {.read_out = ReadOut::asked_rows});
  CHECK(all->model.probabilities.is_read());
  CHECK(asked->model.logits == all->model.logits);
  CHECK_FALSE(asked->model.logits.is_read());
  CHECK(likeliest(asked->model.probabilities, 29, 5) == likeliest(all->model.probabilities, 29, 5));
  CHECK(asked->model.logits.row_block(24, 6).is_read());
  CHECK_FALSE(asked->model.logits.row_block(0, 1).is_read());
  CHECK(same_bits<float>(MatView<float>(*asked->model.probabilities), MatView<float>(*all->model.probabilities)));
  CHECK(same_bits<float>(MatView<float>(*asked->model.logits), MatView<float>(*all->model.logits)));

  // A moment of multiply-adds is not put off; and whoever wants all later has them of the trace before.
  Document few = document;
  few.readout.vocabulary = Vocabulary({words.begin(), words.begin() + 100});
  few.weights.W_U = share(Mat<float>(document.weights.W_U->leftCols(100)));
  CHECK(evaluate(few, nullptr, nullptr, {.read_out = ReadOut::asked_rows})->model.probabilities.is_read());
  const auto again = evaluate(document, nullptr, nullptr, {.read_out = ReadOut::asked_rows});
  const auto whole = evaluate(document, again.get());
  CHECK(whole->model.logits.owner() == again->model.logits.owner());
  CHECK(whole->model.probabilities.is_read());
}
