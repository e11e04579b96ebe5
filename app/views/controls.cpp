#include "app/views/controls.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/probe.h"
#include "app/platform/input.h"
#include "app/widgets/mouse_area.h"
#include "imgui_internal.h"

namespace hydra::ui {

namespace {
float chip_padding() { return 0.45f * ImGui::GetFontSize(); }

void push_id(std::string_view name) { ImGui::PushID(name.data(), name.data() + name.size()); }

constexpr float kTipWidth = 22;  // in units of the text size

// Under the last item, or over it where the window ends: a tip must not cover what it explains. Of a menu's item beside
// the menu, which is read from line to line.
void place_beside_item(const char* sentence) {
  const float em = ImGui::GetFontSize(), gap = 0.3f * em;
  const ImVec2 text = ImGui::CalcTextSize(sentence, nullptr, false, kTipWidth * em);
  const ImVec2 size{text.x + 1.2f * em, text.y + 0.9f * em}, screen = ImGui::GetIO().DisplaySize;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  if ((window->Flags & ImGuiWindowFlags_Popup) != 0) {
    const float left = window->Pos.x - gap - size.x, right = window->Pos.x + window->Size.x + gap;
    if (left >= 0 || right + size.x <= screen.x)
      return ImGui::SetNextWindowPos({left >= 0 ? left : right, std::min(low.y, screen.y - size.y)});
  }
  const float x = std::max(0.0f, std::min(low.x, screen.x - size.x));
  const float under = high.y + gap, over = low.y - gap - size.y;
  if (under + size.y <= screen.y)
    ImGui::SetNextWindowPos({x, under});
  else if (over >= 0)
    ImGui::SetNextWindowPos({x, over});
}
}  // namespace

void begin_tooltip() {
  const float em = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6f * em, 0.45f * em});
  ImGui::BeginTooltip();
}

void begin_tooltip_beside(ImVec2 min, ImVec2 max) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float gap = 0.3f * ImGui::GetFontSize();
  const bool under = max.y < 0.62f * screen.y, left = min.x < 0.5f * screen.x;
  ImGui::SetNextWindowPos({left ? min.x : max.x, under ? max.y + gap : min.y - gap}, ImGuiCond_Always,
                          {left ? 0.0f : 1.0f, under ? 0.0f : 1.0f});
  begin_tooltip();
}

void end_tooltip() {
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

namespace {
// Whether what is pointed at has been clicked since the pointer came there: its tip has been read, and would cover what
// the click has brought. Asked in each frame in which there would be one.
class ClickedHere {
 public:
  bool at(ImVec2 here, float reach) {
    const int now = ImGui::GetFrameCount();
    const bool stayed = frame_ >= now - 1 && frame_ <= now && std::abs(place_.x - here.x) <= reach &&
                        std::abs(place_.y - here.y) <= reach;
    if (!stayed && !ui::clicked()) return false;
    if (!stayed) place_ = here;
    frame_ = now;
    return true;
  }

 private:
  ImVec2 place_;
  int frame_ = -2;
};
}  // namespace

std::string broken_between_words(ImFont* font, const std::string& text, float width) {
  std::string lines, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (line.empty() || text_width(font, longer) <= width) {
      line = longer;
    } else {
      lines += line + "\n";
      line = word;
    }
    at = end + 1;
  }
  return lines + line;
}

namespace {
// Lines of a tip; a word that is wider than it is broken anywhere.
void tip_text(const std::string& text, float width) {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width + 1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ImGui::TextUnformatted(imgui_text(broken_between_words(ImGui::GetFont(), text.substr(at, end - at), width)));
    at = end + 1;
  }
  ImGui::PopTextWrapPos();
}
}  // namespace

void tip(std::string_view sentence) {
  name_if_framed(sentence);
  if (sentence.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  static ClickedHere item;
  if (item.at(ImGui::GetItemRectMin(), 0)) return;
  const std::string text(sentence);
  place_beside_item(imgui_text(text));
  begin_tooltip();
  tip_text(text, kTipWidth * ImGui::GetFontSize());
  end_tooltip();
}

void explain_here(std::string_view name, ImVec2 pos, ImVec2 size, std::string_view sentence) {
  ImGui::SetCursorScreenPos(pos);
  ImGui::Dummy({std::max(1.0f, size.x), size.y});
  probe(name);
  tip(sentence);
}

float title(const Frame& frame, std::string_view name, ImVec2 pos, float width, const std::string& text,
            std::string_view tip_text) {
  ImFont* font = frame.fonts.strong;
  const std::string words = clipped(font, spelled(frame, text), width);
  frame.canvas.math_at(font, frame.fonts.small, pos, frame.theme.ink, words);
  explain_here(name, pos, {text_width(font, words), font->FontSize}, spelled(frame, std::string(tip_text)));
  return pos.y + font->FontSize;
}

namespace {
void write_lines(const Frame& frame, const std::vector<std::string>& lines) {
  const float width = 24 * ImGui::GetFontSize();
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    ImGui::PushFont(&line == lines.data() && lines.size() > 1 ? frame.fonts.strong : frame.fonts.text);
    tip_text(spelled(frame, line), width);
    ImGui::PopFont();
  }
  end_tooltip();
}
}  // namespace

void tooltip(const Frame& frame, const std::vector<std::string>& lines) {
  static ClickedHere pointer;
  if (pointer.at(ImGui::GetIO().MousePos, ImGui::GetFontSize())) return;
  begin_tooltip();
  write_lines(frame, lines);
}

void tooltip_beside(const Frame& frame, ImVec2 min, ImVec2 max, const std::vector<std::string>& lines) {
  begin_tooltip_beside(min, max);
  write_lines(frame, lines);
}

bool button(const Frame&, std::string_view name, const char* label, std::string_view tip_text, bool enabled) {
  push_id(name);
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::Button(label);
  if (!enabled) ImGui::EndDisabled();
  probe(name);
  name_if_framed(label);
  tip(tip_text);
  ImGui::PopID();
  return pressed && enabled;
}

float chip_width(std::string_view label) {
  return ImGui::CalcTextSize(label.data(), label.data() + label.size()).x + 2 * chip_padding();
}

bool chip(const Frame& frame, std::string_view name, std::string_view label, bool on, std::string_view tip_text,
          ImU32 fill, bool enabled) {
  const Theme& theme = frame.theme;
  const ImVec2 size{chip_width(label), ImGui::GetFrameHeight()};
  push_id(name);
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::InvisibleButton("chip", size);
  if (!enabled) ImGui::EndDisabled();
  probe(name);
  name_if_framed(label);
  if (on) name_if_framed("on");
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float rounding = 0.75f * frame.unit;
  const ImU32 color = fill != 0 ? fill : theme.accent;
  const Canvas::Part part(frame.canvas, on ? "chip" : kWindowAlone);
  ImU32 ink = on ? ink_on(rgb_of(color)) : enabled ? theme.ink : theme.ink_faint;
  if (frame.canvas.shows_all())  // a figure has the words of what is chosen
    ink = theme.ink_soft;
  else
    frame.canvas.fill(a, b, on ? color : ImGui::IsItemHovered() ? theme.line : theme.raised, rounding);
  frame.canvas.text_at(ImGui::GetFont(), {a.x + chip_padding(), a.y + ImGui::GetStyle().FramePadding.y}, ink,
                       std::string(label));
  tip(tip_text);
  ImGui::PopID();
  return pressed && enabled;
}

bool checkbox(std::string_view name, const char* label, bool& on, std::string_view tip_text) {
  push_id(name);
  const bool pressed = ImGui::Checkbox(label, &on);
  probe(name);
  name_if_framed(label);
  if (on) name_if_framed("on");
  tip(tip_text);
  ImGui::PopID();
  return pressed;
}

void flow_line(float width) {
  const float spacing = 0.3f * ImGui::GetFontSize();
  const float end = ImGui::GetItemRectMax().x + spacing + width;
  if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine(0, spacing);
}

void apart(float gap, float width) {
  flow_line(gap + width);
  if (ImGui::GetCursorPosX() > ImGui::GetWindowContentRegionMin().x + gap)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
}

bool Chips::chip(std::string_view name, std::string_view label, bool on, std::string_view tip_text, ImU32 fill) {
  if (follows_ && breaks_)
    flow_line(chip_width(label));
  else if (follows_)
    ImGui::SameLine(0, frame_.unit);
  follows_ = true;
  return ui::chip(frame_, name, label, on, tip_text, fill);
}

Chips Chips::in_line(const Frame& frame) {
  Chips chips(frame);
  chips.breaks_ = false;
  return chips;
}

void Chips::apart(float gap, float width) {
  ui::apart(gap, width);
  follows_ = false;
}

WithinRight::WithinRight(float right) : before_(ImGui::GetCurrentWindow()->WorkRect.Max.x) {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  window->WorkRect.Max.x = window->ContentRegionRect.Max.x = std::min(right, before_);
}
WithinRight::~WithinRight() {
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  window->WorkRect.Max.x = window->ContentRegionRect.Max.x = before_;
}

SmallChips::SmallChips(const Frame& frame) {
  const float high = frame.fonts.strong->FontSize + frame.unit;
  ImGui::PushFont(frame.fonts.small);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding.x, 0.5f * (high - ImGui::GetFontSize())});
}
SmallChips::~SmallChips() {
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

long long seconds_left(double elapsed, float first_share, float share) {
  const double done = static_cast<double>(share - first_share);
  if (elapsed < 1 || done < 0.01) return 0;
  const double left = elapsed * (1 - static_cast<double>(share)) / done;
  return left < 1.5 ? 0 : std::llround(left);
}

namespace {

// Since when a bar of that name is seen without a break, and what was done then.
struct SeenSince {
  explicit SeenSince(const char* name, float share) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(name);
    const auto now = static_cast<float>(ImGui::GetTime());
    float from = storage.GetFloat(id, now), first = storage.GetFloat(id + 2, share);
    if (now - storage.GetFloat(id + 1, now) > 1 || share < storage.GetFloat(id + 3, share)) from = now, first = share;
    storage.SetFloat(id, from), storage.SetFloat(id + 1, now);
    storage.SetFloat(id + 2, first), storage.SetFloat(id + 3, share);
    elapsed = static_cast<double>(now - from), first_share = first;
  }
  double elapsed = 0;
  float first_share = 0;
};

}  // namespace

void progress_bar(const Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float share) {
  const SeenSince seen(name, share);
  if (const long long left = seconds_left(seen.elapsed, seen.first_share, share); left > 0) {
    const std::string text = counted(left, "second") + " to go";
    const float width = text_width(frame.fonts.small, text), height = frame.fonts.small->FontSize;
    const ImVec2 low{pos.x + size.x - width - frame.unit, pos.y + size.y};
    frame.canvas.fill(low, {pos.x + size.x, low.y + height}, frame.theme.ground);
    frame.canvas.text_up_to(frame.fonts.small, {pos.x + size.x, low.y}, frame.theme.ink_soft, text);
  }
  const ImVec2 end{pos.x + size.x, pos.y + size.y};
  frame.canvas.fill(pos, end, frame.theme.line);
  frame.canvas.fill(pos, {pos.x + size.x * std::clamp(share, 0.0f, 1.0f), end.y}, frame.theme.accent);
  ui::probe(name, pos, end);
}

void close_on_escape() {
  if (key_pressed(key::escape)) ImGui::CloseCurrentPopup();
}

void heading(const Frame& frame, const char* text) {
  ImGui::Dummy({0, frame.unit});
  ImGui::PushFont(frame.fonts.strong);
  ImGui::TextUnformatted(imgui_text(text));
  ImGui::PopFont();
}

bool fold(const Frame& frame, std::string_view name, const char* title, bool open, const std::string& note,
          std::string_view tip_text) {
  ImGui::Dummy({0, 0.5f * frame.unit});
  ImFont *strong = frame.fonts.strong, *small = frame.fonts.small;
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, high = strong->FontSize + frame.unit, arrow = 0.9f * high;
  const bool clicked = ImGui::InvisibleButton(std::string(name).c_str(), {width, high});
  ui::probe(name);
  name_if_framed(title);
  if (open) name_if_framed("open");
  tip(tip_text);
  const ImU32 ink = ImGui::IsItemHovered() ? frame.theme.accent : frame.theme.ink;
  const ImVec2 middle{pos.x + 0.3f * arrow, pos.y + 0.5f * high};
  const float r = 0.22f * high;
  if (open)
    frame.canvas.triangle({middle.x - r, middle.y - 0.6f * r}, {middle.x + r, middle.y - 0.6f * r},
                          {middle.x, middle.y + 0.8f * r}, ink);
  else
    frame.canvas.triangle({middle.x - 0.6f * r, middle.y - r}, {middle.x - 0.6f * r, middle.y + r},
                          {middle.x + 0.8f * r, middle.y}, ink);
  frame.canvas.text_at(strong, {pos.x + arrow, pos.y + 0.5f * frame.unit}, ink, title);
  const float behind = pos.x + arrow + text_width(strong, title) + 2 * frame.unit;
  frame.canvas.text_at(small, {behind, pos.y + 0.5f * frame.unit + strong->FontSize - small->FontSize},
                       frame.theme.ink_soft, note, pos.x + width - behind);
  return clicked;
}

void soft_text(const Frame& frame, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.ink_soft);
  ImGui::PushFont(frame.fonts.small);
  const std::string words = spelled(frame, text);
  if (frame.canvas.shows_all()) {  // where nobody sees what ImGui draws
    const float room = ImGui::GetContentRegionAvail().x;
    frame.canvas.text_within(frame.fonts.small, ImGui::GetCursorScreenPos(), frame.theme.ink_soft, words, room);
  }
  ImGui::TextWrapped("%s", imgui_text(words));
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

namespace {

float height_of(ImFont* font, float width, const std::string& words) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, width, drawable(font, words).c_str()).y;
}

}  // namespace

float paragraph_height(const Frame& frame, ImFont* font, float width, const std::string& text) {
  return height_of(font, width, broken_between_words(font, spelled(frame, text), width));
}

float paragraph(const Frame& frame, ImFont* font, ImVec2 pos, float width, ImU32 color, const std::string& text) {
  const std::string words = broken_between_words(font, spelled(frame, text), width);
  frame.canvas.text_within(font, {std::round(pos.x), std::round(pos.y)}, color, words, width);
  return height_of(font, width, words);
}

void failure_text(const Frame& frame, const std::string& failure) {
  if (failure.empty()) return;
  soft_text(frame, "Could not be measured: " + failure + ".");
  probe("failure");
}

void waiting_text(const Frame& frame, const std::string& failure) {
  if (failure.empty()) soft_text(frame, "Being measured.");
}

}  // namespace hydra::ui
