#include "app/cli/picture_size.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "core/error.h"

namespace hydra {

namespace {

constexpr int kLeastSide = 64, kMostSide = 8192;

std::optional<int> side(std::string_view text) {
  int pixels = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pixels);
  const bool fits = error == std::errc() && end == text.data() + text.size();
  return fits && pixels >= kLeastSide && pixels <= kMostSide ? std::optional(pixels) : std::nullopt;
}

}  // namespace

std::pair<int, int> picture_size(const std::string& text) {
  const std::string_view all = text;
  const std::size_t between = all.find('x');
  const auto width = side(all.substr(0, between));
  const auto height = between == std::string_view::npos ? std::nullopt : side(all.substr(between + 1));
  if (width && height) return {*width, *height};
  throw InputError("--size: \"" + text + "\" is not a size; give width x height such as 1600x1000, each side " +
                   std::to_string(kLeastSide) + " to " + std::to_string(kMostSide) + " pixels");
}

}  // namespace hydra
