#include "core/files/base64.h"

#include <algorithm>

namespace hydra {

namespace {

std::string encoded(std::string_view bytes, std::string_view digits) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i <= count; ++i) text += digits[group >> (18 - 6 * i) & 63];
  }
  return text;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text = encoded(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

std::string base64url(std::string_view bytes) {
  return encoded(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

}  // namespace hydra
