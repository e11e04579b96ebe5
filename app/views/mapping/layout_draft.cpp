#include "app/views/mapping/layout_draft.h"

#include <algorithm>
#include <filesystem>

#include "core/checkpoints/family.h"
#include "core/error.h"
#include "core/text/wording.h"

namespace hydra {

void LayoutDraft::settle() {
  check = check_layout(layout, *model);
  parts.clear();
  for (const LayoutPlace& place : places_of(layout))
    parts[place.key()] = suggested_parts(place, check, groups, suggested);
}

LayoutDraft begun_draft(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  LayoutDraft draft;
  draft.path = path;
  draft.file = fs::is_directory(path, ignored) ? (fs::path(path) / "layout.json").string() : path + ".layout.json";
  Checkpoint checkpoint = read_checkpoint(path);
  draft.name = checkpoint.name;
  draft.model = std::make_shared<const TensorFile>(std::move(checkpoint.tensors));
  const TensorFile& file = *draft.model;
  if (file.tensors.empty()) throw InputError(path + ": holds no arrays that could be laid out");
  draft.groups = array_groups(file);
  draft.suggested = suggested_layout(file, checkpoint.config);
  draft.layout = draft.suggested;
  try {
    if (is_layout(checkpoint.config)) draft.layout = layout_of(checkpoint.config);
  } catch (const InputError&) {  // it is begun anew
  }
  draft.settle();
  return draft;
}

std::string sentence_of(const LayoutDraft& draft) {
  const LayoutCheck& check = draft.check;
  if (!check.faults.empty()) return wording("mapping:fault", {{"fault", sentence_of(check.faults.front())}});
  const std::size_t all = draft.model->tensors.size();
  if (!check.unread.empty())
    return wording("mapping:unread", {{"n", check.unread.size()}, {"names", listed_names(check.unread)}});
  const auto ignored = std::ranges::count_if(check.used, [](const auto& use) { return use.second == "ignored"; });
  return wording("mapping:whole", {{"n", all - static_cast<std::size_t>(ignored)},
                                   {"all", all},
                                   {"ignored", ignored},
                                   {"layers", check.layers},
                                   {"d_model", check.d_model},
                                   {"heads", check.layer.heads},
                                   {"words", check.words}});
}

std::string fault_at(const LayoutDraft& draft, const LayoutPlace& place) {
  const std::string key = place.key(), name = entry_of(place.quantity).key;
  if (place.needed && !draft.layout.arrays.contains(key) &&
      std::ranges::find(draft.check.faults, LayoutFault{"arrays", "has no entry “" + key + "”"}) !=
          draft.check.faults.end())
    return wording("mapping:nothing_yet");
  for (const LayoutFault& fault : draft.check.faults) {
    const bool of_one = place.of_layer && fault.key.starts_with("arrays.layers.") && fault.key.ends_with("." + name);
    if (fault.key == "arrays." + key) return wording("mapping:this_one", {{"fault", fault.what}});
    if (of_one) return sentence_of(fault);
  }
  return "";
}

}  // namespace hydra
