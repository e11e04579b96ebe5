#include "core/checkpoints/digest.h"

#include <sha256.h>

#include <array>

namespace hydra {

namespace {

constexpr std::size_t kMostWhole = std::size_t{64} << 20, kEnd = 4096;

class Digest {
 public:
  Digest() { SHA256_Init(&context_); }
  void add(std::string_view bytes) {
    SHA256_Update(&context_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::string text() {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> bytes;
    SHA256_Final(bytes.data(), &context_);
    std::string text;
    for (const std::uint8_t byte : bytes) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    return text;
  }

 private:
  SHA256_CTX context_;
};

}  // namespace

std::string digest_of(const TensorFile& file) {
  Digest digest;
  std::size_t bytes = 0;
  for (const Tensor& tensor : file.tensors) {
    digest.add(tensor.name + " " + std::string(name_of(tensor.type)) + " " + in_words(tensor.shape) + "\n");
    bytes += tensor.bytes.size();
  }
  for (const Tensor& tensor : file.tensors) {
    const std::string_view numbers = text_of(tensor.bytes);
    if (bytes <= kMostWhole || numbers.size() <= 2 * kEnd) {
      digest.add(numbers);
    } else {
      digest.add(numbers.substr(0, kEnd));
      digest.add(numbers.substr(numbers.size() - kEnd));
    }
  }
  return digest.text();
}

}  // namespace hydra
