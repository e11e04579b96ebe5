# stb::stb where the system ships the stb headers under <stb/...>.
find_path(STB_INCLUDE_DIR stb/stb_image_write.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(stb REQUIRED_VARS STB_INCLUDE_DIR)
if(stb_FOUND AND NOT TARGET stb::stb)
  add_library(hydra_stb INTERFACE)
  target_include_directories(hydra_stb SYSTEM INTERFACE "${STB_INCLUDE_DIR}")
  add_library(stb::stb ALIAS hydra_stb)
endif()
