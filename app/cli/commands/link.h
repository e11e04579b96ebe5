// `hydrascope link`: a document as a link, and where to look at it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/io/link.h"

namespace hydra {

struct LinkOptions {
  std::string file;  // as for trace
  std::vector<std::string> sets;
  LinkPlace place;
  std::optional<std::string> address;  // of the page, before #; without it page_address()
  bool document = false;               // the other way: FILE is a link, and its document is written
};

// Exit code 0. Throws InputError with the sentence.
int run_link(const LinkOptions& options);

}  // namespace hydra
