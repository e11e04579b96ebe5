# Included by cmake/deps.cmake: nothing beside what every platform needs. hydra_opengl is what app/gl/gl_api.h includes, with
# its functions.
add_library(hydra_opengl INTERFACE)
target_include_directories(hydra_opengl INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")

# These would be a quarter of what is to be loaded before there is a picture.
set(HYDRA_BESIDE
  assets/documents/grammar_one_head.json
  assets/documents/trained_induction.json
  assets/documents/trained_king.json
  assets/documents/trained_students_1.json
  assets/documents/trained_students_32.json
  assets/documents/trained_students_4.json)
