// The page that runs the program in a browser: what stands before # in the links that are copied.
#pragma once
#include <string>

namespace hydra {

std::string page_address();  // empty: none is known

}  // namespace hydra
