// The program in its window.
#pragma once
#include <functional>
#include <string>

namespace hydra {

// Opens the window on the document of the file (empty: the opening document) and runs it until the user quits; where
// run_loop returns before, so does this. Exit code 0. Throws InputError with the sentence when the file or the display
// is not to be had. after_frame is called when a frame has been presented, and returns whether to go on (measurements).
int run_window(const std::string& file, const std::function<bool()>& after_frame = {});

}  // namespace hydra
