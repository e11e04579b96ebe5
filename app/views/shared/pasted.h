// What other programs have copied, for whoever takes a text from there.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "app/scene/notice.h"

namespace hydra {

// The clipboard's text, as ImGui gives it (null: empty). One of more bytes than that is not read to its end: none is
// given, and a sentence says so.
std::optional<std::string> pasted(Notice& notice, const char* clipboard, std::size_t most);

}  // namespace hydra
