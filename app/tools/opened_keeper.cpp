#include "app/tools/opened_keeper.h"

#include <algorithm>

#include "core/learn/opened/update_arithmetic.h"

namespace hydra {

namespace {

using learn::OpenedStep;

// The matrices of a layer's heads, or all other parameters of it and of the model.
std::vector<Site> weights_of(const OpenedStep& opened, Index layer, bool others) {
  std::vector<Site> sites;
  for (const lanes::ParameterPlace& place : opened.compiled().parameters()) {
    const Quantity quantity = place.site.quantity;
    const bool of_heads = is_projection_weight(quantity) || quantity == Quantity::W_O;
    const bool here = is_of_model(quantity) || place.site.layer == layer;
    if (place.learns && !place.gate_logits && here && of_heads != others) sites.push_back(place.site);
  }
  return sites;
}

// Of W_Q of the layer the number that is pulled the most.
std::optional<Cell> strongest(const OpenedStep& opened, Index layer) {
  const Site site{Quantity::W_Q, static_cast<int>(layer), kNoHead};
  const Mat<float> gradient = opened.of_parameter(site, learn::Facet::gradient);
  if (gradient.size() == 0) return std::nullopt;
  Index row = 0, col = 0;
  gradient.cwiseAbs().maxCoeff(&row, &col);
  return Cell{site, row, col};
}

bool is_trained(const OpenedStep& opened, const Cell& cell) {
  const lanes::ParameterPlace* place = opened.place(cell.site);
  return place && place->learns && cell.row < place->rows && cell.col < place->cols;
}

}  // namespace

void OpenedKeeper::update(const Wanted& wanted, OpenedTold& shown) {
  const Asked asked{wanted.run, wanted.branch, wanted.step, wanted.edit};
  // While steps follow one another, the one under way is finished first.
  if (opening_.asked() != asked && !opening_.computing()) {
    const auto stretch = std::make_shared<const Stretch>(wanted.stretch());
    opening_.ask(
        asked,
        [stretch](const auto& turn) -> Opened {
          const auto run = reach(*stretch, &turn.kept.pool, turn.progress());
          const Stretch::Settings& settings = stretch->settings;
          return std::make_shared<const OpenedStep>(learn::StepStart{stretch->task, stretch->document, settings.recipe,
                                                                     settings.seed, settings.gates, run->state()},
                                                    &turn.kept.pool);
        },
        std::chrono::milliseconds(4));
  }
  const bool computing = opening_.computing();
  opening_.poll([&](Opened opened) {
    shown = OpenedTold();
    told_.reset(), picked_layer_.reset();
    shown.step = std::move(opened);
  });
  shown.failure = opening_.failure();
  shown.older = computing || opening_.asked() != asked;
  if (!shown.step) return;
  measure(wanted, shown);
  pick_patterns(wanted, shown);
  pick_weights(wanted, shown);
  pick_number(wanted, shown);
}

void OpenedKeeper::measure(const Wanted& wanted, OpenedTold& shown) {
  const GradientPart part = wanted.view.part;
  const bool heads = part == GradientPart::heads, scaling = part == GradientPart::scaling;
  const Index layer = scaling ? std::min(wanted.layer, shown.step->layers() - 1) : 0;
  const MeasureAsked asked{shown.step, part, layer};
  if ((heads || scaling) && measuring_.asked() != asked && !measuring_.computing())
    measuring_.ask(
        asked,
        [asked](const auto& turn) {
          Measured made{asked.of, nullptr, nullptr};
          if (asked.part == GradientPart::heads)
            made.coupling = std::make_shared<const learn::HeadCoupling>(
                learn::head_coupling(*asked.of, &turn.kept.pool, turn.progress()));
          else
            made.slopes = std::make_shared<const learn::SoftmaxSlopes>(
                learn::softmax_slopes(*asked.of, asked.layer, &turn.kept.pool));
          return made;
        },
        std::chrono::milliseconds(4));
  shown.silenced = measuring_.computing() && heads ? measuring_.done() : 0;
  measuring_.poll([&](Measured made) {
    if (made.of != shown.step) return;
    if (made.slopes) shown.slopes = std::move(made.slopes);
    if (!made.coupling) return;
    shown.coupling = std::move(made.coupling);
    shown.coupling_change = share(Mat<float>(shown.coupling->change.cast<float>()));
  });
  if (!measuring_.failure().empty()) shown.failure = measuring_.failure();
}

void OpenedKeeper::pick_patterns(const Wanted& wanted, OpenedTold& shown) {
  if (wanted.view.part != GradientPart::sequence) return;
  const OpenedStep& opened = *shown.step;
  const Index sequence = std::clamp<Index>(wanted.view.sequence, 0, opened.sequences() - 1),
              layer = std::min(wanted.layer, opened.layers() - 1);
  if (shown.patterns && shown.patterns->sequence == sequence && shown.patterns->layer == layer) return;
  auto made = std::make_shared<OpenedTold::Patterns>();
  made->sequence = sequence, made->layer = layer;
  made->tokens = opened.tokens(sequence), made->gold = opened.gold(sequence);
  for (Index h = 0; h < opened.heads(layer); ++h) {
    const auto of = [&](Quantity quantity, bool derivative) {
      return share(opened.of_sequence(sequence, {quantity, static_cast<int>(layer), static_cast<int>(h)}, derivative));
    };
    made->heads.push_back({of(Quantity::attention, false), of(Quantity::attention, true), of(Quantity::scores, true)});
  }
  shown.patterns = std::move(made);
}

void OpenedKeeper::pick_weights(const Wanted& wanted, OpenedTold& shown) {
  if (wanted.view.part != GradientPart::weights) return;
  const Index layer = std::min(wanted.layer, shown.step->layers() - 1);
  const bool there = shown.weights && shown.weights->facet == wanted.view.facet && picked_layer_ == layer &&
                     picked_others_ == wanted.view.others;
  if (there) return;
  auto made = std::make_shared<OpenedTold::Weights>();
  made->facet = wanted.view.facet;
  for (const Site& site : weights_of(*shown.step, layer, wanted.view.others))
    made->matrices.emplace_back(site, share(shown.step->of_parameter(site, wanted.view.facet)));
  shown.weights = std::move(made);
  picked_layer_ = layer, picked_others_ = wanted.view.others;
}

void OpenedKeeper::pick_number(const Wanted& wanted, OpenedTold& shown) {
  if (wanted.view.part != GradientPart::weights) return;
  const OpenedStep& opened = *shown.step;
  const Index layer = std::min(wanted.layer, opened.layers() - 1);
  const Told told{wanted.view.number, std::clamp<Index>(wanted.view.sequence, 0, opened.sequences() - 1), layer};
  if (told_ == told) return;
  told_ = told;
  const bool selected = told.selected && is_trained(opened, *told.selected);
  shown.number = selected ? told.selected : strongest(opened, layer);
  shown.told.reset();
  if (shown.number)
    shown.told = std::make_shared<const Explanation>(learn::explain_update(opened, *shown.number, told.sequence));
}

void OpenedKeeper::leave(OpenedTold& shown) {
  if (!opening_.asked()) return;
  opening_.let_go();
  measuring_.let_go();
  shown = OpenedTold();
  told_.reset(), picked_layer_.reset();
}

}  // namespace hydra
