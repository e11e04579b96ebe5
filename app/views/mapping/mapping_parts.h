// Parts of the page that lays arrays out, for its own files.
#pragma once
#include <map>
#include <string>

#include "app/views/frame/ui.h"
#include "app/views/mapping/layout_draft.h"

namespace hydra::mapping {

struct MappingHands {
  std::map<std::string, std::string> typed;  // in fields, by their keys
  std::string typing;                        // the field that has the keyboard
  std::string place;                         // chosen: where a click on an array puts it
  int part = 0;                              // of the page, which Tab goes through
  float settings_high = 0;                   // what the settings took in the last frame
};

inline void set(Frame& frame, const std::string& key, const std::string& value) {
  frame.out.act(act::SetLayout{key, value});
}

// Broken between words alone, so that names of arrays stay whole.
inline void paragraph(const Frame& frame, ImFont* font, ImU32 ink, const std::string& words) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, ui::paragraph(frame, font, ImGui::GetCursorScreenPos(), width, ink, words)});
}

// A field of one thing of the layout, so wide: what was typed is taken by Enter, or when it is left.
void field(Frame& frame, const std::string& key, const std::string& value, const std::string& hint, float width);

void draw_settings(Frame& frame, const LayoutDraft& draft);
void draw_arrays(Frame& frame, const LayoutDraft& draft);
void draw_places(Frame& frame, const LayoutDraft& draft);

}  // namespace hydra::mapping
