#include "app/platform/imgui_session.h"

#include "app/platform/input.h"

namespace hydra {

ImGuiSession::ImGuiSession() {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  map_keys();
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(context_); }

}  // namespace hydra
