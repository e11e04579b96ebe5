#include "app/figures.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "app/draw/svg.h"
#include "app/views/pages.h"
#include "app/views/views.h"
#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

constexpr FigureEntry kFigures[] = {
    {"flow", "The formula of a head", ViewId::flow},
    {"heads.pattern", "The pattern of a head", ViewId::heads, "patterns", nullptr, 1.5f},
    {"heads.grid", "The patterns of all heads", ViewId::heads, "patterns", nullptr, 1.5f},
    {"heads.arcs", "The pattern of a head as arcs", ViewId::heads, "patterns"},
    {"heads.rollout", "Rollout", ViewId::heads, "rollout", "heads.pattern", 1.5f},
    {"mixing.equation", "The concatenation, W_O and the output", ViewId::mixing, "output"},
    {"mixing.sum", "The output as a sum of heads", ViewId::mixing, "output"},
    {"mixing.strip", "The output of one token as a sum of heads", ViewId::mixing, "output"},
    {"mixing.shares", "What each head adds to each token", ViewId::mixing, "shares"},
    {"mixing.table", "What each head adds to the output", ViewId::mixing, "shares"},
    {"mixing.curve", "What is left of the output as heads are removed", ViewId::mixing, "silencing"},
    {"mixing.directions", "Cosines between what the heads write", ViewId::mixing, "silencing"},
    {"stream.words", "What each layer adds to the words", ViewId::stream, "words"},
    {"stream.ladder", "What each layer adds to one word", ViewId::stream, "words"},
    {.name = "stream.circuit",
     .title = "Which heads read what which heads write",
     .view = ViewId::stream,
     .page = "circuit",
     .needs = "it needs a document of several layers"},
    {.name = "stream.composed",
     .title = "Two heads composed",
     .view = ViewId::stream,
     .page = "circuit",
     .needs = "it needs a line between two heads: a document of several layers, and --do with a line chosen"},
    {"stream.routing", "How attention of all layers moves words", ViewId::stream, "routing"},
    {"likeness.matrix", "How alike the heads are", ViewId::likeness, "pairs"},
    {"likeness.map", "A map of the heads", ViewId::likeness, "pairs"},
    {.name = "likeness.pair",
     .title = "Two heads beside each other",
     .view = ViewId::likeness,
     .page = "pairs",
     .needs = "it needs two heads that are compared: --do chooses them (likeness.compared)"},
    {.name = "likeness.ranks", .title = "Ranks of the heads' forms", .view = ViewId::likeness, .page = "rank"},
    {"roles.table", "What each head does, in numbers", ViewId::roles},
    {"design.forms", "What a head asks for and what it writes", ViewId::design},
    {"tradeoff.columns", "The same weights, cut into several numbers of heads", ViewId::tradeoff, "columns"},
    {"tradeoff.cost", "What several numbers of heads cost", ViewId::tradeoff, "cost"},
    {"tradeoff.sharing", "Keys and values that heads share", ViewId::tradeoff, "sharing"},
    {"tradeoff.published", "Published models", ViewId::tradeoff, "published"},
    {"tradeoff.trained", "Models of several numbers of heads, trained", ViewId::tradeoff, "trained"},
    {"tradeoff.product", "One product for all heads", ViewId::tradeoff, "product"},
    {"tradeoff.tiles", "Attention computed tile by tile", ViewId::tradeoff, "tiles"},
    {"tradeoff.timing", "The time of three ways to compute attention", ViewId::tradeoff, "timing"},
    {"tradeoff.width", "How wide a head has to be for a pattern", ViewId::tradeoff, "width"},
    {"tradeoff.needed", "How many heads a task needs", ViewId::tradeoff, "needed"},
    {.name = "learn.curves",
     .title = "Loss and accuracy of a run",
     .view = ViewId::learn,
     .page = "run",
     .needs = "it needs a run: --do trains one"},
    {.name = "learn.heads",
     .title = "The patterns of a run's heads",
     .view = ViewId::learn,
     .page = "run",
     .needs = "it needs a run: --do trains one"},
    {.name = "learn.gradient_heads",
     .title = "What the next step changes in each head",
     .view = ViewId::learn,
     .page = "gradients",
     .needs = "it needs a run: --do trains one"},
    {.name = "learn.gradient_sequence",
     .title = "What the loss says to one sequence",
     .view = ViewId::learn,
     .page = "gradients",
     .needs = "it needs a run: --do trains one"},
    {.name = "learn.gradient_weights",
     .title = "The derivatives by all weights",
     .view = ViewId::learn,
     .page = "gradients",
     .needs = "it needs a run: --do trains one"},
    {.name = "learn.gradient_scaling",
     .title = "What the scaling of scores does",
     .view = ViewId::learn,
     .page = "gradients",
     .needs = "it needs a run: --do trains one"},
    {"learn.collapse", "Whether heads become alike", ViewId::learn, "collapse"},
    {.name = "learn.pruning",
     .title = "Which heads of a run are needed",
     .view = ViewId::learn,
     .page = "pruning",
     .needs = "it needs a run: --do trains one"},
};

// Seven points for the text that is 15 pixels high: 85 mm are 516 pixels.
constexpr double kPixelsPerMillimetre = 15.0 / 7 * 72 / 25.4;
constexpr float kMargin = 4;  // pixels, around what is drawn
constexpr int kSettling = 4;  // frames until sizes agree that depend on each other
constexpr int kFitting = 9;   // sizes that are tried

const PageEntry* page_of(const FigureEntry& figure) {
  for (const PageEntry& page : all_pages())
    if (figure.page && page.view == figure.view && std::string_view(page.key) == figure.page) return &page;
  return nullptr;
}

void go_to(App& app, const FigureEntry& figure) {
  app.set(app.view().view, figure.view);
  app.set(app.view().dark, false);
  app.set(app.view().presentation, false);
  app.set(app.view().still, true);
  const PageEntry* page = page_of(figure);
  if (!page || page->is_open(app.view())) return;
  Outbox out;
  page->open(app.view(), out);
  for (const Action& way : out.actions) app.set(way);
}

void lay_out(App& app, Recording& recording) {
  struct Recorded {
    App& app;
    ~Recorded() { app.record_in(nullptr); }
  } recorded{app};
  app.record_in(&recording);
  InputQueue nothing;
  for (int frame = 0; frame < kSettling || app.pictures_pending(); ++frame) {
    app.finish_names();
    app.frame(recording.size(), 1.0f / 60, nothing);
  }
}

// What the part has of what the view has drawn; of choices those that are made.
std::vector<const Recording::Mark*> shown_of(const Recording& recording, const std::string& name) {
  std::vector<const Recording::Mark*> marks = recording.of(name);
  const std::vector<const Recording::Mark*> unmade = recording.of("chip/off");
  std::erase_if(marks, [&](const Recording::Mark* mark) { return std::ranges::count(unmade, mark) > 0; });
  return marks;
}

// The next size at which a view is laid out.
struct Fitting {
  float wide, least;
  float more = 0;  // height
  bool done = false;
  float small = 0, large = std::numeric_limits<float>::infinity();  // widths with too little and too much
  ImVec2 lacked{0, 0};
  float grown = 0;

  // Not all of what is added goes to the room that lacks it.
  void grow(ImVec2 lacking) {
    const float share = grown > 0 ? std::clamp((lacked.y - lacking.y) / grown, 0.05f, 1.0f) : 1;
    grown = std::max(0.0f, lacking.y) / share;
    lacked = lacking;
    more += grown;
    wide = least = wide + std::max(0.0f, lacking.x);
  }
  // By so much the part is too narrow. Where it becomes another one at some width, that is looked for between the two.
  void resize(float off) {
    (off > 0 ? small : large) = wide;
    float next = std::max(least, wide + off);
    if (next <= small || next >= large) next = std::max(least, 0.5f * (small + large));
    done = std::abs(off) < 2 || std::abs(next - wide) < 2 || !std::isfinite(next);
    wide = next;
  }
};

std::string facts_of(const App& app) {
  const Trace& trace = app.trace();
  std::string sentence;
  for (const std::string& token : trace.tokens) sentence += (sentence.empty() ? "" : " ") + token;
  const ViewState& view = app.view();
  const LayerInput<float>& input = trace.layer(view.layer).input;
  return "Layer " + std::to_string(view.layer + 1) + " of " + std::to_string(trace.layers.size()) + ", head " +
         std::to_string(view.focused_head + 1) + " of " + std::to_string(input.heads) + ", d_model " +
         std::to_string(input.d_model()) + ". " + std::to_string(trace.tokens.size()) +
         " tokens: " + printable(sentence, 400) + ".";
}

}  // namespace

std::span<const FigureEntry> all_figures() { return kFigures; }

const FigureEntry& figure_of(const std::string& name) {
  std::string near, all;
  const std::string first = name.substr(0, name.find('.'));
  for (const FigureEntry& figure : kFigures) {
    if (name == figure.name) return figure;
    all += (all.empty() ? "" : ", ") + std::string(figure.name);
    if (std::string_view(figure.name).starts_with(first)) near += (near.empty() ? "" : ", ") + std::string(figure.name);
  }
  throw InputError("--figure: there is no figure \"" + printable(name, 80) + "\"; " +
                   (near.empty() ? "choose one of " + all : "of " + printable(first, 40) + " there are " + near));
}

double millimetres_of(const std::string& width) {
  constexpr std::pair<const char*, double> kUnits[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}};
  double number = 0;
  const auto [end, fault] = std::from_chars(width.data(), width.data() + width.size(), number);
  const std::string rest = width.substr(static_cast<std::size_t>(end - width.data()));
  for (const auto& [unit, millimetres] : kUnits) {
    if (fault != std::errc() || rest != unit) continue;
    const double wide = number * millimetres;
    if (wide >= kLeastFigure && wide <= kWidestFigure) return wide;
    throw InputError("--width: a figure is from 20 mm to 2000 mm wide, not " + width);
  }
  throw InputError("--width: \"" + printable(width, 40) +
                   "\" is no width; give one such as 85mm, 8.5cm, 3.3in or 240pt");
}

std::string figure_svg(App& app, const FigureEntry& figure, double millimetres) {
  go_to(app, figure);
  app.finish_evaluation();
  const ViewEntry& view = entry_of(figure.view);
  const std::string name = figure.part ? figure.part : figure.name;
  const double wanted = millimetres * kPixelsPerMillimetre;
  const float em = 15, least_wide = view.wide * em, least_high = view.high * em;
  // The view is made so wide that the part becomes as wide as it is asked for, and so high and wide that nothing is
  // scrolled to. Of sizes at which it is laid out in another way the nearest is taken.
  Fitting fit{std::max(least_wide, static_cast<float>(wanted)), least_wide};
  std::optional<Recording> best;
  float best_off = std::numeric_limits<float>::infinity();
  for (int k = 0; k < kFitting && !fit.done; ++k) {
    Recording recording({std::round(fit.wide), std::round(std::max(least_high, figure.tall * fit.wide) + fit.more)});
    lay_out(app, recording);
    const std::vector<const Recording::Mark*> marks = shown_of(recording, name);
    const ImVec2 lacking = recording.lacking(name);
    if (marks.empty()) {
      fit.wide *= 1.4f;  // there may be room for it
    } else if (lacking.x >= 1 || lacking.y >= 1) {
      fit.grow(lacking);
    } else {
      const float off = static_cast<float>(wanted) - extent(std::span(marks)).size.x - 2 * kMargin;
      // Rather a little small in print than large letters around little.
      const float cost = off > 0 ? 3 * off : -off;
      if (cost < best_off) best_off = cost, best.emplace(std::move(recording));
      fit.resize(off);
    }
  }
  if (!app.failure().empty() || app.notice().is_error)
    throw std::runtime_error("the figure cannot be drawn: " +
                             (app.failure().empty() ? app.notice().sentence : app.failure()));
  if (!best)
    throw InputError("--figure: " + std::string(figure.name) +
                     " has nothing to show here: " + (figure.needs ? figure.needs : "not of this document"));
  const std::vector<const Recording::Mark*> marks = shown_of(*best, name);
  const Box part = extent(std::span(marks));
  const SvgPage page{
      {{part.pos.x - kMargin, part.pos.y - kMargin}, {part.size.x + 2 * kMargin, part.size.y + 2 * kMargin}},
      millimetres,
      std::string(figure.title),
      facts_of(app),
      theme(false).ground};
  return svg_text(marks, page, app.fonts());
}

}  // namespace hydra
