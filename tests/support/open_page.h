// A page as its chip opens it.
#pragma once
#include "app/scene/apply.h"
#include "app/views/pages.h"

namespace hydra::test {

inline void open_page(ViewState& view, const PageEntry& page) {
  Outbox out;
  page.open(view, out);
  for (const Action& action : out.actions) apply_if_of_view(view, action);
}

}  // namespace hydra::test
