// How alike the heads of all layers are, driven by name: the matrix, its order, pairs across layers, limits, colours.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/views/likeness/likeness_parts.h"
#include "app/views/likeness/likeness_view.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct StackLikenessSession : Session {
  explicit StackLikenessSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::likeness);
    set(view().likeness.all_layers, true);
    rest();
  }
  // Until nothing moves any more.
  void rest() {
    settle();
    for (int k = 0; was().moving; ++k) {
      REQUIRE(k < 600);
      ui.frames(1);
    }
    ui.frames(2);
  }
  const LikenessState& state() const { return view().likeness; }
  const LikenessTable& table() {
    REQUIRE(app.made().of<LikenessPictures>().motion.table());
    return *app.made().of<LikenessPictures>().motion.table();
  }
  // The centre of the cell of two heads.
  ImVec2 cell(int row, int col) {
    const auto place = [&](int head) {
      return static_cast<Index>(std::lround(app.made().of<LikenessPictures>().motion.row(head)));
    };
    const int heads = app.made().of<LikenessPictures>().motion.heads();
    return ui.rect("likeness/matrix").cell(place(row), place(col), heads, heads);
  }
  int find(const HeadPlace& place) {
    const auto& places = table().places;
    return static_cast<int>(std::ranges::find(places, place) - places.begin());
  }
};

}  // namespace

TEST_CASE("stack likeness: the matrix of all heads, at every size and depth", "[app][likeness][stack]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      StackLikenessSession s(small_stack(layers), size);
      CHECK_FALSE(s.notice().is_error);
      CHECK(s.ui.exists("likeness/matrix"));
      CHECK(s.ui.exists("likeness/layer/all") == (layers > 1));
      REQUIRE(s.table().clustering.leaves.size() == static_cast<std::size_t>(2 * layers));
      if (layers == 1) continue;  // as ever
      REQUIRE(s.table().places.size() == static_cast<std::size_t>(2 * layers));
      const Heatmap drawn = s.picture("likeness/matrix");
      CHECK(drawn.rows == 2 * layers);
      const MatView<double> values = *s.table().matrix(Likeness::cosine);
      for (Index r = 0; r < drawn.rows; ++r)
        for (Index c = 0; c < drawn.cols; ++c)
          CHECK((*drawn.matrix)(r, c) == static_cast<float>(values(r, c)));  // layer after layer
      CHECK(s.ui.exists("likeness/row/1.1"));
      CHECK(s.ui.exists("likeness/layer_colors"));
      CHECK_FALSE(s.ui.exists("likeness/collapse"));  // which is of one layer
      s.set(s.view().presentation, true);
      s.rest();
      CHECK(s.ui.exists("likeness/matrix"));
    }
}

TEST_CASE("stack likeness: in the tree's order heads that are alike stand together", "[app][likeness][stack]") {
  StackLikenessSession s(small_stack(4));
  CHECK_FALSE(s.ui.exists("likeness/tree"));
  s.ui.click("likeness/order/tree");
  s.rest();
  CHECK(s.app.made().of<LikenessPictures>().motion.order() == s.app.made().of<LikenessPictures>().motion.tree().leaves);
  CHECK(s.ui.exists("likeness/tree"));
  s.ui.click("likeness/order/layer");
  s.rest();
  for (int k = 0; k < 8; ++k)
    CHECK(s.app.made().of<LikenessPictures>().motion.order()[static_cast<std::size_t>(k)] == k);
}

TEST_CASE("stack likeness: a pair across layers is compared, and its first head comes into focus",
          "[app][likeness][stack]") {
  StackLikenessSession s(small_stack(4));
  const int row = s.find({2, 1}), col = s.find({0, 0});
  s.ui.click(s.cell(row, col));
  s.rest();
  CHECK(s.view().layer == 2);
  CHECK(s.view().focused_head == 1);
  REQUIRE(s.state().compared == std::pair(row, col));
  REQUIRE(s.ui.exists("likeness/compare/difference"));
  CHECK_FALSE(s.table().matrix(Likeness::qk));  // for which nobody asked
  const Mat<float> first = *s.app.trace().layer(2).heads[1].attention,
                   second = *s.app.trace().layer(0).heads[0].attention;
  CHECK(s.picture("likeness/compare/first").matrix == s.app.trace().layer(2).heads[1].attention);
  CHECK(s.picture("likeness/compare/second").matrix == s.app.trace().layer(0).heads[0].attention);
  CHECK(*s.picture("likeness/compare/difference").matrix == Mat<float>(first - second));
  s.ui.click("likeness/row/4.2");
  s.rest();
  CHECK(s.view().layer == 3);
  CHECK(s.view().focused_head == 1);
  REQUIRE(s.state().compared);  // of the same heads still
  s.ui.click("likeness/layer/focus");
  s.rest();
  CHECK_FALSE(s.state().compared);
  CHECK(s.table().places.empty());
  CHECK(s.table().clustering.leaves.size() == 2);
}

TEST_CASE("stack likeness: every measure, pooled and not, and where weights have no axes in common it says so",
          "[app][likeness][stack]") {
  StackLikenessSession s(small_stack(3));
  for (const bool pooled : {false, true}) {
    s.ui.click(pooled ? "likeness/all" : "likeness/this");
    for (const LikenessEntry& entry : likenesses()) {
      CAPTURE(entry.key, pooled);
      s.ui.click(std::string("likeness/measure/") + entry.key);
      s.rest();
      CHECK(s.table().ordered_by == entry.measure);
      CHECK(s.table().places.size() == 6);
      CHECK(s.table().sentences.empty() != pooled);
      CHECK(s.ui.exists("likeness/axes") == entry.of_weights);  // a plain stack carries no stream
    }
  }
  for (const int layer : {0, 1}) s.app.edit({SetSetting{LayerSetting::residual, 1}, layer});
  s.rest();
  CHECK_FALSE(s.ui.exists("likeness/axes"));
}

TEST_CASE("stack likeness: pairs worth a look are named by layer and head", "[app][likeness][stack]") {
  StackLikenessSession s(small_stack(4));
  REQUIRE(s.ui.exists("likeness/most_alike"));
  s.ui.click("likeness/least_alike");
  s.rest();
  REQUIRE(s.state().compared);
  CHECK(s.state().compared == s.app.made().of<LikenessPictures>().motion.least_alike());
}

TEST_CASE("stack likeness: layers come and go, and after random edits it is the document's", "[app][likeness][stack]") {
  Random random(41);
  StackLikenessSession s(small_stack(3));
  int compared = 0;
  for (int step = 0; step < 25; ++step) {
    s.app.edit(random_stack_edit(random, s.document()));
    if (step % 3 == 0) s.set(s.state().compared, std::pair(0, 1));
    s.rest();
    if (s.document().layers.size() < 2) continue;
    LikenessTables fresh;
    const LikenessTable table = fresh.of_sentence(s.app.trace(), wanted_likeness(s.view(), s.app.trace()).measures);
    REQUIRE(s.table().places == table.places);
    const Array<double>&shown = s.table().matrix(Likeness::cosine), &expected = table.matrix(Likeness::cosine);
    CHECK(same_bits<double>(shown, expected));
    ++compared;
  }
  CHECK(compared > 15);
}

TEST_CASE("stack likeness: too many heads or too long a sentence, and the limit stands in the matrix's place",
          "[app][likeness][stack]") {
  Document document = small_stack(2);
  document.tokens.emplace();
  for (int k = 0; k < 1024; ++k) document.tokens->push_back("w" + std::to_string(k % 9));
  for (int k = 0; k < 2; ++k) document = hydra::apply(document, {SetHeads{16}, k});
  StackLikenessSession s(document);
  CHECK(s.ui.exists("likeness/limit"));
  CHECK_FALSE(s.ui.exists("likeness/matrix"));
  s.ui.click("likeness/layer/focus");
  s.rest();
  CHECK_FALSE(s.ui.exists("likeness/limit"));
  CHECK(s.ui.exists("likeness/matrix"));
}

TEST_CASE("likeness: negative cosines have colours of their own", "[app][likeness]") {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{4});
  Session plain(document);
  plain.set(plain.view().view, ViewId::likeness);
  plain.settle();
  CHECK(plain.picture("likeness/matrix").scale.low == 0);
  document = hydra::apply(document, SetSetting{LayerSetting::talking_heads, static_cast<double>(TalkingHeads::after)});
  Mat<float> talk = Mat<float>::Identity(4, 4);
  talk(0, 0) = -1;
  document = hydra::apply(document, SetBlock{Quantity::P_W, 0, 0, share(std::move(talk))});
  Session s(document);
  s.set(s.view().view, ViewId::likeness);
  s.settle();
  const Heatmap drawn = s.picture("likeness/matrix");
  CHECK(drawn.matrix->minCoeff() < -0.1f);
  CHECK(drawn.scale.low == -1);
  CHECK(drawn.scale.high == 1);
}
