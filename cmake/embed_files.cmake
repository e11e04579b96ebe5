# hydra_embed_files(TARGET NAMESPACE FILE...): makes <NAMESPACE>.h/.cpp with one std::string_view per file, looked up by
# name: hydra::NAMESPACE::find("heatmap.frag"), and listed by names(). The build runs it again whenever a file changes.
set(HYDRA_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_files_script.cmake")
function(hydra_embed_files target namespace)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${namespace}.cpp")
  set(inputs ${ARGN})
  list(TRANSFORM inputs PREPEND "${PROJECT_SOURCE_DIR}/")
  string(REPLACE ";" "," joined "${inputs}")
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAMESPACE=${namespace} -DFILES=${joined} -P ${HYDRA_EMBED_SCRIPT}
    DEPENDS ${inputs} ${HYDRA_EMBED_SCRIPT} VERBATIM)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/embedded/${namespace}.h.new"
    "// Made by embed_files.cmake.\n#pragma once\n#include <span>\n#include <string_view>\n"
    "namespace hydra::${namespace} {\n"
    "// The file's bytes; empty when no such file was embedded.\n"
    "std::string_view find(std::string_view name);\n"
    "// In the order of the list in CMakeLists.txt, without their folders.\n"
    "std::span<const std::string_view> names();\n}\n")
  file(COPY_FILE "${CMAKE_CURRENT_BINARY_DIR}/embedded/${namespace}.h.new"
    "${CMAKE_CURRENT_BINARY_DIR}/embedded/${namespace}.h" ONLY_IF_DIFFERENT)
  target_sources(${target} PRIVATE "${out}")
  set_source_files_properties("${out}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
