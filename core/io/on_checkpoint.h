// A document of a model's checkpoint, over another checkpoint of the same training (checkpoints/series.h).
#pragma once
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hydra {

// The matrices that edits have changed as a whole, "layers.0.W_Q", or layers that are cut otherwise than in the file,
// "layers.0": over another checkpoint they stay as they are, and show nothing of it. Of other edits the numbers that
// were set stay, and all around them is the checkpoint's. The document is of a file.
std::vector<std::string> changed_whole(const Document& document);

// The sentence and all else of the document over that checkpoint. with_edits: of weights; else its numbers stand there
// as they are. Throws InputError: it is gone, or is another model.
Document on_checkpoint(const Document& document, const std::string& path, bool with_edits);

}  // namespace hydra
