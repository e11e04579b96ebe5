# hydra_flags: every flag that must be the same in all of our objects. Eigen's layout depends on the vector flags, so a
# mix of them across a link would corrupt the heap; they stand here and nowhere else.
add_library(hydra_flags INTERFACE)
target_compile_features(hydra_flags INTERFACE cxx_std_20)
target_include_directories(hydra_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(hydra_flags INTERFACE EIGEN_DONT_PARALLELIZE)
target_compile_options(hydra_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
# GCC 12 reports these falsely, in std::variant and std::string of its own library, as soon as it optimises.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(hydra_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-restrict
                         -Wno-array-bounds -Wno-stringop-overread)
endif()
# Never meant: an overload that Clang ranks otherwise than GCC has once called itself, in the page alone.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(hydra_flags INTERFACE -Werror=infinite-recursion -Werror=return-type)
endif()
if(HYDRA_WARNINGS_AS_ERRORS)
  target_compile_options(hydra_flags INTERFACE -Werror)
endif()

# What nearly all files read. A precompiled header fixes how far all who use it are optimised: the core, what draws, and
# the tests have one each.
set(HYDRA_PRECOMPILED <Eigen/Core> <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <set> <sstream>
  <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  "${PROJECT_SOURCE_DIR}/core/linalg/eigen_products.h")

# hydra_optimize(LEVEL): for the targets of this folder, in a release that is built for speed (-O3, which the core needs).
# What draws is as fast with -O2, and compiles in four fifths of the time; tests with -O1 compile in two thirds.
function(hydra_optimize level)
  if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3")
    add_compile_options("$<$<CONFIG:Release>:${level}>")
  endif()
endfunction()

if(CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize=address" AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_library(hydra_keep_modules OBJECT "${PROJECT_SOURCE_DIR}/tests/support/keep_modules.cpp")
  link_libraries($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:hydra_keep_modules>>)
  # Eigen allocates otherwise where it sees that sanitizer, and the files of tests are compiled without it.
  target_compile_definitions(hydra_flags INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=0)
endif()

# What the compiler's library lacks of C++20 stands in compat/.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-std=c++20")
check_cxx_source_compiles("
#include <algorithm>
#include <bit>
#include <charconv>
#include <stop_token>
#include <vector>
int main() {
  std::vector<float> values(3);
  char text[40];
  std::to_chars(text, text + sizeof text, values[0]);
  return std::ranges::count(values, std::bit_cast<float>(1)) > 0 && std::stop_source().get_token().stop_requested();
}" HYDRA_LIBRARY_IS_WHOLE)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT HYDRA_LIBRARY_IS_WHOLE)
  target_include_directories(hydra_flags BEFORE INTERFACE "${PROJECT_SOURCE_DIR}/cmake/compat")
endif()
