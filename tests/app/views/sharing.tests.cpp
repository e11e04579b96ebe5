// Heads that share keys and values, driven by name through the whole program.
#include <catch2/catch.hpp>

#include "tests/support/session.h"

using namespace hydra;

TEST_CASE("sharing: the panel sets how many sets of keys and values there are, and undo gives them back",
          "[app][sharing]") {
  Session s;
  const Array<float> W_K = s.weights().W_K;
  CHECK_FALSE(s.ui.exists("flow/sharing"));
  s.ui.click("model/kv_heads/2");
  CHECK(s.layer().kv_heads() == 2);
  CHECK(s.trace().heads[0].K == s.trace().heads[3].K);
  CHECK(s.trace().heads[0].K != s.trace().heads[4].K);
  check_as_scratch(s);
  CHECK_FALSE(s.ui.exists("model/split/slice"));
  CHECK_FALSE(s.ui.exists("model/kv_heads/3"));  // no divisor of 8
  s.ui.click("model/kv_heads/8");
  CHECK(s.layer().group_size == 1);
  s.ui.key(key::letter('z'), true);
  s.ui.key(key::letter('z'), true);
  CHECK(s.weights().W_K == W_K);
  s.ui.click("model/heads/1");
  CHECK_FALSE(s.ui.exists("model/kv_heads/1"));
}

TEST_CASE("sharing: Flow and Heads join the heads of a group", "[app][sharing]") {
  Session s(hydra::apply(default_document(), SetKvHeads{2}));
  for (const char* name : {"flow/sharing", "flow/W_K/sharing", "flow/K/sharing", "flow/KT/sharing",
                           "flow/V_above/sharing", "flow/Q/sharing", "flow/group/1", "flow/group/2"})
    CHECK(s.ui.exists(name));
  CHECK_FALSE(s.ui.exists("flow/group/3"));
  CHECK_FALSE(s.ui.exists("flow/attention/sharing"));
  s.ui.click("tabs/heads");
  CHECK(s.ui.exists("heads/group/2"));
  CHECK(s.ui.exists("heads/sharing"));
  s.ui.click("tabs/flow");
  s.ui.click("model/kv_heads/8");
  CHECK_FALSE(s.ui.exists("flow/K/sharing"));
  CHECK_FALSE(s.ui.exists("flow/group/1"));
}

TEST_CASE("sharing: every view says which heads share, and joins them where they stand in order", "[app][sharing]") {
  for (const Index sets : {2, 8}) {
    const bool shares = sets < 8;
    CAPTURE(sets);
    Session s(hydra::apply(default_document(), SetKvHeads{sets}));
    s.ui.click("tabs/roles");
    s.app.finish_evaluation();
    s.ui.frames(3);
    CHECK(s.ui.exists("roles/sharing") == shares);
    CHECK(s.ui.exists("roles/group/2") == shares);
    s.ui.click("roles/column/entropy_fraction");
    CHECK_FALSE(s.ui.exists("roles/group/2"));  // sorted, they are apart
    CHECK(s.ui.exists("roles/sharing") == shares);
    s.ui.click("tabs/likeness");
    s.app.finish_evaluation();
    s.ui.frames(3);
    CHECK(s.ui.exists("likeness/sharing") == shares);
    s.ui.click("likeness/page/rank");
    CHECK(s.ui.exists("likeness/sharing") == shares);
    s.ui.click("tabs/mixing");
    CHECK(s.ui.exists("mixing/sharing") == shares);
    s.ui.click("mixing/page/shares");
    CHECK(s.ui.exists("mixing/sharing") == shares);
    CHECK(s.ui.exists("mixing/group/1") == shares);
    CHECK_FALSE(s.ui.exists("mixing/group/3"));
    s.ui.click("tabs/heads");
    CHECK(s.ui.exists("heads/sharing") == shares);
    s.set(s.view().average, true);
    s.ui.frames(2);
    CHECK(s.ui.exists("heads/sharing") == shares);
  }
}

TEST_CASE("sharing: a shared weight is one number, edited from any head of the group", "[app][sharing]") {
  Session s(hydra::apply(default_document(), SetKvHeads{2}));
  s.open({{Quantity::W_K, 0, 6}, 5, 3});  // of heads 5 to 8: column 11 of W_K
  s.ui.double_click("inspector/cell/5,3");
  s.ui.type("0.75");
  s.ui.key(key::enter);
  s.ui.frames(2);
  CHECK((*s.weights().W_K)(5, 11) == 0.75f);
  CHECK(s.trace().heads[4].K == s.trace().heads[7].K);
  check_as_scratch(s);
  s.ui.click("inspector/whole");
  s.ui.frames(2);
  CHECK(s.selection() == Cell{{Quantity::W_K, 0, kNoHead}, 5, 11});
  s.ui.click("inspector/head");
  s.ui.frames(2);
  CHECK(s.selection() == Cell{{Quantity::W_K, 0, 6}, 5, 3});
  // What is selected goes with the columns that go.
  s.ui.click("inspector/whole");
  s.ui.click("model/kv_heads/1");
  s.ui.frames(2);
  CHECK_FALSE(s.view().selection);
}

TEST_CASE("sharing: a head is designed only with keys and values of its own", "[app][sharing]") {
  Session s(hydra::apply(default_document(), SetKvHeads{4}));
  s.ui.click("tabs/design");
  CHECK_FALSE(s.ui.exists("design/preset/previous"));
  s.ui.click("design/own_keys");
  CHECK(s.layer().group_size == 1);
  s.ui.frames(2);
  CHECK(s.ui.exists("design/preset/previous"));
}

TEST_CASE("sharing: a head count without room for the groups says what it takes along", "[app]") {
  Session s;
  s.ui.click("model/kv_heads/2");
  s.ui.click("model/heads/16");  // groups of four stay
  CHECK(s.notice().sentence.empty());
  s.ui.click("model/heads/2");
  CHECK_THAT(s.notice().sentence, Catch::Contains("Groups of 4 do not fit into 2 heads"));
  CHECK(s.layer().kv_heads() == 2);
  s.ui.click("undo");
  CHECK(s.layer().heads == 16);
  CHECK(s.layer().kv_heads() == 4);
}
