// Everything that is kept from one frame to the next, against a program that has just begun: after any edits, whatever
// was looked at before, each view draws the same.
#include <imgui_internal.h>
#include <catch2/catch.hpp>

#include <cstring>

#include "app/views/change/changes.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "app/views/tradeoff/computed/tile_numbers.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/looked_at.h"
#include "tests/support/open_page.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// What the views draw with, but for what the last edit did, and the texts of the bars around them.
struct Drawn {
  std::vector<Heatmap> heatmaps;
  std::vector<ImDrawVert> shapes;  // of the window in the middle
};

bool same(const ImDrawVert& a, const ImDrawVert& b) {  // a glyph's place in the atlas may be another
  return a.pos.x == b.pos.x && a.pos.y == b.pos.y && a.col == b.col;
}

bool same(const Heatmap& a, const Heatmap& b) {
  return a.min.x == b.min.x && a.min.y == b.min.y && a.max.x == b.max.x && a.max.y == b.max.y && a.rows == b.rows &&
         a.cols == b.cols && a.row0 == b.row0 && a.col0 == b.col0 && a.scale.map == b.scale.map &&
         a.scale.low == b.scale.low && a.scale.high == b.scale.high && a.alpha == b.alpha &&
         same_bits(a.matrix, b.matrix) && same_bits(a.hidden, b.hidden) && same_bits(a.strongest, b.strongest);
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

// Of a view, but for those whose pictures are of runs, fits and clocks; a view without pages counts as one.
std::vector<const PageEntry*> pages_of(ViewId view) {
  std::vector<const PageEntry*> pages;
  for (const PageEntry& page : all_pages()) {
    const std::string_view key = page.key;
    if (page.view == view && view != ViewId::learn && key != "needed" && key != "trained" && key != "width" &&
        key != "timing" && key != "computed" && key != "leading" && key != "more" && key != "rest")
      pages.push_back(&page);
  }
  if (pages.empty()) pages.push_back(nullptr);
  return pages;
}

// A number that was not selected when the document changed: what the change did is not marked any more.
void turn_to(Session& s, ViewId view, int page) {
  s.set(s.view().view, view);
  if (const PageEntry* entry = pages_of(view)[static_cast<std::size_t>(page)]) test::open_page(s.app, *entry);
  s.set(s.view().pattern, static_cast<Pattern>(page % 3));
  s.set(s.view().average, view == ViewId::heads && page == 0);
  s.set(act::Select{{{Quantity::X}, 0, 0}});
  // Else its tiles stay at the query that told most before an edit, as long as it tells anything.
  s.set(s.view().tradeoff.query, 0);
  s.ui.settle();
}

// Until all that is measured in the background is there.
void show(Session& s, ViewId view, int page) {
  turn_to(s, view, page);
  for (int k = 0; k < 2; ++k) {
    s.ui.settle();
    s.app.finish_names();
    s.ui.frames(30);  // what moves comes to rest
  }
}

Drawn drawn(Session& s) {
  Drawn now;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (heatmap.mark == 0) now.heatmaps.push_back(heatmap);
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::strstr(window->Name, "center"))
      now.shapes.insert(now.shapes.end(), window->DrawList->VtxBuffer.begin(), window->DrawList->VtxBuffer.end());
  return now;
}

struct Snapshot {
  Document document;
  ViewId view;
  int page;
  Drawn drawn;
};

}  // namespace

TEST_CASE("caches: after any edits every view draws what a program that has just begun draws", "[app][caches]") {
  const int rounds = test::cases(2, 1, 1);
  Random random(29);
  std::vector<Snapshot> lived;
  {
    Session s;
    for (int round = 0; round < rounds; ++round)
      for (const ViewEntry& view : all_views())
        for (int page = 0; page < std::ssize(pages_of(view.id)); ++page) {
          for (int edits = 0; edits < 3; ++edits) {  // what was shown is there to be taken for what is
            (test::kSanitized ? turn_to : show)(s, view.id, page);
            s.set(act::Select{{{Quantity::W_Q}, 0, 0}});
            s.app.edit(random_edit(random, s.document()));
            s.ui.frames(static_cast<int>(below(random, 3)) + 1);
          }
          show(s, view.id, page);
          if (view.id == ViewId::likeness) continue;  // whose tree remembers where heads stood
          lived.push_back({s.document(), view.id, page, drawn(s)});
        }
  }
  std::ptrdiff_t pages = 0;
  for (const ViewEntry& view : all_views())
    if (view.id != ViewId::likeness) pages += std::ssize(pages_of(view.id));
  REQUIRE(std::ssize(lived) == pages * rounds);
  for (const Snapshot& then : lived) {
    Session s(then.document);
    show(s, then.view, then.page);
    const Drawn now = drawn(s);
    CAPTURE(&then - lived.data(), static_cast<int>(then.view), then.page);
    CHECK(same(now.heatmaps, then.drawn.heatmaps));
    CHECK(same(now.shapes, then.drawn.shapes));
  }
}

TEST_CASE("caches: what a change did is what is found by comparing anew", "[app][caches][change]") {
  Random random(31);
  Document document = default_document();
  std::shared_ptr<const Trace> trace = evaluate(document);
  DerivedCache derived;
  test::MeasuringAll measuring;
  Changes changes(derived, {measuring.measures, measuring.marked, measuring.bounds});
  ViewState view;
  derived.set_trace(trace);
  changes.settle({document, trace, 0});
  int compared = 0;
  for (std::uint64_t step = 1; step < 200; ++step) {
    const Document before_document = document;
    try {
      document = hydra::apply(document, random_edit(random, document));
    } catch (const InputError&) {
      continue;
    }
    changes.follow(step, std::nullopt);
    test::LookedAt was(measuring, before_document, trace);
    const std::shared_ptr<const Trace> before = trace;
    trace = evaluate(document, before.get());
    test::LookedAt is(measuring, document, trace);
    derived.set_trace(trace);
    changes.settle({document, trace, step});
    if (!changes.marked()) continue;
    for (int layouts = 0; layouts < 2; ++layouts) {
      changes.begin_layout();
      was.derived = {}, is.derived = {};
      was.derived.set_trace(before);
      is.derived.set_trace(trace);
      const auto head = static_cast<int>(below(random, trace->layer(0).input.heads));
      view.selected_heads.assign(static_cast<std::size_t>(trace->layer(0).input.heads), below(random, 2) == 0);
      for (int q = 0; q < kQuantities; ++q) {
        const auto quantity = static_cast<Quantity>(q);
        for (const int h : {head, kNoHead}) {
          const Site site{quantity, 0, h};
          if (!exists(*before, site) || !exists(*trace, site)) continue;
          const MatrixChange expected =
              change_between(picture_of(was.source(), view, site), picture_of(is.source(), view, site));
          const MatrixChange& kept = changes.of(view, site);
          CAPTURE(step, spelled(site));
          CHECK(kept.relative == expected.relative);
          CHECK(kept.largest == expected.largest);
          CHECK(same_bits(kept.size, expected.size));
          compared += expected.size ? 1 : 0;
        }
      }
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("caches: the numbers of tiles are those worked out anew", "[app][caches][tradeoff]") {
  Random random(37);
  Document document = default_document();
  std::shared_ptr<const Trace> trace = evaluate(document);
  TileNumbers kept;
  int taken = 0;
  for (int step = 0; step < 300; ++step) {
    try {
      document = hydra::apply(document, random_edit(random, document));
    } catch (const InputError&) {
    }
    trace = evaluate(document, trace.get());
    const LayerTrace<float>& layer = trace->layer(0);
    const Index query = below(random, std::min<Index>(2, layer.input.n())), side = 4;
    const int head = 0;
    const bool same_numbers = kept.scores && kept.are_of(layer, head, query, side);
    if (!same_numbers) kept = tile_numbers_of(layer, head, query, side);
    taken += same_numbers ? 1 : 0;
    const TileNumbers fresh = tile_numbers_of(layer, head, query, side);
    CAPTURE(step);
    CHECK(same_bits(kept.outputs, fresh.outputs));
    CHECK(same_bits(kept.ends, fresh.ends));
    CHECK(kept.walk.visited == fresh.walk.visited);
    CHECK(kept.painted == fresh.painted);
  }
  CHECK(taken > 30);
}
