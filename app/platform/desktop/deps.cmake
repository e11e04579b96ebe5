# Included by cmake/deps.cmake: what this platform alone needs, the command line as well. hydra_opengl is what app/gl/gl_api.h includes, with its
# functions.
find_package(PkgConfig REQUIRED)
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
  GIT_TAG 291c58789c031208f08f4f261a858b5b7083e8e2  # 2.3.2
  FIND_PACKAGE_ARGS 2.1 CONFIG)
FetchContent_Declare(glfw3
  GIT_REPOSITORY https://github.com/glfw/glfw.git
  GIT_TAG 7482de6071d21db77a7236155da44c172a7f6c9e  # 3.3.8
  FIND_PACKAGE_ARGS 3.3 CONFIG)
set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_INSTALL OFF)
list(APPEND hydra_packages CLI11 glfw3)
list(APPEND hydra_pinned "CLI11 2.3.2" "glfw3 3.3.8")

# OpenGL and EGL are loaded by libepoxy when they are asked for, so that without them the program still starts and says so;
# nothing links them. libepoxy has no sources here: every system that has OpenGL packages it.
pkg_check_modules(EPOXY REQUIRED QUIET IMPORTED_TARGET epoxy)
list(APPEND hydra_platform_libraries "epoxy ${EPOXY_VERSION}")

add_library(hydra_opengl INTERFACE)
target_include_directories(hydra_opengl INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
target_link_libraries(hydra_opengl INTERFACE PkgConfig::EPOXY)

# Fonts for every script are the system's. Without these libraries what the interface's own faces lack is a box with its
# code.
option(HYDRA_SYSTEM_FONTS "Draw other scripts with the system's fonts, where their libraries are there" ON)
if(HYDRA_SYSTEM_FONTS)
  pkg_check_modules(SYSTEM_FONTS QUIET IMPORTED_TARGET fontconfig freetype2 harfbuzz)
endif()
if(TARGET PkgConfig::SYSTEM_FONTS)
  find_package(Freetype QUIET)  # pkg-config has another number than its version
  list(APPEND hydra_platform_libraries "fontconfig ${SYSTEM_FONTS_fontconfig_VERSION}"
    "freetype ${FREETYPE_VERSION_STRING}" "harfbuzz ${SYSTEM_FONTS_harfbuzz_VERSION}")
endif()
