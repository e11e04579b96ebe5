#include "core/tensors/torch/pt.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/content.h"
#include "core/tensors/numbers.h"
#include "core/tensors/torch/state_dict.h"
#include "core/tensors/zip_archive.h"

namespace hydra {

namespace {

constexpr std::string_view kOfWhat = "what torch.save writes (.pt)";

void check_storage(std::span<const std::byte> bytes, const Storage& storage, const std::string& file) {
  const auto needed = bytes_for(storage.type, storage.numbers);
  if (!needed || *needed > bytes.size())
    fail_in(file, "has a storage " + in_quotes(storage.key) + " of " + std::to_string(bytes.size()) + " bytes, and " +
                      std::to_string(storage.numbers) + " numbers of " + std::string(name_of(storage.type)) +
                      " were to be there; download it again");
}

// --- zip -------------------------------------------------------------------------------------------------------------

TensorFile read_zipped(const FileBytes& file) {
  const std::vector<ZipEntry> entries = zip_entries(file);
  std::map<std::string_view, const ZipEntry*> by_name;
  const ZipEntry* pickle_entry = nullptr;
  for (const ZipEntry& entry : entries) {
    by_name[entry.name] = &entry;
    if (entry.name.ends_with("/data.pkl") && (!pickle_entry || entry.name.size() < pickle_entry->name.size()))
      pickle_entry = &entry;
  }
  if (!pickle_entry)
    fail_in(file.name, "is a zip archive without a data.pkl, so torch.save did not write it; open a .npz file as that");
  const std::string root =
      pickle_entry->name.substr(0, pickle_entry->name.size() - std::string_view("data.pkl").size());
  ZipContents contents(file);
  if (const auto order = by_name.find(root + "byteorder"); order != by_name.end())
    if (text_of(contents.of(*order->second)) != "little")
      fail_in(file.name, "was written with its bytes in the other order (big-endian); save it on another machine");
  const auto bytes = contents.of(*pickle_entry);
  const Pickle pickle = read_pickle(bytes, file.name, torch_names());
  TensorFile result{file.name, {}, {}, {}};
  std::map<std::string, std::span<const std::byte>, std::less<>> unpacked;
  const FindStorage find = [&](const Storage& storage) {
    auto known = unpacked.find(storage.key);
    if (known == unpacked.end()) {
      const auto at = by_name.find(root + "data/" + std::string(storage.key));
      if (at == by_name.end())
        fail_in(file.name, "lacks the entry " + in_quotes(root + "data/" + std::string(storage.key)) +
                               " that its tensors are in; download it again");
      known = unpacked.emplace(std::string(storage.key), contents.of(*at->second)).first;
    }
    check_storage(known->second, storage, file.name);
    return known->second;
  };
  flatten(pickle, bytes.size(), find, result);
  result.owner = contents.owner();
  sort_tensors(result);
  return result;
}

// --- pickles one after the other -------------------------------------------------------------------------------------

constexpr std::string_view kLegacyMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);

class LegacyReader {
 public:
  explicit LegacyReader(const FileBytes& file) : file_(file) {}

  TensorFile read() {
    const Pickle magic = next();
    if (magic.root.kind != Pickled::Kind::large || magic.root.text() != kLegacyMagic)
      fail("is a pickle, and not " + std::string(kOfWhat) + "; save the state dict by torch.save");
    const Pickle protocol = next();
    if (protocol.root.kind != Pickled::Kind::whole || protocol.root.whole != 1001)
      fail("is of a version of torch.save that is not known; save it again");
    check_byte_order(next());
    const std::size_t begin = at_;
    const Pickle pickle = next();
    const std::size_t bytes = at_ - begin;
    const Pickle keys = next();
    if (keys.root.kind != Pickled::Kind::list) fail("has no list of its storages; save it again");
    find_types(pickle);
    for (const Pickled& key : keys.held(keys.root)) read_storage(key);
    TensorFile result{file_.name, file_.owner, {}, {}};
    const FindStorage find = [&](const Storage& storage) {
      const auto at = storages_.find(storage.key);
      if (at == storages_.end())
        fail("lacks the storage " + in_quotes(storage.key) + " that its tensors are in; download it again");
      check_storage(at->second, storage, file_.name);
      return at->second;
    };
    flatten(pickle, bytes, find, result);
    sort_tensors(result);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_in(file_.name, what); }

  Pickle next() {
    Pickle pickle = read_pickle(file_.bytes.subspan(at_), file_.name, torch_names());
    at_ += pickle.end;
    return pickle;
  }
  void check_byte_order(const Pickle& system) const {
    if (system.root.kind != Pickled::Kind::dict) return;
    const std::vector<Pickled>& facts = system.held(system.root);
    for (std::size_t k = 0; k + 1 < facts.size(); k += 2)
      if (facts[k].is_text() && facts[k].text() == "little_endian" && facts[k + 1].is_whole() &&
          facts[k + 1].whole == 0)
        fail("was written with its bytes in the other order (big-endian); save it on another machine");
  }
  // Only the tensors say of which type the numbers are.
  void find_types(const Pickle& pickle) {
    for (const auto& held : pickle.objects)
      for (const Pickled& value : held)
        if (value.kind == Pickled::Kind::persistent) {
          const Storage storage = storage_of(pickle, value, file_.name);
          types_.emplace(storage.key, storage.type);
        }
  }
  void read_storage(const Pickled& key) {
    if (!key.is_text()) fail("has a storage whose name is no text; save it again");
    const auto type = types_.find(key.text());
    if (type == types_.end())
      fail("has a storage " + in_quotes(key.text()) + " that no tensor is a view of; save it again");
    if (file_.bytes.size() - at_ < 8) fail("ends within its storages; download it again");
    const auto numbers = load<std::uint64_t>(file_.bytes.data() + at_);
    at_ += 8;
    const auto bytes = bytes_for(type->second, numbers);
    if (!bytes || *bytes > file_.bytes.size() - at_)
      fail("ends within the storage " + in_quotes(key.text()) + " of " + std::to_string(numbers) +
           " numbers; download it again");
    storages_[key.text()] = file_.bytes.subspan(at_, static_cast<std::size_t>(*bytes));
    at_ += static_cast<std::size_t>(*bytes);
  }

  const FileBytes& file_;
  std::size_t at_ = 0;
  std::map<std::string_view, NumberType> types_;
  std::map<std::string_view, std::span<const std::byte>> storages_;
};

}  // namespace

TensorFile read_pt(const FileBytes& file) {
  const Content content = content_of(file.bytes);
  if (content == Content::zip) return read_zipped(file);
  if (content == Content::pickle) return LegacyReader(file).read();
  if (content == Content::tar)
    fail_in(file.name, "is a tar archive, as PyTorch wrote them before 0.1.10; load it there and save it again");
  fail_other_content(file, std::string(kOfWhat));
}
TensorFile open_pt(const std::string& path) { return read_pt(map_file(path)); }

}  // namespace hydra
