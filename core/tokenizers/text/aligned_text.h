// A text that was changed on its way, and which bytes of the first text each of its bytes stands for.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

struct Span {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

class AlignedText {
 public:
  // Appending beyond `most` bytes throws InputError: a step that makes text of little must not make it of nothing.
  explicit AlignedText(std::size_t most) : most_(most) {}

  std::string_view text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  std::size_t most() const { return most_; }

  void append_first(std::string_view text, std::uint32_t begin);  // bytes of the first text, from there on
  void append(std::string_view text, Span from);                  // each byte stands for all of from
  void append(const AlignedText& other, std::size_t begin, std::size_t end);
  void cut(std::size_t size);  // to its first bytes

  // What bytes [begin, end) stand for. Of none it is the place between their neighbours.
  Span span(std::size_t begin, std::size_t end) const;

 private:
  void check(std::size_t more) const;

  std::size_t most_;
  std::string text_;
  std::vector<Span> from_;  // by byte; both ends never decrease
};

// A part of such a text: what a model makes tokens of, or an added token.
struct Part {
  static constexpr std::uint32_t kNoToken = 0xFFFFFFFF;
  std::uint32_t begin = 0, end = 0;
  std::uint32_t token = kNoToken;
  bool is_token() const { return token != kNoToken; }
};

struct CutText {
  AlignedText text;
  std::vector<Part> parts;  // in order, apart
};

}  // namespace hydra
