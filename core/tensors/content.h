// What a file is by its content, whatever its name says.
#pragma once
#include <string>

#include "core/files/mapped_file.h"

namespace hydra {

enum class Content {
  empty,
  safetensors,
  gguf,
  npy,
  zip,     // of arrays (npz), or what torch.save writes
  pickle,  // what torch.save wrote before
  tar,     // and what it wrote first
  llama2c,
  git_lfs,  // a few lines in the place of a file
  web_page,
  unknown
};
Content content_of(std::span<const std::byte> bytes);
std::string in_words(Content content);  // "a pickle, as torch.save wrote them before 1.6"

// Throws InputError: what the file is instead, and what is to be done.
[[noreturn]] void fail_other_content(const FileBytes& file, const std::string& wanted);

}  // namespace hydra
