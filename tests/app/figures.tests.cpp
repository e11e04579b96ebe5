// Every figure of documents that ship: an XML file with all words within it, its numbers those of the trace.
#include "app/figures.h"

#include <catch2/catch.hpp>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>

#include "app/platform/imgui_session.h"
#include "app/play.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"
#include "tests/support/open_page.h"
#include "tests/support/recorded_text.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using Catch::Matchers::Contains;
using test::fault_at;

namespace {

struct Alone {
  explicit Alone(Document document) : app(std::move(document), "", none) { app.set(app.view().still, true); }
  std::string svg(const std::string& name, double millimetres = 85) {
    const Figure figure = lay_out_figure(app, figure_of(name), millimetres);
    return svg_text(figure.marks, figure.page, app.fonts());
  }
  ImGuiSession session;
  NoPictures none;
  App app;
};

struct Tag {
  std::string name, text;  // with its attributes
  std::string attribute(const std::string& key) const {
    const std::size_t at = text.find(' ' + key + "=\"");
    if (at == std::string::npos) return "";
    const std::size_t from = at + key.size() + 3;
    return text.substr(from, text.find('"', from) - from);
  }
  double number(const std::string& key) const { return std::stod(attribute(key)); }
};

// Opening tags in their order; what is not well-formed fails.
std::vector<Tag> tags_of(const std::string& xml) {
  std::vector<Tag> tags;
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      const std::set<std::string> known{"&amp", "&lt", "&gt", "&quot", "&#10"};
      REQUIRE(known.contains(xml.substr(at, end - at)));
    }
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    REQUIRE(end != std::string::npos);
    const std::string inside = xml.substr(at + 1, end - at - 1);
    REQUIRE(inside.find('<') == std::string::npos);
    REQUIRE(std::ranges::count(inside, '"') % 2 == 0);
    if (inside[0] == '/') {
      REQUIRE_FALSE(open.empty());
      REQUIRE(open.back() == inside.substr(1));
      open.pop_back();
    } else {
      tags.push_back({inside.substr(0, inside.find_first_of(" /")), inside});
      if (!inside.ends_with('/')) open.push_back(tags.back().name);
    }
    at = end + 1;
  }
  CHECK(open.empty());
  return tags;
}

// Where "0 0 w h" says that it ends.
std::pair<double, double> size_of(const Tag& svg) {
  const std::string box = svg.attribute("viewBox");
  const std::size_t gap = box.rfind(' '), before = box.rfind(' ', gap - 1);
  return {std::stod(box.substr(before)), std::stod(box.substr(gap))};
}

void check_words_within(const std::vector<Tag>& tags) {
  const auto [width, height] = size_of(tags.front());
  for (const Tag& tag : tags) {
    if (tag.name != "text" || !tag.attribute("transform").empty()) continue;
    CAPTURE(tag.text);
    CHECK(tag.number("x") >= 0);
    CHECK(tag.number("x") + tag.number("textLength") <= width + 0.5);
    CHECK(tag.number("y") <= height);
    CHECK(tag.number("y") >= 0.5 * tag.number("font-size"));
  }
}

Mat<float> values_of(const Tag& tag) {
  Mat<float> values(std::stol(tag.attribute("data-rows")), std::stol(tag.attribute("data-cols")));
  const std::string text = tag.attribute("data-values");
  const char* at = text.data();
  for (Index k = 0; k < values.size(); ++k) {
    float value = -std::numeric_limits<float>::infinity();
    if (*at == 'm')
      at += 6;
    else
      at = std::from_chars(at, text.data() + text.size(), value).ptr;
    values.data()[k] = value;
    ++at;
  }
  return values;
}

std::vector<std::string> documents() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test::data("../../assets/documents")))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("figures: all of all documents are whole, and say what they need where there are none", "[app][figures]") {
  const std::vector<std::string> all = documents();
  REQUIRE(all.size() >= 25);
  int drawn = 0;
  for (std::size_t k = 0; k < all.size(); k += test::kSanitized ? 10 : 1) {
    Alone alone(test::example(all[k]));
    for (const FigureEntry& figure : all_figures()) {
      // Fits and timings take their time: of one document.
      if (figure.view == ViewId::tradeoff && all[k] != "slices") continue;
      CAPTURE(all[k], figure.name);
      try {
        const std::string svg = alone.svg(figure.name);
        check_words_within(tags_of(svg));
        ++drawn;
      } catch (const InputError& none) {
        CHECK_THAT(none.what(), Contains(figure.name) && Contains("nothing to show here: "));
      }
    }
  }
  CHECK(drawn >= (test::kSanitized ? 40 : 400));
}

TEST_CASE("figures: of a run's gradients there are all, whichever part of the page is open", "[app][figures]") {
  Alone alone(test::example("trained_students_4"));
  play(alone.app,
       parse_actions("{\"LearnChoose\":{\"task\":\"students\"}}\n{\"LearnTrain\":{\"steps\":5}}\n", "the test"),
       {1600, 1000});
  for (const char* name : {"learn.gradient_heads", "learn.gradient_weights", "learn.gradient_scaling",
                           "learn.gradient_sequence", "learn.gradient_weights"}) {
    CAPTURE(name);
    CHECK_THAT(alone.svg(name), Contains("<text"));
  }
}

TEST_CASE("figures: at the width that they are listed with no text is smaller than five points", "[app][figures]") {
  const auto check = [](Alone& alone, const std::string& document, std::string_view view) {
    for (const FigureEntry& figure : all_figures()) {
      if (!std::string_view(figure.name).starts_with(view)) continue;
      if (test::kSanitized && figure.view == ViewId::tradeoff) continue;  // fits and timings
      CAPTURE(document, figure.name);
      try {
        const Figure made = lay_out_figure(alone.app, figure, figure.from);
        CHECK(least_letters(made.marks, made.page, alone.app.fonts()) >= 5);
      } catch (const InputError& none) {
        CHECK_THAT(none.what(), Contains("nothing to show here: "));
      }
    }
  };
  for (const char* document : {"paper_exercise", "trained_grammar", "heads_designed", "stack_remembers"}) {
    if (test::kSanitized && std::string_view(document) != "trained_grammar") continue;
    Alone alone(test::example(document));
    alone.app.set(act::Choose{"likeness.compared", "[0,1]"});
    check(alone, document, "");
  }
  Alone alone(test::example("trained_students_4"));
  play(alone.app,
       parse_actions("{\"LearnChoose\":{\"task\":\"students\"}}\n{\"LearnTrain\":{\"steps\":5}}\n", "the test"),
       {1600, 1000});
  check(alone, "a run", "learn.");
}

TEST_CASE("recording: every view and page twice alike, its patterns those of the trace", "[app][figures]") {
  Alone alone(test::example("heads_designed"));
  App& app = alone.app;
  InputQueue nothing;
  app.finish_names();
  std::size_t cells = 0;
  const auto record = [&](Recording& recording) {
    app.record_in(&recording);
    for (int k = 0; k < 4 || app.pictures_pending(); ++k) {
      app.finish_names();
      app.frame(recording.size(), 1.0f / 60, nothing);
    }
    app.record_in(nullptr);
    return test::text_of(recording);
  };
  const auto check = [&] {
    Recording first({1200, 800}), second({1200, 800});
    const std::string text = record(first);
    CHECK_FALSE(text.empty());
    CHECK(text == record(second));
    const LayerTrace<float>& layer = app.trace().layers.front();
    for (int h = 0; h < static_cast<int>(layer.heads.size()); ++h)
      for (const Recording::Mark* mark : first.of("heads/grid/" + std::to_string(h + 1)))
        if (const auto* heatmap = std::get_if<Heatmap>(&mark->what); heatmap && heatmap->mark == 0) {
          CHECK(heatmap->matrix.stamp() == layer.heads[static_cast<std::size_t>(h)].attention.stamp());
          ++cells;
        }
  };
  int pages = 0;
  for (const ViewEntry& view : all_views()) {
    CAPTURE(view.key);
    app.set(app.view().view, view.id);
    check();
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id) continue;
      CAPTURE(page.key);
      test::open_page(app, page);
      check();
      ++pages;
    }
  }
  CHECK(pages == std::ssize(all_pages()));
  CHECK(cells == 56);  // the grid of eight heads stands in the view and its six pages
}

TEST_CASE("figures: a pattern's numbers are those of the trace, of every head", "[app][figures]") {
  for (const char* name : {"slices", "heads_designed"}) {
    Alone alone(test::example(name));
    alone.app.finish_evaluation();
    const LayerTrace<float>& layer = alone.app.trace().layers.front();
    for (int h = 0; h < static_cast<int>(layer.heads.size()); ++h) {
      CAPTURE(name, h);
      alone.app.set(act::GoTo{{}, h});
      Mat<float> read;
      for (const Tag& tag : tags_of(alone.svg("heads.pattern")))
        if (!tag.attribute("data-values").empty()) read = values_of(tag);
      const Mat<float> attention = *layer.heads[static_cast<std::size_t>(h)].attention;
      REQUIRE(read.rows() == attention.rows());
      for (Index k = 0; k < read.size(); ++k)
        if (!std::isinf(read.data()[k])) CHECK(read.data()[k] == attention.data()[k]);
    }
  }
}

TEST_CASE("figures: between cells of a matrix there is no gap", "[app][figures]") {
  Alone alone(test::example("slices"));
  for (const double millimetres : {85.0, 113.0, 170.0}) {
    std::set<double> tops, bottoms;
    bool in_cells = false;
    for (const Tag& tag : tags_of(alone.svg("mixing.equation", millimetres))) {
      if (tag.name == "g" && tag.attribute("data-rows") == "64") {
        in_cells = true;
        continue;
      }
      if (!in_cells) continue;
      if (tag.name != "rect" || tag.attribute("fill") == "none") break;
      tops.insert(tag.number("y")), bottoms.insert(tag.number("y") + tag.number("height"));
    }
    CAPTURE(millimetres);
    REQUIRE(tops.size() == 64);
    for (auto top = std::next(tops.begin()); top != tops.end(); ++top) {
      CAPTURE(*top);
      CHECK(*bottoms.upper_bound(*std::prev(top) + 1) > *top + 0.02);
    }
  }
}

TEST_CASE("figures: as wide as they are asked for, the same bytes each time, light", "[app][figures]") {
  Alone alone(test::example("slices"));
  alone.app.set(alone.app.view().dark, true);
  const std::string narrow = alone.svg("heads.pattern", 100), wide = alone.svg("heads.pattern", 200);
  CHECK_THAT(narrow, Contains("width=\"100mm\""));
  CHECK_THAT(wide, Contains("width=\"200mm\""));
  CHECK(size_of(tags_of(wide).front()).first == Approx(2 * size_of(tags_of(narrow).front()).first).epsilon(0.03));
  CHECK(narrow == alone.svg("heads.pattern", 100));
  Alone other(test::example("slices"));
  CHECK(narrow == other.svg("heads.pattern", 100));
}

TEST_CASE("figures: names are keys, each once, a wrong one names those that are near", "[app][figures]") {
  std::set<std::string> names;
  for (const FigureEntry& figure : all_figures()) CHECK(names.insert(figure.name).second);
  CHECK_THROWS_WITH(figure_of("heads.patern"), fault_at("no figure \"heads.patern\"", "heads.pattern"));
  CHECK_THROWS_WITH(figure_of("nonsense"), fault_at("no figure \"nonsense\"", "choose one of flow, heads.pattern"));
  CHECK(millimetres_of("85mm") == 85);
  CHECK(millimetres_of("8.5cm") == Approx(85));
  CHECK(millimetres_of("144pt") == Approx(50.8));
  CHECK_THROWS_WITH(millimetres_of("85"), fault_at("\"85\" is no width", "such as 85mm"));
  CHECK_THROWS_WITH(millimetres_of("1mm"), fault_at("a figure", "from 40 mm to 2000 mm", "not 1mm"));
  CHECK_THROWS_WITH(millimetres_of("nanmm"), Contains("mm"));
}

namespace {

std::string without_facts(const std::string& svg) {
  const std::size_t from = svg.find("<desc>"), to = svg.find("</desc>");
  return svg.empty() ? svg : svg.substr(0, from) + svg.substr(to);
}

// Of the token in view, or of a question that it is in.
bool is_of_token(const FigureEntry& figure) {
  const std::string_view name = figure.name;
  return name == "mixing.strip" || name == "stream.ladder" || name == "stream.words" || name == "stream.answer" ||
         name.starts_with("tradeoff.");
}

}  // namespace

TEST_CASE("figures: which head or token is in focus leaves no mark in figures that are not of it", "[app][figures]") {
  int alike = 0;
  const std::vector<std::string> all = documents();
  for (std::size_t k = 0; k < all.size(); k += static_cast<std::size_t>(test::cases(1, 5, 10))) {
    Alone alone(test::example(all[k]));
    App& app = alone.app;
    app.finish_evaluation();
    const int heads = static_cast<int>(app.trace().layer(0).input.heads);
    const auto svg_in = [&](const FigureEntry& figure, int head, Index token) {
      app.set(act::GoTo{{}, head});
      app.set(app.view().token, std::optional(token));
      try {
        return alone.svg(figure.name);
      } catch (const InputError&) {
        return std::string();  // there is none here
      }
    };
    for (const FigureEntry& figure : all_figures()) {
      if (figure.view == ViewId::tradeoff && all[k] != "slices") continue;
      if (std::string_view(figure.name) == "tradeoff.timing") continue;
      CAPTURE(all[k], figure.name);
      const std::string first = svg_in(figure, 0, 0);
      const Index last = std::ssize(app.trace().tokens) - 1;
      if (!figure.of_head) CHECK((first == svg_in(figure, heads - 1, 0)));
      if (!is_of_token(figure)) CHECK((without_facts(first) == without_facts(svg_in(figure, 0, last))));
      alike += first.empty() ? 0 : 1;
    }
  }
  CHECK(alike >= test::cases(400, 80, 40));
}

TEST_CASE("figures: the longest token at the arcs is whole, however it is rounded", "[app][figures]") {
  for (const char* sentence : {"0 1 2 3 4 5 6 7", "i l m", "a bb ccc", "w"}) {
    Alone alone(hydra::apply(default_document(), SetSentence{sentence}));
    const std::string svg = alone.svg("heads.arcs");
    for (const std::string& token : tokens_of(hydra::apply(default_document(), SetSentence{sentence}))) {
      CAPTURE(sentence, token);
      CHECK_THAT(svg, Contains(">" + token + "</text>"));
    }
  }
}

TEST_CASE("figures: whoever sees one alone is told what its colours and marks mean", "[app][figures]") {
  Alone alone(test::example("heads_designed"));
  CHECK_THAT(alone.svg("roles.table"), Contains("random heads"));
  CHECK_THAT(alone.svg("heads.arcs"), Contains("Head 1") && Contains("the larger the weight"));
  CHECK_THAT(alone.svg("stream.words"), Contains(">7 punct</text>"));
  const std::string grid = alone.svg("heads.grid");
  CHECK_THAT(grid, Contains(">0</text>") && Contains(">1</text>"));
  CHECK(grid.find("masked") == std::string::npos);
  Alone masked(test::example("trained_induction"));
  CHECK_THAT(masked.svg("heads.grid"), Contains(">masked</text>"));
}
