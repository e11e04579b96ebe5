#include "app/views/shell/place.h"

#include "app/scene/choose.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"

namespace hydra {

LinkPlace place_of(const ViewState& view) {
  LinkPlace place;
  place.view = entry_of(view.view).key;
  for (const PageEntry& entry : all_pages())
    if (entry.view == view.view && entry.is_open(view)) place.page = entry.key;
  place.layer = view.layer + 1;
  place.head = view.focused_head + 1;
  return place;
}

std::vector<Action> ways_to(const ViewState& view, const LinkPlace& place) {
  Outbox out;
  ViewId there = view.view;
  for (const ViewEntry& entry : all_views())
    if (entry.key == place.view) there = entry.id;
  out.act(chosen(view, view.view, there));
  for (const PageEntry& entry : all_pages())
    if (entry.view == there && entry.key == place.page) entry.open(view, out);
  if (place.head) out.act(act::GoTo{{}, *place.head - 1});  // of too many, the last is in focus
  return out.actions;
}

}  // namespace hydra
