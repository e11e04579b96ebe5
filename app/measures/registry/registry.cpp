#include "app/measures/registry/registry.h"

#include <algorithm>

namespace hydra {

bool Measures::settle(const Moment& now, std::chrono::milliseconds patience) {
  bool changed = false;
  for (auto& [type, slot] : slots_)
    if (slot->asked || slot->kept || slot->started) changed |= slot->settle(now, patience);
  return changed;
}

void Measures::begin_frame() {
  for (auto& [type, slot] : slots_) slot->asked = slot->held = false;
}

void Measures::end_frame(const Moment& now) {
  for (auto& [type, slot] : slots_) {
    slot->kept = slot->asked;
    if (!slot->asked && !slot->held) slot->leave(now);
  }
  while (bytes_aside() > kMostAside)
    std::ranges::max_element(slots_, {}, [](const auto& entry) {
      return entry.second->bytes_aside();
    })->second->drop_oldest();
}

std::size_t Measures::bytes_aside() const {
  std::size_t bytes = 0;
  for (const auto& [type, slot] : slots_) bytes += slot->bytes_aside();
  return bytes;
}

void Measures::finish() {
  for (auto& [type, slot] : slots_) slot->finish();
}

void Measures::finish_rest() {
  for (auto& [type, slot] : slots_) slot->background().finish();
}

bool Measures::computing() const {
  return std::ranges::any_of(slots_, [](const auto& entry) { return entry.second->computing(); });
}

void Measures::on_finished(std::function<void()> wake) {
  wake_ = std::move(wake);
  for (auto& [type, slot] : slots_) slot->background().on_finished(wake_);
}

}  // namespace hydra
