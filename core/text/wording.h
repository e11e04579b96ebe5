// The words of the interface: one table by key, so that another language is a file (assets/wording/english.json is what
// ships; `hydrascope wording` prints it, `--wording FILE` puts another in its place).
//
// A key is area:name. A text may have places: "{name}" takes a word or a number, "{name:head|heads}" the form of a word
// that goes with that number, of as many forms as the language of the file has; "{{" is a brace.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

// What goes into a place of a text.
struct InPlace {
  std::string_view name;
  std::string text;
  std::int64_t count = -1;  // what forms are chosen by; -1: no number

  InPlace(std::string_view place, std::string words) : name(place), text(std::move(words)) {}
  InPlace(std::string_view place, const char* words) : name(place), text(words) {}
  InPlace(std::string_view place, std::integral auto number)
      : name(place), text(std::to_string(number)), count(static_cast<std::int64_t>(number)) {}
};

// The text of a key that has no places; of a key that is not there, the key itself.
const std::string& wording(std::string_view key);
// With what goes into its places. A place that nothing is given for stays as it is written.
std::string wording(std::string_view key, std::initializer_list<InPlace> places);

// The same of a literal, which nearly all keys are, in calls and in tables: what was found is kept by where it stands,
// since several hundred are said in every frame. Not of text that is put together: its place may come to hold another.
const std::string& wording(const char* key);
std::string wording(const char* key, std::initializer_list<InPlace> places);

// How a language chooses among forms of a word by a number: a row of the forms that CLDR tells apart for whole numbers.
struct Forms {
  const char* name;
  int count;
  int (*of)(std::int64_t number);  // from 0, below count
};

// A table of texts.
struct Wording {
  std::string language;
  const Forms* forms = nullptr;
  std::map<std::string, std::string, std::less<>> texts;  // by key
};
// The table in a JSON: {"language": "English", "forms": "one, other", "heads": {"title": "Heads", ...}, ...}. Throws
// InputError naming file and place: what is no text, braces that do not close, a wrong number of forms, and, where a
// table is given that it stands for, keys and places that are not in it. Keys that are left out are allowed.
Wording parse_wording(std::string_view json, const std::string& name, const Wording* stands_for = nullptr);

const Wording& shipped_wording();         // English
std::string_view shipped_wording_file();  // its JSON
// From now on texts are of this table, and English where it has none. Once, before anything is drawn: what is said is
// kept by many.
void use_wording(Wording wording);

// The texts that a table lacks, under its language and forms.
Wording lacking(const Wording& table, const Wording& english);
std::string text_of(const Wording& wording);  // as JSON, by areas

// The names in the places of a text, each once, in their order.
std::vector<std::string> places_of(std::string_view text);

}  // namespace hydra
