// The ImGui context of a window, an offscreen picture or a test. It writes no files: layout is ours, not ImGui's.
#pragma once
#include <imgui.h>

namespace hydra {

class ImGuiSession {
 public:
  ImGuiSession();  // created and made current, keys mapped
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;

 private:
  ImGuiContext* context_;
};

}  // namespace hydra
