// No text costs more than sixteen times its bytes, whatever it is made of: each is what a hostile file or link repeats.
#include <catch2/catch.hpp>
#include <functional>

#include "core/error.h"
#include "core/io/file.h"
#include "core/io/recovery.h"
#include "core/learn/opened/gradients.h"
#include "core/learn/opened/merge.h"
#include "core/text/annotated.h"
#include "core/text/lexicon.h"
#include "tests/faults/faults.h"

using namespace hydra;

namespace {

constexpr std::size_t kBytes = 2u << 20, kTimes = 16;
constexpr std::size_t kAround = 4u << 20;  // the document's defaults, a read's buffers

std::string repeated(const std::string& before, const std::string& piece, const std::string& behind) {
  std::string text = before;
  text.reserve(kBytes + before.size() + piece.size() + behind.size());
  for (text += piece; text.size() < kBytes;) (text += ',') += piece;
  return text + behind;
}

// Of keys that differ.
std::string members(const std::string& before, const std::string& value, const std::string& behind) {
  std::string text = before;
  for (int k = 0; text.size() < kBytes; ++k) text += (k == 0 ? "\"" : ",\"") + std::to_string(k) + "\":" + value;
  return text + behind;
}

void costs_little(const std::string& text, const std::function<void()>& read) {
  CAPTURE(text.substr(0, 120), text.size());
  std::string end = "read";
  std::size_t bytes = 0;
  {
    const faults::Peak peak;
    try {
      read();
    } catch (const InputError& fault) {
      end = fault.what();
    }
    bytes = peak.bytes();
  }
  CAPTURE(end.substr(0, 200), bytes / (1.0 + static_cast<double>(text.size())));
  CHECK(end.size() < 1000);
  CHECK(bytes <= kTimes * text.size() + kAround);
}

}  // namespace

TEST_CASE("cost: a document costs a small multiple of its bytes, whatever it repeats", "[faults]") {
  static const Document defaults = default_document();  // what is made once
  (void)parse_document("{\"hydrascope\": 1}", "f");
  const std::string start = "{\"hydrascope\":1,";
  for (const auto& [before, behind] : std::vector<std::pair<std::string, std::string>>{
           {"[", "]"},
           {start + "\"tokens\":[", "]}"},
           {start + "\"notes\":{\"text\":[", "]}}"},
           {start + "\"sentence\":[", "]}"},
           {start + "\"embedding\":{\"kind\":\"learned\",\"vocabulary\":[", "]}}"},
           {start + "\"embedding\":{\"kind\":\"explicit\",\"X\":[", "]}}"},
           {start + "\"embedding\":{\"kind\":\"explicit\",\"X\":[[", "]]}}"},
           {start + "\"embedding\":{\"edits\":[", "]}}"},
           {start + "\"embedding\":{\"kind\":\"learned\",\"P\":[", "]}}"},
           {start + "\"embedding\":{\"words\":{\"a\":[", "]}}}"},
           {start + "\"readout\":{\"kind\":\"own\",\"vocabulary\":[", "]}}"},
           {start + "\"readout\":{\"kind\":\"own\",\"questions\":[", "]}}"},
           {start + "\"readout\":{\"kind\":\"own\",\"b_U\":[", "]}}"},
           {start + "\"other_models\":[", "]}"},
           {start + "\"layers\":[", "]}"},
           {start + "\"layers\":[{\"mask\":[", "]}]}"},
           {start + "\"layers\":[{\"gates\":[", "]}]}"},
           {start + "\"layers\":[{\"painted\":[", "]}]}"},
           {start + "\"layers\":[{\"painted\":[{\"head\":0,\"attention\":[", "]}]}]}"},
           {start + "\"layers\":[{\"weights\":{\"designs\":[", "]}}]}"},
           {start + "\"layers\":[{\"weights\":{\"kind\":\"trained\",\"fingerprints\":[", "]}}]}"},
           {start + "\"layers\":[{\"weights\":{\"edits\":{\"W_Q\":[", "]}}}]}"},
           {start + "\"embedding\":{\"kind\":\"features\"},\"layers\":[{\"weights\":{\"designs\":[{\"asks\":[",
            "]}]}}]}"},
           {start +
                "\"embedding\":{\"kind\":\"features\"},\"layers\":[{\"weights\":{\"designs\":[{\"asks\":[{\"query\":[",
            "],\"key\":[]}]}]}}]}"},
           {start + "\"embedding\":{\"kind\":\"features\"},\"layers\":[{\"weights\":{\"designs\":[{\"kernels\":[",
            "]}]}}]}"}})
    for (const char* piece : {"0", "1.5", "\"\"", "\"a\"", "\"noun\"", "[]", "{}", "[[]]", "[0]", "null", "[0,0]",
                              "[0,0,0]", "[0,[]]", "[\"noun\",1]", "{\"head\":0}", "{\"query\":[],\"key\":[]}"}) {
      const std::string text = repeated(before, piece, behind);
      costs_little(text, [&] { (void)parse_document(text, "f"); });
    }
  for (const auto& [before, behind] :
       std::vector<std::pair<std::string, std::string>>{{"{", "}"},
                                                        {start + "\"embedding\":{\"words\":{", "}}}"},
                                                        {start + "\"layers\":[{\"weights\":{\"edits\":{", "}}}]}"}})
    for (const char* value : {"0", "[]", "{}", "\"\"", "[\"noun\"]"}) {
      const std::string text = members(before, value, behind);
      costs_little(text, [&] { (void)parse_document(text, "f"); });
    }
  costs_little(std::string(kBytes, '['), [] { (void)parse_document(std::string(kBytes, '['), "f"); });
  const std::string blanks(kBytes, ' '), word = "{\"hydrascope\":1,\"sentence\":\"" + std::string(kBytes, 'a') + "\"}";
  costs_little(blanks, [&] { (void)parse_document(blanks, "f"); });
  costs_little(word, [&] { (void)parse_document(word, "f"); });
}

TEST_CASE("cost: so do the other readers' texts", "[faults]") {
  for (const char* piece : {"0", "\"\"", "[]", "{}", "[0]", "{\"task\":\"\",\"settings\":{}}",
                            "{\"task\":\"\",\"settings\":{\"heads\":1,\"d_model\":1,\"layers\":1},\"final\":"
                            "{\"accuracy\":0,\"loss\":0}}"}) {
    for (const char* before :
         {"[", "{\"runs\":[", "{\"features\":[", "{\"target\":[", "{\"relations\":{\"coreference\":["}) {
      std::string behind;
      for (const char c : std::string(before))
        if (c == '[' || c == '{') behind.insert(behind.begin(), c == '[' ? ']' : '}');
      const std::string text = repeated(before, piece, behind);
      costs_little(text, [&] { (void)learn::merged({{"f", text}}); });
      costs_little(text, [&] { (void)learn::parse_target(text, "f", 3, 4); });
      costs_little(text, [&] { (void)Lexicon::parse(text, "f"); });
      costs_little(text, [&] { (void)parse_annotated(text, "f"); });
      costs_little(text, [&] { (void)parse_recovery(text, "f"); });
    }
  }
  const std::string target = repeated("[[", "0", "]]");
  const auto columns = static_cast<Index>(target.size() - 4 + 1) / 2;
  costs_little(target, [&] { (void)learn::parse_target(target, "f", 1, columns); });
}
