# PCRE2::8BIT from the system's pkg-config file.
find_package(PkgConfig QUIET)
pkg_check_modules(PCRE2 QUIET IMPORTED_TARGET libpcre2-8>=10.30)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PCRE2 REQUIRED_VARS PCRE2_LINK_LIBRARIES VERSION_VAR PCRE2_VERSION)
if(PCRE2_FOUND AND NOT TARGET PCRE2::8BIT)
  add_library(PCRE2::8BIT ALIAS PkgConfig::PCRE2)
endif()
