// The page that runs the program in a browser, and what stands before # in the links that are copied.
#pragma once
#include <string>

namespace hydra {

std::string page_address();  // empty: none is known
bool in_browser();           // which has keys of its own

}  // namespace hydra
