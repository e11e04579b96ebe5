// Too little memory: what was last shown stays, and a sentence says why.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "app/views/shell/views.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/folder.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// While it lives, the process gets hardly more address space than it has.
class LittleMemory {
 public:
  explicit LittleMemory(std::size_t megabytes) {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    REQUIRE(::getrlimit(RLIMIT_AS, &before_) == 0);
    rlimit less = before_;
    less.rlim_cur = pages * static_cast<std::size_t>(::getpagesize()) + (megabytes << 20);
    REQUIRE(::setrlimit(RLIMIT_AS, &less) == 0);
  }
  ~LittleMemory() { ::setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_{};
};

// Some gigabytes of trace in a document that takes little itself.
Document enormous() {
  std::vector<std::string> tokens;
  for (int k = 0; k < 1024; ++k) tokens.push_back("w" + std::to_string(k));
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{128}), SetHeads{128});
  document.tokens = std::move(tokens);
  return document;
}

}  // namespace

TEST_CASE("memory: pictures of large patterns hold no more than is seen, whatever is shown", "[app][memory]") {
  const auto textures = [](Session& s) {  // numbers in what is drawn, each matrix once
    std::set<const void*> seen;
    double cells = 0;
    for (const Heatmap& heatmap : s.ui.sink.heatmaps) {
      const Array<float>& drawn = heatmap.strongest ? heatmap.strongest : heatmap.matrix;
      if (seen.insert(drawn->data()).second) cells += static_cast<double>(drawn->size());
    }
    return cells;
  };
  Document document = enormous();
  document.tokens->resize(600);
  Session s(std::move(document));
  CHECK_FALSE(s.trace().input.keep_all);
  for (const char* tab : {"tabs/flow", "tabs/heads", "tabs/mixing", "tabs/design"}) {
    s.ui.click(tab);
    for (int k = 0; k < 400 && s.app.pictures_pending(); ++k) s.ui.frames(1);
    CHECK_FALSE(s.app.pictures_pending());
    s.ui.frames(2);
    CAPTURE(tab);
    CHECK(textures(s) < 4 * 1600 * 1000);
  }
  s.ui.click("tabs/heads");
  for (const char* pattern :
       {"heads/pattern/scores", "heads/pattern/value_weighted", "heads/pattern/attention", "heads/rollout"}) {
    s.ui.click(pattern);
    s.app.finish_evaluation();
    for (int k = 0; k < 400 && s.app.pictures_pending(); ++k) s.ui.frames(1);
    s.ui.frames(2);
    CAPTURE(pattern);
    CHECK(textures(s) < 4 * 1600 * 1000);
    s.ui.move("heads/grid/3");  // what is pointed at has its number
    CHECK(s.was().cell);
  }
}

// The sanitizers keep address space of their own, and end the process when there is none left.
#ifndef HYDRA_SANITIZED

TEST_CASE("memory: a document that is too large opens with a sentence, and a smaller one follows", "[app][memory]") {
  Document document = enormous();
  UiDriver ui;
  std::optional<App> app;
  {
    const LittleMemory little(300);
    app.emplace(document, "", ui.sink);
    app->set_patience(std::chrono::seconds(20));
    ui.program = [&](ImVec2 s, float dt, InputQueue& input) { app->frame(s, dt, input); };
    app->finish_evaluation();
    ui.frames(2);
    CHECK(app->failure().find("not enough memory") != std::string::npos);
    CHECK(app->notice().sentence.find("not enough memory") != std::string::npos);
    CHECK(app->notice().is_error);
    CHECK(ui.exists("waiting"));
    CHECK_FALSE(ui.exists("flow/X"));
  }
  ui.click("model/heads/1");  // the rest of the window works
  app->finish_evaluation();
  ui.frames(2);
  CHECK(app->failure().empty());
  CHECK(app->trace().tokens.size() == 1024);
  CHECK(ui.exists("flow/X"));
}

TEST_CASE("memory: what there is no memory for is asked first, then the last trace stays, and undo works",
          "[app][memory]") {
  Session s(hydra::apply(enormous(), SetHeads{1}));
  const Array<float> before = s.trace().output;
  {
    const LittleMemory little(300);
    s.ui.click("model/heads/128");
    REQUIRE(s.app.front().question);
    CHECK(s.app.front().question->lines.front().find("GB") != std::string::npos);
    CHECK(s.layer().heads == 1);
    s.ui.click("question/Leave it");
    CHECK_FALSE(s.app.front().question);
    CHECK(s.layer().heads == 1);
    s.ui.click("model/heads/128");
    s.ui.click("question/Change it all the same");
    s.app.finish_evaluation();
    s.ui.frames(2);
    CHECK(s.app.failure().find("not enough memory") != std::string::npos);
    CHECK(s.notice().sentence.find("not enough memory") != std::string::npos);
    CHECK(s.layer().heads == 128);
    CHECK(s.app.trace().layers.front().output == before);
    CHECK(s.ui.exists("flow/X"));
  }
  s.ui.key(key::letter('z'), true);
  s.app.finish_evaluation();
  s.ui.frames(2);
  CHECK(s.layer().heads == 1);
  CHECK(s.app.failure().empty());
  CHECK(*s.trace().output == *before);
}

#endif

TEST_CASE("memory: the trace that rollout was made of goes while the roles of all layers are looked at",
          "[app][memory]") {
  Session s(small_stack(3));
  s.set(s.view().view, ViewId::heads);
  s.ui.settle();
  s.ui.click("heads/rollout");
  s.app.finish_evaluation();
  s.ui.settle();
  const std::weak_ptr<const void> held = s.app.trace().layer(0).output.owner().values;
  s.set(s.view().roles.all_layers, true);
  s.set(s.view().view, ViewId::roles);
  // An edit is compared with what was before it, so more than one.
  for (const char* sentence : {"other words here", "and others again", "and again others"}) {
    s.app.edit(SetSentence{sentence});
    s.ui.settle();
    s.app.finish_evaluation();
    s.ui.settle();
  }
  CHECK(held.expired());
}

TEST_CASE("memory: nothing holds on to the trace of a document that was left, whatever was looked at",
          "[app][memory]") {
  const Folder folder;
  write_document(default_document(), folder.file("small.json"));
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{64}), SetHeads{16});
  document.tokens.emplace();
  for (int k = 0; k < 60; ++k) document.tokens->push_back("w" + std::to_string(k % 40));
  Session s(std::move(document));
  std::vector<std::weak_ptr<const void>> held;
  const auto note = [&] {
    for_each_stage(s.trace(), [&](const Array<float>& array) { held.push_back(array.owner().values); });
  };
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    s.ui.settle();
    note();
    s.app.finish_evaluation();
    s.ui.frames(2);
    s.ui.click(view.id == ViewId::heads ? "model/mask/none" : "model/mask/causal");  // an edit, too, is compared
    s.ui.settle();
  }
  for (const auto page : {TradeoffPage::computed, TradeoffPage::sharing}) {
    s.set(s.view().view, ViewId::tradeoff);
    s.set(s.view().tradeoff.page, page);
    s.ui.settle();
    s.app.finish_evaluation();
    s.ui.frames(2);
  }
  note();
  REQUIRE(held.size() > 500);
  s.set(s.view().view, ViewId::flow);
  s.app.open(folder.file("small.json"));
  for (int k = 0; k < 2; ++k) {  // workers are told within a frame, and let go after it
    s.app.finish_evaluation();
    s.ui.settle();
    s.ui.frames(4);
  }
  s.app.finish_evaluation();
  const auto left = std::count_if(held.begin(), held.end(), [](const auto& one) { return !one.expired(); });
  CHECK(left == 0);
}

TEST_CASE("memory: nothing is held of a stack whose heads were all measured", "[app][memory]") {
  const Folder folder;
  std::ofstream(folder.file("small.json")) << R"({"hydrascope": 1, "sentence": "a b"})";
  Session s(small_stack(4));
  std::vector<std::weak_ptr<const void>> held;
  for (const ViewId view : {ViewId::roles, ViewId::likeness})
    for (const bool pooled : {false, true}) {
      s.set(s.view().view, view);
      s.set(s.view().roles.all_layers, true);
      s.set(s.view().likeness.all_layers, true);
      s.set(s.view().roles.over, pooled ? RolesOver::known : RolesOver::sentence);
      s.set(s.view().likeness.pooled, pooled);
      s.settle();
      s.app.finish_names();
      s.ui.click("model/mask/causal");
      s.settle();
      for (const LayerTrace<float>& layer : s.app.trace().layers)
        for (const HeadTrace<float>& head : layer.heads)
          for (const Array<float>& array : {head.Q, head.attention, head.contribution})
            held.push_back(array.owner().values);
      s.ui.click("model/mask/none");
      s.settle();
    }
  s.set(s.view().view, ViewId::flow);
  s.app.open(folder.file("small.json"));
  for (int k = 0; k < 3; ++k) {
    s.settle();
    s.app.finish_names();
  }
  CHECK(std::ranges::count_if(held, [](const auto& one) { return !one.expired(); }) == 0);
}

namespace {

double megabytes(const char* key) {  // of /proc/self/status: VmRSS, VmHWM
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key, 0) == 0) return std::stod(line.substr(line.find(':') + 1)) / 1024;
  return 0;
}

}  // namespace

// Takes minutes, so it runs when it is named: app_tests "[deep]".
TEST_CASE("memory: 12 layers of 12 heads at 1024 tokens stay under 700 MB without their weights", "[.][deep]") {
  Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{768}), SetHeads{12});
  document.tokens.emplace();
  for (int k = 0; k < 1024; ++k) document.tokens->push_back("w" + std::to_string(k));
  while (document.layers.size() < 12) {
    Layer& next = document.layers.emplace_back(document.layers.front());
    next.source.seed = 100 + document.layers.size();
    next.weights = weights_of(next.source, next, 768);
  }
  constexpr double kWeights = 12.0 * 4 * 768 * 768 * sizeof(float) / (1 << 20);
  Session s(std::move(document));
  s.app.finish_evaluation();
  int layer = 0;
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    s.set(act::GoTo{layer = (layer + 5) % 12, {}});
    for (int k = 0; k < 3; ++k) {
      s.app.edit(
          {set_cell(k == 1 ? Quantity::X : Quantity::W_Q, 3, 5, 0.1f * static_cast<float>(k)), k == 1 ? 0 : layer});
      s.ui.frames(2);
      s.app.finish_evaluation();
      for (int wait = 0; wait < 400 && s.app.pictures_pending(); ++wait) s.ui.frames(1);
    }
    REQUIRE(s.app.failure().empty());
    REQUIRE(s.app.trace().layer(layer).is_whole());
    s.app.rest();
    std::printf("%-12s resident %.0f MB, at most so far %.0f MB, of which %.0f MB weights\n", view.label,
                megabytes("VmRSS"), megabytes("VmHWM"), kWeights);
    CHECK(megabytes("VmRSS") - kWeights < 700);
  }
}
