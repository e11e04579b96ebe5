// A head design as JSON: the preset it came from, and the fields that differ from it, so that a preset with another
// sharpness is {"preset": "previous", "sharpness": 30}.
//
//   {"preset": "none", "asks": [{"query": ["pronoun"], "key": ["noun", ["place", -0.5]], "strength": 2}],
//    "same_word": 1, "slot_word": 0, "kernels": [{"offset": -1, "strength": 1, "first_wave": 0, "waves": 4}],
//    "place": null, "sharpness": 20, "carries": "word",
//    "writes": [{"reads": ["can-be-heavy"], "writes": ["can-be-heavy"], "strength": 1}]}
//
// A feature whose weight is 1 is written as its name alone. Everything has a default: the preset's.
#pragma once
#include <string>

#include "core/design/head_design.h"
#include "core/json/reader.h"

namespace hydra {

// Throws InputError, with the place.
HeadDesign read_design(const JsonReader& read, const Node& node);
// One line; reads back to an equal design.
std::string write_design(const HeadDesign& design);

}  // namespace hydra
