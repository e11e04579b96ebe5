// The Heads view as a user meets it, driven by name through the whole program.
#include <algorithm>
#include <catch2/catch.hpp>

#include "app/views/heads/sink_column.h"
#include "app/views/shared/head_roles.h"
#include "core/analysis/weighted.h"
#include "core/document/edits/edit.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// On the Heads view.
struct HeadsSession : Session {
  explicit HeadsSession(Document document = default_document(), ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, ViewId::heads);
    app.finish_evaluation();
    ui.frames(3);
  }
  Index n() const { return trace().input.n(); }
  ImVec2 large_cell(Index row, Index col) { return ui.rect("heads/large").cell(row, col, n(), n()); }

  // The heatmap drawn at heads/large.
  const Heatmap& large() {
    const UiDriver::Rect rect = ui.rect("heads/large");
    for (const Heatmap& heatmap : ui.sink.heatmaps)
      if (heatmap.min.x == rect.min.x && heatmap.min.y == rect.min.y) return heatmap;
    FAIL("nothing is drawn at heads/large");
    return ui.sink.heatmaps.front();
  }
};

Document words(int count) {
  std::string sentence;
  for (int k = 0; k < count; ++k) sentence += (k ? " w" : "w") + std::to_string(k);
  return apply(default_document(), SetSentence{sentence});
}

std::vector<int> chosen(HeadsSession& s) {
  std::vector<int> heads;
  for (std::size_t h = 0; h < s.view().selected_heads.size(); ++h)
    if (s.view().selected_heads[h]) heads.push_back(static_cast<int>(h) + 1);
  return heads;
}

}  // namespace

TEST_CASE("heads view: a click on a head focuses it and shows it large", "[app][heads_view]") {
  HeadsSession s;
  CHECK(s.large().matrix == s.head(0).attention);
  s.ui.click("heads/grid/5");
  CHECK(s.view().focused_head == 4);
  CHECK(s.large().matrix == s.head(4).attention);
  for (int h = 0; h < 8; ++h)
    CHECK(std::any_of(s.ui.sink.heatmaps.begin(), s.ui.sink.heatmaps.end(),
                      [&](const Heatmap& heatmap) { return heatmap.matrix == s.head(h).attention; }));
}

TEST_CASE("heads view: scores, attention, and attention times the norm of the value", "[app][heads_view]") {
  HeadsSession s;
  s.ui.click("heads/grid/3");
  s.ui.click("heads/pattern/scores");
  CHECK(s.large().matrix == s.head(2).scores);
  CHECK(s.large().scale.low == -s.large().scale.high);
  s.ui.click("heads/pattern/value_weighted");
  CHECK(*s.large().matrix == value_weighted_attention(s.trace(), 2));
  CHECK(s.large().scale.low == 0);
  s.ui.click("heads/pattern/attention");
  CHECK(s.large().matrix == s.head(2).attention);
  CHECK(s.large().scale.high == 1);
}

TEST_CASE("heads view: the average of all heads, and of some", "[app][heads_view]") {
  HeadsSession s;
  s.ui.click("heads/average");
  CHECK(*s.large().matrix == mean_attention(s.trace(), {0, 1, 2, 3, 4, 5, 6, 7}));
  s.ui.click("heads/choose/2");
  s.ui.click("heads/grid/7", {.ctrl = true});
  CHECK(chosen(s) == std::vector<int>{1, 3, 4, 5, 6, 8});
  CHECK(*s.large().matrix == mean_attention(s.trace(), {0, 2, 3, 4, 5, 7}));
  s.ui.click("heads/choose/2");
  CHECK(chosen(s) == std::vector<int>{1, 2, 3, 4, 5, 6, 8});
  s.ui.click("heads/only");
  CHECK(chosen(s) == std::vector<int>{1});
  s.ui.click("heads/choose/1");  // the last one stays
  CHECK(chosen(s) == std::vector<int>{1});
  s.ui.click("heads/all");
  CHECK(chosen(s).size() == 8);
  s.ui.click("heads/grid/4");  // a plain click looks at that head again
  CHECK_FALSE(s.view().average);
  CHECK(s.large().matrix == s.head(3).attention);
}

TEST_CASE("heads view: a pattern ends the average, the average shows attention", "[app][heads_view]") {
  HeadsSession s;
  s.ui.click("heads/pattern/scores");
  s.set(s.view().inspector_open, false);  // its matrix is signed
  s.ui.click("heads/average");
  for (const Heatmap& heatmap : s.ui.sink.heatmaps) CHECK(heatmap.scale.low == 0);  // thumbnails, too
  s.ui.click("heads/pattern/scores");
  CHECK_FALSE(s.view().average);
  CHECK(s.large().matrix == s.head(0).scores);
}

TEST_CASE("heads view: a number of the average can be opened, choosing no head means all", "[app][heads_view]") {
  HeadsSession s;
  s.ui.click("heads/average");
  s.ui.click(s.large_cell(2, 5));
  const Cell cell{{Quantity::mean_attention, 0, kNoHead}, 2, 5};
  CHECK(s.view().selection == cell);
  s.ui.frames(3);
  s.set(s.view().selected_heads, std::vector<bool>(8, false));
  s.ui.frames(2);
  CHECK(chosen(s).size() == 8);
}

TEST_CASE("heads view: the cell under the pointer is linked, a click selects it", "[app][heads_view]") {
  HeadsSession s;
  s.ui.click("heads/grid/2");
  s.ui.move(s.large_cell(3, 7));
  const Cell cell{{Quantity::attention, 0, 1}, 3, 7};
  CHECK(s.was().cell == cell);
  CHECK_FALSE(s.view().selection);
  s.ui.click(s.large_cell(3, 7));
  CHECK(s.view().selection == cell);
  CHECK(s.view().inspected == cell.site);
  s.ui.leave();
  CHECK_FALSE(s.was().cell);
  CHECK(s.view().selection == cell);
}

TEST_CASE("heads view: a token of the arcs stands for its strongest pair", "[app][heads_view]") {
  HeadsSession s;
  for (const Index query : {0, 4, 11}) {
    Index strongest = 0;
    s.head(0).attention->row(query).maxCoeff(&strongest);
    s.ui.move("heads/arcs/query/" + std::to_string(query + 1));
    CHECK(s.was().cell == Cell{{Quantity::attention, 0, 0}, query, strongest});
  }
  Index from = 0;
  s.head(0).attention->col(2).maxCoeff(&from);
  s.ui.click("heads/arcs/key/3");
  CHECK(s.view().selection == Cell{{Quantity::attention, 0, 0}, from, 2});
}

TEST_CASE("heads view: a higher threshold draws fewer curves", "[app][heads_view]") {
  HeadsSession s;
  const float before = s.view().arc_threshold;
  const int vertices = ImGui::GetDrawData()->TotalVtxCount;
  const UiDriver::Rect slider = s.ui.rect("heads/threshold");
  s.ui.click(slider.at(0.6f, 0.5f));
  s.ui.leave();
  CHECK(s.view().arc_threshold > before + 0.3f);
  CHECK(ImGui::GetDrawData()->TotalVtxCount < vertices - 1000);
  s.ui.click(slider.at(0.01f, 0.5f));
  CHECK(s.view().arc_threshold < 0.05f);
}

TEST_CASE("heads view: a weight dragged in the inspector changes the large pattern", "[app][heads_view]") {
  HeadsSession s;
  const Array<float> before = s.large().matrix;
  s.set(s.view().inspected, {Quantity::W_Q, 0, 0});
  s.ui.frames(2);
  s.ui.drag("inspector/cell/2,3", 0, -120);
  REQUIRE(s.app.history().can_undo());
  CHECK(s.large().matrix != before);
  CHECK(s.large().matrix == s.head(0).attention);
  CHECK(*s.large().matrix != *before);
}

TEST_CASE("heads view: 1 to 128 heads, all reachable by name", "[app][heads_view]") {
  for (const Index heads : {1, 2, 16, 128}) {
    CAPTURE(heads);
    Document document = apply(default_document(), SetModelWidth{128});
    HeadsSession s(apply(document, SetHeads{heads}), {1280, 800});
    for (const int head : {0, static_cast<int>(heads) / 2, static_cast<int>(heads) - 1}) {
      s.ui.click("heads/grid/" + std::to_string(head + 1));
      CHECK(s.view().focused_head == head);
      CHECK(s.large().matrix == s.head(head).attention);
    }
  }
}

TEST_CASE("heads view: from one token to hundreds, in every dress", "[app][heads_view]") {
  Document longest = apply(default_document(), SetSentence{std::string(400, 'x') + " and " + std::string(200, 'y')});
  Document causal = apply(words(40), SetMask{Mask{Mask::Kind::causal, {}}});
  for (const Document& document : {words(1), words(2), words(300), longest, causal})
    for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{500, 300}}) {
      CAPTURE(document.sentence.size(), size.x);
      HeadsSession s(document, size);
      for (const bool dark : {false, true})
        for (const bool presentation : {false, true})
          for (const Pattern pattern : {Pattern::scores, Pattern::attention, Pattern::value_weighted}) {
            s.set(s.view().dark, dark);
            s.set(s.view().presentation, presentation);
            s.set(s.view().pattern, pattern);
            s.set(s.view().average, pattern == Pattern::attention && dark);
            s.ui.frames(3);
            if (size.x < 1000) continue;
            s.ui.move(s.ui.rect("heads/large").center());
            CHECK(s.was().cell);
          }
    }
}

TEST_CASE("heads view: a pattern that is not finite is drawn and can be pointed at", "[app][heads_view]") {
  Document document = default_document();
  document = apply(document, set_cell(Quantity::W_Q, 0, 0, 3e38f));
  HeadsSession s(apply(document, set_cell(Quantity::W_K, 0, 0, 3e38f)));
  REQUIRE_FALSE(s.head(0).attention->allFinite());
  s.ui.move(s.large_cell(5, 5));
  s.ui.move("heads/arcs/query/2");
  CHECK(s.was().cell);
  s.ui.click("heads/pattern/scores");
  s.ui.click("heads/average");
}

TEST_CASE("heads view: what a sink takes is a column of the pattern, with which rows sum to one", "[app][heads_view]") {
  HeadsSession s;
  CHECK_FALSE(s.ui.exists("heads/sink"));
  HeadsSession with(apply(default_document(), SetSetting{LayerSetting::sink, 1}));
  const auto check = [&](MatIn<float> pattern) {
    REQUIRE(with.ui.exists("heads/sink"));
    const std::vector<double>& shares = with.app.made().of<SinkColumn>().shares;
    REQUIRE(std::ssize(shares) == pattern.rows());
    for (Index i = 0; i < pattern.rows(); ++i)
      CHECK(shares[static_cast<std::size_t>(i)] + pattern.row(i).cast<double>().sum() == Approx(1).margin(1e-6));
  };
  check(*with.head(0).attention);
  with.ui.click("heads/grid/5");
  check(*with.head(4).attention);
  with.set(with.view().average, true);
  with.ui.frames(2);
  check(mean_attention(with.trace(), {0, 1, 2, 3, 4, 5, 6, 7}));
  with.set(with.view().average, false);
  with.set(with.view().pattern, Pattern::scores);
  with.ui.frames(2);
  CHECK_FALSE(with.ui.exists("heads/sink"));
}

TEST_CASE("heads view: a click on a row's word selects the row's strongest pair", "[app][heads]") {
  Session s;
  s.set(s.view().view, ViewId::heads);
  s.ui.frames(3);
  const auto n = static_cast<int>(s.app.trace().tokens.size());
  for (const int row : {0, 5, n - 1}) {
    s.ui.click(s.ui.rect("heads/row_words").cell(row, 0, n, 1));
    s.ui.frames(2);
    Index strongest = 0;
    s.head(0).attention->row(row).maxCoeff(&strongest);
    CHECK(s.selection() == Cell{{Quantity::attention, 0, 0}, row, strongest});
  }
}

TEST_CASE("heads view: the legend ends before the lines begin, however low the room", "[app][heads]") {
  Session s(hydra::apply(hydra::apply(default_document(), SetMask{{Mask::Kind::causal, nullptr}}),
                         SetSentence{"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f"}),
            {1280, 660});
  s.set(s.view().view, ViewId::heads);
  s.set(s.view().presentation, true);
  s.ui.frames(3);
  REQUIRE(s.ui.exists("heads/arcs"));
  const UiDriver::Rect legend = s.ui.rect("heads/legend"), arcs = s.ui.rect("heads/arcs");
  CHECK((legend.max.x <= arcs.min.x || legend.max.y <= arcs.min.y));
}

TEST_CASE("heads view: with nothing selected an arrow selects the row that is asked about", "[app][heads_view]") {
  const bool presenting = GENERATE(false, true);
  HeadsSession s;
  s.set(s.view().presentation, presenting);
  s.ui.key('3');
  s.ui.frames(2);
  REQUIRE_FALSE(s.view().selection);
  s.ui.key(key::down);
  s.ui.frames(2);
  const Index asked = usual_token(s.app.trace().tokens, s.app.trace().words);
  REQUIRE(s.selection().site == Site{Quantity::attention, 0, 2});
  CHECK(s.selection().row == asked);
  CHECK((*s.head(2).attention)(asked, s.selection().col) == s.head(2).attention->row(asked).maxCoeff());
  const Cell first = s.selection();
  s.ui.key(key::up);  // and on from there
  CHECK(s.selection() == Cell{first.site, first.row - 1, first.col});
}

namespace {

// Heads of a shipped document at 1280x800 in a presentation, with its notes beside them or without.
struct PresentedHeads : HeadsSession {
  explicit PresentedHeads(const char* name, bool notes) : HeadsSession(test::example(name), {1280, 800}) {
    set(view().presentation, true);
    set(view().sides.notes, notes);
    settle();
  }
  void click_number() {
    ui.click(ui.rect("heads/large").cell(5, 1, n(), n()));
    set(view().sides.inspector, true);
    settle();
  }
};

}  // namespace

TEST_CASE("heads view: in a presentation at 1280x800 every word of the large pattern is read", "[app][heads]") {
  constexpr float kWord = 11.4f;  // of a column whose word is 13 pixels high
  for (const char* name : {"designed_cat_mat_soft", "stack_animal_tired", "shared_keys"})
    for (const bool notes : {false, true}) {
      CAPTURE(name, notes);
      PresentedHeads s(name, notes);
      const auto step = [&] {
        const UiDriver::Rect large = s.ui.rect("heads/large");
        return (large.max.x - large.min.x) / static_cast<float>(s.n());
      };
      CHECK(step() >= 1.5f * kWord);
      s.click_number();
      CHECK(step() >= kWord);
      s.ui.click("inspector/paint");
      s.settle();
      REQUIRE(s.ui.exists("inspector/paint/uniform"));
      CHECK(step() >= kWord);
    }
}

TEST_CASE("heads view: relations stand in one line, or behind a button where that is too short", "[app][heads]") {
  PresentedHeads s("designed_cat_mat_soft", true);
  CHECK_FALSE(s.ui.exists("heads/relation/coreference"));
  s.ui.click("heads/relations");
  s.ui.frames(2);
  s.ui.click("heads/relation/coreference");
  s.ui.frames(2);
  CHECK(s.view().shown_relation == Relation::coreference);
  s.ui.click("heads/relations");
  s.ui.frames(2);
  s.ui.click("heads/relation/coreference");
  CHECK_FALSE(s.view().shown_relation);
  HeadsSession roomy(test::example("designed_cat_mat_soft"));
  roomy.settle();
  CHECK(roomy.ui.exists("heads/relation/coreference"));
  CHECK_FALSE(roomy.ui.exists("heads/relations"));
}

TEST_CASE("heads view: by how much the pattern changed stands beside the head's name, not over it", "[app][heads]") {
  for (const bool notes : {false, true}) {
    PresentedHeads s("designed_cat_mat_soft", notes);
    s.click_number();
    s.app.edit({SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(64, 8, 0.1f)))}, 0});
    s.settle();
    REQUIRE(s.ui.exists("heads/large/change"));
    CHECK(s.ui.rect("heads/large/change").min.x >= s.ui.rect("heads/name").max.x);
  }
}

TEST_CASE("heads view: a head with a name never looks as if it had none", "[app][heads]") {
  for (const char* name : {"designed_cat_mat_soft", "stack_animal_tired", "heads_designed"}) {
    PresentedHeads s(name, true);
    s.app.finish_names();
    s.settle();
    const std::vector<HeadLabel> labels = labels_of(*s.roles().table, s.view().roles.threshold);
    for (std::size_t h = 0; h < labels.size(); ++h) {
      CAPTURE(name, h, labels[h].name);
      if (labels[h].role.kind != Role::Kind::mixed) CHECK(s.ui.exists("heads/role/" + std::to_string(h + 1)));
    }
  }
}
