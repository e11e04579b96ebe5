// Makes the k-th of what can fail in a computer fail: memory, the disk. The test binary replaces operator new and wraps
// the C functions at its link (tests/CMakeLists.txt), so the program itself knows nothing of it.
#pragma once
#include <string>

namespace hydra::faults {

enum class Kind { allocation, write, fsync, rename, link, chmod };
inline constexpr Kind kKinds[] = {Kind::allocation, Kind::write, Kind::fsync, Kind::rename, Kind::link, Kind::chmod};
const char* name_of(Kind kind);

// Whose calls fail and are counted: any thread's, all but that which made the Fault, or that alone.
enum class Threads { all, others, own };

// Memory that never fails, for what cannot live without it.
void* take_spared(std::size_t size);
void give_spared(void* memory);

// While it lives, the call-th call of the kind fails, counted from 0; -1: none does, all are counted.
class Fault {
 public:
  Fault(Kind kind, long call, Threads threads = Threads::all);
  ~Fault();
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  bool struck() const;  // the call has come
  long calls() const;   // of the kind, so far
};

// The most that has been held at once since it was made, beyond what was held then: what this binary's own code and its
// libraries' headers have asked for and not given back.
class Peak {
 public:
  Peak();
  std::size_t bytes() const;

 private:
  long long before_;
};

}  // namespace hydra::faults
