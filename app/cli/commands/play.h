// `hydrascope play`: a list of actions, performed without a window, and what there is after it.
#pragma once
#include <string>
#include <vector>

namespace hydra {

struct PlayOptions {
  std::string file;               // as for trace
  std::string actions;            // the list; "-": standard input
  std::vector<std::string> sets;  // of the document, before the list begins
  std::string out = "-";          // the document after it
  std::string scene;              // where it looks after it, as JSON; empty: not written
  std::string picture;            // a PNG of it; empty: none
  std::string size = "1600x1000";
};

// Exit code 0. Throws InputError with the sentence, and its line where one of the list is refused; then nothing is
// written. The same document and list give the same bytes.
int run_play(const PlayOptions& options);

}  // namespace hydra
