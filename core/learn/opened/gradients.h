// The derivatives of a loss by every weight of a document, for its own sentence.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace hydra::learn {

// L = mean((Y - T)^2) over all entries of Y [n x d_model], the last layer's result (of one plain layer its output), and
// its derivatives, in double. Of painted rows and slices there are none, nor of more than 64 tokens: InputError.
struct SquareGradients {
  double loss = 0;
  Mat<double> X;  // [n x d_model] by what the first layer reads
  struct Parameter {
    Site site;
    Mat<double> values;
  };
  std::vector<Parameter> parameters;  // of the layers, in the order of files
  int layers = 1;
};
SquareGradients square_gradients(const Document& document, const Mat<double>& target);

// A target from JSON: rows of numbers, or an object with them under "target". Throws InputError naming the place.
Mat<double> parse_target(std::string_view text, const std::string& name, Index rows, Index cols);

// {"loss", "X", "layers": [{"W_Q": [[...]], ...}]}
std::string gradients_text(const SquareGradients& gradients);

}  // namespace hydra::learn
