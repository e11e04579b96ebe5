#include "app/views/frame/text_field.h"

#include <algorithm>
#include <utility>

#include "app/draw/canvas.h"
#include "app/platform/glyphs.h"
#include "app/views/frame/context.h"
#include "app/views/shared/pasted.h"
#include "core/document/document.h"
#include "core/files/utf8.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"

namespace hydra::ui {

namespace {

// While the field is drawn the clipboard speaks the field's codes.
class FieldClipboard {
 public:
  FieldClipboard(Notice& notice, Glyphs& glyphs) : notice_(notice), glyphs_(glyphs), io_(ImGui::GetIO()) {
    data_ = io_.ClipboardUserData;
    get_ = io_.GetClipboardTextFn;
    set_ = io_.SetClipboardTextFn;
    io_.ClipboardUserData = this;
    if (get_ != nullptr) io_.GetClipboardTextFn = pasted;
    if (set_ != nullptr) io_.SetClipboardTextFn = copied;
  }
  ~FieldClipboard() {
    io_.ClipboardUserData = data_;
    io_.GetClipboardTextFn = get_;
    io_.SetClipboardTextFn = set_;
  }
  FieldClipboard(const FieldClipboard&) = delete;
  FieldClipboard& operator=(const FieldClipboard&) = delete;

 private:
  static const char* pasted(void* self) {
    FieldClipboard& here = *static_cast<FieldClipboard*>(self);
    std::string text = hydra::pasted(here.notice_, here.get_(here.data_), kMaxSentenceBytes).value_or("");
    text = in_one_line(std::move(text));
    here.pasted_ = here.glyphs_.for_field(ImGui::GetFont(), text);
    return here.pasted_.c_str();
  }
  static void copied(void* self, const char* text) {
    FieldClipboard& here = *static_cast<FieldClipboard*>(self);
    here.set_(here.data_, here.glyphs_.from_field(text).c_str());
  }

  Notice& notice_;
  Glyphs& glyphs_;
  ImGuiIO& io_;
  void* data_;
  const char* (*get_)(void*);
  void (*set_)(void*, const char*);
  std::string pasted_;
};

// The text over the field, in the place of the field's own letters.
void write_over(Canvas& canvas, const std::string& text) {
  const ImVec2 pad = ImGui::GetStyle().FramePadding, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  canvas.text_at(ImGui::GetFont(), {min.x + pad.x, min.y + pad.y}, ImGui::GetColorU32(ImGuiCol_Text), text,
                 max.x - min.x - 2 * pad.x);
}

// What ImGui's own typing cannot do: it drops private-use characters that do not come from the clipboard.
struct Typing {
  bool* caret_to_end;
  std::string codes;  // put in at the cursor, in the place of what is selected

  static int apply(ImGuiInputTextCallbackData* data) {
    Typing& typing = *static_cast<Typing*>(data->UserData);
    if (typing.caret_to_end != nullptr && std::exchange(*typing.caret_to_end, false)) {
      data->CursorPos = data->BufTextLen;
      data->ClearSelection();
    }
    if (typing.codes.empty()) return 0;
    if (data->HasSelection()) {
      const int from = std::min(data->SelectionStart, data->SelectionEnd);
      data->DeleteChars(from, std::max(data->SelectionStart, data->SelectionEnd) - from);
      data->CursorPos = from;
      data->ClearSelection();
    }
    data->InsertChars(data->CursorPos, typing.codes.c_str());
    typing.codes.clear();
    return 0;
  }
};

// Takes what was typed in this frame, from the first private-use character on.
std::string take_codes() {
  ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
  const ImWchar* first = std::find_if(queue.begin(), queue.end(), [](ImWchar c) { return c >= 0xE000 && c <= 0xF8FF; });
  std::string codes;
  for (const ImWchar* c = first; c != queue.end(); ++c) codes += encode(*c);
  queue.resize(static_cast<int>(first - queue.begin()));
  return codes;
}

}  // namespace

std::string in_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

float scrolled_text(const char* id) {
  const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetID(id));
  return state && ImGui::IsItemActive() ? state->ScrollX : 0;
}

bool text_field(const Frame& frame, const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags,
                bool* caret_to_end) {
  Glyphs* glyphs = Glyphs::current();
  Typing keys{caret_to_end, {}};
  flags |= ImGuiInputTextFlags_CallbackAlways;
  if (glyphs == nullptr) return ImGui::InputTextWithHint(id, hint, &text, flags, Typing::apply, &keys);
  bool* typing = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));
  if (*typing) keys.codes = take_codes();
  const bool written = !*typing && !glyphs->is_plain(ImGui::GetFont(), text);
  if (written) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  const FieldClipboard clipboard(frame.notice, *glyphs);
  std::string field = glyphs->for_field(ImGui::GetFont(), text, *typing || ImGui::GetHoveredID() == ImGui::GetID(id));
  const std::string before = field;
  const bool changed = ImGui::InputTextWithHint(id, hint, &field, flags, Typing::apply, &keys);
  if (field != before) text = glyphs->from_field(field);
  if (written) {
    ImGui::PopStyleColor();
    write_over(frame.canvas, text);
  }
  *typing = ImGui::IsItemActive();
  return changed;
}

}  // namespace hydra::ui
