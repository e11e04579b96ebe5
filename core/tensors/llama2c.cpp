#include "core/tensors/llama2c.h"

#include <array>
#include <cstdlib>

#include "core/tensors/content.h"
#include "core/tensors/numbers.h"

namespace hydra {

namespace {

constexpr std::uint32_t kLlama2cMagic = 0x616b3432;
constexpr std::size_t kLlama2cHeader = 256;  // of version 1
constexpr std::int32_t kMostOfASize = 1 << 26;

struct Sizes {
  std::int64_t width, hidden, layers, heads, kv_heads, vocabulary, tokens;
  bool own_readout, old;
  std::int64_t head() const { return width / heads; }
};

// Nothing: they are no sizes of a model.
std::optional<Sizes> sizes_at(std::span<const std::byte> bytes, std::size_t at, bool old) {
  if (bytes.size() < at + 7 * 4) return std::nullopt;
  std::array<std::int32_t, 7> n{};
  for (std::size_t k = 0; k < n.size(); ++k) n[k] = load<std::int32_t>(bytes.data() + at + 4 * k);
  const bool negative = old && n[5] < 0 && n[5] >= -kMostOfASize;
  if (negative) n[5] = -n[5];
  for (const std::int32_t size : n)
    if (size <= 0 || size > kMostOfASize) return std::nullopt;
  if (n[0] % n[3] != 0 || n[3] % n[4] != 0 || n[0] / n[3] % 2 != 0) return std::nullopt;
  return Sizes{n[0], n[1], n[2], n[3], n[4], n[5], n[6], negative, old};
}

// Gives out the arrays in their order; sizes are below 2^26, so that counts of 2^52 cannot overflow before they are
// checked against the file.
class Llama2cArrays {
 public:
  Llama2cArrays(const Sizes& sizes, std::size_t begin) : s_(sizes), at_(begin) {}

  // take(name, layer or -1, shape, byte where it begins): all of them; the end, or none where they are too many.
  template <class Take>
  std::optional<std::uint64_t> walk(std::uint64_t size, const Take& take) {
    const std::int64_t rows = s_.kv_heads * s_.head();
    const auto each = [&](const char* name, std::vector<Index> shape) {
      for (std::int64_t layer = 0; layer < s_.layers && ok_; ++layer) one(size, take, name, layer, shape);
    };
    const auto w = static_cast<Index>(s_.width), h = static_cast<Index>(s_.hidden);
    const auto kv = static_cast<Index>(rows), v = static_cast<Index>(s_.vocabulary);
    const auto attention_norms = [&] { each("input_layernorm", {w}); };
    const auto feed_forward_norms = [&] { each("post_attention_layernorm", {w}); };
    const auto norm = [&] { one(size, take, "model.norm.weight", -1, {w}); };
    const auto table = [&] { one(size, take, "model.embed_tokens.weight", -1, {v, w}); };
    if (s_.old) {
      table(), attention_norms();
    } else {
      attention_norms(), feed_forward_norms(), norm(), table();
    }
    each("self_attn.q_proj", {w, w});
    each("self_attn.k_proj", {kv, w});
    each("self_attn.v_proj", {kv, w});
    each("self_attn.o_proj", {w, w});
    if (s_.old) feed_forward_norms();
    each("mlp.gate_proj", {h, w});
    each("mlp.down_proj", {w, h});
    each("mlp.up_proj", {h, w});
    if (s_.old) {
      norm();
      skip(size, 2 * s_.tokens * (s_.head() / 2));  // the tables of rotation
    }
    if (s_.own_readout) one(size, take, "lm_head.weight", -1, {v, w});
    return ok_ ? std::optional(at_) : std::nullopt;
  }

 private:
  template <class Take>
  void one(std::uint64_t size, const Take& take, const char* name, std::int64_t layer,
           const std::vector<Index>& shape) {
    std::int64_t count = 1;
    for (const Index n : shape) count *= n;
    const std::uint64_t begin = at_;
    skip(size, count);
    if (ok_) take(name, layer, shape, begin);
  }
  void skip(std::uint64_t size, std::int64_t floats) {
    const auto bytes = 4 * static_cast<std::uint64_t>(floats);
    ok_ = ok_ && at_ <= size && bytes <= size - at_;
    if (ok_) at_ += bytes;
  }

  Sizes s_;
  std::uint64_t at_;
  bool ok_ = true;
};

constexpr auto kNoTake = [](const char*, std::int64_t, const std::vector<Index>&, std::uint64_t) {};

bool has_llama2c_magic(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && load<std::uint32_t>(bytes.data()) == kLlama2cMagic;
}

}  // namespace

bool is_llama2c(std::span<const std::byte> bytes) {
  if (has_llama2c_magic(bytes)) return true;
  const auto sizes = sizes_at(bytes, 0, true);
  return sizes && Llama2cArrays(*sizes, 28).walk(bytes.size(), kNoTake) == bytes.size();
}

TensorFile read_llama2c(const FileBytes& file) {
  const bool versioned = has_llama2c_magic(file.bytes);
  if (!versioned && content_of(file.bytes) != Content::llama2c && content_of(file.bytes) != Content::unknown)
    fail_other_content(file, "a checkpoint of llama2.c");
  if (versioned) {
    if (file.bytes.size() < kLlama2cHeader)
      fail_in(file.name, "ends within the header of 256 bytes that llama2.c writes; download it again");
    if (const auto version = load<std::int32_t>(file.bytes.data() + 4); version != 1)
      fail_in(file.name, "is of version " + std::to_string(version) +
                             " of llama2.c, whose numbers are not floats; export it as version 0 or 1");
  }
  auto sizes = sizes_at(file.bytes, versioned ? 8 : 0, !versioned);
  if (!sizes)
    fail_in(file.name, "has no sizes of a Llama in its first bytes, as llama2.c writes them; give a checkpoint of it");
  if (versioned) sizes->own_readout = file.bytes[36] == std::byte{0};
  TensorFile result{file.name, file.owner, {}, {}};
  const auto take = [&](const char* name, std::int64_t layer, const std::vector<Index>& shape, std::uint64_t begin) {
    Tensor tensor;
    tensor.name = layer < 0 ? name : "model.layers." + std::to_string(layer) + "." + name + ".weight";
    tensor.shape = shape;
    tensor.bytes =
        file.bytes.subspan(static_cast<std::size_t>(begin), 4 * static_cast<std::size_t>(*count_of_shape(shape)));
    result.tensors.push_back(std::move(tensor));
  };
  const auto end = Llama2cArrays(*sizes, versioned ? kLlama2cHeader : 28).walk(file.bytes.size(), take);
  if (end != file.bytes.size())
    fail_in(file.name, std::string(end ? "is longer" : "is shorter") +
                           " than a Llama of the sizes in its first bytes (" + std::to_string(sizes->width) +
                           " wide, " + std::to_string(sizes->layers) + " layers); download it again");
  result.metadata = {{"model_type", std::string("llama")},
                     {"hidden_size", sizes->width},
                     {"intermediate_size", sizes->hidden},
                     {"num_hidden_layers", sizes->layers},
                     {"num_attention_heads", sizes->heads},
                     {"num_key_value_heads", sizes->kv_heads},
                     {"vocab_size", sizes->vocabulary},
                     {"max_position_embeddings", sizes->tokens},
                     {"tie_word_embeddings", !sizes->own_readout},
                     {"rotary_pairs", std::string("neighbours")}};
  sort_tensors(result);
  return result;
}

TensorFile open_llama2c(const std::string& path) { return read_llama2c(map_file(path)); }

}  // namespace hydra
