// Every view and page as it was when its picture was kept: alone, with a selection, a relation, under the pointer, in a
// presentation, after an edit. A change that is meant to be seen keeps the pictures anew (kept_picture.h) and shows
// them in its commit.
#include <catch2/catch.hpp>

#include "app/app.h"
#include "app/cli/place_options.h"
#include "app/scene/sides.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/io/opening.h"
#include "tests/app/pictures/kept_picture.h"
#include "tests/support/examples.h"
#include "tests/support/gl_stage.h"
#include "tests/support/open_page.h"
#include "tests/support/sanitized.h"
#include "tests/support/ui_driver.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace hydra::testing;

namespace {

const ImVec2 kUsual{1280, 800};

// The program on a document, with a canvas.
class Drawn {
 public:
  Drawn(gl::OffscreenStage& stage, Document document, ImVec2 size)
      : ui(size, ImGui::GetCurrentContext()), app(std::move(document), "", stage.heatmaps()), stage_(stage) {
    app.set_patience(std::chrono::seconds(60));
    app.set(app.view().still, true);
    ui.program = [this](ImVec2 s, float dt, InputQueue& input) { app.frame(s, dt, input); };
    ui.leave();
    settle();
  }

  const ViewState& view() const { return app.view(); }
  // As App::set.
  void set(const Action& action) { app.set(action); }
  template <class T>
  void set(const T& field, const std::type_identity_t<T>& value) {
    app.set(field, value);
  }
  // Until all that is shown belongs to the document.
  void settle() {
    for (int frame = 0; frame < 6 || app.pictures_pending(); ++frame) {
      app.finish_names();
      ui.frames();
    }
  }
  void show(ViewId id, const std::string& page = {}) {
    set(view().view, id);
    if (const PageEntry* entry = page_of(page, id)) test::open_page(app, *entry);
    settle();
  }
  void present() {
    set(view().presentation, true);
    settle();
  }
  void check(const std::string& name) {
    app.notice().sentence.clear();  // it stands there for some seconds
    settle();
    if (app.take_fonts_changed()) stage_.upload_fonts();
    stage_.draw(theme(view().dark).ground);
    check_picture(stage_.read(), name);
  }

  UiDriver ui;
  App app;

 private:
  gl::OffscreenStage& stage_;
};

// A program of its own for each picture, as no two hold the same context's fonts.
void drawn(Document document, const std::function<void(Drawn&)>& draw, ImVec2 size = kUsual) {
  if (test::kSanitized) {
    WARN("skipped: pictures are kept of what is built without sanitizers");
    return;
  }
  const std::unique_ptr<gl::OffscreenStage> stage = make_offscreen_stage();
  if (!stage) return;
  Drawn made(*stage, std::move(document), size);
  draw(made);
}

}  // namespace

TEST_CASE("pictures: what opens", "[pictures]") {
  drawn(opening_document(), [](Drawn& d) {
    d.app.begin();
    d.check("opening");
    d.set(d.view().dark, true);
    d.check("opening.dark");
    d.ui.move(d.ui.rect("heads/large").cell(6, 4, 10, 10));
    d.check("opening.hover");
    d.set(d.view().dark, false);
    d.ui.click(d.ui.rect("heads/large").cell(6, 4, 10, 10));
    d.ui.leave();
    d.check("opening.selected");
    d.present();
    d.check("opening.presentation");
    d.ui.key(key::f1);
    d.check("keys.presentation");
  });
}

TEST_CASE("pictures: Flow", "[pictures]") {
  drawn(opening_document(), [](Drawn& d) {
    d.show(ViewId::flow);
    d.check("flow");
    d.ui.drag(d.ui.rect("flow/W_O").at(0.3f, 0.3f), 0, -40);
    d.ui.leave();
    d.check("flow.edited");
    d.present();
    d.check("flow.edited.presentation");
  });
  drawn(test::example("whole_block"), [](Drawn& d) {
    d.show(ViewId::flow, "heads");
    d.present();
    d.check("flow.block.presentation");
    d.show(ViewId::flow, "around");
    d.check("flow.around.presentation");
    d.set(act::Show{Side::notes, true});
    d.check("flow.notes.presentation");
  });
  drawn(test::example("trained_king"),
        [](Drawn& d) {
          d.show(ViewId::flow);
          d.set(d.view().dark, true);
          d.set(act::Select{{{Quantity::scores, 1, 2}, 5, 3}});
          d.check("flow.stack.selected.dark");
        },
        {1600, 1000});
}

TEST_CASE("pictures: Heads", "[pictures]") {
  drawn(test::example("heads_designed"), [](Drawn& d) {
    d.show(ViewId::heads);
    d.set(d.view().shown_relation, Relation::coreference);
    d.check("heads.relation");
    d.set(d.view().shown_relation, std::nullopt);
    d.set(d.view().average, true);
    d.set(d.view().pattern, Pattern::value_weighted);
    d.check("heads.average");
    d.set(d.view().average, false);
    d.set(d.view().pattern, Pattern::scores);
    d.present();
    d.check("heads.scores.presentation");
    d.ui.key(key::letter('k'));
    d.ui.leave();
    d.check("heads.mask.presentation");
  });
  drawn(test::example("stack_induction"), [](Drawn& d) {
    d.show(ViewId::heads, "rollout");
    d.check("heads.rollout");
    d.show(ViewId::heads, "rollout_by_value");
    d.check("heads.rollout_by_value");
  });
}

TEST_CASE("pictures: Mixing", "[pictures]") {
  drawn(test::example("heads_designed"), [](Drawn& d) {
    d.show(ViewId::mixing, "output");
    d.check("mixing");
    d.show(ViewId::mixing, "shares");
    d.ui.key(key::letter('z'));
    d.ui.leave();
    d.check("mixing.shares.silenced");
    d.present();
    d.show(ViewId::mixing, "silencing");
    d.check("mixing.silencing.presentation");
  });
}

TEST_CASE("pictures: Stream", "[pictures]") {
  drawn(test::example("trained_king"), [](Drawn& d) {
    d.show(ViewId::stream, "words");
    d.check("stream");
    d.present();
    d.check("stream.presentation");
  });
  drawn(test::example("stack_induction"), [](Drawn& d) {
    d.show(ViewId::stream, "circuit");
    d.check("stream.circuit");
    d.show(ViewId::stream, "routing");
    d.check("stream.routing");
  });
}

TEST_CASE("pictures: Likeness", "[pictures]") {
  drawn(test::example("heads_designed"), [](Drawn& d) {
    d.show(ViewId::likeness, "pairs");
    d.check("likeness");
    d.set(d.view().likeness.compared, std::pair(1, 4));
    d.set(d.view().dark, true);
    d.check("likeness.compared.dark");
    d.set(d.view().likeness.compared, std::nullopt);
    d.set(d.view().dark, false);
    d.show(ViewId::likeness, "rank");
    d.present();
    d.check("likeness.rank.presentation");
  });
  drawn(test::example("trained_king"), [](Drawn& d) {
    d.show(ViewId::likeness, "all");
    d.check("likeness.all");
  });
}

TEST_CASE("pictures: Trade-off", "[pictures]") {
  drawn(default_document(), [](Drawn& d) {
    for (const char* page : {"cost", "sharing", "published", "columns", "product", "tiles", "trained"}) {
      d.show(ViewId::tradeoff, page);
      d.check(std::string("tradeoff.") + page);
    }
    d.present();
    d.show(ViewId::tradeoff, "columns");
    d.check("tradeoff.columns.presentation");
  });
}

TEST_CASE("pictures: heads that are fitted", "[pictures]") {
  drawn(default_document(), [](Drawn& d) {
    d.show(ViewId::tradeoff, "needed");
    d.check("tradeoff.needed");
    d.show(ViewId::tradeoff, "width");
    d.check("tradeoff.width");
    d.present();
    d.show(ViewId::tradeoff, "needed");
    d.check("tradeoff.needed.presentation");
  });
}

TEST_CASE("pictures: Roles", "[pictures]") {
  drawn(test::example("heads_designed"), [](Drawn& d) {
    d.show(ViewId::roles);
    d.check("roles");
    d.present();
    d.check("roles.presentation");
    d.set(d.view().guessing, true);
    d.check("roles.guessing.presentation");
  });
  drawn(test::example("trained_king"), [](Drawn& d) {
    d.show(ViewId::roles, "all");
    d.check("roles.all");
  });
}

TEST_CASE("pictures: Design", "[pictures]") {
  drawn(test::example("heads_designed"), [](Drawn& d) {
    d.show(ViewId::design);
    d.check("design");
    d.set(d.view().dark, true);
    d.present();
    d.check("design.presentation.dark");
  });
}

TEST_CASE("pictures: Learn", "[pictures]") {
  drawn(default_document(), [](Drawn& d) {
    d.show(ViewId::learn, "run");
    d.check("learn.cold");
    d.ui.click("learn/task/students");
    d.set(d.view().learn.setup.recipe.steps, 40);
    d.ui.click("learn/train");
    test::wait_until([&] { return d.app.learn().timeline && !d.app.learn().training; }, [&] { d.ui.frames(); });
    d.ui.leave();
    d.check("learn");
    d.show(ViewId::learn, "gradients");
    d.check("learn.gradients");
    d.show(ViewId::learn, "pruning");
    d.check("learn.pruning");
    d.show(ViewId::learn, "run");
    d.present();
    d.check("learn.presentation");
  });
  drawn(default_document(), [](Drawn& d) {
    d.show(ViewId::learn, "collapse");
    d.check("learn.collapse");
  });
}

TEST_CASE("pictures: windows of every size", "[pictures]") {
  for (const auto& [width, height] : {std::pair{390, 844}, {683, 400}, {820, 1180}, {1920, 1080}})
    drawn(opening_document(),
          [&](Drawn& d) {
            d.app.begin();
            d.check("opening." + std::to_string(width) + "x" + std::to_string(height));
            d.show(ViewId::flow);
            d.check("flow." + std::to_string(width) + "x" + std::to_string(height));
          },
          {static_cast<float>(width), static_cast<float>(height)});
}
