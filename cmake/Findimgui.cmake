# imgui::imgui from the system's pkg-config file. The interface is written for 1.86 exactly (1.87 changed how keys and
# input are fed, later ones more), so any other version is as good as none. The file does not name GLFW, which
# a backend needs, and says nothing of the backends, so their header is looked for.
find_package(PkgConfig QUIET)
pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui=1.86)
find_path(IMGUI_BACKENDS_INCLUDE_DIR backends/imgui_impl_opengl3.h HINTS ${IMGUI_INCLUDE_DIRS} NO_CACHE)
set(imgui_VERSION "${IMGUI_VERSION}")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(imgui
  REQUIRED_VARS IMGUI_LINK_LIBRARIES IMGUI_BACKENDS_INCLUDE_DIR VERSION_VAR imgui_VERSION)
if(imgui_FOUND AND NOT TARGET imgui::imgui)
  add_library(hydra_imgui INTERFACE)
  target_link_libraries(hydra_imgui INTERFACE PkgConfig::IMGUI glfw ${CMAKE_DL_LIBS})
  add_library(imgui::imgui ALIAS hydra_imgui)
endif()
