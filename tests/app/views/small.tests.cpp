// Windows of any size: no layout asks for a box that is turned round or has vanished, and what has no room is said.
#include <catch2/catch.hpp>
#include <random>

#include "app/scene/sides.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/io/opening.h"
#include "tests/support/examples.h"
#include "tests/support/open_page.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

std::vector<Document> small_documents() {
  std::vector<Document> all{opening_document(), test::example("whole_block"), test::example("stack_king_weak"),
                            test::example("shared_keys"), test::example("trained_students_32")};
  all.push_back(hydra::apply(default_document(), SetSentence{"one"}));
  all.push_back(
      hydra::apply(default_document(),
                   SetSentence{"the old king near the cats that the girl saw chases the dog because she is tired "
                               "of all that the cats and the dogs and the king did to her on that day ."}));
  all.push_back(hydra::apply(default_document(), SetHeads{64}));
  return all;
}

}  // namespace

TEST_CASE("small windows: every picture has a box, at any size, text scale and page", "[app][small]") {
  const std::vector<Document> documents = small_documents();
  std::mt19937 random(11);
  const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  const int rounds = test::cases(60, 16, 8);
  for (int round = 0; round < rounds; ++round) {
    const ImVec2 size{static_cast<float>(200 + up_to(up_to(1) == 0 ? 400 : 1400)),
                      static_cast<float>(200 + up_to(up_to(1) == 0 ? 300 : 900))};
    Session s(documents[static_cast<std::size_t>(round) % documents.size()], size);
    s.set(s.view().text_scale, 0.7f + 0.1f * static_cast<float>(up_to(13)));
    s.set(s.view().display_scale, 1 + 0.5f * static_cast<float>(up_to(4) == 0 ? up_to(4) : 0));
    s.set(s.view().presentation, up_to(2) == 0);
    for (const ViewEntry& view : all_views()) {
      s.set(s.view().view, view.id);
      for (const Side side : {Side::model, Side::notes, Side::inspector}) s.set(act::Show{side, up_to(2) == 0});
      const auto check = [&](const char* page) {
        s.ui.sink.heatmaps.clear();
        s.ui.frames(2);
        CAPTURE(round, size.x, size.y, s.view().text_scale, s.view().display_scale, s.view().presentation, view.label,
                page);
        REQUIRE(s.app.failure().empty());
        for (const Heatmap& heatmap : s.ui.sink.heatmaps) {
          CAPTURE(heatmap.min.x, heatmap.min.y, heatmap.max.x, heatmap.max.y);
          CHECK(heatmap.max.x - heatmap.min.x >= 1);
          CHECK(heatmap.max.y - heatmap.min.y >= 1);
        }
      };
      check("");
      for (const PageEntry& page : all_pages()) {
        if (page.view != view.id) continue;
        test::open_page(s.app, page);
        check(page.key);
      }
    }
  }
}
