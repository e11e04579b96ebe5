// Keys and values shared by groups of heads, as a user meets them: columns, the trade in a sentence, taking it over.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "app/views/tradeoff/tradeoff_parts.h"
#include "tests/app/views/tradeoff/tradeoff_session.h"

using namespace hydra;

namespace {

struct SharingSession : TradeoffSession {
  explicit SharingSession(Document document = default_document(), ImVec2 size = {1600, 1000})
      : TradeoffSession(std::move(document), size) {
    page("sharing");
  }
  std::vector<Index> sets() {
    std::vector<Index> found;
    for (Index count = 1; count <= kMaxHeads; ++count)
      if (ui.exists("tradeoff/kv/column/" + std::to_string(count))) found.push_back(count);
    return found;
  }
  ImVec2 pair(Index sets, int head, Index row, Index col) {
    const auto n = static_cast<Index>(app.trace().tokens.size());
    return ui.rect("tradeoff/kv/patterns/" + std::to_string(sets) + "/" + std::to_string(head)).cell(row, col, n, n);
  }
  std::set<const void*> drawn() {
    const auto n = static_cast<Index>(app.trace().tokens.size());
    std::set<const void*> found;
    for (const Heatmap& heatmap : ui.sink.heatmaps)
      if (heatmap.rows == n && heatmap.cols == n && heatmap.mark == 0) found.insert(heatmap.matrix->data());
    return found;
  }
};

}  // namespace

TEST_CASE("trade-off, shared keys: a column per number of sets, with all patterns and aligned numbers",
          "[app][tradeoff][sharing]") {
  SharingSession s;
  CHECK(s.view().tradeoff.page == TradeoffPage::sharing);
  CHECK(s.sets() == std::vector<Index>{1, 2, 4, 8});
  CHECK(s.drawn().size() == 56);  // each mean also with its norm kept
  for (const Index count : s.sets()) {
    CHECK(s.ui.exists("tradeoff/kv/diagram/" + std::to_string(count)));
    for (int h = 1; h <= 8; ++h)
      CHECK(s.ui.exists("tradeoff/kv/patterns/" + std::to_string(count) + "/" + std::to_string(h)));
  }
  const float cache = s.ui.rect("tradeoff/kv/cell/8/cache").min.y;
  // From every head's own on the left to one for all on the right.
  CHECK(s.ui.rect("tradeoff/kv/column/8").min.x < s.ui.rect("tradeoff/kv/column/4").min.x);
  CHECK(s.ui.rect("tradeoff/kv/column/2").min.x < s.ui.rect("tradeoff/kv/column/1").min.x);
  for (const char* row : {"cache", "weights", "step", "effective", "cosine", "divergence", "change"}) {
    CAPTURE(row);
    CHECK(s.ui.exists(std::string("tradeoff/row/") + row));
    const float y = s.ui.rect(std::string("tradeoff/kv/cell/8/") + row).min.y;
    for (const Index count : s.sets())
      CHECK(s.ui.rect("tradeoff/kv/cell/" + std::to_string(count) + "/" + row).min.y == y);
  }
  // Whatever is pointed at says more of itself, and nothing moves.
  for (const char* part : {"column/2", "column/8", "diagram/1", "cell/4/cache", "cell/4/weights", "cell/1/step"}) {
    s.ui.move(std::string("tradeoff/kv/") + part);
    s.ui.frames(2);
    CHECK(s.ui.rect("tradeoff/kv/cell/8/cache").min.y == cache);
  }
  s.ui.leave();
  // The chips of head counts belong to the other pages.
  CHECK_FALSE(s.ui.exists("tradeoff/count/8"));
  s.page("columns");
  CHECK(s.columns() == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  CHECK(s.sets().empty());
}

TEST_CASE("trade-off, shared keys: a click takes a column over, one step to undo", "[app][tradeoff][sharing]") {
  SharingSession s;
  const Array<float> before = s.weights().W_K, W_Q = s.weights().W_Q;
  s.click("tradeoff/kv/column/2");
  CHECK(s.layer().kv_heads() == 2);
  CHECK(s.weights().W_K->cols() == 16);
  CHECK(s.weights().W_Q == W_Q);
  CHECK(s.sets() == std::vector<Index>{1, 2, 4, 8});
  s.click("tradeoff/kv/column/2");  // it is so already
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.layer().group_size == 1);
  CHECK(s.weights().W_K == before);
  CHECK_FALSE(s.app.history().can_undo());
  s.click("tradeoff/kv/column/8");
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("trade-off, shared keys: a column says that it can be taken over, however narrow it is",
          "[app][tradeoff][sharing]") {
  SharingSession s(default_document(), {1024, 768});
  for (const char* sets : {"4", "2", "1"}) CHECK(s.ui.exists(std::string("tradeoff/kv/use/") + sets));
  CHECK_FALSE(s.ui.exists("tradeoff/kv/use/8"));  // as the document has
  SharingSession many(hydra::apply(with(SetModelWidth{128}), SetHeads{128}), {1024, 768});
  for (const Index sets : many.sets()) {
    many.ui.move("tradeoff/kv/column/" + std::to_string(sets));
    many.rest();
    CHECK(many.ui.exists("tradeoff/kv/use/" + std::to_string(sets)) == (sets != 128));
  }
}

TEST_CASE("trade-off, shared keys: the row under the pointer is outlined in every column", "[app][tradeoff][sharing]") {
  SharingSession s;
  s.ui.move(s.pair(2, 2, 5, 3));
  CHECK(s.app.hands().of<tradeoff::PointedQuery>().last == 5);
  CHECK_FALSE(s.was().cell);  // not a number of the document's
  s.ui.move(s.pair(8, 4, 7, 1));
  CHECK(s.app.hands().of<tradeoff::PointedQuery>().last == 7);
  REQUIRE(s.was().cell);
  CHECK(s.was().cell->site.head == 3);
  s.ui.click(s.pair(1, 1, 2, 2));
  CHECK(s.view().tradeoff.query);
  s.ui.click(s.pair(8, 6, 0, 0));
  CHECK(s.view().focused_head == 5);
}

TEST_CASE("trade-off, shared keys: what it shows are the document's keys shared", "[app][tradeoff][sharing]") {
  SharingSession s;
  const auto shown = [&](Index sets, int head) {
    const UiDriver::Rect place = s.ui.rect("tradeoff/kv/patterns/" + std::to_string(sets) + "/" + std::to_string(head));
    for (const Heatmap& heatmap : s.ui.sink.heatmaps)
      if (heatmap.min.x == Approx(place.min.x) && heatmap.min.y == Approx(place.min.y))
        return Mat<float>(*heatmap.matrix);
    return Mat<float>();
  };
  const Mat<float> compared = shown(2, 3), own = shown(8, 3);
  CHECK(own == *s.head(2).attention);
  CHECK(compared != own);
  s.click("tradeoff/kv/column/2");
  CHECK(*s.head(2).attention == compared);
  CHECK(shown(8, 3) == compared);  // now it only repeats them
}

TEST_CASE("trade-off, shared keys: a mean is taken over with its norm kept, too", "[app][tradeoff][sharing]") {
  SharingSession s;
  REQUIRE(s.ui.exists("tradeoff/kv/column/2/norm"));
  CHECK_FALSE(s.ui.exists("tradeoff/kv/column/8/norm"));
  s.click("tradeoff/kv/column/2/norm");
  CHECK(s.layer().kv_heads() == 2);
  const Document kept = hydra::apply(default_document(), SetKvHeads{2, true});
  CHECK(*s.layer().weights.W_K == *kept.layers[0].weights.W_K);
  CHECK(s.app.history().undo_label().find("norm") != std::string::npos);
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.layer().group_size == 1);
}

TEST_CASE("trade-off, shared keys: the trade in a sentence", "[app][tradeoff][sharing]") {
  SweepEntry entry;
  entry.heads = 8;
  entry.kv_heads = 2;
  entry.output_change = 0.614;
  const auto says = [&](Index own) { return tradeoff::trade_sentence(entry, own); };
  CHECK(says(8) == "Two sets of keys and values instead of 8: cache 4 times smaller, output moved by 61 %");
  CHECK(says(2) ==
        "Two sets of keys and values for 8 heads: the document as it is, its cache 4 times smaller than unshared");
  entry.output_change = 0;
  CHECK(says(1) == "Two sets of keys and values instead of 1: cache 2 times larger, output the same");
  entry.output_change = std::nan("");  // of a document whose output is 0
  CHECK(says(4) == "Two sets of keys and values instead of 4: cache 2 times smaller");
  entry.output_change = std::numeric_limits<double>::infinity();
  CHECK(says(4) == "Two sets of keys and values instead of 4: cache 2 times smaller");
  CHECK(ui::number(entry.output_change, As::percent) == "n/a");
  entry = {};
  entry.heads = entry.kv_heads = 1;
  CHECK(says(1) == "One set of keys and values for 1 head: the document as it is");
  CHECK(ui::number(0, As::percent) == "0 %");
  CHECK(ui::number(1e-6, As::percent) == "< 0.1 %");
  CHECK(ui::number(0.0421, As::percent) == "4.2 %");
  CHECK(ui::number(1.5, As::percent) == "150 %");
}

TEST_CASE("trade-off, shared keys: what is said of where the others come from", "[app][tradeoff][sharing]") {
  using Catch::Contains;
  const auto note = [](const Document& document, Index tokens) {
    SweepTable table;
    table.entries.resize(usual_kv_head_counts(document.layer(0), tokens).size());
    table.entries.front().heads = document.layers.front().heads;
    table.own_kv_heads = document.layers.front().kv_heads();
    return tradeoff::sharing_note(table);
  };
  CHECK_THAT(note(default_document(), 12), Contains("the mean of their keys") && Contains("nothing is trained"));
  CHECK_THAT(note(default_document(), 12), !Contains("Not every"));
  CHECK_THAT(note(default_document(), 1024), Contains("Not every number of sets"));
  CHECK_THAT(note(with(SetKvHeads{2}), 12), Contains("a multiple of its 2 sets only repeats them"));
  CHECK_THAT(note(with(SetKvHeads{1}), 12), Contains("repeat its one") && !Contains("are means"));
  CHECK_THAT(note(with(SetHeads{1}), 12), Contains("nothing to share"));
}

TEST_CASE("trade-off, shared keys: it follows edits, and computes nothing where nothing changed",
          "[app][tradeoff][sharing]") {
  SharingSession s;
  const auto before = s.drawn();
  s.ui.frames(3);
  CHECK_FALSE(s.app.wants_frame());
  CHECK(s.drawn() == before);
  s.ui.key(key::letter('r'));  // other weights
  s.rest();
  CHECK(s.drawn().size() == before.size());
  CHECK(s.drawn() != before);
}

TEST_CASE("trade-off, shared keys: tokens and precision are those of the published models",
          "[app][tradeoff][sharing]") {
  SharingSession s;
  s.click("tradeoff/length/131 072");
  s.click("tradeoff/precision/fp32");
  CHECK(s.view().tradeoff.context_length == 131072);
  CHECK(s.view().tradeoff.bytes_per_number == 4);
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("trade-off, shared keys: slices cannot share until each head sees the whole", "[app][tradeoff][sharing]") {
  SharingSession s(with(SetSplit{Split::slice}));
  CHECK(s.sets().empty());
  s.click("tradeoff/kv/whole");
  CHECK(s.layer().split == Split::projection);
  CHECK(s.sets() == std::vector<Index>{1, 2, 4, 8});
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.sets().empty());  // nor does it show what was measured before
}

TEST_CASE("trade-off, shared keys: head counts side by side say how many sets they have", "[app][tradeoff][sharing]") {
  TradeoffSession s(with(SetKvHeads{2}));
  CHECK(s.ui.exists("tradeoff/row/kv_heads"));
  CHECK(s.ui.exists("tradeoff/cell/16/kv_heads"));
  s.page("cost");
  TradeoffSession plain;
  CHECK_FALSE(plain.ui.exists("tradeoff/row/kv_heads"));
}

TEST_CASE("trade-off, shared keys: every size of window and of model can be shown", "[app][tradeoff][sharing]") {
  for (const auto& [d_model, heads] : {std::pair<Index, Index>{1, 1}, {7, 7}, {64, 8}, {120, 120}, {256, 128}}) {
    TradeoffSession s(hydra::apply(with(SetModelWidth{d_model}), SetHeads{heads}));
    s.set(s.view().tradeoff.page, TradeoffPage::sharing);
    for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{640, 400}})
      for (const bool presentation : {false, true}) {
        CAPTURE(size.x, d_model, heads, presentation);
        s.ui.size = size;
        s.set(s.view().presentation, presentation);
        s.rest();
        if (size.x < 1000) continue;  // folded, but drawn
        CHECK(s.ui.exists("tradeoff/kv/column/" + std::to_string(heads)));
        // The last row is within the window.
        const UiDriver::Rect last = s.ui.rect("tradeoff/row/change");
        CHECK(last.max.y <= size.y);
      }
  }
}
