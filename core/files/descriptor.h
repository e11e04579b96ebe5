// What files are written with. For .cpp files of this folder only.
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace hydra {

// A descriptor that is closed at the end of its scope, unless it is one of the standard streams.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  bool close();

 private:
  int number_;
};

[[noreturn]] void fail_to_write(const std::string& path, const std::string& why = "");  // empty: errno's reason
bool write_all(int file, std::string_view bytes);                                       // errno when false

}  // namespace hydra
