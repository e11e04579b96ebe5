// The Stream view as a user meets it, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/platform/input.h"
#include "app/views/stream/stream_readout.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document blocks(int layers) {
  Document document = small_stack(layers);
  for (int k = 0; k < layers; ++k)
    for (const LayerSetting setting : {LayerSetting::residual, LayerSetting::norm, LayerSetting::feed_forward})
      document = hydra::apply(document, {SetSetting{setting, 1}, k});
  return document;
}

struct StreamSession : Session {
  explicit StreamSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) { show(); }
  void show() {
    set(view().view, ViewId::stream);
    settle();
  }
  // The numbers that a picture shows.
  Mat<float> shown(const std::string& name) {
    const UiDriver::Rect rect = ui.rect(name);
    for (const Heatmap& heatmap : ui.sink.heatmaps)
      if (heatmap.min.x == rect.min.x && heatmap.max.x == rect.max.x && heatmap.min.y <= rect.center().y &&
          heatmap.max.y >= rect.center().y)
        return heatmap.matrix->block(heatmap.row0, heatmap.col0, heatmap.rows, heatmap.cols);
    FAIL("nothing is drawn at " << name);
    return {};
  }
};

bool same(const Mat<float>& a, const Mat<float>& b) { return a.rows() == b.rows() && a.cols() == b.cols() && a == b; }

}  // namespace

TEST_CASE("stream view: a layer's lines, the words below and what leaves above, at every size and depth",
          "[app][stream_view]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      StreamSession s(blocks(layers), size);
      const std::string top = "/" + std::to_string(layers);
      CHECK(s.ui.exists("stream/cell/0/1"));
      CHECK(s.ui.exists("stream/cell" + top + "/12"));
      const UiDriver::Rect above = s.ui.rect("stream/cell" + top + "/1"), below = s.ui.rect("stream/cell/0/1");
      CHECK(above.max.y <= below.min.y + 0.01f);
      for (const char* line : {"X", "contribution/1", "contribution/2", "output", "stream_1", "feed_forward", "stream"})
        CHECK(s.ui.exists(std::string("stream/row/1/") + line));
      CHECK(s.ui.rect("stream/row/1/stream").max.y <= s.ui.rect("stream/row/1/X").min.y + 0.01f);
      CHECK_FALSE(s.ui.exists("stream/note"));
      CHECK(s.app.failure().empty());
      CHECK_FALSE(s.notice().is_error);
    }
}

TEST_CASE("stream view: a cell of the grid chooses its token and its layer", "[app][stream_view]") {
  StreamSession s(blocks(2));
  s.ui.click("stream/cell/2/9");
  s.settle();
  CHECK(s.view().token == 8);
  CHECK(s.view().layer == 1);
  const Trace& trace = s.app.trace();
  CHECK(same(s.shown("stream/row/1/X"), trace.X->row(8)));
  CHECK(same(s.shown("stream/row/2/contribution/2"), trace.layer(1).heads[1].contribution->row(8)));
  CHECK(same(s.shown("stream/row/2/feed_forward"), trace.block(1).of(Quantity::feed_forward)->row(8)));
  CHECK(same(s.shown("stream/row/2/stream"), trace.block(1).of(Quantity::stream)->row(8)));
  s.ui.click("stream/cell/0/3");  // the words are of no layer
  s.settle();
  CHECK(s.view().token == 2);
  CHECK(s.view().layer == 1);
}

TEST_CASE("stream view: the strips tell what is added as well, of feed-forward parts where there are some",
          "[app][stream_view]") {
  StreamSession s(blocks(2));
  s.ui.click("stream/by/heads");
  CHECK(s.view().stream.strips == StreamStrips::heads);
  CHECK(s.ui.exists("stream/cell/0/1"));  // nothing is added to X, but it can be clicked
  s.ui.click("stream/by/feed_forward");
  CHECK(s.view().stream.strips == StreamStrips::feed_forward);
  for (const int layer : {0, 1}) s.app.edit({SetSetting{LayerSetting::feed_forward, 0}, layer});
  s.settle();
  CHECK_FALSE(s.ui.exists("stream/by/feed_forward"));
  CHECK(s.view().stream.strips == StreamStrips::size);
}

TEST_CASE("stream view: a head's bar and a line's name focus its layer and head", "[app][stream_view]") {
  StreamSession s(blocks(2));
  const UiDriver::Rect cell = s.ui.rect("stream/cell/2/1");
  const float bar = std::min((cell.max.x - cell.min.x - 2) / 3, 5 * 4.0f);  // of two heads and the feed-forward part
  s.ui.click(ImVec2{cell.min.x + 1 + 1.5f * bar, cell.max.y - 2});
  s.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.view().focused_head == 1);
  CHECK_FALSE(s.view().selection);
  CHECK_FALSE(s.ui.exists("stream/line/1/contribution/1"));  // the other layer's heads are told together
  s.ui.click("stream/line/1/output");
  s.settle();
  CHECK(s.view().layer == 0);
  s.ui.click("stream/line/1/contribution/1");
  s.settle();
  CHECK(s.view().focused_head == 0);
  s.ui.click("stream/all_heads");
  s.settle();
  s.ui.click("stream/line/2/contribution/2");
  s.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.view().focused_head == 1);
}

TEST_CASE("stream view: every number opens in the inspector, of whatever layer it is", "[app][stream_view]") {
  StreamSession s(blocks(2));
  s.ui.click("stream/cell/1/5");
  s.ui.click("stream/all_heads");
  s.settle();
  s.ui.click(s.ui.rect("stream/row/2/contribution/2").cell(0, 7, 1, 16));
  s.settle();
  CHECK(s.selection() == Cell{{Quantity::contribution, 1, 1}, 4, 7});
  CHECK(s.view().layer == 1);
  CHECK(s.view().inspected == s.selection().site);
  s.ui.click("stream/cell/2/7");  // what is selected goes along to the other token
  s.settle();
  CHECK(s.selection() == Cell{{Quantity::contribution, 1, 1}, 6, 7});
  s.ui.click(s.ui.rect("stream/row/1/stream").cell(0, 3, 1, 16));
  s.settle();
  CHECK(s.selection() == Cell{{Quantity::stream, 0, kNoHead}, 6, 3});
}

TEST_CASE("stream view: plain layers say that they carry nothing on", "[app][stream_view]") {
  StreamSession one(small_stack(1));
  CHECK(one.ui.exists("stream/note"));
  CHECK(one.ui.exists("stream/row/1/output"));
  CHECK_FALSE(one.ui.exists("stream/row/1/stream"));
  StreamSession some(hydra::apply(small_stack(2), {SetSetting{LayerSetting::residual, 1}, 1}));
  CHECK(some.ui.exists("stream/note"));
  some.app.edit({SetSetting{LayerSetting::residual, 1}, 0});
  some.settle();
  CHECK_FALSE(some.ui.exists("stream/note"));
}

TEST_CASE("stream view: a frame in which nothing changed measures nothing, an edit only what it reaches",
          "[app][stream_view]") {
  StreamSession s(blocks(2));
  const auto of_layer = [&](int layer) {
    const UiDriver::Rect rect = s.ui.rect("stream/row/" + std::to_string(layer) + "/stream");
    for (const Heatmap& heatmap : s.ui.sink.heatmaps)
      if (heatmap.min.x == rect.min.x && heatmap.min.y == rect.min.y) return heatmap.matrix;
    FAIL("no picture");
    return Array<float>();
  };
  const Array<float> first = of_layer(1), second = of_layer(2);
  s.ui.frames(5);
  CHECK(of_layer(1)->data() == first->data());
  CHECK(of_layer(2)->data() == second->data());
  s.app.edit({set_cell(Quantity::W_V, 2, 3, 0.5f), 1});
  s.settle();
  CHECK(of_layer(1)->data() == first->data());
  CHECK(of_layer(2) != second);
}

TEST_CASE("stream view: where only the layer in focus is whole, the others are measured and stay as they are",
          "[app][stream_view]") {
  StreamSession s(blocks(4));
  s.set(s.view().token, 0);
  s.settle();
  s.app.keep_at_most(0);
  s.app.edit({set_cell(Quantity::W_V, 2, 3, 0.5f), 0});
  s.settle();
  const std::shared_ptr<const Trace> all = evaluate(s.document());
  s.ui.click("stream/all_heads");
  s.settle();
  const Trace& trace = s.app.trace();
  REQUIRE_FALSE(trace.layer(2).is_whole());
  for (const int k : {1, 2, 3}) {
    const std::string layer = std::to_string(k + 1);
    CHECK(same(s.shown("stream/row/" + layer + "/contribution/2"), all->layer(k).heads[1].contribution->row(0)));
    CHECK(same(s.shown("stream/row/" + layer + "/feed_forward"), all->block(k).of(Quantity::feed_forward)->row(0)));
    s.ui.move("stream/row/" + layer + "/contribution/2");
  }
  CHECK(trace.layer(2).recomputed_layers->empty());
  CHECK(trace.recomputed_blocks->empty());
}

namespace {

Document read_out(int layers) {
  Document document = hydra::apply(blocks(layers), SetModelSetting{ModelSetting::readout, 2});
  return hydra::apply(document, SetModelSetting{ModelSetting::final_norm, 1});
}

}  // namespace

TEST_CASE("stream view: over the last layer stand the next words, one click from their probabilities",
          "[app][stream_view]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      StreamSession s(read_out(layers), size);
      const std::string top = "stream/cell/" + std::to_string(layers) + "/5";
      REQUIRE(s.ui.exists("stream/next/5"));
      CHECK(s.ui.rect("stream/next/5").max.y <= s.ui.rect(top).min.y + 0.01f);
      CHECK(s.ui.rect("stream/next/5").min.x == s.ui.rect(top).min.x);
      CHECK(s.ui.exists("stream/effects"));
      if (size.x != 1280 || layers == 48) continue;
      s.ui.click("stream/next/5");
      s.settle();
      const Cell cell = s.selection();
      CHECK(cell.site == Site{Quantity::probabilities});
      CHECK(cell.row == 4);
      const MatView<float> p = *s.app.trace().model.probabilities;
      CHECK(p(4, cell.col) == p.row(4).maxCoeff());
      CHECK(s.view().token == 4);
      CHECK(s.view().layer == 0);
      CHECK(s.ui.exists("inspector/value"));
    }
  StreamSession none(blocks(2));
  CHECK_FALSE(none.ui.exists("stream/next/1"));
  CHECK_FALSE(none.ui.exists("stream/effects"));
  CHECK_FALSE(none.ui.exists("stream/row/logits"));
}

TEST_CASE("stream view: lines say what they do to the logits, which stand above them", "[app][stream_view]") {
  StreamSession s(read_out(2));
  s.set(s.view().token, 0);
  s.settle();
  const auto words = [&] { return s.ui.rect("stream/line/logits"); };
  CHECK(words().max.y <= s.ui.rect("stream/row/2/stream").min.y + 0.01f);
  CHECK(same(s.shown("stream/row/logits"), s.app.trace().model.logits->row(0)));
  CHECK_FALSE(s.ui.exists("stream/line/shifts"));  // of shifts that are zero, without a bias
  CHECK_FALSE(s.ui.exists("stream/reads/features"));
  s.app.edit({set_cell(Quantity::final_shift, 0, 3, 0.5f), 0});
  s.settle();
  CHECK(s.ui.exists("stream/line/shifts"));
  const Index count = s.app.trace().model.logits.cols();
  s.ui.click(s.ui.rect("stream/row/logits").cell(0, static_cast<int>(count) - 1, 1, static_cast<int>(count)));
  s.settle();
  CHECK(s.selection() == Cell{{Quantity::logits}, 0, count - 1});
  s.app.edit(SetModelSetting{ModelSetting::readout, 0});  // goes with what was selected
  s.settle();
  CHECK_FALSE(s.ui.exists("stream/row/logits"));
  CHECK(s.ui.exists("stream/row/2/stream"));
  CHECK(s.app.failure().empty());
}

TEST_CASE("stream view: of several questions the chosen one's logits are told", "[app][stream_view]") {
  StreamSession s(hydra::apply(read_out(2), SetQuestions{{"who", "what"}}), {1280, 800});
  s.set(s.view().token, 0);
  s.settle();
  const Index words = s.app.trace().model.next_words.words.size();
  const auto of_question = [&](Index q) -> Mat<float> {
    return s.app.trace().model.of_question(s.app.trace().model.logits, q)->row(0);
  };
  CHECK(same(s.shown("stream/row/logits"), of_question(0)));
  s.ui.click("stream/question/1");
  s.settle();
  CHECK(same(s.shown("stream/row/logits"), of_question(1)));
  s.ui.click("stream/next/3");
  s.settle();
  CHECK(s.app.trace().model.next_words.question_of(s.selection().col) == 1);
  s.ui.click("stream/question/0");
  s.settle();
  const ModelTrace<float>& model = s.app.trace().model;
  CHECK(same(s.shown("stream/row/logits"), model.of_question(model.logits, 0)->row(2)));
  s.ui.click(s.ui.rect("stream/row/logits").cell(0, 1, 1, static_cast<int>(words)));
  s.settle();
  CHECK(s.selection() == Cell{{Quantity::logits}, 2, 1});
  s.app.edit(SetQuestions{{}});
  s.settle();
  CHECK_FALSE(s.ui.exists("stream/question/0"));
  CHECK(s.app.failure().empty());
}

TEST_CASE("stream view: the effects in strong ink add up to the logits, whichever are shown", "[app][stream_view]") {
  int sums = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::shared_ptr<const Trace> trace =
        evaluate(hydra::apply(test::some_document(seed), SetModelSetting{ModelSetting::readout, 2}));
    const Stream stream = StreamMeasures().of(*trace, 0);
    const std::shared_ptr<const DirectEffects> effects = direct_effects(*trace, stream);
    const RowVec<double> reader = effects->paths.reader(0);
    const int layers = int_size(stream.layers);
    for (int focus = 0; focus <= layers; ++focus) {
      CAPTURE(seed, focus);
      double sum = 0, largest = 1;
      for (const StreamPlace& place :
           adding_up(stream, *effects, ladder_lines(stream, effects.get(), focus % layers, focus == layers))) {
        const double effect = place.layer == StreamPlace::kReadOut
                                  ? effects->paths.constant(0)
                                  : effects->paths.effect(place.layer, place.line, reader);
        sum += effect;
        largest = std::max(largest, std::abs(effect));
      }
      CHECK(std::abs(sum - static_cast<double>((*trace->model.logits)(0, 0))) <= 2e-5 * largest);
      ++sums;
    }
  }
  CHECK(sums > 200);
}

TEST_CASE("stream view: with named features and a readout it is one or the other that lines are read as",
          "[app][stream_view]") {
  Document document = hydra::apply(parse_document(example_text("heads_designed.json"), "designed"),
                                   SetModelSetting{ModelSetting::readout, 2});
  document.notes = {};
  StreamSession s(document);
  CHECK(s.ui.exists("stream/row/logits"));
  s.ui.click("stream/reads/features");
  s.settle();
  CHECK(s.view().stream.reads == StreamReads::features);
  CHECK_FALSE(s.ui.exists("stream/row/logits"));
  CHECK_FALSE(s.ui.exists("stream/effects"));
  CHECK(s.ui.exists("stream/next/1"));
  s.ui.click("stream/reads/next_words");
  s.settle();
  CHECK(s.ui.exists("stream/row/logits"));
}

TEST_CASE("stream view: in a presentation, in the dark, with large text", "[app][stream_view]") {
  StreamSession s(blocks(12), {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().dark, true);
  s.set(s.view().text_scale, 1.4f);
  s.settle();
  CHECK(s.ui.exists("stream/cell/12/1"));
  CHECK(s.ui.exists("stream/row/1/X"));
  s.ui.click("stream/by/cosine");
  CHECK(s.view().stream.strips == StreamStrips::cosine);
  s.ui.key(key::letter('f'));
  s.settle();
  CHECK(s.view().view == ViewId::flow);
  s.ui.key(key::letter('e'));
  s.settle();
  CHECK(s.view().view == ViewId::stream);
}
