// Files of arrays: every file is refused with one sentence, or all of its numbers can be read. The first byte of an
// input says which reader gets the rest.
#include "core/error.h"
#include "core/files/utf8.h"
#include "core/tensors/gguf.h"
#include "core/tensors/llama2c.h"
#include "core/tensors/numbers.h"
#include "core/tensors/numpy/npy.h"
#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/torch/pt.h"
#include "tests/core/tensors/made_files.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

TensorFile read_by(std::size_t kind, std::string content) {
  const auto file = [&] { return in_memory("f.pt", std::move(content)); };
  switch (kind) {
    case 0:
      return read_safetensors(file());
    case 1:
      return read_npy(file());
    case 2:
      return read_npz(file());
    case 3:
      return read_gguf(file());
    case 4:
      return read_pt(file());
    case 5:
      return read_llama2c(file());
    case 6:  // a pickle alone, with a storage of 48 bytes
      return read_pt(in_memory("f", made::pt(content, {std::string(48, '\x3F')})));
    case 7:  // a header alone
      return read_safetensors(in_memory("f", made::safetensors(content, std::string(16, '\0'))));
    case 8:
      return read_npy(in_memory("f", made::npy(content, std::string(16, '\0'))));
    default:
      return read_tensors(file());
  }
}

void check_file(const TensorFile& file, std::size_t input, std::string_view text) {
  std::size_t metadata = 0;
  for (const auto& [key, value] : file.metadata) metadata += key.size() + sizeof value;
  law(metadata <= (std::size_t{64} << 20) + 200 * input, "metadata is a small multiple of the file", text);
  const Tensor* last = nullptr;
  for (const Tensor& tensor : file.tensors) {
    law(is_utf8(tensor.name), "names are text", text);
    law(last == nullptr || last->name < tensor.name, "names are sorted, none is there twice", text);
    law(file.find(tensor.name) == &tensor, "a tensor is found by its name", text);
    last = &tensor;
    const auto count = count_of_shape(tensor.shape);
    law(count && *count == static_cast<std::uint64_t>(count_of(tensor)), "a shape can be counted", text);
    law(tensor.strides.empty() || tensor.strides.size() == tensor.shape.size(), "every dimension has a stride", text);
    if (tensor.strides.empty())
      law(bytes_for(tensor.type, *count) == tensor.bytes.size(), "a tensor has the bytes of its shape", text);
    std::vector<float> piece(1000);
    for (Index first = 0; first < count_of(tensor); first += 1000)
      to_floats(tensor, first,
                std::span(piece).first(static_cast<std::size_t>(std::min<Index>(1000, count_of(tensor) - first))));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::size_t kind = bytes.byte() % 10;
  const std::string content(bytes.rest());
  std::optional<TensorFile> file;
  try {
    file = read_by(kind, content);
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), content);
  }
  if (file) check_file(*file, content.size(), content);
  return 0;
}
