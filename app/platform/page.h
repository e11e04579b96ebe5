// The page that runs the program in a browser, and what stands before # in the links that are copied.
#pragma once
#include <string>

namespace hydra {

std::string page_address();  // empty: none is known
bool in_browser();           // which has keys of its own
bool fingers_point();        // instead of a mouse: what is to be hit is as large as they are

}  // namespace hydra
