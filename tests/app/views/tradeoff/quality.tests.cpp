// What accuracy costs: the frontier and the costs by hand, and the page as a user meets it.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/views/tradeoff/trained/quality_words.h"
#include "tests/support/session.h"

using namespace hydra;
using namespace hydra::tradeoff;

namespace {

QualityModel model(double cost, double accuracy) {
  QualityModel one;
  one.summary.rates.emplace_back();
  one.summary.rates.front().accuracy = spread_of({accuracy});
  one.costs = {cost, cost, cost, std::isnan(accuracy) ? Spread::kNone : cost};
  return one;
}

struct QualitySession : Session {
  explicit QualitySession(ImVec2 size = {1600, 1000}) : Session(default_document(), size) {
    set(view().view, ViewId::tradeoff);
    set(view().tradeoff.page, TradeoffPage::quality);
    set(view().tradeoff.trained.steps, 20);
    set(view().tradeoff.trained.seeds, 2);
    ui.frames(3);
  }
};

}  // namespace

TEST_CASE("quality: the frontier is of those that no model of as low a cost reaches", "[app][tradeoff][quality]") {
  const std::vector<QualityModel> models{model(4, 0.5),  model(2, 0.6), model(8, 0.9),   model(8, 0.7),
                                         model(16, 0.9), model(1, NAN), model(32, 0.905)};
  CHECK(frontier(models, QualityCost::parameters) == std::vector<std::size_t>{1, 2, 6});
  CHECK(cheapest_near_best(models, QualityCost::parameters) == 2u);
  CHECK(frontier({model(1, NAN)}, QualityCost::time).empty());
  CHECK_FALSE(cheapest_near_best({model(1, NAN)}, QualityCost::cache).has_value());
  CHECK(cheapest_near_best({model(3, 0.2)}, QualityCost::cache) == 0u);
}

TEST_CASE("quality: what a model costs, worked by hand", "[app][tradeoff][quality]") {
  TrainedState state;
  state.d_model = 32, state.seeds = 1;
  const learn::CountsAsked asked = quality_asked(state);
  const std::vector<QualityModel> models = quality_models(asked, nullptr, 12);
  REQUIRE(models.size() == asked.also.size());
  const auto costs = [&](Index heads, Index d_k, Index kv_heads) {
    for (const QualityModel& one : models)
      if (one.summary.heads == heads && one.summary.d_k == d_k && one.summary.kv_heads == kv_heads) return one.costs;
    FAIL("no such model");
    return models.front().costs;
  };
  // 4 heads of 8: 4 x 32 x 32 weights; 12 tokens through them, and 2 x 12 x 12 x 32 for patterns.
  CHECK(costs(4, 0, 0)[0] == 4096);
  CHECK(costs(4, 0, 0)[1] == 12 * 4096 + 2 * 12 * 12 * 32);
  CHECK(costs(4, 0, 0)[2] == 2 * 12 * 32 * 4);
  // 2 heads of 2: W_Q, W_K, W_V, W_O of 32 x 4.
  CHECK(costs(2, 2, 0)[0] == 4 * 32 * 4);
  // 4 heads of 8 and one set of keys: W_Q and W_O of 32 x 32, W_K and W_V of 32 x 8.
  CHECK(costs(4, 0, 1)[0] == 2 * 32 * 32 + 2 * 32 * 8);
  CHECK(costs(4, 0, 1)[2] == 2 * 12 * 8 * 4);
  CHECK(std::isnan(costs(4, 0, 0)[3]));
  for (const learn::CountModel& one : asked.also) CHECK(one.heads * one.d_k <= 2 * state.d_model);
}

TEST_CASE("quality: models are trained, pointed at and opened", "[app][tradeoff][quality]") {
  QualitySession s;
  REQUIRE(s.ui.exists("tradeoff/quality/train"));
  CHECK_FALSE(s.app.wants_frame());
  s.ui.click("tradeoff/quality/train");
  s.ui.frames(1);
  s.app.finish_evaluation();
  s.ui.frames(3);
  const auto asked = quality_asked(s.view().tradeoff.trained);
  CHECK_FALSE(s.ui.exists("tradeoff/trained/cancel"));
  REQUIRE(s.ui.exists("tradeoff/quality/values"));
  for (const char* cost : {"time", "cache", "multiply_adds", "parameters"}) {
    s.ui.click(std::string("tradeoff/quality/") + cost);
    s.ui.frames(2);
    CHECK(s.ui.exists("tradeoff/quality/values"));
  }
  // The last place of all: the most weights, 16 heads of 4 or 4 of 16, 64 numbers side by side.
  const UiDriver::Rect values = s.ui.rect("tradeoff/quality/values");
  s.ui.click(ImVec2{values.max.x - 3, 0.5f * (values.min.y + values.max.y)});
  s.settle();
  CHECK(s.layer().concat_width(s.document().d_model) == 64);
  CHECK(s.document().notes.title.find("tudents") != std::string::npos);
  s.app.act(act::Undo{});
  s.settle();
  CHECK(s.document().notes.title.find("tudents") == std::string::npos);
  s.ui.click("tradeoff/page/trained");  // what is of the same models is there, too
  s.ui.frames(3);
  CHECK(s.ui.exists("tradeoff/trained/column/4"));
}
