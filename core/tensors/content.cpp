#include "core/tensors/content.h"

#include "core/tensors/llama2c.h"
#include "core/tensors/numbers.h"

namespace hydra {

namespace {

// A header's length that could be one, and its first character.
bool begins_as_safetensors(std::span<const std::byte> bytes) {
  return bytes.size() >= 9 && load<std::uint64_t>(bytes.data()) <= 0xFFFFFFFFu && bytes[8] == std::byte{'{'};
}

}  // namespace

Content content_of(std::span<const std::byte> bytes) {
  using namespace std::string_view_literals;
  const std::string_view text = text_of(bytes);
  if (text.empty()) return Content::empty;
  if (text.starts_with("GGUF")) return Content::gguf;
  if (text.starts_with("\x93NUMPY")) return Content::npy;
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) return Content::zip;
  if (begins_as_safetensors(bytes)) return Content::safetensors;
  if (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5) return Content::pickle;
  if (text.size() > 262 && text.substr(257, 5) == "ustar") return Content::tar;
  if (text.starts_with("version https://git-lfs")) return Content::git_lfs;
  const std::string_view begin = text.substr(0, 200);
  if (begin.find("<!DOCTYPE") != begin.npos || begin.find("<html") != begin.npos) return Content::web_page;
  return is_llama2c(bytes) ? Content::llama2c : Content::unknown;
}

std::string in_words(Content content) {
  switch (content) {
    case Content::empty:
      return "empty";
    case Content::safetensors:
      return "a safetensors file";
    case Content::gguf:
      return "a GGUF file";
    case Content::npy:
      return "a NumPy array (.npy)";
    case Content::zip:
      return "a zip archive, as torch.save (.pt) and NumPy (.npz) write them";
    case Content::pickle:
      return "a pickle, as torch.save (.pt) wrote them before 1.6";
    case Content::tar:
      return "a tar archive, as the first torch.save (.pt) wrote them";
    case Content::llama2c:
      return "a checkpoint of llama2.c";
    case Content::git_lfs:
      return "a pointer of Git LFS in the place of the file";
    case Content::web_page:
      return "a web page";
    case Content::unknown:
      break;
  }
  return "something else";
}

void fail_other_content(const FileBytes& file, const std::string& wanted) {
  const Content content = content_of(file.bytes);
  std::string remedy = "open it as what it is";
  if (content == Content::git_lfs || content == Content::web_page || content == Content::empty)
    remedy = "download the file itself";
  if (content == Content::unknown)
    fail_in(file.name, "is not " + wanted +
                           ", nor another file of arrays that is known here; give one of safetensors, "
                           "GGUF, .npy, .npz, .pt or llama2.c");
  if (content == Content::pickle || content == Content::tar) remedy = "rename it to .pt to have it read as that";
  fail_in(file.name, "is " + in_words(content) + ", and not " + wanted + "; " + remedy);
}

}  // namespace hydra
