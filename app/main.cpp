#include <csignal>

#include "app/cli/about.h"
#include "app/cli/cli.h"
#include "core/linalg/memory.h"

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more is a sentence, as on a full disk
#endif
  hydra::keep_freed_memory();
  return hydra::run_cli(argc, argv, hydra::kAbout);
}
