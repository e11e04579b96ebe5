#include "app/platform/desktop/system_theme.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace hydra;

TEST_CASE("system theme: what systems say of themselves", "[app][theme]") {
  for (const char* dark : {"Adwaita:dark", "Yaru-dark", "'prefer-dark'\n", "Dark\n"}) CHECK(names_dark_theme(dark));
  for (const char* light : {"", "Adwaita", "'default'\n", "'prefer-light'\n", "Darkness", "No such schema\n"})
    CHECK_FALSE(names_dark_theme(light));
}

TEST_CASE("system theme: a theme that is named for the program goes before what the system is asked", "[app][theme]") {
  const char* const before = std::getenv("GTK_THEME");
  const std::string kept = before ? before : "";
  ::setenv("GTK_THEME", "Adwaita:dark", 1);
  CHECK(SystemTheme().is_dark());
  ::setenv("GTK_THEME", "Adwaita", 1);
  CHECK_FALSE(SystemTheme().is_dark());
  before ? ::setenv("GTK_THEME", kept.c_str(), 1) : ::unsetenv("GTK_THEME");
}
