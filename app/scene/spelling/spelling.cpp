#include "app/scene/spelling/spelling.h"

#include <algorithm>

namespace hydra::spelling {

void write_fields(std::string& out, const void* value, const std::vector<FieldRow>& fields) {
  char before = '{';
  for (const FieldRow& field : fields) {
    out += before, before = ',';
    append_string(out, field.name);
    out += ':';
    field.type->write(out, static_cast<const char*>(value) + field.at);
  }
  out += '}';
}

void read_fields(const Reading& from, void* value, const std::vector<FieldRow>& fields) {
  if (!from.node.json->is_object()) from.json.fail_type(from.node, "an object");
  std::vector<std::string_view> keys;
  for (const FieldRow& field : fields) keys.push_back(field.name);
  from.json.check_object(from.node, keys);
  for (const FieldRow& field : fields)
    if (const Node member = from.json.member(from.node, field.name))
      field.type->read({from.json, member}, static_cast<char*>(value) + field.at);
}

void write_kind(std::string& out, const KindRow& kind, const void* value) {
  const std::size_t begin = out.size();
  out += '{', append_string(out, kind.name), out += ':';
  try {
    kind.type->write(out, value);
  } catch (...) {
    out.resize(begin);
    throw;
  }
  out += '}';
}

void read_kind(const Reading& from, void* variant, std::span<const KindRow> kinds) {
  const JsonReader& json = from.json;
  const Node& node = from.node;
  if (!node.json->is_object() || node.json->size() != 1) json.fail_type(node, "an object with one kind");
  const auto member = node.json->begin();
  const Node inner{&*member, pointer_to(node.pointer, member.key())};
  const auto kind = std::ranges::find(kinds, member.key(), &KindRow::name);
  if (kind == kinds.end()) json.fail(inner.pointer, "is no kind that there is here");
  kind->type->read({json, inner}, kind->emplace(variant));
}

namespace {

// "\"a\" or \"b\"": all of a short table; of a long one, so that the sentence is one, the four that begin most alike.
std::string names_wanted(std::string_view name, std::span<const std::string_view> names) {
  constexpr std::size_t kAll = 20, kSome = 4;
  std::vector<std::string_view> said(names.begin(), names.end());
  const bool cut = names.size() > kAll;
  if (cut) {
    const auto alike = [name](std::string_view one) { return std::ranges::mismatch(name, one).in1 - name.begin(); };
    std::ranges::stable_sort(said, std::ranges::greater(), alike);
    said.resize(kSome);
  }
  std::string wanted = cut ? "one of " + std::to_string(names.size()) + " names, such as " : std::string();
  for (std::size_t k = 0; k < said.size(); ++k)
    wanted += (k > 0 ? " or \"" : "\"") + std::string(said[k]) + "\"";
  return wanted;
}

}  // namespace

std::size_t read_name(const Reading& from, std::span<const std::string_view> names) {
  const std::string_view name = from.node.json->is_string() ? from.node.json->text() : std::string_view();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  from.json.fail_type(from.node, names_wanted(name, names));
}

}  // namespace hydra::spelling
