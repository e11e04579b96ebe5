// The Mixing view as a user meets it, driven by name through the whole program.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "app/views/mixing/mixing_numbers.h"
#include "app/views/mixing/mixing_solve.h"
#include "app/views/model_panel/sentence_field.h"
#include "core/attention/forward.h"
#include "core/design/output_weights.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct MixingSession : Session {
  explicit MixingSession(Document document = default_document(), ImVec2 size = {1600, 1000},
                         MixingPage page = MixingPage::output)
      : Session(std::move(document), size) {
    set(view().view, ViewId::mixing);
    set(view().mixing.page, page);
    finish();
  }
  void finish() {
    ui.frames(2);
    app.finish_evaluation();
    ui.frames(3);
  }
  void solve() {
    ui.click("mixing/solve/run");
    wait_until([&] { return !tools().solving.under_way; });
    ui.frames(2);
  }
  const MixingNumbers& numbers() { return app.made().of<MixingNumbers>(); }
  MatView<float> W_O() const { return *weights().W_O; }
  const std::vector<float>& gates() const { return layer().gates; }
  bool draws(const Array<float>& matrix) {
    return std::any_of(ui.sink.heatmaps.begin(), ui.sink.heatmaps.end(),
                       [&](const Heatmap& heatmap) { return heatmap.matrix == matrix; });
  }
};

Document words(int count) {
  std::string sentence;
  for (int k = 0; k < count; ++k) sentence += (k ? " w" : "w") + std::to_string(k);
  return apply(default_document(), SetSentence{sentence});
}

Document sized(Index d_model, Index heads, Document document = default_document()) {
  return apply(apply(document, SetModelWidth{d_model}), SetHeads{heads});
}

}  // namespace

TEST_CASE("mixing view: the concatenation, W_O, the output and every head's part are drawn", "[app][mixing_view]") {
  MixingSession s;
  CHECK(s.draws(s.trace().concat));
  CHECK(s.draws(s.weights().W_O));
  CHECK(s.draws(s.trace().output));
  for (int h = 0; h < 8; ++h) CHECK(s.draws(s.head(h).contribution));
  CHECK_FALSE(s.ui.exists("mixing/sum/b_O"));
  CHECK_FALSE(s.ui.exists("mixing/sum/before"));
}

TEST_CASE("mixing view: a click on Y opens that number, its terms come to it", "[app][mixing_view]") {
  MixingSession s;
  s.ui.click(s.ui.rect("mixing/Y").cell(4, 20, 12, 64));
  CHECK(s.selection() == Cell{{Quantity::Y, 0, kNoHead}, 4, 20});
  s.ui.leave();
  const Mat<double>& terms = s.numbers().terms;
  REQUIRE(terms.cols() == 9);
  for (int h = 0; h < 8; ++h) CHECK(terms(0, h) == Approx((*s.head(h).contribution)(4, 20)));
  CHECK(terms.sum() == Approx((*s.trace().output)(4, 20)).margin(1e-5));
}

TEST_CASE("mixing view: b_O is a part of the sum", "[app][mixing_view]") {
  const Document document =
      apply(default_document(), SetBlock{Quantity::b_O, 0, 0, share(Mat<float>(Mat<float>::Constant(1, 64, 0.75f)))});
  MixingSession s(document);
  CHECK(s.ui.exists("mixing/sum/b_O"));
  CHECK(s.numbers().terms(0, 8) == 0.75);
  Index largest = 0;
  const Index token = s.token();
  s.trace().output->row(token).cwiseAbs().maxCoeff(&largest);  // what is read while nothing is selected
  CHECK(s.numbers().terms.sum() == Approx((*s.trace().output)(token, largest)).margin(1e-5));
}

TEST_CASE("mixing view: a click on a head's colours focuses it", "[app][mixing_view]") {
  MixingSession s;
  s.ui.click("mixing/strip_of/3");
  CHECK(s.view().focused_head == 2);
  s.ui.click("mixing/band/6");
  CHECK(s.view().focused_head == 5);
  s.ui.click("mixing/sum/focus/8");
  CHECK(s.view().focused_head == 7);
}

TEST_CASE("mixing view: the selected token's row of C stands large, cell by cell", "[app][mixing_view]") {
  MixingSession s;
  s.ui.click(s.ui.rect("mixing/concat").cell(7, 3, 12, 64));
  CHECK(s.selection() == Cell{{Quantity::concat, 0, kNoHead}, 7, 3});
  s.ui.click(s.ui.rect("mixing/strip/5").cell(0, 2, 1, 8));
  CHECK(s.selection() == Cell{{Quantity::concat, 0, kNoHead}, 7, 34});
  const auto strips = std::count_if(s.ui.sink.heatmaps.begin(), s.ui.sink.heatmaps.end(), [&](const Heatmap& heatmap) {
    return heatmap.matrix == s.trace().concat && heatmap.rows == 1 && heatmap.row0 == 7;
  });
  CHECK(strips == 8);
}

TEST_CASE("mixing view: a gate is dragged as one undo step, and Esc takes it back", "[app][mixing_view]") {
  MixingSession s(default_document(), {1600, 1000}, MixingPage::shares);
  const UiDriver::Rect track = s.ui.rect("mixing/gate/3");
  s.ui.drag(track.center(), -0.25f * (track.max.x - track.min.x), 0);
  REQUIRE(s.gates().size() == 8);
  CHECK(s.gates()[2] > 0.3f);
  CHECK(s.gates()[2] < 0.6f);
  CHECK(std::count(s.gates().begin(), s.gates().end(), 1.0f) == 7);
  CHECK(s.view().focused_head == 2);
  CHECK(s.trace().input.gate(2) == s.gates()[2]);
  s.ui.key('Z', true);
  CHECK(s.gates().empty());
  CHECK_FALSE(s.app.history().can_undo());

  s.ui.move(track.center());
  s.ui.press();
  s.ui.move(track.at(0.9f, 0.5f));
  CHECK(s.gates().size() == 8);
  s.ui.key(key::escape);
  CHECK(s.gates().empty());
  s.ui.move(track.at(0.1f, 0.5f));  // still held, but given up
  CHECK(s.gates().empty());
  s.ui.release();
  CHECK(s.gates().empty());
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("mixing view: gates reach from 0 to 2, rest at 1, and a double click sets them to 1", "[app][mixing_view]") {
  MixingSession s(default_document(), {1600, 1000}, MixingPage::shares);
  const UiDriver::Rect track = s.ui.rect("mixing/gate/1");
  s.ui.drag(track.center(), 2000, 0);
  CHECK(s.gates()[0] == 2);
  s.ui.drag(track.at(0.9f, 0.5f), -2000, 0);
  CHECK(s.gates()[0] == 0);
  s.ui.drag(track.at(0.1f, 0.5f), 0.41f * (track.max.x - track.min.x), 0);  // nearly the middle
  CHECK(s.gates().empty());
  s.ui.click(track.at(0.2f, 0.5f));
  CHECK(s.gates()[0] < 1);
  s.ui.frames(60);  // else this click and the next ones are a double click
  s.ui.double_click(track.at(0.2f, 0.5f));
  CHECK(s.gates().empty());
}

TEST_CASE("mixing view: Z silences the focused head and O leaves it alone, both go back", "[app][mixing_view]") {
  MixingSession s(default_document(), {1600, 1000}, MixingPage::shares);
  s.set(s.view().focused_head, 4);
  s.ui.key('Z');
  CHECK(s.gates() == std::vector<float>{1, 1, 1, 1, 0, 1, 1, 1});
  CHECK(s.head(4).contribution->isZero(0));
  s.ui.key('Z');
  CHECK(s.gates().empty());
  s.ui.key('O');
  CHECK(s.gates() == std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0});
  CHECK(*s.trace().output == *s.head(4).contribution);
  s.ui.key('O');
  CHECK(s.gates().empty());
  s.ui.click("mixing/silence");
  CHECK(s.gates()[4] == 0);
  s.ui.click("mixing/only");
  CHECK(s.gates() == std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0});
  s.ui.click("mixing/open_all");
  CHECK(s.gates().empty());
}

TEST_CASE("mixing view: the output before the gates stands beside the one after them", "[app][mixing_view]") {
  const Mat<float> open = *evaluate(default_document())->layers.front().output;
  MixingSession s(apply(default_document(), SetGate{1, 0}));
  CHECK(s.ui.exists("mixing/sum/before"));
  const Array<float> before = s.numbers().of->ungated;
  CHECK(s.draws(before));
  CHECK(*before == open);
  CHECK(s.numbers().gates == "Y differs by " + ui::number(s.numbers().of->gate_change_overall, As::fine_percent) +
                                 " from Y with all gates at 1.");
  s.ui.key('Z', true);
}

TEST_CASE("mixing view: shares along Y and by size are the measured ones, and sum to one", "[app][mixing_view]") {
  const Document document =
      apply(default_document(), SetBlock{Quantity::b_O, 0, 0, share(Mat<float>(Mat<float>::Constant(1, 64, 0.5f)))});
  MixingSession s(document, {1600, 1000}, MixingPage::shares);
  const MixingNumbers& numbers = s.numbers();
  REQUIRE(numbers.along.rows() == 13);
  REQUIRE(numbers.along.cols() == 9);
  for (Index row = 0; row < 13; ++row) {
    CHECK(numbers.along.row(row).sum() == Approx(1).margin(1e-5));
    CHECK(numbers.by_size.row(row).sum() == Approx(1).margin(1e-5));
  }
  CHECK(numbers.along(3, 2) == numbers.of->shares(2).along[2]);
  CHECK(numbers.along(3, 8) == numbers.of->shares(2).bias_along);
  s.ui.click("mixing/by_size");
  CHECK(s.view().mixing.by_size);
  s.ui.click("mixing/along");
  CHECK_FALSE(s.view().mixing.by_size);
}

TEST_CASE("mixing view: what is the same for every token can be left out, and is said", "[app][mixing_view]") {
  const Document document =
      apply(default_document(), SetBlock{Quantity::b_V, 0, 0, share(Mat<float>(Mat<float>::Constant(1, 64, 0.5f)))});
  MixingSession s(document, {1600, 1000}, MixingPage::shares);
  const std::string share = ui::number(s.numbers().of->constant_overall, As::fine_percent) + " of what the heads write";
  CHECK(s.numbers().constant == share + " is the same for every token.");
  const double whole = s.numbers().of->ablation[0];
  s.ui.click("mixing/written/varying");
  s.finish();
  CHECK(s.numbers().of->written == Written::varying);
  CHECK(s.numbers().constant == "Left out: " + share + ", the same for every token.");
  CHECK(s.numbers().of->ablation[0] != Approx(whole).epsilon(0.01));
  const Mixing expected = MixingMeasures().of(s.trace(), Written::varying);
  CHECK(s.numbers().of->ablation == expected.ablation);
  for (Index row = 0; row < 13; ++row) CHECK(s.numbers().along.row(row).sum() == Approx(1).margin(1e-5));
  s.ui.click("mixing/directions/token");
  CHECK(s.numbers().cosines->cast<double>().isApprox(writing_cosines(s.trace(), s.token(), expected.means), 1e-6));
  s.ui.click("mixing/written/all");
  s.finish();
  CHECK(s.numbers().of->ablation[0] == whole);
}

TEST_CASE("mixing view: a token's bar shows that token's directions", "[app][mixing_view]") {
  MixingSession s(default_document(), {1600, 1000}, MixingPage::shares);
  CHECK(s.draws(s.numbers().cosines));
  CHECK((*s.numbers().cosines)(0, 1) == Approx(writing_cosines(*s.numbers().of)(0, 1)));
  s.ui.click(s.ui.rect("mixing/share/token/6").at(0.999f, 0.5f));
  s.ui.click("mixing/directions/token");
  CHECK(s.view().token == 5);
  const Mat<double> cosines = writing_cosines(s.trace(), 5);
  CHECK(s.numbers().cosines->cast<double>().isApprox(cosines, 1e-6));
  const Array<float> kept = s.numbers().cosines;
  s.ui.frames(3);
  CHECK(s.numbers().cosines == kept);  // nothing changed, nothing computed
  s.ui.click(s.ui.rect("mixing/directions").cell(3, 6, 8, 8));
  CHECK(s.view().focused_head == 3);
}

TEST_CASE("mixing view: a silent head has no direction, which is not an error", "[app][mixing_view]") {
  const Document alone = apply(default_document(), SetGates{{0, 0, 0, 1, 0, 0, 0, 0}});
  MixingSession s(alone, {1600, 1000}, MixingPage::shares);
  for (const bool of_token : {false, true}) {
    CAPTURE(of_token);
    s.ui.click(of_token ? "mixing/directions/token" : "mixing/directions/all");
    s.finish();
    const MatView<float> cosines = *s.numbers().cosines;
    CHECK(cosines(3, 3) == Approx(1));
    CHECK((cosines.array() == -std::numeric_limits<float>::infinity()).count() == 63);  // hatched, none crossed out
    CHECK_FALSE(cosines.array().isNaN().any());
  }
  CHECK(s.numbers().removal.find("No open head can be silenced") == 0);
  CHECK(s.numbers().removal.find("7 heads are silent already") != std::string::npos);
  CHECK(s.numbers().of->silencing.order == std::vector<int>{3});
  CHECK(s.ui.exists("mixing/order/1"));
  CHECK_FALSE(s.ui.exists("mixing/order/2"));
}

TEST_CASE("mixing view: the curve's heads are in the order of least change", "[app][mixing_view]") {
  MixingSession s(default_document(), {1600, 1000}, MixingPage::shares);
  const Silencing& silencing = s.numbers().of->silencing;
  for (const int k : {1, 4, 8}) {
    s.ui.click("mixing/order/" + std::to_string(k));
    CHECK(s.view().focused_head == silencing.order[static_cast<std::size_t>(k) - 1]);
  }
  s.ui.move(s.ui.rect("mixing/curve").at(0.5f, 0.5f));
}

TEST_CASE("mixing view: a curve that ends at all of Y, and by rounding a little above it, ends within its axis",
          "[app][mixing_view]") {
  MixingSession s(test::example("trained_grammar"), {1280, 800}, MixingPage::silencing);
  REQUIRE(s.numbers().of->silencing.change.back() > 1);
  CHECK(s.numbers().of->silencing.change.back() == Approx(1));
  CHECK_FALSE(s.ui.exists("mixing/curve/above"));
  s.app.edit({SetGate{1, 0.97f}, 0});  // and with the curve of before behind it
  s.finish();
  CHECK_FALSE(s.ui.exists("mixing/curve/above"));
}

TEST_CASE("mixing view: how many heads can go, in a sentence", "[app][mixing_view]") {
  Silencing silencing;
  silencing.order = {1, 0, 2};
  silencing.change = {0, 0.1, 0.4, 1};
  silencing.random_mean = {0, 0.3, 0.7, 1};
  CHECK(removal_sentence(silencing, Written::varying) ==
        "2 of 3 heads can be silenced for less than 50 % change of what varies in Y; 1 on average over all orders.");
  silencing.random_orders = kRandomOrders;
  CHECK(removal_sentence(silencing) ==
        "2 of 3 heads can be silenced for less than 50 % change of Y; 1 on average over random orders.");
  silencing.change = {0, 0.6, 0.8, 1};
  CHECK(removal_sentence(silencing) == "No head can be silenced for less than 50 % change of Y.");
  silencing.change = {0, NAN, NAN, NAN};
  CHECK(removal_sentence(silencing) == "The output is 0, so no change is defined.");
  silencing.silent = {3, 4};
  silencing.change = {0, 0.1, 0.4, 1};
  CHECK(
      removal_sentence(silencing) ==
      "2 of 3 open heads can be silenced for less than 50 % change of Y; 1 on average over random orders; 2 heads are "
      "silent "
      "already.");
  silencing.change = {0, 0.6, 0.8, 1};
  silencing.silent = {3};
  CHECK(removal_sentence(silencing) ==
        "No open head can be silenced for less than 50 % change of Y; 1 head is silent already.");
  silencing.order.clear();
  silencing.change = {0};
  CHECK(removal_sentence(silencing) == "No head is open: all are silent already.");
  CHECK(ui::number(0.1234, As::fine_percent) == "12.3 %");
  CHECK(ui::number(NAN, As::fine_percent) == "n/a");
}

TEST_CASE("mixing view: W_O by recipe, in one undo step each", "[app][mixing_view]") {
  MixingSession s;
  s.set(s.view().focused_head, 3);
  const Mat<float> first = s.W_O();
  for (const OutputPresetEntry& entry : output_presets()) {
    CAPTURE(entry.key);
    const Mat<float> expected = output_preset(entry.preset, first, 8, 3, s.layer().source.seed);
    s.ui.click(std::string("mixing/preset/") + entry.key);
    CHECK(s.W_O() == expected);
    CHECK(s.app.history().undo_label().find("W_O") != std::string::npos);
    s.ui.key('Z', true);
    CHECK(s.W_O() == first);
  }
}

TEST_CASE("mixing view: solving for X lowers the residual to what is said", "[app][mixing_view]") {
  MixingSession s;
  const auto residual = [&] {
    return (*s.trace().output - *s.app.trace().X).cast<double>().squaredNorm() /
           s.app.trace().X->cast<double>().squaredNorm();
  };
  const double before = residual();
  const Mat<float> old = s.W_O();
  s.ui.click("mixing/solve");
  CHECK_FALSE(s.ui.exists("mixing/solve/result"));
  s.ui.click("mixing/solve/this");
  s.solve();
  s.finish();
  CHECK(before > 0.1);
  CHECK(residual() < 1e-6);
  CHECK(s.ui.exists("mixing/solve/result"));
  CHECK(s.tools().solving.remark.find("met exactly, because the tokens are no more than the rank") !=
        std::string::npos);
  s.ui.key('Z', true);
  CHECK(s.W_O() == old);
  CHECK_FALSE(s.ui.exists("mixing/solve/result"));  // it is not said of this W_O
}

TEST_CASE("mixing view: solving goes on in another view, and not for a W_O that was edited meanwhile",
          "[app][mixing_view]") {
  MixingSession s;
  const Mat<float> before = s.W_O();
  s.ui.click("mixing/solve");
  s.ui.click("mixing/solve/run");
  s.set(s.view().view, ViewId::heads);
  s.wait_until([&] { return !s.tools().solving.under_way; });
  s.ui.frames(2);
  CHECK_FALSE(s.W_O() == before);
  CHECK_THAT(s.app.history().undo_label(), Catch::Contains("solve W_O"));
  s.set(s.view().view, ViewId::mixing);
  s.ui.frames(2);
  CHECK(s.ui.exists("mixing/solve/result"));

  s.ui.click("mixing/solve/run");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // found, when the edit comes
  s.app.edit(set_cell(Quantity::W_O, 0, 0, 2));
  s.wait_until([&] { return !s.tools().solving.under_way; });
  s.ui.frames(2);
  CHECK(s.W_O()(0, 0) == 2);
  CHECK_FALSE(s.ui.exists("mixing/solve/result"));
}

TEST_CASE("mixing view: solving over all marked sentences fits more tokens than columns", "[app][mixing_view]") {
  MixingSession s;
  s.ui.click("mixing/solve");
  CHECK(s.view().mixing.solving.all_sentences);  // what it offers first need not fit
  s.solve();
  s.finish();
  REQUIRE(s.ui.exists("mixing/solve/result"));
  CHECK(s.tools().solving.remark.find("because the tokens") == std::string::npos);
  CHECK(s.tools().solving.result.find(std::to_string(s.app.sentences().marked->size())) == std::string::npos);
}

TEST_CASE("mixing view: a sentence's own X cannot be pooled, and the notice says so", "[app][mixing_view]") {
  Document document = default_document();
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.embedding.X = share(Mat<float>(Mat<float>::Random(12, 64)));
  MixingSession s(document);
  const Mat<float> old = s.W_O();
  s.ui.click("mixing/solve");
  s.ui.click("mixing/solve/all");
  s.solve();
  CHECK(s.notice().is_error);
  CHECK_FALSE(s.notice().sentence.empty());
  CHECK(s.W_O() == old);
}

TEST_CASE("mixing view: the target of an attended feature", "[app][mixing_view]") {
  const Document document = apply(default_document(), SetEmbedding{Embedding::Kind::features, 1});
  MixingSession s(document);
  const Trace& trace = s.app.trace();
  const int animate = Lexicon::standard().feature("animate");
  const Mat<float> target = output_target(trace, SolveTarget::attended_feature, animate, {Quantity::attention, 0, 2});
  for (Index t = 0; t < 12; ++t) {
    Index key = 0;
    s.head(2).attention->row(t).maxCoeff(&key);
    const bool has = has_feature(trace.words[static_cast<std::size_t>(key)].features, animate);
    CHECK(target(t, animate) == (has ? 1.0f : 0.0f));
    CHECK(target.row(t).cwiseAbs().sum() == target(t, animate));
  }
  CHECK(feature_column(trace, animate) == animate);
  CHECK(feature_column(*evaluate(default_document()), animate) == 0);  // the columns have no names
  CHECK(output_target(trace, SolveTarget::reproduce, animate, {Quantity::attention, 0, 2}) == *trace.X);
}

TEST_CASE("mixing view: a feature is picked and solved for, or said to be nowhere", "[app][mixing_view]") {
  MixingSession s;
  s.ui.click("mixing/solve");
  s.ui.click("mixing/solve/this");
  s.ui.click("mixing/solve/attended");
  s.ui.click("mixing/solve/feature");
  s.ui.frames(2);
  s.ui.click("mixing/solve/feature/vehicle");
  CHECK(solving_feature(s.view().mixing.solving) == Lexicon::standard().feature("vehicle"));
  const Mat<float> old = s.W_O();
  s.solve();
  CHECK(s.W_O() == old);  // no word of the sentence is one
  CHECK(s.notice().sentence.find("The target is 0") == 0);
}

TEST_CASE("mixing view: what is measured may be of another trace for a moment", "[app][mixing_view]") {
  for (const MixingPage page : {MixingPage::output, MixingPage::shares}) {
    MixingSession s(default_document(), {1280, 800}, page);
    s.ui.click("model/heads/64");
    s.ui.click("model/heads/2");
    s.ui.frames(1);
    s.app.hands().of<SentenceField>().draft = "";
    s.finish();
    CHECK(s.numbers().along.cols() == 3);
  }
}

TEST_CASE("mixing view: from one head and one token to many, in every dress", "[app][mixing_view]") {
  Document silent = apply(words(5), SetGates{std::vector<float>(8, 0)});
  Document huge = apply(default_document(), set_cell(Quantity::W_V, 0, 0, 3e38f));
  const std::vector<Document> documents{words(1),       sized(8, 1, words(1)), sized(8, 8),       words(200),
                                        sized(768, 96), sized(128, 1),         std::move(silent), std::move(huge)};
  for (const Document& document : documents) {
    MixingSession s(document);
    for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{500, 300}}) {
      CAPTURE(document.sentence.size(), document.d_model, size.x);
      s.ui.size = size;
      for (const MixingPage page : {MixingPage::output, MixingPage::shares, MixingPage::silencing})
        for (const bool presentation : {false, true}) {
          s.set(s.view().mixing.page, page);
          s.set(s.view().presentation, presentation);
          s.set(s.view().dark, presentation);
          s.set(s.view().mixing.token_directions, presentation);
          s.set(s.view().mixing.by_size, presentation);
          s.set(s.view().mixing.solving.open, !presentation);
          s.ui.frames(3);
          if (size.x < 1000 || page != MixingPage::output) continue;
          s.ui.move(s.ui.rect("mixing/Y").center());
          CHECK(s.was().cell);
        }
    }
  }
}
