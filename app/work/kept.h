// What a worker keeps from one request to the next.
#pragma once
#include <memory>
#include <utility>

namespace hydra {

template <class State>
class Kept {
 public:
  // use(state), which is made of from unless it was kept. A fault may leave it half-made: then it is not kept.
  template <class Use, class... From>
  auto with(const Use& use, const From&... from) {
    const std::shared_ptr<State> state = state_ ? std::exchange(state_, nullptr) : std::make_shared<State>(from...);
    auto result = use(*state);
    state_ = state;
    return result;
  }
  void let_go() { state_.reset(); }

 private:
  std::shared_ptr<State> state_;  // shared: functions that hold it can be copied
};

}  // namespace hydra
