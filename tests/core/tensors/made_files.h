// Files of arrays, made byte by byte; and what is said of them.
#pragma once
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/mapped_file.h"
#include "core/tensors/numbers.h"

namespace hydra::made {

// A number as files have it.
template <class T>
std::string le(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
inline std::string u64(std::uint64_t value) { return le(value); }
inline std::string u32(std::uint32_t value) { return le(value); }
template <class T>
std::string all(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes += le(value);
  return bytes;
}

inline FileBytes file(std::string content, std::string name = "f") {
  return in_memory(std::move(name), std::move(content));
}

// The sentence; empty: it was read.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& fault) {
    return fault.what();
  }
  return {};
}

inline std::vector<float> floats(const Tensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(count_of(tensor)));
  to_floats(tensor, 0, values);
  return values;
}

// The folder of real files, where HYDRA_MODELS names one.
inline std::optional<std::string> models() {
  const char* const folder = std::getenv("HYDRA_MODELS");
  return folder && *folder ? std::optional<std::string>(folder) : std::nullopt;
}

// A file or folder of this test that goes with it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string safetensors(const std::string& header, const std::string& numbers);
std::string npy(const std::string& dictionary, const std::string& numbers, int version = 1);

struct ZipPart {
  std::string name, content;
  bool deflate = false;
};
std::string zip(const std::vector<ZipPart>& parts);

// What torch.save writes today: a pickle and the storages "0", "1" ...
std::string pt(const std::string& pickle, const std::vector<std::string>& storages = {});

}  // namespace hydra::made
