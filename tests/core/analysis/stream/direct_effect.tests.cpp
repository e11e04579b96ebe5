#include "core/analysis/stream/direct_effect.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/quantity.h"
#include "core/linalg/same_bits.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;
using Part = DirectPaths::Part;
using L = LayerSetting;
using M = ModelSetting;

namespace {

constexpr double kRmsNorm = 1, kOwn = 2;

Document apply_all(Document document, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) document = hydra::apply(document, edit);
  return document;
}

// Of one token, X = [3, 1], and one head that adds the same: R = [6, 2], which is read out by [1 0 2; 0 1 0].
Document worked(const std::vector<Edit>& more = {}) {
  Document document = default_document();
  document.tokens = {"it"};
  document = apply_all(
      document, {SetModelWidth{2}, SetHeads{1}, SetWeightSource{Init::identity, 1}, SetSetting{L::residual, 1},
                 set_cell(Quantity::X, 0, 0, 3), set_cell(Quantity::X, 0, 1, 1), SetModelSetting{M::readout, kOwn},
                 SetVocabulary{SetVocabulary::Of::readout, {"a", "b", "c"}}});
  for (Index row = 0; row < 2; ++row)
    for (Index col = 0; col < 3; ++col)
      document = hydra::apply(document, set_cell(Quantity::W_U, row, col,
                                                 row == col             ? 1.0f
                                                 : col == 2 && row == 0 ? 2.0f
                                                                        : 0.0f));
  return apply_all(document, more);
}

DirectEffects effects_of(const Document& document, Index token = 0) {
  const auto trace = evaluate(document);
  return *direct_effects(*trace, StreamMeasures().of(*trace, token));
}

// The line's effects on a, b and c.
void check_line(const DirectEffects& made, int layer, int line, const std::array<double, 3>& expected) {
  CAPTURE(layer, line);
  for (Index w = 0; w < 3; ++w)
    CHECK(made.paths.effect(layer, line, made.paths.reader(w)) ==
          Approx(expected[static_cast<std::size_t>(w)]).margin(1e-5));
}

}  // namespace

TEST_CASE("direct effect: of a sum each part is read out by itself, worked by hand", "[direct_effect]") {
  const DirectEffects made = effects_of(worked());
  check_line(made, 0, 0, {3, 1, 6});  // X
  check_line(made, 0, 1, {3, 1, 6});  // the head
  check_line(made, 0, 2, {3, 1, 6});  // all heads: stand for it
  check_line(made, 0, 3, {6, 2, 12});
  CHECK(made.paths.parts[0] == std::vector<Part>{Part::counts, Part::counts, Part::sum, Part::sum});
  CHECK(made.logits.raised == std::vector<DirectEffect::OnWord>{{2, 12}, {0, 6}, {1, 2}});
  CHECK(made.lines[0][1].raised == std::vector<DirectEffect::OnWord>{{2, 6}, {0, 3}, {1, 1}});
  CHECK(made.constants.raised.empty());
  CHECK(made.off == 0);
}

TEST_CASE("direct effect: a norm divides every part by what it divides the whole by", "[direct_effect]") {
  // Of R = [6, 2] the mean is 4 and the root 2: [1, -1]. Of [3, 1] alone the mean is 2: [1, -1] / 2.
  const std::vector<Edit> layer_norm{SetModelSetting{M::final_norm, 1}, SetModelSetting{M::final_norm_epsilon, 1e-12}};
  const DirectEffects made = effects_of(worked(layer_norm));
  for (const int line : {0, 1}) check_line(made, 0, line, {0.5, -0.5, 1});
  check_line(made, 0, 3, {1, -1, 2});
  CHECK(made.lines[0][0].lowered.size() == 1);
  CHECK(made.lines[0][0].lowered[0].word == 1);

  // A gain of [2, 1], a shift of [0, 10] and b_U = [0, 0, 5].
  std::vector<Edit> more = layer_norm;
  more.insert(more.end(), {set_cell(Quantity::final_gain, 0, 0, 2), set_cell(Quantity::final_shift, 0, 1, 10),
                           set_cell(Quantity::b_U, 0, 2, 5)});
  const DirectEffects shifted = effects_of(worked(more));
  for (const int line : {0, 1}) check_line(shifted, 0, line, {1, -0.5, 2});
  CHECK(shifted.constants.raised == std::vector<DirectEffect::OnWord>{{1, 10}, {2, 5}});
  CHECK(shifted.paths.constant(1) == 10);
  CHECK(shifted.paths.constant(2) == 5);

  // RMSNorm: root of (36 + 4) / 2, and no mean.
  const DirectEffects rms =
      effects_of(worked({SetModelSetting{M::final_norm, 1}, SetModelSetting{M::final_norm_kind, kRmsNorm},
                         SetModelSetting{M::final_norm_epsilon, 1e-12}}));
  for (const int line : {0, 1}) check_line(rms, 0, line, {3 / std::sqrt(20), 1 / std::sqrt(20), 6 / std::sqrt(20)});
}

TEST_CASE("direct effect: where the stream is not carried on, what stands before has none", "[direct_effect]") {
  Document document = hydra::apply(worked(), {AddLayer{}, 0});
  document = hydra::apply(document, {SetSetting{L::residual, 0}, 1});
  const DirectEffects made = effects_of(document);
  for (const Part part : made.paths.parts[0]) CHECK(part == Part::none);
  CHECK(made.paths.parts[1] == std::vector<Part>{Part::none, Part::counts, Part::sum});
  CHECK(made.lines[0][0].raised.empty());
  CHECK(made.off <= 1e-5);
}

TEST_CASE("direct effect: what counts adds up to the logits in random stacks, for every token", "[direct_effect]") {
  int after = 0, deep = 0, tied = 0, cut = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= test::kRandomDocuments; ++seed) {
    Document document = test::some_document(seed);
    if (document.settings.readout == ReadoutKind::none)
      document = hydra::apply(document, SetModelSetting{M::readout, kOwn});
    const Keeping keeping = seed % 3 == 0 ? Keeping{.focus = 0, .most = 0} : Keeping{};
    const auto trace = evaluate(document, nullptr, nullptr, keeping);
    const Index question = static_cast<Index>(seed) % trace->model.next_words.parts();
    const Array<float> of_question = trace->model.of_question(trace->model.logits, question);
    const MatView<float> logits = *of_question;
    several += question > 0;
    const Index token = static_cast<Index>(seed) % trace->X.rows();
    const Stream stream = StreamMeasures().of(*trace, token);
    const std::shared_ptr<const DirectEffects> made = direct_effects(*trace, stream, question);
    const DirectPaths& paths = made->paths;
    CAPTURE(seed, token);
    Mat<double> sum = paths.constants().cast<double>();
    double largest = 1 + sum.cwiseAbs().maxCoeff();
    for (int k = 0; k < static_cast<int>(stream.layers.size()); ++k) {
      const auto& parts = paths.parts[static_cast<std::size_t>(k)];
      const Mat<float> effects = paths.effects(k);
      for (Index l = 0; l < effects.rows(); ++l) {
        const Part part = parts[static_cast<std::size_t>(l)];
        largest = std::max(largest, static_cast<double>(effects.row(l).cwiseAbs().maxCoeff()));
        if (part == Part::counts) sum += effects.row(l).cast<double>();
        if (part == Part::none) CHECK(effects.row(l).isZero(0));
        const Index word = static_cast<Index>(seed) % effects.cols();
        CHECK(std::abs(paths.effect(k, static_cast<int>(l), paths.reader(word)) -
                       static_cast<double>(effects(l, word))) <= 1e-5 * largest);
      }
      const LayerSettings& settings = document.layers[static_cast<std::size_t>(k)].settings;
      const bool reached = parts.back() != Part::none;
      after += reached && settings.norm && settings.norm_place == NormPlace::after;
      cut += !reached;
      deep += k > 0 && parts.front() == Part::sum;
    }
    tied += paths.tied;
    CHECK((sum - logits.row(token).cast<double>()).cwiseAbs().maxCoeff() <= 1e-5 * largest);
    CHECK(made->off <= 1e-5 * largest);
    // Where no shift of a norm comes in on the way, what leaves the last layer stands for all of them.
    const auto is_after = [](const Layer& layer) {
      return layer.settings.norm && layer.settings.norm_place != NormPlace::before;  // or of what a part gives
    };
    if (std::ranges::any_of(document.layers, is_after)) continue;
    const Mat<float> whole =
        paths.effects(static_cast<int>(stream.layers.size()) - 1).bottomRows(1) + paths.constants();
    CHECK((whole - logits.row(token)).cwiseAbs().maxCoeff() <= 1e-5 * largest);
  }
  CHECK(std::min({after, deep, tied, cut, several}) > 10);
}

TEST_CASE("direct effect: the words that a part moves the most, and none that it does not move", "[direct_effect]") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const DirectEffect told = told_of(Mat<float>{{0, 2, -1, nan, 2, -3, inf, 5}});
  CHECK(told.raised == std::vector<DirectEffect::OnWord>{{7, 5}, {1, 2}, {4, 2}});
  CHECK(told.lowered == std::vector<DirectEffect::OnWord>{{5, -3}, {2, -1}});
  CHECK(told_of(Mat<float>::Ones(1, 100)).raised.size() == static_cast<std::size_t>(kMostTold));
}

TEST_CASE("direct effect: a transform and a cap are passed with what they multiply by held, worked by hand",
          "[direct_effect]") {
  // R = [6, 2] by W_T = [1 0; 1 -1] and b_T = [0.5, 1] is [8.5, -1], of which relu leaves [8.5, 0].
  std::vector<Edit> edits{SetModelSetting{M::transform, 1}, SetModelSetting{M::transform_activation, 0},
                          set_cell(Quantity::b_T, 0, 0, 0.5f), set_cell(Quantity::b_T, 0, 1, 1)};
  for (Index row = 0; row < 2; ++row)
    for (Index col = 0; col < 2; ++col)
      edits.push_back(set_cell(Quantity::W_T, row, col,
                               row == 1 && col == 1   ? -1.0f
                               : row == 0 && col == 1 ? 0.0f
                                                      : 1.0f));
  const DirectEffects made = effects_of(worked(edits));
  for (const int line : {0, 1}) check_line(made, 0, line, {4, 0, 8});
  check_line(made, 0, 3, {8, 0, 16});
  CHECK(made.paths.constant(0) == 0.5);
  CHECK(made.paths.constant(2) == 1);
  CHECK(made.off <= 1e-5);
  // Capped at 10: of the logits 6, 2 and 12 each line has its share.
  const DirectEffects capped = effects_of(worked({SetModelSetting{M::logit_cap, 10}}));
  check_line(capped, 0, 0, {5 * std::tanh(0.6), 5 * std::tanh(0.2), 5 * std::tanh(1.2)});
  CHECK(capped.off <= 1e-5);
}
