// Dropout: what is left of a head's weights stands in the chain of the Flow view, between A and O.
#include "core/attention/forward.h"
#include "core/document/edits/edit.h"
#include "tests/support/session.h"

using namespace hydra;

TEST_CASE("flow dropout: the chain reads S, A, D, O, and goes back to S, A, O without it", "[app][flow]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    Session s(default_document(), size);
    CHECK_FALSE(s.ui.exists("flow/dropped"));
    s.app.edit({SetSetting{LayerSetting::dropout, 0.5}, 0});
    s.ui.settle();
    float x = 0;
    for (const char* name : {"flow/scores", "flow/attention", "flow/dropped", "flow/output"}) {
      CHECK(s.ui.rect(name).min.x >= x);
      x = s.ui.rect(name).max.x;
    }
    const auto rect = [&](const char* name) { return s.ui.rect(name); };
    CHECK(rect("flow/dropped").min.y == rect("flow/attention").min.y);
    CHECK(rect("flow/dropped").max.y == rect("flow/attention").max.y);
    CHECK(*s.picture("flow/dropped").matrix == *pattern_of(s.app.trace().layer(0), Quantity::dropped_attention, 0));
    CHECK(rect("flow/heads/1").max.x > rect("flow/heads/1").min.x);
    s.ui.click(rect("flow/dropped").center());
    s.ui.settle();
    CHECK(s.selection().site == Site{Quantity::dropped_attention, 0, 0});
    s.app.edit({SetSetting{LayerSetting::dropout, 0.0}, 0});
    s.ui.settle();
    CHECK_FALSE(s.ui.exists("flow/dropped"));
  }
}
