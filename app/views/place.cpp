#include "app/views/place.h"

#include "app/views/pages.h"
#include "app/views/views.h"

namespace hydra {

LinkPlace place_of(const ViewState& view) {
  LinkPlace place;
  for (const ViewEntry& entry : all_views())
    if (entry.id == view.view) place.view = entry.key;
  for (const PageEntry& entry : all_pages())
    if (entry.view == view.view && entry.is_open(view)) place.page = entry.key;
  place.layer = view.layer + 1;
  place.head = view.focused_head + 1;
  return place;
}

void go_to(ViewState& view, const LinkPlace& place) {
  for (const ViewEntry& entry : all_views())
    if (entry.key == place.view) view.view = entry.id;
  for (const PageEntry& entry : all_pages())
    if (entry.view == view.view && entry.key == place.page) entry.open(view);
  if (place.head) focus_head(view, *place.head - 1);  // of too many, the last is in focus
}

}  // namespace hydra
