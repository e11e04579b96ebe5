// The Routing page as a user meets it, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "app/platform/input.h"
#include "app/views/stream/routing_page.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document blocks(int layers, bool feed_forward) {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{2});
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  for (int k = 0; k < layers; ++k)
    for (const LayerSetting setting : {LayerSetting::residual, LayerSetting::norm, LayerSetting::feed_forward})
      if (feed_forward || setting != LayerSetting::feed_forward)
        document = hydra::apply(document, {SetSetting{setting, 1}, k});
  return document;
}

struct RoutingSession : Session {
  explicit RoutingSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::stream);
    ui.frames(3);
    ui.click("stream/page/routing");
    settle();
  }
};

}  // namespace

TEST_CASE("routing page: attention fills its matrix, the feed-forward part only the diagonal", "[app][routing_page]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12}) {
      CAPTURE(size.x, layers);
      RoutingSession s(blocks(layers, true), size);
      CHECK_FALSE(s.notice().is_error);
      const Heatmap attention = s.picture("routing/attention"), bend = s.picture("routing/feed_forward");
      REQUIRE(attention.matrix);
      REQUIRE(bend.matrix);
      CHECK((attention.matrix->array() > 0).all());
      Mat<float> others = *bend.matrix;
      CHECK((others.diagonal().array() > 0).all());
      others.diagonal().setZero();
      CHECK(others.isZero(0));
      CHECK((attention.max.x < bend.min.x || attention.max.y < bend.min.y));
      CHECK(bend.max.x <= size.x);
      CHECK(bend.max.y <= size.y);
    }
}

TEST_CASE("routing page: it is of the layer in focus, and follows edits", "[app][routing_page]") {
  RoutingSession s(blocks(2, true));
  const Array<float> first = s.picture("routing/attention").matrix;
  s.set(s.view().layer, 1);
  s.settle();
  const Array<float> second = s.picture("routing/attention").matrix;
  CHECK_FALSE(*first == *second);
  const Trace& trace = s.app.trace();
  CHECK(second->isApprox(routing(trace.layer(1), trace.block(1), 16).attention.cast<float>()));
  for (const char head : {'1', '2'}) {
    s.ui.key(key::letter(head));
    s.ui.key(key::letter('z'));
    s.settle();
  }
  CHECK(s.picture("routing/attention").matrix->isZero(0));
}

TEST_CASE("routing page: without a feed-forward part one matrix, and a sentence", "[app][routing_page]") {
  RoutingSession s(blocks(1, false));
  CHECK(s.ui.exists("routing/attention"));
  CHECK_FALSE(s.ui.exists("routing/feed_forward"));
  const Trace& trace = s.app.trace();
  const Routing of = routing(trace.layer(0), trace.block(0), 16);
  CHECK(routing_words(of, trace, 0).front().find("no feed-forward part") != std::string::npos);
}

TEST_CASE("routing page: its sentences are of the numbers", "[app][routing_page]") {
  for (int seed = 0; seed < 100; ++seed) {
    Document document = blocks(1, true);
    document = hydra::apply(document, SetWeightSource{Init::xavier, static_cast<std::uint64_t>(seed)});
    Mask causal;
    causal.kind = Mask::Kind::causal;
    if (seed % 2 == 1) document = hydra::apply(document, SetMask{causal});
    const auto trace = evaluate(document);
    const Routing of = routing(trace->layer(0), trace->block(0), 16);
    CHECK(routing_words(of, *trace, 0).front().find("every derivative is 0") != std::string::npos);
    for (Index j = 0; j < trace->X.rows(); ++j) {
      const bool hidden = of.attention(0, j) == 0;
      CHECK(hidden == (seed % 2 == 1 && j > 0));
      CHECK((routing_lines(of, *trace, false, 0, j)[1].find("does not depend") != std::string::npos) == hidden);
    }
  }
}
