#include "app/platform/imgui_session.h"

#include "app/platform/input.h"

namespace hydra {

ImGuiSession::ImGuiSession() {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  map_keys();
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(context_); }

}  // namespace hydra
