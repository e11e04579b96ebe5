// What each head does, as a user meets it: the role table, the labels on the heads, the outlined relations.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "app/views/roles/roles_columns.h"
#include "app/views/shell/pages.h"
#include "core/document/edits/edit.h"
#include "core/io/file.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

// Eight designed heads; head 3 is a previous-token head.
Document designed() {
  return parse_document(R"({"hydrascope": 1, "sentence": "The animal didn't cross the street because it was too tired.",
      "embedding": {"kind": "features"}, "layers": [{"heads": 8, "weights": {"designs": [
      {"preset": "pronoun-antecedent"}, null, {"preset": "previous"}, {"preset": "uniform"}, {"preset": "punctuation"},
      null, {"preset": "self"}, {"preset": "first"}]}}]})",
                        "designed");
}

struct RolesSession : Session {
  explicit RolesSession(Document document = default_document(), ViewId shown = ViewId::roles,
                        ImVec2 size = {1600, 1000})
      : Session(std::move(document), size) {
    set(view().view, shown);
    settle();
  }
  void settle() {
    ui.frames(1);
    app.finish_names();
    ui.frames(3);
  }
  void on_this_sentence() {
    set(view().roles.over, RolesOver::sentence);
    settle();
  }
  const HeadLabel& full_label(int head) { return roles().labels[static_cast<std::size_t>(head)]; }
  std::string sentence(int head) {
    std::string all;
    for (const std::string& line : role_lines(full_label(head)))
      if (!line.empty()) all += (all.empty() ? "" : "; ") + line;
    return all;
  }
  const RoleTable& table() { return *roles().table; }
  std::string label(int head) { return roles().labels[static_cast<std::size_t>(head)].brief; }
  std::string label_of_key(const char* key) {
    for (int h = 0; h < 8; ++h)
      if (role_key(roles().labels[static_cast<std::size_t>(h)].role) == key) return label(h);
    return "";
  }
};

}  // namespace

TEST_CASE("roles view: heads are rows, measures are columns, only marked relations", "[app][roles]") {
  RolesSession s;
  CHECK(s.ui.exists("roles/column/relative-clause"));
  s.on_this_sentence();
  for (const char* key : {"removal", "entropy_bits", "entropy_fraction", "confidence", "mean_distance", "positional",
                          "previous_token", "next_token", "self", "first_token", "offset_profile", "punctuation",
                          "same_word", "induction", "rarest_word", "semantic", "coreference", "subject-verb"}) {
    CAPTURE(key);
    CHECK(s.ui.exists(std::string("roles/column/") + key));
    CHECK(s.ui.exists(std::string("roles/cell/8/") + key));
  }
  CHECK_FALSE(s.ui.exists("roles/column/relative-clause"));  // the sentence has none
  const UiDriver::Rect first = s.ui.rect("roles/head/1"), second = s.ui.rect("roles/head/2");
  CHECK(second.min.y >= first.max.y - 0.5f);
}

TEST_CASE("roles view: in a presentation each page is seen whole, and together they are the table", "[app][roles]") {
  RolesSession s(default_document(), ViewId::roles, {1280, 800});
  const auto columns = [&] {
    std::set<std::string> all;
    for (const std::string& name : s.ui.names())
      if (name.rfind("roles/column/", 0) == 0) all.insert(name);
    for (const char* heads : {"head", "role"}) all.erase(std::string("roles/column/") + heads);  // over no number
    return all;
  };
  const std::set<std::string> all = columns();
  CHECK_FALSE(s.ui.exists("roles/page/more"));
  s.set(s.view().presentation, true);
  s.settle();
  std::set<std::string> together;
  REQUIRE(s.app.hands().of<PagesDrawn>().of_roles > 1);
  for (int page = 0; page < s.app.hands().of<PagesDrawn>().of_roles; ++page) {
    CHECK(s.view().roles.page == page);
    const std::set<std::string> shown = columns();
    together.insert(shown.begin(), shown.end());
    for (const std::string& column : shown)
      for (Index head = 1; head <= s.layer().heads; ++head) {
        const std::string key = column.substr(std::string("roles/column/").size());
        CAPTURE(key, head);
        const auto cell = s.ui.seen("roles/cell/" + std::to_string(head) + "/" + key);
        REQUIRE(cell);
        CHECK(cell->max.y - cell->min.y > s.app.fonts().mono->FontSize);
      }
    s.ui.key(key::period);
    s.ui.frames(3);
  }
  CHECK(together == all);
  CHECK(s.view().roles.page == 0);
}

TEST_CASE("roles view: the table belongs to the document after every edit", "[app][roles]") {
  RolesSession s;
  const auto expect = [&] {
    RoleTables fresh;
    const RoleTable table = s.view().roles.over == RolesOver::known
                                ? fresh.pooled(s.document(), 0, s.app.sentences().marked)
                                : fresh.of_sentence(s.app.trace(), 0, s.app.sentences().marked, &s.layer());
    REQUIRE(s.table().heads.size() == table.heads.size());
    for (std::size_t h = 0; h < table.heads.size(); ++h) {
      CHECK(s.table().heads[h][head_number::confidence] == table.heads[h][head_number::confidence]);
      CHECK(s.table().heads[h][head_number::removal] == table.heads[h][head_number::removal]);
    }
    CHECK(s.table().chance[head_number::confidence] == table.chance[head_number::confidence]);
  };
  expect();
  s.on_this_sentence();
  expect();
  s.ui.click("model/reroll");
  s.settle();
  expect();
  s.ui.click("model/mask/causal");
  s.settle();
  expect();
  CHECK(s.table().heads[0].pattern(TokenPattern::next).rows == 0);
  s.ui.click("model/heads/4");
  s.settle();
  CHECK(s.table().heads.size() == 4);
  expect();
}

TEST_CASE("roles view: a click on a row focuses the head, on a column sorts by it", "[app][roles]") {
  RolesSession s;
  s.ui.click("roles/cell/5/confidence");
  CHECK(s.view().focused_head == 4);
  s.ui.click("roles/head/2");
  CHECK(s.view().focused_head == 1);
  s.ui.click("roles/column/confidence");
  REQUIRE(s.view().roles.sorted);
  s.ui.frames(2);
  int highest = 0;
  for (int h = 1; h < 8; ++h)
    if (s.table().heads[static_cast<std::size_t>(h)][head_number::confidence] >
        s.table().heads[static_cast<std::size_t>(highest)][head_number::confidence])
      highest = h;
  const float top = s.ui.rect("roles/head/" + std::to_string(highest + 1)).min.y;
  for (int h = 1; h <= 8; ++h) CHECK(s.ui.rect("roles/head/" + std::to_string(h)).min.y >= top);
  s.ui.click("roles/column/confidence");
  CHECK_FALSE(s.view().roles.sorted);
}

TEST_CASE("roles view: designed heads are called after their jobs, untrained ones are mixed", "[app][roles]") {
  RolesSession untrained;
  for (int h = 0; h < 8; ++h) CHECK(untrained.label(h) == "mixed");
  CHECK_THAT(untrained.full_label(0).evidence, Catch::Contains("nearest is ") && Catch::Contains("8 random heads"));
  RolesSession s(designed());
  CHECK(s.label(2) == "prev 100 %");
  CHECK_THAT(s.full_label(0).full, Catch::Contains("pronoun to antecedent 0.") && Catch::Contains(" to ") &&
                                       Catch::Contains("on 20 rows of 40 sentences"));
  CHECK(s.label(3) == "uniform 1.00");
  CHECK(s.label(6) == "self 100 %");
  CHECK(role_key(s.roles().labels[0].role) == "coreference");
  CHECK(role_key(s.roles().labels[4].role) == "punctuation");
  CHECK(role_key(s.roles().labels[7].role) == "first_token");
}

TEST_CASE("roles view: the threshold decides what is a role, but random heads have none at any", "[app][roles]") {
  RolesSession s(designed());
  const auto named = [](RolesSession& session) {
    int count = 0;
    for (int h = 0; h < 8; ++h) count += session.label(h) != "mixed";
    return count;
  };
  const int before = named(s);
  s.ui.drag("roles/threshold", 300, 0);
  CHECK(s.view().roles.threshold == Approx(1).margin(1e-6));
  s.ui.frames(2);
  CHECK(named(s) < before);
  RolesSession untrained;
  untrained.ui.drag("roles/threshold", -200, 0);
  CHECK(untrained.view().roles.threshold == Approx(0).margin(1e-6));
  untrained.ui.frames(2);
  CHECK(named(untrained) == 0);
}

TEST_CASE("roles view: one sentence is little evidence, and says so", "[app][roles]") {
  RolesSession s(designed());
  s.on_this_sentence();
  CHECK(s.label(0) == "mixed");  // "it" is the only pronoun
  CHECK(s.full_label(0).wider == "mixed: coref 1.00, 1 row");
  CHECK_THAT(s.full_label(0).evidence,
             Catch::Contains("pronoun to antecedent 1.00 on 1 row (a name needs 3); the best of 8 random heads"));
  CHECK(s.label(2) == "prev 100 % here");  // on 11 rows
}

TEST_CASE("roles view: heads keep their names in other views while Roles looks at this sentence alone",
          "[app][roles]") {
  RolesSession s(designed());
  const std::string name = s.label(0);
  CHECK(name.starts_with("coref"));
  s.on_this_sentence();
  CHECK(s.label(0) == "mixed");
  s.set(s.view().view, ViewId::heads);
  s.settle();
  CHECK(s.label(0) == name);
  s.set(s.view().view, ViewId::roles);
  s.settle();
  CHECK(s.label(0) == "mixed");
}

TEST_CASE("roles view: while the class guesses, no view tells a head's name or what its removal changes",
          "[app][roles]") {
  RolesSession s(designed(), ViewId::flow);
  const std::vector<std::pair<ViewId, std::string>> told{
      {ViewId::flow, "flow/role"}, {ViewId::heads, "heads/role"}, {ViewId::heads, "inspector/role"}};
  const auto check = [&](bool shown) {
    for (const auto& [view, name] : told) {
      s.set(s.view().view, view);
      s.settle();
      CAPTURE(name, shown);
      CHECK(s.ui.exists(name) == shown);
    }
    s.set(s.view().view, ViewId::mixing);
    s.set(s.view().mixing.page, MixingPage::shares);
    s.settle();
    CHECK(s.ui.exists("mixing/guess") == !shown);
    CHECK(s.ui.exists("mixing/removal") == shown);
  };
  check(true);
  s.ui.key(key::letter('q'));
  check(false);
  s.ui.key(key::letter('q'));
  check(true);
}

TEST_CASE("roles view: while the class guesses, only shapes are told, and no order or tip tells the rest",
          "[app][roles]") {
  RolesSession s(designed());
  s.set(s.view().roles.sorted, 0);  // removal
  s.settle();
  const auto first = [&] {
    std::pair<float, int> top{1e9f, 0};
    for (int head = 1; head <= 8; ++head)
      top = std::min(top, {s.ui.rect("roles/head/" + std::to_string(head)).min.y, head});
    return top.second;
  };
  REQUIRE(first() != 1);
  const auto hidden = [&](const std::string& key) { return s.ui.exists("roles/hidden/1/" + key); };
  for (const char* key : {"removal", "coreference", "previous_token", "entropy_bits"}) CHECK_FALSE(hidden(key));
  s.ui.key(key::letter('q'));
  s.settle();
  for (const RoleColumn& column : role_columns())
    if (s.ui.exists("roles/cell/1/" + column.key)) {
      CAPTURE(column.key);
      CHECK(hidden(column.key) == (column.group != RoleGroup::shape));
    }
  CHECK(first() == 1);
  s.ui.key(key::letter('q'));
  s.settle();
  CHECK(first() != 1);
}

TEST_CASE("roles view: a designed head says where it is bold though nothing was asked", "[app][roles]") {
  RolesSession s(designed());
  CHECK_THAT(s.full_label(0).bold, Catch::Contains("rows where nothing was asked it attends boldly"));
  CHECK(s.full_label(2).bold.empty());  // every token but the first has one before it
  CHECK_THAT(s.sentence(0), Catch::Contains("; removing it") && Catch::Contains("nothing was asked"));
  s.on_this_sentence();
  CHECK(s.table().unasked[0].rows == 11);
}

TEST_CASE("roles: the status line says of a bold row that nothing was asked in it", "[app][roles]") {
  RolesSession s(designed(), ViewId::heads);
  const MatView<float> attention = *s.head(0).attention;
  const int pronoun = 7;
  int bold = 0;
  for (int i = 0; i < static_cast<int>(attention.rows()); ++i) {
    s.open({{Quantity::attention, 0, 0}, i, 0});
    const bool expected = i != pronoun && attention.row(i).maxCoeff() > 0.5f;
    CAPTURE(i);
    CHECK(s.ui.exists("status/unasked") == expected);
    bold += expected;
  }
  CHECK(bold == 6);
  s.open({{Quantity::attention, 0, 1}, 0, 0});  // not designed
  CHECK_FALSE(s.ui.exists("status/unasked"));
}

TEST_CASE("roles view: until random layers are measured nothing has a name", "[app][roles]") {
  RolesSession s(designed());
  s.ui.click("model/mask/causal");
  s.ui.frames(2);
  s.app.finish_evaluation();
  s.ui.frames(1);
  if (!s.table().bounds) {  // or this machine was quicker
    CHECK(s.label(0) == "measuring");
    CHECK(s.full_label(0).role.kind == Role::Kind::mixed);
  }
  s.settle();
  REQUIRE(s.table().bounds);
  CHECK(s.label(2) == "prev 100 %");
  s.ui.click("model/mask/none");
  s.ui.frames(2);
  s.app.finish_evaluation();
  s.ui.frames(1);
  CHECK(s.table().bounds);  // known from before
}

TEST_CASE("roles view: pooled over all marked sentences, and back", "[app][roles]") {
  RolesSession s(designed());
  s.ui.click("roles/this");
  s.settle();
  const Index rows = s.table().heads[0].rows;
  s.ui.click("roles/all");
  s.settle();
  CHECK(s.table().sentences.size() == s.app.sentences().marked->size());
  CHECK(s.table().heads[0].rows > 20 * rows);
  CHECK(s.label(2) == "prev 100 %");
  CHECK(s.ui.exists("roles/column/relative-clause"));
  s.ui.click("roles/this");
  s.settle();
  CHECK(s.table().heads[0].rows == rows);
}

TEST_CASE("roles view: what cannot be pooled says so, and shows this sentence", "[app][roles]") {
  Document document = default_document();
  document.embedding.X = Session().app.trace().X;
  document.embedding.kind = Embedding::Kind::explicit_values;
  RolesSession s(document);
  CHECK(s.ui.exists("roles/fault"));
  CHECK_THAT(s.roles().fault, Catch::Contains("gives X itself"));
  CHECK(s.table().sentences.empty());
  s.ui.click("roles/this");
  s.settle();
  CHECK_FALSE(s.ui.exists("roles/fault"));
}

TEST_CASE("roles view: 96 heads scroll under their header", "[app][roles]") {
  RolesSession s(hydra::apply(hydra::apply(default_document(), SetModelWidth{96}), SetHeads{96}), ViewId::roles,
                 {1280, 800});
  CHECK(s.table().heads.size() == 96);
  CHECK_FALSE(s.ui.exists("roles/head/96"));
  const UiDriver::Rect header = s.ui.rect("roles/column/coreference");  // of the first band
  for (int k = 0; k < 40; ++k) s.ui.wheel("roles/head/1", -5), k += !s.ui.exists("roles/head/1") ? 40 : 0;
  CHECK(s.ui.rect("roles/column/coreference").min.y == header.min.y);
}

TEST_CASE("roles: the label and the removal stand on the head in every view", "[app][roles]") {
  RolesSession s(designed(), ViewId::heads);
  for (int h = 1; h <= 8; ++h) CHECK(s.ui.exists("heads/role/" + std::to_string(h)));
  CHECK(s.ui.exists("heads/role"));
  CHECK(s.ui.exists("inspector/role"));  // W_Q of head 1
  s.set(s.view().view, ViewId::flow);
  s.ui.frames(3);
  CHECK(s.ui.exists("flow/role"));
  CHECK(s.ui.exists("flow/role/3"));
  CHECK_THAT(s.sentence(2),
             Catch::Contains(
                 "previous token in 100 % (99 % to 100 %) of 417 rows of 40 sentences; the best of 8 random heads") &&
                 Catch::Contains("; removing it changes Y by"));
}

TEST_CASE("roles: relations that the sentence is marked with are outlined, one at a time", "[app][roles]") {
  RolesSession s(designed(), ViewId::heads);
  CHECK_FALSE(s.ui.exists("heads/relation/relative-clause"));
  s.ui.click("heads/relation/coreference");
  CHECK(s.view().shown_relation == Relation::coreference);
  s.ui.frames(2);
  CHECK(s.ui.exists("heads/unresolved"));  // no single layer can tell tired from wide
  s.ui.click("heads/relation/determiner-noun");
  CHECK(s.view().shown_relation == Relation::determiner_noun);
  s.ui.frames(2);
  CHECK_FALSE(s.ui.exists("heads/unresolved"));
  s.ui.click("heads/relation/determiner-noun");
  CHECK_FALSE(s.view().shown_relation);
}

TEST_CASE("roles: a sentence without marks has no relations to outline", "[app][roles]") {
  RolesSession s(hydra::apply(default_document(), SetSentence{"Nothing here is marked."}), ViewId::heads);
  for (const std::string& name : s.ui.names()) CHECK(name.find("heads/relation/") == std::string::npos);
  CHECK(s.app.sentences().marks == nullptr);
}

TEST_CASE("role columns: every measure of a head has one, once", "[app][roles]") {
  for (const HeadMeasure* measure : kHeadMeasures) {
    CAPTURE(measure->key);
    CHECK(std::ranges::count(role_columns(), measure, &RoleColumn::number) == 1);
  }
}

TEST_CASE("roles view: what is said of heads as they were a moment ago says so, until the edit is measured",
          "[app][roles]") {
  RolesSession s;
  RolesMeasure::Result result;
  result.table = s.roles().table;
  Measured<RolesMeasure> measured;
  measured.value = std::make_shared<const RolesMeasure::Result>(result);
  HeadRoles roles;
  const auto all_older = [&](bool older) {
    return std::ranges::all_of(roles.labels, [&](const HeadLabel& label) {
      return label.older == older && role_lines(label).back().empty() != older;
    });
  };
  CHECK(renew(roles, measured, 0.5));
  CHECK(all_older(false));
  measured.older = true;
  CHECK(renew(roles, measured, 0.5));
  CHECK_FALSE(renew(roles, measured, 0.5));
  CHECK(all_older(true));
  measured.older = false;
  CHECK(renew(roles, measured, 0.5));
  CHECK(all_older(false));
}
