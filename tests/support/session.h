// The whole program but its window, driven by name.
#pragma once
#include <catch2/catch.hpp>

#include "app/app.h"
#include "app/views/shared/head_roles.h"
#include "core/document/evaluate.h"
#include "core/linalg/same_bits.h"
#include "core/text/usual_token.h"
#include "tests/support/ui_driver.h"
#include "tests/support/wait_until.h"

namespace hydra {

struct Session {
  explicit Session(Document document = default_document(), ImVec2 size = {1600, 1000})
      : Session(OpenedDocument{std::move(document), {}}, size) {}
  explicit Session(OpenedDocument opened, ImVec2 size = {1600, 1000}) : ui(size), app(std::move(opened), ui.sink) {
    app.set_patience(std::chrono::seconds(20));
    app.set(app.view().model_panel.all_open, true);
    ui.program = [this](ImVec2 s, float dt, InputQueue& input) { app.frame(s, dt, input); };
    ui.frames(2);
    app.finish_evaluation();  // the first frame does not wait for what it asks for
    ui.frames(1);
  }

  const ViewState& view() const { return app.view(); }
  // As App::set.
  void set(const Action& action) { app.set(action); }
  template <class T>
  void set(const T& field, const std::type_identity_t<T>& value) {
    app.set(field, value);
  }
  const Glance& was() const { return app.was(); }
  Notice& notice() { return app.notice(); }
  ToolsTold tools() const { return app.tools(); }
  const HeadRoles& roles() { return app.made().of<HeadRoles>(); }  // of the last layout
  const Document& document() const { return app.history().current(); }
  const Layer& layer() const { return document().layers.front(); }
  const AttentionWeights<float>& weights() const { return layer().weights; }
  const LayerTrace<float>& trace() const { return app.trace().layers.front(); }
  Index token() { return view().token.value_or(usual_token(app.trace().tokens, app.trace().words)); }
  const HeadTrace<float>& head(int h) const { return trace().heads[static_cast<std::size_t>(h)]; }

  // Until what is shown, and what is measured in the background, belongs to the document.
  void settle() {
    for (int k = 0; k < 2; ++k) {
      ui.settle();
      app.finish_evaluation();
    }
    ui.settle();
  }
  // Frames until it is so.
  template <class IsSo>
  void wait_until(const IsSo& is_so) {
    test::wait_until(is_so, [&] { ui.frames(1); });
  }
  // The picture whose corner has that name.
  Heatmap picture(const std::string& name) {
    const UiDriver::Rect rect = ui.rect(name);
    for (const Heatmap& heatmap : ui.sink.heatmaps)
      if (heatmap.min.x == rect.min.x && heatmap.min.y == rect.min.y) return heatmap;
    FAIL("no picture at " << name);
    return {};
  }

  // Opens a number in the inspector and lets the panel settle.
  void open(const Cell& cell) {
    app.set(act::Select{cell});
    ui.frames(4);
  }
  const Cell& selection() {
    REQUIRE(app.view().selection);
    return *app.view().selection;
  }

  UiDriver ui;
  App app;
};

// What is shown is what the document gives from nothing.
inline void check_as_scratch(const Session& s) {
  CHECK(same_bits<float>(s.trace().output, evaluate(s.document())->layers.front().output));
}

}  // namespace hydra
