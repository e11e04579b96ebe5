#include "core/io/recovery.h"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <random>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/io/file.h"
#include "core/json/reader.h"

namespace hydra {

namespace {

constexpr std::uint64_t kMaxRecoveryBytes =
    kLargestDocument.bytes + Recovery::kMostScene + (64u << 10);  // a document, and its lines of where and when

namespace fs = std::filesystem;

constexpr const char* kAside = ".aside";  // of a file that says that its session's work was put aside

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  return {text, end};
}

std::uint64_t from_hexadecimal(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

// "4711-1f3a" of "4711-1f3a.2.json" and "4711-1f3a.lock".
std::string session_of(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.substr(0, name.find('.'));
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code fault;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault))
    files.push_back(it->path());
  return files;
}

// Whether its file has that very document: it was saved after all.
bool stands_in_its_file(const Recovery& recovery) {
  std::error_code fault;
  if (recovery.file.path.empty() || !fs::is_regular_file(recovery.file.path, fault)) return false;
  try {
    return same_document(read_document(recovery.file.path), recovery.document);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string recovery_text(const Recovery& recovery) {
  std::error_code fault;
  const std::string& path = recovery.file.path;
  std::string text = "{\"hydrascope_recovery\": 1, \"path\": ";
  append_string(text, path.empty() ? "" : fs::absolute(path, fault).string());
  text += ", \"bytes\": " + std::to_string(recovery.file.content.bytes) + ", \"hash\": \"" +
          hexadecimal(recovery.file.content.hash) + "\", \"written\": " + std::to_string(recovery.written);
  const std::string& scene = recovery.scene;
  if (scene.empty() || scene.size() > Recovery::kMostScene || scene.find('\n') != scene.npos)
    text += "}\n";
  else
    text += ", \"scene\": \"" + hexadecimal(fingerprint_of(scene).hash) + "\"}\n" + scene + '\n';
  return text + document_text(recovery.document);
}

Recovery parse_recovery(std::string_view text, const std::string& name) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const JsonTree tree = parse_json(text.substr(0, end), name);
  const Json& head = tree.root();
  const JsonReader reader(name, "the recovery file");
  const Node root{&head, ""};
  if (!head.is_object() || head.find("hydrascope_recovery") == nullptr) reader.fail("", "is no recovery file");
  reader.check_object(root, {"hydrascope_recovery", "path", "bytes", "hash", "written", "scene"});
  for (const char* key : {"path", "bytes", "hash", "written"})
    if (!reader.member(root, key)) reader.fail("", std::string("has no \"") + key + "\"");
  Recovery recovery;
  recovery.file.path = reader.string(reader.member(root, "path"));
  recovery.file.content.bytes = reader.seed(reader.member(root, "bytes"), 0);
  recovery.file.content.hash = from_hexadecimal(reader.string(reader.member(root, "hash")));
  recovery.written = static_cast<std::int64_t>(reader.seed(reader.member(root, "written"), 0));
  text.remove_prefix(std::min(end + 1, text.size()));
  if (const Node scene = reader.member(root, "scene")) {
    const std::size_t line = std::min(text.find('\n'), text.size());
    const std::string_view said = text.substr(0, line);
    if (from_hexadecimal(reader.string(scene)) == fingerprint_of(said).hash) recovery.scene = said;
    text.remove_prefix(std::min(line + 1, text.size()));
  }
  recovery.document = parse_document(text, name);
  return recovery;
}

std::string recovery_folder() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/recovery";
}

// --- our own

RecoveryStore::RecoveryStore(std::string folder) : folder_(std::move(folder)) {}

std::string RecoveryStore::path(const std::string& session, int id) const {
  return (fs::path(folder_) / (session + "." + std::to_string(id) + ".json")).string();
}

const RecoveryStore::Session& RecoveryStore::own() {
  if (own_) return *own_;
  std::error_code fault;
  fs::create_directories(folder_, fault);
  if (fault) throw InputError(folder_ + ": cannot be made: " + fault.message());
  fs::permissions(folder_, fs::perms::owner_all, fault);
  for (std::random_device random;;) {
    const std::string name = std::to_string(::getpid()) + "-" + hexadecimal(random());
    if (auto lock = LockFile::take((fs::path(folder_) / (name + ".lock")).string())) {
      own_ = Session{name, std::move(*lock)};
      return *own_;
    }
  }
}

void RecoveryStore::write(int id, const Recovery& recovery) {
  const std::string session = own().name;
  if (std::find(ids_.begin(), ids_.end(), id) == ids_.end()) ids_.push_back(id);
  write_whole(path(session, id), recovery_text(recovery));
}

void RecoveryStore::remove(int id) {
  if (std::erase(ids_, id) == 0 || !own_) return;
  std::error_code ignored;
  fs::remove(path(own_->name, id), ignored);
  finish_own();
}

void RecoveryStore::finish_own() {
  if (!own_ || !ids_.empty()) return;
  own_->lock.remove();
  own_.reset();
}

// --- what others have left

bool RecoveryStore::has_work(const std::string& session) const {
  const std::vector<fs::path> files = files_in(folder_);
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return session_of(file) == session && file.extension() == ".json"; });
}

// Of one window: documents, and what a write that was cut off has left.
struct RecoveryStore::Left {
  std::string session;
  std::vector<fs::path> documents, rest;
  std::uintmax_t bytes = 0;
  bool put_aside = false;
  fs::file_time_type latest = fs::file_time_type::min();
};

std::vector<RecoveryStore::Left> RecoveryStore::left_by_others() const {
  std::map<std::string, Left> sessions;
  std::error_code fault;
  for (const fs::path& file : files_in(folder_)) {
    const std::string name = session_of(file);
    if (own_ && name == own_->name) continue;
    Left& left = sessions[name];
    left.session = name;
    if (file.extension() == ".json") {
      left.documents.push_back(file);
      if (const auto bytes = fs::file_size(file, fault); !fault) left.bytes += bytes;
      if (const auto time = fs::last_write_time(file, fault); !fault) left.latest = std::max(left.latest, time);
    } else if (file.extension() != ".lock") {
      left.put_aside |= file.extension() == kAside;
      left.rest.push_back(file);
    }
  }
  std::vector<Left> all;
  for (auto& [name, left] : sessions) all.push_back(std::move(left));
  std::stable_sort(all.begin(), all.end(), [](const Left& a, const Left& b) { return a.latest > b.latest; });
  return all;
}

void RecoveryStore::claim_session(const Left& left, std::vector<Found>& found, std::vector<std::string>& faults) {
  auto lock = LockFile::take((fs::path(folder_) / (left.session + ".lock")).string());
  if (!lock) return;  // its window lives, or another has claimed it
  std::error_code ignored;
  for (const fs::path& file : left.rest) fs::remove(file, ignored);
  bool any = false;
  for (const fs::path& file : left.documents) {
    try {
      Recovery recovery = parse_recovery(read_at_most(kMaxRecoveryBytes, file.string()), file.string());
      if (stands_in_its_file(recovery)) {
        fs::remove(file, ignored);
        continue;
      }
      found.push_back({file.string(), std::move(recovery)});
    } catch (const InputError& fault) {
      faults.emplace_back(fault.what());
    }
    any = true;
  }
  if (any)
    claimed_.push_back({left.session, std::move(*lock)});
  else
    lock->remove();
}

std::vector<RecoveryStore::Found> RecoveryStore::claim(std::vector<std::string>& faults, bool put_aside) {
  std::vector<Found> found;
  std::size_t documents = 0, waiting = 0;
  std::uintmax_t bytes = 0;
  for (const Left& left : left_by_others()) {
    if (left.put_aside && !left.documents.empty() && !put_aside) continue;
    const bool fits = documents + left.documents.size() <= kMostFound && bytes + left.bytes <= kMostFoundBytes;
    if (documents > 0 && !left.documents.empty() && !fits) {
      waiting += left.documents.size();
      continue;
    }
    documents += left.documents.size(), bytes += left.bytes;
    claim_session(left, found, faults);
  }
  for (Found& one : found) one.waiting = waiting;
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.recovery.written > b.recovery.written; });
  return found;
}

// A session whose work is all dealt with goes.
void RecoveryStore::finish_claims() {
  std::erase_if(claimed_, [&](Session& session) {
    if (has_work(session.name)) return false;
    session.lock.remove();
    return true;
  });
}

void RecoveryStore::adopt(const Found& found, int id) {
  const std::string session = own().name;
  std::error_code fault;
  fs::rename(found.path, path(session, id), fault);
  if (!fault) ids_.push_back(id);
  finish_claims();
}

void RecoveryStore::discard(const Found& found) {
  std::error_code ignored;
  fs::remove(found.path, ignored);
  finish_claims();
}

void RecoveryStore::release() { claimed_.clear(); }

// A file beside the session's says so; it goes when the session is claimed again.
void RecoveryStore::put_aside() {
  for (const Session& session : claimed_) write_whole((fs::path(folder_) / (session.name + kAside)).string(), "");
  release();
}

std::size_t RecoveryStore::documents_aside() const {
  std::size_t count = 0;
  for (const Left& left : left_by_others())
    if (left.put_aside) count += left.documents.size();
  return count;
}

}  // namespace hydra
