// Pictures that are worked out for a head (views/heads/pictures), driven by name through the whole program.
#include "app/views/heads/head_picture.h"

#include <catch2/catch.hpp>

#include "app/draw/format.h"
#include "core/attention/forward.h"
#include "core/document/edits/edit.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct PictureSession : Session {
  explicit PictureSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::heads);
    ui.frames(3);
    ui.click("heads/picture/beyond_mean");
    settle();
  }
  Array<float> large() { return picture("heads/large").matrix; }
};

Document heads_of(Index count) {
  return hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{count});
}

}  // namespace

TEST_CASE("head picture: beyond the mean is the pattern less the mean of all, at every size and count of heads",
          "[app][heads_view][head_picture]") {
  for (const Index heads : {Index{1}, Index{2}, Index{16}})
    for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1920, 1080}}) {
      CAPTURE(heads, size.x);
      PictureSession s(heads_of(heads), size);
      const std::vector<HeadTrace<float>>& all = s.app.trace().layer(0).heads;
      Mat<double> mean = Mat<double>::Zero(all[0].attention->rows(), all[0].attention->cols()), sum = mean;
      for (const HeadTrace<float>& head : all) mean += head.attention->cast<double>() / static_cast<double>(heads);
      for (int h = 0; h < static_cast<int>(heads); ++h) {
        s.set(act::GoTo{{}, h});
        s.set(s.view().heads.picture, std::string("beyond_mean"));
        s.settle();
        const Mat<double> large = s.large()->cast<double>();
        CHECK((large - (all[static_cast<std::size_t>(h)].attention->cast<double>() - mean)).cwiseAbs().maxCoeff() <
              1e-7);
        sum += large;
      }
      CHECK(sum.cwiseAbs().maxCoeff() < 1e-6);
      CHECK_FALSE(s.notice().is_error);
    }
}

TEST_CASE("head picture: it goes with an edit, ends by a pattern, the average and rollout, and comes back by its name",
          "[app][heads_view][head_picture]") {
  PictureSession s(heads_of(4));
  const Mat<float> before = *s.large();
  s.app.edit(SetBlock{Quantity::W_Q, 0, 0, share(Mat<float>(Mat<float>::Constant(1, 1, 9.0f)))});
  s.settle();
  CHECK((*s.large() - before).cwiseAbs().maxCoeff() > 1e-4f);
  for (const char* other : {"heads/pattern/attention", "heads/average", "heads/rollout"}) {
    CAPTURE(other);
    s.ui.click(other);
    s.settle();
    CHECK(shown_head_picture(s.view()) == nullptr);
    s.ui.click("heads/picture/beyond_mean");
    s.settle();
    CHECK(shown_head_picture(s.view()) == &head_picture::beyond_mean);
  }
  s.set(s.view().heads.picture, std::string("of another program"));
  s.settle();
  CHECK(s.large() == s.app.trace().layer(0).heads[0].attention);
}

TEST_CASE("head picture: a number is selected by a click and told, and its tip is its arithmetic",
          "[app][heads_view][head_picture]") {
  PictureSession s(heads_of(2));
  const HeadPicture& picture = head_picture::beyond_mean;
  const LayerTrace<float>& layer = s.app.trace().layer(0);
  const double own = static_cast<double>((*layer.heads[0].attention)(1, 2)),
               other = static_cast<double>((*layer.heads[1].attention)(1, 2));
  CHECK(picture.told(layer, 0, 1, 2) ==
        "= " + ui::number(own) + " − " + ui::number((own + other) / 2) + ": its weight less the mean of 2 heads");
  const auto n = std::ssize(s.app.trace().tokens);
  s.ui.click(s.ui.rect("heads/large").cell(1, 2, n, n));
  s.settle();
  CHECK(s.view().made == MadeCell{"heads.beyond_mean.1.1", 1, 2});
}

TEST_CASE("head picture: what dropout leaves is offered where there is dropout, and says what its rows sum to",
          "[app][heads_view][head_picture]") {
  PictureSession plain(heads_of(2));
  CHECK_FALSE(plain.ui.exists("heads/picture/dropped"));
  PictureSession s(hydra::apply(heads_of(2), {SetSetting{LayerSetting::dropout, 0.5}, 0}));
  s.ui.click("heads/picture/dropped");
  s.settle();
  REQUIRE(shown_head_picture(s.view()) == &head_picture::dropped);
  const LayerTrace<float>& layer = s.app.trace().layer(0);
  const Mat<float> left = *s.large(), weights = *layer.heads[0].attention;
  Index gone = 0;
  for (Index k = 0; k < left.size(); ++k) {
    const float number = left.data()[k], weight = weights.data()[k];
    gone += number == 0;
    CHECK((number == 0 || number == Approx(2 * weight).epsilon(1e-6)));
  }
  CHECK(gone > 0);
  CHECK(gone < left.size());
  for (const int head : {0, 1})  // the small ones show the same
    CHECK(*s.picture("heads/grid/" + std::to_string(head + 1)).matrix ==
          *pattern_of(layer, Quantity::dropped_attention, head));
  for (Index col = 0; col < left.cols(); ++col) {
    const std::string told = head_picture::dropped.told(layer, 0, 1, col);
    CHECK_THAT(told,
               Catch::Contains("its row sums to " + ui::number(static_cast<double>(left.row(1).sum()), As::rough)));
    CHECK(told.starts_with("dropped") == (left(1, col) == 0));
  }
}
