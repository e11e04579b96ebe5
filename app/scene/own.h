// What parts of the window keep for themselves: each a struct of its own, by its type, made when it is first asked for.
#pragma once
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/type_key.h"

namespace hydra {

class OwnByType {
 protected:
  struct Kept {
    virtual ~Kept() = default;
    bool asked = true;
  };
  template <class Own>
  struct KeptOf final : Kept {
    Own own{};
  };
  template <class Own>
  Own& own() {
    std::unique_ptr<Kept>& kept = kept_[type_key<Own>()];
    if (!kept) kept = std::make_unique<KeptOf<Own>>();
    kept->asked = true;
    return static_cast<KeptOf<Own>&>(*kept).own;
  }
  std::unordered_map<TypeKey, std::unique_ptr<Kept>> kept_;
};

// What is held, typed, unfolded or scrolled to just now: never spelled, compared or replayed.
class Hands : OwnByType {
 public:
  template <class Own>
  Own& of() {
    return own<Own>();
  }

  // Whoever has a gesture under way says so in every layout, and when it has ended it. One that is not drawn any more
  // cannot end its own.
  void hold() { held_ = holds_ = true; }
  void let_go() { held_ = holds_ = false; }
  void begin_layout() { holds_ = false; }
  bool end_layout() { return std::exchange(held_, holds_) && !holds_; }  // true: a gesture was left

 private:
  bool held_ = false, holds_ = false;  // since a layout before; in this one
};

// What views have worked out of the state they show. What no layout of a frame asked for goes: it may hold much.
class Made : OwnByType {
 public:
  template <class Own>
  Own& of() {
    return own<Own>();
  }
  template <class Own>
  bool has() const {
    return kept_.contains(type_key<Own>());
  }
  // After a frame that drew all of a view.
  void end_frame() {
    std::erase_if(kept_, [](auto& entry) { return !std::exchange(entry.second->asked, false); });
  }
  void clear() { kept_.clear(); }
};

}  // namespace hydra
