#include "core/document/opening_changes.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/document/file.h"
#include "core/document/opening.h"
#include "core/error.h"

namespace hydra {

namespace {

using Patched = nlohmann::json;

constexpr std::size_t kMostChanges = 20000;

const Patched& opening() {
  static const Patched document = Patched::parse(document_text(opening_document()));
  return document;
}

// No other operation is written, and those that copy could make any number of bytes of few.
bool is_plain_change(const Patched& change) {
  if (!change.is_object() || !change.contains("op")) return false;
  const Patched& operation = change["op"];
  return operation == "add" || operation == "remove" || operation == "replace";
}

[[noreturn]] void fail_as_damaged() {
  throw InputError("is damaged: what it changes of the opening document cannot be read; copy it anew, whole");
}

}  // namespace

const std::string& opening_stamp() {
  static const std::string stamp = [] {
    const std::string text = opening().dump();
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08lx",
                  crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
    return std::string(digits);
  }();
  return stamp;
}

std::string opening_changes(std::string_view document_text) {
  return Patched::diff(opening(), Patched::parse(document_text)).dump();
}

std::string with_opening_changes(std::string_view patch, std::string_view stamp) {
  if (stamp != opening_stamp())
    throw InputError(
        "changes the opening document of another version of Hydrascope, which this one does not have; ask for the "
        "document's file");
  const Patched changes = Patched::parse(patch, nullptr, false);
  if (!changes.is_array() || changes.size() > kMostChanges || !std::ranges::all_of(changes, is_plain_change))
    fail_as_damaged();
  try {
    return opening().patch(changes).dump();
  } catch (const Patched::exception&) {
    fail_as_damaged();
  }
}

}  // namespace hydra
