// Pages: a random document in pages of all views, drawn as `render` draws, before and after an edit; or a command that
// reads it, which writes JSON or refuses with one sentence.
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands/analyze.h"
#include "app/cli/commands/gradients.h"
#include "app/cli/commands/sweep.h"
#include "app/cli/commands/trace.h"
#include "app/offscreen_frame.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/error.h"
#include "core/files/utf8.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/io/link.h"
#include "tests/core/analysis/random_documents.h"
#include "tests/fuzz/target.h"
#include "tests/support/models/wild_documents.h"
#include "tests/support/open_page.h"

using namespace hydra;
using fuzz::law;

namespace {

constexpr std::pair<int, int> kSizes[] = {{1280, 800}, {800, 600}, {640, 480}, {320, 200}, {2000, 700}};

// Null, said once, where there is no OpenGL.
gl::OffscreenStage* stage() {
  static const std::unique_ptr<gl::OffscreenStage> made = []() -> std::unique_ptr<gl::OffscreenStage> {
    try {
      return std::make_unique<gl::OffscreenStage>();
    } catch (const InputError& fault) {
      std::fprintf(stderr, "skipped: no page is drawn, the commands alone are tried: %s\n", fault.what());
      return nullptr;
    }
  }();
  return made.get();
}

class Pages {
 public:
  Pages(const Document& document, Random& random, const std::string& text, gl::OffscreenStage& on)
      : random_(random), text_(text), stage_(on), app_(document, "", on.heatmaps()) {
    app_.set_patience(std::chrono::seconds(20));
    app_.set(app_.view().dark, below(random, 2) == 0);
    app_.set(app_.view().text_scale, below(random, 4) == 0 ? 2.0f : 1.0f);
    app_.set(app_.view().still, below(random, 2) == 0);
  }

  // Three of them, with an edit before the last.
  void draw_some() {
    for (int k = 0; k < 3; ++k) {
      if (k == 2) edit();
      const Index page = below(random_, std::ssize(all_pages()) + std::ssize(all_views()));
      if (page < std::ssize(all_pages()))
        draw_page(all_pages()[static_cast<std::size_t>(page)]);
      else
        draw_view(all_views()[static_cast<std::size_t>(page - std::ssize(all_pages()))]);
    }
  }

 private:
  const Document& document() const { return app_.history().current(); }

  void draw_view(const ViewEntry& view) {
    app_.set(app_.view().view, view.id);
    look_elsewhere();
    draw(view.key);
  }
  void draw_page(const PageEntry& page) {
    app_.set(app_.view().view, page.view);
    test::open_page(app_, page);
    look_elsewhere();
    draw(page.key);
  }

  void look_elsewhere() {
    const auto layer = static_cast<int>(below(random_, std::ssize(document().layers)));
    app_.set(act::GoTo{layer, {}});
    app_.set(act::GoTo{{}, static_cast<int>(below(random_, document().layer(layer).heads))});
    app_.finish_evaluation();
    const Trace& trace = app_.trace();
    const Site site{static_cast<Quantity>(below(random_, kQuantities)), layer,
                    below(random_, 2) == 0 ? app_.view().focused_head : kNoHead};
    if (!exists(trace, site)) return;
    const Shape shape = shape_of(trace, site);
    app_.set(act::Select{{site, below(random_, shape.rows), below(random_, shape.cols)}});
  }

  // Of the document as it is drawn then, the marks of what has changed, too.
  void edit() {
    const Edit made = test::wild_edit(random_, document());
    try {
      hydra::apply(document(), made);
    } catch (const InputError&) {
      return;
    }
    app_.edit(made);
    draw(describe(made));
  }

  void draw(const std::string& where) {
    app_.finish_evaluation();
    law(app_.failure().empty(), app_.failure().c_str(), where + "\n" + text_);
    const auto [width, height] = kSizes[below(random_, std::ssize(kSizes))];
    render_frame(app_, stage_, width, height);
    law(app_.notice().sentence.empty() || !app_.notice().is_error, app_.notice().sentence.c_str(),
        where + "\n" + text_);
  }

  Random& random_;
  const std::string& text_;
  gl::OffscreenStage& stage_;
  App app_;
};

class Commands {
 public:
  Commands(const Document& document, const std::string& text) : document_(document), text_(text) {
    std::filesystem::create_directories(folder_);
    write_whole(file("a.json"), text);
  }
  ~Commands() { std::filesystem::remove_all(folder_); }

  void run(Random& random) {
    const auto layer = 1 + static_cast<int>(below(random, std::ssize(document_.layers)));
    switch (below(random, 7)) {
      case 0:
        return check("trace", [&] { run_trace(asked<TraceOptions>()); });
      case 1:
        return check("analyze --layer all", [&] {
          auto options = asked<AnalyzeOptions>();
          options.layer = "all";
          run_analyze(options);
        });
      case 2:
        return check("analyze", [&] {
          auto options = asked<AnalyzeOptions>();
          options.layer = std::to_string(layer), options.token = 1;
          run_analyze(options);
        });
      case 3:
        return check("analyze --sentences all", [&] {
          auto options = asked<AnalyzeOptions>();
          options.sentences = {"all"}, options.layer = "all";
          run_analyze(options);
        });
      case 4:
        return check("sweep", [&] {
          auto options = asked<SweepOptions>();
          options.layer = layer, options.seeds = 2;
          run_sweep(options);
        });
      case 5:
        return check("gradients", [&] {
          nlohmann::json rows;
          for (std::size_t i = 0; i < tokens_of(document_).size(); ++i)
            rows.push_back(std::vector<double>(static_cast<std::size_t>(document_.d_model), 0.5));
          write_whole(file("target.json"), rows.dump());
          auto options = asked<GradientsOptions>();
          options.target = file("target.json");
          run_gradients(options);
        });
      default:
        return check("link", [&] {
          const Document read = parse_link(link_text(document_)).document;
          law(same_document(read, document_), "a link opens the document that it holds", text_);
          write_whole(file("out.json"), "{}");
        });
    }
  }

 private:
  std::string file(const char* name) const { return (folder_ / name).string(); }
  template <class Options>
  Options asked() const {
    Options options;
    options.file = file("a.json"), options.out = file("out.json");
    return options;
  }

  void check(const char* what, const std::function<void()>& command) {
    try {
      command();
      law(nlohmann::json::accept(read_whole(file("out.json"))), what, text_);
    } catch (const InputError& fault) {
      const std::string_view sentence = fault.what();
      law(sentence.size() > 10 && sentence.size() < 1200 && is_utf8(sentence) &&
              sentence.find('\n') == std::string_view::npos,
          "a refusal is one sentence", std::string(what) + ": " + fault.what() + "\n" + text_);
    }
  }

  const Document& document_;
  const std::string& text_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hydrascope-fuzz-" + std::to_string(::getpid()));
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::uint8_t kind = bytes.byte();
  const std::uint64_t seed = bytes.word();
  const Document document = kind % 4 == 0 ? test::some_document(seed) : test::wild_document(seed);
  const std::string text = document_text(document);
  Random random(seed + 1);
  if (kind % 3 == 0 || !stage())
    Commands(document, text).run(random);
  else
    Pages(document, random, text, *stage()).draw_some();
  return 0;
}
