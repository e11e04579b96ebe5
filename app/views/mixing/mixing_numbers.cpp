#include "app/views/mixing/mixing_numbers.h"

#include "app/views/frame/ui.h"
#include "app/widgets/stacked_bars.h"
#include "core/linalg/fit.h"

namespace hydra {

namespace {

constexpr double kRounding = 1e-3;   // a curve that ends at 1 and a little ends at the line of 1
constexpr double kMuchChange = 0.5;  // of ||Y||: up to there heads count as silenced for little

template <class Values>
double largest_of(const Values& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest : 1;
}

void put_row(const std::vector<double>& heads, double bias, Mat<double>& rows, Index row) {
  for (std::size_t h = 0; h < heads.size(); ++h) rows(row, static_cast<Index>(h)) = heads[h];
  rows(row, rows.cols() - 1) = bias;
}

void fill_shares(const Mixing& mixing, MixingNumbers& numbers) {
  const Index n = mixing.size.rows(), h = mixing.heads();
  fit(numbers.by_size, n + 1, h + 1);
  fit(numbers.along, n + 1, h + 1);
  for (Index row = 0; row <= n; ++row) {
    const Shares shares = row == 0 ? mixing.shares() : mixing.shares(row - 1);
    put_row(shares.size, 0, numbers.by_size, row);
    put_row(shares.along, shares.bias_along, numbers.along, row);
  }
  const StackRange range = stack_range(numbers.along);
  numbers.along_low = range.low;
  numbers.along_high = range.high;
  const auto overall = numbers.along.row(0);
  numbers.largest_share = overall.allFinite() ? std::max(1e-12, overall.head(h).cwiseAbs().maxCoeff()) : 1;
}

int heads_below(const std::vector<double>& change) {
  int most = 0;
  for (std::size_t k = 1; k < change.size(); ++k)
    if (change[k] < kMuchChange) most = static_cast<int>(k);
  return most;
}

// How much of what the heads write is the same for every token.
std::string constant_sentence(const Mixing& mixing) {
  if (!std::isfinite(mixing.constant_overall)) return {};
  return wording(mixing.written == Written::all ? "mixing:constant" : "mixing:constant.left_out",
                 {{"share", ui::number(mixing.constant_overall, As::fine_percent)}});
}

// Of the trace that was measured.
const LayerTrace<float>& measured_layer(const Frame& frame) {
  const Measured<MixingMeasure>& newest = measured_mixing(frame);
  return newest.of->layer(newest.wanted.layer);
}

std::string gates_sentence(const Frame& frame, const Mixing& mixing) {
  if (measured_layer(frame).input.gates.empty()) return wording("mixing:gates.none");
  if (!std::isfinite(mixing.gate_change_overall)) return wording("mixing:gates.undefined");
  return wording("mixing:gates.change", {{"change", ui::number(mixing.gate_change_overall, As::fine_percent)}});
}

}  // namespace

std::string removal_sentence(const Silencing& silencing, Written written) {
  const bool all = written == Written::all;
  const std::size_t open = silencing.order.size(), silent = silencing.silent.size();
  if (open == 0 && silent > 0) return wording(all ? "mixing:removal.none_open" : "mixing:removal.none_varies");
  if (open == 0 || !std::isfinite(silencing.change.back()))
    return wording(all ? "mixing:removal.output_zero" : "mixing:removal.output_constant");
  const int greedy = heads_below(silencing.change), random = heads_below(silencing.random_mean);
  if (greedy == 0 && silent == 0) return wording(all ? "mixing:removal.none" : "mixing:removal.varying.none");
  if (greedy == 0)
    return wording(all ? "mixing:removal.none_of_open" : "mixing:removal.varying.none_of_open", {{"silent", silent}});
  const std::string& in_order =
      wording(silencing.random_orders == 0 ? "mixing:removal.in_any_order" : "mixing:removal.in_random_order");
  if (silent == 0)
    return wording(all ? "mixing:removal.some" : "mixing:removal.varying.some",
                   {{"greedy", greedy}, {"heads", open}, {"in_order", in_order}, {"random", random}});
  return wording(all ? "mixing:removal.some_of_open" : "mixing:removal.varying.some_of_open",
                 {{"greedy", greedy}, {"heads", open}, {"in_order", in_order}, {"random", random}, {"silent", silent}});
}

namespace {
MixingMeasure::Wanted wanted_mixing(const Frame& frame) {
  const MixingState& state = frame.view.mixing;
  const bool varying = state.varying && state.page != MixingPage::output;
  return {frame.view.layer, varying ? Written::varying : Written::all};
}
}  // namespace

const Measured<MixingMeasure>& measured_mixing(const Frame& frame) {
  return frame.now.measured<MixingMeasure>(wanted_mixing(frame));
}

std::shared_ptr<const Mixing> mixing_of(const Frame& frame, const Source& source) {
  if (source.stamp() == frame.now.stamp()) return measured_mixing(frame).value;
  const MixingMeasure::Wanted wanted = wanted_mixing(frame);
  if (auto known = source.known<MixingMeasure>(wanted)) return known;
  if (source.trace.older_from || !has_whole(source.trace, wanted.layer)) return nullptr;
  const LayerTrace<float>& layer = source.trace.layer(wanted.layer);
  if (MixingMeasure::cost(layer.input) > kWaitedFor) return nullptr;
  MixingNumbers::Other& other = frame.made.of<MixingNumbers>().other;
  if (other.of != source.trace.document || other.wanted != wanted || !other.mixing)
    other = {source.trace.document, wanted, std::make_shared<const Mixing>(MixingMeasures().of(layer, wanted.written))};
  return other.mixing;
}

const Mixing* measured(const Frame& frame) {
  const Measured<MixingMeasure>& newest = measured_mixing(frame);
  const Mixing* mixing = newest.value.get();
  if (!mixing) return nullptr;
  const LayerTrace<float>& layer = layer_of(frame);
  const bool fits = mixing->heads() == layer.input.heads && mixing->size.rows() == layer.input.n() && mixing->ungated &&
                    mixing->ungated->cols() == layer.input.d_model();
  return fits ? mixing : nullptr;
}

MixingNumbers& mixing_numbers(Frame& frame) {
  auto& numbers = frame.made.of<MixingNumbers>();
  const Measured<MixingMeasure>& newest = measured_mixing(frame);
  if (numbers.of == newest.value || !newest.value) return numbers;
  const Mixing& mixing = *newest.value;
  numbers.of = newest.value;
  fill_shares(mixing, numbers);
  numbers.gate_change.assign(1, mixing.gate_change_overall);
  numbers.gate_change.insert(numbers.gate_change.end(), mixing.gate_change.begin(), mixing.gate_change.end());
  numbers.largest_change = largest_of(numbers.gate_change);
  numbers.largest_ablation = largest_of(mixing.ablation);
  numbers.largest_norm = largest_of(mixing.block_norm);
  const Silencing& silencing = mixing.silencing;
  const double largest = std::max(largest_of(silencing.change), largest_of(silencing.random_high));
  const double step = ui::nice_ceiling(largest / 4 * (1 - kRounding));
  numbers.curve_top = std::max(largest, step * std::ceil(largest / step * (1 - kRounding)));
  numbers.removal = removal_sentence(silencing, mixing.written);
  numbers.gates = gates_sentence(frame, mixing);
  numbers.constant = constant_sentence(mixing);
  return numbers;
}

namespace {

// As pictures show them: hatched where a head that writes nothing has no direction. Crosses are left to what is not
// finite.
Array<float> with_silence(const Mat<double>& cosines, const std::vector<bool>& silent) {
  Mat<float> shown = cosines.cast<float>();
  for (Index i = 0; i < shown.rows(); ++i) {
    if (!nth(silent, i)) continue;
    shown.row(i).setConstant(-std::numeric_limits<float>::infinity());
    shown.col(i).setConstant(-std::numeric_limits<float>::infinity());
  }
  return share(std::move(shown));
}

// Of one token, or of all.
std::vector<bool> silent_heads(const LayerTrace<float>& layer, Index token) {
  std::vector<bool> silent;
  const Mat<float> added = token == kAllTokens ? Mat<float>() : contributions_to(layer, token);
  for (Index h = 0; h < layer.input.heads; ++h) {
    const HeadTrace<float>& head = nth(layer.heads, h);
    const bool none = layer.input.keep_all ? head.contribution->isZero(0)
                                           : head.largest_contribution == 0 && head.output->allFinite();
    silent.push_back(token == kAllTokens ? none : added.row(h).isZero(0));
  }
  return silent;
}

}  // namespace

Array<float> shown_cosines(Frame& frame, Index token) {
  const Mixing* mixing = measured(frame);
  MixingNumbers& numbers = mixing_numbers(frame);
  if (token == kAllTokens && !mixing) return nullptr;
  const LayerTrace<float>& layer = layer_of(frame);
  const LayerTrace<float>& of = token == kAllTokens ? measured_layer(frame) : layer;
  const Written written = mixing ? mixing->written : Written::all;
  const Stamp output = (Key("written") << written << of.output.stamp()).stamp();
  if (numbers.cosines && numbers.cosines_token == token && numbers.cosines_output == output) return numbers.cosines;
  const Mat<double> cosines = token == kAllTokens
                                  ? writing_cosines(*mixing)
                                  : writing_cosines(layer, token, mixing ? mixing->means : Mat<double>());
  std::vector<bool> silent = silent_heads(of, token);
  for (std::size_t h = 0; written == Written::varying && h < silent.size(); ++h)
    if (mixing->gram(static_cast<Index>(h), static_cast<Index>(h)) == 0) silent[h] = true;
  numbers.cosines = with_silence(cosines, silent);
  numbers.cosines_token = token;
  numbers.cosines_output = output;
  return numbers.cosines;
}

}  // namespace hydra
