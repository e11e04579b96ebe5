# imgui::imgui from the system's pkg-config file. The interface is written for 1.86 exactly (1.87 changed how keys and
# input are fed, later ones more), so any other version is as good as none.
find_package(PkgConfig QUIET)
pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui=1.86)
set(imgui_VERSION "${IMGUI_VERSION}")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(imgui REQUIRED_VARS IMGUI_LINK_LIBRARIES VERSION_VAR imgui_VERSION)
if(imgui_FOUND AND NOT TARGET imgui::imgui)
  # Debian's calls its libstb, which no other system has. Like ImGui it becomes part of the program, which then runs there too.
  get_target_property(libraries PkgConfig::IMGUI INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    string(REGEX REPLACE "libstb[.]so$" "libstb.a" archive "${library}")
    if(EXISTS "${archive}")
      list(TRANSFORM libraries REPLACE "^${library}$" "${archive}")
    endif()
  endforeach()
  set_target_properties(PkgConfig::IMGUI PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  add_library(imgui::imgui ALIAS PkgConfig::IMGUI)
endif()
