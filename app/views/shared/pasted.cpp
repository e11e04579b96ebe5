#include "app/views/shared/pasted.h"

#include <cstring>

#include "core/text/wording.h"

namespace hydra {

std::optional<std::string> pasted(Notice& notice, const char* clipboard, std::size_t most) {
  if (clipboard == nullptr) return "";
  const std::size_t size = ::strnlen(clipboard, most + 1);
  if (size <= most) return std::string(clipboard, size);
  notice.refuse(wording("panels:paste.too_long", {{"size", most >> 10}}));
  return std::nullopt;
}

}  // namespace hydra
