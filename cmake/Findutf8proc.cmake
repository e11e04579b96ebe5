# utf8proc::utf8proc from the system's pkg-config file.
find_package(PkgConfig QUIET)
pkg_check_modules(UTF8PROC QUIET IMPORTED_TARGET libutf8proc>=2.2)
set(utf8proc_VERSION "${UTF8PROC_VERSION}")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(utf8proc REQUIRED_VARS UTF8PROC_LINK_LIBRARIES VERSION_VAR utf8proc_VERSION)
if(utf8proc_FOUND AND NOT TARGET utf8proc::utf8proc)
  add_library(utf8proc::utf8proc ALIAS PkgConfig::UTF8PROC)
endif()
