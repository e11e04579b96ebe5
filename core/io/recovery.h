// Unsaved work, kept beside the user's own files until it is saved: what it is, and the folder that keeps it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/files/kept_file.h"
#include "core/files/lock_file.h"
#include "core/files/state_folder.h"

namespace hydra {

struct Recovery {
  Document document;
  KeptFile file;             // that it belongs in; untitled: none
  std::int64_t written = 0;  // seconds since 1970
  // Where it was looked at, as a line of JSON that is none of the core's; empty: unknown. One that is longer is left
  // out.
  std::string scene = {};
  static constexpr std::size_t kMostScene = 256u << 10;
};

// A line of JSON that says where the document belongs and when it was written, one of where it was looked at, then the
// document as its file would be. The second line may be missing; where it is not as it was written it is passed over.
std::string recovery_text(const Recovery& recovery);
Recovery parse_recovery(std::string_view text, const std::string& name);  // throws InputError

std::string recovery_folder();  // within the state folder; empty where there is none

// The recovery files of one window among those of others: <session>.<document>.json beside <session>.lock, which the
// window holds while it lives. What belongs to a window that died can be claimed by one other. Not for several threads
// at once. Throws InputError where the folder cannot be used.
class RecoveryStore {
 public:
  explicit RecoveryStore(std::string folder);

  void write(int id, const Recovery& recovery);  // on the disk when it returns
  void remove(int id);
  bool empty() const { return !own_; }

  // What windows that died have left, the latest first. It is ours until released; what stands in its file by now is
  // removed. So many documents of so many bytes at once (but one window's in any case): the others wait for the next
  // window.
  static constexpr std::size_t kMostFound = 32, kMostFoundBytes = 64u << 20;
  struct Found {
    std::string path;  // of the recovery file
    Recovery recovery;
    std::size_t waiting = 0;  // documents that are left to the next window
  };
  // Work that was put aside is left alone, unless it is asked for.
  std::vector<Found> claim(std::vector<std::string>& faults, bool put_aside = false);
  void adopt(const Found& found, int id);  // it becomes our own document's file
  void discard(const Found& found);
  void release();    // the rest is left to others
  void put_aside();  // the same, and no window offers it by itself
  std::size_t documents_aside() const;

 private:
  struct Session {
    std::string name;
    LockFile lock;
  };
  std::string path(const std::string& session, int id) const;
  const Session& own();  // made when it is first needed
  void finish_own();     // when nothing is left in it
  struct Left;
  std::vector<Left> left_by_others() const;  // the latest first
  void claim_session(const Left& left, std::vector<Found>& found, std::vector<std::string>& faults);
  void finish_claims();
  bool has_work(const std::string& session) const;

  std::string folder_;
  std::optional<Session> own_;
  std::vector<int> ids_;  // of our own files
  std::vector<Session> claimed_;
};

}  // namespace hydra
