// What the heads do, in the background: what is shown belongs to the newest request, names follow layer by layer,
// progress is told.
#include "app/views/shared/head_roles.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "tests/support/measuring.h"
#include "tests/support/wait_until.h"

using namespace hydra;

namespace {

Document layers_of_four(int layers) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{4});
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  return document;
}

// What is measured, and what views make of it.
template <class Measure, class Roles>
struct MeasuringRoles : test::Measuring<Measure> {
  using Base = test::Measuring<Measure>;
  explicit MeasuringRoles(Document first) : Base(std::move(first)) {}

  double threshold = kRoleThreshold;
  Roles roles;
  bool update() {
    const bool changed = Base::update();
    return renew(roles, this->shown(), threshold) || changed;
  }
  const Roles& finished() {  // but for names
    Base::finished();
    update();
    return roles;
  }
  const Roles& named() {
    finished();
    this->measures.finish_rest();
    update();
    return roles;
  }
};
struct OfStack : MeasuringRoles<StackRolesMeasure, StackRoles> {
  OfStack() : MeasuringRoles(layers_of_four(3)) { wanted.text.over = RolesOver::sentence; }
};
struct OfOneLayer : MeasuringRoles<RolesMeasure, HeadRoles> {
  OfOneLayer() : MeasuringRoles(layers_of_four(2)) { wanted.text.over = RolesOver::sentence; }
};

}  // namespace

TEST_CASE("roles measure: the table of a layer, then its names, an edit that comes first has its own table at once",
          "[app][roles]") {
  OfOneLayer of;
  const HeadRoles& roles = of.finished();
  REQUIRE(roles.table);
  CHECK(roles.labels.size() == 4);
  CHECK((roles.labels.front().name == "measuring") == !roles.table->bounds);
  of.set(hydra::apply(of.document, {set_cell(Quantity::W_V, 2, 1, 3), 0}));  // while the names are being measured
  CHECK(of.finished().table->heads.front()[head_number::removal] ==
        RoleTables().of_sentence(*of.trace, 0, of.marked).heads.front()[head_number::removal]);
  CHECK(of.shown().of == of.trace);
  of.named();
  REQUIRE(roles.table->bounds);
  CHECK(roles.labels.front().name != "measuring");
  CHECK(roles.failure.empty());
  CHECK_FALSE(of.update());  // nothing new
  CHECK_FALSE(of.computing());
}

TEST_CASE("roles measure: names that were known are there with the table", "[app][roles]") {
  OfOneLayer of;
  of.named();
  const Document first = of.document;
  of.set(hydra::apply(of.document, {SetHeads{2}, 0}));
  of.finished();
  of.set(first);
  CHECK(of.finished().table->bounds);
  of.wanted.layer = 1;
  CHECK(of.finished().table->heads.size() == 4);
}

TEST_CASE("stack roles measure: the tables of all layers, then their names, one layer after the other",
          "[app][stack]") {
  OfStack of;
  const StackRoles& roles = of.finished();
  REQUIRE(roles.layers.size() == 3);
  for (const StackRoles::OfLayer& layer : roles.layers) CHECK(layer.labels.size() == 4);
  const std::uint64_t before = roles.version;
  const bool waits = roles.unnamed > 0;
  of.named();
  CHECK(roles.unnamed == 0);
  CHECK((roles.version > before) == waits);
  for (const StackRoles::OfLayer& layer : roles.layers) {
    REQUIRE(layer.table->bounds);
    CHECK(layer.labels.front().name != "measuring");
  }
  CHECK(roles.progress == 1);
  CHECK_FALSE(of.update());  // nothing new
  CHECK_FALSE(of.computing());
}

TEST_CASE("stack roles measure: an edit of a layer leaves the tables and names of those before", "[app][stack]") {
  OfStack of;
  of.named();
  const auto before = of.roles.layers;
  of.set(hydra::apply(of.document, {set_cell(Quantity::W_V, 2, 1, 3), 1}));
  const StackRoles& roles = of.finished();
  CHECK(roles.layers[0].table->bounds);
  CHECK(roles.layers[1].table->bounds);  // what enters it is the same
  CHECK(roles.layers[0].table->heads[0][head_number::removal] == before[0].table->heads[0][head_number::removal]);
  CHECK(roles.layers[1].table->heads[0][head_number::removal] != before[1].table->heads[0][head_number::removal]);
}

TEST_CASE("stack roles measure: without the last layer the others are as they were, and it is another version",
          "[app][stack]") {
  OfStack of;
  of.named();
  const std::uint64_t before = of.roles.version;
  const auto first = of.roles.layers.front().table;
  of.set(hydra::apply(of.document, {RemoveLayer{}, 2}));
  const StackRoles& roles = of.finished();
  REQUIRE(roles.layers.size() == 2);
  CHECK(roles.layers.front().table->heads[0][head_number::removal] == first->heads[0][head_number::removal]);
  CHECK(roles.layers.front().table->bounds);
  CHECK(roles.version > before);  // rows that were chosen of three layers are of no use
}

TEST_CASE("stack roles measure: the newest request wins, pooled with its progress", "[app][stack]") {
  OfStack of;
  of.wanted.text.over = RolesOver::known;
  for (const Index heads : {1, 2, 8}) {
    of.set(hydra::apply(of.document, {SetHeads{heads}, 1}));
    of.update();
  }
  test::wait_until([&] {
    of.update();
    CHECK(of.roles.progress >= 0);
    CHECK(of.roles.progress <= 1);
    return !of.computing();
  });
  const StackRoles& roles = of.finished();
  REQUIRE(roles.layers.size() == 3);
  CHECK(roles.layers[1].labels.size() == 8);
  CHECK(roles.layers[2].table->sentences.size() == of.marked->size());
  CHECK(roles.fault.empty());
  for (int at = 0; at < 3; ++at)
    CHECK(roles.layers[static_cast<std::size_t>(at)].table->heads[0][head_number::confidence] ==
          RoleTables().pooled(of.document, at, of.marked).heads[0][head_number::confidence]);
}

TEST_CASE("stack roles measure: what cannot be pooled says why, and is of the sentence", "[app][stack]") {
  OfStack of;
  Document document = of.document;
  document.embedding.X = of.trace->X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  of.set(document);
  of.wanted.text.over = RolesOver::known;
  const StackRoles& roles = of.finished();
  CHECK_FALSE(roles.fault.empty());
  REQUIRE(roles.layers.size() == 3);
  CHECK(roles.layers[0].table->sentences.empty());
}

TEST_CASE("stack roles measure: what was left goes with its trace", "[app][stack]") {
  OfStack of;
  of.named();
  of.leave();
  CHECK(of.shown().value);
  of.measures.finish_rest();
  const std::weak_ptr<const Trace> left = of.trace;
  of.set(layers_of_four(2));
  of.leave();
  CHECK(of.shown().value);  // it is of the document before the last step
  of.set(layers_of_four(1));
  of.leave();
  CHECK_FALSE(of.shown().value);
  of.measures.finish_rest();
  CHECK(left.expired());
}

TEST_CASE("stack roles measure: another threshold changes names alone", "[app][stack]") {
  OfStack of;
  of.named();
  const auto table = of.roles.layers[1].table;
  of.threshold = 0.9;
  CHECK(of.update());
  CHECK(of.roles.layers[1].table == table);
  CHECK_FALSE(of.update());
}
