#include "app/cli/cli.h"

int main(int argc, char** argv) { return hydra::run_cli(argc, argv); }
