#include "core/tokenizers/files/json_steps.h"

#include "core/files/utf8.h"
#include "core/tokenizers/models/spellings.h"

namespace hydra {

namespace {

bool is_left_out(const Node& node) { return !node || node.json->is_null(); }

bool flag_of(const JsonReader& reader, const Node& node, const char* key, bool otherwise) {
  const Node at = reader.member(node, key);
  return is_left_out(at) ? otherwise : reader.flag(at, otherwise);
}

Node needed(const JsonReader& reader, const Node& node, const char* key) {
  const Node at = reader.member(node, key);
  if (!at) reader.fail(node.pointer, std::string("has no \"") + key + "\", which it needs");
  return at;
}

std::string text_of(const JsonReader& reader, const Node& node, const char* key) {
  return reader.string(needed(reader, node, key));
}

[[noreturn]] void fail_kind(const JsonReader& reader, const Node& node, const char* what, const std::string& type) {
  reader.fail(node.pointer,
              "is a " + std::string(what) + " of the type " + in_quotes(type) + ", which is not known here");
}

// read(element) for those of a Sequence.
template <class Read>
void read_sequence(const JsonReader& reader, const Node& node, const char* key, const Read& read) {
  reader.check_object(node, {"type", key});
  for (const Node& element : reader.elements(needed(reader, node, key), "an array of steps")) read(element);
}

Expression read_pattern(const JsonReader& reader, const Node& node) {
  const Node pattern = needed(reader, node, "pattern");
  reader.check_object(pattern, {"String", "Regex"});
  const Node regex = reader.member(pattern, "Regex");
  if (!regex) return Expression::of_text(text_of(reader, pattern, "String"));
  Expression expression = Expression::of_text("");
  reader.check_at(regex.pointer, [&] { expression = Expression::of_pattern(reader.string(regex)); });
  return expression;
}

Behavior read_behavior(const JsonReader& reader, const Node& node) {
  return reader.choice<Behavior>(reader.member(node, "behavior"), Behavior::isolated,
                                 {{"Removed", Behavior::removed},
                                  {"Isolated", Behavior::isolated},
                                  {"MergedWithPrevious", Behavior::merged_with_previous},
                                  {"MergedWithNext", Behavior::merged_with_next},
                                  {"Contiguous", Behavior::contiguous}});
}

std::string from_base64(const JsonReader& reader, const Node& node) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : reader.string(node)) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (c == '=') break;
    if (value < 0) reader.fail(node.pointer, "must be base64, and has " + in_quotes(std::string(1, c)));
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

// "▁", one character.
std::string read_mark(const JsonReader& reader, const Node& node) {
  const std::string mark = text_of(reader, node, "replacement");
  if (mark.empty() || decode(mark, 0).end != mark.size())
    reader.fail(node.pointer + "/replacement", "must be one character, not " + in_quotes(mark));
  return mark;
}

Metaspace::Prefix read_prefix(const JsonReader& reader, const Node& node) {
  reader.check_object(node, {"type", "replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
  const bool adds = flag_of(reader, node, "add_prefix_space", true);
  return reader.choice<Metaspace::Prefix>(reader.member(node, "prepend_scheme"),
                                          adds ? Metaspace::Prefix::always : Metaspace::Prefix::never,
                                          {{"always", Metaspace::Prefix::always},
                                           {"first", Metaspace::Prefix::first},
                                           {"never", Metaspace::Prefix::never}});
}

}  // namespace

std::string type_of(const JsonReader& reader, const Node& node) {
  if (!node.json->is_object()) reader.fail_type(node, "an object");
  return text_of(reader, node, "type");
}

std::uint32_t read_id(const JsonReader& reader, const Node& node) {
  return static_cast<std::uint32_t>(reader.whole_number(node, 0, kMostIds - 1, 0));
}

void read_normalizers(const JsonReader& reader, const Node& node, std::vector<Normalizer>& steps) {
  if (is_left_out(node)) return;
  const std::string type = type_of(reader, node);
  using characters::Form;
  const auto alone = [&] { reader.check_object(node, {"type"}); };
  if (type == "Sequence") {
    read_sequence(reader, node, "normalizers", [&](const Node& one) { read_normalizers(reader, one, steps); });
  } else if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") {
    alone();
    steps.emplace_back(NormalForm{type == "NFC"    ? Form::nfc
                                  : type == "NFD"  ? Form::nfd
                                  : type == "NFKC" ? Form::nfkc
                                                   : Form::nfkd});
  } else if (type == "Lowercase") {
    alone();
    steps.emplace_back(Lowercase{});
  } else if (type == "StripAccents") {
    alone();
    steps.emplace_back(StripAccents{});
  } else if (type == "Nmt") {
    alone();
    steps.emplace_back(Nmt{});
  } else if (type == "BertNormalizer") {
    reader.check_object(node, {"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
    BertNormalizer step;
    step.clean_text = flag_of(reader, node, "clean_text", true);
    step.handle_chinese_chars = flag_of(reader, node, "handle_chinese_chars", true);
    step.lowercase = flag_of(reader, node, "lowercase", true);
    step.strip_accents = flag_of(reader, node, "strip_accents", step.lowercase);
    steps.emplace_back(step);
  } else if (type == "Strip") {
    reader.check_object(node, {"type", "strip_left", "strip_right"});
    steps.emplace_back(
        StripEnds{flag_of(reader, node, "strip_left", true), flag_of(reader, node, "strip_right", true)});
  } else if (type == "Replace") {
    reader.check_object(node, {"type", "pattern", "content"});
    steps.emplace_back(ReplaceBy{read_pattern(reader, node), text_of(reader, node, "content")});
  } else if (type == "Prepend") {
    reader.check_object(node, {"type", "prepend"});
    steps.emplace_back(Prepend{text_of(reader, node, "prepend")});
  } else if (type == "Precompiled") {
    reader.check_object(node, {"type", "precompiled_charsmap"});
    const Node map = needed(reader, node, "precompiled_charsmap");
    const std::string bytes = map.json->is_null() ? std::string() : from_base64(reader, map);
    reader.check_at(map.pointer, [&] { steps.emplace_back(ByCharsmap{std::make_shared<Charsmap>(bytes)}); });
  } else {
    fail_kind(reader, node, "normalizer", type);
  }
}

void read_cuts(const JsonReader& reader, const Node& node, std::vector<CutStep>& steps) {
  if (is_left_out(node)) return;
  const std::string type = type_of(reader, node);
  using Kind = CutByKind::Kind;
  if (type == "Sequence") {
    read_sequence(reader, node, "pretokenizers", [&](const Node& one) { read_cuts(reader, one, steps); });
  } else if (type == "ByteLevel") {
    reader.check_object(node, {"type", "add_prefix_space", "trim_offsets", "use_regex"});
    steps.emplace_back(
        ByteLevel{flag_of(reader, node, "add_prefix_space", true), flag_of(reader, node, "use_regex", true)});
  } else if (type == "Whitespace") {
    reader.check_object(node, {"type"});
    steps.emplace_back(CutWords{});
  } else if (type == "WhitespaceSplit") {
    reader.check_object(node, {"type"});
    steps.emplace_back(CutByKind{Kind::white, Behavior::removed});
  } else if (type == "BertPreTokenizer") {
    reader.check_object(node, {"type"});
    steps.emplace_back(CutByKind{Kind::white, Behavior::removed});
    steps.emplace_back(CutByKind{Kind::punctuation, Behavior::isolated});
  } else if (type == "Split") {
    reader.check_object(node, {"type", "pattern", "behavior", "invert"});
    needed(reader, node, "behavior");
    steps.emplace_back(CutByExpression{read_pattern(reader, node), read_behavior(reader, node),
                                       flag_of(reader, node, "invert", false)});
  } else if (type == "CharDelimiterSplit") {
    reader.check_object(node, {"type", "delimiter"});
    steps.emplace_back(
        CutByExpression{Expression::of_text(text_of(reader, node, "delimiter")), Behavior::removed, false});
  } else if (type == "Punctuation") {
    reader.check_object(node, {"type", "behavior"});
    steps.emplace_back(CutByKind{Kind::punctuation, read_behavior(reader, node)});
  } else if (type == "Digits") {
    reader.check_object(node, {"type", "individual_digits"});
    const bool alone = flag_of(reader, node, "individual_digits", false);
    steps.emplace_back(CutByKind{Kind::number, alone ? Behavior::isolated : Behavior::contiguous});
  } else if (type == "Metaspace") {
    Metaspace step;
    step.prefix = read_prefix(reader, node);
    step.mark = read_mark(reader, node);
    step.cut = flag_of(reader, node, "split", true);
    steps.emplace_back(std::move(step));
  } else {
    fail_kind(reader, node, "pre-tokenizer", type);
  }
}

void read_decoders(const JsonReader& reader, const Node& node, std::vector<Decoder>& steps) {
  if (is_left_out(node)) return;
  const std::string type = type_of(reader, node);
  if (type == "Sequence") {
    read_sequence(reader, node, "decoders", [&](const Node& one) { read_decoders(reader, one, steps); });
  } else if (type == "ByteLevel") {
    reader.check_object(node, {"type", "add_prefix_space", "trim_offsets", "use_regex"});
    steps.emplace_back(LettersToBytes{});
  } else if (type == "WordPiece") {
    reader.check_object(node, {"type", "prefix", "cleanup"});
    steps.emplace_back(JoinWordPieces{text_of(reader, node, "prefix"), flag_of(reader, node, "cleanup", true)});
  } else if (type == "Metaspace") {
    const bool prefixed = read_prefix(reader, node) != Metaspace::Prefix::never;
    steps.emplace_back(MarksToSpaces{read_mark(reader, node), prefixed});
  } else if (type == "ByteFallback") {
    reader.check_object(node, {"type"});
    steps.emplace_back(JoinBytes{});
  } else if (type == "Fuse") {
    reader.check_object(node, {"type"});
    steps.emplace_back(Fuse{});
  } else if (type == "BPEDecoder") {
    reader.check_object(node, {"type", "suffix"});
    steps.emplace_back(SuffixToSpace{text_of(reader, node, "suffix")});
  } else if (type == "Replace") {
    reader.check_object(node, {"type", "pattern", "content"});
    steps.emplace_back(ReplaceIn{read_pattern(reader, node), text_of(reader, node, "content")});
  } else if (type == "Strip") {
    reader.check_object(node, {"type", "content", "start", "stop"});
    StripSides step;
    step.content = text_of(reader, node, "content");
    if (step.content.empty()) reader.fail(node.pointer + "/content", "must be a character, and is empty");
    step.start = static_cast<std::size_t>(reader.whole_number(reader.member(node, "start"), 0, 1 << 20, 0));
    step.stop = static_cast<std::size_t>(reader.whole_number(reader.member(node, "stop"), 0, 1 << 20, 0));
    steps.emplace_back(std::move(step));
  } else {
    fail_kind(reader, node, "decoder", type);
  }
}

namespace {

void read_single(const JsonReader& reader, const Node& node, Template& around) {
  reader.check_object(node, {"type", "single", "pair", "special_tokens"});
  const Node specials = needed(reader, node, "special_tokens");
  std::vector<std::uint32_t> before, after;
  int texts = 0;
  const Node single = needed(reader, node, "single");
  for (const Node& part : reader.elements(single, "an array of what a text becomes")) {
    reader.check_object(part, {"SpecialToken", "Sequence"});
    const Node token = reader.member(part, "SpecialToken");
    if (!token) {
      if (text_of(reader, needed(reader, part, "Sequence"), "id") != "A")
        reader.fail(part.pointer, "must be the text A, the only one there is");
      ++texts;
      continue;
    }
    const Node known = reader.member(specials, text_of(reader, token, "id"));
    if (!known) reader.fail(token.pointer + "/id", "must be one of the special_tokens of the template");
    for (const Node& id : reader.elements(needed(reader, known, "ids"), "an array of ids"))
      (texts == 0 ? before : after).push_back(read_id(reader, id));
  }
  if (texts != 1) reader.fail(single.pointer, "must have the text A once");
  around.before.insert(around.before.begin(), before.begin(), before.end());
  around.after.insert(around.after.end(), after.begin(), after.end());
}

}  // namespace

void read_template(const JsonReader& reader, const Node& node, Template& around) {
  if (is_left_out(node)) return;
  const std::string type = type_of(reader, node);
  if (type == "Sequence") {
    read_sequence(reader, node, "processors", [&](const Node& one) { read_template(reader, one, around); });
  } else if (type == "ByteLevel") {
    reader.check_object(node, {"type", "add_prefix_space", "trim_offsets", "use_regex"});
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    reader.check_object(node, {"type", "sep", "cls", "trim_offsets", "add_prefix_space"});
    const auto id_of = [&](const char* key) {
      const Node pair = needed(reader, node, key);
      reader.array(*pair.json, pair.pointer, 2, "value");
      return read_id(reader, {&(*pair.json)[1], pair.pointer + "/1"});
    };
    around.before.insert(around.before.begin(), id_of("cls"));
    around.after.push_back(id_of("sep"));
  } else if (type == "TemplateProcessing") {
    read_single(reader, node, around);
  } else {
    fail_kind(reader, node, "post-processor", type);
  }
}

}  // namespace hydra
