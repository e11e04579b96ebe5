// Heads with a d_k of their own, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "core/io/document_text.h"
#include "core/io/file.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

struct Sized : Session {
  using Session::Session;
  void set_d_k(const char* number) {
    ui.click(ui.rect("model/d_k").at(0.1f, 0.5f));
    ui.type(number);
    ui.key(key::enter);
    ui.frames(2);
  }
  Index d_k() { return layer().d_k(document().d_model); }
};

}  // namespace

TEST_CASE("head sizes: the panel sets d_k, adds heads and takes them away, and undo gives all of it back",
          "[app][head_sizes]") {
  Sized s;
  const std::string before = document_text(s.document());
  CHECK_FALSE(s.ui.exists("model/d_k/usual"));
  s.set_d_k("12");
  CHECK(s.d_k() == 12);
  CHECK(s.layer().heads == 8);
  CHECK(s.trace().concat->cols() == 96);
  CHECK(s.trace().output->cols() == 64);
  check_as_scratch(s);
  CHECK_FALSE(s.ui.exists("model/split/slice"));
  CHECK(s.ui.exists("model/heads/3"));  // of 96, not of 64
  s.ui.click("model/heads/more");
  s.ui.frames(2);
  CHECK(s.layer().heads == 9);
  CHECK(s.d_k() == 12);
  check_as_scratch(s);
  CHECK_FALSE(s.ui.exists("model/d_k/usual"));  // 9 heads do not divide 64
  s.ui.click("model/heads/fewer");
  s.ui.frames(2);
  s.ui.click("model/d_k/usual");
  s.ui.frames(2);
  CHECK(document_text(s.document()) == before);
  for (int k = 0; k < 3; ++k) s.ui.click("undo");
  CHECK(s.d_k() == 12);
  s.ui.click("undo");
  CHECK(document_text(s.document()) == before);
  s.set_d_k("100000");  // as wide as can be
  CHECK(s.d_k() == 2048);
}

TEST_CASE("head sizes: what changes d_k stays where it is when it is pressed again", "[app][head_sizes]") {
  Sized s;
  const ImVec2 more = s.ui.rect("model/d_k").at(0.62f, 0.5f);
  for (Index d_k = 9; d_k < 14; ++d_k) {
    s.ui.click(more);
    s.ui.frames(2);
    CHECK(s.d_k() == d_k);
  }
  const ImVec2 head = s.ui.rect("model/heads/more").center();
  for (Index heads = 9; heads < 14; ++heads) {
    s.ui.click(head);
    s.ui.frames(2);
    CHECK(s.layer().heads == heads);
  }
}

TEST_CASE("head sizes: groups that do not fit a head more come apart, and the window says so", "[app][head_sizes]") {
  Sized s;
  s.ui.click("model/kv_heads/2");
  s.ui.click("model/heads/more");
  s.ui.frames(2);
  CHECK(s.layer().kv_heads() == 9);
  CHECK_THAT(s.notice().sentence, Catch::Contains("Groups of 4 do not fit into 9 heads"));
}

TEST_CASE("head sizes: every view shows heads wider and narrower than d_model / heads, at any size of the window",
          "[app][head_sizes]") {
  const auto [size, d_k] =
      GENERATE(table<ImVec2, Index>({{{1280, 800}, 1}, {{1280, 800}, 40}, {{1600, 1000}, 5}, {{1920, 1080}, 40}}));
  CAPTURE(size.x, d_k);
  Sized s(hydra::apply(hydra::apply(default_document(), SetModelWidth{32}), SetHeadSizes{5, d_k}), size);
  for (const char* view : {"flow", "heads", "mixing", "stream", "likeness", "tradeoff", "roles", "design"}) {
    CAPTURE(view);
    s.ui.click(std::string("tabs/") + view);
    s.app.finish_evaluation();
    s.ui.frames(3);
  }
  s.ui.click("tabs/mixing");
  s.ui.click("mixing/page/shares");
  s.ui.frames(2);
  s.open({{Quantity::W_O, 0, 4}, d_k - 1, 31});
  s.ui.frames(2);
  CHECK(s.selection() == Cell{{Quantity::W_O, 0, 4}, d_k - 1, 31});
  s.ui.click("inspector/whole");
  s.ui.frames(2);
  CHECK(s.selection() == Cell{{Quantity::W_O, 0, kNoHead}, 5 * d_k - 1, 31});
  s.open({{Quantity::Y, 0, kNoHead}, 2, 7});
  s.ui.frames(2);
  check_as_scratch(s);
}

TEST_CASE("head sizes: the Trade-off view cuts what there is", "[app][head_sizes][tradeoff]") {
  Sized s(hydra::apply(hydra::apply(default_document(), SetModelWidth{32}), SetHeadSizes{5, 6}));
  s.ui.click("tabs/tradeoff");
  s.ui.click("tradeoff/page/columns");
  s.app.finish_evaluation();
  s.ui.frames(3);
  for (const char* count : {"1", "3", "15"}) CHECK(s.ui.exists(std::string("tradeoff/count/") + count));
  CHECK_FALSE(s.ui.exists("tradeoff/count/4"));
  for (const char* page : {"cost", "sharing", "published"}) {
    s.ui.click(std::string("tradeoff/page/") + page);
    s.app.finish_evaluation();
    s.ui.frames(3);
  }
}
