// The files that tests read: tests/data.
#pragma once
#include <string>

namespace hydra::test {

std::string data(const std::string& name);  // its path

}  // namespace hydra::test
