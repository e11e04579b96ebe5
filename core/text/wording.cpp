#include "core/text/wording.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <unordered_map>

#include "core/json/reader.h"
#include "core/json/writer.h"
#include "embedded/core_wording.h"

namespace hydra {

namespace {

constexpr Forms kForms[] = {
    {"other", 1, [](std::int64_t) { return 0; }},                      // Japanese, Chinese, Turkish after numbers
    {"one, other", 2, [](std::int64_t n) { return n == 1 ? 0 : 1; }},  // English, German, Spanish
    {"zero or one, other", 2, [](std::int64_t n) { return n <= 1 ? 0 : 1; }},  // French, Portuguese of Brazil
    {"one, few, many", 3,
     [](std::int64_t n) {  // Russian, Ukrainian
       if (n % 10 == 1 && n % 100 != 11) return 0;
       return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2;
     }},
    {"one alone, few, many", 3,
     [](std::int64_t n) {  // Polish
       if (n == 1) return 0;
       return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2;
     }},
};

// A text in pieces: words as they stand, then a place, and so on.
struct Piece {
  std::string_view words;  // before the place; a doubled brace ends them, once
  std::string_view place;  // its name; empty: none
  std::string_view forms;  // between the colon and the brace; empty: the place is the text itself
  bool closed = true;
};

// The next piece of what is left, which is cut by it.
Piece next_piece(std::string_view& left) {
  const std::size_t open = left.find('{');
  if (open == std::string_view::npos) return {std::exchange(left, {}), {}, {}};
  if (left.substr(open).starts_with("{{")) {
    const Piece piece{left.substr(0, open + 1), {}, {}};
    left.remove_prefix(open + 2);
    return piece;
  }
  const std::size_t close = left.find('}', open);
  if (close == std::string_view::npos) return {std::exchange(left, {}), {}, {}, false};
  const std::string_view inside = left.substr(open + 1, close - open - 1);
  const std::size_t colon = inside.find(':');
  const Piece piece{left.substr(0, open), inside.substr(0, colon),
                    colon == std::string_view::npos ? std::string_view() : inside.substr(colon + 1)};
  left.remove_prefix(close + 1);
  return piece;
}

std::string_view form(std::string_view forms, int k) {
  for (; k > 0; --k) forms.remove_prefix(std::min(forms.size(), forms.find('|') + 1));
  return forms.substr(0, forms.find('|'));
}

bool is_place_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9'); });
}

class WordingReader {
 public:
  WordingReader(const std::string& name, const Wording* stands_for)
      : read_(name, "the table of texts"), stands_for_(stands_for) {}

  Wording read(const Json& root) {
    const Node whole{&root, ""};
    if (!root.is_object()) read_.fail_type(whole, "an object");
    if (const Node language = read_.member(whole, "language")) made_.language = read_.string(language);
    std::vector<std::pair<const char*, const Forms*>> known;
    for (const Forms& forms : kForms) known.emplace_back(forms.name, &forms);
    made_.forms = read_.choice(read_.member(whole, "forms"), &kForms[1], known);
    for (auto area = root.begin(); area != root.end(); ++area) {
      if (area.key() == "language" || area.key() == "forms") continue;
      const std::string at = pointer_to("", area.key());
      if (!area->is_object()) read_.fail_type({&*area, at}, "an object of texts by their names");
      for (auto text = area->begin(); text != area->end(); ++text)
        read_text(std::string(area.key()) + ":" + std::string(text.key()), {&*text, pointer_to(at, text.key())});
    }
    return std::move(made_);
  }

 private:
  void read_text(const std::string& key, const Node& node) {
    std::string words = read_.string(node);
    for (std::string_view left = words; !left.empty();) {
      const Piece piece = next_piece(left);
      if (!piece.closed)
        read_.fail(node.pointer, "has a { that is not closed; a brace that is to be seen is written {{");
      if (!piece.forms.empty() && std::ranges::count(piece.forms, '|') + 1 != made_.forms->count)
        read_.fail(node.pointer, "must have " + std::to_string(made_.forms->count) + " forms (" + made_.forms->name +
                                     "), not {" + std::string(piece.place) + ":" + std::string(piece.forms) + "}");
    }
    for (const std::string& place : places_of(words))
      if (!is_place_name(place))
        read_.fail(node.pointer, "has a place {" + place + "}; a place has a name of small letters");
    if (stands_for_) check_known(key, node.pointer, words);
    made_.texts.emplace(key, std::move(words));
  }
  void check_known(const std::string& key, const std::string& at, const std::string& words) {
    const auto known = stands_for_->texts.find(key);
    if (known == stands_for_->texts.end()) read_.fail(at, "is no text of the program; leave it out");
    const std::vector<std::string> there = places_of(known->second);
    for (const std::string& place : places_of(words))
      if (std::ranges::find(there, place) == there.end())
        read_.fail(at, "has a place {" + place + "} that this text does not have");
  }

  JsonReader read_;
  const Wording* stands_for_;
  Wording made_;
};

Wording& other() {  // what was put in the place of English
  static Wording wording;
  return wording;
}

struct Said {
  const std::string* text;
  const Forms* forms;
};
using ByKey = std::unordered_map<std::string_view, Said>;  // several hundred are asked for in every frame

void put(const Wording& table, ByKey& texts) {
  for (const auto& [key, text] : table.texts) texts.insert_or_assign(key, Said{&text, table.forms});
}
ByKey english() {
  ByKey texts;
  put(shipped_wording(), texts);
  return texts;
}
int tables_used = 0;
// The texts in force; they stand in the tables.
ByKey& said_now() {
  static ByKey texts = english();
  return texts;
}
const Said* find(std::string_view key) {
  const auto at = said_now().find(key);
  return at != said_now().end() ? &at->second : nullptr;
}

// By where a literal stands; null: there is no text.
const Said* find_literal(const char* key) {
  struct Found {
    const char* at = nullptr;
    Said said{};
    int table = 0;
  };
  constexpr int kBits = 12;  // several hundred are said in a frame, and few of them have the place of another
  static thread_local std::array<Found, 1 << kBits> kept;
  const std::uint64_t spread = reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15;
  Found& found = kept[spread >> (64 - kBits)];
  if (found.at == key && found.table == tables_used) {
    assert(find(key) && find(key)->text == found.said.text);
    return &found.said;
  }
  const Said* said = find(key);
  if (said) found = {key, *said, tables_used};
  return said;
}

std::string filled(const Said& found, std::initializer_list<InPlace> places) {
  std::string said;
  for (std::string_view left = *found.text; !left.empty();) {
    const Piece piece = next_piece(left);
    said += piece.words;
    if (!piece.place.data()) continue;
    const auto given = std::ranges::find(places, piece.place, &InPlace::name);
    if (given == places.end())
      said += "{" + std::string(piece.place) + "}";
    else if (piece.forms.empty())
      said += given->text;
    else
      said += form(piece.forms, found.forms->of(given->count));
  }
  return said;
}

// What a key without a text shows: itself, kept so that a reference to it lasts.
const std::string& itself(std::string_view key) {
  static thread_local std::map<std::string, std::string, std::less<>> missing;
  const auto at = missing.find(key);
  return at != missing.end() ? at->second : missing.emplace(key, key).first->second;
}

}  // namespace

std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const Piece piece = next_piece(text);
    if (piece.place.data() && std::ranges::find(found, piece.place) == found.end()) found.emplace_back(piece.place);
  }
  return found;
}

Wording parse_wording(std::string_view json, const std::string& name, const Wording* stands_for) {
  const JsonTree tree = parse_json(json, name);
  return WordingReader(name, stands_for).read(tree.root());
}

std::string_view shipped_wording_file() { return core_wording::find("english.json"); }

const Wording& shipped_wording() {
  static const Wording english = parse_wording(shipped_wording_file(), "english.json");
  return english;
}

Wording lacking(const Wording& table, const Wording& english) {
  Wording found{table.language, table.forms, {}};
  for (const auto& [key, text] : english.texts)
    if (!table.texts.contains(key)) found.texts.emplace(key, text);
  return found;
}

std::string text_of(const Wording& wording) {
  JsonWriter json;
  json.text = "{\n";
  json.string("language", wording.language);
  json.line();
  json.string("forms", wording.forms->name);
  std::string area;
  for (const auto& [key, text] : wording.texts) {
    const std::size_t colon = key.find(':');
    if (key.compare(0, colon, area) != 0) {
      json.text += area.empty() ? ",\n" : "\n},\n";
      area = key.substr(0, colon);
      json.key(area).text += "{\n";
    } else {
      json.line();
    }
    json.string(key.substr(colon + 1), text);
  }
  return json.text + (area.empty() ? "\n}\n" : "\n}\n}\n");
}

void use_wording(Wording wording) {
  ++tables_used;
  said_now() = english();
  other() = std::move(wording);
  put(other(), said_now());
}

const std::string& wording(std::string_view key) {
  const Said* found = find(key);
  return found ? *found->text : itself(key);
}

std::string wording(std::string_view key, std::initializer_list<InPlace> places) {
  const Said* found = find(key);
  return found ? filled(*found, places) : std::string(key);
}

const std::string& wording(const char* key) {
  const Said* found = find_literal(key);
  return found ? *found->text : itself(key);
}
std::string wording(const char* key, std::initializer_list<InPlace> places) {
  const Said* found = find_literal(key);
  return found ? filled(*found, places) : std::string(key);
}

}  // namespace hydra
