// Marked sentences: every text is refused with one sentence, or read with pairs that point at its tokens.
#include "core/error.h"
#include "core/files/utf8.h"
#include "core/text/annotated.h"
#include "core/text/tokenizer.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

constexpr const char* kBase = R"({"title": "The animal was tired", "group": "Pronouns",
  "sentence": "The animal didn't cross the street because “it” was too tired.", "note": "From the paper.",
  "relations": {"determiner-noun": [["The@1", "animal"], ["the@2", "street"]], "coreference": [["it", "animal"]],
    "subject-verb": [["cross", "animal"]]},
  "unresolved": {"coreference": "It needs two steps."}})";

const std::vector<std::string> kWords = {
    "title",     "group",  "sentence", "note", "relations",      "unresolved", "coreference",
    "the@1",     "The@2",  "animal",   "it@0", "street@9",       "@",          "a@",
    "same-word", "“",      "”",        "é",    "\x01",           "",           "verb-object",
    "negation",  "didn’t", "didn't",   "the",  "similar-meaning"};

std::string text_from(fuzz::Bytes& bytes) {
  const std::size_t kind = bytes.byte() % 4;
  if (kind == 3) return std::string(bytes.rest());
  fuzz::Value json = fuzz::Value::parse(kBase);
  for (int k = bytes.byte() % 8; k > 0; --k) fuzz::change_one(json, bytes, kWords);
  std::string text = json.dump(-1, ' ', false, fuzz::Value::error_handler_t::replace);
  if (kind == 2) fuzz::change_bytes(text, bytes);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::string text = text_from(bytes);
  try {
    const AnnotatedSentence sentence = parse_annotated(text, "f");
    law(!sentence.title.empty() && !sentence.group.empty(), "a sentence has a title and a heading", text);
    law(sentence.tokens == tokenize(sentence.sentence), "its tokens are the tokenizer's", text);
    law(!sentence.tokens.empty() && sentence.tokens.size() <= kMostMarkedTokens, "it has tokens, not too many", text);
    const auto count = static_cast<int>(sentence.tokens.size());
    for (std::size_t r = 0; r < kRelations; ++r) {
      const GoldPair* last = nullptr;
      for (const GoldPair& pair : sentence.gold[r]) {
        law(pair.from >= 0 && pair.from < count && pair.to >= 0 && pair.to < count, "pairs point at tokens", text);
        law(pair.from != pair.to, "a pair is of two words", text);
        law(!last || last->from < pair.from || (last->from == pair.from && last->to < pair.to), "pairs are sorted",
            text);
        last = &pair;
      }
      law(sentence.unresolved[r].empty() || !sentence.gold[r].empty(), "a reason has its marks", text);
    }
  } catch (const InputError& fault) {
    const std::string_view sentence = fault.what();
    law(sentence.size() > 5 && sentence.size() < 1200 && sentence.find('\n') == std::string_view::npos,
        "a refusal is one sentence", text);
    law(is_utf8(sentence), "a refusal has whole characters", text);
  }
  return 0;
}
