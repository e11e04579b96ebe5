#include "tests/faults/faults.h"

#include <imgui.h>
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

}  // namespace

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

using hydra::faults::Kind;
using hydra::faults::strikes;

extern "C" {
void* __real_malloc(std::size_t size);
ssize_t __real_write(int file, const void* bytes, std::size_t count);
int __real_fsync(int file);
int __real_rename(const char* from, const char* to);
int __real_linkat(int from, const char* name, int to, const char* new_name, int flags);
int __real_fchmod(int file, mode_t mode);

void* __wrap_malloc(std::size_t size) { return strikes(Kind::allocation) ? nullptr : __real_malloc(size); }
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

void hydra::faults::spare_imgui() {
  ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return __real_malloc(size); },
                               [](void* memory, void*) { std::free(memory); });
}

namespace {

void* taken(std::size_t size) {
  if (void* memory = strikes(Kind::allocation) ? nullptr : __real_malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void* taken(std::size_t size, std::size_t alignment) {
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* memory =
          strikes(Kind::allocation) ? nullptr : std::aligned_alloc(alignment, whole == 0 ? alignment : whole))
    return memory;
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
  return strikes(Kind::allocation) ? nullptr : __real_malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return strikes(Kind::allocation) ? nullptr : __real_malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
