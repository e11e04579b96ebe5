#include "core/io/opening.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/text/known_words.h"
#include "core/io/file.h"
#include "core/learn/opened/named_roles.h"
#include "tests/support/examples.h"

using namespace hydra;

namespace {

Document with_drag(const Document& document, const Cell& cell, float by) {
  const Index d_k = document.d_model / document.layers.front().heads, col = cell.site.head * d_k + cell.col;
  const float value = (*document.layers.front().weights.W_Q)(cell.row, col);
  return hydra::apply(document, set_cell(Quantity::W_Q, cell.row, col, value + by));
}

// Half the sum of what the weights of a row change by.
double moved(const Trace& before, const Trace& after, int head, Index query) {
  const auto row = [&](const Trace& t) {
    return t.layers.front().heads[static_cast<std::size_t>(head)].attention->row(query);
  };
  return 0.5 * static_cast<double>((row(after) - row(before)).cwiseAbs().sum());
}

// The names that the window gives the heads, on text that the model knows.
std::vector<std::string> names_of(const Document& document) {
  ThreadPool pool(2);
  learn::NamedRoles tables(&pool);
  RoleTable table = tables.pooled(document, 0, shipped_sentences());
  if (table.jobs.empty()) table.bounds = bounds_of(table.random, &pool);
  std::vector<std::string> names;
  for (const HeadName& name : hydra::names_of(table)) names.push_back(role_key(name.role));
  return names;
}

}  // namespace

TEST_CASE("opening document: a trained model, beside it heads designed for the same sentence", "[core][opening]") {
  const Document opening = opening_document();
  CHECK(same_document(read_document(""), opening));
  CHECK(same_document(parse_document(document_text(opening), "f"), opening));
  CHECK(kind_of(opening) == ModelKind::trained);
  const Document trained = test::example("trained_grammar"), designed = test::example("grammar_designed");
  CHECK(tokens_of(opening) ==
        std::vector<std::string>{"the", "dog", "chases", "the", "girl", "because", "she", "is", "scared", "."});
  CHECK(known_words(opening, tokens_of(opening)).all());
  CHECK(same_document(with_model(trained, opening), with_model(trained, trained)));
  const Document other = hydra::apply(opening, SwitchModel{ModelKind::designed});
  CHECK(same_document(with_model(designed, other), designed));
  CHECK(std::ranges::all_of(other.layers.front().source.designs, [](const auto& design) { return !!design; }));
  // What a file leaves out is as before.
  CHECK(same_document(parse_document(R"({"hydrascope": 1})", "f"), default_document()));
}

TEST_CASE("opening document: its heads have names, untrained ones have none", "[core][opening][slow]") {
  const Document trained = opening_document();
  CHECK(names_of(trained) == std::vector<std::string>{"antecedent", "end_mark", "previous_word", "subject"});
  CHECK(names_of(hydra::apply(trained, SwitchModel{ModelKind::designed})) ==
        std::vector<std::string>{"coreference", "punctuation", "previous_token", "subject-verb"});
  CHECK(names_of(hydra::apply(trained, SwitchModel{ModelKind::untrained})) == std::vector<std::string>(4, "mixed"));
}

TEST_CASE("opening document: dragging the weight it offers moves a row by more than a fifth", "[core][opening]") {
  const Document opening = opening_document();
  const auto before = evaluate(opening);
  const MatView<float> W_Q = *opening.layers.front().weights.W_Q;
  const float step = 0.5f * W_Q.cwiseAbs().maxCoeff();  // about 60 pixels of a plain drag
  const OfferedWeight offered = offered_weight(*before, 0, 0, step);
  REQUIRE(offered.up > 0.2);
  REQUIRE(offered.down > 0.2);
  // What it foretells is what the forward pass gives, and of no other head is there more to see.
  double up = 0, down = 0;
  const auto raised = evaluate(with_drag(opening, offered.cell, step));
  const auto lowered = evaluate(with_drag(opening, offered.cell, -step));
  const int head = offered.cell.site.head;
  for (Index i = 0; i < static_cast<Index>(before->tokens.size()); ++i) {
    up = std::max(up, moved(*before, *raised, head, i));
    down = std::max(down, moved(*before, *lowered, head, i));
  }
  CHECK(up == Approx(offered.up).margin(1e-4));
  CHECK(down == Approx(offered.down).margin(1e-4));
  CHECK(moved(*before, *lowered, head, offered.query) == Approx(offered.down).margin(1e-4));
}
