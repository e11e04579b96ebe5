# Dependencies: the system's packages first, pinned sources where there are none (other systems).
include(FetchContent)
find_package(PkgConfig)
find_package(Threads REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)

FetchContent_Declare(Eigen3
  URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
  URL_HASH SHA256=8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72
  SOURCE_SUBDIR none SYSTEM
  FIND_PACKAGE_ARGS CONFIG)
FetchContent_Declare(nlohmann_json
  URL https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz
  URL_HASH SHA256=8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f
  SYSTEM FIND_PACKAGE_ARGS 3.9 CONFIG)
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.3.2
  SYSTEM FIND_PACKAGE_ARGS 2.1 CONFIG)
FetchContent_Declare(glfw3
  GIT_REPOSITORY https://github.com/glfw/glfw.git GIT_TAG 3.3.8
  SYSTEM FIND_PACKAGE_ARGS 3.3 CONFIG)
FetchContent_Declare(imgui
  GIT_REPOSITORY https://github.com/ocornut/imgui.git GIT_TAG v1.86
  SOURCE_SUBDIR none SYSTEM
  FIND_PACKAGE_ARGS MODULE)
FetchContent_Declare(stb
  GIT_REPOSITORY https://github.com/nothings/stb.git GIT_TAG 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55
  SOURCE_SUBDIR none SYSTEM
  FIND_PACKAGE_ARGS MODULE)
set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_INSTALL OFF)
FetchContent_MakeAvailable(Eigen3 nlohmann_json CLI11 glfw3 imgui stb)

if(NOT TARGET Eigen3::Eigen)
  add_library(hydra_eigen INTERFACE)
  target_include_directories(hydra_eigen SYSTEM INTERFACE "${eigen3_SOURCE_DIR}")
  add_library(Eigen3::Eigen ALIAS hydra_eigen)
endif()
if(NOT TARGET imgui::imgui)
  add_library(hydra_imgui STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp)
  target_include_directories(hydra_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/misc/cpp)
  target_link_libraries(hydra_imgui PUBLIC glfw OpenGL::GL ${CMAKE_DL_LIBS})
  add_library(imgui::imgui ALIAS hydra_imgui)
endif()
if(NOT TARGET stb::stb)
  add_library(hydra_stb INTERFACE)
  target_include_directories(hydra_stb SYSTEM INTERFACE "${FETCHCONTENT_BASE_DIR}")  # for <stb/...>
  file(CREATE_LINK "${stb_SOURCE_DIR}" "${FETCHCONTENT_BASE_DIR}/stb" SYMBOLIC)
  add_library(stb::stb ALIAS hydra_stb)
endif()

# libepoxy has no sources here: every system that has OpenGL packages it.
pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)

# A BLAS with a C interface doubles the speed of large products; without one Eigen multiplies everything.
pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)
option(HYDRA_BLAS "Use OpenBLAS for large matrix products where it is installed" ON)

if(HYDRA_DEVELOPER_MODE)
  FetchContent_Declare(Catch2
    GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v2.13.10
    SYSTEM FIND_PACKAGE_ARGS CONFIG)
  FetchContent_MakeAvailable(Catch2)
endif()
