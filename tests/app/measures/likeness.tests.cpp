// Likeness in the background: what is shown belongs to the newest request, and pooling is seen to go on.
#include "app/measures/likeness.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "tests/support/measuring.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

LikenessMeasure::Wanted only(Likeness measure) {
  LikenessMeasure::Wanted wanted;
  wanted.measures.ordered_by = measure;
  return wanted;
}

struct Asked : test::Measuring<LikenessMeasure> {
  Asked() { wanted = only(Likeness::cosine); }
  const LikenessTable& table() {
    REQUIRE(shown().value);
    REQUIRE(shown().value->table);
    return *shown().value->table;
  }
};

}  // namespace

TEST_CASE("likeness measure: what is little is there after the wait, and asked for once", "[app][likeness]") {
  Asked k;
  CHECK(k.update(10s));
  const auto table = k.shown().value;
  REQUIRE(table);
  CHECK(k.shown().of == k.trace);
  CHECK(k.table().matrix(Likeness::cosine)->rows() == 8);
  CHECK_FALSE(k.table().matrix(Likeness::js_bits));
  CHECK(k.table().ranks.empty());
  CHECK_FALSE(k.update(10s));
  CHECK_FALSE(k.computing());
  CHECK(k.shown().value == table);
}

TEST_CASE("likeness measure: another measure, ranks, another trace are new requests", "[app][likeness]") {
  Asked k;
  k.finished();
  k.wanted = only(Likeness::cka);
  CHECK(k.finished().value->table->ordered_by == Likeness::cka);
  k.wanted.measures.ranks = true;
  CHECK(k.finished().value->table->ranks.size() == 8);
  k.set(hydra::apply(k.document, SetHeads{4}));
  CHECK(k.finished().value->table->ranks.size() == 4);
  CHECK(k.shown().of == k.trace);
}

TEST_CASE("likeness measure: the newest request wins", "[app][likeness]") {
  Asked k;
  for (const Index heads : {2, 4, 16, 32}) {
    k.set(hydra::apply(k.document, SetHeads{heads}));
    k.update();
  }
  CHECK(k.finished().value->table->clustering.leaves.size() == 32);
  CHECK(k.shown().of == k.trace);
  CHECK_FALSE(k.computing());
}

TEST_CASE("likeness measure: pooled over the marked sentences, its progress between 0 and 1", "[app][likeness]") {
  Asked k;
  k.wanted.pooled = true;
  k.update();
  float last = 0;  // 1 until it has begun, and when it is over
  test::wait_until([&] {
    k.update();
    const float progress = k.shown().progress;
    CHECK(progress >= last);
    CHECK(progress <= 1);
    if (progress < 1) last = progress;
    return !k.computing();
  });
  k.update();
  CHECK(k.shown().progress == 1);
  REQUIRE(k.shown().value);
  CHECK(k.table().sentences.size() == k.marked->size());
  CHECK(k.shown().value->fault.empty());
}

TEST_CASE("likeness measure: what cannot be pooled says why, and is of the sentence", "[app][likeness]") {
  Asked k;
  Document document = k.document;
  document.embedding.X = k.trace->X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  k.set(document);
  k.wanted.pooled = true;
  k.finished();
  CHECK(k.table().sentences.empty());
  CHECK_FALSE(k.shown().value->fault.empty());
  CHECK(k.shown().progress == 1);
}

TEST_CASE("likeness measure: large work is not waited for", "[app][likeness]") {
  Asked k;
  Document large = hydra::apply(hydra::apply(default_document(), SetModelWidth{96}), SetHeads{96});
  std::vector<std::string> tokens;
  for (int t = 0; t < 64; ++t) tokens.push_back("w" + std::to_string(t));
  large.tokens = tokens;
  k.set(large);
  k.wanted = only(Likeness::js_bits);
  k.update(60s);
  CHECK(k.computing());
  CHECK_FALSE(k.shown().value);
  CHECK(k.finished().value->table->clustering.leaves.size() == 96);
}

TEST_CASE("likeness measure: what was left goes on while its trace is shown, and goes with it", "[app][likeness]") {
  Asked k;
  k.wanted.pooled = true;
  k.update();
  k.leave();
  k.measures.finish();
  k.leave();
  CHECK(k.table().sentences.size() == k.marked->size());
  k.measures.finish();  // what the worker kept is let go
  k.update();
  CHECK_FALSE(k.computing());

  k.set(hydra::apply(k.document, SetHeads{4}));
  k.update();
  const std::weak_ptr<const Trace> left = k.trace;
  k.set(hydra::apply(k.document, SetHeads{2}));
  k.leave();
  CHECK(k.computing());  // it is of the document before the last step
  k.set(hydra::apply(k.document, SetHeads{1}));
  k.leave();
  k.measures.finish();
  k.leave();
  CHECK_FALSE(k.shown().value);  // what came of it is nobody's
  CHECK(left.expired());
}
