#include "tests/core/tensors/made_files.h"

#include <zlib.h>

#include <filesystem>

namespace hydra::made {

Folder::Folder() {
  std::string path = (std::filesystem::temp_directory_path() / "hydra_tensors.XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no folder for the test");
  path_ = path;
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string safetensors(const std::string& header, const std::string& numbers) {
  return u64(header.size()) + header + numbers;
}

std::string npy(const std::string& dictionary, const std::string& numbers, int version) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  bytes += version == 1 ? le(static_cast<std::uint16_t>(dictionary.size()))
                        : u32(static_cast<std::uint32_t>(dictionary.size()));
  return bytes + dictionary + numbers;
}

namespace {

std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

std::string zip(const std::vector<ZipPart>& parts) {
  std::string bytes, directory;
  for (const ZipPart& part : parts) {
    const std::string packed = part.deflate ? deflated(part.content) : part.content;
    const auto checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(part.content.data()), static_cast<uInt>(part.content.size())));
    const std::string facts = all<std::uint16_t>({20, 0, static_cast<std::uint16_t>(part.deflate ? 8 : 0), 0, 0x21}) +
                              u32(checksum) + u32(static_cast<std::uint32_t>(packed.size())) +
                              u32(static_cast<std::uint32_t>(part.content.size())) +
                              all<std::uint16_t>({static_cast<std::uint16_t>(part.name.size()), 0});
    directory += "PK\1\2" + all<std::uint16_t>({20}) + facts + all<std::uint16_t>({0, 0, 0}) + u32(0) +
                 u32(static_cast<std::uint32_t>(bytes.size())) + part.name;
    bytes += "PK\3\4" + facts + part.name + packed;
  }
  const auto count = static_cast<std::uint16_t>(parts.size());
  return bytes + directory + "PK\5\6" + all<std::uint16_t>({0, 0, count, count}) +
         u32(static_cast<std::uint32_t>(directory.size())) + u32(static_cast<std::uint32_t>(bytes.size())) +
         all<std::uint16_t>({0});
}

std::string pt(const std::string& pickle, const std::vector<std::string>& storages) {
  std::vector<ZipPart> parts = {{"a/data.pkl", pickle}, {"a/byteorder", "little"}};
  for (std::size_t k = 0; k < storages.size(); ++k) parts.push_back({"a/data/" + std::to_string(k), storages[k]});
  return zip(parts);
}

}  // namespace hydra::made
