# md::md, message digests, from the system's pkg-config file of libmd.
find_package(PkgConfig QUIET)
pkg_check_modules(LIBMD QUIET IMPORTED_TARGET libmd)
set(md_VERSION "${LIBMD_VERSION}")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(md REQUIRED_VARS LIBMD_LINK_LIBRARIES VERSION_VAR md_VERSION)
if(md_FOUND AND NOT TARGET md::md)
  add_library(md::md ALIAS PkgConfig::LIBMD)
endif()
