# Included by app/CMakeLists.txt, whose paths these are: the program, with its command line.
add_library(hydra_cli STATIC
  cli/analyze_command.cpp
  cli/cli.cpp
  cli/measure_command.cpp
  cli/link_command.cpp
  cli/input_note.cpp
  cli/overflow_note.cpp
  cli/picture_size.cpp
  cli/place_options.cpp
  cli/play_command.cpp
  cli/render_command.cpp
  cli/sweep_command.cpp
  cli/fit_command.cpp
  cli/gradients_command.cpp
  cli/train_command.cpp
  cli/trace_command.cpp)
target_link_libraries(hydra_cli PUBLIC hydra_app PRIVATE CLI11::CLI11)
target_precompile_headers(hydra_cli REUSE_FROM hydra_core)
hydra_units(hydra_cli)

configure_file(cli/about.cpp.in about.cpp @ONLY)
add_executable(hydrascope main.cpp "${CMAKE_CURRENT_BINARY_DIR}/about.cpp")
target_link_libraries(hydrascope PRIVATE hydra_cli)
