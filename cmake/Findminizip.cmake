# minizip::minizip from the system. minizip-ng, which has numbers from 2 on, is another library with the same headers. Where
# the archive is there it becomes part of the program, which then runs where there is no minizip, too.
find_package(PkgConfig QUIET)
pkg_check_modules(MINIZIP QUIET "minizip<2")
if(MINIZIP_FOUND)
  find_path(minizip_INCLUDE_DIR minizip/unzip.h HINTS ${MINIZIP_INCLUDEDIR})
  find_library(minizip_LIBRARY NAMES libminizip.a minizip HINTS ${MINIZIP_LIBDIR})
  set(minizip_VERSION "${MINIZIP_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(minizip REQUIRED_VARS minizip_LIBRARY minizip_INCLUDE_DIR VERSION_VAR minizip_VERSION)
mark_as_advanced(minizip_LIBRARY minizip_INCLUDE_DIR)
if(minizip_FOUND AND NOT TARGET minizip::minizip)
  add_library(minizip::minizip UNKNOWN IMPORTED)
  set_target_properties(minizip::minizip PROPERTIES IMPORTED_LOCATION "${minizip_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${minizip_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
endif()
