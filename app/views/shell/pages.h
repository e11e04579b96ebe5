// The pages of views that have several: in one table, from which toolbars and `render --page` are made.
#pragma once
#include <span>

#include "app/views/frame/controls.h"
#include "app/views/frame/source.h"

namespace hydra {

// Of the views whose pages depend on the room: what there were when each was drawn last.
struct PagesDrawn {
  bool low = false;          // those of low rooms
  bool around_flow = false;  // what stands around the heads is on a page of its own
  int of_roles = 1;
};

struct PageEntry {
  ViewId view;
  const char* key;    // "cost": on the command line
  const char* name;   // of its chip, for tests
  const char* label;  // a text, of its chip; null: a part of another page, without one
  const char* tip;    // a text
  bool (*is_open)(const ViewState&);
  void (*open)(const ViewState&, Outbox&);
  std::string (*why_not)(const Source&, const ViewState&) = nullptr;  // as of a view (views.h)
};
std::span<const PageEntry> all_pages();  // in the order of their chips
// Whether the present view has a chip for it, as it was drawn last: some only where the room is low, or does not hold
// all.
bool is_offered(const Frame& frame, const PageEntry& page);
// Why what is open cannot be shown, the view or its page; empty: it can.
std::string why_not_shown(const Frame& frame);
// To the next of the view's pages that have chips, or the one before; from the last to the first.
void turn_page(Frame& frame, int by);

// The chips of the view's pages but, where low is false, of those that only low rooms need; what follows may go on in
// their line.
void page_chips(ui::Chips& chips, Frame& frame, bool low = true);

}  // namespace hydra
