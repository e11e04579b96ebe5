// The ImGui context of a window, an offscreen picture or a test. It writes no files: layout is ours, not ImGui's.
#pragma once
#include <imgui.h>

namespace hydra {

class ImGuiSession {
 public:
  // Created and made current, keys mapped. A list of what is drawn may have more than 65 536 vertices, where nothing is
  // drawn of it, too.
  ImGuiSession();
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;

 private:
  ImGuiContext* context_;
};

}  // namespace hydra
