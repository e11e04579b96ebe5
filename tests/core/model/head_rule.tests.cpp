// What heads have of their own: in documents, in edits, and what is wrong.
#include "core/model/head_rule.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/explain.h"
#include "core/io/file.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

// Three tokens and four heads.
Document ruled(const std::string& layer) {
  return parse_document(
      R"({"hydrascope": 1, "tokens": ["a", "b", "c"], "d_model": 8, "layers": [{"heads": 4, )" + layer + "}]}", "f");
}

const char* const kLocalAndGlobal =
    R"("mask": "causal", "window": 2, "own": [{"head": 0, "mask": "causal"}, {"head": 2, "mask": "none", "temperature": 0.5},
       {"head": 3, "window": 1}])";

SetHeadRule rule(Index head, std::optional<Mask::Kind> mask, std::optional<Index> window = {},
                 std::optional<double> temperature = {}) {
  return {{head, mask, window, temperature}};
}

}  // namespace

TEST_CASE("head rules: a document says them, and says them again", "[rules][io]") {
  const Document document = ruled(kLocalAndGlobal);
  const Layer& layer = document.layers.front();
  CHECK(layer.seen_by(0) == Mask{Mask::Kind::causal, nullptr});  // its own mask has no window
  CHECK(layer.seen_by(1) == Mask{Mask::Kind::causal, nullptr, 2});
  CHECK(layer.seen_by(2) == Mask{});
  CHECK(layer.seen_by(3) == Mask{Mask::Kind::causal, nullptr, 1});
  CHECK(layer.terms()[2].temperature == 0.5);
  CHECK(!layer.all_causal());
  const std::string text = document_text(document);
  CHECK_THAT(text,
             Contains(R"("own": [{"head": 0, "mask": "causal"}, {"head": 2, "mask": "none", "temperature": 0.5}, )"
                      R"({"head": 3, "window": 1}])"));
  CHECK(same_document(parse_document(text, "f"), document));
  CHECK_THAT(document_text(default_document()), !Contains("own"));
  // In any order, and sorted.
  const Document turned = ruled(R"("own": [{"head": 3, "temperature": 2}, {"head": 1, "temperature": 3}])");
  CHECK(turned.layers.front().own.front().head == 1);
}

TEST_CASE("head rules: what is wrong in a file is said with its place and a remedy", "[rules][io]") {
  const auto refused = [](const std::string& own, const std::string& place, const std::string& word,
                          const std::string& before = R"("mask": "causal", )") {
    CHECK_THROWS_WITH(ruled(before + R"("own": )" + own), fault_at("f: /layers/0/own" + place, word));
  };
  refused("3", "", "an array of what heads have of their own");
  refused("[3]", "/0", "object");
  refused(R"([{"mask": "none"}])", "/0", "no \"head\"");
  refused(R"([{"head": 4, "mask": "none"}])", "/0/head", "from 0 to 3");
  refused(R"([{"head": 0}])", "/0", "nothing of its own");
  refused(R"([{"head": 1, "temperature": 2}, {"head": 1, "mask": "none"}])", "/1/head", "once more");
  refused(R"([{"head": 0, "mask": [[1]]}])", "/0/mask", "\"none\" or \"causal\"");
  refused(R"([{"head": 0, "window": 0}])", "/0", "must be from 1 to 4096");
  refused(R"([{"head": 0, "mask": "none", "window": 3}])", "/0", "is of a causal mask");
  refused(R"([{"head": 0, "window": 3}])", "/0", "is of a causal mask", "");
  refused(R"([{"head": 0, "temperature": 0}])", "/0", "from 0.01 to 100");
  refused(R"([{"head": 0, "temperature": -1}])", "/0", "from 0.01 to 100");
  refused(R"([{"head": 0, "colour": 1}])", "/0/colour", "not known");
  refused(R"([{"head": 0, "mask": "none"}])", "/0", "ALiBi", R"("mask": "causal", "alibi": true, )");
  refused(R"([{"head": 0, "mask": "causal"}])", "/0", "heads that talk", R"("talking_heads": "both", )");
}

TEST_CASE("head rules: edits set them, say so, and take them back", "[rules][edits]") {
  const Document plain = ruled(R"("mask": "causal")");
  Document document = hydra::apply(plain, rule(1, Mask::Kind::none, {}, 0.5));
  CHECK(document.layers.front().own == HeadRules{{1, Mask::Kind::none, {}, 0.5}});
  CHECK(describe(rule(1, Mask::Kind::none, {}, 0.5)) == "head 2: no mask, T = 0.5");
  CHECK(describe(rule(0, {}, 4)) == "head 1: window 4");
  CHECK(describe(rule(2, {})) == "head 3 as its layer");
  document = hydra::apply(document, rule(0, {}, 4));
  CHECK(document.layers.front().own.size() == 2);
  CHECK(document.layers.front().own.front().head == 0);
  document = hydra::apply(document, rule(1, {}));
  CHECK(document.layers.front().own == HeadRules{{0, {}, 4, {}}});
  CHECK(same_document(hydra::apply(document, rule(0, {})), plain));
  CHECK_THROWS_WITH(hydra::apply(plain, rule(4, Mask::Kind::none)), Contains("head 5"));
  CHECK_THROWS_WITH(hydra::apply(plain, rule(0, Mask::Kind::custom)), Contains("drawn by hand"));
  // What a head has of its own is not taken away by a switch: it is said.
  document = hydra::apply(hydra::apply(plain, rule(0, Mask::Kind::none, {}, 2)), rule(1, {}, 3));
  CHECK_THROWS_WITH(hydra::apply(document, SetSetting{LayerSetting::alibi, 1}), Contains("ALiBi"));
  CHECK_THROWS_WITH(hydra::apply(document, SetSetting{LayerSetting::talking_heads, 1}), Contains("heads that talk"));
  CHECK(one_gesture(rule(0, {}, 4), rule(0, {}, 5)));
  CHECK(!one_gesture(rule(0, {}, 4), rule(1, {}, 4)));
}

TEST_CASE("head rules: other edits keep what still means something", "[rules][edits]") {
  Document document = ruled(kLocalAndGlobal);
  CHECK(hydra::apply(document, SetMask{{Mask::Kind::none, nullptr}}).layers.front().own ==
        HeadRules{{0, Mask::Kind::causal, {}, {}}, {2, Mask::Kind::none, {}, 0.5}});  // no window without a causal mask
  CHECK(hydra::apply(document, SetHeads{2}).layers.front().own == HeadRules{{0, Mask::Kind::causal, {}, {}}});
  CHECK(hydra::apply(document, SetHeadSizes{3, 2}).layers.front().own.size() == 2);
  CHECK(hydra::apply(document, SetHeads{8}).layers.front().own == document.layers.front().own);
  CHECK(hydra::apply(document, AddLayer{}).layers.back().own == document.layers.front().own);
  // Rows that are set by hand go where the head's own mask forbids them, and only there.
  document = hydra::apply(document, rule(3, Mask::Kind::none));
  for (const Index head : {2, 3})
    document = hydra::apply(document, PaintAttention{head, 0, share(RowVec<float>(RowVec<float>::Ones(3)))});
  CHECK_THROWS_AS(hydra::apply(document, PaintAttention{1, 0, share(RowVec<float>(RowVec<float>::Ones(3)))}),
                  InputError);
  document = hydra::apply(document, rule(3, Mask::Kind::causal));
  CHECK(document.layers.front().painted[3].empty());
  CHECK(!document.layers.front().painted[2].empty());
}

TEST_CASE("head rules: the arithmetic of a score names the head's own temperature and mask", "[rules][explain]") {
  const auto trace = evaluate(ruled(kLocalAndGlobal));
  const auto texts = [&](int head, Index row, Index col) {
    std::string all;
    for (const Step& step : explain(*trace, {{Quantity::scores, 0, head}, row, col}).steps) all += step.text + "\n";
    return all;
  };
  CHECK_THAT(texts(2, 0, 2), Contains("temperature of head 3, which is its own") && !Contains("plus the mask"));
  CHECK_THAT(texts(0, 2, 0), Contains("plus the mask") && !Contains("temperature"));
  CHECK_THAT(texts(1, 2, 0), Contains("the mask hides"));
  CHECK(explain(*trace, {{Quantity::attention, 0, 3}, 1, 0}).masked);
  CHECK(!explain(*trace, {{Quantity::attention, 0, 0}, 1, 0}).masked);
}
