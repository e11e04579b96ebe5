// Models whose heads have a width of their own, or share keys and values, are trained as all others are.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/run.h"
#include "core/learn/runs/run_file.h"
#include "core/learn/start.h"
#include "tests/support/faults.h"

using namespace hydra;
using namespace hydra::learn;
using test::fault_at;

namespace {

Recipe sized(Index heads, Index d_k, Index kv_heads) {
  Recipe recipe = make_task("students")->info().recipe;
  recipe.heads = heads, recipe.d_k = d_k, recipe.kv_heads = kv_heads;
  return recipe;
}

}  // namespace

TEST_CASE("sizes: a model has the widths and the sets of keys that its recipe says", "[learn][sizes]") {
  const auto task = make_task("students");
  for (const auto& [heads, d_k, kv] :
       {std::tuple<Index, Index, Index>{4, 2, 0}, {1, 64, 0}, {4, 0, 2}, {8, 8, 1}, {3, 5, 3}}) {
    CAPTURE(heads, d_k, kv);
    const Recipe recipe = sized(heads, d_k, kv);
    check_recipe(recipe);
    const Document document = starting_document(*task, recipe, 3);
    const Layer& layer = document.layer(0);
    const Index own = d_k == 0 ? recipe.d_model / heads : d_k, sets = kv == 0 ? heads : kv;
    CHECK(layer.d_k(document.d_model) == own);
    CHECK(layer.kv_heads() == sets);
    CHECK(layer.weights.W_Q.cols() == heads * own);
    CHECK(layer.weights.W_K.cols() == sets * own);
    CHECK(layer.weights.W_V.cols() == sets * own);
    CHECK(layer.weights.W_O.rows() == heads * own);
    Run run(task, document, recipe, 3);
    double first = 0, last = 0;
    for (int step = 0; step < 60; ++step) {
      const double loss = run.take_step(nullptr).loss;
      if (step < 10) first += loss;
      if (step >= 50) last += loss;
    }
    CHECK(last < first);
    // What was learned is the document's, whichever way it is computed.
    const Document learned = run.document();
    CHECK(parse_document(document_text(learned), "x").layers.front().weights.W_K.cols() == sets * own);
    CHECK(evaluate(learned)->layers.front().output->allFinite());
  }
}

TEST_CASE("sizes: without them the bits are what they were", "[learn][sizes]") {
  const auto task = make_task("grammar");
  Recipe plain = task->info().recipe, told = plain;
  told.d_k = plain.d_model / plain.heads, told.kv_heads = plain.heads;
  const Document a = starting_document(*task, plain, 5), b = starting_document(*task, told, 5);
  CHECK(*a.layer(0).weights.W_K == *b.layer(0).weights.W_K);
  CHECK(*a.layer(0).weights.W_O == *b.layer(0).weights.W_O);
  CHECK(b.layer(0).own_width == 0);
  CHECK(b.layer(0).group_size == 1);
}

TEST_CASE("sizes: what no model has is refused in one sentence", "[learn][sizes]") {
  CHECK_THROWS_WITH(check_recipe(sized(4, 5000, 0)), fault_at("d_k", "5000"));
  CHECK_THROWS_WITH(check_recipe(sized(4, 8, 3)), fault_at("kv_heads", "divide"));
  CHECK_THROWS_WITH(check_recipe(sized(0, 8, 0)), fault_at("heads", "from 1"));
}

TEST_CASE("sizes: a run's file keeps them", "[learn][sizes]") {
  RunFile file;
  file.task = "students";
  RunFile::Branch branch;
  branch.recipe = sized(4, 4, 2);
  branch.name = "one";
  file.branches = {branch};
  const RunFile again = parse_run_file(run_file_text(file), "x");
  CHECK(again.branches.front().recipe == branch.recipe);
}
