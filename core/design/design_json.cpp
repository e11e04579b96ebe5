#include "core/design/design_json.h"

#include <algorithm>
#include <concepts>

#include "core/design/design_fields.h"

namespace hydra {

namespace {

constexpr std::size_t kMostTerms = 256;  // of any list here; a head has at most 512 dimensions
constexpr Index kMostWave = 64;

constexpr std::pair<const char*, Carries> kCarries[] = {{"word", Carries::word},
                                                        {"word-to-slot", Carries::word_to_slot},
                                                        {"features", Carries::features},
                                                        {"everything", Carries::everything},
                                                        {"nothing", Carries::nothing}};

std::vector<std::pair<const char*, HeadPreset>> preset_keys() {
  std::vector<std::pair<const char*, HeadPreset>> keys = {{"none", HeadPreset::none}};
  for (const PresetEntry& entry : presets()) keys.emplace_back(entry.key, entry.preset);
  return keys;
}

// --- reading: a field by its type, a number within the range of its name

struct Range {
  float least, most;
};
Range range_of(std::string_view field) {
  if (field == "offset") return {-1024, 1024};
  if (field == "place") return {0, 1024};
  if (field == "sharpness") return {0, kMostSharpness};
  return {-kMostWeight, kMostWeight};
}

const char* list_of(const Ask&) { return "an array of asks"; }
const char* list_of(const Kernel&) { return "an array of kernels"; }
const char* list_of(const Write&) { return "an array of what is read and written"; }
const char* list_of(const FeatureWeight&) { return "an array of features"; }

class DesignReader {
 public:
  explicit DesignReader(const JsonReader& json) : json_(json) {}

  HeadDesign design(const Node& node) const {
    check_keys(node, HeadDesign{});
    return fields(node, preset_design(json_.choice(json_.member(node, "preset"), HeadPreset::none, preset_keys())));
  }

 private:
  template <class S>
  void check_keys(const Node& node, const S& of) const {
    std::vector<std::string_view> keys;
    for_each_field(of, [&](std::string_view name, const auto&) { keys.push_back(name); });
    json_.check_object(node, keys);
  }
  // Those that are there, over those that there were.
  template <class S>
  S fields(const Node& node, S value) const {
    for_each_field(value, [&](std::string_view name, auto& field) {
      if (const Node at = json_.member(node, name)) read(at, name, field);
    });
    return value;
  }

  void read(const Node& node, std::string_view name, float& value) const {
    value = json_.number(*node.json, node.pointer);
    const Range range = range_of(name);
    if (value >= range.least && value <= range.most) return;
    std::string words = "a number from ";
    append_number(words, range.least);
    words += " to ";
    append_number(words, range.most);
    json_.fail_type(node, words);
  }
  void read(const Node& node, std::string_view name, int& value) const {
    value = static_cast<int>(json_.whole_number(node, name == "waves" ? 1 : 0, kMostWave, 0));
  }
  void read(const Node& node, std::string_view name, std::optional<float>& value) const {
    if (node.json->is_null()) return value.reset();
    read(node, name, value.emplace());
  }
  void read(const Node&, std::string_view, HeadPreset&) const {}  // it is what the others begin as
  void read(const Node& node, std::string_view, Carries& value) const { value = json_.choice(node, value, kCarries); }
  template <class T>
  void read(const Node& node, std::string_view, std::vector<T>& list) const {
    const Elements all = json_.elements(node, list_of(T{}));
    if (all.size() > kMostTerms)
      json_.fail(node.pointer,
                 "has " + std::to_string(all.size()) + " entries; a head takes at most " + std::to_string(kMostTerms));
    list.clear();
    for (const Node& element : all) read(element, list.emplace_back());
  }

  template <class T>
  void read(const Node& node, T& value) const {
    check_keys(node, value);
    const auto has = [&](const char* key) { return static_cast<bool>(json_.member(node, key)); };
    if (std::same_as<T, Ask> && (!has("query") || !has("key")))
      json_.fail(node.pointer, "must have a query and a key, each an array of features");
    if (std::same_as<T, Write> && (!has("reads") || !has("writes")))
      json_.fail(node.pointer, "must say what it reads and writes, each an array of features");
    value = fields(node, std::move(value));
  }
  // "noun", or ["noun", 2.5].
  void read(const Node& node, FeatureWeight& term) const {
    Node name = node;
    if (node.json->is_array()) {
      if (node.json->size() != 2) json_.fail_type(node, "a feature, or a feature and its weight");
      const Elements parts = json_.elements(node, "a feature and its weight");
      name = parts[0];
      read(parts[1], "weight", term.weight);
    }
    term.feature = json_.string(name);
    if (Lexicon::standard().feature(term.feature) < 0)
      json_.fail(name.pointer, "names " + printable(term.feature) + ", which is no feature of the lexicon");
  }

  const JsonReader& json_;
};

// --- writing

std::string text_of(float value) {
  std::string text;
  append_number(text, value);
  return text;
}
std::string text_of(std::string_view string) {
  std::string text;
  append_string(text, string);
  return text;
}
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(const std::optional<float>& value) { return value ? text_of(*value) : "null"; }
std::string text_of(HeadPreset preset) { return text_of(word_of(preset, preset_keys())); }
std::string text_of(Carries carries) { return text_of(word_of(carries, kCarries)); }
std::string text_of(const FeatureWeight& term) {
  return term.weight == 1 ? text_of(term.feature) : "[" + text_of(term.feature) + ", " + text_of(term.weight) + "]";
}
// Of the fields of which written(name) is true.
template <class S, class Written>
std::string object_of(const S& value, const Written& written);
std::string text_of(const Kernel& kernel) {
  return object_of(kernel, [](std::string_view) { return true; });
}
template <class T>
requires std::same_as<T, Ask> || std::same_as<T, Write> std::string text_of(const T& value) {
  return object_of(value, [&](std::string_view name) { return name != "strength" || value.strength != 1; });
}
template <class T>
std::string text_of(const std::vector<T>& list) {
  std::string all;
  for (const T& value : list) all += (all.empty() ? "" : ", ") + text_of(value);
  return "[" + all + "]";
}
template <class S, class Written>
std::string object_of(const S& value, const Written& written) {
  std::string text;
  for_each_field(value, [&](std::string_view name, const auto& field) {
    if (written(name)) text += (text.empty() ? "" : ", ") + text_of(name) + ": " + text_of(field);
  });
  return "{" + text + "}";
}

}  // namespace

HeadDesign read_design(const JsonReader& read, const Node& node) {
  return node ? DesignReader(read).design(node) : HeadDesign{};
}

std::string write_design(const HeadDesign& design) {
  std::vector<std::string_view> of_its_own{"preset"};
  for_each_field(design, preset_design(design.preset),
                 [&](std::string_view name, const auto& field, const auto& usual) {
                   if (field != usual) of_its_own.push_back(name);
                 });
  return object_of(design, [&](std::string_view name) { return std::ranges::count(of_its_own, name) > 0; });
}

}  // namespace hydra
