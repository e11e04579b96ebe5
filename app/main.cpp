#include "app/cli/about.h"
#include "app/cli/cli.h"
#include "core/linalg/memory.h"

int main(int argc, char** argv) {
  hydra::keep_freed_memory();
  return hydra::run_cli(argc, argv, hydra::kAbout);
}
