# Dependencies: the system's packages first, pinned sources where there are none (other systems). The ranges say what the
# code was written for; a system that is too new gets the pinned sources too.
include(FetchContent)
find_package(Threads REQUIRED)

FetchContent_Declare(Eigen3
  URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
  URL_HASH SHA256=8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS 3.4 CONFIG)
FetchContent_Declare(nlohmann_json
  URL https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz
  URL_HASH SHA256=8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f
  FIND_PACKAGE_ARGS 3.9 CONFIG)
FetchContent_Declare(imgui
  GIT_REPOSITORY https://github.com/ocornut/imgui.git
  GIT_TAG 512c54bbc062c41c74f8a8bd8ff1fd6bebd1e6d0  # 1.86
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS MODULE)
FetchContent_Declare(stb
  GIT_REPOSITORY https://github.com/nothings/stb.git
  GIT_TAG 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS MODULE)
FetchContent_Declare(ZLIB
  GIT_REPOSITORY https://github.com/madler/zlib.git
  GIT_TAG 04f42ceca40f73e2978b50e93806c2a18c1281fc  # 1.2.13
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS 1.2 MODULE)
FetchContent_Declare(minizip  # of zlib's sources
  GIT_REPOSITORY https://github.com/madler/zlib.git
  GIT_TAG 04f42ceca40f73e2978b50e93806c2a18c1281fc  # 1.2.13
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS MODULE)
FetchContent_Declare(PCRE2
  GIT_REPOSITORY https://github.com/PCRE2Project/pcre2.git
  GIT_TAG 52c08847921a324c804cabf2814549f50bce1265  # 10.42
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS 10.30 MODULE)
FetchContent_Declare(utf8proc
  GIT_REPOSITORY https://github.com/JuliaStrings/utf8proc.git
  GIT_TAG 1cb28a66ca79a0845e99433fd1056257456cef8b  # 2.8.0
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS 2.2 MODULE)
FetchContent_Declare(md
  URL https://archive.hadrons.org/software/libmd/libmd-1.0.4.tar.xz
  URL_HASH SHA256=f51c921042e34beddeded4b75557656559cf5b1f2448033b4c1eec11c07e530f
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS MODULE)
FetchContent_Declare(Catch2
  GIT_REPOSITORY https://github.com/catchorg/Catch2.git
  GIT_TAG 182c910b4b63ff587a3440e08f84f70497e49a81  # 2.13.10
  FIND_PACKAGE_ARGS 2.13 CONFIG)
set(hydra_pinned "Eigen3 3.4.0" "nlohmann_json 3.11.2" "imgui 1.86" "stb 8b5f1f37" "ZLIB 1.2.13" "minizip 1.2.13"
  "PCRE2 10.42" "utf8proc 2.8.0" "md 1.0.4" "Catch2 2.13.10")
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # their option() must see these
set(CATCH_BUILD_STATIC_LIBRARY ON)
set(hydra_packages Eigen3 nlohmann_json ZLIB minizip PCRE2 utf8proc md imgui stb)
set(hydra_platform_libraries "")  # as they are to be named below
include("${PROJECT_SOURCE_DIR}/app/platform/${HYDRA_PLATFORM}/deps.cmake")
if(HYDRA_DEVELOPER_MODE)
  list(APPEND hydra_packages Catch2)
endif()
FetchContent_MakeAvailable(${hydra_packages})

# No warnings from headers that are not ours. (The SYSTEM word of FetchContent_Declare spoils GIT_TAG in CMake 3.25.1.)
foreach(target nlohmann_json CLI11 glfw Catch2)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES SYSTEM ON)
  endif()
endforeach()

if(NOT TARGET Eigen3::Eigen)
  add_library(hydra_eigen INTERFACE)
  target_include_directories(hydra_eigen SYSTEM INTERFACE "${eigen3_SOURCE_DIR}")
  add_library(Eigen3::Eigen ALIAS hydra_eigen)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)  # its headers alone
  add_library(hydra_json INTERFACE)
  target_include_directories(hydra_json SYSTEM INTERFACE "${nlohmann_json_SOURCE_DIR}/include")
  add_library(nlohmann_json::nlohmann_json ALIAS hydra_json)
endif()
if(NOT TARGET imgui::imgui)
  add_library(hydra_imgui STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp)
  target_include_directories(hydra_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/misc/cpp)
  add_library(imgui::imgui ALIAS hydra_imgui)
endif()
if(NOT TARGET ZLIB::ZLIB)
  file(GLOB hydra_zlib_sources "${zlib_SOURCE_DIR}/*.c")
  add_library(hydra_zlib STATIC ${hydra_zlib_sources})
  target_include_directories(hydra_zlib SYSTEM PUBLIC "${zlib_SOURCE_DIR}")
  target_compile_definitions(hydra_zlib PRIVATE HAVE_UNISTD_H)
  add_library(ZLIB::ZLIB ALIAS hydra_zlib)
endif()
if(NOT TARGET minizip::minizip)
  set(from "${minizip_SOURCE_DIR}/contrib/minizip")
  add_library(hydra_minizip STATIC "${from}/ioapi.c" "${from}/unzip.c" "${from}/zip.c")
  target_include_directories(hydra_minizip SYSTEM PUBLIC "${minizip_SOURCE_DIR}/contrib")  # for <minizip/...>
  target_compile_definitions(hydra_minizip PRIVATE NOCRYPT NOUNCRYPT IOAPI_NO_64 USE_FILE32API)  # it opens no file itself
  target_link_libraries(hydra_minizip PUBLIC ZLIB::ZLIB)
  add_library(minizip::minizip ALIAS hydra_minizip)
endif()
if(NOT TARGET PCRE2::8BIT)  # its own build would need more than its sources; it names these, and three copies
  set(generated "${FETCHCONTENT_BASE_DIR}/pcre2-generated")
  configure_file("${pcre2_SOURCE_DIR}/src/config.h.generic" "${generated}/config.h" COPYONLY)
  configure_file("${pcre2_SOURCE_DIR}/src/pcre2.h.generic" "${generated}/pcre2.h" COPYONLY)
  configure_file("${pcre2_SOURCE_DIR}/src/pcre2_chartables.c.dist" "${generated}/pcre2_chartables.c" COPYONLY)
  add_library(hydra_pcre2 STATIC "${generated}/pcre2_chartables.c")
  foreach(part auto_possess compile config context convert dfa_match error extuni find_bracket jit_compile maketables
      match match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring tables ucd
      valid_utf xclass)
    target_sources(hydra_pcre2 PRIVATE "${pcre2_SOURCE_DIR}/src/pcre2_${part}.c")
  endforeach()
  target_include_directories(hydra_pcre2 SYSTEM PUBLIC "${generated}" PRIVATE "${pcre2_SOURCE_DIR}/src")
  target_compile_definitions(hydra_pcre2 PUBLIC PCRE2_STATIC
    PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_UNICODE)
  add_library(PCRE2::8BIT ALIAS hydra_pcre2)
endif()
if(NOT TARGET utf8proc::utf8proc)
  add_library(hydra_utf8proc STATIC "${utf8proc_SOURCE_DIR}/utf8proc.c")
  target_include_directories(hydra_utf8proc SYSTEM PUBLIC "${utf8proc_SOURCE_DIR}")
  target_compile_definitions(hydra_utf8proc PUBLIC UTF8PROC_STATIC)
  add_library(utf8proc::utf8proc ALIAS hydra_utf8proc)
endif()
if(NOT TARGET md::md)  # of it SHA-2 alone, which needs nothing of what its configure finds out
  file(WRITE "${FETCHCONTENT_BASE_DIR}/md-generated/config.h" "")
  add_library(hydra_md STATIC "${md_SOURCE_DIR}/src/sha2.c")
  target_include_directories(hydra_md SYSTEM PUBLIC "${md_SOURCE_DIR}/include" PRIVATE "${md_SOURCE_DIR}/src"
    "${FETCHCONTENT_BASE_DIR}/md-generated")
  add_library(md::md ALIAS hydra_md)
endif()
if(NOT TARGET stb::stb)
  add_library(hydra_stb INTERFACE)
  target_include_directories(hydra_stb SYSTEM INTERFACE "${FETCHCONTENT_BASE_DIR}")  # for <stb/...>
  file(MAKE_DIRECTORY "${FETCHCONTENT_BASE_DIR}")
  file(CREATE_LINK "${stb_SOURCE_DIR}" "${FETCHCONTENT_BASE_DIR}/stb" SYMBOLIC)
  add_library(stb::stb ALIAS hydra_stb)
endif()
if(catch2_SOURCE_DIR)
  list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/contrib")  # for include(Catch)
endif()

# What was found, in two lines that the scripts show too, and what of it the program says of itself.
set(hydra_from_system "")
set(hydra_from_sources "")
foreach(package IN LISTS hydra_packages)
  string(TOLOWER "${package}" lower)
  if(${lower}_SOURCE_DIR)
    set(pinned ${hydra_pinned})
    list(FILTER pinned INCLUDE REGEX "^${package} ")
    list(APPEND hydra_from_sources ${pinned})
  elseif(${package}_VERSION OR ${package}_VERSION_STRING)
    list(APPEND hydra_from_system "${package} ${${package}_VERSION}${${package}_VERSION_STRING}")
  else()
    list(APPEND hydra_from_system "${package}")
  endif()
endforeach()
list(APPEND hydra_from_system ${hydra_platform_libraries})
set(hydra_libraries ${hydra_from_system} ${hydra_from_sources})
list(FILTER hydra_libraries EXCLUDE REGEX "^Catch2")
list(JOIN hydra_libraries ", " hydra_libraries)
list(JOIN hydra_from_system ", " hydra_from_system)
list(JOIN hydra_from_sources ", " hydra_from_sources)
message(STATUS "Hydrascope ${HYDRA_VERSION}, ${CMAKE_BUILD_TYPE}, with the system's ${hydra_from_system}")
if(hydra_from_sources)
  message(STATUS "Hydrascope builds these from pinned sources: ${hydra_from_sources}")
endif()
