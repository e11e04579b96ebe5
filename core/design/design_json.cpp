#include "core/design/design_json.h"

#include <cmath>

namespace hydra {

namespace {

constexpr std::size_t kMostTerms = 256;  // of any list here; a head has at most 512 dimensions
constexpr Index kMostWave = 64;

const std::vector<std::pair<const char*, Carries>> kCarries = {{"word", Carries::word},
                                                               {"word-to-slot", Carries::word_to_slot},
                                                               {"features", Carries::features},
                                                               {"everything", Carries::everything},
                                                               {"nothing", Carries::nothing}};

std::vector<std::pair<const char*, HeadPreset>> preset_keys() {
  std::vector<std::pair<const char*, HeadPreset>> keys = {{"none", HeadPreset::none}};
  for (const PresetEntry& entry : presets()) keys.emplace_back(entry.key, entry.preset);
  return keys;
}

float bounded(const JsonReader& read, const Node& node, float otherwise, float least, float most) {
  if (!node) return otherwise;
  const float value = read.number(*node.json, node.pointer);
  if (!(value >= least && value <= most)) {
    std::string range = "a number from ";
    append_number(range, least);
    range += " to ";
    append_number(range, most);
    read.fail_type(node, range);
  }
  return value;
}

float weight(const JsonReader& read, const Node& node, float otherwise) {
  return bounded(read, node, otherwise, -kMostWeight, kMostWeight);
}

Elements list(const JsonReader& read, const Node& node, const char* needed) {
  const Elements all = read.elements(node, needed);
  if (all.size() > kMostTerms)
    read.fail(node.pointer,
              "has " + std::to_string(all.size()) + " entries; a head takes at most " + std::to_string(kMostTerms));
  return all;
}

std::vector<FeatureWeight> read_sum(const JsonReader& read, const Node& node, const Lexicon& lexicon) {
  std::vector<FeatureWeight> terms;
  for (const Node& element : list(read, node, "an array of features")) {
    FeatureWeight term;
    Node name = element;
    if (element.json->is_array()) {
      if (element.json->size() != 2) read.fail_type(element, "a feature, or a feature and its weight");
      const Elements parts = read.elements(element, "a feature and its weight");
      name = parts[0];
      term.weight = weight(read, parts[1], 1);
    }
    term.feature = read.string(name);
    if (lexicon.feature(term.feature) < 0)
      read.fail(name.pointer, "names " + printable(term.feature) + ", which is no feature of the lexicon");
    terms.push_back(std::move(term));
  }
  return terms;
}

Ask read_ask(const JsonReader& read, const Node& node, const Lexicon& lexicon) {
  read.check_object(node, {"query", "key", "strength"});
  const Node query = read.member(node, "query"), key = read.member(node, "key");
  if (!query || !key) read.fail(node.pointer, "must have a query and a key, each an array of features");
  return {read_sum(read, query, lexicon), read_sum(read, key, lexicon), weight(read, read.member(node, "strength"), 1)};
}

Write read_write(const JsonReader& read, const Node& node, const Lexicon& lexicon) {
  read.check_object(node, {"reads", "writes", "strength"});
  const Node reads = read.member(node, "reads"), writes = read.member(node, "writes");
  if (!reads || !writes) read.fail(node.pointer, "must say what it reads and writes, each an array of features");
  return {read_sum(read, reads, lexicon), read_sum(read, writes, lexicon),
          weight(read, read.member(node, "strength"), 1)};
}

Kernel read_kernel(const JsonReader& read, const Node& node) {
  read.check_object(node, {"offset", "strength", "first_wave", "waves"});
  Kernel kernel;
  kernel.offset = bounded(read, read.member(node, "offset"), kernel.offset, -1024, 1024);
  kernel.strength = weight(read, read.member(node, "strength"), kernel.strength);
  kernel.first_wave = static_cast<int>(read.whole_number(read.member(node, "first_wave"), 0, kMostWave, 0));
  kernel.waves = static_cast<int>(read.whole_number(read.member(node, "waves"), 1, kMostWave, kernel.waves));
  return kernel;
}

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

// "[a, b]" of what text_of makes of each.
template <class Values, class Text>
std::string list_of(const Values& values, const Text& text) {
  std::string all;
  for (const auto& value : values) all += (all.empty() ? "" : ", ") + text(value);
  return "[" + all + "]";
}

std::string text_of(const std::vector<FeatureWeight>& terms) {
  return list_of(terms, [](const FeatureWeight& term) {
    return term.weight == 1 ? text_of(term.feature) : "[" + text_of(term.feature) + ", " + text_of(term.weight) + "]";
  });
}

std::string strength_text(float strength) { return strength == 1 ? "" : ", \"strength\": " + text_of(strength); }

std::string text_of(const Ask& ask) {
  return "{\"query\": " + text_of(ask.query) + ", \"key\": " + text_of(ask.key) + strength_text(ask.strength) + "}";
}

std::string text_of(const Write& write) {
  return "{\"reads\": " + text_of(write.reads) + ", \"writes\": " + text_of(write.writes) +
         strength_text(write.strength) + "}";
}

std::string text_of(const Kernel& kernel) {
  return "{\"offset\": " + text_of(kernel.offset) + ", \"strength\": " + text_of(kernel.strength) +
         ", \"first_wave\": " + std::to_string(kernel.first_wave) + ", \"waves\": " + std::to_string(kernel.waves) +
         "}";
}

const char* key_of(HeadPreset preset) {
  for (const auto& [key, each] : preset_keys())
    if (each == preset) return key;
  return "none";
}

const char* key_of(Carries carries) {
  for (const auto& [key, each] : kCarries)
    if (each == carries) return key;
  return "nothing";
}

}  // namespace

HeadDesign read_design(const JsonReader& read, const Node& node, const Lexicon& lexicon) {
  if (!node) return {};
  read.check_object(node,
                    {"preset", "asks", "same_word", "slot_word", "kernels", "place", "sharpness", "carries", "writes"});
  HeadDesign design = preset_design(read.choice(read.member(node, "preset"), HeadPreset::none, preset_keys()));
  if (const Node asks = read.member(node, "asks")) {
    design.asks.clear();
    for (const Node& ask : list(read, asks, "an array of asks")) design.asks.push_back(read_ask(read, ask, lexicon));
  }
  if (const Node kernels = read.member(node, "kernels")) {
    design.kernels.clear();
    for (const Node& kernel : list(read, kernels, "an array of kernels"))
      design.kernels.push_back(read_kernel(read, kernel));
  }
  design.same_word = weight(read, read.member(node, "same_word"), design.same_word);
  design.slot_word = weight(read, read.member(node, "slot_word"), design.slot_word);
  if (const Node place = read.member(node, "place")) {
    design.place.reset();
    if (!place.json->is_null()) design.place = bounded(read, place, 0, 0, 1024);
  }
  design.sharpness = bounded(read, read.member(node, "sharpness"), design.sharpness, 0, kMostSharpness);
  design.carries = read.choice(read.member(node, "carries"), design.carries, kCarries);
  if (const Node writes = read.member(node, "writes")) {
    design.writes.clear();
    for (const Node& each : list(read, writes, "an array of what is read and written"))
      design.writes.push_back(read_write(read, each, lexicon));
  }
  return design;
}

std::string write_design(const HeadDesign& design) {
  const HeadDesign base = preset_design(design.preset);
  std::string text = std::string("{\"preset\": \"") + key_of(design.preset) + "\"";
  const auto append = [&](const char* key, const std::string& value) {
    text += std::string(", \"") + key + "\": " + value;
  };
  if (design.asks != base.asks) append("asks", list_of(design.asks, [](const Ask& ask) { return text_of(ask); }));
  if (design.same_word != base.same_word) append("same_word", text_of(design.same_word));
  if (design.slot_word != base.slot_word) append("slot_word", text_of(design.slot_word));
  if (design.kernels != base.kernels)
    append("kernels", list_of(design.kernels, [](const Kernel& kernel) { return text_of(kernel); }));
  if (design.place != base.place) append("place", design.place ? text_of(*design.place) : "null");
  if (design.sharpness != base.sharpness) append("sharpness", text_of(design.sharpness));
  if (design.carries != base.carries) append("carries", text_of(key_of(design.carries)));
  if (design.writes != base.writes)
    append("writes", list_of(design.writes, [](const Write& write) { return text_of(write); }));
  return text + "}";
}

}  // namespace hydra
