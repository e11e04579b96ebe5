#include "core/tensors/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>
#include <stdexcept>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/content.h"
#include "core/tensors/numbers.h"

namespace hydra {

namespace {

enum class GgufType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
constexpr std::array<std::size_t, 13> kGgufBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};  // 0: as long as it says

constexpr std::array<std::pair<std::uint32_t, NumberType>, 9> kGgufNumbers = {{{0, NumberType::f32},
                                                                               {1, NumberType::f16},
                                                                               {8, NumberType::q8_0},
                                                                               {24, NumberType::i8},
                                                                               {25, NumberType::i16},
                                                                               {26, NumberType::i32},
                                                                               {27, NumberType::i64},
                                                                               {28, NumberType::f64},
                                                                               {30, NumberType::bf16}}};
constexpr std::array<std::string_view, 24> kGgufOthers = {
    "F32",  "F16",  "Q4_0", "Q4_1", "Q4_2",    "Q4_3",   "Q5_0",    "Q5_1",  "Q8_0",   "Q8_1",  "Q2_K",  "Q3_K",
    "Q4_K", "Q5_K", "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS"};

// For sentences: what is being read. Made into words only when something is wrong.
struct Part {
  std::string_view what, name = {};
  std::string words() const {
    return name.data() == nullptr ? std::string(what) : std::string(what) + " " + in_quotes(name);
  }
};

class GgufReader {
 public:
  explicit GgufReader(const FileBytes& file) : file_(file) {}

  TensorFile read() {
    if (content_of(file_.bytes) != Content::gguf) fail_other_content(file_, "a GGUF file");
    at_ = 4;
    const auto version = number<std::uint32_t>({"its version"});
    if (version == 0x02000000 || version == 0x03000000)
      fail("is GGUF with its bytes in the other order (big-endian); convert it for a little-endian machine");
    if (version < 2 || version > 3)
      fail("is of version " + std::to_string(version) + " of GGUF, and 2 and 3 are read; convert it again");
    const std::uint64_t tensors = count({"tensors"}, 8 + 4 + 4 + 8), keys = count({"metadata"}, 8 + 4 + 1);
    if (tensors > (file_.bytes.size() - at_) / 24) fail_count(tensors, {"tensors"});
    result_.name = file_.name;
    result_.owner = file_.owner;
    for (std::uint64_t k = 0; k < keys; ++k) read_pair();
    check_keys();
    read_alignment();
    for (std::uint64_t k = 0; k < tensors; ++k) read_tensor();
    place_tensors();
    sort_tensors(result_);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_in(file_.name, what); }
  [[noreturn]] void fail_count(std::uint64_t value, const Part& of) const {
    fail("says that it has " + std::to_string(value) + " of " + of.words() +
         ", more than its bytes hold; download it again");
  }

  std::span<const std::byte> take(std::uint64_t bytes, const Part& of) {
    if (bytes > file_.bytes.size() - at_)
      fail("ends within " + of.words() + ", at byte " + std::to_string(at_) + "; download it again");
    const auto taken = file_.bytes.subspan(at_, static_cast<std::size_t>(bytes));
    at_ += taken.size();
    return taken;
  }
  template <class T>
  T number(const Part& of) {
    return load<T>(take(sizeof(T), of).data());
  }
  // So many things of so many bytes at least.
  std::uint64_t count(const Part& of, std::uint64_t least) {
    const auto value = number<std::uint64_t>(of);
    if (value > (file_.bytes.size() - at_) / least) fail_count(value, of);
    return value;
  }
  std::string_view string(const Part& of) {
    const auto length = number<std::uint64_t>(of);
    return text_of(take(length, of));
  }

  void read_pair() {
    const std::string_view key = string({"a key of its metadata"});
    const Part of{"its metadata", key};
    const GgufType its_type = type(of);
    result_.metadata.emplace_back(std::string(key), value(its_type, of));
  }
  GgufType type(const Part& of) {
    const auto type = number<std::uint32_t>(of);
    if (type >= kGgufBytes.size())
      fail("has a type " + std::to_string(type) + " in " + of.words() + ", which GGUF does not have; convert it again");
    return static_cast<GgufType>(type);
  }
  static bool is_decimal(GgufType type) { return type == GgufType::f32 || type == GgufType::f64; }

  MetaValue value(GgufType type, const Part& of) {
    if (type == GgufType::array) return array(of);
    if (type == GgufType::string) return std::string(string(of));
    const std::byte* const at = take(kGgufBytes[static_cast<std::size_t>(type)], of).data();
    if (type == GgufType::boolean) return *at != std::byte{0};
    if (is_decimal(type)) return decimal(type, at);
    // The one type that may be beyond.
    if (type == GgufType::u64 && load<std::uint64_t>(at) >> 63 != 0)
      return static_cast<double>(load<std::uint64_t>(at));
    return whole(type, at);
  }
  MetaValue array(const Part& of) {
    const GgufType of_each = type(of);
    if (of_each == GgufType::array)
      fail("has arrays of arrays in " + of.words() + ", which nobody reads; convert it again");
    const std::size_t bytes = of_each == GgufType::string ? 8 : kGgufBytes[static_cast<std::size_t>(of_each)];
    const auto size = static_cast<std::size_t>(count(of, bytes));
    if (of_each == GgufType::string) {
      std::vector<std::string_view> texts;
      texts.reserve(size);
      for (std::size_t k = 0; k < size; ++k) texts.push_back(string(of));
      return texts;
    }
    const std::byte* const at = take(size * bytes, of).data();
    if (is_decimal(of_each)) {
      std::vector<double> values(size);
      for (std::size_t k = 0; k < size; ++k) values[k] = decimal(of_each, at + k * bytes);
      return values;
    }
    std::vector<std::int64_t> values(size);
    for (std::size_t k = 0; k < size; ++k) {
      values[k] = whole(of_each, at + k * bytes);
      if (of_each == GgufType::u64 && values[k] < 0)
        fail("has numbers beyond 2^63 in " + of.words() + ", which no model needs; convert it again");
    }
    return values;
  }
  static double decimal(GgufType type, const std::byte* at) {
    return type == GgufType::f32 ? static_cast<double>(load<float>(at)) : load<double>(at);
  }
  static std::int64_t whole(GgufType type, const std::byte* at) {
    switch (type) {
      case GgufType::u8:
        return load<std::uint8_t>(at);
      case GgufType::i8:
        return load<std::int8_t>(at);
      case GgufType::u16:
        return load<std::uint16_t>(at);
      case GgufType::i16:
        return load<std::int16_t>(at);
      case GgufType::u32:
        return load<std::uint32_t>(at);
      case GgufType::i32:
        return load<std::int32_t>(at);
      case GgufType::boolean:
        return *at != std::byte{0} ? 1 : 0;
      default:
        return load<std::int64_t>(at);
    }
  }

  void check_keys() const {
    std::vector<std::string_view> keys;
    keys.reserve(result_.metadata.size());
    for (const auto& [key, value] : result_.metadata) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    if (const auto twice = std::adjacent_find(keys.begin(), keys.end()); twice != keys.end())
      fail("has the metadata " + in_quotes(*twice) + " twice; convert it again");
  }
  void read_alignment() {
    if (result_.meta("general.alignment") == nullptr) return;
    const auto alignment = result_.whole("general.alignment");
    if (!alignment || *alignment < 8 || *alignment > 1 << 20 ||
        !std::has_single_bit(static_cast<std::uint64_t>(*alignment)))
      fail("has a general.alignment that is no power of two from 8 to 2^20; convert it again");
    alignment_ = static_cast<std::uint64_t>(*alignment);
  }

  void read_tensor() {
    Tensor tensor;
    tensor.name = std::string(string({"the name of a tensor"}));
    const Part of{"tensor", tensor.name};
    const auto rank = number<std::uint32_t>(of);
    if (rank > 8)
      fail("has " + std::to_string(rank) + " dimensions in " + of.words() +
           ", which no reader takes; convert it again");
    std::array<std::uint64_t, 8> dimensions{};
    for (std::uint32_t d = 0; d < rank; ++d) dimensions[rank - 1 - d] = number<std::uint64_t>(of);
    const auto code = number<std::uint32_t>(of);
    const auto known =
        std::find_if(kGgufNumbers.begin(), kGgufNumbers.end(), [&](auto& pair) { return pair.first == code; });
    if (known == kGgufNumbers.end())
      fail("has " + of.words() + " in the type " +
           (code < kGgufOthers.size() ? std::string(kGgufOthers[code]) : std::to_string(code)) +
           ", which is not read here; convert the model to F32, F16, BF16 or Q8_0");
    tensor.type = known->second;
    const auto shape = shape_of(std::span(dimensions).first(rank));
    const auto numbers = shape ? count_of_shape(*shape) : std::nullopt;
    const auto bytes = numbers ? bytes_for(tensor.type, *numbers) : std::nullopt;
    const std::uint64_t block = block_of(tensor.type).numbers;
    if (!bytes || (block > 1 && (rank == 0 || dimensions[rank - 1] % block != 0)))
      fail("has a shape of " + of.words() + " that is too large, or no whole number of blocks; convert it again");
    tensor.shape = *shape;
    places_.push_back({number<std::uint64_t>(of), *bytes, result_.tensors.size()});
    result_.tensors.push_back(std::move(tensor));
  }

  // Each stands where the one before ends, rounded up.
  void place_tensors() {
    const auto up = [&](std::uint64_t place) { return (place + alignment_ - 1) / alignment_ * alignment_; };
    const std::uint64_t base = up(at_), size = file_.bytes.size();
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return a.at != b.at ? a.at < b.at : a.bytes != b.bytes ? a.bytes < b.bytes : a.tensor < b.tensor;
    });
    std::uint64_t expected = 0;
    for (const Place& place : places_) {
      Tensor& tensor = result_.tensors[place.tensor];
      const Part of{"tensor", tensor.name};
      if (place.at != expected)
        fail("has " + of.words() + " at " + std::to_string(place.at) + ", and by what is before it it stands at " +
             std::to_string(expected) + "; convert it again");
      if (base > size || place.at > size - base || place.bytes > size - base - place.at)
        fail("ends within " + of.words() + "; download it again");
      tensor.bytes =
          file_.bytes.subspan(static_cast<std::size_t>(base + place.at), static_cast<std::size_t>(place.bytes));
      expected = up(place.at + place.bytes);
    }
  }

  struct Place {
    std::uint64_t at = 0, bytes = 0;
    std::size_t tensor = 0;
  };

  const FileBytes& file_;
  std::size_t at_ = 0;
  std::uint64_t alignment_ = 32;
  std::vector<Place> places_;
  TensorFile result_;
};

}  // namespace

TensorFile read_gguf(const FileBytes& file) try { return GgufReader(file).read(); } catch (const std::length_error&) {
  throw std::bad_alloc();  // a list that eight bytes a number make too long where addresses have 32 bits
}
TensorFile open_gguf(const std::string& path) { return read_gguf(map_file(path)); }

}  // namespace hydra
