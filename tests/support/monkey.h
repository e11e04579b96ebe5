// Random input for the whole program: moves, clicks, keys, text, the wheel, and what has a name.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/linalg/random.h"
#include "tests/support/ui_driver.h"

namespace hydra::test {

// A random program may find the Save button: what it writes goes to a folder of its own.
class OwnFolder {
 public:
  OwnFolder() {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~OwnFolder() {
    std::filesystem::current_path(back_);
    std::filesystem::remove_all(folder_);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

 private:
  std::filesystem::path back_ = std::filesystem::current_path(),
                        folder_ = std::filesystem::temp_directory_path() /
                                  ("hydrascope-monkey-" + std::to_string(::getpid()));
};

// Of HYDRA_MONKEY_SEED, for whoever wants another.
inline std::uint64_t monkey_seed(std::uint64_t usual) {
  const char* given = std::getenv("HYDRA_MONKEY_SEED");
  return given ? std::strtoull(given, nullptr, 10) : usual;
}

inline constexpr int kMonkeyKeys[] = {'1',
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
                                      key::space,
                                      key::up,
                                      key::down,
                                      key::left,
                                      key::right,
                                      key::left_bracket,
                                      key::right_bracket,
                                      key::equal,
                                      key::minus,
                                      key::page_up,
                                      key::page_down,
                                      key::home,
                                      key::end};
inline constexpr char kMonkeyText[] = "abc XYZ.,'?-é 日本 0123456789";

class Monkey {
 public:
  Monkey(UiDriver& ui, std::uint64_t seed) : ui_(ui), random_(seed) {}

  const std::string& last() const { return last_; }  // what it did, in a few words

  void act() {
    const int choice = below(10);
    last_ = choice < 3 ? "a move" : choice == 6 ? "the wheel" : choice == 8 ? "text" : "a button";
    switch (choice) {
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
        return push({.kind = InputEvent::Kind::text, .code = kMonkeyText[below(sizeof kMonkeyText - 1)] & 0x7f});
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
    const int code = kMonkeyKeys[below(std::size(kMonkeyKeys))];
    if (ctrl) push({.kind = InputEvent::Kind::key, .code = key::left_control, .down = true});
    if (shift) push({.kind = InputEvent::Kind::key, .code = key::left_shift, .down = true});
    last_ = (ctrl ? "Ctrl " : "") + std::string(shift ? "Shift " : "") + "key " + std::to_string(code);
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
    last_ = "a move to " + name;
    const ImVec2 at = rect->center();
    push({.kind = InputEvent::Kind::move, .x = at.x, .y = at.y});
  }

  UiDriver& ui_;
  Random random_;
  std::string last_;
};

}  // namespace hydra::test
