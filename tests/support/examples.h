// Documents that ship with the program.
#pragma once
#include "core/io/file.h"
#include "tests/support/data.h"

namespace hydra::test {

inline Document example(const std::string& name) {
  return read_document(data("../../assets/documents/" + name + ".json"));
}
// Eight designed heads over named features.
inline Document designed_heads() { return example("heads_designed"); }

}  // namespace hydra::test
