#include "app/views/frame/offered.h"

#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

using Kind = Heard::Kind;
using State = Heard::State;

// As the browsers name it.
std::string name_of_key(int code) {
  constexpr std::pair<int, const char*> names[] = {{key::escape, "Escape"},      {key::page_up, "PageUp"},
                                                   {key::page_down, "PageDown"}, {key::space, "Space"},
                                                   {key::enter, "Enter"},        {key::del, "Delete"}};
  for (const auto& [named, name] : names)
    if (code == named) return name;
  if (code >= key::f1) return "F" + std::to_string(code - key::f1 + 1);
  return {static_cast<char>(code)};
}

// A key, a character that is typed, or either.
std::string keys_of(const Command& c) {
  std::string keys;
  if (c.key != 0) keys = (c.ctrl ? "Control+" : "") + std::string(c.shift ? "Shift+" : "") + name_of_key(c.key);
  if (c.typed == 0) return keys;
  return keys + (keys.empty() ? "" : " ") + (c.typed == '+' ? "Plus" : std::string{c.typed});
}

// The command before has another key for the same.
bool is_another_key(std::size_t command) {
  const auto all = commands();
  return command > 0 && std::string_view(all[command].text) == all[command - 1].text;
}

const std::string& keys_of(std::size_t command) {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> keys;
    for (const Command& c : commands()) keys.push_back(keys_of(c));
    for (std::size_t k = keys.size(); k-- > 1;)
      if (is_another_key(k)) keys[k - 1] += " " + keys[k];
    return keys;
  }();
  return all[command];
}

// One key, one thing to be done; not the views', which are tabs.
bool is_button(const Command& command) { return command.run && command.count == 1 && !command.opens_view; }

}  // namespace

void list_offers(const Frame& frame, std::vector<Heard::Offer>& offers) {
  offers.clear();
  const auto chosen = [](bool on) { return on ? State::on : State::off; };
  for (const ViewEntry& view : all_views())
    offers.push_back({Kind::view, static_cast<int>(view.id), chosen(view.id == frame.view.view),
                      wording(view.label).c_str(), view.keys});
  for (std::size_t k = 0; k < all_pages().size(); ++k) {
    const PageEntry& page = all_pages()[k];
    if (is_offered(frame, page))
      offers.push_back(
          {Kind::page, static_cast<int>(k), chosen(page.is_open(frame.view)), wording(page.label).c_str(), ""});
  }
  for (std::size_t k = 0; k < commands().size(); ++k) {
    const Command& command = commands()[k];
    if (is_button(command) && !is_another_key(k))
      offers.push_back({Kind::command, static_cast<int>(k), state_of(frame, command), wording(command.text).c_str(),
                        keys_of(k).c_str()});
  }
}

void carry_out(Frame& frame, Heard::Kind kind, int index) {
  const auto k = static_cast<std::size_t>(index);
  if (kind == Kind::view && k < all_views().size())
    frame.choose(frame.view.view, static_cast<ViewId>(index));
  else if (kind == Kind::page && k < all_pages().size() && is_offered(frame, all_pages()[k]))
    all_pages()[k].open(frame.view, frame.out);
  else if (kind == Kind::command && k < commands().size() && is_button(commands()[k]))
    perform(frame, commands()[k]);
}

}  // namespace hydra
