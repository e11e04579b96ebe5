// That each text of the interface has its key in the table, its places are given, and none is left over: read from the
// sources.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>

#include "core/files/whole_file.h"
#include "core/text/wording.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

struct Source {
  std::string path, text;
};

std::vector<Source> sources() {
  std::vector<Source> found;
  for (const char* folder : {"app", "core"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data("../../" + std::string(folder))))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
        found.push_back({entry.path().string(), read_whole(entry.path().string())});
  return found;
}

// The names given to a text's places, from behind its key on: , {{"name", ...}, {"other", ...}}).
std::set<std::string> names_given(std::string_view text) {
  std::set<std::string> names;
  int depth = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_text) {
      if (c == '\\') ++k;
      if (c == '"') in_text = false;
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) break;
    if (c == '"') in_text = true;
    if (c != '{' || depth > 0) continue;
    std::size_t quote = text.find_first_not_of(" \n", k + 1);
    if (quote == std::string_view::npos || text[quote] != '"') continue;
    names.emplace(text.substr(quote + 1, text.find('"', quote + 1) - quote - 1));
  }
  return names;
}

const std::regex kKey(R"re("([a-z]+:[a-z0-9_.]+)")re");

}  // namespace

TEST_CASE("wording: each key that is said is in the table, and each that is in the table is said") {
  std::set<std::string> said;
  for (const Source& source : sources())
    for (std::sregex_iterator at(source.text.begin(), source.text.end(), kKey), end; at != end; ++at) {
      INFO(source.path);
      INFO((*at)[1].str());
      CHECK(shipped_wording().texts.contains((*at)[1].str()));
      said.insert((*at)[1].str());
    }
  for (const auto& [key, text] : shipped_wording().texts) {
    INFO(key);
    CHECK(said.contains(key));
  }
}

TEST_CASE("wording: a text that is said gets what its places need, and no more") {
  static const std::regex kSaid(R"re(\bwording\(\s*"([a-z]+:[a-z0-9_.]+)")re");
  int checked = 0;
  for (const Source& source : sources())
    for (std::sregex_iterator at(source.text.begin(), source.text.end(), kSaid), end; at != end; ++at, ++checked) {
      const auto text = shipped_wording().texts.find((*at)[1].str());
      if (text == shipped_wording().texts.end()) continue;
      const std::vector<std::string> places = places_of(text->second);
      INFO(source.path);
      INFO(text->first);
      CHECK(
          names_given(std::string_view(source.text).substr(static_cast<std::size_t>(at->position() + at->length()))) ==
          std::set<std::string>(places.begin(), places.end()));
    }
  CHECK(checked > 0);
}

TEST_CASE("wording: what a tip of Learn says are sentences, not telegrams") {
  static const std::regex kWord("[a-z]+"), kKeys(R"( Keys?: .*)");
  const std::set<std::string> verbs{
      "is",    "are",    "was",    "has",    "have",  "had",     "does",  "do",     "can",   "could",
      "stops", "shrink", "takes",  "take",   "goes",  "go",      "shows", "show",   "says",  "say",
      "tells", "begins", "ends",   "opens",  "open",  "stays",   "waits", "falls",  "asks",  "adds",
      "draws", "costs",  "train",  "trains", "sets",  "follows", "look",  "drag",   "guess", "press",
      "type",  "point",  "writes", "differ", "steps", "decay",   "needs", "brings", "click"};
  for (const auto& [key, text] : shipped_wording().texts) {
    if (!key.starts_with("learn:") || !key.ends_with(".tip")) continue;
    std::string told = std::regex_replace(text, kKeys, "");
    std::ranges::transform(told, told.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    bool has_verb = false;
    for (std::sregex_iterator at(told.begin(), told.end(), kWord), end; at != end; ++at)
      has_verb = has_verb || verbs.contains(at->str());
    INFO(key << ": " << text);
    CHECK(has_verb);
  }
}
