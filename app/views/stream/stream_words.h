// What the Stream view says in words.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/context.h"
#include "core/analysis/stream/stream.h"

namespace hydra {

// "head 3", "after layer 2": where it stands between the lines of its layer.
std::string stream_line_name(const StreamLayer& layer, int line, bool only_layer);
// "Head 3 of layer 2 adds Z₃": a sentence of its own.
std::string stream_line_sentence(const Frame& frame, const StreamLayer& layer, int line);
// "size 1.23", "12 % of its sum", "cosine to X 0.93": those that there are, of a token.
std::string stream_numbers(const StreamLayer& layer, int line, Index token);
std::string stream_percent(double share);  // "12 %"; "–" for none
std::string stream_cosine(double cosine);  // "0.93"; "–" for none
// What a vector is read as: with named features the strongest that it writes, "noun 0.92, animate −0.41". Empty where
// the columns have no names.
std::string read_as(const Frame& frame, MatView<float> row, int most);
// The same with how much of the vector that is, a sentence.
std::string read_as_sentence(const Frame& frame, MatView<float> row);
// That layers without a residual sum keep nothing of what enters, shorter from one to the next; none where all carry
// it.
std::vector<std::string> residual_notes(const Trace& trace);

}  // namespace hydra
