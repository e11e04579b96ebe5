// Random input: 20,000 events from a printed seed. No crash, no assert, and always a document that reads back the same.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

#include "app/app.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"
#include "core/linalg/random.h"
#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

constexpr int kKeys[] = {'1',
                         '3',
                         '8',
                         '9',
                         '0',
                         key::letter('f'),
                         key::letter('h'),
                         key::letter('p'),
                         key::letter('a'),
                         key::letter('s'),
                         key::letter('r'),
                         key::letter('c'),
                         key::letter('m'),
                         key::letter('i'),
                         key::letter('n'),
                         key::letter('t'),
                         key::letter('z'),
                         key::letter('y'),
                         key::f1,
                         key::f5,
                         key::escape,
                         key::enter,
                         key::del,
                         key::backspace,
                         key::tab,
                         key::up,
                         key::down,
                         key::left,
                         key::right,
                         key::left_bracket,
                         key::right_bracket,
                         key::equal,
                         key::minus,
                         key::home,
                         key::end};
constexpr char kText[] = "abc XYZ.,'?-é 日本 0123456789";

class Monkey {
 public:
  Monkey(UiDriver& ui, std::uint64_t seed) : ui_(ui), random_(seed) {}

  void act() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        return move();
      case 3:
        return push({.kind = InputEvent::Kind::button, .code = below(8) == 0 ? 1 : 0, .down = true});
      case 4:
      case 5:
        return push({.kind = InputEvent::Kind::button, .code = below(8) == 0 ? 1 : 0, .down = false});
      case 6:
        return push({.kind = InputEvent::Kind::wheel, .x = 0, .y = static_cast<float>(below(5) - 2)});
      case 7:
        return key();
      case 8:
        return push({.kind = InputEvent::Kind::text, .code = kText[below(sizeof kText - 1)] & 0x7f});
      default:
        return named();
    }
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_.bits() % n); }
  void push(InputEvent event) { ui_.input.push(event); }
  void move() {
    push({.kind = InputEvent::Kind::move,
          .x = static_cast<float>(random_.uniform(-5, ui_.size.x + 5)),
          .y = static_cast<float>(random_.uniform(-5, ui_.size.y + 5))});
  }
  void key() {
    const bool ctrl = below(3) == 0, shift = below(4) == 0;
    const int code = kKeys[below(std::size(kKeys))];
    if (ctrl) push({.kind = InputEvent::Kind::key, .code = key::left_control, .down = true});
    if (shift) push({.kind = InputEvent::Kind::key, .code = key::left_shift, .down = true});
    push({.kind = InputEvent::Kind::key, .code = code, .down = true});
    push({.kind = InputEvent::Kind::key, .code = code, .down = false});
    if (shift) push({.kind = InputEvent::Kind::key, .code = key::left_shift, .down = false});
    if (ctrl) push({.kind = InputEvent::Kind::key, .code = key::left_control, .down = false});
  }
  // The pointer goes to something that has a name: blind moves would hardly ever meet a button.
  void named() {
    const std::vector<std::string> names = ui_.names();
    if (names.empty()) return move();
    const std::string& name = names[static_cast<std::size_t>(below(names.size()))];
    const std::optional<UiDriver::Rect> rect = ui_.seen(name);
    if (!rect) return move();
    const ImVec2 at = rect->center();
    push({.kind = InputEvent::Kind::move, .x = at.x, .y = at.y});
  }

  UiDriver& ui_;
  Random random_;
};

}  // namespace

TEST_CASE("monkey: 20,000 random events break nothing", "[app][slow]") {
  const char* given = std::getenv("HYDRA_MONKEY_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : 20261120;
  WARN("monkey seed " << seed << " (set HYDRA_MONKEY_SEED for another)");
  // It may find the Save button: what it writes goes to a folder of its own.
  const std::filesystem::path back = std::filesystem::current_path(),
                              folder = std::filesystem::temp_directory_path() /
                                       ("hydrascope-monkey-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  UiDriver ui({1280, 800});
  App app(default_document(), "", ui.sink);
  ui.program = [&](ImVec2 size, float dt, InputQueue& input) { app.frame(size, dt, input); };
  ui.frames(2);
  Monkey monkey(ui, seed);
  for (int event = 0; event < 20000; ++event) {
    monkey.act();
    if (event % 3 == 0) ui.frames(1);
    if (event % 2000 == 1999) {
      ui.settle();
      app.finish_evaluation();
      const Document& document = app.history().current();
      const Document read = parse_document(document_text(document), "monkey");
      INFO("event " << event << ", seed " << seed);
      CHECK(same_document(read, document));
      CHECK(*evaluate(document)->layers.front().output == *app.trace().layers.front().output);
    }
  }
  std::filesystem::current_path(back);
  std::filesystem::remove_all(folder);
}
