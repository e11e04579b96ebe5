#include "core/io/link.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <new>

#include "core/document/limits.h"
#include "core/document/models.h"
#include "core/error.h"
#include "core/files/base64.h"
#include "core/files/printable.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/shipped_changes.h"
#include "core/weights/weights.h"

namespace hydra {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr Index kMostGiven = Index{1} << 18;
constexpr std::size_t kMostInflated = 8u << 20;  // bytes; a link of few characters could become any number

[[noreturn]] void fail(const std::string& what) { throw InputError("the link " + what); }

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// JSON without the blanks between its values.
std::string compact(std::string_view json) {
  std::string text;
  bool quoted = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (!quoted && is_blank(c)) continue;
    text += c;
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\' && k + 1 < json.size()) text += json[++k];
  }
  return text;
}

// Weights that stand in the document number by number. They hardly get shorter, so of more than kMostGiven it need not
// be tried, which would keep a window waiting.
Index numbers_given(const Document& document) {
  Index count = 0;
  for_each_model(document, [&](const Model& model) {
    for (const Layer& layer : model.layers)
      for (const Quantity weight : kWeights)
        if (const Array<float>& values = *field_of(layer.weights, weight); layer.source.by_number() && values)
          count += values.size();
  });
  return count;
}

[[noreturn]] void fail_as_long(const std::string& characters) {
  fail("to this document would have " + characters + " characters, and of more than " +
       std::to_string(kMostLinkLength) +
       " mail and chat programs lose the end; save it (Ctrl S) and give its file instead");
}

// --- base64url

std::string decoded(std::string_view text) {
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::size_t digit = kDigits.find(text[k]);
    if (digit == std::string_view::npos)
      fail("has \"" + printable(text.substr(k, 1)) + "\" as character " + std::to_string(k + 1) +
           " of its document, which no link has; copy it anew, whole");
    group = group << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  return bytes;
}

// --- zlib

std::string deflated(std::string_view text) {
  auto size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9);
  if (result != Z_OK) throw std::bad_alloc();  // all that can be wrong
  bytes.resize(size);
  return bytes;
}

class Inflating {
 public:
  explicit Inflating(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // it only reads
    stream_.avail_in = static_cast<uInt>(bytes.size());
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~Inflating() { inflateEnd(&stream_); }
  Inflating(const Inflating&) = delete;
  Inflating& operator=(const Inflating&) = delete;

  std::string text() {
    std::string text;
    std::array<char, 1 << 14> piece;
    for (int result = Z_OK; result != Z_STREAM_END;) {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = piece.size();
      result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_BUF_ERROR) fail("is cut: it ends in the middle of its document; copy it anew, whole");
      if (result != Z_OK && result != Z_STREAM_END) fail_as_damaged();
      text.append(piece.data(), piece.size() - stream_.avail_out);
      if (text.size() > kMostInflated)
        fail("holds more than " + std::to_string(kMostInflated >> 20) + " MiB, which no document in a link does");
    }
    if (stream_.avail_in > 0) fail_as_damaged();
    return text;
  }

 private:
  [[noreturn]] static void fail_as_damaged() {
    fail("is damaged: its document is not what was written; copy it anew, whole");
  }
  z_stream stream_{};
};

// --- what is pasted

int hexadecimal(char c) {
  int value = -1;
  std::from_chars(&c, &c + 1, value, 16);
  return value;
}

// Without blanks, with escapes undone, and without what a sentence has put around it.
std::string cleaned(std::string_view pasted) {
  std::string text;
  for (std::size_t k = 0; k < pasted.size(); ++k) {
    if (is_blank(pasted[k])) continue;
    const bool escape = pasted[k] == '%' && k + 2 < pasted.size();
    const int high = escape ? hexadecimal(pasted[k + 1]) : -1, low = escape ? hexadecimal(pasted[k + 2]) : -1;
    if (high >= 0 && low >= 0) k += 2;
    text += high >= 0 && low >= 0 ? static_cast<char>(16 * high + low) : pasted[k];
  }
  while (!text.empty() && std::string_view(".,;:!?)>]\"'").find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

}  // namespace

std::string link_text(const Document& document, const LinkPlace& place, std::string_view address) {
  for_each_model(document, [](const Model& model) {
    if (model.file)
      fail(
          "to this document would name a file of this machine; save it (Ctrl S), and give its file and that of the "
          "model instead");
  });
  if (numbers_given(document) > kMostGiven) fail_as_long("far more than " + std::to_string(kMostLinkLength));
  if (numbers_asked(document) > kMostLinkNumbers)
    fail("would ask for more than " + std::to_string(kMostLinkNumbers >> 20) +
         " million numbers, its model's and its patterns', and no link may; give its file instead");
  const std::string whole = document_text(document), text = compact(whole);
  if (text.size() > kMostInflated) fail_as_long("far more than " + std::to_string(kMostLinkLength));
  std::string where;
  if (!place.view.empty()) where += "&view=" + place.view;
  if (!place.page.empty()) where += "&page=" + place.page;
  if (place.layer) where += "&layer=" + std::to_string(*place.layer);
  if (place.head) where += "&head=" + std::to_string(*place.head);
  const auto link_of = [&](std::string_view json, const std::string& rest) {
    return std::string(address.substr(0, address.find('#'))) + "#d=" + base64url(deflated(json)) + rest + where;
  };
  const std::string link = link_of(text, "");
  if (link.size() <= kMostLinkLength) return link;
  std::string shortest = link;
  for (const std::string& base : bases_like(document, whole)) {
    std::string changes = link_of(changes_of(base, text), "&of=" + base);
    if (changes.size() < shortest.size()) shortest = std::move(changes);
  }
  if (shortest.size() > kMostLinkLength) fail_as_long(std::to_string(link.size()));
  return shortest;
}

bool is_link(std::string_view text) {
  std::string start(text.substr(0, kMostLinkRead));
  std::transform(start.begin(), start.end(), start.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string key : {"d", "url"}) {
    if (start.starts_with(key + "=")) return true;
    for (const char* hash : {"#", "%23"})
      for (const char* equals : {"=", "%3d"})
        if (start.find(hash + key + equals) != std::string::npos) return true;
  }
  return false;
}

namespace {

struct Parts {
  std::string data;
  std::optional<std::string> of;  // what it changes
  LinkPlace place;
};

// The members of what stands behind #, which has several from & to &.
Parts parts_of(std::string_view pasted) {
  if (pasted.size() > kMostLinkRead)
    fail("has " + std::to_string(pasted.size()) + " characters, more than any; open the document's file instead");
  const std::string text = cleaned(pasted);
  Parts parts;
  std::optional<std::string_view> data, file;
  const std::string_view whole = text;
  const std::size_t hash = whole.find('#');
  for (std::size_t at = hash == std::string_view::npos ? 0 : hash + 1; at < whole.size();) {
    const std::size_t end = std::min(whole.find('&', at), whole.size());
    const std::string_view part = whole.substr(at, end - at);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals), value = part.substr(std::min(equals + 1, part.size()));
    if (key == "d") data = value;
    if (key == "url") file = value;
    if (key == "of") parts.of = value;
    if (key == "view") parts.place.view = value;
    if (key == "page") parts.place.page = value;
    if (key == "layer") parts.place.layer = number_of(value);
    if (key == "head") parts.place.head = number_of(value);
    at = end + 1;
  }
  if (!data && file)
    fail("holds no document, it names a file beside a page, " + printable(*file, 200) + "; open that file instead");
  if (!data) fail("has no document: one stands behind #d=; copy the link anew, whole");
  if (data->empty()) fail("is cut: nothing stands behind #d=; copy it anew, whole");
  parts.data = *data;
  return parts;
}

std::string inflated(const Parts& parts) {
  const std::string bytes = decoded(parts.data);
  std::string text = Inflating(bytes).text();
  if (!parts.of) return text;
  try {
    return with_changes(text, *parts.of);
  } catch (const InputError& fault) {
    fail(fault.what());
  }
}

}  // namespace

Link parse_link(std::string_view text) {
  Parts parts = parts_of(text);
  return {parse_document(inflated(parts), "the link", {}, kMostLinkNumbers), std::move(parts.place)};
}

std::string linked_text(std::string_view text) { return inflated(parts_of(text)); }

std::string example_wanted(std::string_view text) {
  const Parts parts = parts_of(text);
  std::string example = parts.of ? example_of(*parts.of) : "";
  return find_example(example) && example_text(example).empty() ? example : "";
}

}  // namespace hydra
