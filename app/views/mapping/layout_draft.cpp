#include "app/views/mapping/layout_draft.h"

#include <algorithm>
#include <filesystem>
#include <span>

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

std::string place_called(const std::string& key) {
  constexpr std::string_view kLayers = "layers.";
  const bool of_layer = key.starts_with(kLayers);
  const std::size_t begin = of_layer ? kLayers.size() : 0, dot = of_layer ? key.find('.', begin) : std::string::npos;
  const std::string number = key.substr(begin, of_layer ? dot - begin : 0), name = key.substr(of_layer ? dot + 1 : 0);
  const std::span<const Quantity> all = of_layer ? std::span<const Quantity>(kWeights) : kModelWeights;
  const auto at = std::ranges::find_if(all, [&](Quantity p) { return entry_of(p).key == name; });
  if (at == all.end()) return key;
  if (number.empty() || number == "*") return entry_of(*at).letter;
  const bool counts = number.size() <= 4 && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  if (!counts) return key;
  return wording("mapping:place.of_layer", {{"place", entry_of(*at).letter}, {"layer", std::stoi(number) + 1}});
}

namespace {

constexpr std::string_view kOfArrays = "arrays.", kNoEntry = "has no entry “";

// The file's words for what is wrong, in the window's.
std::string told(const LayoutFault& fault) {
  if (fault.key == "arrays" && fault.what.starts_with(kNoEntry)) {
    const std::string key = fault.what.substr(kNoEntry.size(), fault.what.rfind("”") - kNoEntry.size());
    return wording("mapping:fault.nothing", {{"place", place_called(key)}});
  }
  if (fault.key.starts_with(kOfArrays))
    return wording("mapping:fault.of_place",
                   {{"place", place_called(fault.key.substr(kOfArrays.size()))}, {"fault", fault.what}});
  if (fault.key == "layer.heads") return wording("mapping:fault.heads", {{"fault", fault.what}});
  if (fault.key == "layer" || fault.key == "model") return wording("mapping:fault.settings", {{"fault", fault.what}});
  return sentence_of(fault);
}

}  // namespace

std::string sentence_of(const LayoutDraft& draft) {
  const LayoutCheck& check = draft.check;
  if (!check.faults.empty()) return wording("mapping:fault", {{"fault", told(check.faults.front())}});
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
    if (of_one) return told(fault);
  }
  return "";
}

}  // namespace hydra
