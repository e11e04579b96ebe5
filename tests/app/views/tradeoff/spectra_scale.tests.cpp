// The charts of singular values: every line can be told from the ground, and zero is what the numerical rank says.
#include "app/views/tradeoff/tradeoff_parts.h"

#include <catch2/catch.hpp>

#include "app/platform/theme.h"
#include "core/analysis/likeness/diversity.h"
#include "core/linalg/random.h"
#include "tests/support/contrast.h"

using namespace hydra;

TEST_CASE("spectra: every line stands out from the ground in both themes", "[app][tradeoff][spectra]") {
  for (const bool dark : {false, true})
    for (const int count : {1, 2, 7, 16})
      for (int k = 0; k < count; ++k) {
        CAPTURE(dark, count, k);
        const ImU32 ground = theme(dark).ground, shade = spectrum_shade(dark, k, count);
        CHECK(contrast(shade, ground) >= 3);
        if (k > 0) CHECK(shade != spectrum_shade(dark, k - 1, count));
      }
}

TEST_CASE("spectra: what lies above the marked level is what the numerical rank counts", "[app][tradeoff][spectra]") {
  Random random(4);
  for (const Index n : {1, 2, 12, 50})
    for (const Index rank : {1, 3, 12}) {
      Mat<float> left(n, rank), right(n, rank);
      for (Mat<float>* m : {&left, &right})
        for (Index k = 0; k < m->size(); ++k) m->data()[k] = static_cast<float>(random.normal());
      const Spectrum spectrum = matrix_spectrum(left * right.transpose());
      const auto above = std::count_if(spectrum.values.begin(), spectrum.values.end(), [&](double value) {
        return value / spectrum.values.front() > zero_level(n, n);
      });
      CAPTURE(n, rank);
      CHECK(above == spectrum.numerical_rank);
      CHECK(above == std::min(n, rank));
    }
}

TEST_CASE("spectra: the axis reaches below what counts as zero, at a power of ten", "[app][tradeoff][spectra]") {
  for (const Index n : {1, 2, 9, 12, 100, 1024, 4096}) {
    CAPTURE(n);
    const double power = std::log10(spectra_foot(n));
    CHECK(power == Approx(std::round(power)));
    CHECK(spectra_foot(n) <= 0.11 * zero_level(n, n));
    CHECK(spectra_foot(n) >= 0.009 * zero_level(n, n));
  }
}
