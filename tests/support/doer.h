// What a user does, at random, as actions: in all views, most of it not refused.
#pragma once
#include <initializer_list>
#include <string>

#include "core/linalg/random.h"
#include "tests/support/session.h"

namespace hydra {

// Of documents of width 8.
class Doer {
 public:
  Doer(Session& session, std::uint64_t seed) : s_(session), random_(seed) {}

  // Trade-off opens on fits that take seconds; of one head to two tokens they take none.
  void begin() {
    choose("tradeoff.page", "\"columns\"");
    choose("tradeoff.fit.problem", R"({"tokens":2,"d_model":1,"relations":1})");
  }
  void step() {
    switch (pick(20)) {
      case 0:
        return act(act::GoTo{pick(layers()), std::nullopt});
      case 1:
        return act(act::GoTo{std::nullopt, head()});
      case 2:
        return choose("view", spelled_view(pick(9)));
      case 3:
        return choose("arc_threshold", std::to_string(0.01 * pick(50)));
      case 4:
        return act(act::Do{{SetHeads{Index{1} << pick(4)}, focus()}});
      case 5:
        return act(act::Do{{SetMask{{pick(2) ? Mask::Kind::causal : Mask::Kind::none, nullptr, 0}}, focus()}});
      case 6:
        return act(act::Do{{SetSentence{pick(2) ? "a b c" : "The dog ran home"}}});
      case 7:
        return act(act::Undo{});
      case 8:
        return act(act::Redo{});
      case 9:
        return act(act::Do{{AddLayer{}}});
      case 10:
        return layers() > 1 ? act(act::Do{{RemoveLayer{}, focus()}}) : act(act::Unselect{});
      case 11:
        return pull();
      case 12:
        return act(act::Select{{{Quantity::W_Q, focus(), head()}, pick(8), 0}});
      case 13:
        return act(act::Repel{pick(3)});
      case 14:
        choose("view", "\"tradeoff\"");
        for (int k = pick(3); k >= 0; --k) weigh();
        return;
      case 15:
        return weigh();
      case 16:
        return act(act::GoTo{pick(layers()), 0});
      default:
        return drag();
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_.bits() % static_cast<std::uint64_t>(count)); }
  int layers() const { return static_cast<int>(s_.document().layers.size()); }
  int focus() const { return std::min(s_.view().layer, layers() - 1); }
  const Layer& layer() const { return s_.document().layers[static_cast<std::size_t>(focus())]; }
  int head() { return pick(static_cast<int>(layer().heads)); }
  static std::string spelled_view(int k) {
    static constexpr const char* kViews[] = {"flow",     "heads", "mixing", "stream", "tradeoff",
                                             "likeness", "roles", "design", "learn"};
    return '"' + std::string(kViews[k]) + '"';
  }
  // A page of Trade-off, or a choice of one.
  void weigh() {
    const std::string flag = pick(2) ? "true" : "false", number = std::to_string(pick(5));
    const std::string some = pick(2) ? number : "null";
    switch (pick(15)) {
      case 0:
        return choose("tradeoff.counts",
                      pick(3) ? R"({"width":8,"counts":[1,)" + std::to_string(2 << pick(3)) + "]}" : "null");
      case 1:
        return choose("tradeoff.query", some);
      case 2:
        return choose("tradeoff.patterns_fitted", flag);
      case 3:
        return choose("tradeoff.context_length", std::to_string(1024 << pick(8)));
      case 4:
        return choose("tradeoff.bytes_per_number", std::to_string(1 << pick(3)));
      case 5:
        return choose("tradeoff.published_sorted", some);
      case 6:
        return choose("tradeoff.lengths", pick(2) ? "[16,32]" : "[]");
      case 7:
        return choose("tradeoff.tile_side", pick(2) ? std::to_string(1 + pick(4)) : "null");
      case 8:
        return choose("tradeoff.fit.choice", R"({"from":")" + one_of({"drawn", "painted", "head", "relation"}) +
                                                 R"(","target":")" + one_of({"identity", "previous", "several"}) +
                                                 R"(","masked":)" + flag + "}");
      case 9:
        return choose(pick(2) ? "tradeoff.fit.width" : "tradeoff.fit.heads", number);
      case 10:
        if (pick(8) == 0) return choose("tradeoff.fit.problem.relations", number);  // put right, where it does not go
        return choose("tradeoff.fit.problem", R"({"tokens":3,"relations":1,"d_model":)" + one_of({"1", "2"}) + "}");
      case 11:
        choose("tradeoff.trained.seeds", one_of({"1", "5", "10"}));
        return choose("tradeoff.trained.seed", number);
      case 12:
        choose("tradeoff.trained.rates", one_of({"[0.003]", "[0.01,0.03]"}));
        return choose("tradeoff.trained.rate", one_of({"0", "0.003", "0.01"}));
      default:
        if (pick(3) == 0) choose("tradeoff.part", '"' + one_of({"product", "timing", "tiles"}) + '"');
        return choose(
            "tradeoff.page",
            '"' + one_of({"columns", "cost", "sharing", "published", "computed", "trained", "width", "needed"}) + '"');
    }
  }
  std::string one_of(std::initializer_list<const char*> texts) {
    return texts.begin()[pick(static_cast<int>(texts.size()))];
  }
  void choose(const std::string& key, const std::string& value) { act(act::Choose{key, value}); }
  void act(Action action) {
    s_.app.act(std::move(action));
    s_.ui.frames(1);
    test::wait_until([&] { return !s_.app.is_acting(); }, [&] { s_.ui.frames(1); });
  }
  void end_gesture() {
    if (pick(4) == 0)
      act(act::TakeBack{});
    else if (pick(4) == 0)
      act(act::Undo{});
    else
      act(act::Keep{});
  }
  void drag() {
    const int row = pick(8), col = pick(8);
    for (int k = pick(4); k >= 0; --k) {
      Mat<float> value(1, 1);
      value(0, 0) = 0.1f * static_cast<float>(pick(40) - 20);
      act(act::Try{{SetBlock{Quantity::W_K, row, col, share(std::move(value))}, focus()}});
      if (pick(6) == 0) act(act::Choose{"average", pick(2) ? "true" : "false"});
    }
    if (pick(5) > 0) end_gesture();
  }
  void pull() {
    for (int k = pick(3); k >= 0; --k) act(act::Collapse{0.01f * static_cast<float>(pick(100))});
    if (pick(5) > 0) end_gesture();
  }

  Session& s_;
  Random random_;
};

}  // namespace hydra
