// The Circuit page as a user meets it, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/platform/input.h"
#include "app/views/stream/circuit_page.h"
#include "app/views/stream/circuit_words.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/support/examples.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document circuit_stack(int layers, int heads = 2) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{heads});
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  for (int k = 0; k < layers; ++k) {
    document = hydra::apply(document, {SetSetting{LayerSetting::residual, 1}, k});
    document = hydra::apply(document, {SetWeightSource{Init::xavier, static_cast<std::uint64_t>(k) + 11}, k});
  }
  return document;
}

struct CircuitSession : Session {
  explicit CircuitSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::stream);
    ui.frames(3);
    ui.click("stream/page/circuit");
    settle();
  }
  const CircuitState& state() const { return view().stream.circuit; }
  const DrawnLines& drawn() {
    REQUIRE(app.made().has<DrawnLines>());
    return app.made().of<DrawnLines>();
  }
  Heatmap product() { return picture("circuit/product"); }
  Mat<float> composed(const CircuitLine& line) {
    const Trace& trace = app.trace();
    return composed_form({trace.layer(line.layer).input, line.head}, {trace.layer(line.to_layer).input, line.to_head},
                         line.into);
  }
};

}  // namespace

TEST_CASE("circuit page: heads as nodes, layers up, at every size and depth", "[app][circuit_page]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      CircuitSession s(circuit_stack(layers), size);
      CHECK_FALSE(s.notice().is_error);
      CHECK(s.ui.exists("circuit/alone") == (layers == 1));
      CHECK(s.ui.exists("circuit/graph") == (layers > 1));
      if (layers == 1) continue;
      const UiDriver::Rect first = s.ui.rect("circuit/head/1/1"),
                           last = s.ui.rect("circuit/head/" + std::to_string(layers) + "/2");
      CHECK(last.max.y < first.min.y);
      CHECK(last.min.x > first.max.x);
      CHECK(s.ui.exists("circuit/note"));
      CHECK(s.drawn().of->layers() == layers);
      s.ui.click("circuit/head/2/2");
      s.settle();
      CHECK(s.view().layer == 1);
      CHECK(s.view().focused_head == 1);
    }
}

TEST_CASE("circuit page: the threshold lets fewer lines pass the higher it stands, and comes back",
          "[app][circuit_page]") {
  CircuitSession s(circuit_stack(4, 4));
  const std::shared_ptr<const Circuit> circuit = s.drawn().of;
  CHECK(s.drawn().least == circuit->usual_least());
  CHECK(s.drawn().lines.size() == lines_from(*circuit, circuit->usual_least(), {true, true, true}).size());
  const UiDriver::Rect slider = s.ui.rect("circuit/threshold");
  s.ui.click(slider.at(0.05f, 0.5f));
  s.ui.leave();
  s.settle();
  const std::size_t many = s.drawn().lines.size();
  CHECK(many > 100);
  s.ui.click("circuit/into/key");
  CHECK(s.drawn().lines.size() < many);
  for (const CircuitLine& line : s.drawn().lines) CHECK(line.into != Into::key);
  s.ui.click("circuit/into/key");
  s.ui.click(slider.at(0.99f, 0.5f));
  s.ui.leave();
  CHECK(s.drawn().lines.empty());
  CHECK_FALSE(s.ui.exists("circuit/list/1"));
  CHECK_FALSE(s.ui.exists("circuit/product"));
  s.ui.click("circuit/usual");
  CHECK_FALSE(s.state().least);
  CHECK(s.drawn().least == circuit->usual_least());
  CHECK_FALSE(s.ui.exists("circuit/usual"));
}

TEST_CASE("circuit page: a line of the list and of the graph opens its two heads' forms, multiplied",
          "[app][circuit_page]") {
  CircuitSession s(circuit_stack(2, 4));
  s.set(s.state().least, 0.3f);
  s.settle();
  REQUIRE(s.drawn().lines.size() > 3);
  CHECK(*s.product().matrix == s.composed(s.drawn().lines.front()));
  s.ui.click("circuit/list/3");
  s.settle();
  REQUIRE(s.state().line);
  CHECK(s.state().line->same_place(s.drawn().lines[2]));
  CHECK(*s.product().matrix == s.composed(s.drawn().lines[2]));
  s.set(s.state().least,
        real(0.99999 * s.drawn().lines.front().score));  // one line alone, which is where it is looked for
  s.set(s.state().line, std::nullopt);
  s.settle();
  REQUIRE(s.drawn().lines.size() == 1);
  const CircuitLine line = s.drawn().lines.front();
  const UiDriver::Rect from = s.ui.rect(ui::words("circuit/head/", line.layer + 1, "/", line.head + 1)),
                       to = s.ui.rect(ui::words("circuit/head/", line.to_layer + 1, "/", line.to_head + 1));
  const float port = (static_cast<float>(static_cast<int>(line.into)) - 1) * (to.max.x - to.min.x) / 3;
  s.ui.click(ImVec2{0.5f * (from.center().x + to.center().x + port), 0.5f * (from.center().y + to.center().y)});
  s.settle();
  REQUIRE(s.state().line);
  CHECK(s.state().line->same_place(line));
}

TEST_CASE("circuit page: only the head in focus, whose lines are those of its number", "[app][circuit_page]") {
  CircuitSession s(circuit_stack(3, 4));
  s.set(s.state().least, 0.2f);
  s.settle();
  s.ui.click("circuit/head/2/3");
  s.settle();
  s.ui.click("circuit/of_focus");
  s.settle();
  const std::vector<CircuitLine>& all = s.drawn().lines;
  const auto first = std::ranges::find_if(
      all, [](const CircuitLine& l) { return (l.layer == 1 && l.head == 2) || (l.to_layer == 1 && l.to_head == 2); });
  REQUIRE(first != all.end());
  s.ui.click("circuit/list/1");
  CHECK(s.state().line->same_place(*first));
}

TEST_CASE("circuit page: a frame in which nothing changed measures nothing, an edit of words no pair",
          "[app][circuit_page]") {
  CircuitSession s(circuit_stack(3));
  const std::shared_ptr<const Circuit> before = s.drawn().of;
  const CircuitLine* lines = s.drawn().lines.data();
  s.ui.frames(5);
  CHECK(s.drawn().of == before);
  CHECK(s.drawn().lines.data() == lines);
  s.app.edit({SetSentence{"three other words"}, 0});
  s.settle();
  for (std::size_t k = 0; k < before->pairs.size(); ++k) CHECK(s.drawn().of->pairs[k] == before->pairs[k]);
  s.app.edit({set_cell(Quantity::W_O, 2, 3, 2.5f), 1});
  s.settle();
  CHECK(s.drawn().of->between(0, 1).query == before->between(0, 1).query);
  CHECK(s.drawn().of->between(1, 2).query != before->between(1, 2).query);
}

TEST_CASE("circuit page: a line that the stack has no more is let go, layers come and go", "[app][circuit_page]") {
  CircuitSession s(circuit_stack(3, 4));
  s.set(s.state().least, 0.2f);
  s.set(s.state().line, CircuitLine{0, 1, 2, 3, Into::key, 0});
  s.settle();
  CHECK(*s.product().matrix == s.composed(*s.state().line));
  s.app.edit({RemoveLayer{}, 1});
  s.settle();
  CHECK_FALSE(s.state().line);
  CHECK(s.drawn().of->layers() == 2);
  s.app.edit({RemoveLayer{}, 1});
  s.settle();
  CHECK(s.ui.exists("circuit/alone"));
  s.set(s.view().view, ViewId::flow);
  s.app.edit({SetHeads{8}, 0});
  s.settle();
  CHECK_FALSE(s.app.made().has<DrawnLines>());  // what nobody looks at holds nothing of a stack that was left
}

TEST_CASE("circuit page: its notes name what the lines do not know of this stack", "[app][circuit_page]") {
  const auto note = [](const Document& document) { return circuit_notes(*evaluate(document)).front(); };
  const Document carried = circuit_stack(3);
  CHECK(note(carried).find("residual") == std::string::npos);
  CHECK(note(hydra::apply(carried, {SetSetting{LayerSetting::residual, 0}, 1})).find("without a residual sum") !=
        std::string::npos);
  CHECK(note(hydra::apply(carried, {SetSetting{LayerSetting::residual, 0}, 2})).find("residual") ==
        std::string::npos);  // no line goes over the last layer
  CHECK(note(hydra::apply(carried, {SetGate{1, 0}, 1})).find("silenced") != std::string::npos);
  CHECK(note(hydra::apply(carried, {SetKvHeads{1}, 0})).find("share keys") != std::string::npos);
}

TEST_CASE("circuit page: named features, a presentation, the dark, twelve heads in twelve layers",
          "[app][circuit_page]") {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{48}), SetHeads{12});
  document = hydra::apply(document, SetEmbedding{Embedding::Kind::features, 1});
  for (int k = 1; k < 12; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  CircuitSession s(document, {1280, 800});
  s.set(s.view().presentation, true);
  s.set(s.view().dark, true);
  s.settle();
  CHECK(s.ui.exists("circuit/head/12/12"));
  REQUIRE(s.ui.exists("circuit/list/1"));
  s.set(s.view().presentation, false);
  s.settle();
  s.ui.move(s.ui.rect("circuit/product").center());
  s.ui.move("circuit/head/3/4");
  s.ui.move("circuit/list/1");
  s.ui.frames(2);
  CHECK_FALSE(s.notice().is_error);
  s.ui.key(key::page_down);
  s.settle();
  CHECK(s.view().layer == 1);
  s.ui.click("stream/page/words");
  s.settle();
  CHECK(s.ui.exists("stream/cell/12/1"));
}

TEST_CASE("circuit page: of a product that is nearly all zeros the rest is shown large, each row and column named",
          "[app][circuit_page]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}})
    for (const bool presentation : {false, true}) {
      CAPTURE(size.x, presentation);
      CircuitSession s(test::example("stack_king_weak"), size);
      s.set(s.view().presentation, presentation);
      s.settle();
      const Heatmap product = s.product();
      CHECK(product.rows == 1);  // verb
      CHECK(product.cols == 2);  // can-be-tired, can-be-heavy
      CHECK(std::abs(product.value(0, 0)) == std::abs(product.value(0, 1)));
      CHECK(product.value(0, 0) != 0);
      CHECK(product.max.y - product.min.y >= 18);
      CHECK(s.ui.exists("circuit/left_out"));
      const Array<float> shown = product.matrix;
      s.ui.frames(3);
      CHECK(s.product().matrix == shown);  // kept
    }
}
