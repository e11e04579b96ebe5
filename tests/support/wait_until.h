// For what is done in the background of a test's thread.
#pragma once
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

namespace hydra::test {

// Looks each millisecond until it is so, with what is to be done between two looks; in vain for two minutes, the test
// fails.
template <class IsSo, class Between>
void wait_until(const IsSo& is_so, const Between& between) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) FAIL("waited in vain for two minutes");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    between();
  }
}
template <class IsSo>
void wait_until(const IsSo& is_so) {
  wait_until(is_so, [] {});
}

}  // namespace hydra::test
