#include <minizip/zip.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/numpy/npy.h"
#include "core/tensors/numpy/npy_types.h"
#include "core/tensors/row_major.h"

namespace hydra {

namespace {

NumberType written_type(NumberType type) {
  return type == NumberType::bf16 || type == NumberType::q8_0 ? NumberType::f32 : type;
}

std::string npy_header(const Tensor& tensor) {
  const NumberType type = written_type(tensor.type);
  std::string word;
  for (const auto& [name, of] : kNpyTypes)
    if (of == type) word = name;
  std::string shape;
  for (const Index size : tensor.shape) shape += std::to_string(size) + ", ";
  if (tensor.shape.size() > 1) shape.resize(shape.size() - 2);
  if (tensor.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string dictionary = "{'descr': '" + std::string(block_of(type).bytes == 1 ? "|" : "<") + word +
                           "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const bool longer = dictionary.size() > 60000;  // which a length of 16 bits could not say
  const std::size_t begin = longer ? 12 : 10;
  dictionary.resize((begin + dictionary.size() + 1 + 63) / 64 * 64 - begin, ' ');
  dictionary.back() = '\n';
  std::string header = "\x93NUMPY";
  header += longer ? '\2' : '\1';
  header += '\0';
  for (std::size_t k = 0; k < (longer ? 4u : 2u); ++k) header += static_cast<char>(dictionary.size() >> 8 * k & 255);
  return header + dictionary;
}

void write_numbers(const Tensor& tensor, const Sink& sink) {
  if (written_type(tensor.type) == tensor.type) return write_row_major(tensor, sink);
  std::vector<float> piece(1 << 14);
  const Index count = count_of(tensor);
  for (Index first = 0; first < count;) {
    const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<Index>(count - first, 1 << 14)));
    to_floats(tensor, first, part);
    sink({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    first += static_cast<Index>(part.size());
  }
}

// What minizip writes. It goes back to the beginning of the entry that it closes: what came before can go.
struct ZipOutput {
  const Sink& sink;
  std::string pending;
  ZPOS64_T gone = 0;
  std::size_t at = 0;  // within pending

  void let_go() {
    sink(pending);
    gone += pending.size();
    pending.clear();
    at = 0;
  }
};

ZipOutput& zip_output(voidpf stream) { return *static_cast<ZipOutput*>(stream); }

voidpf open_output(voidpf opaque, const void*, int) { return opaque; }
uLong read_output(voidpf, voidpf, void*, uLong) { return 0; }
uLong write_output(voidpf, voidpf stream, const void* bytes, uLong size) try {
  ZipOutput& o = zip_output(stream);
  if (o.at + size > o.pending.size()) o.pending.resize(o.at + size);
  if (size > 0) std::memcpy(o.pending.data() + o.at, bytes, size);
  o.at += size;
  return size;
} catch (const std::bad_alloc&) {
  return 0;  // through the library, which is C, nothing is thrown
}
ZPOS64_T tell_output(voidpf, voidpf stream) { return zip_output(stream).gone + zip_output(stream).at; }
long seek_output(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  ZipOutput& o = zip_output(stream);
  const ZPOS64_T base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                        : origin == ZLIB_FILEFUNC_SEEK_CUR ? o.gone + o.at
                                                           : o.gone + o.pending.size();
  const ZPOS64_T place = base + offset;
  if (place < o.gone || place - o.gone > o.pending.size()) return -1;
  o.at = static_cast<std::size_t>(place - o.gone);
  return 0;
}
int close_output(voidpf, voidpf) { return 0; }
int error_of_output(voidpf, voidpf) { return 0; }

// Closes what an exception of the sink leaves open.
struct OpenZip {
  zipFile file;
  ~OpenZip() {
    if (file != nullptr) zipClose(file, nullptr);
  }
  int close() { return zipClose(std::exchange(file, nullptr), nullptr); }
};

}  // namespace

void write_npy(const std::string& path, const Tensor& tensor) {
  write_whole(path, [&](const Sink& sink) {
    sink(npy_header(tensor));
    write_numbers(tensor, sink);
  });
}

void write_npz(const std::string& path, const std::vector<Tensor>& tensors) {
  const std::vector<const Tensor*> order = sorted_for_writing(path, tensors);
  for (const Tensor* const tensor : order)
    if (tensor->name.size() > 60000 || tensor->name.find('\0') != std::string::npos)
      fail_in(path, "no entry of a zip archive can be named " + in_quotes(tensor->name) + "; rename the tensor");
  write_whole(path, [&](const Sink& sink) {
    ZipOutput output{sink, {}};
    zlib_filefunc64_def calls{open_output, read_output,  write_output,    tell_output,
                              seek_output, close_output, error_of_output, &output};
    OpenZip zip{zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &calls)};
    const auto check = [&](int status) {
      if (zip.file == nullptr || status != ZIP_OK) throw std::bad_alloc();  // nothing else fails in memory
    };
    zip_fileinfo facts{};
    facts.dosDate = 0x210000;  // the first day that a zip archive can name: the same numbers are the same file
    for (const Tensor* const tensor : order) {
      constexpr uLong utf8_name = 1u << 11;
      check(zipOpenNewFileInZip4_64(zip.file, (tensor->name + ".npy").c_str(), &facts, nullptr, 0, nullptr, 0, nullptr,
                                    0, 0, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 0, utf8_name,
                                    1));
      const Sink entry = [&](std::string_view bytes) {
        for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 1u << 30)))
          check(zipWriteInFileInZip(zip.file, bytes.data(),
                                    static_cast<unsigned>(std::min<std::size_t>(bytes.size(), 1u << 30))));
      };
      entry(npy_header(*tensor));
      write_numbers(*tensor, entry);
      check(zipCloseFileInZip(zip.file));
      output.let_go();
    }
    const int status = zip.file == nullptr ? ZIP_INTERNALERROR : zip.close();
    if (status != ZIP_OK) throw std::bad_alloc();
    output.let_go();
  });
}

}  // namespace hydra
