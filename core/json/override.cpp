// --set /layers/0/heads=4: a document with one value of it changed, before it is read.
#include <charconv>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/json/json.h"

namespace hydra {

namespace {

std::vector<std::string> split_pointer(const std::string& pointer) {
  std::vector<std::string> keys;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    std::string key = pointer.substr(begin, end - begin);
    for (std::size_t at = 0; (at = key.find('~', at)) != std::string::npos; ++at) {
      if (key.compare(at, 2, "~1") == 0)
        key.replace(at, 2, "/");
      else if (key.compare(at, 2, "~0") == 0)
        key.replace(at, 2, "~");
    }
    keys.push_back(std::move(key));
    begin = end + 1;
  }
  return keys;
}

JsonTree value_or_string(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const InputError&) {
    JsonBuilder string;
    string.add(std::string_view(text));
    return string.take();
  }
}

// The document once more, with the value at the end of the keys.
class Changed {
 public:
  Changed(const std::vector<std::string>& keys, const Json& value, const std::string& place)
      : keys_(keys), value_(value), place_(place) {}

  // at: none where nothing stands yet.
  void put(const Json* at, std::size_t k, const std::string& walked) {
    if (k == keys_.size()) return builder.add_whole(value_);
    const std::string& key = keys_[k];
    static const Json nothing(Json::Kind::object);
    if (at == nullptr || at->is_null()) at = &nothing;
    if (at->is_object()) {
      const std::string pointer = pointer_to(walked, key);
      builder.open(Json::Kind::object);
      const Json* const found = at->find(key);
      for (auto member = at->begin(); member != at->end(); ++member) {
        builder.key(member.key());
        if (&*member == found)
          put(found, k + 1, pointer);
        else
          builder.add_whole(*member);
      }
      if (found == nullptr) {
        if (made.empty()) made = pointer;
        builder.key(key);
        put(nullptr, k + 1, pointer);
      }
      return builder.close();
    }
    if (!at->is_array()) throw InputError(place_ + walked + " is " + in_words(*at) + " and has nothing inside");
    std::size_t index = 0;
    const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (fault != std::errc() || end != key.data() + key.size() || index >= at->size())
      throw InputError(place_ + walked + " has " + std::to_string(at->size()) +
                       (at->size() == 1 ? " element" : " elements") + ", counted from 0, and none is " +
                       printable(key));
    builder.open(Json::Kind::array);
    for (const Json& element : *at)
      if (index-- == 0)
        put(&element, k + 1, pointer_to(walked, key));
      else
        builder.add_whole(element);
    builder.close();
  }

  JsonBuilder builder;
  std::string made;  // the pointer to the outermost value that was not there before

 private:
  const std::vector<std::string>& keys_;
  const Json& value_;
  const std::string& place_;
};

}  // namespace

Override apply_override(JsonTree& document, const std::string& argument) {
  const std::string place = "--set " + printable(argument) + ": ";
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || argument.front() != '/')
    throw InputError(place + "must be a JSON pointer and a value, such as /layers/0/heads=4");
  if (!is_utf8(argument)) throw InputError(place + "must be UTF-8 text");
  const std::vector<std::string> keys = split_pointer(argument.substr(0, equals));
  if (keys.size() > kMaxDepth)
    throw InputError(place + "is nested deeper than " + std::to_string(kMaxDepth) + " levels");
  JsonTree value = value_or_string(argument.substr(equals + 1));
  Changed changed(keys, value.root(), place);
  changed.put(&document.root(), 0, "");
  std::string pointer = changed.made;
  if (pointer.empty())
    for (const std::string& key : keys) pointer = pointer_to(pointer, key);
  changed.builder.keep_texts_of(std::move(document));
  changed.builder.keep_texts_of(std::move(value));
  document = changed.builder.take();
  return {pointer, argument};
}

}  // namespace hydra
