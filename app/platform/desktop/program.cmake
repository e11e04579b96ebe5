# Included by app/CMakeLists.txt, whose paths these are: the program, with its command line.
# A command is one file: it is found.
file(GLOB cli_commands RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS cli/commands/*.cpp)
add_library(hydra_cli STATIC
  cli/arguments.cpp
  cli/cli.cpp
  cli/document_options.cpp
  cli/input_note.cpp
  cli/overflow_note.cpp
  cli/picture_size.cpp
  cli/place_options.cpp
  cli/sentences_option.cpp
  ${cli_commands})
target_link_libraries(hydra_cli PUBLIC hydra_app PRIVATE CLI11::CLI11)
target_precompile_headers(hydra_cli REUSE_FROM hydra_views)
hydra_units(hydra_cli)

configure_file(cli/about.cpp.in about.cpp @ONLY)
add_executable(hydrascope main.cpp "${CMAKE_CURRENT_BINARY_DIR}/about.cpp")
target_link_libraries(hydrascope PRIVATE hydra_cli)
