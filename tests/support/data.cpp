#include "tests/support/data.h"

namespace hydra::test {

std::string data(const std::string& name) { return HYDRA_TEST_DATA "/" + name; }

}  // namespace hydra::test
