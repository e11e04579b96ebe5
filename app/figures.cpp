#include "app/figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "app/draw/svg.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr const char* kNeedsRun =
    "it needs a run: --do '{\"LearnChoose\":{\"task\":\"students\"}}' --do '{\"LearnTrain\":{\"steps\":100}}'";

constexpr const char* kNeedsBeside =
    "it needs a model beside: --do '{\"PutBeside\":{\"path\":\"trained_students_4.json\"}}'";

// Text sizes: a column of a journal, 85 mm, where text is at seven points, and where the small one is at five.
constexpr float kColumn = 28, kSmallColumn = 33.5f;

constexpr FigureEntry kFigures[] = {
    {.name = "flow", .title = "frame:figure.flow", .view = ViewId::flow, .from = 125, .of_head = true},
    {.name = "heads.pattern",
     .title = "frame:figure.heads.pattern",
     .view = ViewId::heads,
     .page = "patterns",
     .tall = 2.6f,
     .of_head = true},
    {"heads.grid", "frame:figure.heads.grid", ViewId::heads, "patterns", nullptr, 1.8f},
    {.name = "heads.arcs",
     .title = "frame:figure.heads.arcs",
     .view = ViewId::heads,
     .page = "patterns",
     .of_head = true},
    {"heads.rollout", "frame:figure.heads.rollout", ViewId::heads, "rollout", "heads.pattern", 2.6f},
#define HYDRA_HEAD_PICTURE(key) \
  {.name = "heads." #key,       \
   .title =                     \
       "heads:"                 \
       "picture." #key,         \
   .view = ViewId::heads,       \
   .page = #key,                \
   .part = "heads.pattern",     \
   .tall = 2.6f,                \
   .of_head = true},
#include "embedded/head_pictures.inc"
#undef HYDRA_HEAD_PICTURE
    {.name = "heads.beside",
     .title = "frame:figure.heads.beside",
     .view = ViewId::heads,
     .page = "beside",
     .wide = kColumn,
     .of_head = true,
     .needs = kNeedsBeside},
    {"mixing.equation", "frame:figure.mixing.equation", ViewId::mixing, "output"},
    {"mixing.sum", "frame:figure.mixing.sum", ViewId::mixing, "output"},
    {.name = "mixing.strip",
     .title = "frame:figure.mixing.strip",
     .view = ViewId::mixing,
     .page = "output",
     .wide = kColumn},
    {"mixing.shares", "frame:figure.mixing.shares", ViewId::mixing, "shares"},
    {"mixing.table", "frame:figure.mixing.table", ViewId::mixing, "shares"},
    {"mixing.curve", "frame:figure.mixing.curve", ViewId::mixing, "silencing"},
    {"mixing.directions", "frame:figure.mixing.directions", ViewId::mixing, "silencing"},
    {"stream.words", "frame:figure.stream.words", ViewId::stream, "words"},
    {"stream.ladder", "frame:figure.stream.ladder", ViewId::stream, "words"},
    {.name = "stream.circuit",
     .title = "frame:figure.stream.circuit",
     .view = ViewId::stream,
     .page = "circuit",
     .needs = "it needs a document of several layers"},
    {.name = "stream.composed",
     .title = "frame:figure.stream.composed",
     .view = ViewId::stream,
     .page = "circuit",
     .tall = 1.4f,
     .needs = "it needs a line between two heads: a document of several layers"},
    {"stream.routing", "frame:figure.stream.routing", ViewId::stream, "routing"},
    {.name = "stream.answer",
     .title = "frame:figure.stream.answer",
     .view = ViewId::stream,
     .page = "answer",
     .wide = kSmallColumn,
     .needs = "it needs a document that reads out words"},
    {"likeness.matrix", "frame:figure.likeness.matrix", ViewId::likeness, "pairs"},
    {"likeness.map", "frame:figure.likeness.map", ViewId::likeness, "pairs"},
    {.name = "likeness.pair",
     .title = "frame:figure.likeness.pair",
     .view = ViewId::likeness,
     .page = "pairs",
     .tall = 1.8f,
     .wide = kColumn,
     .of_head = true,
     .needs = "it needs two heads that are compared: --do "
              "'{\"Choose\":{\"key\":\"likeness.compared\",\"value\":\"[0,1]\"}}'"},
    {.name = "likeness.between",
     .title = "frame:figure.likeness.between",
     .view = ViewId::likeness,
     .page = "between",
     .wide = kColumn,
     .of_head = true,
     .needs = kNeedsBeside},
    {.name = "likeness.ranks", .title = "frame:figure.likeness.ranks", .view = ViewId::likeness, .page = "rank"},
    {.name = "roles.table",
     .title = "frame:figure.roles.table",
     .view = ViewId::roles,
     .wide = kSmallColumn,
     .from = 102},
    {.name = "design.forms",
     .title = "frame:figure.design.forms",
     .view = ViewId::design,
     .wide = kColumn,
     .of_head = true,
     .needs = "it needs columns of X that have names: features"},
    {.name = "tradeoff.columns",
     .title = "frame:figure.tradeoff.columns",
     .view = ViewId::tradeoff,
     .page = "columns",
     .from = 110},
    {.name = "tradeoff.cost",
     .title = "frame:figure.tradeoff.cost",
     .view = ViewId::tradeoff,
     .page = "cost",
     .wide = kSmallColumn,
     .of_head = true},
    {.name = "tradeoff.sharing",
     .title = "frame:figure.tradeoff.sharing",
     .view = ViewId::tradeoff,
     .page = "sharing",
     .wide = kColumn,
     .from = 106},
    {.name = "tradeoff.published",
     .title = "frame:figure.tradeoff.published",
     .view = ViewId::tradeoff,
     .page = "published",
     .wide = kSmallColumn},
    {.name = "tradeoff.trained",
     .title = "frame:figure.tradeoff.trained",
     .view = ViewId::tradeoff,
     .page = "trained",
     .needs = "it needs models that are trained: --train 1"},
    {.name = "tradeoff.quality",
     .title = "frame:figure.tradeoff.quality",
     .view = ViewId::tradeoff,
     .page = "quality",
     .needs = "it needs models that are trained: --train 1"},
    {.name = "tradeoff.product",
     .title = "frame:figure.tradeoff.product",
     .view = ViewId::tradeoff,
     .page = "product",
     .wide = kColumn},
    {.name = "tradeoff.tiles",
     .title = "frame:figure.tradeoff.tiles",
     .view = ViewId::tradeoff,
     .page = "tiles",
     .tall = 2.1f,
     .wide = kColumn,
     .of_head = true},
    {.name = "tradeoff.timing",
     .title = "frame:figure.tradeoff.timing",
     .view = ViewId::tradeoff,
     .page = "timing",
     .wide = kSmallColumn},
    {.name = "tradeoff.width",
     .title = "frame:figure.tradeoff.width",
     .view = ViewId::tradeoff,
     .page = "width",
     .wide = kColumn},
    {.name = "tradeoff.needed",
     .title = "frame:figure.tradeoff.needed",
     .view = ViewId::tradeoff,
     .page = "needed",
     .wide = kSmallColumn},
    {.name = "learn.curves",
     .title = "frame:figure.learn.curves",
     .view = ViewId::learn,
     .page = "run",
     .wide = kSmallColumn,
     .needs = kNeedsRun},
    {.name = "learn.heads",
     .title = "frame:figure.learn.heads",
     .view = ViewId::learn,
     .page = "run",
     .needs = kNeedsRun},
    {.name = "learn.gradient_heads",
     .title = "frame:figure.learn.gradient_heads",
     .view = ViewId::learn,
     .page = "gradients",
     .tall = 2,
     .wide = kColumn,
     .choice = {"learn.gradients.part", "\"heads\""},
     .needs = kNeedsRun},
    {.name = "learn.gradient_sequence",
     .title = "frame:figure.learn.gradient_sequence",
     .view = ViewId::learn,
     .page = "gradients",
     .choice = {"learn.gradients.part", "\"sequence\""},
     .needs = kNeedsRun},
    {.name = "learn.gradient_weights",
     .title = "frame:figure.learn.gradient_weights",
     .view = ViewId::learn,
     .page = "gradients",
     .wide = kSmallColumn,
     .choice = {"learn.gradients.part", "\"weights\""},
     .needs = kNeedsRun},
    {.name = "learn.gradient_number",
     .title = "frame:figure.learn.gradient_number",
     .view = ViewId::learn,
     .page = "gradients",
     .tall = 3,
     .wide = kColumn,
     .choice = {"learn.gradients.part", "\"weights\""},
     .needs = kNeedsRun},
    {.name = "learn.gradient_scaling",
     .title = "frame:figure.learn.gradient_scaling",
     .view = ViewId::learn,
     .page = "gradients",
     .wide = kSmallColumn,
     .choice = {"learn.gradients.part", "\"scaling\""},
     .needs = kNeedsRun},
    {.name = "learn.collapse",
     .title = "frame:figure.learn.collapse",
     .view = ViewId::learn,
     .page = "collapse",
     .needs = "it needs a run of this task: --do '{\"LearnTry\":{\"which\":0}}'"},
    {.name = "learn.pruning",
     .title = "frame:figure.learn.pruning",
     .view = ViewId::learn,
     .page = "pruning",
     .tall = 1.6f,
     .wide = kColumn,
     .needs = kNeedsRun},
};

// Seven points for the em of the text that is 15 pixels high, of Inter 1.21 em: 85 mm are 427 pixels.
constexpr double kPixelsPerMillimetre = 15 / 1.21 / 7 * 72 / 25.4;
constexpr float kMargin = 4;          // pixels, around what is drawn
constexpr float kLargest = 7.0f / 9;  // of the width that is asked for: text is at most nine points high
constexpr int kSettling = 4;          // frames until sizes agree that depend on each other
constexpr int kFitting = 9;           // sizes that are tried

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
  if (figure.choice.key) app.set(act::Choose{figure.choice.key, figure.choice.value});
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

// What a paper has of the part.
std::vector<const Recording::Mark*> shown_of(const Recording& recording, const std::string& name) {
  std::vector<const Recording::Mark*> marks = recording.of(name);
  const std::vector<const Recording::Mark*> windows = recording.of(kWindowAlone);
  std::erase_if(marks, [&](const Recording::Mark* mark) { return std::ranges::binary_search(windows, mark); });
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
  float missed = 0, added = 0;  // width, by the last size
  int in_vain = 0;

  // Not all of what is added goes to the room that lacks it.
  void grow(ImVec2 lacking) {
    const float share = grown > 0 ? std::clamp((lacked.y - lacking.y) / grown, 0.05f, 1.0f) : 1;
    grown = std::max(0.0f, lacking.y) / share;
    lacked = lacking;
    more += grown;
    wide = least = wide + std::max(0.0f, lacking.x);
    added = 0;
  }
  // By so much the part is too narrow; not all of what is added goes to it, and it may have all that it ever takes.
  // Where it becomes another one at some width, that is looked for between the two.
  void resize(float off) {
    (off > 0 ? small : large) = wide;
    const float share = added != 0 ? std::clamp((missed - off) / added, 0.25f, 1.0f) : 1;
    in_vain = added > 0 && std::abs(missed - off) < 1 ? in_vain + 1 : 0;
    float next = std::max(least, wide + off / share);
    if (next <= small || next >= large) next = std::max(least, 0.5f * (small + large));
    done = std::abs(off) < 2 || std::abs(next - wide) < 2 || !std::isfinite(next) || in_vain == 2;
    missed = off, added = next - wide;
    wide = next;
  }
};

std::string facts_of(const App& app, bool of_head) {
  const Trace& trace = app.trace();
  std::string sentence;
  for (const std::string& token : trace.tokens) sentence += (sentence.empty() ? "" : " ") + token;
  const ViewState& view = app.view();
  const LayerInput<float>& input = trace.layer(view.layer).input;
  return wording(of_head ? "frame:figure_of.head" : "frame:figure_of", {{"layer", view.layer + 1},
                                                                        {"layers", trace.layers.size()},
                                                                        {"head", view.focused_head + 1},
                                                                        {"heads", input.heads},
                                                                        {"d_model", input.d_model()},
                                                                        {"n", trace.tokens.size()},
                                                                        {"sentence", printable(sentence, 400)}});
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
    throw InputError("--width: a figure is from 40 mm to 2000 mm wide, not " + width);
  }
  throw InputError("--width: \"" + printable(width, 40) +
                   "\" is no width; give one such as 85mm, 8.5cm, 3.3in or 240pt");
}

Figure lay_out_figure(App& app, const FigureEntry& figure, double millimetres) {
  go_to(app, figure);
  app.finish_evaluation();
  const ViewEntry& view = entry_of(figure.view);
  const std::string name = figure.part ? figure.part : figure.name;
  const double wanted = millimetres * kPixelsPerMillimetre;
  const float em = 15, least_high = view.high * em;
  const float least_wide = (figure.wide > 0 ? figure.wide : view.wide) * em;
  const Recording::Of of = figure.of_head ? Recording::Of::figure_of_focus : Recording::Of::figure;
  // The view is made so wide that the part becomes as wide as it is asked for, and so high and wide that nothing is
  // scrolled to. Of sizes at which it is laid out in another way the nearest is taken.
  Fitting fit{std::max(least_wide, static_cast<float>(wanted)), least_wide};
  std::optional<Recording> best;
  float best_cost = std::numeric_limits<float>::infinity();
  for (int k = 0; k < kFitting && !fit.done; ++k) {
    const float high = std::max(least_high, figure.tall * static_cast<float>(wanted)) + fit.more;
    Recording recording({std::round(fit.wide), std::round(high)}, of);
    lay_out(app, recording);
    const std::vector<const Recording::Mark*> marks = shown_of(recording, name);
    if (marks.empty()) {
      fit.wide *= 1.4f, fit.more += 0.4f * high;  // there may be room for it
      continue;
    }
    const ImVec2 lacking = recording.lacking(name);
    const bool lacks = lacking.x >= 1 || lacking.y >= 1;
    const float off = static_cast<float>(wanted) - extent(std::span(marks)).size.x - 2 * kMargin;
    // Rather a little small in print than large letters around little; and rather anything than what is cut.
    const float cost = (off > 0 ? 3 * off : -off) + (lacks ? 1e5f + lacking.x + lacking.y : 0);
    if (cost < best_cost) best_cost = cost, best.emplace(std::move(recording));
    lacks ? fit.grow(lacking) : fit.resize(off);
  }
  if (!app.failure().empty() || app.notice().is_error)
    throw std::runtime_error("the figure cannot be drawn: " +
                             (app.failure().empty() ? app.notice().sentence : app.failure()));
  if (!best)
    throw InputError("--figure: " + std::string(figure.name) +
                     " has nothing to show here: " + (figure.needs ? figure.needs : "not of this document"));
  Figure made{std::move(*best), {}, {}};
  made.marks = shown_of(made.recording, name);
  Box part = extent(std::span(std::as_const(made.marks)));
  // What is narrower than it was asked for stands in the middle, its text not much larger than of the others.
  const float room = std::max(part.size.x + 2 * kMargin, kLargest * static_cast<float>(wanted));
  part = {{part.pos.x - 0.5f * (room - part.size.x), part.pos.y - kMargin}, {room, part.size.y + 2 * kMargin}};
  made.page = {part, millimetres, wording(figure.title), facts_of(app, figure.of_head), theme(false).ground};
  return made;
}

}  // namespace hydra
