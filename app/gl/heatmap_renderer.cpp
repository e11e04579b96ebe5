#include "app/gl/heatmap_renderer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "app/gl/scissor.h"
#include "core/linalg/strongest.h"

namespace hydra::gl {
namespace {

constexpr int kValuesUnit = 1, kColorsUnit = 2, kHiddenUnit = 3;  // 0 is ImGui's

Texture make_color_texture() {
  std::vector<Rgb> texels;
  for (int map = 0; map < kColorMaps; ++map) {
    const auto& table = color_table(static_cast<ColorMap>(map));
    texels.insert(texels.end(), table.begin(), table.end());
  }
  Texture texture = Texture::make();
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, kColorMapSize, kColorMaps, 0, GL_RGB, GL_UNSIGNED_BYTE, texels.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

// 0xRRGGBB.
std::uint32_t packed(ImU32 color) {
  const auto channel = [&](int shift) { return color >> shift & 0xff; };
  return channel(IM_COL32_R_SHIFT) << 16 | channel(IM_COL32_G_SHIFT) << 8 | channel(IM_COL32_B_SHIFT);
}

bool same_rect(const ImVec4& a, const ImVec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

}  // namespace

HeatmapRenderer::HeatmapRenderer()
    : vertex_array_(VertexArray::make()), instance_buffer_(Buffer::make()), colors_(make_color_texture()) {}

void HeatmapRenderer::Shading::find_uniforms() {
  values = glGetUniformLocation(program.id(), "values");
  hidden = glGetUniformLocation(program.id(), "hidden");
  colors = glGetUniformLocation(program.id(), "colors");
  display = glGetUniformLocation(program.id(), "display");
  scale = glGetUniformLocation(program.id(), "scale");
}

const std::string& HeatmapRenderer::last_error() const {
  return plain_.program.last_error().empty() ? full_.program.last_error() : plain_.program.last_error();
}

HeatmapRenderer::Stats HeatmapRenderer::stats() const {
  return {textures_.stats(), static_cast<int>(tiles_.size()), static_cast<int>(runs_.size()),
          static_cast<int>(draws_.size())};
}

void HeatmapRenderer::add(ImDrawList* list, const Heatmap& whole) {
  Heatmap heatmap = whole;
  if (whole.strongest) {
    heatmap.matrix = whole.strongest;
    heatmap.hidden = whole.strongest_hidden;
    heatmap.row0 = heatmap.col0 = 0;
    heatmap.rows = heatmap.matrix->rows();
    heatmap.cols = heatmap.matrix->cols();
  }
  assert(!heatmap.hidden ||
         (heatmap.hidden->rows() == heatmap.matrix->rows() && heatmap.hidden->cols() == heatmap.matrix->cols()));
  assert(heatmap.matrix && heatmap.row0 >= 0 && heatmap.row0 + heatmap.rows <= heatmap.matrix->rows() &&
         heatmap.col0 >= 0 && heatmap.col0 + heatmap.cols <= heatmap.matrix->cols());
  const ImVec2 clip_min = list->GetClipRectMin(), clip_max = list->GetClipRectMax();
  const bool empty =
      heatmap.rows <= 0 || heatmap.cols <= 0 || heatmap.max.x <= heatmap.min.x || heatmap.max.y <= heatmap.min.y;
  if (empty || heatmap.max.x <= clip_min.x || heatmap.min.x >= clip_max.x || heatmap.max.y <= clip_min.y ||
      heatmap.min.y >= clip_max.y) {
    return;
  }
  if (frame_ != ImGui::GetFrameCount()) {
    frame_ = ImGui::GetFrameCount();
    tiles_.clear();
    runs_.clear();
    prepared_ = false;
  }
  tiles_.push_back(heatmap);
  if (joins_last_run(list)) {
    ++runs_.back().count;
    return;
  }
  runs_.push_back(Run{this, tiles_.size() - 1, 1});
  list->AddCallback(draw_callback, &runs_.back());
  list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

// A run ends in the list with its callback, the reset, and the empty command that ImGui appends for what follows.
bool HeatmapRenderer::joins_last_run(const ImDrawList* list) const {
  const int size = list->CmdBuffer.Size;
  if (runs_.empty() || size < 3) return false;
  const ImDrawCmd &call = list->CmdBuffer[size - 3], &reset = list->CmdBuffer[size - 2],
                  &next = list->CmdBuffer[size - 1];
  return call.UserCallback == draw_callback && call.UserCallbackData == &runs_.back() &&
         reset.UserCallback == ImDrawCallback_ResetRenderState && !next.UserCallback && next.ElemCount == 0 &&
         same_rect(call.ClipRect, next.ClipRect);
}

void HeatmapRenderer::draw_callback(const ImDrawList*, const ImDrawCmd* command) {
  const Run& run = *static_cast<const Run*>(command->UserCallbackData);
  if (!run.owner->prepared_) run.owner->prepare();
  run.owner->draw(run, *command);
}

// At the first callback of a frame: all matrices into textures, all heatmaps into one instance buffer.
void HeatmapRenderer::prepare() {
  prepared_ = true;
  for (Shading* shading : {&plain_, &full_}) {
    if (shading->program.refresh()) shading->find_uniforms();
  }
  textures_.begin_frame();
  instances_.clear();
  draws_.clear();
  glActiveTexture(GL_TEXTURE0 + kValuesUnit);
  for (Run& run : runs_) prepare_run(run);
  upload_instances();
}

void HeatmapRenderer::prepare_run(Run& run) {
  by_kind_.clear();
  for (std::size_t i = run.first; i < run.first + run.count; ++i) {
    const Zoom zoom = zoom_of(tiles_[i]);
    const std::optional<ValueTextures::Place> at = textures_.place(tiles_[i].matrix, zoom.level > 0);
    std::optional<ValueTextures::Place> hidden = ValueTextures::Place{-1, -1, true};
    if (tiles_[i].hidden) hidden = textures_.place(tiles_[i].hidden, zoom.level > 0);
    if (!at || !hidden) continue;  // the next frame says so in its place
    const ValueScale& scale = tiles_[i].scale;
    const bool full = zoom.gathers || !at->finite || !hidden->finite || tiles_[i].mark != 0 ||
                      scale.is_beyond(at->least) || scale.is_beyond(at->most);
    by_kind_.emplace_back(Kind{at->page, hidden->page, full}, instance_of(tiles_[i], *at, hidden->layer, zoom.level));
  }
  std::sort(by_kind_.begin(), by_kind_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  run.first_draw = draws_.size();
  for (const auto& [kind, instance] : by_kind_) {
    if (draws_.size() == run.first_draw || draws_.back().kind != kind) draws_.push_back({kind, instances_.size(), 0});
    instances_.push_back(instance);
    ++draws_.back().count;
  }
  run.draws = draws_.size() - run.first_draw;
}

HeatmapRenderer::Instance HeatmapRenderer::instance_of(const Heatmap& heatmap, ValueTextures::Place at,
                                                       int hidden_layer, int level) const {
  const auto narrow = [](Index i) { return static_cast<std::int32_t>(i); };
  return {{heatmap.min.x, heatmap.min.y, heatmap.max.x, heatmap.max.y},
          {narrow(heatmap.row0), narrow(heatmap.col0), narrow(heatmap.rows), narrow(heatmap.cols)},
          heatmap.scale.low,
          heatmap.scale.high > heatmap.scale.low ? 1 / (heatmap.scale.high - heatmap.scale.low) : 0,
          heatmap.alpha,
          at.layer,
          heatmap.mark == 0 ? static_cast<std::int32_t>(heatmap.scale.map)
                            : -1 - static_cast<std::int32_t>(packed(heatmap.mark)),
          level,
          hidden_layer};
}

// The level at which a cell is at least a pixel along the axis where cells are largest, but none at which the block's
// border cells would hold cells of its neighbours. Where cells of that level are less than a pixel, the shader gathers.
HeatmapRenderer::Zoom HeatmapRenderer::zoom_of(const Heatmap& heatmap) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const float width = (heatmap.max.x - heatmap.min.x) * scale.x / static_cast<float>(heatmap.cols);
  const float height = (heatmap.max.y - heatmap.min.y) * scale.y / static_cast<float>(heatmap.rows);
  int level = 0;
  if (const float cell = std::max(width, height); cell < 1) {
    level = std::min({static_cast<int>(std::ceil(-std::log2(cell) - 1e-3f)),
                      aligned_level(heatmap.row0, heatmap.row0 + heatmap.rows, heatmap.matrix->rows()),
                      aligned_level(heatmap.col0, heatmap.col0 + heatmap.cols, heatmap.matrix->cols())});
  }
  return {level, std::ldexp(std::min(width, height), level) < 0.999f};
}

void HeatmapRenderer::upload_instances() {
  glBindBuffer(GL_ARRAY_BUFFER, instance_buffer_.id());
  if (instances_.size() > instance_capacity_) {
    instance_capacity_ = std::max<std::size_t>(2 * instances_.size(), 64);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instance_capacity_ * sizeof(Instance)), nullptr,
                 GL_DYNAMIC_DRAW);
  }
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(instances_.size() * sizeof(Instance)), instances_.data());
}

// OpenGL 3.3 has no base instance: a draw starts at its first instance by where the attributes point.
void HeatmapRenderer::point_attributes(std::size_t first_instance) const {
  const std::size_t start = first_instance * sizeof(Instance);
  const auto at = [start](std::size_t offset) { return reinterpret_cast<const void*>(start + offset); };
  const GLsizei stride = sizeof(Instance);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, rect)));
  glVertexAttribIPointer(1, 4, GL_INT, stride, at(offsetof(Instance, block)));
  glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, low)));
  glVertexAttribIPointer(3, 4, GL_INT, stride, at(offsetof(Instance, layer)));
  for (GLuint attribute = 0; attribute < 4; ++attribute) {
    glEnableVertexAttribArray(attribute);
    glVertexAttribDivisor(attribute, 1);
  }
}

void HeatmapRenderer::use(const Shading& shading, const ImDrawData& data) const {
  glUseProgram(shading.program.id());
  glUniform1i(shading.values, kValuesUnit);
  glUniform1i(shading.colors, kColorsUnit);
  if (shading.hidden >= 0) glUniform1i(shading.hidden, kHiddenUnit);
  glUniform4f(shading.display, data.DisplayPos.x, data.DisplayPos.y, data.DisplaySize.x, data.DisplaySize.y);
  glUniform1f(shading.scale, data.FramebufferScale.x);
}

// Blending and the viewport are as gl::ImGuiRenderer set them; the reset that follows the callback restores the rest.
void HeatmapRenderer::draw(const Run& run, const ImDrawCmd& command) {
  const ImDrawData& data = *ImGui::GetDrawData();
  if (!set_scissor(command.ClipRect, data)) return;
  glActiveTexture(GL_TEXTURE0 + kColorsUnit);
  glBindTexture(GL_TEXTURE_2D, colors_.id());
  glActiveTexture(GL_TEXTURE0 + kValuesUnit);
  glBindVertexArray(vertex_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, instance_buffer_.id());
  for (std::size_t d = run.first_draw; d < run.first_draw + run.draws; ++d) {
    const Shading& shading = draws_[d].kind.full ? full_ : plain_;
    if (!shading.program.id()) continue;
    use(shading, data);
    if (const int hidden = draws_[d].kind.hidden_page; hidden >= 0) {
      glActiveTexture(GL_TEXTURE0 + kHiddenUnit);
      glBindTexture(GL_TEXTURE_2D_ARRAY, textures_.texture(hidden));
      glActiveTexture(GL_TEXTURE0 + kValuesUnit);
    }
    glBindTexture(GL_TEXTURE_2D_ARRAY, textures_.texture(draws_[d].kind.page));
    point_attributes(draws_[d].first);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(draws_[d].count));
  }
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace hydra::gl
