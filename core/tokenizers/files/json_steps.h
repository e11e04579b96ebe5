// The steps that a tokenizer.json lists. For .cpp files of this folder only.
#pragma once
#include <utility>
#include <vector>

#include "core/json/reader.h"
#include "core/tokenizers/decoder.h"
#include "core/tokenizers/text/cutting.h"
#include "core/tokenizers/text/normalizer.h"

namespace hydra {

// Each appends the steps of a node, which may be null or a Sequence of others. What is not known is an InputError that
// names it.
void read_normalizers(const JsonReader& reader, const Node& node, std::vector<Normalizer>& steps);
void read_cuts(const JsonReader& reader, const Node& node, std::vector<CutStep>& steps);
void read_decoders(const JsonReader& reader, const Node& node, std::vector<Decoder>& steps);

// Ids around the text, the outermost first and last.
struct Template {
  std::vector<std::uint32_t> before, after;
};
void read_template(const JsonReader& reader, const Node& node, Template& around);

// The "type" of an object; of what has none, or is no object, a fault.
std::string type_of(const JsonReader& reader, const Node& node);
std::uint32_t read_id(const JsonReader& reader, const Node& node);

}  // namespace hydra
