#include "tests/core/learn/kept_result.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "core/files/whole_file.h"
#include "core/lanes/kernels.h"
#include "tests/support/data.h"

namespace hydra::test {

bool KeptResult::keeps() { return std::getenv("HYDRA_KEEP_RESULTS") != nullptr; }

KeptResult::KeptResult(std::string key, std::string of, std::string test)
    : key_(std::move(key)), made_{std::move(of), std::move(test), {}} {
  if (keeps()) return;
  const learn::Result& kept = learn::result(key_);
  CHECK(kept.of == made_.of);
  CHECK(kept.test == made_.test);
}

KeptResult::~KeptResult() {
  if (keeps() && std::uncaught_exceptions() == 0)
    write_whole(data("../../assets/results/" + key_ + ".json"), learn::result_text(made_));
}

void KeptResult::add(const std::string& setting, const std::string& number, const std::vector<double>& values,
                     double margin, std::uint64_t first_seed) {
  CAPTURE(key_, setting, number);
  if (keeps()) {
    learn::ResultSetting& own = made_.settings[setting];
    own.first_seed = first_seed;
    own.numbers.emplace(number, values);
    return;
  }
  const learn::Result& result = learn::result(key_);
  const std::vector<double>& all = result.measured(setting, number).values();
  CHECK(result.settings.find(setting)->second.first_seed == first_seed);
  REQUIRE(all.size() >= values.size());
  const std::vector<double> kept(all.begin(), all.begin() + std::ssize(values));
  if (std::strcmp(lanes::chosen().name, "avx512") == 0)
    for (std::size_t k = 0; k < kept.size(); ++k) CHECK(values[k] == Approx(kept[k]).margin(6e-5));
  else
    CHECK(learn::Measured(values).mean() == Approx(learn::Measured(kept).mean()).margin(margin));
}

}  // namespace hydra::test
