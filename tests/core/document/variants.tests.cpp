// Documents with variants of attention: what files and edits may say of them, and what follows an edit of something
// else.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/measures/role_table.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

using L = LayerSetting;

Document with_setting(const Document& document, L setting, double value) {
  return hydra::apply(document, SetSetting{setting, value});
}

// d_k = 8.
Document wide_plain() { return hydra::apply(default_document(), SetModelWidth{64}); }
Document wide_causal() { return hydra::apply(wide_plain(), SetMask{{Mask::Kind::causal, nullptr}}); }

Document read_layer(const std::string& layer, const std::vector<std::string>& sets = {}) {
  return parse_document(
      R"({"hydrascope": 1, "sentence": "a b c", "d_model": 12, "layers": [{"heads": 2)" + layer + "}]}", "file", sets);
}

}  // namespace

TEST_CASE("variants: files say what is wrong with them in a sentence", "[document][variants]") {
  const struct {
    std::string layer, place, word;
  } faults[] = {
      {R"(, "rotary": true)", "/layers/0/rotary", "object"},
      {R"(, "rotary": {"angle": 1})", "/layers/0/rotary/angle", "not known"},
      {R"(, "rotary": {"width": 3})", "/layers/0", "rotary width must be even"},
      {R"(, "rotary": {"width": 8})", "/layers/0", "at most the 6 numbers of a head, not 8"},
      {R"(, "rotary": {"width": -2})", "/layers/0/rotary/width", "from 0 to"},
      {R"(, "rotary": {"base": 0.5})", "/layers/0/rotary/base", "from 1 to"},
      {R"(, "rotary": {"pairs": "thirds"})", "/layers/0/rotary/pairs", "\"thirds\""},
      {R"(, "rotary": {"scaling": "dynamic"})", "/layers/0/rotary/scaling", "\"dynamic\""},
      {R"(, "rotary": {"scaling": "linear", "factor": 0.5})", "/layers/0/rotary/factor", "from 1 to"},
      {R"(, "rotary": {"scaling": "yarn", "slow_turns": 4, "fast_turns": 2})", "/layers/0",
       "slow turns of a scaled rotation must be fewer than the fast ones, not 4 and 2"},
      {R"(, "rotary": {"scaling": "llama3", "original_length": 1.5})", "/layers/0/rotary/original_length",
       "whole number"},
      {R"(, "qk_norm": 1)", "/layers/0/qk_norm", "true, false or an object"},
      {R"(, "qk_norm": {"over": "layer"})", "/layers/0/qk_norm/over", "\"layer\""},
      {R"(, "norm": {"place": "before"}, "weights": {"gain_Y": [1, 1, 1]})", "/layers/0/weights/gain_Y",
       "\"norm\" whose \"place\" is"},
      {R"(, "norm": {"place": "output", "shared": true}, "feed_forward": {}, "parallel": true)", "/layers/0",
       "only what they give is normed"},
      {R"(, "soft_cap": -1)", "/layers/0/soft_cap", "from 0 to 1000"},
      {R"(, "alibi": true)", "/layers/0", "needs a causal mask"},
      {R"(, "alibi": true, "mask": [[1, 0, 0], [1, 1, 0], [1, 1, 1]])", "/layers/0", "needs a causal mask"},
      {R"(, "mask": "causal", "alibi": 1)", "/layers/0/alibi", "true, false or an object"},
      {R"(, "mask": "causal", "alibi": {"slopes": "halves"})", "/layers/0/alibi/slopes", "\"halves\""},
      {R"(, "mask": "causal", "alibi": {"slope": 1})", "/layers/0/alibi/slope", "not known"},
      {R"(, "alibi": {"slopes": "interleaved"})", "/layers/0", "needs a causal mask"},
      {R"(, "window": 2)", "/layers/0", "a window is of a causal mask"},
      {R"(, "mask": "causal", "window": 1.5)", "/layers/0/window", "whole number"},
      {R"(, "mask": "causal", "window": 4097)", "/layers/0/window", "from 0 to 4096"},
      {R"(, "sink": true)", "/layers/0/sink", "\"learned\""},
      {R"(, "output_gate": "heads")", "/layers/0/output_gate", "\"heads\""},
      {R"(, "talking_heads": true)", "/layers/0/talking_heads", "not true"},
      {R"(, "talking_heads": "during")", "/layers/0/talking_heads", "\"during\""},
      {R"(, "talking_heads": "before", "weights": {"P_L": [[1, 0]]})", "/layers/0/weights/P_L", "1 row where 2"},
      {R"(, "talking_heads": "before", "weights": {"P_W": [[1, 0], [0, 1]]})", "/layers/0/weights/P_W",
       "\"talking_heads\" is needed beside"},
      {R"(, "talking_heads": "after", "weights": {"edits": {"P_W": [[0, 2, 1]]}})", "/layers/0/weights/edits/P_W/0/1",
       "from 0 to 1"},
      {R"(, "output_gate": "head", "weights": {"W_G": [[1]]})", "/layers/0/weights/W_G",
       "\"output_gate\": \"element\" is needed"},
      {R"(, "weights": {"w_G": [[1]]})", "/layers/0/weights/w_G", "\"output_gate\": \"head\" is needed"},
      {R"(, "sink": "zero", "weights": {"edits": {"sink": [[0, 1]]}})", "/layers/0/weights/edits/sink",
       "\"sink\": \"learned\" is needed"},
      {R"(, "sink": "learned", "weights": {"sink": [1, 2, 3]})", "/layers/0/weights/sink", "3 numbers where 2"},
      {R"(, "weights": {"edits": {"gain_Q": [[0, 2]]}})", "/layers/0/weights/edits/gain_Q", "\"qk_norm\" is needed"},
      {R"(, "weights": {"gain_2": [1, 1, 1]})", "/layers/0/weights/gain_2", "\"norm\" is needed"},
      {R"(, "weights": {"W_1": [[1]]})", "/layers/0/weights/W_1", "\"feed_forward\" is needed"},
      {R"(, "qk_norm": true, "kv_heads": 1, "weights": {"gain_K": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]})",
       "/layers/0/weights/gain_K", "12 numbers where 6"},
      {R"(, "mask": "causal", "window": 1, "painted": [{"head": 0, "attention": [[2, [0, 0.5, 0.5]]]}])",
       "/layers/0/painted/0/attention/0/1", "hides token 1 from token 2"}};
  for (const auto& [layer, place, word] : faults) {
    CAPTURE(layer);
    CHECK_THROWS_WITH(read_layer(layer), fault_at("file: " + place, word));
    CHECK_THROWS_AS(read_layer(layer), InputError);
  }
  CHECK(read_layer(R"(, "rotary": {})", {"/layers/0/rotary/base=500000"}).layer(0).settings.rotary_base == 500000);
}

TEST_CASE("variants: what does not go with another mask or another size is as near as it can be",
          "[document][variants]") {
  Document document = with_setting(with_setting(wide_causal(), L::alibi, 1), L::window, 3);
  document = hydra::apply(document, SetMask{});
  CHECK_FALSE(document.layer(0).settings.alibi);
  CHECK(document.layer(0).settings.window == 0);
  CHECK_THROWS_WITH(with_setting(document, L::alibi, 1), fault_at("ALiBi", "needs a causal mask"));
  CHECK_THROWS_WITH(with_setting(document, L::window, 2), fault_at("a window", "causal mask"));

  document = with_setting(with_setting(wide_plain(), L::rotary, 1), L::rotary_width, 8);
  CHECK_THROWS_WITH(with_setting(document, L::rotary_width, 10), fault_at("rotary width", "at most the 8"));
  CHECK(hydra::apply(document, SetHeads{16}).layer(0).settings.rotary_width == 4);
  CHECK(hydra::apply(document, SetHeads{64}).layer(0).settings.rotary_width == 0);  // one number: no pair
  CHECK(hydra::apply(document, SetModelWidth{40}).layer(0).settings.rotary_width <= 5);

  document = with_setting(wide_plain(), L::sink, static_cast<double>(SinkKind::learned));
  CHECK(document.layer(0).weights.sink.cols() == 8);
  document = hydra::apply(hydra::apply(document, set_cell(Quantity::sink, 0, 3, 2)), SetHeads{4});
  CHECK(*document.layer(0).weights.sink == Mat<float>::Zero(1, 4));
  document = with_setting(document, L::sink, 0);
  CHECK_FALSE(document.layer(0).weights.sink);

  document = hydra::apply(with_setting(wide_plain(), L::qk_norm, 1), set_cell(Quantity::gain_K, 0, 5, 3));
  CHECK(document.layer(0).weights.gain_Q.cols() == 64);
  document = hydra::apply(document, SetKvHeads{2});
  CHECK(document.layer(0).weights.gain_K.cols() == 16);
  CHECK((*document.layer(0).weights.gain_K)(0, 5) == 1.5f);  // the mean of four heads: 3 and three ones
}

TEST_CASE("variants: a scaled rotation has the numbers of its kind, and no others", "[document][variants]") {
  Document document = with_setting(wide_plain(), L::rotary, 1);
  const auto settings = [&]() -> const LayerSettings& { return document.layer(0).settings; };
  const auto possible = [&](L setting) { return is_possible(settings(), entry_of(setting), {8, false, 8}); };
  CHECK_FALSE(possible(L::rotary_factor));
  document = with_setting(document, L::rotary_scaling, static_cast<double>(RotaryScaling::linear));
  CHECK(possible(L::rotary_factor));
  CHECK_FALSE(possible(L::rotary_length));
  document = with_setting(document, L::rotary_factor, 8);
  document = with_setting(document, L::rotary_scaling, static_cast<double>(RotaryScaling::yarn));
  CHECK(settings().rotary_fast_turns == 32);  // as the paper has it
  CHECK(settings().rotary_factor == 8);
  CHECK(possible(L::rotary_magnitude));
  document = with_setting(document, L::rotary_magnitude, 1.5);
  CHECK(same_document(parse_document(document_text(document), "again"), document));
  CHECK(document_text(document).find("\"scaling\": \"yarn\"") != std::string::npos);
  document = with_setting(document, L::rotary_scaling, static_cast<double>(RotaryScaling::llama3));
  CHECK(settings().rotary_fast_turns == 4);
  CHECK(settings().rotary_magnitude == 0);
  CHECK_FALSE(possible(L::rotary_magnitude));
  CHECK_THROWS_WITH(with_setting(document, L::rotary_slow_turns, 4), fault_at("the slow turns", "must be fewer"));
  document = with_setting(document, L::rotary_scaling, 0);
  CHECK(settings().rotary_factor == LayerSettings().rotary_factor);
  CHECK(document_text(document).find("factor") == std::string::npos);
}

TEST_CASE("variants: what normed queries take together is read and written", "[document][variants]") {
  const Document document = read_layer(R"(, "qk_norm": {"over": "all_heads"})");
  CHECK(norms_all_heads(document.layer(0).settings));
  CHECK(document_text(document).find("\"over\": \"all_heads\"") != std::string::npos);
  CHECK(same_document(parse_document(document_text(document), "again"), document));
  CHECK(document_text(read_layer(R"(, "qk_norm": {})")).find("\"qk_norm\": true") != std::string::npos);
  CHECK_FALSE(makes_difference(entry_of(L::qk_norm_over), {8, false, 1}));
}

TEST_CASE("variants: one norm for both parts goes where nothing is normed before them", "[document][variants]") {
  Document document = wide_plain();
  for (const L setting : {L::feed_forward, L::parallel, L::norm, L::norm_shared})
    document = with_setting(document, setting, 1);
  document = with_setting(document, L::norm_place, static_cast<double>(NormPlace::both));
  CHECK(document.layer(0).settings.norm_shared);
  CHECK(document.layer(0).weights.gain_Y.cols() == 64);
  CHECK_FALSE(document.layer(0).weights.gain_2);
  document = with_setting(document, L::norm_place, static_cast<double>(NormPlace::output));
  CHECK_FALSE(document.layer(0).settings.norm_shared);
  CHECK_FALSE(document.layer(0).weights.gain_1);
  CHECK(document.layer(0).weights.gain_F.cols() == 64);
}

TEST_CASE("variants: ALiBi's slopes are read and written, and are the paper's formula where nothing is said",
          "[document][variants]") {
  const auto slopes_of = [](const Document& document) { return document.layer(0).settings.alibi_slopes; };
  using enum AlibiSlopes;
  for (const char* plain : {R"("alibi": true)", R"("alibi": {})", R"("alibi": {"slopes": "geometric"})"}) {
    const Document document = read_layer(std::string(R"(, "mask": "causal", )") + plain, {"/layers/0/heads=6"});
    CHECK(document.layer(0).settings.alibi);
    CHECK(slopes_of(document) == geometric);
    CHECK(document_text(document).find("\"alibi\": true") != std::string::npos);  // as files always had it
    CHECK(same_document(parse_document(document_text(document), "again"), document));
  }
  CHECK_FALSE(read_layer(R"(, "mask": "causal", "alibi": false)").layer(0).settings.alibi);
  const Document document =
      read_layer(R"(, "mask": "causal")", {"/layers/0/heads=6", "/layers/0/alibi/slopes=interleaved"});
  CHECK(document.layer(0).settings.alibi);
  CHECK(slopes_of(document) == interleaved);
  const std::string text = document_text(document);
  CHECK(text.find("\"alibi\": {\"slopes\": \"interleaved\"}") != std::string::npos);
  const Document again = parse_document(text, "again");
  CHECK(same_document(again, document));
  CHECK(document_text(again) == text);
  CHECK(*evaluate(again)->layer(0).output == *evaluate(document)->layer(0).output);
  CHECK_THROWS_WITH(read_layer(R"(, "mask": "causal", "alibi": true)", {"/layers/0/alibi/slopes=interleaved"}),
                    fault_at("--set /layers/0/alibi/slopes=interleaved: /layers/0/alibi", "nothing inside"));
}

TEST_CASE("variants: ALiBi's slopes are an edit, go with ALiBi, and matter where heads are no power of two",
          "[document][variants]") {
  constexpr double interleaved = static_cast<double>(AlibiSlopes::interleaved);
  CHECK(describe(SetSetting{L::alibi_slopes, interleaved}) == "alibi slopes interleaved");
  const Document six = read_layer(R"(, "mask": "causal", "alibi": true)", {"/layers/0/heads=6"});
  Document document = with_setting(six, L::alibi_slopes, interleaved);
  CHECK(document.layer(0).settings.alibi_slopes == AlibiSlopes::interleaved);
  CHECK_FALSE(*evaluate(document)->layer(0).output == *evaluate(six)->layer(0).output);
  CHECK(same_document(with_setting(document, L::alibi_slopes, 0), six));
  // Another number of heads keeps the choice, also where it does not matter.
  const Document four = hydra::apply(document, SetHeads{4});
  CHECK(four.layer(0).settings.alibi_slopes == AlibiSlopes::interleaved);
  CHECK_FALSE(makes_difference(entry_of(L::alibi_slopes), four.layer(0).shape(12)));
  CHECK(makes_difference(entry_of(L::alibi_slopes), document.layer(0).shape(12)));
  const auto trace = evaluate(four);
  const auto other = evaluate(with_setting(four, L::alibi_slopes, 0), trace.get());
  CHECK(other->layer(0).output.stamp() == trace->layer(0).output.stamp());  // nothing is computed anew
  // Without ALiBi there are none.
  CHECK(with_setting(document, L::alibi, 0).layer(0).settings == LayerSettings());
  CHECK_FALSE(
      is_possible(with_setting(six, L::alibi, 0).layer(0).settings, entry_of(L::alibi_slopes), six.layer(0).shape(12)));
  const Document open = hydra::apply(document, SetMask{});
  CHECK(open.layer(0).settings == LayerSettings());
}

TEST_CASE("variants: arithmetic says whose ALiBi's slope is", "[document][variants]") {
  const Document six = read_layer(R"(, "mask": "causal", "alibi": true)", {"/layers/0/heads=6"});
  const auto said = [](const Document& document, int head) {
    const auto trace = evaluate(document);
    const Explanation e = explain(*trace, {{Quantity::scores, 0, head}, 2, 0});
    for (const Step& step : e.steps)
      if (step.formula == "score − m (i − j)") {
        CHECK(e.steps.back().result == Approx(e.value).margin(1e-6));
        return step.text.substr(step.text.find("m = ")) + ": " + std::to_string(step.terms[1].factors[0].value);
      }
    return std::string();
  };
  CHECK(said(six, 2) == "m = 2^(−8·3/6) by the paper's formula: -0.062500");
  const Document code = with_setting(six, L::alibi_slopes, 1);
  CHECK(said(code, 2) == "m = 2^(−8·3/4) by the published code: -0.015625");
  CHECK(said(code, 4) == "m = 2^(−8·1/8) by the published code: -0.500000");
  CHECK(said(hydra::apply(code, SetHeads{4}), 2) == "m = 2^(−8·3/4): -0.015625");
  CHECK(formula(*evaluate(code), {Quantity::scores, 0, 5}) == "S₆ = Q₆ K₆ᵀ / √2 − 0.125 (i − j) + M");
}

TEST_CASE("variants: a window lets go of rows set by hand that look further", "[document][variants]") {
  RowVec<float> row = RowVec<float>::Zero(12);
  row(2) = 1;
  Document document = hydra::apply(wide_causal(), PaintAttention{0, 5, share(RowVec<float>(row))});
  CHECK(with_setting(document, L::window, 4).layer(0).painted.size() == document.layer(0).painted.size());
  CHECK(with_setting(document, L::window, 3).layer(0).painted.empty());
  CHECK_THROWS_WITH(
      hydra::apply(with_setting(wide_causal(), L::window, 3), PaintAttention{0, 5, share(RowVec<float>(row))}),
      fault_at("the mask", "hides token 2 from token 5"));
}

TEST_CASE("variants: rotated and normalised queries and keys are there with their setting only",
          "[document][variants]") {
  const auto without = evaluate(wide_plain());
  const auto with = evaluate(with_setting(with_setting(wide_plain(), L::rotary, 1), L::qk_norm, 1));
  for (const Quantity q : {Quantity::normed_Q, Quantity::normed_K, Quantity::rotated_Q, Quantity::rotated_K}) {
    CHECK_FALSE(exists(*without, {q, 0, 1}));
    CHECK(exists(*with, {q, 0, 1}));
    CHECK_FALSE(exists(*with, {q}));
  }
  CHECK(formula(*with, {Quantity::scores, 0, 1}) == "S₂ = Q'₂ K'₂ᵀ / √8");
  CHECK(formula(*with, {Quantity::rotated_K, 0, 1}) == "K'₂ = K°₂ rotated, pair j by i / 10000^(2j/8)");
  CHECK(formula(*evaluate(with_setting(wide_plain(), L::soft_cap, 30)), {Quantity::scores, 0, 0}) ==
        "S₁ = 30 tanh(Q₁ K₁ᵀ / √8 / 30)");
  CHECK(formula(*evaluate(with_setting(wide_causal(), L::alibi, 1)), {Quantity::scores, 0, 0}) ==
        "S₁ = Q₁ K₁ᵀ / √8 − 0.5 (i − j) + M");
  CHECK(formula(*evaluate(with_setting(wide_plain(), L::sink, 1)), {Quantity::attention, 0, 0}) ==
        "A₁ = exp(S₁) / (1 + Σ exp S₁)");
  // Switched off again, the scores are to the bit what they were; of a rotation nothing is left in the trace.
  const auto again = evaluate(wide_plain(), with.get());
  CHECK(*again->layer(0).heads[1].scores == *without->layer(0).heads[1].scores);
  CHECK_FALSE(again->layer(0).heads[1].rotated_Q.stamp());
}

TEST_CASE("variants: a number of a rotated query is of its pair, and a sink is of its head", "[document][variants]") {
  const auto trace =
      evaluate(with_setting(with_setting(wide_plain(), L::rotary, 1), L::sink, static_cast<double>(SinkKind::learned)));
  const auto cols = [&](const Cell& of, const Site& shown) {
    std::vector<Index> found;
    for (const Region& r : linked(*trace, of, shown))
      for (Index c = r.col0; c < r.col1; ++c) found.push_back(c);
    std::sort(found.begin(), found.end());
    return found;
  };
  CHECK(cols({{Quantity::rotated_Q, 0, 2}, 4, 1}, {Quantity::Q, 0, 2}) == std::vector<Index>{1, 5});
  CHECK(linked(*trace, {{Quantity::sink}, 0, 2}, {Quantity::attention, 0, 1}).empty());
  CHECK(linked(*trace, {{Quantity::sink}, 0, 2}, {Quantity::attention, 0, 2}).size() == 1);
  CHECK(cols({{Quantity::attention, 0, 2}, 4, 1}, {Quantity::sink}) == std::vector<Index>{2});
}

namespace {

// With heads that talk both ways, and P_W so that the second head hears the third.
Document talking() {
  return hydra::apply(with_setting(hydra::apply(wide_plain(), SetWeightSource{Init::identity, 7}), L::talking_heads,
                                   static_cast<double>(TalkingHeads::both)),
                      set_cell(Quantity::P_W, 1, 2, -0.5));
}

}  // namespace

TEST_CASE("variants: matrices among talking heads begin as the layer's others do, and anew at another number of heads",
          "[document][variants]") {
  const auto with_init = [](Init init) {
    Document document = hydra::apply(wide_plain(), SetWeightSource{init, 7});
    return with_setting(document, L::talking_heads, static_cast<double>(TalkingHeads::before));
  };
  CHECK(*with_init(Init::identity).layer(0).weights.P_L == Mat<float>::Identity(8, 8));
  CHECK(*with_init(Init::zero).layer(0).weights.P_L == Mat<float>::Zero(8, 8));
  const Mat<float> drawn = *with_init(Init::xavier).layer(0).weights.P_L;
  CHECK(drawn.cwiseAbs().maxCoeff() <= std::sqrt(6.0f / 16));
  CHECK(drawn.cwiseAbs().maxCoeff() > 0.4f);
  CHECK_FALSE(with_init(Init::xavier).layer(0).weights.P_W);
  Document document = talking();
  CHECK((*document.layer(0).weights.P_W)(1, 2) == -0.5f);
  document = hydra::apply(document, SetHeads{4});
  CHECK(*document.layer(0).weights.P_W == Mat<float>::Identity(4, 4));
  document = with_setting(document, L::talking_heads, 0);
  CHECK_FALSE(document.layer(0).weights.P_L);
  CHECK_FALSE(document.layer(0).weights.P_W);
}

TEST_CASE("variants: talking heads are written and read back, with the number that was set", "[document][variants]") {
  const Document document = talking();
  const std::string text = document_text(document);
  CHECK(text.find("\"talking_heads\": \"both\"") != std::string::npos);
  const Document again = parse_document(text, "again");
  CHECK(same_document(again, document));
  CHECK((*again.layer(0).weights.P_W)(1, 2) == -0.5f);
  CHECK(read_layer(R"(, "talking_heads": "none")").layer(0).settings.talking_heads == TalkingHeads::none);
}

TEST_CASE("variants: arithmetic, formulas and links of talking heads", "[document][variants]") {
  const auto trace = evaluate(talking());
  const Cell cell{{Quantity::attention, 0, 1}, 4, 1};
  CHECK(formula(*trace, cell.site) == "A₂ = P_W[1, :] · (A°₁ … A°₈)");
  CHECK(formula(*trace, {Quantity::own_attention, 0, 1}) == "A°₂ = softmax(S₂)");
  CHECK(formula(*trace, {Quantity::scores, 0, 1}) == "S₂ = P_L[1, :] · (S°₁ … S°₈)");
  CHECK(formula(*trace, {Quantity::own_scores, 0, 1}) == "S°₂ = Q₂ K₂ᵀ / √8");
  const Explanation e = explain(*trace, cell);
  REQUIRE(e.steps.size() == 1);
  REQUIRE(e.steps[0].terms.size() == 8);
  CHECK(e.steps[0].terms[2].factors[0].source == Cell{{Quantity::P_W}, 1, 2});
  CHECK(e.steps[0].terms[2].factors[0].value == -0.5);
  CHECK(e.steps[0].terms[2].factors[1].source == Cell{{Quantity::own_attention, 0, 2}, 4, 1});
  CHECK(e.steps[0].result == Approx(e.value).margin(1e-6));
  // The second head's weights are of all heads' queries; a query of the third reaches all heads, one of its values its
  // own output alone.
  const auto is_linked = [&](const Cell& of, const Site& shown) { return !linked(*trace, of, shown).empty(); };
  CHECK(is_linked(cell, {Quantity::Q, 0, 6}));
  CHECK(is_linked(cell, {Quantity::P_W}));
  CHECK_FALSE(is_linked({{Quantity::own_scores, 0, 1}, 4, 1}, {Quantity::Q, 0, 6}));
  CHECK(is_linked({{Quantity::W_Q, 0, 2}, 3, 3}, {Quantity::attention, 0, 5}));
  CHECK(is_linked({{Quantity::W_V, 0, 2}, 3, 3}, {Quantity::output, 0, 2}));
  CHECK_FALSE(is_linked({{Quantity::W_V, 0, 2}, 3, 3}, {Quantity::output, 0, 5}));
  CHECK(is_linked({{Quantity::P_W}, 1, 2}, {Quantity::attention, 0, 1}));
  CHECK_FALSE(is_linked({{Quantity::P_W}, 1, 2}, {Quantity::attention, 0, 2}));
}

TEST_CASE("variants: a row of weights that is set by hand is of its head alone, whoever talks",
          "[document][variants]") {
  RowVec<float> row = RowVec<float>::Zero(12);
  row(2) = 1;
  const Document document = talking();
  const auto before = evaluate(document);
  const auto after = evaluate(hydra::apply(document, PaintAttention{2, 5, share(RowVec<float>(row))}), before.get());
  CHECK(after->layer(0).heads[2].attention->row(5) == row);
  CHECK(after->layer(0).heads[1].attention.stamp() == before->layer(0).heads[1].attention.stamp());
}
