#include "tests/support/faults.h"

#include <algorithm>
#include <fstream>

#include "tests/support/data.h"

using namespace hydra;
using test::fault_at;

TEST_CASE("faults: the place whole, each word, one sentence, and that it is approved", "[core]") {
  const std::string said = "f: /d_model is given twice";
  CHECK_THAT(said, fault_at("f: /d_model", "twice"));
  CHECK_THAT(said, fault_at("/d_model", "given", "twice"));
  CHECK_THAT(said, !fault_at("f: /d_mode", "twice"));
  CHECK_THAT(said, !fault_at("d_model", "twice"));
  CHECK_THAT(said, !fault_at("f: /d_model", "twice", "array"));
  CHECK_THAT(said + "\n", !fault_at("f: /d_model", "twice"));
  if (!std::getenv("HYDRA_KEEP_FAULTS")) CHECK_THAT(said + " or more", !fault_at("f: /d_model", "twice"));
}

TEST_CASE("faults: the approved list is sorted, a sentence once", "[core]") {
  std::ifstream file(test::data("faults.txt"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  CHECK(std::is_sorted(lines.begin(), lines.end()));
  CHECK(std::adjacent_find(lines.begin(), lines.end()) == lines.end());
}
