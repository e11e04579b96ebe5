#include "core/checkpoints/config.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/whole_file.h"
#include "core/json/json.h"

namespace hydra {

namespace {

constexpr std::uint64_t kMostConfigValues = 100'000;

// Parts of keys that say nothing of what a trained model computes.
constexpr std::string_view kOfNoNumber[] = {
    "architectures", "dropout",      "pdrop",      "token_id",  "initializer", "torch_dtype", "transformers_version",
    "use_cache",     "name_or_path", "summary_",   "task_spec", "id2label",    "label2id",    "tokenizer",
    "general.",      "format",       "gradient_c", "dtype",     "auto_map",    "upcast",      "max_position",
    "n_positions",   "n_ctx",        "context_l",  "block_size"};

bool is_of_no_number(std::string_view key) {
  return std::ranges::any_of(kOfNoNumber, [&](std::string_view part) { return key.find(part) != key.npos; });
}

MetaValue value_of(const Json& json) {
  if (json.is_boolean()) return json.truth();
  if (json.is_whole()) return json.as<std::int64_t>();
  if (json.is_number()) return json.as<double>();
  return std::string(json.text());
}

}  // namespace

Config Config::of_json(const std::string& path) { return of_text(read_whole(path), path); }

Config Config::of_text(std::string_view json, const std::string& name) {
  Config config;
  config.name_ = printable(name, 200);
  const JsonTree tree = parse_json(json, config.name_, kMostConfigValues, JsonNumbers::doubles);
  if (!tree.root().is_object()) throw InputError(config.name_ + ": must be an object, not " + in_words(tree.root()));
  const auto add = [&](const auto& self, const Json& value, const std::string& key) -> void {
    const std::string before = key.empty() ? "" : key + ".";
    std::size_t k = 0;
    if (value.is_object())
      for (auto at = value.begin(); at != value.end(); ++at) self(self, *at, before + std::string(at.key()));
    else if (value.is_array())
      for (const Json& each : value) self(self, each, before + std::to_string(k++));
    else if (!value.is_null())
      config.values_[key] = value_of(value);
  };
  add(add, tree.root(), "");
  return config;
}

Config Config::of_metadata(const TensorFile& file) {
  Config config;
  config.name_ = printable(file.name, 200);
  const auto take = [&](std::string_view part) {
    bool any = false;
    for (const auto& [key, value] : file.metadata)
      if (key.starts_with(part)) any = config.values_.try_emplace(key.substr(part.size()), value).second || any;
    return any;
  };
  for (const std::string_view part : {"model_args.", "cfg.", "config.", "hparams."})
    if (take(part)) return config;
  take("");
  return config;
}

void Config::fail(std::string_view key, const std::string& what) const {
  throw InputError(name_ + ": “" + printable(std::string(key), 80) + "” " + what);
}

const std::pair<const std::string, MetaValue>* Config::find(Keys keys) const {
  const std::pair<const std::string, MetaValue>* found = nullptr;
  for (const std::string_view key : keys) {
    asked_->emplace(key);
    if (found) continue;
    if (const auto at = values_.find(key); at != values_.end()) found = &*at;
  }
  return found;
}

bool Config::has_under(const std::string& before) const {
  const auto at = values_.lower_bound(before);
  return at != values_.end() && at->first.starts_with(before);
}

std::optional<double> Config::number(Keys keys) const {
  const auto* found = find(keys);
  if (!found) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&found->second)) return static_cast<double>(static_cast<float>(*number));
  fail(found->first, "must be a number");
}

std::optional<Index> Config::whole(Keys keys) const {
  const auto* found = find(keys);
  if (!found) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<Index>(*whole);
  fail(found->first, "must be a whole number");
}

std::optional<bool> Config::flag(Keys keys) const {
  const auto* found = find(keys);
  if (!found) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&found->second)) return *flag;
  fail(found->first, "must be true or false");
}

std::optional<std::string> Config::text(Keys keys) const {
  const auto* found = find(keys);
  if (!found) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&found->second)) return *text;
  fail(found->first, "must be a word");
}

std::vector<std::string> Config::texts(const std::string& key) const {
  std::vector<std::string> all;
  while (const std::optional<std::string> each = text({key + "." + std::to_string(all.size())})) all.push_back(*each);
  return all;
}

std::vector<std::pair<std::string, std::string>> Config::texts_under(const std::string& before) const {
  std::vector<std::pair<std::string, std::string>> all;
  for (auto at = values_.lower_bound(before); at != values_.end() && at->first.starts_with(before); ++at)
    all.emplace_back(at->first.substr(before.size()), *text({at->first}));
  return all;
}

Index Config::size(Keys keys, const char* what, Index most) const {
  const std::optional<Index> found = whole(keys);
  const std::string key(*keys.begin());
  if (!found)
    throw InputError(name_ + ": does not say how many " + what + " the model has; put a config.json with “" + key +
                     "” beside it");
  if (*found < 1 || *found > most)
    fail(key, "is " + std::to_string(*found) + "; 1 to " + std::to_string(most) + " " + what + " are possible here");
  return *found;
}

void Config::agree(Keys keys, Index size) const {
  if (const std::optional<Index> said = whole(keys); said && *said != size)
    fail(*keys.begin(), "is " + std::to_string(*said) + ", and its arrays have " + std::to_string(size));
}

std::vector<std::string> Config::not_asked() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_)
    if (!asked_->contains(key) && !is_of_no_number(key)) keys.push_back(key);
  return keys;
}

bool Config::says_the_same(const Config& other) const {
  const auto is_in = [](const Config& config, const std::string& key, const MetaValue& value) {
    const auto at = config.values_.find(key);
    return is_of_no_number(key) || (at != config.values_.end() && at->second == value);
  };
  return std::ranges::all_of(values_, [&](const auto& said) { return is_in(other, said.first, said.second); }) &&
         std::ranges::all_of(other.values_, [&](const auto& said) { return is_in(*this, said.first, said.second); });
}

}  // namespace hydra
