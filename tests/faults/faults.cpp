#include "tests/faults/faults.h"

#include <malloc.h>
#include <sys/types.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace hydra::faults {

namespace {

std::atomic<int> failing = -1;  // a Kind
std::atomic<long> remaining = 0, seen = 0;

std::atomic<bool> all_but_own_spared = false;
thread_local bool spared = false, own = false;

// Whether this call is the one.
bool strikes(Kind kind) {
  if (failing != static_cast<int>(kind) || spared || (all_but_own_spared && !own)) return false;
  ++seen;
  return remaining-- == 0;
}

std::atomic<long long> held = 0, most_held = 0;

}  // namespace

// Memory goes by both, so that what is held can be told.
void* counted(void* memory) {
  if (memory == nullptr) return nullptr;
  const long long now = held += static_cast<long long>(::malloc_usable_size(memory));
  for (long long most = most_held; now > most && !most_held.compare_exchange_weak(most, now);) {
  }
  return memory;
}
void uncounted(void* memory) {
  if (memory != nullptr) held -= static_cast<long long>(::malloc_usable_size(memory));
}

Peak::Peak() : before_(held) { most_held = before_; }
std::size_t Peak::bytes() const { return static_cast<std::size_t>(most_held - before_); }

const char* name_of(Kind kind) {
  static constexpr const char* names[] = {"allocation", "write", "fsync", "rename", "link", "chmod"};
  return names[static_cast<std::size_t>(kind)];
}

Fault::Fault(Kind kind, long call, Threads threads) {
  spared = threads == Threads::others;
  own = all_but_own_spared = threads == Threads::own;
  seen = 0;
  remaining = call;
  failing = static_cast<int>(kind);
}
Fault::~Fault() {
  failing = -1;
  spared = own = all_but_own_spared = false;
}
bool Fault::struck() const { return remaining < 0 && seen > 0; }
long Fault::calls() const { return seen; }

}  // namespace hydra::faults

using hydra::faults::counted;
using hydra::faults::Kind;
using hydra::faults::strikes;
using hydra::faults::uncounted;

extern "C" {
void* __real_malloc(std::size_t size);
void __real_free(void* memory);
ssize_t __real_write(int file, const void* bytes, std::size_t count);
int __real_fsync(int file);
int __real_rename(const char* from, const char* to);
int __real_linkat(int from, const char* name, int to, const char* new_name, int flags);
int __real_fchmod(int file, mode_t mode);

void* __wrap_malloc(std::size_t size) { return strikes(Kind::allocation) ? nullptr : counted(__real_malloc(size)); }
void __wrap_free(void* memory) {
  uncounted(memory);
  __real_free(memory);
}
ssize_t __wrap_write(int file, const void* bytes, std::size_t count) {
  if (!strikes(Kind::write)) return __real_write(file, bytes, count);
  errno = ENOSPC;
  return -1;
}
int __wrap_fsync(int file) { return strikes(Kind::fsync) ? (errno = EIO, -1) : __real_fsync(file); }
int __wrap_rename(const char* from, const char* to) {
  return strikes(Kind::rename) ? (errno = EIO, -1) : __real_rename(from, to);
}
int __wrap_linkat(int from, const char* name, int to, const char* new_name, int flags) {
  return strikes(Kind::link) ? (errno = ENOSPC, -1) : __real_linkat(from, name, to, new_name, flags);
}
int __wrap_fchmod(int file, mode_t mode) {
  return strikes(Kind::chmod) ? (errno = EPERM, -1) : __real_fchmod(file, mode);
}
}

void* hydra::faults::take_spared(std::size_t size) { return __real_malloc(size); }
void hydra::faults::give_spared(void* memory) { __real_free(memory); }

namespace {

void* taken(std::size_t size) {
  if (void* memory = strikes(Kind::allocation) ? nullptr : __real_malloc(size == 0 ? 1 : size)) return counted(memory);
  throw std::bad_alloc();
}

void* taken(std::size_t size, std::size_t alignment) {
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* memory =
          strikes(Kind::allocation) ? nullptr : std::aligned_alloc(alignment, whole == 0 ? alignment : whole))
    return counted(memory);
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return taken(size); }
void* operator new[](std::size_t size) { return taken(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return taken(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return taken(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return strikes(Kind::allocation) ? nullptr : counted(__real_malloc(size == 0 ? 1 : size));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return strikes(Kind::allocation) ? nullptr : counted(__real_malloc(size == 0 ? 1 : size));
}
void operator delete(void* memory) noexcept { ::free(memory); }
void operator delete[](void* memory) noexcept { ::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { ::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { ::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { ::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { ::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { ::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { ::free(memory); }
