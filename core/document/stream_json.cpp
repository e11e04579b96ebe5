#include "core/document/stream_json.h"

namespace hydra {

namespace {

void by_token(JsonWriter& out, std::string_view name, const Mat<double>& numbers, Index line) {
  std::vector<double> column(static_cast<std::size_t>(numbers.rows()));
  for (Index t = 0; t < numbers.rows(); ++t) column[static_cast<std::size_t>(t)] = numbers(t, line);
  out.numbers(name, column);
}

}  // namespace

void write_stream(const StreamLayer& layer, JsonWriter& out) {
  out.key("stream").text += '[';
  for (std::size_t k = 0; k < layer.lines.size(); ++k) {
    const StreamLine& line = layer.lines[k];
    if (k > 0) out.line();
    out.text += '{';
    out.string("vector", spelled(line.site));
    if (line.part_of != StreamLine::kOfNone)
      out.string("part_of", spelled(layer.lines[static_cast<std::size_t>(line.part_of)].site));
    by_token(out, "size", layer.size, static_cast<Index>(k));
    if (line.part_of != StreamLine::kOfNone) by_token(out, "share", layer.share, static_cast<Index>(k));
    by_token(out, "cosine", layer.cosine, static_cast<Index>(k));
    out.text += '}';
  }
  out.text += ']';
}

}  // namespace hydra
