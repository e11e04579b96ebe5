// --view, --page, --layer, --head and --token: what commands are about, or look at. Each throws InputError with one
// sentence when there is no such thing; numbers are counted from 1, as on the screen.
#pragma once
#include <optional>
#include <string>

#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/document/document.h"

namespace hydra {

int layer_index(int number_from_one, const Document& document);  // from 0, like the next
int head_index(int number_from_one, const Layer& layer);
int token_index(std::optional<int> number_from_one, int tokens);  // none: the last
// For the help: "flow, heads, ..."; "of heads: patterns, rollout, ...; of mixing: ...".
std::string view_names();
std::string page_names();
ViewId view_of(const std::string& name);
const PageEntry* page_of(const std::string& name, ViewId view);  // null for no page

}  // namespace hydra
