// The sets of heads that an answer needs, against trying every set by gates.
#include "core/analysis/answer/head_sets.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/linalg/random.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

// A stack that reads out words, of so many heads in each layer.
Document stack(std::uint64_t seed, std::vector<Index> heads) {
  Document document = hydra::apply(default_document(), SetSentence{"the cat saw a dog"});
  document = hydra::apply(document, SetModelWidth{12});
  for (std::size_t k = 1; k < heads.size(); ++k)
    document = hydra::apply(document, {AddLayer{}, static_cast<int>(k) - 1});
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const auto layer = static_cast<int>(k);
    document = hydra::apply(document, {SetHeads{heads[k]}, layer});
    document = hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, layer});
    document = hydra::apply(document, {SetWeightSource{Init::xavier, seed + 17 * k}, layer});
  }
  document = hydra::apply(document, SetModelSetting{ModelSetting::readout, 2});
  return hydra::apply(document, SetReadoutSource{Init::xavier, seed});
}

// The margin with these heads' gates at 0.
double margin(const Document& document, const AskedAnswer& asked, std::uint32_t silent) {
  Document changed = document;
  for (Layer& layer : changed.layers) {
    layer.gates.assign(static_cast<std::size_t>(layer.heads), 1);
    for (float& gate : layer.gates) gate = (silent & 1u) != 0 ? 0.0f : 1.0f, silent >>= 1;
  }
  const auto trace = evaluate(changed);
  const Array<float> logits = trace->model.of_question(trace->model.logits, asked.question);
  double others = -1e30;
  for (Index word = 0; word < logits->cols(); ++word)
    if (word != asked.answer) others = std::max(others, static_cast<double>((*logits)(asked.token, word)));
  return static_cast<double>((*logits)(asked.token, asked.answer)) - others;
}

std::uint32_t mask_of(const HeadSet& set) {
  std::uint32_t mask = 0;
  for (const std::size_t head : set.heads) mask |= 1u << head;
  return mask;
}

struct BySize {
  int size = -1;      // none: -1
  double margin = 0;  // of that size the least, or the largest
};

}  // namespace

TEST_CASE("head sets: the smallest ones, as trying every set by gates finds them", "[core][answer]") {
  int alone = 0, together = 0, none = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const std::vector<std::vector<Index>> shapes{{4}, {2, 3}, {1, 2, 3}, {6}};
    const Document document = stack(static_cast<std::uint64_t>(seed) + 1, shapes[static_cast<std::size_t>(seed % 4)]);
    CAPTURE(seed);
    const auto trace = evaluate(document);
    const AskedAnswer asked = asked_of(trace->model, seed % 5, 0);
    ThreadPool pool(2);
    const std::optional<HeadSets> sets = head_sets(*trace, asked, seed % 2 ? &pool : nullptr);
    REQUIRE(sets);
    CHECK(sets->exact);
    int heads = 0;
    for (const Layer& layer : document.layers) heads += static_cast<int>(layer.heads);
    BySize needed, enough;
    for (std::uint32_t silent = 0; silent < 1u << heads; ++silent) {
      const double left = margin(document, asked, silent);
      const int size = std::popcount(silent), kept = heads - size;
      if (left <= 0 && (needed.size < 0 || size < needed.size || (size == needed.size && left < needed.margin)))
        needed = {size, left};
      if (left > 0 && (enough.size < 0 || kept < enough.size || (kept == enough.size && left > enough.margin)))
        enough = {kept, left};
    }
    REQUIRE(sets->needed.has_value() == (needed.size >= 0));
    REQUIRE(sets->enough);
    CHECK(static_cast<int>(sets->enough->heads.size()) == enough.size);
    CHECK(sets->enough->margin == Approx(enough.margin).margin(1e-6));
    const std::uint32_t all = (1u << heads) - 1;
    CHECK(margin(document, asked, all ^ mask_of(*sets->enough)) == Approx(enough.margin).margin(1e-6));
    CHECK(sets->enough->likeliest == asked.answer);
    if (!sets->needed) {
      ++none;
      continue;
    }
    CHECK(static_cast<int>(sets->needed->heads.size()) == needed.size);
    CHECK(sets->needed->margin == Approx(needed.margin).margin(1e-6));
    CHECK(margin(document, asked, mask_of(*sets->needed)) == Approx(needed.margin).margin(1e-6));
    CHECK(sets->needed->likeliest != asked.answer);
    ++(needed.size == 1 ? alone : together);
  }
  CHECK(alone > 5);  // each kind was there
  CHECK(together > 5);
  CHECK(none > 0);
}

TEST_CASE("head sets: of many heads they are found head by head, and none of theirs can be left out",
          "[core][answer]") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Document document = stack(seed, {6, 6, 6});
    const auto trace = evaluate(document);
    const AskedAnswer asked = asked_of(trace->model, 4, 0);
    ThreadPool pool(2);
    const std::optional<HeadSets> sets = head_sets(*trace, asked, &pool);
    REQUIRE(sets);
    CHECK_FALSE(sets->exact);
    REQUIRE(sets->enough);
    const std::uint32_t all = (1u << 18) - 1, kept = mask_of(*sets->enough);
    CHECK(margin(document, asked, all ^ kept) > 0);
    for (const std::size_t head : sets->enough->heads) CHECK(margin(document, asked, all ^ kept ^ (1u << head)) <= 0);
    if (!sets->needed) continue;
    const std::uint32_t silent = mask_of(*sets->needed);
    CHECK(margin(document, asked, silent) <= 0);
    if (sets->needed->heads.size() > 1)
      for (const std::size_t head : sets->needed->heads) CHECK(margin(document, asked, silent ^ (1u << head)) > 0);
    ++found;
  }
  CHECK(found > 0);
}

TEST_CASE("head sets: of an answer that is not the likeliest word there are none", "[core][answer]") {
  const auto trace = evaluate(stack(3, {4}));
  const AskedAnswer likeliest = asked_of(trace->model, 2, 0);
  CHECK_FALSE(head_sets(*trace, asked_of(trace->model, 2, 0, likeliest.rival)));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(head_sets(*trace, likeliest, nullptr, {stop.get_token()}), Stopped);
}
