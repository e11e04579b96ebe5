// Values by key that go when nobody asks for them.
#pragma once
#include <cstddef>
#include <map>
#include <utility>

namespace hydra {

template <class Key, class Value>
class LayoutCache {
 public:
  // The value of the key, a fresh one when there was none; asked for in this layout, which are counted.
  Value& at(const Key& key, unsigned layout) {
    auto& [value, last] = values_[key];
    last = layout;
    return value;
  }
  void drop_before(unsigned layout) {
    std::erase_if(values_, [layout](const auto& entry) { return entry.second.second < layout; });
  }
  bool contains(const Key& key) const { return values_.contains(key); }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.clear(); }

 private:
  std::map<Key, std::pair<Value, unsigned>> values_;
};

}  // namespace hydra
