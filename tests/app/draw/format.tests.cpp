#include "app/draw/format.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace hydra;

TEST_CASE("number: significant digits, fixed notation where it is short", "[widgets][format]") {
  CHECK(ui::number(0.03124) == "0.0312");
  CHECK(ui::number(-1.2) == "−1.20");
  CHECK(ui::number(64) == "64.0");
  CHECK(ui::number(123456) == "1.2e+05");
  CHECK(ui::number(-0.000123) == "−1.2e−04");
  CHECK(ui::number(0.00123) == "0.00123");
  CHECK(ui::number(12345) == "12345");
  CHECK(ui::number(0.5, As::order) == "0.5");
  CHECK(ui::number(1.0 / 3, As::rough) == "0.33");
  CHECK(ui::number(1.0 / 3, As::reading) == "0.3333");
  CHECK(ui::number(1.0 / 3, As::exact) == "0.33333");
}

TEST_CASE("number: rounding that gains a digit keeps the count of digits", "[widgets][format]") {
  CHECK(ui::number(9.996) == "10.0");
  CHECK(ui::number(0.9999) == "1.00");
  CHECK(ui::number(0.0009999) == "0.00100");
  CHECK(ui::number(99999.6, As::exact) == "1.000e+05");
}

TEST_CASE("number: zero of either sign, infinities, NaN", "[widgets][format]") {
  CHECK(ui::number(0) == "0");
  CHECK(ui::number(-0.0) == "0");
  CHECK(ui::number(std::numeric_limits<double>::infinity()) == "∞");
  CHECK(ui::number(-std::numeric_limits<double>::infinity()) == "−∞");
  CHECK(ui::number(std::nan("")) == "NaN");
  CHECK(ui::number(-std::numeric_limits<double>::denorm_min()) == "−4.9e−324");
}

TEST_CASE("fixed: so many decimals, never a negative zero", "[widgets][format]") {
  CHECK(ui::in_column(0.034, 2) == "0.03");
  CHECK(ui::in_column(-0.034, 2) == "−0.03");
  CHECK(ui::in_column(-0.0001, 2) == "0.00");
  CHECK(ui::in_column(12.5, 0) == "12");
  CHECK(ui::in_column(std::nan(""), 2) == "NaN");
}

TEST_CASE("fixed, grouped: what is too large to be read in full has an exponent", "[widgets][format]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(ui::in_column(9999999, 1) == "9999999.0");
  CHECK(ui::in_column(-1e7, 3) == "−1.0e+07");
  CHECK(ui::in_column(3.4e38, 2) == "3.4e+38");
  CHECK(ui::in_column(9999999.99, 17).size() < 30);
  CHECK(ui::in_column(-infinity, 2) == "−∞");
  CHECK(ui::number(1024, As::count) == "1024");
  CHECK(ui::number(16384, As::count) == "16\u00a0384");
  CHECK(ui::number(1e15 - 1, As::count) == "999\u00a0999\u00a0999\u00a0999\u00a0999");
  CHECK(ui::number(1e15, As::count) == "1.0e+15");
  CHECK(ui::number(3e40, As::count) == "3.0e+40");
  CHECK(ui::number(infinity, As::count) == "∞");
  CHECK(ui::number(std::nan(""), As::count) == "NaN");
  CHECK(ui::number(-infinity, As::axis) == "−∞");
}

TEST_CASE("number: decimals that line up, and shares in hundreds", "[widgets][format]") {
  CHECK(ui::number(-0.9304, As::share) == "−0.930");
  CHECK(ui::number(0.9304, As::brief) == "0.93");
  CHECK(ui::number(6.35, As::tenths) == "6.3");
  CHECK(ui::number(12.7, As::whole) == "13");
  CHECK(ui::number(9.99, As::column) == "9.99");
  CHECK(ui::number(-10.04, As::column) == "−10.0");
  const double none = std::nan("");
  for (const As style : {As::column, As::whole_percent}) CHECK(ui::number(none, style) == "–");
  for (const As style : {As::percent, As::fine_percent}) CHECK(ui::number(none, style) == "n/a");
  CHECK(ui::number(0.61, As::percent) == "61 %");
  CHECK(ui::number(0.042, As::percent) == "4.2 %");
  CHECK(ui::number(0.0002, As::percent) == "< 0.1 %");
  CHECK(ui::number(0, As::percent) == "0 %");
  CHECK(ui::number(0.0994, As::percent) == "9.9 %");
  CHECK(ui::number(0.0996, As::percent) == "10 %");
  CHECK(ui::number(0.217, As::fine_percent) == "21.7 %");
  CHECK(ui::number(1.234, As::fine_percent) == "123 %");
  CHECK(ui::number(0.9999, As::fine_percent) == "100 %");
  CHECK(ui::number(0.125, As::whole_percent) == "12 %");
  CHECK(ui::number(0.025, As::axis_percent) == "2.5 %");
  CHECK(ui::number(1e7, As::fine_percent) == "1.0e+09 %");
}

TEST_CASE("short_number: no digit that says nothing", "[widgets][format]") {
  CHECK(ui::number(5, As::axis) == "5");
  CHECK(ui::number(-2.5f, As::axis) == "−2.5");
  CHECK(ui::number(0.1f, As::axis) == "0.1");
  CHECK(ui::number(0, As::axis) == "0");
}

TEST_CASE("nice_ceiling: the least 1, 2, 2.5 or 5 times a power of ten that is at least the value",
          "[widgets][format]") {
  CHECK(ui::nice_ceiling(1) == Approx(1));
  CHECK(ui::nice_ceiling(1.01) == Approx(2));
  CHECK(ui::nice_ceiling(2.2) == Approx(2.5));
  CHECK(ui::nice_ceiling(2.6) == Approx(5));
  CHECK(ui::nice_ceiling(0.00051) == Approx(0.001));
  CHECK(ui::nice_ceiling(7e8) == Approx(1e9));
  CHECK(ui::nice_ceiling(0.2f) == Approx(0.2));  // 0.2f is a little more than 0.2
  CHECK(ui::nice_ceiling(0) == 1);
  CHECK(ui::nice_ceiling(-3) == 1);
  CHECK(ui::nice_ceiling(std::nan("")) == 1);
  for (double value = 1e-6; value < 1e6; value *= 1.037) {
    CAPTURE(value);
    CHECK(ui::nice_ceiling(value) >= value * (1 - 1e-6));
    CHECK(ui::nice_ceiling(value) <= value * 2.001);
  }
}

TEST_CASE("close_ceiling: at least the value, at most a third above it", "[widgets][format]") {
  CHECK(ui::close_ceiling(1) == Approx(1));
  CHECK(ui::close_ceiling(1.01) == Approx(1.2));
  CHECK(ui::close_ceiling(55) == Approx(60));
  CHECK(ui::close_ceiling(0.0081) == Approx(0.01));
  CHECK(ui::close_ceiling(0.3f) == Approx(0.3));
  CHECK(ui::close_ceiling(0) == 1);
  CHECK(ui::close_ceiling(std::nan("")) == 1);
  for (double value = 1e-6; value < 1e6; value *= 1.037) {
    CAPTURE(value);
    CHECK(ui::close_ceiling(value) >= value * (1 - 1e-6));
    CHECK(ui::close_ceiling(value) <= value * 1.334);
  }
}

TEST_CASE("grouped: digits in threes from five on", "[widgets][format]") {
  CHECK(ui::number(0, As::count) == "0");
  CHECK(ui::number(1024, As::count) == "1024");
  CHECK(ui::number(16384, As::count) == "16\u00a0384");
  CHECK(ui::number(131072, As::count) == "131\u00a0072");
  CHECK(ui::number(4194304, As::count) == "4\u00a0194\u00a0304");
}
