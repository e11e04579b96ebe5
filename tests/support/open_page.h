// A page as its chip opens it.
#pragma once
#include "app/app.h"
#include "app/views/shell/pages.h"

namespace hydra::test {

inline void open_page(App& app, const PageEntry& page) {
  Outbox out;
  page.open(app.view(), out);
  for (const Action& action : out.actions) app.set(action);
}

}  // namespace hydra::test
