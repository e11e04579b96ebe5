// Named features, the head designer and the untrained/designed switch as a user meets them, driven by name.
#include <catch2/catch.hpp>

#include "core/analysis/forms.h"
#include "core/document/edits/edit.h"
#include "core/document/models.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "tests/support/session.h"

using namespace hydra;

namespace {

Document featured() { return apply(default_document(), SetEmbedding{Embedding::Kind::features, 1}); }

struct DesignSession : Session {
  explicit DesignSession(const Document& document = featured(), ImVec2 size = {1600, 1000}) : Session(document, size) {
    ui.key(key::letter('d'));
    ui.frames(2);
  }
  const std::optional<HeadDesign>& design(int head) const {
    return layer().source.designs.at(static_cast<std::size_t>(head));
  }
};

int feature(const char* name) { return Lexicon::standard().feature(name); }

}  // namespace

TEST_CASE("design view: a preset makes real weights, which the sentence shows at once", "[app][design]") {
  DesignSession s;
  s.ui.click("design/preset/previous");
  REQUIRE(s.design(0));
  CHECK(s.design(0)->preset == HeadPreset::previous);
  CHECK((*s.head(0).attention)(5, 4) > 0.9f);
  CHECK(s.app.history().steps() == 1);
  s.ui.key(key::letter('z'), true);
  CHECK(s.layer().source.designs.empty());
  CHECK((*s.head(0).attention)(5, 4) < 0.5f);
}

TEST_CASE("design view: query looks like, key looks like, sharpness, carries", "[app][design]") {
  DesignSession s;
  s.ui.click("design/ask/0/query");
  s.ui.click("design/feature/verb");
  s.ui.key(key::escape);
  s.ui.click("design/ask/0/key");
  s.ui.click("design/feature/noun");
  s.ui.key(key::escape);
  REQUIRE(s.design(0));
  REQUIRE(s.design(0)->asks.size() == 1);
  CHECK(s.design(0)->asks[0].query == std::vector<FeatureWeight>{{"verb", 1}});
  CHECK(s.design(0)->asks[0].key == std::vector<FeatureWeight>{{"noun", 1}});
  const Mat<float> form = form_of(s.app.trace(), {Quantity::query_key, 0, 0});
  CHECK(form(feature("verb"), feature("noun")) > 0);
  CHECK((form.array() != 0).count() == 1);

  const std::size_t steps = s.app.history().steps();
  s.ui.drag("design/sharpness", 30, 0);
  CHECK(s.app.history().steps() == steps + 1);  // one drag, one step
  const float sharp = form_of(s.app.trace(), {Quantity::query_key, 0, 0})(feature("verb"), feature("noun"));
  CHECK(sharp != form(feature("verb"), feature("noun")));
  s.ui.click("design/carries/nothing");
  CHECK((s.weights().W_V->leftCols(8).array() == 0).all());
  s.ui.click("design/preset/random");
  CHECK(same_document(s.document(), featured()));
}

TEST_CASE("design view: an entry of the bilinear form is edited, and the weights follow", "[app][design]") {
  DesignSession s(apply(featured(), DesignHead{0, preset_design(HeadPreset::punctuation)}));
  const Index any = feature("any"), noun = feature("noun");
  const Index count = s.app.trace().layout->features;
  s.ui.click(s.ui.rect("design/asks").cell(any, noun, count, count));
  const Cell cell{{Quantity::query_key, 0, 0}, any, noun};
  CHECK(s.selection() == cell);
  s.ui.frames(3);
  s.ui.double_click("inspector/cell/" + std::to_string(any) + "," + std::to_string(noun));
  s.ui.key('A', true);
  s.ui.type("40");
  s.ui.key(key::enter);
  CHECK(form_of(s.app.trace(), cell.site)(any, noun) == Approx(40));
  CHECK(s.app.history().steps() == 1);
}

TEST_CASE("design view: U switches between untrained and designed", "[app][design]") {
  const Document designed = apply(featured(), DesignHead{0, preset_design(HeadPreset::previous)});
  DesignSession s(designed);
  const auto is_seeded = [&] {
    const Layer& layer = s.document().layers.front();
    return layer.source.designs.empty() &&
           *s.weights().W_Q == *weights_of(layer.source, layer, s.document().d_model).W_Q;
  };
  s.ui.key(key::letter('u'));
  CHECK(is_seeded());
  s.ui.key(key::letter('u'));
  CHECK(*s.weights().W_Q == *designed.layers[0].weights.W_Q);
  s.ui.click("model/untrained");
  CHECK(is_seeded());
}

TEST_CASE("design view: a head cut anew can be designed, and taken from the seed", "[app][design]") {
  DesignSession s(apply(featured(), DesignHead{1, preset_design(HeadPreset::punctuation)}));
  s.ui.click("model/heads/4");
  REQUIRE(s.trace().heads.size() == 4);
  s.ui.click("design/preset/random");  // head 1 of 4 holds what was head 2 of 8
  CHECK(*s.weights().W_Q == *featured().layers[0].weights.W_Q);
  s.ui.click("design/preset/next");
  CHECK(s.layer().source.designs.size() == 4);
  CHECK((*s.head(0).attention)(3, 4) > 0.9f);
}

TEST_CASE("design view: without named features it says so and offers them", "[app][design]") {
  DesignSession s(default_document());
  s.ui.click("design/use_features");
  CHECK(s.document().embedding.kind == Embedding::Kind::features);
  CHECK_FALSE(s.ui.exists("design/use_features"));
  DesignSession narrow(apply(default_document(), SetModelWidth{16}));
  CHECK_FALSE(narrow.ui.exists("design/preset/previous"));
}

TEST_CASE("design view: of columns without names there are no forms, but the designed model", "[app][design]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1600, 1000});
  DesignSession s(opening_document(), size);
  REQUIRE(kind_of(s.document()) == ModelKind::trained);
  CHECK(s.ui.exists("design/not_designed"));
  CHECK_FALSE(s.ui.exists("design/asks"));
  const UiDriver::Rect pattern = s.ui.rect("design/attention");
  CHECK(pattern.max.x - pattern.min.x > 200);
  CHECK(pattern.min.y > s.ui.rect("design/twin").max.y);
  s.ui.click("design/twin");
  s.settle();
  CHECK(kind_of(s.document()) == ModelKind::designed);
  CHECK(s.ui.exists("design/asks"));
  CHECK_FALSE(s.ui.exists("design/not_designed"));
}

TEST_CASE("design view: a guessed word is marked and can be corrected", "[app][design]") {
  DesignSession s(apply(featured(), SetSentence{"The blorp slept."}));
  CHECK(known_words(s.app.trace()).known() == 3);
  CHECK_FALSE(known_words(s.app.trace()).knows(1));
  s.ui.click("words");
  CHECK(s.view().shown_word == "blorp");
  const bool was = has_feature(s.app.trace().words[1].features, feature("animate"));
  s.ui.click("words/feature/animate");
  REQUIRE(s.document().embedding.words.count("blorp"));
  CHECK(has_feature(s.app.trace().words[1].features, feature("animate")) != was);
  CHECK(((*s.app.trace().X)(1, feature("animate")) == 1) != was);
  CHECK(known_words(s.app.trace()).all());
  s.ui.click("words/reset");
  CHECK(s.document().embedding.words.empty());
}

TEST_CASE("design view: in a presentation the names that matter are as large as other words, and apart",
          "[app][design]") {
  for (const bool writes : {false, true}) {
    Session s(parse_document(R"({"hydrascope": 1, "sentence": "The cat sat on the mat because it was soft.",
        "embedding": {"kind": "features"}, "layers": [{"weights": {"designs": [{"asks": [{"query": ["pronoun"],
        "key": ["noun"]}, {"query": ["plural"], "key": ["plural", "singular"]}, {"query": ["singular"], "key": ["plural"]}],
        "carries": "nothing", "writes": [{"reads": ["noun"], "writes": ["object", "place"]},
        {"reads": ["verb"], "writes": ["female"]}]}]}}]})",
                             "designed"),
              {1280, 800});
    s.set(s.view().view, ViewId::design);
    s.set(s.view().presentation, true);
    s.set(s.view().design.writes, writes);
    s.ui.frames(4);
    const std::string form = writes ? "design/writes" : "design/asks";
    const float high = s.app.fonts().small->FontSize;
    for (const char* side : {"/row/", "/column/"}) {
      std::vector<UiDriver::Rect> names;
      for (const std::string& name : s.ui.names())
        if (name.rfind(form + side, 0) == 0) names.push_back(*s.ui.seen(name));
      REQUIRE(names.size() > 1);
      std::ranges::sort(names, {}, [](const UiDriver::Rect& r) { return r.min.y + r.min.x; });
      for (std::size_t k = 0; k < names.size(); ++k) {
        CAPTURE(form, side, k);
        CHECK(names[k].max.y - names[k].min.y > 0.95f * high);
        if (k == 0) continue;
        if (side[1] == 'r')
          CHECK(names[k].min.y >= names[k - 1].max.y - 1);
        else
          CHECK(names[k].min.x >= names[k - 1].min.x + 0.9f * high);
      }
    }
  }
}

TEST_CASE("design view: nothing collides or leaves the window at any size", "[app][design]") {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1600, 1000}, ImVec2{1920, 1080}}) {
    DesignSession s(apply(featured(), DesignHead{0, preset_design(HeadPreset::verb_subject)}), size);
    const UiDriver::Rect form = s.ui.rect("design/asks"), pattern = s.ui.rect("design/attention");
    INFO(size.x);
    CHECK(form.max.x - form.min.x > 200);
    CHECK((pattern.min.y > form.max.y || pattern.min.x > form.max.x));
    CHECK(pattern.max.y < size.y);
  }
}

TEST_CASE("design view: the attention of forty words is a picture, not a stamp", "[app][design]") {
  std::string sentence;
  for (int k = 0; k < 40; ++k) sentence += (k > 0 ? " the" : "the");
  for (const ImVec2 size : {ImVec2{1280, 800}, {1600, 1000}, {1920, 1080}}) {
    CAPTURE(size.x);
    DesignSession s(apply(featured(), SetSentence{sentence}), size);
    REQUIRE(s.trace().input.n() == 40);
    REQUIRE(s.ui.exists("design/attention"));
    const UiDriver::Rect at = s.ui.rect("design/attention");
    CHECK(at.max.y - at.min.y >= 40 * 4);
  }
}

TEST_CASE("design view: what is read there is written here, and a word goes into the slot", "[app][design]") {
  Document document = featured();
  document.embedding.slot = true;
  DesignSession s(document);
  s.ui.click("design/write/add");
  s.ui.click("design/write/0/reads");
  s.ui.click("design/feature/verb");
  s.ui.key(key::escape);
  s.ui.click("design/write/0/writes");
  s.ui.click("design/feature/object");
  s.ui.key(key::escape);
  s.ui.click("design/carries/word-to-slot");
  REQUIRE(s.design(0));
  CHECK(s.design(0)->writes == std::vector<Write>{{{{"verb", 1}}, {{"object", 1}}, 1}});
  const Mat<float> form = form_of(s.app.trace(), {Quantity::value_output, 0, 0});
  const FeatureLayout& layout = *s.app.trace().layout;
  CHECK(form(feature("verb"), feature("object")) == Approx(1));
  CHECK(form(layout.identity_at(), layout.slot_at()) == Approx(1));
  s.ui.drag("design/write/0/strength", 40, 0);
  CHECK(form_of(s.app.trace(), {Quantity::value_output, 0, 0})(feature("verb"), feature("object")) > 1.05f);
  s.ui.drag("design/slot_word", 30, 0);
  CHECK(s.design(0)->slot_word != 0);
  s.ui.click("design/write/0/remove");
  CHECK(s.design(0)->writes.empty());
  DesignSession without;
  CHECK_FALSE(without.ui.exists("design/slot_word"));
  CHECK_FALSE(without.ui.exists("design/carries/word-to-slot"));
}

TEST_CASE("design view: heads of a later layer are designed like those of the first", "[app][design]") {
  const Document document = apply(featured(), {AddLayer{}, 0});
  DesignSession s(document);
  s.ui.key(key::page_down);
  s.ui.click("design/preset/previous");
  CHECK(s.document().layer(0).source.designs.empty());
  REQUIRE(s.document().layer(1).source.designs.size() == 8);
  CHECK(s.document().layer(1).source.designs[0]->preset == HeadPreset::previous);
}
