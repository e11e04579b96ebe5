// A number that is withheld is nowhere to be seen: in no picture, grid, bar, arc, table, plot, tip, nor in what is said
// or copied.
#include "core/explain/withheld.h"

#include <catch2/catch.hpp>
#include <set>

#include "app/draw/format.h"
#include "app/draw/recording.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"
#include "tests/support/open_page.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

const Site kSite{Quantity::attention, 0, 1};

// Each spelling of it that has three digits or more.
std::set<std::string> spellings_of(float value) {
  std::set<std::string> all{ui::that_reads_back(value)};
  for (const As style : {As::value, As::reading, As::exact, As::share, As::axis, As::fine_percent})
    all.insert(ui::number(static_cast<double>(value), style));
  return all;
}

// One whose spellings nothing else has by chance.
Cell a_cell_of(const Trace& trace) {
  const MatView<float> pattern = values_of(trace, kSite);
  for (Index i = pattern.rows(); i-- > 0;)
    for (Index j = 0; j < pattern.cols(); ++j)
      if (const float a = pattern(i, j); a > 0.12f && a < 0.9f && std::abs(a * 100 - std::round(a * 100)) > 0.1f)
        return {kSite, i, j};
  FAIL("no number to withhold");
  return {};
}

// Where the number was found, and by what.
using Found = std::set<std::string>;

class Search {
 public:
  Search(Session& s, float value) : s_(s), value_(value), spellings_(spellings_of(value)) {
    s_.app.listen(true);
    s_.app.record_in(&recording_, true);
  }
  ~Search() { s_.app.record_in(nullptr); }

  void look(const std::string& where) {
    s_.settle();
    for (const Recording::Mark& mark : recording_.marks()) {
      if (const auto* words = std::get_if<Recording::Words>(&mark.what)) {
        in_text(where + ": words", words->shown);
        in_text(where + ": words", words->meant);
      } else if (const auto* heatmap = std::get_if<Heatmap>(&mark.what)) {
        if (!heatmap->matrix) continue;
        const MatView<float> cells = heatmap->matrix->block(heatmap->row0, heatmap->col0, heatmap->rows, heatmap->cols);
        if ((cells.array() == value_).any()) found.insert(where + ": cells");
      }
    }
    for (const std::string& said : {s_.app.heard().number, s_.app.heard().status, s_.app.heard().place})
      in_text(where + ": said", said);
    ImGui::SetClipboardText("");
    s_.ui.key(key::letter('c'), true);
    in_text(where + ": copied", ImGui::GetClipboardText());
    s_.ui.key(key::letter('c'), true);  // once more: the whole matrix
    in_text(where + ": copied", ImGui::GetClipboardText());
  }

  Found found;

 private:
  void in_text(const std::string& where, const std::string& text) {
    for (const std::string& spelling : spellings_)
      if (text.find(spelling) != std::string::npos) found.insert(where + " \"" + text + "\"");
  }

  Session& s_;
  float value_;
  std::set<std::string> spellings_;
  Recording recording_{ImVec2{1600, 1000}};
};

Found looked_for(bool withheld) {
  Session s(test::example("stack_animal_tired"), {1600, 1000});
  const Cell cell = a_cell_of(*evaluate(s.document()));
  const float value = value_at(s.app.trace(), cell);
  if (withheld) s.app.withhold({cell});
  s.settle();
  REQUIRE(std::isnan(value_at(s.app.trace(), cell)) == withheld);
  s.set(s.view().inspector_open, true);
  s.set(s.view().focused_head, kSite.head);
  Search search(s, value);
  const auto with_pointer = [&](const std::string& where) {
    s.app.set(act::Inspect{kSite});
    s.app.set(act::Select{cell});
    search.look(where);
    const Index n = std::ssize(s.app.trace().tokens);
    for (const std::string& name : s.ui.names()) {  // tips of pictures of the pattern
      const auto rect = s.ui.seen(name);
      if (!rect || name.find('/') == std::string::npos) continue;
      const ImVec2 size{rect->max.x - rect->min.x, rect->max.y - rect->min.y};
      if (std::abs(size.x - size.y) > 2 || size.x < 40) continue;
      s.ui.move(rect->cell(cell.row, cell.col, n, n));
      search.look(where + ", over " + name);
    }
    s.ui.leave();
  };
  for (const ViewEntry& view : all_views()) {
    if (view.id == ViewId::learn) continue;  // its runs are of other documents
    s.set(s.view().view, view.id);
    with_pointer(view.key);
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id) continue;
      test::open_page(s.app, page);
      with_pointer(std::string(view.key) + "/" + page.key);
    }
  }
  return search.found;
}

}  // namespace

TEST_CASE("withheld: a number of a pattern is nowhere in the window, nor in what is said and copied",
          "[app][withheld][slow]") {
  const Found there = looked_for(false);
  const auto is_found = [&](const std::string& kind) {
    return std::ranges::any_of(there, [&](const std::string& one) { return one.find(kind) != std::string::npos; });
  };
  CHECK(there.size() > 10);
  for (const char* kind : {": words", ": cells", ": said", ": copied"}) CHECK(is_found(kind));
  for (const std::string& one : looked_for(true)) FAIL_CHECK(one);
}
