#include "core/tensors/zip_archive.h"

#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/tensor.h"

namespace hydra {

namespace {

// The file as minizip reads it.
struct ZipStream {
  std::span<const std::byte> bytes;
  std::size_t at = 0;
};

ZipStream& zip_stream(voidpf stream) { return *static_cast<ZipStream*>(stream); }

voidpf open_stream(voidpf opaque, const void*, int) { return opaque; }
uLong read_stream(voidpf, voidpf stream, void* to, uLong size) {
  ZipStream& s = zip_stream(stream);
  const std::size_t count = std::min<std::size_t>(size, s.bytes.size() - s.at);
  if (count > 0) std::memcpy(to, s.bytes.data() + s.at, count);
  s.at += count;
  return static_cast<uLong>(count);
}
uLong write_stream(voidpf, voidpf, const void*, uLong) { return 0; }
ZPOS64_T tell_stream(voidpf, voidpf stream) { return zip_stream(stream).at; }
long seek_stream(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  ZipStream& s = zip_stream(stream);
  const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                           : origin == ZLIB_FILEFUNC_SEEK_CUR ? s.at
                                                              : s.bytes.size();
  if (offset > s.bytes.size() - base) return -1;
  s.at = base + static_cast<std::size_t>(offset);
  return 0;
}
int close_stream(voidpf, voidpf) { return 0; }
int error_of_stream(voidpf, voidpf) { return 0; }

// An archive that minizip has open.
class OpenArchive {
 public:
  explicit OpenArchive(std::span<const std::byte> bytes) : stream_{bytes} {
    zlib_filefunc64_def calls{open_stream, read_stream,  write_stream,    tell_stream,
                              seek_stream, close_stream, error_of_stream, &stream_};
    file_ = unzOpen2_64("", &calls);
  }
  ~OpenArchive() {
    if (file_ != nullptr) unzClose(file_);
  }
  OpenArchive(const OpenArchive&) = delete;
  OpenArchive& operator=(const OpenArchive&) = delete;
  unzFile get() const { return file_; }

 private:
  ZipStream stream_;
  unzFile file_ = nullptr;
};

ZipEntry current_entry(const FileBytes& file, unzFile archive) {
  unz_file_info64 info{};
  ZipEntry entry;
  int status = unzGetCurrentFileInfo64(archive, &info, nullptr, 0, nullptr, 0, nullptr, 0);
  if (status == UNZ_OK) {
    entry.name.resize(info.size_filename);  // 16 bits
    status = unzGetCurrentFileInfo64(archive, &info, entry.name.data(), info.size_filename, nullptr, 0, nullptr, 0);
  }
  if (status != UNZ_OK) fail_in(file.name, "is a zip archive whose directory is broken; download it again");
  const std::string what = "the entry " + in_quotes(entry.name) + " of the archive ";
  if ((info.flag & 1) != 0) fail_in(file.name, what + "is encrypted; save it without a password");
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
    fail_in(file.name, what + "is packed by method " + std::to_string(info.compression_method) +
                           ", and only stored and deflated ones are read; pack it again");
  int method = 0;
  if (unzOpenCurrentFile2(archive, &method, nullptr, 1) != UNZ_OK)
    fail_in(file.name, what + "does not stand where the directory says; download it again");
  const ZPOS64_T at = unzGetCurrentFileZStreamPos64(archive);
  unzCloseCurrentFile(archive);
  if (at > file.bytes.size() || info.compressed_size > file.bytes.size() - at)
    fail_in(file.name, what + "ends beyond the file; download it again");
  entry.deflated = info.compression_method != 0;
  entry.packed = file.bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(info.compressed_size));
  entry.size = info.uncompressed_size;
  entry.checksum = static_cast<std::uint32_t>(info.crc);
  if (!entry.deflated && entry.size != entry.packed.size())
    fail_in(file.name, what + "is stored and has two sizes; download it again");
  return entry;
}

// Gives size bytes or nothing.
std::shared_ptr<const std::string> unpack(const ZipEntry& entry) {
  const auto content = std::make_shared<std::string>(static_cast<std::size_t>(entry.size), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::size_t read = 0, written = 0;
  int status = Z_OK;
  // Its counts have 32 bits, whatever the sizes have.
  constexpr std::size_t piece = 1u << 30;
  char past_the_end = 0;
  while (status == Z_OK) {
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(entry.packed.data())) + read;
    stream.avail_in = static_cast<uInt>(std::min(piece, entry.packed.size() - read));
    const bool full = written == content->size();
    stream.next_out = reinterpret_cast<Bytef*>(full ? &past_the_end : content->data() + written);
    stream.avail_out = static_cast<uInt>(full ? 1 : std::min(piece, content->size() - written));
    const uInt in = stream.avail_in, out = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    if (full && stream.avail_out == 0) status = Z_DATA_ERROR;  // more than it said
    if (!full) written += out - stream.avail_out;
    if (status == Z_OK && in == stream.avail_in && out == stream.avail_out) status = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_STREAM_END || written != content->size()) return nullptr;
  const uLong checksum =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(content->data()), content->size());
  return checksum == entry.checksum ? content : nullptr;
}

}  // namespace

std::vector<ZipEntry> zip_entries(const FileBytes& file) {
  if (text_of(file.bytes).starts_with("PK\5\6")) return {};  // an empty one, which minizip takes for none
  const OpenArchive archive(file.bytes);
  if (archive.get() == nullptr)
    fail_in(file.name, "begins as a zip archive and has no directory at its end; download it again");
  std::vector<ZipEntry> entries;
  unz_global_info64 facts{};
  int status = unzGetGlobalInfo64(archive.get(), &facts);
  if (status == UNZ_OK && facts.number_entry > file.bytes.size() / 46)  // the least that one has in the directory
    fail_in(file.name, "is a zip archive that says it has " + std::to_string(facts.number_entry) +
                           " entries, more than its bytes hold; download it again");
  if (facts.number_entry == 0) return entries;
  for (status = unzGoToFirstFile(archive.get()); status == UNZ_OK; status = unzGoToNextFile(archive.get()))
    entries.push_back(current_entry(file, archive.get()));
  if (status != UNZ_END_OF_LIST_OF_FILE)
    fail_in(file.name, "is a zip archive whose directory is broken; download it again");
  std::vector<std::string_view> names;
  for (const ZipEntry& entry : entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    fail_in(file.name, "has two entries named " + in_quotes(*twice) + "; pack it again");
  return entries;
}

std::span<const std::byte> ZipContents::of(const ZipEntry& entry) {
  if (!entry.deflated) return entry.packed;
  if (entry.size > left_ || entry.size > std::string().max_size())
    fail_in(file_.name, "the entry " + in_quotes(entry.name) + " of the archive would be " +
                            std::to_string(entry.size) +
                            " bytes unpacked, more than 16 times the file; save it without compression");
  const auto content = unpack(entry);
  if (!content)
    fail_in(file_.name, "the entry " + in_quotes(entry.name) +
                            " of the archive is not what was packed, by its size or checksum; download it again");
  left_ -= entry.size;
  unpacked_.push_back(content);
  return bytes_of(*content);
}

std::shared_ptr<const void> ZipContents::owner() {
  if (unpacked_.empty()) return file_.owner;
  using Kept = std::pair<std::shared_ptr<const void>, std::vector<std::shared_ptr<const std::string>>>;
  return std::make_shared<const Kept>(file_.owner, std::move(unpacked_));
}

}  // namespace hydra
