// Where a command lays its frames out: with graphics where they are drawn, else without.
#pragma once
#include <optional>

#include "app/gl/offscreen_stage.h"
#include "app/platform/imgui_session.h"

namespace hydra {

struct Stage {
  std::optional<gl::OffscreenStage> drawn;
  std::optional<ImGuiSession> undrawn;
  NoPictures none;

  explicit Stage(bool draws) { draws ? (void)drawn.emplace() : (void)undrawn.emplace(); }
  HeatmapSink& sink() { return drawn ? static_cast<HeatmapSink&>(drawn->heatmaps()) : none; }
};

}  // namespace hydra
