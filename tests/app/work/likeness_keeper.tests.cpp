// Likeness beside the frame loop: what is shown belongs to the newest request, and pooling is seen to go on.
#include "app/work/likeness_keeper.h"

#include <catch2/catch.hpp>

#include "core/document/edit.h"
#include "core/document/evaluate.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

LikenessWanted only(Likeness measure) {
  LikenessWanted wanted;
  wanted.ordered_by = measure;
  return wanted;
}

struct KeptLikeness {
  Document document = default_document();
  std::shared_ptr<const Trace> trace = evaluate(document);
  std::uint64_t version = 1;
  bool pooled = false;
  LikenessWanted measures = only(Likeness::cosine);
  MarkedSentences marked = all_marked_sentences();
  LikenessKeeper keeper;

  bool update(std::chrono::milliseconds patience = 0ms) {
    return keeper.update({trace, 0, document, version, pooled, measures, marked}, patience);
  }
  void set(Document other) {
    document = std::move(other);
    trace = evaluate(document);
    ++version;
  }
  const LikenessShown& finished() {
    update();
    keeper.beside().finish();
    update();
    return keeper.shown();
  }
};

}  // namespace

TEST_CASE("likeness keeper: what is little is there after the wait, and asked for once", "[app][likeness]") {
  KeptLikeness k;
  CHECK(k.update(10s));
  const auto table = k.keeper.shown().table;
  REQUIRE(table);
  CHECK(k.keeper.shown().trace == k.trace);
  CHECK(table->matrix(Likeness::cosine)->rows() == 8);
  CHECK_FALSE(table->matrix(Likeness::js_bits));
  CHECK(table->ranks.empty());
  CHECK_FALSE(k.update(10s));
  CHECK_FALSE(k.keeper.beside().computing());
  CHECK(k.keeper.shown().table == table);
}

TEST_CASE("likeness keeper: another measure, ranks, another trace are new requests", "[app][likeness]") {
  KeptLikeness k;
  k.finished();
  k.measures = only(Likeness::cka);
  CHECK(k.finished().table->ordered_by == Likeness::cka);
  k.measures.ranks = true;
  CHECK(k.finished().table->ranks.size() == 8);
  k.set(hydra::apply(k.document, SetHeads{4}));
  CHECK(k.finished().table->ranks.size() == 4);
  CHECK(k.keeper.shown().trace == k.trace);
}

TEST_CASE("likeness keeper: the newest request wins", "[app][likeness]") {
  KeptLikeness k;
  for (const Index heads : {2, 4, 16, 32}) {
    k.set(hydra::apply(k.document, SetHeads{heads}));
    k.update();
  }
  CHECK(k.finished().table->clustering.leaves.size() == 32);
  CHECK(k.keeper.shown().trace == k.trace);
  CHECK_FALSE(k.keeper.beside().computing());
}

TEST_CASE("likeness keeper: pooled over the marked sentences, its progress between 0 and 1", "[app][likeness]") {
  KeptLikeness k;
  k.pooled = true;
  k.update();
  float last = k.keeper.shown().progress;  // the worker may be through with all of them already
  CHECK(last >= 0);
  while (k.keeper.beside().computing()) {
    k.update();
    const float progress = k.keeper.shown().progress;
    CHECK(progress >= last);
    CHECK(progress <= 1);
    last = progress;
    std::this_thread::sleep_for(1ms);
  }
  k.update();
  CHECK(k.keeper.shown().progress == 1);
  REQUIRE(k.keeper.shown().table);
  CHECK(k.keeper.shown().table->sentences.size() == k.marked->size());
  CHECK(k.keeper.shown().fault.empty());
}

TEST_CASE("likeness keeper: what cannot be pooled says why, and is of the sentence", "[app][likeness]") {
  KeptLikeness k;
  Document document = k.document;
  document.embedding.X = k.trace->X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  k.set(document);
  k.pooled = true;
  const LikenessShown& shown = k.finished();
  CHECK_FALSE(shown.fault.empty());
  REQUIRE(shown.table);
  CHECK(shown.table->sentences.empty());
  CHECK(shown.progress == 1);
}

TEST_CASE("likeness keeper: large work is not waited for", "[app][likeness]") {
  KeptLikeness k;
  Document large = hydra::apply(hydra::apply(default_document(), SetModelWidth{96}), SetHeads{96});
  std::vector<std::string> tokens;
  for (int t = 0; t < 64; ++t) tokens.push_back("w" + std::to_string(t));
  large.tokens = tokens;
  k.set(large);
  k.measures = only(Likeness::js_bits);
  CHECK_FALSE(k.update(60s));
  CHECK(k.keeper.beside().computing());
  CHECK(k.finished().table->clustering.leaves.size() == 96);
}

TEST_CASE("likeness keeper: what was left goes on while its trace is shown, and goes with it", "[app][likeness]") {
  KeptLikeness k;
  k.pooled = true;
  k.update();
  k.keeper.leave(k.trace);
  k.keeper.beside().finish();
  k.keeper.leave(k.trace);
  REQUIRE(k.keeper.shown().table);
  CHECK(k.keeper.shown().table->sentences.size() == k.marked->size());
  k.keeper.beside().finish();  // what the worker kept is let go
  CHECK_FALSE(k.update());
  CHECK_FALSE(k.keeper.beside().computing());

  k.set(hydra::apply(k.document, SetHeads{4}));
  k.update();
  const std::shared_ptr<const Trace> next = evaluate(hydra::apply(k.document, SetHeads{2}));
  k.keeper.leave(next);
  CHECK_FALSE(k.keeper.shown().table);
  k.keeper.beside().finish();
  k.keeper.leave(next);
  CHECK_FALSE(k.keeper.shown().table);  // what came of it is nobody's
  const std::weak_ptr<const Trace> left = k.trace;
  k.trace.reset();
  CHECK(left.expired());
}
