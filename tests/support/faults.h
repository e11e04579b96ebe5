// What a fault says: a test pins its place and the words that tell it from others; the whole sentence stands in
// tests/data/faults.txt, which is approved by being read in a commit. `scripts/test --keep-faults` writes that list
// anew.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace hydra::test {

// With HYDRA_KEEP_FAULTS=FILE the sentence is appended to FILE and need not be approved.
class FaultMatcher : public Catch::MatcherBase<std::string> {
 public:
  FaultMatcher(std::string place, std::vector<std::string> words)
      : place_(std::move(place)), words_(std::move(words)) {}
  bool match(const std::string& sentence) const override;
  std::string describe() const override { return missed_; }  // what the last sentence missed

 private:
  std::string place_;
  std::vector<std::string> words_;
  mutable std::string missed_;
};

// One approved sentence that names `place` whole (/layers/1 is not in /layers/12, nor in /layers/1/heads) and has
// `words`:
//   CHECK_THROWS_WITH(parse_json(text, "f"), fault_at("f: /a", "twice"));
// For sentences without a path, time or size of this machine.
template <class... Words>
FaultMatcher fault_at(std::string place, const Words&... words) {
  static_assert(sizeof...(words) > 0, "a place alone is in many sentences");
  return {std::move(place), {std::string(words)...}};
}

}  // namespace hydra::test
