#include "tests/support/faults.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/support/data.h"

namespace hydra::test {
namespace {

constexpr std::size_t kMaxBytes = 1000;

bool approved(const std::string& sentence) {
  static const std::set<std::string> list = [] {
    std::set<std::string> lines;
    std::ifstream file(data("faults.txt"));
    for (std::string line; std::getline(file, line);) lines.insert(line);
    return lines;
  }();
  return list.contains(sentence);
}

bool of_path(unsigned char c) { return std::isalnum(c) || c == '/' || c == '_' || c == '~' || c == '-'; }

bool names(const std::string& sentence, const std::string& place) {
  for (std::size_t at = sentence.find(place); at != std::string::npos; at = sentence.find(place, at + 1)) {
    const std::size_t end = at + place.size();
    if ((at == 0 || !of_path(static_cast<unsigned char>(sentence[at - 1]))) &&
        (end == sentence.size() || !of_path(static_cast<unsigned char>(sentence[end]))))
      return true;
  }
  return false;
}

}  // namespace

bool FaultMatcher::match(const std::string& sentence) const {
  missed_.clear();
  const auto miss = [&](const std::string& what) { missed_ += (missed_.empty() ? "should " : ", ") + what; };
  if (!names(sentence, place_)) miss("name the place \"" + place_ + "\"");
  for (const std::string& word : words_)
    if (sentence.find(word) == std::string::npos) miss("say \"" + word + "\"");
  if (sentence.empty() || sentence.size() > kMaxBytes || sentence.find('\n') != std::string::npos)
    miss("be one sentence of at most " + std::to_string(kMaxBytes) + " bytes");
  if (!missed_.empty()) return false;
  if (const char* kept = std::getenv("HYDRA_KEEP_FAULTS"))
    std::ofstream(kept, std::ios::app) << sentence + "\n" << std::flush;
  else if (!approved(sentence))
    miss("be a line of tests/data/faults.txt (scripts/test --keep-faults writes it anew)");
  return missed_.empty();
}

}  // namespace hydra::test
