// The table of all heads of all layers, driven by name: rows, order, filter, focus, names beside chance.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/views/roles/roles_rows.h"
#include "core/io/file.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/models/stacks.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// Two layers of features: a designed head in each, head 3 of the first and head 2 of the second.
Document designed_in_two_layers() {
  return parse_document(R"({"hydrascope": 1, "sentence": "The animal didn't cross the street because it was too tired.",
      "embedding": {"kind": "features"}, "layers": [
      {"heads": 8, "residual": true, "weights": {"designs": [null, null, {"preset": "previous"}, null, null, null, null, null]}},
      {"heads": 8, "residual": true, "weights": {"designs": [null, {"preset": "self"}, null, null, null, null, null, null]}}]})",
                        "designed in two layers");
}

struct StackRolesSession : Session {
  explicit StackRolesSession(Document document, ImVec2 size = {1600, 1000}) : Session(std::move(document), size) {
    set(view().view, ViewId::roles);
    set(view().roles.all_layers, true);
    set(view().roles.over, RolesOver::sentence);
    settle_names();
  }
  void settle_names() {
    settle();
    app.finish_names();
    ui.frames(3);
  }
  const RolesState& state() const { return view().roles; }
  const std::vector<HeadPlace>& rows() { return app.made().of<RoleRows>().places; }
  std::string row(const HeadPlace& place) {
    return "roles/head/" + std::to_string(place.layer + 1) + "." + std::to_string(place.head + 1);
  }
  double value(const HeadPlace& place, const HeadMeasure& number) {
    RoleTables fresh;
    const RoleTable table =
        fresh.of_sentence(app.trace(), place.layer, app.sentences().marked, &document().layer(place.layer));
    return table.heads[static_cast<std::size_t>(place.head)][number];
  }
};

}  // namespace

TEST_CASE("stack roles: a row for every head of every layer, at every size and depth", "[app][roles][stack]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}})
    for (const int layers : {1, 2, 12, 48}) {
      CAPTURE(size.x, layers);
      StackRolesSession s(small_stack(layers), size);
      CHECK_FALSE(s.notice().is_error);
      if (layers == 1) {  // all layers are this one
        CHECK_FALSE(s.ui.exists("roles/layer/all"));
        CHECK(s.ui.exists("roles/head/2"));
        continue;
      }
      REQUIRE(s.rows().size() == static_cast<std::size_t>(2 * layers));
      CHECK(s.rows().back() == HeadPlace{layers - 1, 1});
      CHECK(s.ui.exists("roles/head/1.1"));
      CHECK(s.ui.exists("roles/head/1.2"));
      CHECK(s.ui.exists("roles/cell/1.1/removal"));
      CHECK(s.ui.exists("roles/cell/1.1/share"));
      CHECK(s.ui.exists("roles/cell/1.1/against_stream"));
      CHECK(s.ui.exists("roles/chance"));
      // What is out of view is not drawn.
      int drawn = 0;
      for (const std::string& name : s.ui.names()) drawn += name.starts_with("roles/head/");
      CHECK(drawn <= 40);
      if (layers == 48) CHECK_FALSE(s.ui.exists("roles/head/48.2"));
      s.set(s.view().presentation, true);
      s.ui.frames(3);
      CHECK(s.ui.exists("roles/head/1.1"));
    }
}

TEST_CASE("stack roles: a click on a row brings its layer and its head into focus, and keys go on",
          "[app][roles][stack]") {
  StackRolesSession s(small_stack(3));
  s.ui.click("roles/head/3.2");
  s.settle();
  CHECK(s.view().layer == 2);
  CHECK(s.view().focused_head == 1);
  s.ui.click("roles/cell/3.1/confidence");
  s.settle();
  CHECK(s.view().layer == 2);
  CHECK(s.view().focused_head == 0);
  s.ui.key(key::left_bracket);
  s.settle();
  CHECK(s.view().layer == 1);
  CHECK(s.view().focused_head == 1);
  s.ui.key(key::right_bracket);
  s.ui.key(key::right_bracket);
  s.settle();
  CHECK(s.view().layer == 2);
  CHECK(s.view().focused_head == 1);
  s.ui.key(key::right_bracket);  // from the last to the first
  s.settle();
  CHECK(s.view().layer == 0);
  CHECK(s.view().focused_head == 0);
  s.ui.key(key::page_down);
  s.settle();
  CHECK(s.view().layer == 1);
  s.set(s.view().view, ViewId::heads);
  s.settle();
  CHECK(s.view().layer == 1);  // the other views follow
}

TEST_CASE("stack roles: the row that comes into focus is brought into view", "[app][roles][stack]") {
  StackRolesSession s(small_stack(48), {1280, 800});
  CHECK_FALSE(s.ui.exists("roles/head/48.2"));
  s.ui.key(key::left_bracket);
  s.settle();
  CHECK(s.view().layer == 47);
  CHECK(s.ui.exists("roles/head/48.2"));
  CHECK_FALSE(s.ui.exists("roles/head/1.1"));
}

TEST_CASE("stack roles: a click on a column sorts all heads by it, and again puts them back", "[app][roles][stack]") {
  StackRolesSession s(small_stack(6));
  for (const HeadMeasure* number : {&head_number::confidence, &head_number::against_stream}) {
    s.ui.click(std::string("roles/column/") + number->key);
    s.ui.frames(2);
    REQUIRE(s.rows().size() == 12);
    for (std::size_t k = 1; k < s.rows().size(); ++k)
      CHECK(s.value(s.rows()[k - 1], *number) >= s.value(s.rows()[k], *number));
    for (std::size_t k = 1; k < s.rows().size(); ++k)
      CHECK(s.ui.rect(s.row(s.rows()[k])).min.y > s.ui.rect(s.row(s.rows()[k - 1])).min.y);
  }
  CHECK(s.rows().front() != HeadPlace{0, 0});
  s.ui.click("roles/column/head");
  s.ui.frames(2);
  CHECK_FALSE(s.state().sorted);
  for (int k = 0; k < 12; ++k) CHECK(s.rows()[static_cast<std::size_t>(k)] == HeadPlace{k / 2, k % 2});
}

TEST_CASE("stack roles: heads with a name come first when roles sort them, and are found by it",
          "[app][roles][stack]") {
  StackRolesSession s(designed_in_two_layers());
  REQUIRE(s.rows().size() == 16);
  CHECK(s.app.made().of<RoleRows>().named == 2);
  s.ui.click("roles/column/role");
  s.ui.frames(2);
  CHECK(s.rows()[0] == HeadPlace{0, 2});  // previous token
  CHECK(s.rows()[1] == HeadPlace{1, 1});  // self
  s.ui.click("roles/filter/role");
  s.ui.frames(2);
  s.ui.click("roles/filter/role/previous token");
  s.ui.frames(3);
  REQUIRE(s.rows().size() == 1);
  CHECK(s.rows()[0] == HeadPlace{0, 2});
  s.ui.click("roles/filter/none");
  s.ui.frames(2);
  CHECK(s.rows().size() == 16);
  s.ui.click("roles/filter/layer");
  s.ui.frames(2);
  s.ui.click("roles/filter/layer/2");
  s.ui.frames(3);
  REQUIRE(s.rows().size() == 8);
  for (const HeadPlace& place : s.rows()) CHECK(place.layer == 1);
  s.ui.click("roles/filter/text");
  s.ui.type("SELF");
  s.ui.settle();
  REQUIRE(s.rows().size() == 1);
  CHECK(s.rows()[0] == HeadPlace{1, 1});
  s.ui.type("x");  // nobody
  s.ui.settle();
  CHECK(s.rows().empty());
  CHECK_FALSE(s.notice().is_error);
  s.ui.click("roles/filter/none");
  s.ui.click("roles/filter/text");
  s.ui.type("2.3");
  s.ui.settle();
  REQUIRE(s.rows().size() == 1);
  CHECK(s.rows()[0] == HeadPlace{1, 2});
}

TEST_CASE("stack roles: the number of a head finds that head alone", "[app][roles][stack]") {
  HeadLabel label;
  label.name = label.full = "mixed";
  const auto left = [&](const HeadPlace& place, const char* text) {
    return is_left(label, place, {std::nullopt, "", text});
  };
  CHECK(left({1, 2}, "2.3"));
  CHECK_FALSE(left({11, 2}, "2.3"));
  CHECK(left({11, 2}, "layer 12 head 3"));
  CHECK(left({0, 0}, "MIX"));
  CHECK_FALSE(left({0, 0}, "prev"));
}

TEST_CASE("stack roles: names beside what chance gives, layer by layer", "[app][roles][stack]") {
  StackRolesSession untrained(small_stack(4));
  CHECK(untrained.app.made().of<RoleRows>().named == 0);
  StackRolesSession s(designed_in_two_layers());
  CHECK(s.app.made().of<RoleRows>().named == 2);
  // The name is the one that the layer's own table gives.
  s.ui.click("roles/layer/focus");
  s.settle_names();
  CHECK(s.roles().labels[2].brief == "prev 100 % here");
  s.set(act::GoTo{1, {}});
  s.settle_names();
  CHECK(s.roles().labels[1].brief == "self 100 % here");
  s.ui.click("roles/layer/all");
  s.settle_names();
  CHECK(s.app.made().of<RoleRows>().named == 2);
  s.set(s.state().threshold, 1);
  s.ui.frames(3);
  CHECK(s.app.made().of<RoleRows>().named <= 2);
}

TEST_CASE("stack roles: after random edits the rows are those of the document, pooled and not", "[app][roles][stack]") {
  Random random(31);
  StackRolesSession s(small_stack(3));
  int compared = 0;
  for (int step = 0; step < 25; ++step) {
    const bool one = s.document().layers.size() == 1;
    s.app.edit(one ? Edit{AddLayer{}, 0} : random_stack_edit(random, s.document()));
    s.set(s.state().over, step % 4 == 3 ? RolesOver::known : RolesOver::sentence);
    s.settle();
    if (s.document().layers.size() < 2) continue;
    std::size_t heads = 0;
    for (const Layer& layer : s.document().layers) heads += static_cast<std::size_t>(layer.heads);
    REQUIRE(s.rows().size() == heads);
    CHECK(s.view().layer < static_cast<int>(s.document().layers.size()));
    ++compared;
  }
  CHECK(compared > 15);
}

TEST_CASE("stack roles: while one layer is shown, nothing of the others is measured", "[app][roles][stack]") {
  StackRolesSession s(small_stack(3));
  REQUIRE(s.app.made().has<StackRoles>());
  s.ui.click("roles/layer/focus");
  s.ui.frames(2);
  CHECK_FALSE(s.app.made().has<StackRoles>());
  s.ui.click("roles/layer/all");
  s.ui.frames(2);
  CHECK(s.app.made().has<StackRoles>());
}
