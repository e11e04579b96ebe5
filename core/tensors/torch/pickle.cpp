#include "core/tensors/torch/pickle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/numbers.h"
#include "core/tensors/tensor.h"

namespace hydra {

namespace {

using Kind = Pickled::Kind;

// The machine that a pickle is a program for, without the operations that no state dict has.
class PickleMachine {
 public:
  PickleMachine(std::span<const std::byte> bytes, std::string_view file, std::span<const std::string_view> allowed)
      : bytes_(bytes), file_(file) {
    pickle_.names = allowed;
  }

  Pickle run() {
    while (step()) {
    }
    pickle_.root = pop();
    pickle_.end = at_;
    return std::move(pickle_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    fail_in(file_, "is a broken pickle at byte " + std::to_string(at_) + ": " + what + "; save it again");
  }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("it ends too early");
    const auto taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }
  template <class T>
  T read() {
    return load<T>(take(sizeof(T)).data());
  }
  std::string_view line() {
    const std::string_view rest = text_of(bytes_.subspan(at_));
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) fail("a line does not end");
    at_ += end + 1;
    return rest.substr(0, end);
  }

  void count_step() {
    if (++pickle_.steps > kMostPickled)
      fail_in(file_, "has a pickle of more than " + std::to_string(kMostPickled) +
                         " values, and a state dict has thousands; save the state dict alone");
  }
  void push(Pickled value) {
    count_step();
    stack_.push_back(value);
  }
  void push(std::int64_t whole, Kind kind = Kind::whole) {
    Pickled value;
    value.kind = kind;
    value.whole = whole;
    push(value);
  }
  void push_text(std::string_view text, Kind kind = Kind::text) {
    Pickled value;
    value.kind = kind;
    value.size = static_cast<std::uint32_t>(text.size());  // of a pickle of less than 4 GiB
    value.begin = text.data();
    push(value);
  }
  void push_object(Kind kind, std::vector<Pickled> held = {}) {
    Pickled value;
    value.kind = kind;
    value.index = pickle_.objects.size();
    pickle_.objects.push_back(std::move(held));
    push(value);
  }
  // What stands above the innermost mark.
  std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
  Pickled pop() {
    if (stack_.size() <= bottom()) fail("its stack is empty");
    const Pickled value = stack_.back();
    stack_.pop_back();
    return value;
  }
  std::vector<Pickled> pop_to_mark() {
    if (marks_.empty()) fail("a mark is missing");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Pickled> values(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return values;
  }
  std::vector<Pickled> pop_some(std::size_t count) {
    std::vector<Pickled> values(count);
    for (std::size_t k = count; k-- > 0;) values[k] = pop();
    return values;
  }
  std::vector<Pickled>& top_object(std::initializer_list<Kind> kinds) {
    if (stack_.size() <= bottom()) fail("its stack is empty");
    const Pickled& top = stack_.back();
    if (std::find(kinds.begin(), kinds.end(), top.kind) == kinds.end()) fail("it adds to what holds nothing");
    return pickle_.objects[static_cast<std::size_t>(top.index)];
  }
  void add(std::initializer_list<Kind> kinds, const std::vector<Pickled>& values, bool pairs) {
    if (pairs && values.size() % 2 != 0) fail("a key has no value");
    std::vector<Pickled>& held = top_object(kinds);
    held.insert(held.end(), values.begin(), values.end());
  }

  void global(std::string_view module, std::string_view name) {
    if (module == "__builtin__") module = "builtins";  // as Python 2 called it
    if (module.size() + name.size() > 200) fail("it asks for a name of more than 200 characters");
    const std::string whole = std::string(module) + "." + std::string(name);
    const auto at = std::lower_bound(pickle_.names.begin(), pickle_.names.end(), whole);
    if (at == pickle_.names.end() || *at != whole)
      fail_in(file_, "asks for " + in_quotes(whole) +
                         ", which is no part of a state dict and is not run here; save the state dict alone, or as "
                         "safetensors");
    Pickled value;
    value.kind = Kind::global;
    value.index = static_cast<std::uint64_t>(at - pickle_.names.begin());
    push(value);
  }
  void stack_global() {
    const std::vector<Pickled> names = pop_some(2);
    if (!names[0].is_text() || !names[1].is_text()) fail("it asks for a name that is no text");
    global(names[0].text(), names[1].text());
  }
  void call() {
    std::vector<Pickled> values = pop_some(2);
    if (values[0].kind != Kind::global || values[1].kind != Kind::tuple) fail("it calls what cannot be called");
    values.emplace_back();
    push_object(Kind::call, std::move(values));
  }
  // A state of a call is kept; what a dictionary gets is Python's bookkeeping (the versions of modules).
  void build() {
    const Pickled state = pop();
    if (stack_.size() <= bottom()) fail("its stack is empty");
    const Pickled& top = stack_.back();
    if (top.kind == Kind::call)
      pickle_.objects[static_cast<std::size_t>(top.index)][2] = state;
    else
      fail("it gives a state to what has none");
  }

  void put(std::uint64_t key) {
    count_step();
    if (stack_.size() <= bottom()) fail("its stack is empty");
    memo_[key] = stack_.back();
  }
  void get(std::uint64_t key) {
    const auto at = memo_.find(key);
    if (at == memo_.end()) fail("it takes what it has not kept");
    push(at->second);
  }
  std::uint64_t decimal_key() {
    const std::string_view digits = line();
    std::uint64_t key = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), key);
    if (fault != std::errc() || end != digits.data() + digits.size()) fail("a number is none");
    return key;
  }
  void large(std::uint64_t count) {
    const auto digits = take(count);
    if (digits.size() > 8) return push_text(text_of(digits), Kind::large);
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < digits.size(); ++k) value |= std::uint64_t{load<std::uint8_t>(&digits[k])} << 8 * k;
    const std::size_t bits = 8 * digits.size();
    if (bits > 0 && bits < 64 && value >> (bits - 1) != 0) value |= ~std::uint64_t{0} << bits;  // it is negative
    push(static_cast<std::int64_t>(value));
  }
  void number() {
    std::uint64_t bits = 0;
    for (const std::byte b : take(8)) bits = bits << 8 | std::to_integer<std::uint64_t>(b);
    Pickled value;
    value.kind = Kind::number;
    value.number = std::bit_cast<double>(bits);
    push(value);
  }
  // One, in the digits of Python 2.
  void written() {
    const std::string_view digits = line();
    std::int64_t value = 0;
    if (digits == "00" || digits == "01") return push(digits == "01" ? 1 : 0, Kind::boolean);
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size()) fail("a number is none");
    push(value);
  }

  bool step();

  std::span<const std::byte> bytes_;
  std::string_view file_;
  std::size_t at_ = 0;
  Pickle pickle_;
  std::vector<Pickled> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Pickled> memo_;
};

// One operation; false: the last.
bool PickleMachine::step() {
  const auto code = static_cast<unsigned char>(read<std::uint8_t>());
  switch (code) {
    case 0x80:  // PROTO
      if (read<std::uint8_t>() > 5) fail("its protocol is beyond 5");
      return true;
    case 0x95:  // FRAME
      take(8);
      return true;
    case '.':
      return false;
    case '(':
      count_step();
      marks_.push_back(stack_.size());
      return true;
    case '0':
      if (stack_.size() > bottom())
        stack_.pop_back();
      else if (!marks_.empty())
        marks_.pop_back();
      else
        fail("its stack is empty");
      return true;
    case '1':
      pop_to_mark();
      return true;
    case '2':
      push(stack_.size() > bottom() ? stack_.back() : pop());
      return true;
    case 'N':
      push(Pickled());
      return true;
    case 0x88:
    case 0x89:
      push(code == 0x88 ? 1 : 0, Kind::boolean);
      return true;
    case 'I':
      written();
      return true;
    case 'J':
      push(read<std::int32_t>());
      return true;
    case 'K':
      push(read<std::uint8_t>());
      return true;
    case 'M':
      push(read<std::uint16_t>());
      return true;
    case 0x8a:
      large(read<std::uint8_t>());
      return true;
    case 0x8b:
      large(read<std::uint32_t>());
      return true;
    case 'G':
      number();
      return true;
    case 'X':  // BINUNICODE, BINSTRING, BINBYTES
    case 'T':
    case 'B':
      push_text(text_of(take(read<std::uint32_t>())));
      return true;
    case 0x8c:  // the same, short
    case 'U':
    case 'C':
      push_text(text_of(take(read<std::uint8_t>())));
      return true;
    case 0x8d:  // and long
    case 0x8e:
      push_text(text_of(take(read<std::uint64_t>())));
      return true;
    case ']':
      push_object(Kind::list);
      return true;
    case ')':
      push_object(Kind::tuple);
      return true;
    case '}':
      push_object(Kind::dict);
      return true;
    case 0x8f:
      push_object(Kind::set);
      return true;
    case 'l':
      push_object(Kind::list, pop_to_mark());
      return true;
    case 't':
      push_object(Kind::tuple, pop_to_mark());
      return true;
    case 'd': {
      std::vector<Pickled> held = pop_to_mark();
      push_object(Kind::dict);
      add({Kind::dict}, held, true);
      return true;
    }
    case 0x91:
      push_object(Kind::set, pop_to_mark());
      return true;
    case 0x85:
    case 0x86:
    case 0x87:
      push_object(Kind::tuple, pop_some(code - 0x84u));
      return true;
    case 'a': {
      const Pickled value = pop();
      add({Kind::list}, {value}, false);
      return true;
    }
    case 'e': {
      const std::vector<Pickled> values = pop_to_mark();
      add({Kind::list}, values, false);
      return true;
    }
    case 0x90: {
      const std::vector<Pickled> values = pop_to_mark();
      add({Kind::set}, values, false);
      return true;
    }
    case 's': {
      const std::vector<Pickled> pair = pop_some(2);
      add({Kind::dict, Kind::call}, pair, true);
      return true;
    }
    case 'u': {
      const std::vector<Pickled> values = pop_to_mark();
      add({Kind::dict, Kind::call}, values, true);
      return true;
    }
    case 'q':
      put(read<std::uint8_t>());
      return true;
    case 'r':
      put(read<std::uint32_t>());
      return true;
    case 'p':
      put(decimal_key());
      return true;
    case 0x94:
      put(memo_.size());
      return true;
    case 'h':
      get(read<std::uint8_t>());
      return true;
    case 'j':
      get(read<std::uint32_t>());
      return true;
    case 'g':
      get(decimal_key());
      return true;
    case 'c': {
      const std::string_view module = line();
      global(module, line());
      return true;
    }
    case 0x93:
      stack_global();
      return true;
    case 'R':
    case 0x81:  // NEWOBJ: the class is called
      call();
      return true;
    case 'b':
      build();
      return true;
    case 'Q':
      push_object(Kind::persistent, pop_some(1));
      return true;
    default: {
      constexpr char hex[] = "0123456789abcdef";
      --at_;
      fail(std::string("it has the operation 0x") + hex[code >> 4] + hex[code & 15] + ", which no state dict needs");
    }
  }
}

}  // namespace

Pickle read_pickle(std::span<const std::byte> bytes, std::string_view file, std::span<const std::string_view> allowed) {
  if (bytes.size() > 0xFFFFFFFFu) fail_in(file, "has a pickle of more than 4 GiB; save the state dict alone");
  return PickleMachine(bytes, file, allowed).run();
}

}  // namespace hydra
