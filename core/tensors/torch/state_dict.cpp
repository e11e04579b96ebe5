#include "core/tensors/torch/state_dict.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

using Kind = Pickled::Kind;

constexpr std::array<std::string_view, 52> kTorchNames = {
    "_codecs.encode",
    "argparse.Namespace",
    "builtins.bool",
    "builtins.bytearray",
    "builtins.bytes",
    "builtins.complex",
    "builtins.dict",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.list",
    "builtins.set",
    "builtins.slice",
    "builtins.str",
    "builtins.tuple",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.defaultdict",
    "torch.BFloat16Storage",
    "torch.BoolStorage",
    "torch.ByteStorage",
    "torch.CharStorage",
    "torch.DoubleStorage",
    "torch.FloatStorage",
    "torch.HalfStorage",
    "torch.IntStorage",
    "torch.LongStorage",
    "torch.ShortStorage",
    "torch.Size",
    "torch.Tensor",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch.bfloat16",
    "torch.bool",
    "torch.complex64",
    "torch.device",
    "torch.double",
    "torch.float",
    "torch.float16",
    "torch.float32",
    "torch.float64",
    "torch.half",
    "torch.int",
    "torch.int16",
    "torch.int32",
    "torch.int64",
    "torch.int8",
    "torch.long",
    "torch.nn.parameter.Parameter",
    "torch.short",
    "torch.uint8",
};
static_assert(std::is_sorted(kTorchNames.begin(), kTorchNames.end()));

constexpr std::array<std::pair<std::string_view, NumberType>, 10> kStorages = {{
    {"torch.BFloat16Storage", NumberType::bf16},
    {"torch.BoolStorage", NumberType::boolean},
    {"torch.ByteStorage", NumberType::u8},
    {"torch.CharStorage", NumberType::i8},
    {"torch.DoubleStorage", NumberType::f64},
    {"torch.FloatStorage", NumberType::f32},
    {"torch.HalfStorage", NumberType::f16},
    {"torch.IntStorage", NumberType::i32},
    {"torch.LongStorage", NumberType::i64},
    {"torch.ShortStorage", NumberType::i16},
}};

constexpr std::size_t kDeepest = 32;

class Flattener {
 public:
  Flattener(const Pickle& pickle, std::size_t pickle_bytes, const FindStorage& find, TensorFile& result)
      : pickle_(pickle),
        find_(find),
        result_(result),
        most_bytes_((std::size_t{1} << 20) + 16 * pickle_bytes),
        most_visits_(1000 + 2 * pickle.steps) {}

  void run() {
    std::string name;
    visit(pickle_.root, name, 0);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_in(result_.name, what); }
  [[noreturn]] void fail_at(const std::string& name, const std::string& what) const {
    fail((name.empty() ? std::string("its tensor") : in_quotes(name)) + " " + what);
  }

  const std::vector<Pickled>& held(const Pickled& value) const { return pickle_.held(value); }
  std::string_view called(const Pickled& call) const { return pickle_.name(held(call)[0]); }
  const std::vector<Pickled>& arguments(const Pickled& call) const { return held(held(call)[1]); }

  // What is kept grows with the names, and a pickle can be folded.
  void count_name(const std::string& name) {
    kept_bytes_ += name.size();
    if (kept_bytes_ > most_bytes_) fail_folded();
  }
  [[noreturn]] void fail_folded() const {
    fail("repeats its parts more often than a state dict does; save the state dict alone");
  }

  void visit(const Pickled& value, std::string& name, std::size_t depth) {
    if (++visits_ > most_visits_) fail_folded();
    if (depth > kDeepest)
      fail_at(name, "is nested deeper than " + std::to_string(kDeepest) + " levels; save the state dict alone");
    switch (value.kind) {
      case Kind::none:
      case Kind::large:
      case Kind::set:
      case Kind::persistent:
        return;
      case Kind::boolean:
        return keep(name, value.whole != 0);
      case Kind::whole:
        return keep(name, value.whole);
      case Kind::number:
        return keep(name, value.number);
      case Kind::text:
        return keep(name, std::string(value.text()));
      case Kind::global:
        return keep(name, std::string(pickle_.name(value)));
      case Kind::list:
      case Kind::tuple:
        return visit_list(held(value), name, depth);
      case Kind::dict:
        return visit_pairs(held(value), 0, name, depth);
      case Kind::call:
        return visit_call(value, name, depth);
    }
  }

  void visit_list(const std::vector<Pickled>& values, std::string& name, std::size_t depth) {
    const auto are_numbers = [&](bool decimals) {
      return std::all_of(values.begin(), values.end(), [&](const Pickled& value) {
        return value.kind == Kind::whole || (decimals && value.kind == Kind::number);
      });
    };
    if (!values.empty() && are_numbers(true)) {
      visits_ += values.size();
      if (visits_ > most_visits_) fail_folded();
    }
    if (!values.empty() && are_numbers(false)) {
      std::vector<std::int64_t> wholes;
      for (const Pickled& value : values) wholes.push_back(value.whole);
      return keep(name, std::move(wholes));
    }
    if (!values.empty() && are_numbers(true)) {
      std::vector<double> numbers;
      for (const Pickled& value : values)
        numbers.push_back(value.kind == Kind::whole ? static_cast<double>(value.whole) : value.number);
      return keep(name, std::move(numbers));
    }
    for (std::size_t k = 0; k < values.size(); ++k) visit_part(values[k], name, std::to_string(k), depth);
  }
  void visit_pairs(const std::vector<Pickled>& values, std::size_t begin, std::string& name, std::size_t depth) {
    for (std::size_t k = begin; k + 1 < values.size(); k += 2) {
      const Pickled& key = values[k];
      if (key.is_text())
        visit_part(values[k + 1], name, key.text(), depth);
      else if (key.is_whole())
        visit_part(values[k + 1], name, std::to_string(key.whole), depth);
      else if (key.kind == Kind::none || key.kind == Kind::global || key.kind == Kind::number)
        continue;  // as tables of hooks have them, never tensors
      else
        fail_at(name, "has a key that is neither a text nor a number; save the state dict alone");
    }
  }
  void visit_part(const Pickled& value, std::string& name, std::string_view part, std::size_t depth) {
    const std::size_t size = name.size();
    if (size + part.size() > most_bytes_) fail_folded();
    if (size > 0) name += '.';
    name += part;
    visit(value, name, depth + 1);
    name.resize(size);
  }

  void visit_call(const Pickled& call, std::string& name, std::size_t depth) {
    const std::string_view what = called(call);
    const std::vector<Pickled>& parts = held(call);
    const std::vector<Pickled>& given = arguments(call);
    if (what == "torch._utils._rebuild_tensor_v2" || what == "torch._utils._rebuild_tensor")
      return keep_tensor(given, name);
    if (what == "torch._utils._rebuild_parameter" || what == "torch.nn.parameter.Parameter") {
      if (given.empty()) fail_at(name, "is a parameter of nothing; save it again");
      return visit(given[0], name, depth + 1);
    }
    if (what == "collections.OrderedDict" || what == "collections.defaultdict" || what == "collections.Counter" ||
        what == "builtins.dict") {
      const Pickled* const first = given.empty() ? nullptr : &given.back();
      if (first && first->kind == Kind::dict) visit_pairs(held(*first), 0, name, depth);
      if (first && first->kind == Kind::list) {  // of pairs, as Python 2 wrote it
        for (const Pickled& pair : held(*first)) {
          if ((pair.kind != Kind::list && pair.kind != Kind::tuple) || held(pair).size() != 2)
            fail_at(name, "is a dictionary of what are no pairs; save it again");
          if (++visits_ > most_visits_) fail_folded();
          visit_pairs(held(pair), 0, name, depth);
        }
      }
      return visit_pairs(parts, 3, name, depth);
    }
    if (what == "argparse.Namespace") {
      if (parts[2].kind == Kind::dict) visit_pairs(held(parts[2]), 0, name, depth);
      return;
    }
    if (what == "torch.Size" || what == "builtins.tuple" || what == "builtins.list") {
      if (given.empty()) return;
      return visit(given[0], name, depth + 1);
    }
    if (what == "torch.device" || what == "_codecs.encode") {
      if (!given.empty() && given[0].is_text()) keep(name, std::string(given[0].text()));
      return;
    }
    if (what == "builtins.set" || what == "builtins.frozenset" || what == "builtins.slice" ||
        what == "builtins.complex" || what == "builtins.bytearray" || what == "builtins.bytes")
      return;
    fail_at(name, "is made by calling " + std::string(what) + ", which is not run here; save the state dict alone");
  }

  void keep(const std::string& name, MetaValue value) {
    count_name(name);
    if (const auto* const text = std::get_if<std::string>(&value)) count_name(*text);
    result_.metadata.emplace_back(name, std::move(value));
  }

  std::vector<Index> sizes(const Pickled& value, const std::string& name, const char* what) const {
    const Pickled* list = &value;
    if (value.kind == Kind::call && called(value) == "torch.Size" && arguments(value).size() == 1)
      list = &arguments(value)[0];
    if (list->kind != Kind::tuple && list->kind != Kind::list)
      fail_at(name, std::string("has no ") + what + "; save it again");
    if (held(*list).size() > 64) fail_at(name, "has more than 64 dimensions; save it again");
    std::vector<Index> sizes;
    for (const Pickled& size : held(*list)) {
      if (size.kind != Kind::whole || size.whole < 0 || size.whole > std::numeric_limits<Index>::max())
        fail_at(name, std::string("has a ") + what + " of what is no whole number from 0; save it again");
      sizes.push_back(static_cast<Index>(size.whole));
    }
    return sizes;
  }

  // given: storage, offset, shape, strides, and what only training needs.
  void keep_tensor(const std::vector<Pickled>& given, const std::string& name) {
    count_name(name);
    if (given.size() < 4 || given[0].kind != Kind::persistent || given[1].kind != Kind::whole || given[1].whole < 0)
      fail_at(name, "is no view of a storage; save it again");
    const Storage storage = storage_of(pickle_, given[0], result_.name);
    Tensor tensor;
    tensor.name = name.empty() ? "tensor" : name;
    tensor.type = storage.type;
    tensor.shape = sizes(given[2], name, "shape");
    std::vector<Index> strides = sizes(given[3], name, "list of strides");
    if (strides.size() != tensor.shape.size())
      fail_at(name, "has " + std::to_string(tensor.shape.size()) + " dimensions and " + std::to_string(strides.size()) +
                        " strides; save it again");
    const auto count = count_of_shape(tensor.shape);
    if (!count) fail_at(name, "has a shape of more numbers than any file holds; save it again");
    const auto bytes = find_(storage);
    if (*count > 0) {
      const auto offset = static_cast<std::uint64_t>(given[1].whole);
      const auto last = last_number(tensor.shape, strides, offset);
      if (!last || *last >= storage.numbers)
        fail_at(name, "is a view beyond its storage of " + std::to_string(storage.numbers) + " numbers; save it again");
      if (*count > storage.numbers)
        fail_at(name, "shows " + std::to_string(*count) + " numbers of a storage of " +
                          std::to_string(storage.numbers) + ", some of them repeated; save it after .contiguous()");
      const std::uint64_t size = block_of(storage.type).bytes;
      tensor.bytes =
          bytes.subspan(static_cast<std::size_t>(offset * size), static_cast<std::size_t>((*last - offset + 1) * size));
      if (!is_row_major(tensor.shape, strides)) tensor.strides = std::move(strides);
    }
    result_.tensors.push_back(std::move(tensor));
  }
  static std::optional<std::uint64_t> last_number(std::span<const Index> shape, std::span<const Index> strides,
                                                  std::uint64_t offset) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    std::uint64_t last = offset;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto steps = static_cast<std::uint64_t>(shape[d] - 1), stride = static_cast<std::uint64_t>(strides[d]);
      if (last > most || (steps > 0 && stride > (most - last) / steps)) return std::nullopt;
      last += steps * stride;
    }
    return last;
  }
  static bool is_row_major(std::span<const Index> shape, std::span<const Index> strides) {
    Index step = 1;
    for (std::size_t d = shape.size(); d-- > 0; step *= shape[d])
      if (shape[d] != 1 && strides[d] != step) return false;
    return true;
  }

  const Pickle& pickle_;
  const FindStorage& find_;
  TensorFile& result_;
  std::size_t kept_bytes_ = 0, most_bytes_, visits_ = 0, most_visits_;
};

}  // namespace

std::span<const std::string_view> torch_names() { return kTorchNames; }

Storage storage_of(const Pickle& pickle, const Pickled& persistent, std::string_view file) {
  const auto fail = [&] { fail_in(file, "names a storage in a way that torch.save does not; save it again"); };
  const Pickled& id = pickle.held(persistent)[0];
  if (id.kind != Kind::tuple) fail();
  const std::vector<Pickled>& parts = pickle.held(id);
  if (parts.size() < 5 || parts[1].kind != Kind::global || !parts[2].is_text() || parts[4].kind != Kind::whole ||
      parts[4].whole < 0)
    fail();
  Storage storage{parts[2].text(), NumberType::f32, static_cast<std::uint64_t>(parts[4].whole)};
  const std::string_view type = pickle.name(parts[1]);
  const auto known = std::find_if(kStorages.begin(), kStorages.end(), [&](auto& pair) { return pair.first == type; });
  if (known == kStorages.end()) fail();
  storage.type = known->second;
  // A view within another storage, which the first versions wrote.
  if (parts.size() > 5 && parts[5].kind != Kind::none)
    fail_in(file, "has storages within storages, as PyTorch wrote them before 0.4; save it again");
  return storage;
}

void flatten(const Pickle& pickle, std::size_t pickle_bytes, const FindStorage& find, TensorFile& result) {
  Flattener(pickle, pickle_bytes, find, result).run();
}

}  // namespace hydra
