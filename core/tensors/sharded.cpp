#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/json/json.h"
#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/torch/pt.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The index of a folder, or the one file that it has.
std::string found_in(const std::string& folder) {
  for (const char* const name :
       {"model.safetensors.index.json", "model.safetensors", "pytorch_model.bin.index.json", "pytorch_model.bin"})
    if (exists(folder + "/" + name)) return folder + "/" + name;
  fail_in(
      folder,
      "is a directory that holds neither model.safetensors nor model.safetensors.index.json; name the file that holds "
      "the model");
}

struct Wanted {
  std::string_view tensor, shard;
};

// What the index says, each shard's together.
std::vector<Wanted> wanted_by(const Json& root, const std::string& path) {
  const Json* const map = root.find("weight_map");
  if (!map || !map->is_object()) fail_in(path, "must have weight_map, an object; give the index of a sharded model");
  std::vector<Wanted> wanted;
  wanted.reserve(map->size());
  for (auto at = map->begin(); at != map->end(); ++at) {
    const std::string place = pointer_to("/weight_map", at.key());
    if (!at->is_string()) fail_in(path, place + " must be the name of a file, not " + in_words(*at));
    const std::string_view shard = at->text();
    if (shard.empty() || shard.find_first_of("/\\") != shard.npos || shard == "." || shard == ".." ||
        shard.find('\0') != shard.npos)
      fail_in(path, place + " must name a file beside the index, not " + in_quotes(shard));
    wanted.push_back({at.key(), shard});
  }
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    return a.shard != b.shard ? a.shard < b.shard : a.tensor < b.tensor;
  });
  return wanted;
}

}  // namespace

TensorFile open_sharded(const std::string& path) {
  std::error_code ignored;
  const std::string index = fs::is_directory(path, ignored) ? found_in(path) : path;
  const bool torch = fs::path(index).filename().string().starts_with("pytorch_model");
  const auto open_one = [&](const std::string& file) { return torch ? open_pt(file) : open_safetensors(file); };
  if (!index.ends_with(".json")) return open_one(index);
  const FileBytes file = map_file(index);
  if (text_of(file.bytes).find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail_in(index, "is empty; download it again");
  const JsonTree tree =
      parse_json(text_of(file.bytes), printable(index, 200), file.bytes.size() / 2 + 1, JsonNumbers::doubles);
  const std::vector<Wanted> wanted = wanted_by(tree.root(), index);
  TensorFile result{index, {}, {}, {}};
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<std::string> missing;
  for (std::size_t k = 0; k < wanted.size();) {
    const std::string_view name = wanted[k].shard;
    const std::string shard_path = (fs::path(index).parent_path() / std::string(name)).string();
    if (!exists(shard_path))
      fail_in(index, "names the file " + in_quotes(name) + ", which is not beside it; download that as well");
    TensorFile shard = open_one(shard_path);
    owners.push_back(std::move(shard.owner));
    for (; k < wanted.size() && wanted[k].shard == name; ++k) {
      if (const Tensor* const tensor = shard.find(wanted[k].tensor))
        result.tensors.push_back(*tensor);
      else
        missing.emplace_back(wanted[k].tensor);
    }
    if (result.metadata.empty()) result.metadata = std::move(shard.metadata);
  }
  if (!missing.empty()) {
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(missing.size(), 5); ++k)
      names += (k > 0 ? ", " : "") + in_quotes(missing[k]);
    fail_in(index, "names tensors that their files do not have (" + std::to_string(missing.size()) + "): " + names +
                       (missing.size() > 5 ? ", ..." : "") + "; download all files of one version");
  }
  result.owner = std::make_shared<const std::vector<std::shared_ptr<const void>>>(std::move(owners));
  sort_tensors(result);
  return result;
}

}  // namespace hydra
