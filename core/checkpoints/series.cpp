#include "core/checkpoints/series.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/checkpoints/family.h"
#include "core/checkpoints/open_model.h"
#include "core/error.h"
#include "core/files/kept_file.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDigits = 18;
constexpr std::size_t kMostMembers = 1000;

struct NumberedName {
  std::string path, frame;             // "step_#.pt"
  std::vector<std::uint64_t> numbers;  // in the places of #
};

// Nothing: no number in it, or one of several files that are one model together.
std::optional<NumberedName> numbered(const fs::path& path) {
  const std::string name = path.filename().string();
  NumberedName read{path.string(), {}, {}};
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end == at) {
      read.frame += name[at++];
      continue;
    }
    if (end - at > kMostDigits) return std::nullopt;
    read.frame += '#';
    read.numbers.push_back(std::stoull(name.substr(at, end - at)));
    at = end;
  }
  const bool part = read.frame.find("#-of-#") != std::string::npos;
  return read.numbers.empty() || part ? std::nullopt : std::optional(read);
}

bool is_folder_at(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Folders that open as a whole, and files that are called as models' are.
bool may_be_model(const fs::path& path) {
  if (!is_folder_at(path)) return has_model_ending(path.filename().string());
  static constexpr const char* kOpened[] = {"model.safetensors.index.json", "model.safetensors",
                                            "pytorch_model.bin.index.json", "pytorch_model.bin"};
  std::error_code ignored;
  return std::ranges::any_of(kOpened, [&](const char* name) { return fs::exists(path / name, ignored); });
}

std::vector<NumberedName> numbered_in(const fs::path& folder) {
  std::vector<NumberedName> found;
  std::error_code fault;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault))
    if (auto name = numbered(it->path()); name && may_be_model(it->path())) found.push_back(std::move(*name));
  std::ranges::sort(found, {}, [](const NumberedName& name) { return std::tie(name.numbers, name.path); });
  return found;
}

// Why it is another model than the first; empty: it is the same.
std::string difference(const Checkpoint& first, const Checkpoint& other) {
  const std::vector<Tensor>&a = first.tensors.tensors, &b = other.tensors.tensors;
  for (const Tensor& tensor : a) {
    const Tensor* same = other.tensors.find(tensor.name);
    if (!same) return "it has no “" + printable(tensor.name, 80) + "”";
    if (same->shape != tensor.shape)
      return "its “" + printable(tensor.name, 80) + "” is " + in_words(same->shape) + ", not " + in_words(tensor.shape);
  }
  if (a.size() != b.size()) return "it has other arrays besides";
  return first.config.says_the_same(other.config) ? "" : "its config says something else";
}

std::optional<Checkpoint> opened(const std::string& path) {
  try {
    return read_checkpoint(path);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Those of the frame, held against the one that is asked about.
std::optional<CheckpointSeries> series_among(std::vector<NumberedName> names, const NumberedName& of) {
  std::erase_if(names, [&](const NumberedName& name) { return name.frame != of.frame; });
  const std::optional<Checkpoint> first = names.size() < 2 ? std::nullopt : opened(of.path);
  if (!first) return std::nullopt;
  CheckpointSeries series;
  std::vector<NumberedName> members;
  for (const NumberedName& name : names) {
    const bool is_it = name.path == of.path;
    const std::optional<Checkpoint> other = is_it || members.size() >= kMostMembers ? std::nullopt : opened(name.path);
    const std::string why = other ? difference(*first, *other) : "";
    if (!why.empty())
      series.others.push_back(printable(name.path, 200) + ": is another model than " +
                              fs::path(of.path).filename().string() + ": " + why);
    if (is_it || (other && why.empty())) members.push_back(name);
  }
  if (members.size() < 2) return std::nullopt;
  // Of several numbers in a name the last that differs is the step.
  std::size_t which = 0;
  for (std::size_t k = 0; k < of.numbers.size(); ++k)
    if (std::ranges::any_of(members, [&](const NumberedName& name) { return name.numbers[k] != of.numbers[k]; }))
      which = k;
  std::ranges::stable_sort(members, {}, [&](const NumberedName& name) { return name.numbers[which]; });
  for (const NumberedName& name : members) {
    if (name.path == of.path) series.here = series.members.size();
    series.members.push_back({name.path, name.numbers[which]});
  }
  return series;
}

fs::path whole_path(const std::string& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// The frame that most of a folder's checkpoints have; its last.
std::optional<NumberedName> last_within(const std::vector<NumberedName>& names) {
  std::map<std::string, std::size_t> counted;
  for (const NumberedName& name : names) ++counted[name.frame];
  const auto most = std::ranges::max_element(counted, {}, [](const auto& of) { return of.second; });
  if (most == counted.end() || most->second < 2) return std::nullopt;
  const auto last =
      std::find_if(names.rbegin(), names.rend(), [&](const NumberedName& name) { return name.frame == most->first; });
  return *last;
}

}  // namespace

std::optional<std::size_t> CheckpointSeries::place_of(const std::string& path) const {
  const auto at = std::ranges::find_if(members, [&](const Member& member) { return same_file(member.path, path); });
  return at == members.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - members.begin()));
}

std::optional<CheckpointSeries> series_of(const std::string& path) {
  const fs::path whole = whole_path(path);
  if (is_folder_at(whole) && !may_be_model(whole)) {
    const std::vector<NumberedName> names = numbered_in(whole);
    const std::optional<NumberedName> last = last_within(names);
    return last ? series_among(names, *last) : std::nullopt;
  }
  const std::optional<NumberedName> own = numbered(whole);
  return own ? series_among(numbered_in(whole.parent_path()), *own) : std::nullopt;
}

std::string model_in_series(const std::string& path) {
  if (!is_folder_at(path) || may_be_model(path)) return path;
  const std::optional<CheckpointSeries> series = series_of(path);
  return series ? series->members[series->here].path : path;
}

}  // namespace hydra
