#include "tests/support/gl_stage.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

namespace hydra::testing {

std::unique_ptr<gl::OffscreenStage> make_offscreen_stage() {
  try {
    return std::make_unique<gl::OffscreenStage>();
  } catch (const std::runtime_error& error) {
    WARN("skipped: " << error.what());
    return nullptr;
  }
}

std::unique_ptr<GlStage> GlStage::make(int width, int height) {
  auto made = std::make_unique<GlStage>();
  made->stage_ = make_offscreen_stage();
  made->size_ = ImVec2(static_cast<float>(width), static_cast<float>(height));
  return made->stage_ ? std::move(made) : nullptr;
}

Image GlStage::frame(const std::function<void(ImDrawList*)>& draw) {
  lay_out(draw);
  return render_again();
}

void GlStage::lay_out(const std::function<void(ImDrawList*)>& draw) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size_;
  io.DeltaTime = 1.f / 60;
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(2);
  draw(ImGui::GetWindowDrawList());
  ImGui::End();
  ImGui::Render();
}

Image GlStage::render_again() {
  stage_->draw(IM_COL32_BLACK);
  REQUIRE(glGetError() == GL_NO_ERROR);
  return stage_->read();
}

void keep_picture(const Image& image, const std::string& name) {
  if (const char* directory = std::getenv("HYDRA_TEST_PICTURES")) {
    std::ofstream(std::string(directory) + "/" + name + ".png", std::ios::binary) << png_bytes(image);
  }
}

}  // namespace hydra::testing
