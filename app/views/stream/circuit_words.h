// What the Circuit page says in words.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/context.h"

namespace hydra {

const std::string& into_words(Into into);               // "into the query"
std::string line_key(const CircuitLine& line);          // of the line, in whatever language
std::string line_name(const CircuitLine& line);         // "1.3 → query of 2.5": layer and head
std::string line_title(const CircuitLine& line);        // "Head 3 of layer 1 → query of head 5 of layer 2"
std::string composed_formula(const CircuitLine& line);  // "W_V W_O of 1.3 times W_Q W_Kᵀ of 2.5."
// What the rows and the columns of the product are, shorter from one to the next.
std::vector<std::string> composed_axes(const CircuitLine& line);
// "0.62, 3.5 times what random heads reach on average; of these 0.1 % reach it": and of the other two of the pair.
std::vector<std::string> line_numbers(const Circuit& circuit, const CircuitLine& line);
// What the threshold lets pass, shorter from one to the next.
std::vector<std::string> threshold_words(const Circuit& circuit, double least, std::size_t lines, std::size_t of);
// What the lines do not know, of this stack; shorter from one to the next.
std::vector<std::string> circuit_notes(const Trace& trace);

}  // namespace hydra
