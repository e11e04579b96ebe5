#include "app/cli/gradients_command.h"

#include "app/cli/input_note.h"
#include "core/document/file.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/learn/gradients.h"

namespace hydra {

int run_gradients(const GradientsOptions& options) {
  if (options.loss != "mse") throw InputError("--loss: \"" + options.loss + "\" is none; there is mse");
  const Document document = read_document(options.file, options.sets);
  note_input(document);
  const auto tokens = static_cast<Index>(tokens_of(document).size());
  const Mat<double> target = learn::parse_target(read_whole(options.target), options.target, tokens, document.d_model);
  write_whole(options.out, learn::gradients_text(learn::square_gradients(document, target)) + "\n");
  return 0;
}

}  // namespace hydra
