#include "app/scene/choose.h"

#include <stdexcept>

#include "app/scene/actions/apply.h"
#include "app/scene/spelling/view_types.h"
#include "core/error.h"

namespace hydra {

namespace {

using spelling::FieldRow;
using spelling::Type;

// visit(key, type, field) for each field of the value and all that stands in it, outermost first.
template <class Visit>
void walk(const std::string& within, const Type& type, void* value, const Visit& visit) {
  if (!type.fields) return;
  for (const FieldRow& row : type.fields()) {
    const std::string key = within.empty() ? row.name : within + "." + row.name;
    void* const field = static_cast<char*>(value) + row.at;
    visit(key, *row.type, field);
    walk(key, *row.type, field, visit);
  }
}
template <class Visit>
void walk(ViewState& view, const Visit& visit) {
  for (const PartOfView& part : parts_of_view()) walk("", part.type, part.in(view), visit);
}

std::string spelled(const Type& type, const void* value) {
  std::string text;
  type.write(text, value);
  return text;
}

// What is put right where its parts do not go together.
bool only_whole(const Type& type) { return type.key == type_key<learn::HeadsProblem>(); }

// Where they differ, or everywhere.
void differ(const std::string& key, const Type& type, const void* from, const void* to, std::vector<act::Choose>& out,
            bool all = false) {
  std::string text = spelled(type, to);
  if (!all && spelled(type, from) == text) return;
  if (!type.fields || only_whole(type)) return void(out.push_back(act::Choose{key, std::move(text)}));
  for (const FieldRow& row : type.fields())
    differ(key.empty() ? row.name : key + "." + row.name, *row.type, static_cast<const char*>(from) + row.at,
           static_cast<const char*>(to) + row.at, out, all);
}

}  // namespace

std::vector<act::Choose> differences(const ViewState& from, const ViewState& to) {
  std::vector<act::Choose> out;
  const bool all = from.view != to.view || from.layer != to.layer;
  const PartOfView &place = place_of_view(), &choices = choices_of_view();
  differ("", place.type, place.of(from), place.of(to), out, all);
  std::erase_if(out, [](const act::Choose& choose) { return choose.key == "narrow"; });
  differ("", choices.type, choices.of(from), choices.of(to), out);
  return out;
}

act::Choose chosen(const ViewState& view, const void* field, TypeKey type, const void* value) {
  act::Choose choose;
  walk(const_cast<ViewState&>(view), [&](const std::string& key, const Type& found, const void* at) {
    if (at == field && found.key == type) choose = {key, spelled(found, value)};
  });
  if (choose.key.empty()) throw std::logic_error("what is chosen is no field of the view state");
  return choose;
}

void apply(ViewState& view, const act::Choose& choose) {
  const JsonTree tree = parse_json(choose.value, choose.key, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(choose.key, "the value");
  ViewState changed = view;  // what cannot be read leaves all as it is
  bool found = false;
  walk(changed, [&](const std::string& key, const Type& type, void* field) {
    if (key != choose.key || found) return;
    type.read({reader, {&tree.root(), ""}}, field);
    found = true;
  });
  if (!found) throw InputError("There is no choice named " + choose.key + ".");
  view = std::move(changed);
}

}  // namespace hydra
