#include <cstdio>

#include "core/document/evaluate.h"

int main() {
  const auto trace = hydra::evaluate(hydra::default_document());
  std::printf("%zu tokens, Y[0,0] = %g\n", trace->tokens.size(), static_cast<double>((*trace->layers[0].output)(0, 0)));
}
