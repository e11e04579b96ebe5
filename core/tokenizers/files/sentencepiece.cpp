// The fields of a SentencePiece model that say how to encode; the file is a protocol buffer (ModelProto).
#include <bit>
#include <cstring>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/files/utf8.h"
#include "core/tokenizers/files/readers.h"
#include "core/tokenizers/files/sentencepiece_parts.h"

namespace hydra {

namespace {

// One field: its number, and its value, of which the bytes are a part of the message's.
struct Field {
  std::uint64_t number = 0, whole = 0;
  std::string_view bytes;
  float real = 0;
  enum class Kind { whole, bytes, real, other } kind = Kind::other;
};

// The fields of a message, one after the other.
class Message {
 public:
  Message(std::string_view bytes, const std::string& name, std::string_view file)
      : bytes_(bytes), name_(name), file_(file) {}

  bool next(Field& field) {
    if (at_ == bytes_.size()) return false;
    const std::uint64_t key = varint();
    field = {};
    field.number = key >> 3;
    switch (key & 7) {
      case 0:
        field.kind = Field::Kind::whole;
        field.whole = varint();
        return true;
      case 1:
        take(8);
        return true;
      case 2:
        field.kind = Field::Kind::bytes;
        field.bytes = take(varint());
        return true;
      case 5: {
        field.kind = Field::Kind::real;
        const std::string_view four = take(4);
        std::uint32_t bits = 0;
        for (std::size_t k = 4; k-- > 0;) bits = bits << 8 | static_cast<unsigned char>(four[k]);
        field.real = std::bit_cast<float>(bits);
        return true;
      }
      default:
        fail("has a field of a kind that SentencePiece does not write");
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t place = static_cast<std::size_t>(bytes_.data() - file_.data()) + at_;
    throw InputError(name_ + ": byte " + std::to_string(place) + " " + what + "; is it a SentencePiece model?");
  }

  std::string_view text_of(const Field& field) const {
    if (field.kind != Field::Kind::bytes || !is_utf8(field.bytes)) fail("ends a text that is none");
    return field.bytes;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    fail("is within a number of more than 64 bits");
  }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) fail("is the last, where " + std::to_string(size) + " more are needed");
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }

  std::string_view bytes_;
  const std::string& name_;
  std::string_view file_;
  std::size_t at_ = 0;
};

class ModelFile {
 public:
  ModelFile(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  ScoredPieces read() {
    Message message(bytes_, name_, bytes_);
    Field field;
    while (message.next(field)) {
      if (field.kind != Field::Kind::bytes) continue;
      if (field.number == 1) read_piece(field.bytes);
      if (field.number == 2) read_trainer(field.bytes);
      if (field.number == 3) read_normalizer(field.bytes);
    }
    if (pieces_.entries.empty()) throw InputError(name_ + ": has no pieces; is it a SentencePiece model?");
    const char* const kinds[] = {"", "", "", "WORD", "CHAR"};
    if (model_type_ != 1 && model_type_ != 2)
      throw InputError(name_ + ": is of the model type " +
                       (model_type_ < 5 ? kinds[model_type_] : std::to_string(model_type_)) +
                       "; UNIGRAM and BPE are known");
    pieces_.unigram = model_type_ == 1;
    return std::move(pieces_);
  }

 private:
  void read_piece(std::string_view bytes) {
    Message message(bytes, name_, bytes_);
    Field field;
    std::string_view text;
    float score = 0;
    std::uint64_t type = 1;
    while (message.next(field)) {
      if (field.number == 1) text = message.text_of(field);
      if (field.number == 2) score = field.real;
      if (field.number == 3) type = field.whole;
    }
    const std::string piece = "piece " + std::to_string(pieces_.entries.size());
    if (text.empty()) message.fail("ends " + piece + ", which has no text");
    if (type < 1 || type > 6)
      message.fail("ends " + piece + ", whose type is " + std::to_string(type) + ", not 1 to 6");
    pieces_.entries.push_back({static_cast<std::uint32_t>(pieces_.entries.size()), text});
    pieces_.scores.push_back(score);
    pieces_.types.push_back(static_cast<TokenType>(type));
  }

  void read_trainer(std::string_view bytes) {
    Message message(bytes, name_, bytes_);
    Field field;
    while (message.next(field)) {
      if (field.number == 3) model_type_ = field.whole;
      if (field.number == 24) pieces_.normalizer.prefix_at_end = field.whole != 0;
      if (field.number == 35) pieces_.byte_fallback = field.whole != 0;
    }
  }

  void read_normalizer(std::string_view bytes) {
    Message message(bytes, name_, bytes_);
    Field field;
    while (message.next(field)) {
      if (field.number == 2 && !field.bytes.empty()) {
        try {
          pieces_.normalizer.map = std::make_shared<Charsmap>(field.bytes);
        } catch (const InputError& fault) {
          throw InputError(name_ + ": " + fault.what());
        }
      }
      if (field.number == 3) pieces_.normalizer.add_prefix = field.whole != 0;
      if (field.number == 4) pieces_.normalizer.remove_extra_spaces = field.whole != 0;
      if (field.number == 5 && field.whole == 0) pieces_.normalizer.space = " ";
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  ScoredPieces pieces_;
  std::uint64_t model_type_ = 1;
};

}  // namespace

Tokenizer read_sentencepiece(std::string_view bytes, const std::string& name) {
  ScoredPieces pieces = ModelFile(bytes, name).read();
  TokenizerParts parts;
  try {
    parts = parts_of(std::move(pieces));
  } catch (const InputError& fault) {
    throw InputError(name + ": " + fault.what());
  }
  parts.stamp = (Key("SentencePiece model") << bytes).stamp();
  return Tokenizer(std::move(parts));
}

}  // namespace hydra
