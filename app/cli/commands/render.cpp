#include "app/cli/commands/render.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/picture_size.h"
#include "app/cli/place_options.h"
#include "app/cli/stage.h"
#include "app/draw/format.h"
#include "app/draw/svg.h"
#include "app/figures.h"
#include "app/offscreen_frame.h"
#include "app/play.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "app/views/tradeoff/trained/quality_words.h"
#include "app/views/tradeoff/trained/trained_words.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/io/file.h"
#include "core/text/wording.h"

namespace hydra {
namespace {

// "cosine, js_bits, ...": what --measure may be.
std::string likeness_keys() {
  std::string keys;
  for (const LikenessEntry& entry : likenesses()) keys += (keys.empty() ? "" : ", ") + std::string(entry.key);
  return keys;
}

// The whole text as a number, or nothing.
std::optional<Index> number(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "3,4" -> (3, 4).
std::optional<std::pair<Index, Index>> two_numbers(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = number(text.substr(0, at)), second = number(text.substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

bool is_dark(const std::string& name) {
  if (name != "light" && name != "dark") {
    throw InputError("--theme: there is no theme \"" + name + "\"; choose light or dark");
  }
  return name == "dark";
}

float text_scale(double scale) {
  if (!(scale >= 0.5 && scale <= 4)) throw InputError("--scale: give a number from 0.5 to 4");
  return static_cast<float>(scale);
}

// "W_Q:3,4" in the focused head, where the matrix has heads: short for the site's whole spelling.
Cell short_cell(const std::string& text, const Site& focus) {
  const std::size_t colon = text.find(':');
  const auto place = colon == std::string::npos ? std::nullopt : two_numbers(text.substr(colon + 1), ',');
  if (!place)
    throw InputError("--select: \"" + text + "\" is not a number's place; give matrix:row,column such as W_Q:3,4");
  const std::string key = text.substr(0, colon);
  std::string names;
  for (int q = 0; q < kQuantities; ++q) {
    const auto quantity = static_cast<Quantity>(q);
    const std::string name = quantity == Quantity::Y ? "Y" : entry_of(quantity).key;
    const bool of_head = has_head(quantity) || is_projection_weight(quantity);
    if (key == name) return {{quantity, focus.layer, of_head ? focus.head : kNoHead}, place->first, place->second};
    names += (names.empty() ? "" : ", ") + name;
  }
  throw InputError("--select: there is no matrix \"" + key + "\"; choose one of " + names);
}

Cell cell_of(const std::string& text, const Site& focus, const Trace& trace) {
  const Cell cell = text.find('[') == std::string::npos ? short_cell(text, focus) : parse_cell(text);
  if (!exists(trace, cell.site)) throw InputError("--select: the document has no " + spelled(cell.site));
  const Shape shape = shape_of(trace, cell.site);
  if (cell.row < 0 || cell.row >= shape.rows || cell.col < 0 || cell.col >= shape.cols) {
    throw InputError("--select: \"" + text + "\" is outside; the matrix is " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.cols) + ", counted from 0");
  }
  return cell;
}

Relation relation_of(const std::string& key) {
  std::string keys;
  for (const RelationEntry& entry : relations()) {
    if (key == entry.key) return entry.relation;
    keys += (keys.empty() ? "" : ", ") + std::string(entry.key);
  }
  throw InputError("--relation: there is no relation \"" + key + "\"; choose one of " + keys);
}

// What is chosen in Likeness and in Roles, from the options.
struct Chosen {
  std::optional<Likeness> measure;
  std::optional<bool> pooled;
  std::optional<float> threshold;

  Chosen(const RenderOptions& options, ViewId view) {
    const auto needs = [&](bool given, const char* option, std::initializer_list<ViewId> of, const char* views) {
      if (given && std::ranges::count(of, view) == 0) throw InputError(std::string(option) + " is of --view " + views);
    };
    needs(options.measure.has_value(), "--measure", {ViewId::likeness}, "likeness");
    needs(options.sentences.has_value(), "--sentences", {ViewId::likeness, ViewId::roles}, "likeness or roles");
    needs(options.threshold.has_value(), "--threshold", {ViewId::roles}, "roles");
    if (options.measure) measure = measure_of(*options.measure);
    if (options.sentences) pooled = is_all(*options.sentences);
    if (options.threshold && !(*options.threshold >= 0 && *options.threshold <= 1))
      throw InputError("--threshold: give a number from 0 to 1");
    if (options.threshold) threshold = static_cast<float>(*options.threshold);
  }

  void choose_in(App& app) const {
    const ViewState& view = app.view();
    app.set(view.likeness.measure, measure.value_or(view.likeness.measure));
    app.set(view.likeness.pooled, pooled.value_or(view.likeness.pooled));
    if (pooled) app.set(view.roles.over, *pooled ? RolesOver::known : RolesOver::sentence);
    app.set(view.roles.threshold, threshold.value_or(view.roles.threshold));
  }

 private:
  static Likeness measure_of(const std::string& key) {
    for (const LikenessEntry& entry : likenesses())
      if (key == entry.key) return entry.measure;
    throw InputError("--measure: there is no measure \"" + key + "\"; choose one of " + likeness_keys());
  }
  static bool is_all(const std::string& which) {
    if (which != "this" && which != "all")
      throw InputError("--sentences: there are no sentences \"" + which + "\"; choose this or all");
    return which == "all";
  }
};

// In points; text that is smaller is said to be so.
constexpr float kLeastLetters = 5;

float least_of(App& app, const Figure& figure) { return least_letters(figure.marks, figure.page, app.fonts()); }

// With a width at which none is, which is tried: a view that has more room may be laid out in another way.
void note_letters(App& app, const FigureEntry& entry, double millimetres, float least) {
  double wide = millimetres;
  float there = least;
  while (there < kLeastLetters && wide < kWidestFigure) {
    wide = std::min(kWidestFigure, std::ceil(wide * static_cast<double>(kLeastLetters / there)));
    there = least_of(app, lay_out_figure(app, entry, wide));
  }
  std::fprintf(stderr, "%s: its smallest text is of %s points; with --width %smm it is of %s\n", entry.name,
               ui::number(least).c_str(), ui::number(wide, As::whole).c_str(), ui::number(there).c_str());
}

std::string svg_of(App& app, const FigureEntry& entry, double millimetres) {
  const Figure figure = lay_out_figure(app, entry, millimetres);
  const std::string svg = svg_text(figure.marks, figure.page, app.fonts());
  const float least = least_of(app, figure);
  if (least > 0 && least < kLeastLetters) note_letters(app, entry, millimetres, least);
  return svg;
}

// A name, how wide it is by default, and what it is, a line each.
int list_figures() {
  for (const FigureEntry& figure : all_figures())
    std::printf("%-24s  %3.0fmm  %s\n", figure.name, figure.from, wording(figure.title).c_str());
  return 0;
}

// A file whose name says something else than what is written.
void check_name(const std::string& out, const FigureEntry* figure) {
  const auto ends = [&](std::initializer_list<const char*> kinds) {
    return std::ranges::any_of(kinds, [&](const char* kind) { return out.ends_with(kind); });
  };
  if (figure && ends({".png", ".pdf", ".eps", ".jpg"}))
    throw InputError("--out: a figure is an SVG file, not \"" + printable(out, 80) + "\"; name it .svg");
  if (!figure && ends({".svg", ".pdf", ".eps", ".jpg"}))
    throw InputError("--out: the window is drawn as a PNG file, not \"" + printable(out, 80) +
                     "\"; name it .png, or give --figure for an SVG");
}

// What a figure has of its own.
void check_figure(const RenderOptions& options, const FigureEntry& figure) {
  const auto own = [](bool given, const char* option, const char* what) {
    if (given) throw InputError(std::string("--figure: a figure ") + what + "; leave " + option + " out");
  };
  own(options.view.has_value(), "--view", "is of one view");
  own(!options.page.empty(), "--page", "is of one page");
  own(options.size.has_value(), "--size", "is as wide as --width says");
  own(options.theme.has_value(), "--theme", "is light");
  own(options.scale.has_value(), "--scale", "has text as large as its width has room for");
  own(options.presentation, "--presentation", "is for paper");
  const bool trains =
      figure.page && (figure.page == std::string_view("trained") || figure.page == std::string_view("quality"));
  own(options.train > 0 && !trains, "--train", "but tradeoff.trained trains nothing");
}

}  // namespace

int run_render(const RenderOptions& options) {
  if (options.list_figures) return list_figures();
  if (options.out.empty())
    throw InputError("render needs --out FILE, the PNG or, with --figure, the SVG to write (- for standard output)");
  const FigureEntry* figure = options.figure ? &figure_of(*options.figure) : nullptr;
  check_name(options.out, figure);
  const double millimetres = !figure ? 0 : options.width.empty() ? figure->from : millimetres_of(options.width);
  if (figure) check_figure(options, *figure);
  if (!figure && !options.width.empty()) throw InputError("--width is of --figure; a window has --size");
  const auto [width, height] = picture_size(options.size.value_or("1600x1000"));
  const ViewId view = figure ? figure->view : view_of(options.view.value_or("flow"));
  const PageEntry* page = page_of(figure && figure->page ? figure->page : options.page, view);
  const bool dark = is_dark(options.theme.value_or("light"));
  const float scale = text_scale(options.scale.value_or(1));
  const Chosen chosen(options, view);
  std::string lines;
  for (const std::string& action : options.actions) lines += action + '\n';
  const std::vector<ListedAction> list = parse_actions(lines, "--do");
  const auto relation = options.relation ? std::optional(relation_of(*options.relation)) : std::nullopt;
  Document document = asked_document(options);
  note_input(document);
  const int layer = layer_index(options.layer, document);

  Stage stage(!figure);
  App app(std::move(document), file_to_save(options), stage.sink());
  for (const std::string& fault : app.sentences().skipped) std::fprintf(stderr, "skipped: %s\n", fault.c_str());
  app.set(app.view().view, view);
  app.set(act::GoTo{layer, {}});
  if (page) {
    Outbox out;
    page->open(app.view(), out);
    for (const Action& way : out.actions) app.set(way);
  }
  chosen.choose_in(app);
  if (page && page->key == std::string_view("timing")) {
    // Measures before it draws, short lengths only: a picture should not take minutes.
    app.set(app.view().tradeoff.lengths, {64, 128, 256, 512, 1024});
    app.act(act::MeasureWays{timing_lengths(app.view())});
  }
  if (options.train > 0) {
    app.set(app.view().tradeoff.trained.seeds, options.train);
    const bool quality = app.view().tradeoff.page == TradeoffPage::quality;
    const TrainedState& trained = app.view().tradeoff.trained;
    app.act(act::TrainCounts{quality ? tradeoff::quality_asked(trained) : tradeoff::asked_of(trained)});
  }
  app.set(app.view().dark, dark);
  app.set(app.view().text_scale, scale);
  app.set(app.view().shown_relation, relation);
  app.set(app.view().still, true);
  app.finish_evaluation();  // a large document's first trace takes a moment
  if (!app.failure().empty()) throw std::runtime_error("the picture cannot be computed: " + app.failure());
  app.set(app.view().presentation, options.presentation);
  if (options.head) app.set(act::GoTo{{}, head_index(*options.head, app.history().current().layer(layer))});
  if (options.select)
    app.set(act::Select{cell_of(*options.select, {Quantity::X, layer, app.view().focused_head}, app.trace())});
  if (!list.empty()) play(app, list, {static_cast<float>(width), static_cast<float>(height)});
  write_whole(options.out,
              figure ? svg_of(app, *figure, millimetres) : png_bytes(render_frame(app, *stage.drawn, width, height)));
  return 0;
}

CliCommand add_render(CLI::App& app) {
  const auto kept = std::make_shared<RenderOptions>();
  RenderOptions& options = *kept;
  CLI::App& command = *app.add_subcommand(
      "render", "Draws one frame of the interface into a PNG, or a part of it as an SVG, without a window");
  add_document(command, options);
  add_out(command, options.out, "The PNG to write, or with --figure the SVG; - is standard output");
  command.add_option("--figure", options.figure, "One part of a view as an SVG, by its name: see --list-figures")
      ->type_name("NAME");
  command.add_option("--width", options.width, "Of the figure, by default as in --list-figures; in mm, cm, in or pt")
      ->type_name("WIDTH");
  command.add_flag("--list-figures", options.list_figures, "Names the figures, and ends");
  command.add_option("--view", options.view, "The view, by default flow: " + view_names())->type_name("VIEW");
  command
      .add_option(
          "--page", options.page,
          "A page of the view, " + page_names() + ". Timing measures before it draws, width and needed fit heads")
      ->type_name("PAGE");
  command.add_option("--size", options.size, "Width and height in pixels, by default 1600x1000")->type_name("WxH");
  command.add_option("--theme", options.theme, "light (the default) or dark")->type_name("THEME");
  command.add_option("--scale", options.scale, "Size of the text, from 0.5 to 4")->type_name("FACTOR");
  command
      .add_option(
          "--train", options.train,
          "For --view tradeoff --page trained or quality: trains so many seeds before it draws, 5 seconds each or more")
      ->type_name("SEEDS")
      ->check(CLI::Range(1, 20));
  add_layer(command, options.layer);
  command.add_option("--head", options.head, "The focused head, counted from 1")->type_name("NUMBER");
  command
      .add_option(
          "--select", options.select,
          "The selected number, counted from 0: W_Q:3,4 (in the focused head), or layers.0.heads.2.attention[7,1]")
      ->type_name("MATRIX:ROW,COL");
  command.add_option("--relation", options.relation, "Outlines this relation, where the sentence is marked with it")
      ->type_name("RELATION");
  command.add_option("--measure", options.measure, "For --view likeness: " + likeness_keys())->type_name("MEASURE");
  command
      .add_option("--sentences", options.sentences,
                  "For --view likeness and roles: this, or all, which are the marked ones")
      ->type_name("this|all");
  command.add_option("--threshold", options.threshold, "For --view roles: the least score of a role, from 0 to 1")
      ->type_name("SCORE");
  command.add_flag("--presentation", options.presentation, "As after F5: larger, without the panels");
  command
      .add_option("--do", options.actions,
                  "An action that is performed before it is drawn, as a line of play's list; may be given again")
      ->type_name("ACTION")
      ->allow_extra_args(false);
  return {&command, [kept] { return run_render(*kept); }};
}

}  // namespace hydra
