// A document in a link, and where to look at it: #d=<document>&view=heads&page=rollout&layer=2&head=3. The document is
// its JSON without blanks, compressed by zlib (RFC 1950, whose check of the whole tells a damaged link), in base64url
// (RFC 4648, without padding). One that is too large, and is the opening document or an example with changes, is these
// changes (shipped_changes.h), which &of= tells. All of it stands behind the #, so no server is ever told. A page that
// runs Hydrascope also takes #url=slices.json, a file that lies beside it: only the page can fetch that.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/document/document.h"

namespace hydra {

// As on the screen: layers and heads are counted from 1. Whoever goes there passes over what there is not.
struct LinkPlace {
  std::string view, page;  // keys; empty: not said
  std::optional<int> layer, head;
  bool operator==(const LinkPlace&) const = default;
};

struct Link {
  Document document;
  LinkPlace place;
};

// Chat programs and mail cut what is much longer.
inline constexpr std::size_t kMostLinkLength = 8000;
// Characters of a link that is read; browsers take no longer address.
inline constexpr std::size_t kMostLinkRead = 4u << 20;

// The link behind a page's address, or from # on where none is given; an address may have a # already, from which on it
// is left out. Throws InputError, which names the length and the remedy, when it would be longer than kMostLinkLength.
std::string link_text(const Document& document, const LinkPlace& place = {}, std::string_view address = {});

// Whether a text is to be read as a link, not as the path of a file: it has #d= or #url=.
bool is_link(std::string_view text);

// Reads a link as it is pasted: with its page's address or from # on, with blanks, line ends or escapes (%3D) that
// others have put in, or a full stop behind. Throws InputError with one sentence; of #url= it names the file.
Link parse_link(std::string_view text);
std::string linked_text(std::string_view text);  // its document as JSON, whatever it is
// The example that the link changes, which has to be fetched first; empty: none has to be. Throws as parse_link.
std::string example_wanted(std::string_view text);

}  // namespace hydra
