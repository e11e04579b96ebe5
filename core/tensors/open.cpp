#include "core/tensors/open.h"

#include <filesystem>

#include "core/error.h"
#include "core/tensors/content.h"
#include "core/tensors/gguf.h"
#include "core/tensors/llama2c.h"
#include "core/tensors/numpy/npy.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/torch/pt.h"
#include "core/tensors/zip_archive.h"

namespace hydra {

namespace {

bool is_named_as_torch(std::string_view name) {
  return name.ends_with(".pt") || name.ends_with(".pth") || name.ends_with(".bin") || name.ends_with(".ckpt");
}

bool is_of_numpy(const FileBytes& file) {
  for (const ZipEntry& entry : zip_entries(file))
    if (entry.name.ends_with("/data.pkl")) return false;
  return true;
}

}  // namespace

TensorFile read_tensors(const FileBytes& file) {
  const Content content = content_of(file.bytes);
  if (content == Content::safetensors) return read_safetensors(file);
  if (content == Content::gguf) return read_gguf(file);
  if (content == Content::npy) return read_npy(file);
  if (content == Content::llama2c) return read_llama2c(file);
  if (content == Content::zip && is_of_numpy(file)) return read_npz(file);
  if (content == Content::unknown)
    fail_in(file.name,
            "is no file of arrays that is known here; give one of safetensors, GGUF, .npy, .npz, .pt or "
            "llama2.c");
  if (content != Content::zip && content != Content::pickle && content != Content::tar)
    fail_other_content(file, "a file of arrays");
  if (is_named_as_torch(file.name)) return read_pt(file);
  fail_in(file.name,
          "is what torch.save writes, a pickle, whatever its name says; rename it to .pt to have it read as "
          "that, which runs nothing of it");
}

TensorFile open_tensors(const std::string& path) {
  std::error_code ignored;
  if (path.ends_with(".index.json") || std::filesystem::is_directory(path, ignored)) return open_sharded(path);
  return read_tensors(map_file(path));
}

}  // namespace hydra
