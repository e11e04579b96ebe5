// The roles of all layers beside the frame loop: what is shown belongs to the newest request, names follow layer by
// layer, progress is told.
#include "app/work/stack_role_keeper.h"

#include <catch2/catch.hpp>

#include "core/document/edit.h"
#include "core/document/evaluate.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

Document layers_of_four(int layers) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{4});
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  return document;
}

struct KeptStack {
  Document document = layers_of_four(3);
  std::shared_ptr<const Trace> trace = evaluate(document);
  std::uint64_t version = 1;
  bool pooled = false;
  double threshold = kRoleThreshold;
  MarkedSentences marked = all_marked_sentences();
  std::shared_ptr<KnownBounds> known = std::make_shared<KnownBounds>();
  StackRoleKeeper keeper{known};

  bool update(std::chrono::milliseconds patience = 0ms) {
    return keeper.update({trace, 0, document, version, pooled, threshold}, marked, patience);
  }
  void set(Document other) {
    document = std::move(other);
    trace = evaluate(document, trace.get());
    ++version;
  }
  const StackRoles& finished() {
    update();
    keeper.tables().finish();
    update();
    return keeper.roles();
  }
  const StackRoles& named() {
    finished();
    keeper.names().finish();
    update();
    return keeper.roles();
  }
};

}  // namespace

TEST_CASE("stack role keeper: the tables of all layers, then their names, one layer after the other", "[app][stack]") {
  KeptStack k;
  const StackRoles& roles = k.finished();
  REQUIRE(roles.layers.size() == 3);
  for (const StackRoles::OfLayer& layer : roles.layers) CHECK(layer.labels.size() == 4);
  const std::uint64_t before = roles.version;
  k.named();
  CHECK(roles.unnamed == 0);
  CHECK(roles.version > before);
  for (const StackRoles::OfLayer& layer : roles.layers) {
    REQUIRE(layer.table->bounds);
    CHECK(layer.labels.front().name != "measuring");
  }
  CHECK(roles.progress == 1);
  CHECK_FALSE(k.update());  // nothing new
  CHECK_FALSE(k.keeper.tables().computing());
}

TEST_CASE("stack role keeper: an edit of a layer leaves the tables and names of those before", "[app][stack]") {
  KeptStack k;
  k.named();
  const auto before = k.keeper.roles().layers;
  k.set(hydra::apply(k.document, {set_cell(Quantity::W_V, 2, 1, 3), 1}));
  const StackRoles& roles = k.finished();
  CHECK(roles.layers[0].table->bounds);
  CHECK(roles.layers[1].table->bounds);  // what enters it is the same
  CHECK(roles.layers[0].table->heads[0][head_number::removal] == before[0].table->heads[0][head_number::removal]);
  CHECK(roles.layers[1].table->heads[0][head_number::removal] != before[1].table->heads[0][head_number::removal]);
}

TEST_CASE("stack role keeper: without the last layer the others are as they were, and it is another version",
          "[app][stack]") {
  KeptStack k;
  k.named();
  const std::uint64_t before = k.keeper.roles().version;
  const auto first = k.keeper.roles().layers.front().table;
  k.set(hydra::apply(k.document, {RemoveLayer{}, 2}));
  const StackRoles& roles = k.finished();
  REQUIRE(roles.layers.size() == 2);
  CHECK(roles.layers.front().table == first);
  CHECK(roles.version > before);  // rows that were chosen of three layers are of no use
}

TEST_CASE("stack role keeper: the newest request wins, pooled with its progress", "[app][stack]") {
  KeptStack k;
  k.pooled = true;
  for (const Index heads : {1, 2, 8}) {
    k.set(hydra::apply(k.document, {SetHeads{heads}, 1}));
    k.update();
  }
  while (k.keeper.tables().computing()) {
    k.update();
    CHECK(k.keeper.roles().progress >= 0);
    CHECK(k.keeper.roles().progress <= 1);
    std::this_thread::sleep_for(1ms);
  }
  const StackRoles& roles = k.finished();
  REQUIRE(roles.layers.size() == 3);
  CHECK(roles.layers[1].labels.size() == 8);
  CHECK(roles.layers[2].table->sentences.size() == k.marked->size());
  CHECK(roles.fault.empty());
  for (int at = 0; at < 3; ++at)
    CHECK(roles.layers[static_cast<std::size_t>(at)].table->heads[0][head_number::confidence] ==
          RoleTables().pooled(k.document, at, k.marked).heads[0][head_number::confidence]);
}

TEST_CASE("stack role keeper: what cannot be pooled says why, and is of the sentence", "[app][stack]") {
  KeptStack k;
  Document document = k.document;
  document.embedding.X = k.trace->X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  k.set(document);
  k.pooled = true;
  const StackRoles& roles = k.finished();
  CHECK_FALSE(roles.fault.empty());
  REQUIRE(roles.layers.size() == 3);
  CHECK(roles.layers[0].table->sentences.empty());
}

TEST_CASE("stack role keeper: what was left goes with its trace", "[app][stack]") {
  KeptStack k;
  k.named();
  k.keeper.leave(k.trace);
  CHECK(k.keeper.roles().layers.size() == 3);
  k.keeper.tables().finish();
  const std::shared_ptr<const Trace> next = evaluate(layers_of_four(2));
  k.keeper.leave(next);
  CHECK(k.keeper.roles().layers.empty());
  k.keeper.tables().finish();
  k.keeper.names().finish();
  k.keeper.leave(next);
  CHECK(k.keeper.roles().layers.empty());
  const std::weak_ptr<const Trace> left = k.trace;
  k.trace.reset();
  CHECK(left.expired());
}

TEST_CASE("stack role keeper: another threshold changes names alone", "[app][stack]") {
  KeptStack k;
  k.named();
  const auto table = k.keeper.roles().layers[1].table;
  k.threshold = 0.9;
  CHECK(k.update());
  CHECK(k.keeper.roles().layers[1].table == table);
  CHECK_FALSE(k.update());
}
