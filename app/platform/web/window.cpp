// The canvas as a window. The page hears what is done to it and tells it by the functions at the end, which it calls as
// _hydra_move and so on.
#include "app/platform/window.h"

#include <emscripten.h>

#include <utility>

#include "app/platform/loop.h"
#include "app/platform/web/bridge.h"
#include "app/platform/web/window_state.h"
#include "core/error.h"

namespace hydra {

Window::State* Window::State::only = nullptr;

void Window::State::changed() {
  dirty = true;
  hydra_ask_turn(0);
}

namespace {

const char* css_name(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return "text";
    case ImGuiMouseCursor_ResizeNS:
      return "ns-resize";
    case ImGuiMouseCursor_ResizeEW:
      return "ew-resize";
    case ImGuiMouseCursor_ResizeAll:
      return "all-scroll";
    case ImGuiMouseCursor_Hand:
      return "pointer";
    default:
      return "default";
  }
}

void serve(Window::State& state) {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = &state;
  io.GetClipboardTextFn = [](void* window) { return static_cast<Window::State*>(window)->clipboard.c_str(); };
  io.SetClipboardTextFn = [](void* window, const char* text) {
    static_cast<Window::State*>(window)->clipboard = text;
    hydra_set_clipboard(text);
  };
  io.ImeSetInputScreenPosFn = hydra_set_caret;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
}

}  // namespace

Window::Window(int, int, const std::string& title) : state_(std::make_unique<State>()) {
  if (!hydra_begin_context())
    throw InputError("this browser gives no WebGL 2, with which the pictures are drawn; a newer one does");
  State::only = state_.get();
  serve(*state_);
  set_title(title);
}

Window::~Window() { State::only = nullptr; }

InputQueue& Window::input() { return state_->input; }
ImVec2 Window::size() const { return {state_->width, state_->height}; }
ImVec2 Window::framebuffer_scale() const { return {1, 1}; }
float Window::content_scale() const { return state_->ratio; }
double Window::seconds() const { return emscripten_get_now() / 1000; }
bool Window::should_close() const { return false; }  // the page asks before it goes
void Window::stay_open() {}
bool Window::minimized() const { return state_->lost || state_->width < 1 || state_->height < 1; }
bool Window::take_restored() { return std::exchange(state_->restored, false); }

void Window::set_title(const std::string& title) {
  if (title != state_->title) hydra_set_title(title.c_str());
  state_->title = title;
}

void Window::set_unsaved(bool unsaved) {
  if (unsaved != state_->unsaved) hydra_set_unsaved(unsaved);
  state_->unsaved = unsaved;
}

bool Window::listens() const { return true; }

void Window::tell(const Heard& heard) {
  Heard& told = state_->told;
  if (heard == told) return;
  hydra_say(heard.status.c_str(), heard.number.c_str(), heard.place.c_str(), heard.keyboard.c_str());
  hydra_keep_tab(heard.keeps_tab ? 1 : 0, heard.keeps_shift_tab ? 1 : 0);
  if (heard.offers != told.offers || heard.sentence != told.sentence) {
    for (const Heard::Offer& offer : heard.offers)
      hydra_offer(static_cast<int>(offer.kind), offer.index, static_cast<int>(offer.state), offer.name, offer.keys);
    hydra_show_offers(heard.sentence.c_str());
  }
  told = heard;
}

void Window::on_asked(Asks asks) { state_->asks = std::move(asks); }
bool Window::prefers_dark() { return state_->dark; }
bool Window::prefers_calm() const { return state_->calm; }

void Window::on_file_dropped(std::function<void(const std::string&)> open) { state_->open_file = std::move(open); }

void Window::on_refused(std::function<void(const std::string&)> say) { state_->refuse = std::move(say); }

void Window::show_cursor() {
  const bool typing = ImGui::GetIO().WantTextInput;
  if (typing != state_->typing) hydra_set_typing(typing);
  state_->typing = typing;
  const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
  if (wanted == state_->shown || wanted < 0) return;
  hydra_set_cursor(css_name(wanted));
  state_->shown = wanted;
}

void Window::present() {}  // the browser does when the turn is over

}  // namespace hydra

// --- what the page tells. Before there is a window, and when it is gone, nothing is heard.

namespace {
using Kind = hydra::InputEvent::Kind;

void push(hydra::InputEvent event) {
  if (hydra::Window::State::only) hydra::Window::State::only->push(event);
}

template <class Ask>
void ask(const Ask& what) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window || !window->asks.offer) return;
  what(window->asks);
  window->changed();
}
}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void hydra_size(float width, float height, float ratio) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window) return;
  window->width = width;
  window->height = height;
  window->ratio = ratio;
  window->changed();
}
EMSCRIPTEN_KEEPALIVE void hydra_move(float x, float y) { push({Kind::move, x, y}); }
EMSCRIPTEN_KEEPALIVE void hydra_button(int button, int down) { push({Kind::button, 0, 0, button, down != 0}); }
EMSCRIPTEN_KEEPALIVE void hydra_wheel(float x, float y) { push({Kind::wheel, x, y}); }
EMSCRIPTEN_KEEPALIVE int hydra_wheel_moves(float x, float y) {
  return hydra::Window::State::only && hydra::wheel_moves(x, y) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void hydra_key(int key, int down) { push({Kind::key, 0, 0, key, down != 0}); }
EMSCRIPTEN_KEEPALIVE void hydra_text(int code_point) { push({Kind::text, 0, 0, code_point}); }
EMSCRIPTEN_KEEPALIVE void hydra_focus(int gained) { push({Kind::focus, 0, 0, 0, gained != 0}); }
EMSCRIPTEN_KEEPALIVE void hydra_leave() { push({Kind::leave}); }
EMSCRIPTEN_KEEPALIVE void hydra_clipboard(const char* text) {
  if (hydra::Window::State::only) hydra::Window::State::only->clipboard = text;
}
// A file that the page has laid down, or a link.
EMSCRIPTEN_KEEPALIVE void hydra_open(const char* path) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window || !window->open_file) return;
  window->open_file(path);
  window->changed();
}
EMSCRIPTEN_KEEPALIVE void hydra_refuse(const char* why) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window || !window->refuse) return;
  window->refuse(why);
  window->changed();
}
EMSCRIPTEN_KEEPALIVE void hydra_touched(int by_fingers) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window) return;
  window->touched = by_fingers != 0;
  window->changed();
}
// An offer that was told, of its table; the sentence; and the keyboard that comes from the page around the canvas.
EMSCRIPTEN_KEEPALIVE void hydra_choose(int kind, int index) {
  ask([=](const hydra::Window::Asks& asks) { asks.offer(static_cast<hydra::Heard::Kind>(kind), index); });
}
EMSCRIPTEN_KEEPALIVE void hydra_sentence(const char* text) {
  ask([=](const hydra::Window::Asks& asks) { asks.sentence(text); });
}
EMSCRIPTEN_KEEPALIVE void hydra_enter(int by) {
  ask([=](const hydra::Window::Asks& asks) { asks.enter(by); });
}
EMSCRIPTEN_KEEPALIVE void hydra_prefer(int dark, int calm) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window) return;
  window->dark = dark != 0;
  window->calm = calm != 0;
  window->changed();
}
EMSCRIPTEN_KEEPALIVE void hydra_context(int lost) {
  hydra::Window::State* const window = hydra::Window::State::only;
  if (!window) return;
  window->lost = lost != 0;
  window->restored = !lost;
  window->changed();
}

}  // extern "C"
