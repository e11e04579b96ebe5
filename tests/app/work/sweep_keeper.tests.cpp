// The sweep beside the frame loop: what is shown belongs to the newest request, and nothing is asked for twice.
#include "app/work/sweep_keeper.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/document/edit.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

// Its weights are no seed's, so that nothing is swept beside what is asked for.
Document edited_document() { return hydra::apply(default_document(), set_cell(Quantity::W_O, 0, 0, 0.125f)); }

// Fewer than the program keeps, so that what is more does not take minutes.
constexpr Index kMuch = 200'000;

struct KeptSweeps {
  Document document = edited_document();
  std::uint64_t version = 1;
  std::vector<Index> counts = usual_head_counts(64);
  Index head = 0, tokens = 12;
  SweepKeeper keeper{kMuch};

  bool update(std::chrono::milliseconds patience = 0ms) {
    return keeper.update({document, 0, version, tokens, counts, head}, patience);
  }
  void set(const Edit& edit) {
    document = hydra::apply(document, edit);
    ++version;
  }
  void finish() {
    for (Beside* sweeping : keeper.beside()) sweeping->finish();
  }
  bool computing() {
    return std::ranges::any_of(keeper.beside(), [](Beside* sweeping) { return sweeping->computing(); });
  }
  const SweepTable& finished() {
    update();
    finish();
    update();
    REQUIRE(keeper.shown().table);
    return *keeper.shown().table;
  }
  std::vector<Index> shown_counts() {
    std::vector<Index> heads;
    for (const SweepEntry& entry : finished().entries) heads.push_back(entry.heads);
    return heads;
  }
};

}  // namespace

TEST_CASE("sweep keeper: what is little is there after the wait, and asked for once", "[app][sweep]") {
  KeptSweeps k;
  CHECK_FALSE(k.keeper.shown().table);
  CHECK(k.update(10s));
  k.set(set_cell(Quantity::W_Q, 0, 0, 3));
  CHECK(k.update(10s));
  const auto table = k.keeper.shown().table;
  CHECK(table->entries[3].trace->layers[0].input.weights.W_Q->coeff(0, 0) == 3);
  CHECK(k.keeper.shown().progress == 1);
  CHECK_FALSE(k.update(10s));
  CHECK_FALSE(k.computing());
  CHECK(k.keeper.shown().table == table);
}

TEST_CASE("sweep keeper: other counts, another head and another document are new requests", "[app][sweep]") {
  KeptSweeps k;
  CHECK(k.shown_counts() == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  k.counts = {2, 8};
  CHECK(k.shown_counts() == k.counts);
  CHECK(k.finished().entries[1].head == 0);
  k.head = 5;
  CHECK(k.finished().entries[1].head == 5);
  CHECK(k.finished().entries[0].head == 1);
  k.set(SetSentence{"one two"});
  CHECK(k.finished().entries[0].trace->tokens.size() == 2);
}

TEST_CASE("sweep keeper: keys and values are swept beside the head counts", "[app][sweep]") {
  KeptSweeps k;
  k.finished();
  const auto heads = k.keeper.shown().table;
  CHECK_FALSE(k.keeper.shown().sharing);
  const auto share = [&](std::chrono::milliseconds patience) {
    return k.keeper.update({k.document, 0, k.version, k.tokens, {8, 2}, -1, Swept::kv_heads}, patience);
  };
  CHECK(share(10s));
  REQUIRE(k.keeper.shown().sharing);
  const auto& entries = k.keeper.shown().sharing->entries;
  REQUIRE(entries.size() == 3);  // the mean also with its norm kept
  CHECK(entries[1].kv_heads == 2);
  CHECK(entries[1].heads == 8);
  CHECK(entries[2].rescaled);
  CHECK(k.keeper.shown().sharing->largest_change == std::max(entries[1].output_change, entries[2].output_change));
  CHECK(k.keeper.shown().table == heads);
  CHECK_FALSE(share(10s));
  CHECK_FALSE(k.update(10s));  // back to the head counts, which are there
  CHECK(k.keeper.shown().table == heads);
}

TEST_CASE("sweep keeper: going from one sweep to the other and back asks for nothing that is there", "[app][sweep]") {
  KeptSweeps k;
  const auto heads = k.finished().entries;
  const std::vector<Index> sets{8, 2, 1};
  const auto sharing = [&] { return k.keeper.update({k.document, 0, k.version, 12, sets, -1, Swept::kv_heads}, 10s); };
  CHECK(sharing());
  CHECK_FALSE(k.update());
  CHECK_FALSE(k.computing());
  CHECK_FALSE(sharing());
  CHECK_FALSE(k.computing());
  // A request that was replaced before it was done is asked for again.
  k.set(SetSentence{"The cat sat on the mat."});
  k.tokens = 7;
  k.update();
  sharing();
  k.finish();
  k.finished();
  CHECK(k.keeper.shown().table->entries[0].trace->tokens.size() == 7);
  CHECK(k.keeper.shown().sharing->entries[0].trace->tokens.size() == 7);
}

TEST_CASE("sweep keeper: the newest request wins", "[app][sweep]") {
  KeptSweeps k;
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f}) {
    k.set(set_cell(Quantity::W_V, 1, 2, value));
    k.update();
  }
  CHECK((*k.finished().entries[0].trace->layers[0].input.weights.W_V)(1, 2) == 4);
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep keeper: what is left is still there after a little work, and let go after much", "[app][sweep]") {
  KeptSweeps k;
  k.finished();
  const auto little = k.keeper.shown().table;
  k.keeper.leave(k.version);
  CHECK_FALSE(k.update());
  CHECK(k.keeper.shown().table == little);

  k.document.tokens = std::vector<std::string>(160, "word");
  k.tokens = 160;
  k.counts = {1, 8};
  ++k.version;
  const std::weak_ptr<const Trace> much = k.finished().entries[1].trace;
  k.keeper.leave(k.version);
  k.keeper.leave(k.version);
  k.finish();
  CHECK_FALSE(k.keeper.shown().table);
  CHECK(much.expired());
  CHECK(k.shown_counts() == k.counts);
}

TEST_CASE("sweep keeper: what is left goes when the document is another", "[app][sweep]") {
  KeptSweeps k;
  const std::weak_ptr<const Trace> old = k.finished().entries[1].trace;
  k.keeper.leave(k.version);
  k.keeper.leave(k.version);
  CHECK_FALSE(old.expired());
  k.keeper.leave(k.version + 1);
  k.finish();
  CHECK_FALSE(k.keeper.shown().table);
  CHECK(old.expired());
  // What was under way, too.
  k.update();
  k.keeper.leave(k.version + 1);
  k.finish();
  k.keeper.leave(k.version + 1);
  CHECK_FALSE(k.keeper.shown().table);
}

TEST_CASE("sweep keeper: a sweep that was left goes on, and what it gives is there", "[app][sweep]") {
  KeptSweeps k;
  k.update();
  k.keeper.leave(k.version);
  k.finish();
  k.keeper.leave(k.version);
  REQUIRE(k.keeper.shown().table);
  CHECK_FALSE(k.update());
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep keeper: a large sweep that was left ends, and is made when it is wanted again", "[app][sweep]") {
  KeptSweeps k;
  const auto before = k.finished().entries;
  k.document.tokens = std::vector<std::string>(400, "word");
  k.tokens = 400;
  k.counts = {1, 2, 4};
  ++k.version;
  k.update();
  k.keeper.leave(k.version);
  k.finish();
  CHECK_FALSE(k.computing());
  CHECK_FALSE(k.keeper.shown().table);
  CHECK(k.finished().entries[0].trace->tokens.size() == 400);
  CHECK(k.keeper.shown().progress == 1);
}

TEST_CASE("sweep keeper: the largest change, and what is swept when there is none", "[app][sweep]") {
  KeptSweeps k;
  const SweepTable& table = k.finished();
  double largest = 0;
  for (const SweepEntry& entry : table.entries) largest = std::max(largest, entry.output_change);
  CHECK(table.largest_change == largest);
  k.set(SetWeightSource{Init::zero, 1});
  CHECK(k.finished().entries[2].scores_over_heads.median.empty());
  CHECK_FALSE(k.finished().entries[2].pattern_over_heads.median.empty());
  CHECK(k.finished().largest_change == 0);
}

TEST_CASE("sweep keeper: an untrained document is swept over seeds beside what is shown", "[app][sweep]") {
  KeptSweeps k;
  k.document = default_document();
  ++k.version;
  CHECK(k.finished().has_seeds);
  k.finish();
  CHECK(k.update());
  const SweepTable& table = *k.keeper.shown().table;
  CHECK(table.over_seeds.seeds == std::vector<std::uint64_t>{7, 8, 9, 10, 11, 12, 13, 14});
  CHECK(k.keeper.shown().progress == 1);
  const auto kept = k.keeper.shown().table;
  CHECK_FALSE(k.update());
  CHECK_FALSE(k.computing());
  CHECK(k.keeper.shown().table == kept);
  // An edited one is one document.
  k.document = edited_document();
  ++k.version;
  CHECK_FALSE(k.finished().has_seeds);
  CHECK(k.finished().over_seeds.seeds.size() == 1);
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep keeper: seeds make way for another document", "[app][sweep]") {
  KeptSweeps k;
  k.document = hydra::apply(default_document(), SetModelWidth{256});
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    k.set(SetWeightSource{Init::xavier, seed});
    k.counts = usual_head_counts(256);
    k.finished();  // and its seeds are begun with
    CHECK(k.keeper.shown().table->over_seeds.seeds.front() == seed);
  }
  k.keeper.leave(k.version);
  k.finish();
  CHECK_FALSE(k.computing());
}

TEST_CASE("sweep keeper: large work is not waited for, and its progress is seen", "[app][sweep]") {
  KeptSweeps k;
  std::vector<std::string> words;
  for (int t = 0; t < 64; ++t) words.push_back("w" + std::to_string(t));
  k.document.tokens = words;
  k.tokens = 64;
  k.set(SetModelWidth{512});
  k.set(set_cell(Quantity::W_O, 0, 0, 0.125f));  // no seed's
  k.counts = usual_head_counts(512);
  CHECK_FALSE(k.update(60s));
  CHECK(k.computing());
  float last = 0;
  while (k.computing()) {
    k.update();
    CHECK(k.keeper.shown().progress >= last);
    CHECK(k.keeper.shown().progress <= 1);
    last = k.keeper.shown().progress;
    std::this_thread::sleep_for(1ms);
  }
  k.update();
  CHECK(k.keeper.shown().progress == 1);
  CHECK(k.shown_counts() == k.counts);
}
