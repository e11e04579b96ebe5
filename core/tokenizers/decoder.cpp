#include "core/tokenizers/decoder.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/tokenizers/models/model.h"
#include "core/tokenizers/text/byte_letters.h"

namespace hydra {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kMostDecodedBytes = 256u << 20;

void replace_all(std::string& text, std::string_view sought, std::string_view content) {
  std::size_t at = sought.empty() ? std::string::npos : text.find(sought);
  if (at == std::string::npos) return;
  std::string replaced;
  std::size_t done = 0;
  for (; at != std::string::npos; at = text.find(sought, done)) {
    replaced.append(text, done, at - done).append(content);
    done = at + sought.size();
  }
  text = replaced.append(text, done);
}

struct Decoding {
  std::vector<std::string>& tokens;

  void operator()(const LettersToBytes&) const {
    std::string bytes;
    for (const std::string& token : tokens) bytes += bytes_of_letters(token).value_or(token);
    tokens = {with_replacements(bytes)};
  }

  void operator()(const JoinWordPieces& step) const {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      std::string& token = tokens[k];
      if (k > 0) token = token.starts_with(step.mark) ? token.substr(step.mark.size()) : " " + token;
      if (!step.cleanup) continue;
      constexpr std::pair<const char*, const char*> kPairs[] = {
          {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
          {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
      for (const auto& [sought, content] : kPairs) replace_all(token, sought, content);
    }
  }

  void operator()(const MarksToSpaces& step) const {
    for (std::size_t k = 0; k < tokens.size(); ++k)
      replace_all(tokens[k], step.mark, k == 0 && step.without_first ? "" : " ");
  }

  void operator()(const JoinBytes& step) const {
    std::vector<std::string> joined;
    std::string bytes;
    const auto flush = [&] {
      if (is_utf8(bytes)) {
        if (!bytes.empty()) joined.push_back(bytes);
      } else {
        for (std::size_t at = 0; at < bytes.size();) {
          const Character c = decode(bytes, at);
          const bool kept = step.by_character && c.code != Character::kNone;
          joined.emplace_back(kept ? std::string_view(bytes).substr(at, c.end - at) : kReplacement);
          at = kept ? c.end : at + 1;
        }
      }
      bytes.clear();
    };
    for (std::string& token : tokens) {
      const int byte = byte_of_spelling(token);
      if (byte >= 0) {
        bytes += static_cast<char>(byte);
        continue;
      }
      flush();
      joined.push_back(std::move(token));
    }
    flush();
    tokens = std::move(joined);
  }

  void operator()(const Fuse&) const {
    std::string all;
    for (const std::string& token : tokens) all += token;
    tokens = {std::move(all)};
  }

  void operator()(const StripSides& step) const {
    for (std::string& token : tokens) {
      std::size_t begin = 0, end = token.size();
      const std::string_view text = token, content = step.content;
      for (std::size_t k = 0; k < step.start && begin < end && text.substr(begin).starts_with(content); ++k)
        begin += content.size();
      for (std::size_t k = 0; k < step.stop && begin < end && text.substr(begin, end - begin).ends_with(content); ++k)
        end -= content.size();
      token = token.substr(begin, end - begin);
    }
  }

  void operator()(const ReplaceIn& step) const {
    std::size_t bytes = 0, made = 0;
    for (const std::string& token : tokens) bytes += token.size();
    Expression::Run run(step.expression, bytes);
    for (std::string& token : tokens) {
      std::string replaced;
      std::size_t done = 0;
      run.for_each(token, [&](std::size_t begin, std::size_t end) {
        if (begin < done) return;
        made += step.content.size();
        if (made > kMostDecodedBytes) throw InputError("the decoder makes too much of these tokens; give it fewer");
        replaced.append(token, done, begin - done).append(step.content);
        done = end;
      });
      token = replaced.append(token, done);
    }
  }

  void operator()(const StripFirstMark& step) const {
    for (std::string& token : tokens) {
      if (step.mark.empty() || !token.starts_with(step.mark)) return;
      token.erase(0, step.mark.size());
      if (!step.all || !token.empty()) return;
    }
  }

  void operator()(const SuffixToSpace& step) const {
    for (std::size_t k = 0; k < tokens.size(); ++k)
      replace_all(tokens[k], step.suffix, k + 1 == tokens.size() ? "" : " ");
  }
};

}  // namespace

std::string decoded(std::vector<std::string> tokens, const std::vector<Decoder>& steps) {
  for (const Decoder& step : steps) std::visit(Decoding{tokens}, step);
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

std::string with_replacements(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t broken = at + first_broken(bytes.substr(at));
    text += bytes.substr(at, broken - at);
    if (broken == bytes.size()) break;
    text += kReplacement;
    // As many more as could begin a character with it.
    std::size_t end = broken + 1;
    const auto byte = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
    const unsigned lead = byte(broken);
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 1;
    if (length > 2 && byte(end) >= low && byte(end) <= high) {
      ++end;
      if (length > 3 && byte(end) >= 0x80 && byte(end) <= 0xBF) ++end;
    }
    at = end;
  }
  return text;
}

}  // namespace hydra
