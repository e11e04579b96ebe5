// The sweep in the background: what is shown belongs to the newest request, and nothing is asked for twice.
#include "app/measures/sweep.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "tests/support/measuring.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

// Its weights are no seed's, so that nothing is swept beside what is asked for.
Document edited_document() { return hydra::apply(default_document(), set_cell(Quantity::W_O, 0, 0, 0.125f)); }

struct SweepAsked : test::Measuring<SweepMeasure<Swept::heads>> {
  SweepAsked() : Measuring(edited_document()) { wanted = {0, usual_head_counts(64), 0}; }

  void edit(const Edit& what) { set(hydra::apply(document, what)); }
  const SweepTable& table() {
    REQUIRE(shown().value);
    return *shown().value;
  }
  std::vector<Index> shown_counts() {
    std::vector<Index> heads;
    for (const SweepEntry& entry : finished().value->entries) heads.push_back(entry.heads);
    return heads;
  }
  const std::vector<SweepEntry>& entries() { return finished().value->entries; }
  // As many tokens as words.
  void lengthen(int words) {
    Document longer = document;
    longer.tokens = std::vector<std::string>(static_cast<std::size_t>(words), "word");
    set(std::move(longer));
  }
};

}  // namespace

TEST_CASE("sweep measure: what is little is there after the wait, and asked for once", "[app][sweep]") {
  SweepAsked k;
  CHECK_FALSE(k.shown().value);
  CHECK(k.update(10s));
  k.edit(set_cell(Quantity::W_Q, 0, 0, 3));
  CHECK(k.update(10s));
  const auto table = k.shown().value;
  CHECK(table->entries[3].trace->layers[0].input.weights.W_Q->coeff(0, 0) == 3);
  CHECK(k.shown().progress == 1);
  CHECK_FALSE(k.update(10s));
  CHECK_FALSE(k.computing());
  CHECK(k.shown().value == table);
}

TEST_CASE("sweep measure: other counts, another head and another document are new requests", "[app][sweep]") {
  SweepAsked k;
  CHECK(k.shown_counts() == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  k.wanted.counts = {2, 8};
  CHECK(k.shown_counts() == k.wanted.counts);
  CHECK(k.entries()[1].head == 0);
  k.wanted.head = 5;
  CHECK(k.entries()[1].head == 5);
  CHECK(k.entries()[0].head == 1);
  k.edit(SetSentence{"one two"});
  CHECK(k.entries()[0].trace->tokens.size() == 2);
}

TEST_CASE("sweep measure: keys and values are swept beside the head counts, and neither asks for the other's",
          "[app][sweep]") {
  SweepAsked k;
  const auto heads = k.finished().value;
  const SweepWanted sets{0, {8, 2}, -1};
  const auto sharing = [&]() -> const Measured<SweepMeasure<Swept::kv_heads>>& {
    return k.measures.get<SweepMeasure<Swept::kv_heads>>(sets);
  };
  CHECK_FALSE(sharing().value);
  k.measures.settle(k.now(), 10s);
  REQUIRE(sharing().value);
  const auto shared = sharing().value;
  REQUIRE(shared->entries.size() == 3);  // the mean also with its norm kept
  CHECK(shared->entries[1].kv_heads == 2);
  CHECK(shared->entries[1].heads == 8);
  CHECK(shared->entries[2].rescaled);
  CHECK(shared->largest_change == std::max(shared->entries[1].output_change, shared->entries[2].output_change));
  CHECK(k.shown().value == heads);
  sharing();
  CHECK_FALSE(k.update(10s));
  CHECK_FALSE(k.computing());
  CHECK(sharing().value == shared);
  // Of another document both are another.
  k.edit(SetSentence{"The cat sat on the mat."});
  k.update();
  k.finished();
  CHECK(k.table().entries[0].trace->tokens.size() == 7);
  CHECK(sharing().value->entries[0].trace->tokens.size() == 7);
}

TEST_CASE("sweep measure: the newest request wins", "[app][sweep]") {
  SweepAsked k;
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f}) {
    k.edit(set_cell(Quantity::W_V, 1, 2, value));
    k.update();
  }
  CHECK((*k.entries()[0].trace->layers[0].input.weights.W_V)(1, 2) == 4);
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep measure: what is left is still there after a little work, and let go after much", "[app][sweep]") {
  SweepAsked k;
  k.finished();
  const auto little = k.shown().value;
  k.leave();
  CHECK_FALSE(k.update());
  CHECK(k.shown().value == little);

  // A million numbers for each head, then for sixteen.
  k.lengthen(700);
  k.wanted.counts = {1, 16};
  const std::weak_ptr<const Trace> much = k.entries()[1].trace;
  CHECK(SweepMeasure<Swept::heads>::bytes(*k.shown().value) > Measures::kMostAsideOfOne);
  k.leave();
  k.leave();
  k.measures.finish();
  CHECK_FALSE(k.shown().value);
  CHECK(much.expired());
}

TEST_CASE("sweep measure: what is left goes when the document is another", "[app][sweep]") {
  SweepAsked k;
  const std::weak_ptr<const Trace> old = k.entries()[1].trace;
  k.leave();
  k.leave();
  CHECK_FALSE(old.expired());
  k.lengthen(5);
  k.leave();
  CHECK_FALSE(old.expired());  // it is of the document before the last step
  k.lengthen(6);
  k.leave();
  k.measures.finish();
  CHECK_FALSE(k.shown().value);
  CHECK(old.expired());
  // What was under way, too.
  k.update();
  k.lengthen(7), k.lengthen(8);
  k.leave();
  k.measures.finish();
  k.leave();
  CHECK_FALSE(k.shown().value);
}

TEST_CASE("sweep measure: a sweep that was left goes on, and what it gives is there", "[app][sweep]") {
  SweepAsked k;
  k.update();
  k.leave();
  k.measures.finish();
  k.leave();
  k.table();
  k.update();
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep measure: a large sweep that was left ends", "[app][sweep]") {
  SweepAsked k;
  k.finished();
  k.lengthen(700);
  k.wanted.counts = {1, 2, 16};
  k.update();
  k.leave();
  k.measures.finish();
  k.leave();
  CHECK_FALSE(k.computing());
  CHECK_FALSE(k.shown().value);
  k.lengthen(40);
  CHECK(k.entries()[0].trace->tokens.size() == 40);  // and is made when it is wanted again
  CHECK(k.shown().progress == 1);
}

TEST_CASE("sweep measure: the largest change, and what is swept when there is none", "[app][sweep]") {
  SweepAsked k;
  k.finished();
  double largest = 0;
  for (const SweepEntry& entry : k.table().entries) largest = std::max(largest, entry.output_change);
  CHECK(k.table().largest_change == largest);
  k.edit(SetWeightSource{Init::zero, 1});
  CHECK(k.entries()[2].scores_over_heads.median.empty());
  CHECK_FALSE(k.entries()[2].pattern_over_heads.median.empty());
  CHECK(k.table().largest_change == 0);
}

TEST_CASE("sweep measure: an untrained document is swept over seeds, after its own table is shown", "[app][sweep]") {
  SweepAsked k;
  k.set(default_document());
  k.finished();
  CHECK(k.table().has_seeds);
  CHECK(k.table().over_seeds.seeds == std::vector<std::uint64_t>{7});
  const auto seeds = [&]() -> const Measured<SweepSeedsMeasure<Swept::heads>>& {
    return k.measures.get<SweepSeedsMeasure<Swept::heads>>({k.shown().value});
  };
  const auto settle = [&] { seeds(), k.update(60s), k.measures.finish(), seeds(), k.update(); };
  settle();
  REQUIRE(seeds().value);
  CHECK(seeds().value->over_seeds.seeds == std::vector<std::uint64_t>{7, 8, 9, 10, 11, 12, 13, 14});
  CHECK(seeds().progress == 1);
  const auto all = seeds().value;
  settle();
  CHECK(seeds().value == all);
  // Seeds of a document that is not there any more end, and begin when it comes back.
  k.set(hydra::apply(k.document, SetModelWidth{256}));
  k.wanted.counts = usual_head_counts(256);
  k.finished();
  seeds(), k.update();
  CHECK(seeds().computing);
  k.set(edited_document());
  k.wanted.counts = usual_head_counts(64);
  seeds(), k.update();
  settle();
  CHECK_FALSE(k.computing());
  // An edited one is one document.
  CHECK_FALSE(k.table().has_seeds);
  CHECK(k.table().over_seeds.seeds.size() == 1);
  CHECK(seeds().value == all);
}

TEST_CASE("sweep measure: seeds are of the table that there is, while other counts are asked for", "[app][sweep]") {
  SweepAsked k;
  k.set(default_document());
  k.finished();
  k.wanted.counts = {2, 4};  // not there yet
  k.measures.get<SweepSeedsMeasure<Swept::heads>>({k.shown().value});
  k.update();
  k.measures.finish();
  const auto& seeds = k.measures.get<SweepSeedsMeasure<Swept::heads>>({k.shown().value});
  k.update();
  k.measures.finish();
  k.update();
  REQUIRE(seeds.value);
  CHECK(seeds.value->entries.size() == seeds.wanted.base->entries.size());
}

TEST_CASE("sweep measure: what the last frame wanted of another layer is not asked for", "[app][sweep]") {
  SweepAsked k;
  k.finished();
  const auto before = k.shown().value;
  Document narrow = hydra::apply(default_document(), SetModelWidth{32});
  k.set(narrow);  // 64 heads do not divide it
  CHECK(k.finished().failure.empty());
  CHECK(k.shown().value == before);
  CHECK(k.shown().older);
  const SweepWanted sixteen{0, {16}, -1};
  CHECK_FALSE(SweepMeasure<Swept::kv_heads>::is_there(k.now(), sixteen));
  k.wanted.counts = {1, 32};
  CHECK(k.shown_counts() == k.wanted.counts);
}

TEST_CASE("sweep measure: while the state before is looked at, what is of the newest stays", "[app][sweep]") {
  SweepAsked k;
  k.finished();
  const Moment before{k.trace, k.document, new_stamp(), stamp_of(k.document), k.marked, k.bounds};
  k.measures.begin_frame();
  k.measures.end_frame(before);
  CHECK(k.shown().value);
}

TEST_CASE("sweep measure: large work is not waited for, and its progress is seen", "[app][sweep]") {
  SweepAsked k;
  Document wide = hydra::apply(k.document, SetModelWidth{512});
  std::vector<std::string> words;
  for (int t = 0; t < 64; ++t) words.push_back("w" + std::to_string(t));
  wide.tokens = words;
  k.set(hydra::apply(wide, set_cell(Quantity::W_O, 0, 0, 0.125f)));  // no seed's
  k.wanted.counts = usual_head_counts(512);
  k.update(60s);
  CHECK(k.computing());
  CHECK_FALSE(k.shown().value);
  test::wait_until([&] {
    k.update();
    CHECK(k.shown().progress >= 0);
    CHECK(k.shown().progress <= 1);
    return !k.computing();
  });
  k.update();
  CHECK(k.shown().progress == 1);
  CHECK(k.shown_counts() == k.wanted.counts);
}
