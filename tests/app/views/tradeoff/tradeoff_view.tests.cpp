// Head counts side by side, as a user meets them: columns, chips, headers, linked rows, costs, published models.
#include <catch2/catch.hpp>
#include <set>

#include "app/draw/recording.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "core/analysis/cost/published.h"
#include "core/measures/sweep.h"
#include "tests/app/views/tradeoff/tradeoff_session.h"

using namespace hydra;

TEST_CASE("trade-off view: key and tab open it", "[app][tradeoff]") {
  Session s;
  s.ui.key(key::letter('n'));
  CHECK(s.view().view == ViewId::tradeoff);
  s.ui.click("tabs/flow");
  s.ui.click("tabs/tradeoff");
  CHECK(s.view().view == ViewId::tradeoff);
}

TEST_CASE("trade-off view: a column per head count with all of its patterns", "[app][tradeoff]") {
  TradeoffSession s;
  CHECK(s.columns() == std::vector<Index>{1, 2, 4, 8, 16, 32, 64});
  std::set<const void*> drawn;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (heatmap.rows == 12 && heatmap.cols == 12) drawn.insert(heatmap.matrix->data());
  CHECK(drawn.size() == 127);
  // Those of the document's own head count are its patterns.
  const MatView<float> third = *s.head(2).attention;
  const UiDriver::Rect place = s.ui.rect("tradeoff/patterns/8/3");
  bool found = false;
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    found |= heatmap.min.x == Approx(place.min.x) && heatmap.min.y == Approx(place.min.y) && *heatmap.matrix == third;
  CHECK(found);
  for (const char* row : {"entropy", "effective", "cosine", "divergence", "rank", "shares", "change"}) {
    CHECK(s.ui.exists(std::string("tradeoff/row/") + row));
    const float y = s.ui.rect(std::string("tradeoff/cell/1/") + row).min.y;
    for (const Index heads : s.columns())
      CHECK(s.ui.rect("tradeoff/cell/" + std::to_string(heads) + "/" + row).min.y == y);
  }
}

TEST_CASE("trade-off view: chips switch head counts, and one stays", "[app][tradeoff]") {
  TradeoffSession s(hydra::apply(with(SetModelWidth{12}), SetHeads{4}));
  CHECK(s.columns() == std::vector<Index>{1, 2, 4, 12});
  s.click("tradeoff/count/6");
  const std::vector<Index> expected{1, 2, 4, 6, 12};
  CHECK(s.columns() == expected);
  for (const Index heads : head_counts(12))
    if (std::find(expected.begin(), expected.end(), heads) != expected.end())
      s.click("tradeoff/count/" + std::to_string(heads));
  CHECK(s.columns() == std::vector<Index>{12});
  s.click("tradeoff/count/12");
  CHECK(s.columns() == std::vector<Index>{12});
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("trade-off view: the document's own head count is among the usual ones", "[app][tradeoff]") {
  ViewState view;
  Document document = hydra::apply(with(SetModelWidth{12}), SetHeads{3});
  CHECK(wanted_head_counts(view, document, 12) == std::vector<Index>{1, 2, 3, 4, 12});
  view.tradeoff.counts = HeadCounts{12, {2, 6}};
  CHECK(wanted_head_counts(view, document, 12) == std::vector<Index>{2, 6});
  view.tradeoff.counts = HeadCounts{64, {2, 64}};  // chosen for another width
  CHECK(wanted_head_counts(view, document, 12) == std::vector<Index>{1, 2, 3, 4, 12});
  // Patterns of many tokens are not all kept unless they are asked for.
  const std::vector<Index> few = wanted_head_counts({}, with(SetModelWidth{1024}), kMaxTokens);
  CHECK(few.front() == 1);
  CHECK(few.back() < 32);
}

TEST_CASE("trade-off view: a click on a header cuts the document so, one step to undo", "[app][tradeoff]") {
  TradeoffSession s(hydra::apply(with(SetModelWidth{12}), SetHeads{3}));
  const Array<float> weights = s.weights().W_Q;
  s.click("tradeoff/column/12");
  CHECK(s.layer().heads == 12);
  CHECK(s.weights().W_Q == weights);
  CHECK(s.columns() == std::vector<Index>{1, 2, 3, 4, 12});
  s.ui.key(key::letter('z'), true);
  s.rest();
  CHECK(s.layer().heads == 3);
  CHECK_FALSE(s.app.history().can_undo());
  s.click("tradeoff/column/3");  // it has them already
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("trade-off view: in small patterns too the row has an outline on all sides", "[app][tradeoff]") {
  TradeoffSession s(default_document(), {1280, 800});
  s.set(s.view().presentation, true);
  s.rest();
  s.ui.move(s.cell(2, 2, 5, 3));
  const Index n = s.trace().input.n();
  int small = 0;
  for (const int heads : {4, 8, 16}) {
    const std::string name = "tradeoff/outline/" + std::to_string(heads) + "/2";
    if (!s.ui.exists(name)) continue;
    ++small;
    const UiDriver::Rect picture = s.ui.rect("tradeoff/patterns/" + std::to_string(heads) + "/2"),
                         row = s.ui.rect(name);
    const float cell = (picture.max.y - picture.min.y) / static_cast<float>(n);
    CHECK(row.min.x < picture.min.x);
    CHECK(row.max.x > picture.max.x);
    CHECK(row.min.y <= picture.min.y + 5 * cell);
    CHECK(row.max.y >= picture.min.y + 6 * cell);
  }
  CHECK(small > 0);
}

TEST_CASE("trade-off view: the marks beside a row of small patterns have a colour that no weight has",
          "[app][tradeoff]") {
  TradeoffSession s(default_document(), {1280, 800});
  s.set(s.view().presentation, true);
  s.rest();
  Recording recording(s.ui.size);
  s.app.record_in(&recording);
  s.ui.frames(1);
  s.app.record_in(nullptr);
  const UiDriver::Rect row = s.ui.rect("tradeoff/outline/16/2"), picture = s.ui.rect("tradeoff/patterns/16/2");
  int beside = 0;
  for (const Recording::Mark& mark : recording.marks()) {
    const auto* fill = std::get_if<Recording::Fill>(&mark.what);
    if (!fill || fill->min.x != row.min.x || fill->max.x != picture.min.x || fill->min.y != row.min.y) continue;
    ++beside;
    CHECK(fill->above == theme(false).accent);
  }
  CHECK(beside == 1);
}

TEST_CASE("trade-off view: the row under the pointer is outlined in every column, a click keeps it",
          "[app][tradeoff]") {
  TradeoffSession s;
  s.ui.move(s.cell(2, 2, 5, 3));
  CHECK(s.app.hands().of<tradeoff::PointedQuery>().last == 5);
  CHECK_FALSE(s.was().cell);  // not a number of the document's
  s.ui.move(s.cell(8, 4, 7, 1));
  CHECK(s.app.hands().of<tradeoff::PointedQuery>().last == 7);
  REQUIRE(s.was().cell);
  CHECK(s.was().cell->site.quantity == Quantity::attention);
  CHECK(s.was().cell->site.head == 3);
  CHECK(s.was().cell->row == 7);
  CHECK(s.was().cell->col == 1);
  s.ui.leave();
  CHECK(s.app.hands().of<tradeoff::PointedQuery>().last == 7);  // stays until another is pointed at
  s.ui.click(s.cell(4, 1, 2, 2));
  CHECK(s.view().tradeoff.query);
  s.ui.move(s.cell(1, 1, 9, 0));
  CHECK(s.view().tradeoff.query == 2);
  s.ui.click(s.cell(16, 5, 2, 0));
  CHECK_FALSE(s.view().tradeoff.query);
  s.ui.click(s.cell(8, 6, 0, 0));
  CHECK(s.view().focused_head == 5);
}

TEST_CASE("trade-off view: it follows edits, and computes nothing where nothing changed", "[app][tradeoff]") {
  TradeoffSession s;
  const auto matrices = [&] {
    std::vector<const void*> found;
    for (const Heatmap& heatmap : s.ui.sink.heatmaps)
      if (heatmap.mark == 0) found.push_back(heatmap.matrix->data());  // not what the last edit changed
    return found;
  };
  const auto before = matrices();
  s.ui.frames(3);
  CHECK_FALSE(s.app.wants_frame());
  CHECK(matrices() == before);
  s.ui.key(key::letter('r'));  // other weights
  s.rest();
  const auto after = matrices();
  REQUIRE(after.size() == before.size());
  CHECK(after != before);
  s.app.hands().of<SentenceField>().draft = "one two three";
  s.ui.click("sentence");
  s.ui.key(key::letter('a'), true);
  s.ui.type("one two three");
  s.rest();
  for (const Heatmap& heatmap : s.ui.sink.heatmaps)
    if (heatmap.rows == heatmap.cols && heatmap.scale.high == 1) CHECK(heatmap.rows == 3);
}

TEST_CASE("trade-off view: the curves say which head count is pointed at, and a click takes it", "[app][tradeoff]") {
  TradeoffSession s;
  s.page("cost");
  for (const char* chart : {"weights", "products", "memory", "width", "spectrum/scores", "spectrum/pattern"}) {
    CAPTURE(chart);
    CHECK(s.ui.exists(std::string("tradeoff/") + chart));
  }
  CHECK(s.was().head_count == 0);
  s.ui.move(s.ui.rect("tradeoff/memory").at(0.98f, 0.5f));
  s.ui.frames(2);
  CHECK(s.was().head_count == 64);
  s.ui.leave();
  CHECK(s.was().head_count == 0);
  s.ui.click(s.ui.rect("tradeoff/width").at(0.84f, 0.5f));
  s.rest();
  CHECK(s.layer().heads == 64);
  CHECK_FALSE(s.view().spectra_log);
  s.click("tradeoff/axis");
  CHECK(s.view().spectra_log);
}

TEST_CASE("trade-off view: what the shades mean stands above their chart in narrow windows too", "[app][tradeoff]") {
  for (const ImVec2 size : {ImVec2{1024, 768}, ImVec2{1280, 800}, ImVec2{1920, 1080}}) {
    TradeoffSession s(default_document(), size);
    s.page("cost");
    CAPTURE(size.x);
    CHECK(s.ui.rect("tradeoff/products/key").max.y <= s.ui.rect("tradeoff/products").min.y);
  }
}

TEST_CASE("trade-off view: the extremes are explained with the row of the query", "[app][tradeoff]") {
  TradeoffSession s;
  s.page("cost");
  CHECK(s.ui.exists("tradeoff/extremes/one"));
  CHECK(s.ui.exists("tradeoff/extremes/row"));
  CHECK(s.ui.exists("tradeoff/extremes/ends"));
  s.click("tradeoff/count/1");  // its numbers go, the rest stays
  CHECK(s.ui.exists("tradeoff/extremes/one"));
  CHECK_FALSE(s.ui.exists("tradeoff/extremes/row"));
  CHECK(s.ui.exists("tradeoff/extremes/ends"));
}

TEST_CASE("trade-off view: published models by year or by any column, and the document among them", "[app][tradeoff]") {
  TradeoffSession s;
  s.page("published");
  const auto top = [&](const std::string& model) { return s.ui.rect("tradeoff/published/row/" + model).min.y; };
  for (const PublishedModel& model : published_models())
    CHECK(s.ui.exists(std::string("tradeoff/published/row/") + model.name));
  CHECK(top("Transformer base") < top("Llama 3.1 405B"));
  CHECK(top("document") < top("Transformer base"));
  s.click("tradeoff/published/column/d_model");
  CHECK(top("PaLM 540B") < top("Llama 3.1 405B"));
  CHECK(top("Llama 3.1 405B") < top("GPT-3 175B"));
  CHECK(top("document") > top("Transformer base"));
  s.click("tradeoff/published/column/kv_cache");
  CHECK(top("GPT-3 175B") < top("Llama 3.1 405B"));
  s.click("tradeoff/published/column/kv_cache");
  CHECK_FALSE(s.view().tradeoff.published_sorted);
  s.click("tradeoff/length/131 072");
  CHECK(s.view().tradeoff.context_length == 131072);
  s.click("tradeoff/precision/int8");
  CHECK(s.view().tradeoff.bytes_per_number == 1);
}

TEST_CASE("trade-off view: the smallest case of a head too narrow is an example", "[app][tradeoff]") {
  TradeoffSession s;
  s.click("examples");
  s.click("examples/smallest_rank.json");
  CHECK(s.document().d_model == 1);
  CHECK(s.columns() == std::vector<Index>{1});
  for (const float weight : {-50.0f, 1.0f, 200.0f}) {
    s.set(s.view().selection, std::nullopt);
    s.open({{Quantity::W_Q, 0, 0}, 0, 0});
    s.ui.key(key::enter);
    s.ui.type(std::to_string(weight));
    s.ui.key(key::enter);
    s.rest();
    CHECK((*s.weights().W_Q)(0, 0) == weight);
    CHECK((*s.head(0).attention)(1, 0) == 0.5f);
  }
  for (const char* name : {"cost", "published", "columns"}) s.page(name);
}

TEST_CASE("trade-off view: says what other head counts stand without", "[app][tradeoff]") {
  TradeoffSession plain, gated(with(SetGate{2, 0.5f}));
  CHECK_FALSE(plain.ui.exists("tradeoff/caveats"));
  CHECK(gated.ui.exists("tradeoff/caveats"));
  for (const Index heads : gated.columns())
    if (heads != 8) gated.click("tradeoff/count/" + std::to_string(heads));
  CHECK_FALSE(gated.ui.exists("tradeoff/caveats"));
}

TEST_CASE("trade-off view: says where the columns have not the same weights", "[app][tradeoff]") {
  using Catch::Contains;
  const auto text = [](const Document& document) {
    SweepTable table;
    table.entries = Sweeps().of(document, 0, {1, 2, 8, 16}, -1);
    return tradeoff::caveats(document.layers.front(), table);
  };
  CHECK(text(default_document()).empty());
  // Weights that were trained as so many heads say so, also when they were cut since.
  Document trained = default_document();
  trained.layers[0].source.kind = WeightSource::Kind::trained;
  CHECK_THAT(text(trained), Contains("Trained as 8 heads"));
  trained.layers[0].source.fingerprints.resize(4);
  CHECK_THAT(text(trained), Contains("Trained as 4 heads"));
  // Two groups of four heads: 8 and 16 heads can keep groups of four, 1 and 2 cannot.
  CHECK_THAT(text(with(SetKvHeads{2})), Contains("cut into 1 and 2, heads do not"));
  const Document slices = with(SetSplit{Split::slice});
  CHECK_THAT(text(slices), Contains("fewer weights count"));
  TradeoffSession s(slices);
  CHECK(s.ui.exists("tradeoff/caveats"));
}

TEST_CASE("trade-off view: colours can end at the largest weight, the same in all columns", "[app][tradeoff]") {
  TradeoffSession s(with(SetWeightSource{Init::zero, 1}));  // every weight is one twelfth
  const auto ends = [&] {
    std::set<float> highs;
    for (const Heatmap& heatmap : s.ui.sink.heatmaps)
      if (heatmap.rows == 12 && heatmap.cols == 12) highs.insert(heatmap.scale.high);
    return highs;
  };
  for (const char* page : {"columns", "sharing"}) {
    s.page(page);
    CHECK(ends() == std::set<float>{1});
    s.click("tradeoff/fit");
    const std::set<float> fitted = ends();
    CHECK(fitted == std::set<float>{0.1f});
    s.click("tradeoff/fit");
  }
}

TEST_CASE("trade-off view: every size of window and of model can be shown", "[app][tradeoff]") {
  for (const Index d_model : {1, 7, 12, 64, 768}) {
    TradeoffSession s(with(SetModelWidth{d_model}));
    for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{640, 400}})
      for (const bool presentation : {false, true}) {
        CAPTURE(size.x, d_model, presentation);
        s.ui.size = size;
        s.set(s.view().presentation, presentation);
        for (const TradeoffPage page :
             {TradeoffPage::columns, TradeoffPage::cost, TradeoffPage::published, TradeoffPage::computed}) {
          s.set(s.view().tradeoff.page, page);
          s.rest();
        }
        CHECK(s.view().view == ViewId::tradeoff);
      }
  }
}
