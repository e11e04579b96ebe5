#include <algorithm>

#include "core/files/printable.h"
#include "core/json/json.h"
#include "core/tensors/row_major.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/safetensors_types.h"

namespace hydra {

namespace {

std::string_view safetensors_word(const std::string& path, const Tensor& tensor) {
  for (const auto& [word, type] : kSafetensorsTypes)
    if (type == tensor.type) return word;
  fail_in(path, "safetensors have no " + std::string(name_of(tensor.type)) + ", which tensor " +
                    in_quotes(tensor.name) + " is; convert it to f32");
}

}  // namespace

void write_safetensors(const std::string& path, const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> order = sorted_for_writing(path, tensors);
  std::stable_sort(order.begin(), order.end(),
                   [](const Tensor* a, const Tensor* b) { return block_of(a->type).bytes > block_of(b->type).bytes; });
  std::string header = R"({"__metadata__":{"format":"pt"})";
  std::uint64_t at = 0;
  for (const Tensor* const tensor : order) {
    header += ',';
    append_string(header, tensor->name);
    header += R"(:{"dtype":")" + std::string(safetensors_word(path, *tensor)) + R"(","shape":[)";
    for (std::size_t d = 0; d < tensor->shape.size(); ++d)
      header += (d > 0 ? "," : "") + std::to_string(tensor->shape[d]);
    const std::uint64_t bytes = *bytes_for(tensor->type, static_cast<std::uint64_t>(count_of(*tensor)));
    header += R"(],"data_offsets":[)" + std::to_string(at) + "," + std::to_string(at + bytes) + "]}";
    at += bytes;
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  if (header.size() > kMostSafetensorsHeader)
    fail_in(path, "would have a header of more than " + std::to_string(kMostSafetensorsHeader) +
                      " bytes, which nobody reads; write the tensors into several files");
  const std::uint64_t length = header.size();
  write_whole(path, [&](const Sink& sink) {
    sink({reinterpret_cast<const char*>(&length), sizeof length});
    sink(header);
    for (const Tensor* const tensor : order) write_row_major(*tensor, sink);
  });
}

}  // namespace hydra
