// Links: every text is refused with one sentence, or read; a document comes back from its link to the same bits, and no
// other document from that link changed.
#include "core/error.h"
#include "core/files/utf8.h"
#include "core/io/file.h"
#include "core/io/link.h"
#include "tests/core/document/random_edit.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

Document edited(fuzz::Bytes& bytes) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{8}), SetHeads{2});
  Random random(bytes.word());
  for (int k = bytes.byte() % 12; k > 0; --k) {
    try {
      document = hydra::apply(document, random_edit(random, document));
    } catch (const InputError&) {
    }
  }
  return document;
}

// What a text is read as; nothing, when it is refused.
std::optional<Link> read(const std::string& text) {
  try {
    return parse_link(text);
  } catch (const InputError& fault) {
    const std::string_view sentence = fault.what();
    law(sentence.starts_with("the link"), "a refusal speaks of the link", text);
    law(sentence.size() > 10 && sentence.size() < 1200, "a refusal is a sentence", text);
    law(sentence.find('\n') == std::string_view::npos, "a refusal is one line", text);
    law(is_utf8(sentence), "a refusal has whole characters", text);
    return std::nullopt;
  }
}

// Nothing, when it does not fit into a link.
std::optional<std::string> written(const Document& document, const LinkPlace& place) {
  try {
    return link_text(document, place);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void check_own_text(const std::string& text) {
  is_link(text);
  const std::optional<Link> link = read(text);
  if (!link) return;
  const std::optional<std::string> again = written(link->document, {});
  law(!again || same_document(parse_link(*again).document, link->document), "what was read comes back", text);
}

void check_document(fuzz::Bytes& bytes) {
  const Document document = edited(bytes);
  const LinkPlace place{"stream", "routing", 1 + bytes.byte(), 1 + bytes.byte()};
  const std::optional<std::string> link = written(document, place);
  if (!link) return;
  law(is_link(*link) && link->size() <= kMostLinkLength, "a link is one, and not too long", *link);
  const std::optional<Link> same = read(*link);
  law(same && same_document(same->document, document) && same->place == place, "a document comes back", *link);
  std::string changed = *link;
  fuzz::change_bytes(changed, bytes);
  const std::optional<Link> other = read(changed);
  law(!other || same_document(other->document, document), "no other document comes back", changed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  if (bytes.byte() % 4 == 3)
    check_own_text(std::string(bytes.rest()));
  else
    check_document(bytes);
  return 0;
}
