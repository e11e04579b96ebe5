#include "app/views/pasted.h"

#include <cstring>

namespace hydra {

std::optional<std::string> pasted(Notice& notice, const char* clipboard, std::size_t most) {
  if (clipboard == nullptr) return "";
  const std::size_t size = ::strnlen(clipboard, most + 1);
  if (size <= most) return std::string(clipboard, size);
  notice.refuse("The clipboard holds more than " + std::to_string(most >> 10) +
                " KiB of text, too much to paste here.");
  return std::nullopt;
}

}  // namespace hydra
