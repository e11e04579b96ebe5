// A fuzz target: one function over bytes. The engine that calls it is libFuzzer, or driver.cpp where there is none;
// both end the process when a law is broken.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hydra::fuzz {

// A law that must hold, in builds with and without assertions.
inline void law(bool holds, const char* sentence, std::string_view detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n%.*s\n", sentence, static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// Choices taken from the input's bytes, so that a changed byte changes one choice; zeros when they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::uint8_t byte() { return left_ == 0 ? 0 : (--left_, *data_++); }
  std::size_t below(std::size_t count) { return (byte() * std::size_t{256} + byte()) % count; }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int k = 0; k < 4; ++k) value = value << 8 | byte();
    return value;
  }
  std::string_view rest() {
    const std::string_view all(reinterpret_cast<const char*>(data_), left_);
    left_ = 0;
    return all;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace hydra::fuzz
