// What a model's files say of it in words and numbers: its config.json, or the metadata of the file that holds it.
#pragma once
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/tensor.h"

namespace hydra {

// Values by their keys, those of objects and arrays within behind a point: "rope_parameters.rope_theta",
// "attention_layers.0". Which were asked for is
// known, so that what a reader knows nothing of can be named.
class Config {
 public:
  using Keys = std::initializer_list<std::string_view>;  // names of one thing; the first that is there counts

  Config() = default;
  // Throws InputError. name stands in the sentences.
  static Config of_json(const std::string& path);
  static Config of_text(std::string_view json, const std::string& name);
  // Where a training script keeps the model's sizes beside the arrays (model_args, cfg, config), those alone.
  static Config of_metadata(const TensorFile& file);

  const std::string& name() const { return name_; }  // of the file
  bool has(Keys keys) const { return find(keys) != nullptr; }
  bool has_under(const std::string& before) const;  // any key that begins so
  // Nothing: it is not there, or null. Throws InputError where it is of another kind.
  std::optional<Index> whole(Keys keys) const;
  std::optional<double> number(Keys keys) const;  // rounded to a float, as documents have numbers
  std::optional<bool> flag(Keys keys) const;
  std::optional<std::string> text(Keys keys) const;
  std::vector<std::string> texts(const std::string& key) const;  // of an array, else none
  // Of all keys that begin so, by what follows.
  std::vector<std::pair<std::string, std::string>> texts_under(const std::string& before) const;
  // A size that must be there, 1 to most; what: "heads".
  Index size(Keys keys, const char* what, Index most) const;

  // What the other says and this one does not.
  void add(const Config& other) { values_.insert(other.values_.begin(), other.values_.end()); }
  void set(std::string key, MetaValue value) { values_[std::move(key)] = std::move(value); }
  // Throws: the file, the key and what is wrong with it.
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;
  // Fails where it says another size than the arrays have.
  void agree(Keys keys, Index size) const;
  // Without what changes no number of a model's: how it was trained, where it is from, its tokenizer's.
  std::vector<std::string> not_asked() const;
  // Whether the other says the same, but for that.
  bool says_the_same(const Config& other) const;

 private:
  const std::pair<const std::string, MetaValue>* find(Keys keys) const;

  std::string name_ = "the model";
  std::map<std::string, MetaValue, std::less<>> values_;
  // Of copies, too: a reader may ask one of them.
  std::shared_ptr<std::set<std::string, std::less<>>> asked_ = std::make_shared<std::set<std::string, std::less<>>>();
};

}  // namespace hydra
