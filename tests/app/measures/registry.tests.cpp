// What is measured in the background: asked for by whoever draws, of the trace that there is, left when nobody asks.
#include "app/measures/registry/registry.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

#include "app/measures/stream/rollout.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/stack.h"
#include "core/measures/known_bounds.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace std::chrono_literals;

namespace {

std::atomic<int> computed = 0, kept_alive = 0;
std::atomic<std::size_t> bytes_of_one = sizeof(int);

// A number for each layer; of the second it fails.
struct Counting : MeasureOfTrace {
  struct Wanted {
    int layer = 0;
    bool operator==(const Wanted&) const = default;
  };
  using Result = int;
  struct Kept {
    Kept() { ++kept_alive; }
    ~Kept() { --kept_alive; }
  };
  static constexpr const char* kFailed = "It could not be counted";
  static constexpr bool kLetsGo = true;
  static double cost(const Moment&, const Wanted&) { return 2 * kStopped; }
  static std::size_t bytes(int) { return bytes_of_one; }
  static bool is_there(const Moment& now, const Wanted& wanted) {
    return wanted.layer < static_cast<int>(now.trace->layers.size());
  }
  static int compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>&) {
    ++computed;
    if (wanted.layer == 1) throw std::runtime_error("the second layer");
    return static_cast<int>(of.trace->tokens.size()) + 100 * wanted.layer;
  }
};

// The number of tokens at once, twice as much when it may.
std::atomic<bool> may_end = false;
struct InParts : MeasureOfTrace {
  struct Wanted {
    bool operator==(const Wanted&) const = default;
  };
  using Result = int;
  using Kept = Nothing;
  static std::size_t bytes(int) { return sizeof(int); }
  static constexpr const char* kFailed = "It could not be counted in parts";
  static bool is_there(const Moment&, const Wanted&) { return true; }
  static int compute(const MeasuredOf& of, const Wanted&, const MeasureTurn<InParts>& turn) {
    const auto tokens = static_cast<int>(of.trace->tokens.size());
    turn.publish(tokens, true);
    while (!may_end) {
      if (turn.stop.stop_requested()) throw Stopped();
      std::this_thread::sleep_for(1ms);
    }
    return 2 * tokens;
  }
};

std::shared_ptr<const Trace> trace_of(const std::string& sentence, int layers = 1) {
  static const Document first = default_document();
  Document document = apply(first, SetSentence{sentence});
  for (int k = 1; k < layers; ++k) document = apply(document, {AddLayer{}, k - 1});
  return evaluate(document);
}

struct Asking {
  Measures measures;
  std::shared_ptr<const Trace> trace = trace_of("one two three");
  Document document;
  MarkedSentences marked;
  std::shared_ptr<KnownBounds> bounds;

  Stamp other;

  Moment now() const { return {trace, document, trace->document, other, marked, bounds}; }

  const Measured<Counting>& get(int layer = 0) { return measures.get<Counting>({layer}); }
  // A frame in which it is asked for or not, to the end of what is measured.
  void frame(std::optional<int> layer) {
    measures.begin_frame();
    measures.settle(now(), 0ms);
    if (layer) get(*layer);
    measures.settle(now(), 0ms);
    measures.finish();
    measures.settle(now(), 0ms);
    measures.end_frame(now());
  }
};

}  // namespace

TEST_CASE("measures: what a frame asks for is measured, and again of another trace before it is drawn",
          "[app][measures]") {
  Asking a;
  const int before = computed;
  CHECK_FALSE(a.get().value);
  a.frame(0);
  REQUIRE(a.get().value);
  CHECK(*a.get().value == 3);
  CHECK(a.get().of == a.trace);
  a.frame(0);
  CHECK(computed == before + 1);  // of the same nothing is measured again
  a.trace = trace_of("one two three four five");
  a.measures.begin_frame();
  bool changed = a.measures.settle(a.now(), 0ms);  // by what the last frame wanted: no layout goes before it
  a.measures.finish();
  changed |= a.measures.settle(a.now(), 0ms);
  CHECK(changed);
  CHECK(*a.get().value == 5);
  CHECK(a.get().of == a.trace);
}

TEST_CASE("measures: what nobody asks for in a whole frame is left, and in half a frame is not", "[app][measures]") {
  Asking a;
  a.frame(0);
  CHECK(kept_alive == 1);
  // A frame that drew no view.
  a.measures.begin_frame();
  a.measures.settle(a.now(), 0ms);
  const int before = computed;
  a.trace = trace_of("one two");
  a.measures.begin_frame();
  a.measures.settle(a.now(), 0ms);
  a.measures.finish();
  a.measures.settle(a.now(), 0ms);
  CHECK(computed == before + 1);
  a.frame(std::nullopt);
  a.frame(std::nullopt);
  a.measures.finish();
  CHECK(kept_alive == 0);
  a.trace = trace_of("one");
  a.frame(std::nullopt);
  CHECK(computed == before + 1);
  CHECK_FALSE(a.get().value);  // it was of another trace
  a.frame(0);
  CHECK(*a.get().value == 1);
}

TEST_CASE("measures: what a trace has not is not asked for, and a failure is told with its sentence",
          "[app][measures]") {
  Asking a;
  a.trace = trace_of("one two three", 3);
  a.frame(2);
  CHECK(*a.get(2).value == 203);
  a.trace = trace_of("one two three four");
  const int before = computed;
  a.frame(2);
  CHECK(computed == before);
  CHECK(a.get(2).of != a.trace);  // a moment older
  CHECK(a.get(2).wanted.layer == 2);
  a.trace = trace_of("one two", 2);
  a.frame(1);
  CHECK(a.get(1).failure.find("the second layer") != std::string::npos);
  std::string told;
  a.measures.each_failure([&](const char* what, const std::string& why, std::string&) { told = what + (": " + why); });
  CHECK(told.find("It could not be counted: ") == 0);
  a.frame(0);
  CHECK(a.get(0).failure.empty());
  CHECK(*a.get(0).value == 2);
}

TEST_CASE("measures: whoever waits for a frame is woken when one is done, whenever it was first asked for",
          "[app][measures]") {
  Asking a;
  std::atomic<int> woken = 0;
  a.measures.on_finished([&] { ++woken; });
  a.frame(0);
  test::wait_until([&] { return woken > 0; });
  a.measures.get<RolloutMeasure>({1, RolloutKind::attention});
  a.measures.settle(a.now(), 0ms);
  a.measures.finish();
  test::wait_until([&] { return woken > 1; });
}

TEST_CASE("measures: what is published is shown before the rest, which nobody waits for, and which gives way",
          "[app][measures]") {
  Asking k;
  may_end = false;
  const auto wait_for = [&](int wanted) {
    k.measures.get<InParts>({});
    k.measures.settle(k.now(), 0ms);
    k.measures.finish();  // but for the rest
    k.measures.settle(k.now(), 0ms);
    const Measured<InParts>& shown = k.measures.get<InParts>({});
    REQUIRE(shown.value);
    CHECK(*shown.value == wanted);
    CHECK(shown.of == k.trace);
    CHECK_FALSE(shown.older);
  };
  wait_for(3);
  CHECK_FALSE(k.measures.computing());
  CHECK(k.measures.get<InParts>({}).computing);
  k.trace = trace_of("one two three four");
  wait_for(4);
  may_end = true;
  k.measures.finish_rest();
  CHECK(k.measures.settle(k.now(), 0ms));
  CHECK(*k.measures.get<InParts>({}).value == 8);
  CHECK_FALSE(k.measures.get<InParts>({}).computing);
  CHECK_FALSE(k.measures.settle(k.now(), 0ms));
}

TEST_CASE("measures: what was published stays when the rest is stopped", "[app][measures]") {
  Asking k;
  may_end = false;
  k.measures.get<InParts>({});
  k.measures.settle(k.now(), 0ms);
  k.measures.finish();
  k.measures.stop<InParts>();  // before it was taken
  k.measures.finish_rest();
  k.measures.settle(k.now(), 0ms);
  REQUIRE(k.measures.get<InParts>({}).value);
  CHECK(*k.measures.get<InParts>({}).value == 3);
}

TEST_CASE("measures: what was measured of the state before the last step is there when it is undone",
          "[app][measures]") {
  Asking a;
  a.frame(0);
  const std::shared_ptr<const Trace> first = a.trace;
  const auto undo = [&](std::shared_ptr<const Trace> back) {
    a.other = a.trace->document;
    a.trace = std::move(back);
  };
  const auto known = [&](const std::shared_ptr<const Trace>& of) {
    return a.measures.known<Counting>({of, a.document, of->document, {}, a.marked, a.bounds}, {0});
  };
  // A drag: what is between is of no state that can be looked at.
  a.other = first->document;
  std::shared_ptr<const Trace> between;
  for (const char* sentence : {"one two", "one", "one two three four"}) {
    between = std::exchange(a.trace, trace_of(sentence));
    a.frame(0);
  }
  CHECK(*a.get().value == 4);
  REQUIRE(known(first));
  CHECK(*known(first) == 3);
  CHECK(*known(a.trace) == 4);
  CHECK_FALSE(known(between));
  const int before = computed;
  const std::shared_ptr<const Trace> last = a.trace;
  undo(trace_of("one two three"));  // evaluated anew
  a.measures.begin_frame();
  CHECK(a.measures.settle(a.now(), 0ms));
  CHECK(*a.get().value == 3);
  CHECK(a.get().of == a.trace);
  CHECK_FALSE(a.get().older);
  CHECK_FALSE(a.get().computing);
  undo(last);
  a.frame(0);
  CHECK(*a.get().value == 4);
  undo(first);
  a.frame(0);
  CHECK(*a.get().value == 3);
  CHECK(computed == before);
  // Another step: the one undone is gone.
  a.other = first->document;
  a.trace = trace_of("one");
  a.frame(0);
  CHECK_FALSE(known(last));
  CHECK(known(first));
  CHECK(computed == before + 1);
}

TEST_CASE("measures: what nobody asks for takes no more than so many bytes", "[app][measures]") {
  Asking a;
  a.trace = trace_of("one two three", 7);
  bytes_of_one = Measures::kMostAsideOfOne;
  for (const int layer : {0, 2, 3, 4, 5, 6, 0, 2}) {
    a.frame(layer);
    CHECK(*a.get(layer).value == 3 + 100 * layer);
    CHECK(a.measures.bytes_aside() <= Measures::kMostAside);
  }
  CHECK(a.measures.bytes_aside() == Measures::kMostAside);
  a.frame(std::nullopt);  // nobody asks at all
  CHECK(a.measures.bytes_aside() <= Measures::kMostAside);
  bytes_of_one = Measures::kMostAsideOfOne + 1;
  const int before = computed;
  a.trace = trace_of("one two three four", 7);
  for (const int layer : {0, 2, 0}) a.frame(layer);
  CHECK(computed == before + 3);  // so much is not kept
  CHECK(a.measures.bytes_aside() == 0);
  a.frame(std::nullopt);
  a.measures.finish();
  CHECK_FALSE(a.get(0).value);
  bytes_of_one = sizeof(int);
}

TEST_CASE("measures: of a trace whose later layers are older nothing is kept for another", "[app][measures]") {
  Asking a;
  auto partly = std::make_shared<Trace>(*trace_of("one two three", 3));
  partly->older_from = 1;
  a.trace = partly;
  a.frame(0);
  const int before = computed;
  a.trace = std::make_shared<Trace>(*partly);
  a.frame(0);
  CHECK(computed == before + 1);
  partly = std::make_shared<Trace>(*partly);
  partly->older_from.reset();
  a.trace = partly;
  a.frame(0);
  CHECK(computed == before + 2);
}

TEST_CASE("measures: what is shown already is not measured again when it is wanted again", "[app][measures]") {
  Asking a;
  const auto settle = [&](int layer) {
    a.get(layer);
    a.measures.settle(a.now(), 0ms);
  };
  a.trace = trace_of("one two three", 3);
  a.frame(0);
  const int before = computed;
  settle(2);  // asked for, and taken back before it is there
  settle(0);
  CHECK_FALSE(a.get(0).older);
  a.measures.finish();
  settle(0);
  CHECK(*a.get(0).value == 3);
  CHECK(computed <= before + 1);
  CHECK_FALSE(a.get(0).computing);
  CHECK_FALSE(a.measures.computing());
}

TEST_CASE("measures: what is done while nobody asks leaves what was measured before it", "[app][measures]") {
  Asking a;
  a.frame(0);
  const std::shared_ptr<const Trace> first = a.trace;
  a.other = first->document;
  a.trace = trace_of("one two");
  a.get(0);
  a.measures.settle(a.now(), 0ms);
  a.measures.begin_frame();
  a.measures.end_frame(a.now());
  a.measures.finish();
  a.measures.begin_frame();
  a.measures.end_frame(a.now());
  const auto known = [&](const std::shared_ptr<const Trace>& of) {
    return a.measures.known<Counting>({of, a.document, of->document, {}, a.marked, a.bounds}, {0});
  };
  REQUIRE(known(a.trace));
  CHECK(*known(a.trace) == 2);
  REQUIRE(known(first));
  CHECK(*known(first) == 3);
}

TEST_CASE("measures: another trace of the same document takes the place of the one that was measured",
          "[app][measures]") {
  Asking a;
  a.frame(0);
  const int before = computed;
  const std::weak_ptr<const Trace> first = a.trace;
  a.trace = std::make_shared<const Trace>(*a.trace);
  a.frame(0);
  CHECK(a.get(0).of == a.trace);
  test::wait_until([&] { return first.expired(); });  // its worker lets go of what it was asked
  CHECK(computed == before);
}

TEST_CASE("measures: what is held is not let go, however much it is", "[app][measures]") {
  Asking a;
  bytes_of_one = 2 * Measures::kMostAside;
  a.frame(0);
  a.measures.begin_frame();
  a.measures.hold<Counting>();
  a.measures.end_frame(a.now());
  CHECK(a.get(0).value);
  bytes_of_one = sizeof(int);
}
