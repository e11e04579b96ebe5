#include "core/io/shipped_changes.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/opening.h"

namespace hydra {

namespace {

using Patched = nlohmann::json;

constexpr std::size_t kMostChanges = 20000;
constexpr int kDeepest = 32;                  // values within values, of which a document has fewer
constexpr std::size_t kMostMoved = 1u << 30;  // bytes that elements which come and go may move in their arrays

struct Base {
  std::string text;
  Patched document;
  std::string stamp;
};

std::string stamp_of(const Patched& document) {
  const std::string text = document.dump();
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08lx",
                crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
  return digits;
}

Base make_base(const Document& document) {
  Base base{document_text(document), {}, {}};
  base.document = Patched::parse(base.text);
  base.stamp = stamp_of(base.document);
  return base;
}

// Of an example that is at hand, or "", the opening document; made once.
const Base& base_of(const std::string& file) {
  static std::mutex mutex;
  static std::map<std::string, Base> made;
  const std::lock_guard lock(mutex);
  const auto found = made.find(file);
  if (found != made.end()) return found->second;
  const Document document = file.empty() ? opening_document() : parse_document(example_text(file), file);
  return made.emplace(file, make_base(document)).first->second;
}

std::string name_of(const std::string& file) { return (file.empty() ? "" : file + "-") + base_of(file).stamp; }

// Whether most pieces of the base stand in the text, too: what differs in all its numbers has changes as long as
// itself.
bool has_most_of(std::string_view text, std::string_view base) {
  constexpr std::size_t kPieces = 32, kLength = 24;
  if (base.size() < kPieces * kLength) return true;
  std::size_t found = 0;
  for (std::size_t k = 0; k < kPieces; ++k)
    found += text.find(base.substr(k * (base.size() - kLength) / kPieces, kLength)) != text.npos;
  return 2 * found > kPieces;
}

std::string stamp_in(std::string_view base) {
  const std::size_t dash = base.rfind('-');
  return std::string(dash == base.npos ? base : base.substr(dash + 1));
}

// No other operation is written, and those that copy could make any number of bytes of few.
bool is_plain_change(const Patched& change) {
  if (!change.is_object() || !change.contains("op")) return false;
  const Patched& operation = change["op"];
  return operation == "add" || operation == "remove" || operation == "replace";
}

// Before anything is parsed, which would go as deep.
bool is_shallow(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < json.size() && depth <= kDeepest; ++k) {
    if (json[k] == '"') quoted = !quoted;
    if (quoted) {
      k += json[k] == '\\';
      continue;
    }
    depth += json[k] == '[' || json[k] == '{';
    depth -= json[k] == ']' || json[k] == '}';
  }
  return depth <= kDeepest;
}

std::string told(const std::string& file) { return file.empty() ? "the opening document" : "the example " + file; }

[[noreturn]] void fail_as_damaged(const std::string& file) {
  throw InputError("is damaged: what it changes of " + told(file) + " cannot be read; copy it anew, whole");
}

}  // namespace

std::string example_of(std::string_view base) {
  const std::size_t dash = base.rfind('-');
  return std::string(base.substr(0, dash == base.npos ? 0 : dash));
}

std::vector<std::string> bases_like(const Document& document, std::string_view text) {
  std::vector<std::string> all;
  const std::string width = "\"d_model\": " + std::to_string(document.d_model) + ",";
  const auto add = [&](const std::string& file) {
    if (has_most_of(text, base_of(file).text)) all.push_back(name_of(file));
  };
  add("");
  for (const ExampleGroup& group : examples())
    for (const Example& example : group.examples)
      if (const std::string_view there = example_text(example.file);
          there.size() > kMostLinkLength && there.find(width) != there.npos)
        add(example.file);
  return all;
}

std::string changes_of(std::string_view base, std::string_view document_text) {
  return Patched::diff(base_of(example_of(base)).document, Patched::parse(document_text)).dump();
}

std::string with_changes(std::string_view patch, std::string_view of) {
  const std::string file = example_of(of);
  if (!file.empty() && !find_example(file))
    throw InputError("changes " + printable(file, 60) +
                     ", which is no example of this version of Hydrascope; ask for the document's file");
  if (!file.empty() && example_text(file).empty())
    throw InputError("changes the example " + file + ", which is not here; open that example first, then the link");
  const Base& base = base_of(file);
  if (stamp_in(of) != base.stamp)
    throw InputError("changes " + told(file) +
                     " of another version of Hydrascope, which this one does not have; ask for the document's file");
  if (!is_shallow(patch)) fail_as_damaged(file);
  const Patched changes = Patched::parse(patch, nullptr, false);
  if (!changes.is_array() || changes.size() > kMostChanges || !std::ranges::all_of(changes, is_plain_change))
    fail_as_damaged(file);
  const auto moves = std::ranges::count_if(changes, [](const Patched& change) { return change["op"] != "replace"; });
  if (static_cast<std::size_t>(moves) * (base.text.size() + patch.size()) > kMostMoved) fail_as_damaged(file);
  try {
    return base.document.patch(changes).dump();
  } catch (const Patched::exception&) {
    fail_as_damaged(file);
  }
}

}  // namespace hydra
