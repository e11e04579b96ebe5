// Draws heatmap tiles on the GPU: values stay float textures, the fragment shader looks their colours up, and the tiles
// of a run are one instanced draw per texture array, in a callback of the ImDrawList, so that order and clipping are
// ImGui's.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "app/gl/program.h"
#include "app/gl/value_textures.h"
#include "app/widgets/heatmap.h"

namespace hydra::gl {

// Lives while its context is current, and serves one ImGui context. Tiles belong to the ImGui frame they were added in;
// they are kept until the first tile of a later frame, so draw data may be rendered more than once.
// Within a run, tiles are drawn in no particular order: tiles that overlap need something drawn between them.
class HeatmapRenderer final : public HeatmapSink {
 public:
  HeatmapRenderer();
  void add(ImDrawList* list, const HeatmapTile& tile) override;

  // The compiler's log when a shader edited in a developer build does not compile; empty when all is well.
  const std::string& last_error() const { return program_.last_error(); }

  struct Stats {
    ValueTextures::Stats textures;
    int tiles = 0, callbacks = 0, draws = 0;  // of the last frame rendered
  };
  Stats stats() const;

 private:
  // What the vertex shader reads per tile; see heatmap.vert.
  struct Instance {
    float rect[4];
    std::int32_t block[4];
    float low, high, alpha;
    std::int32_t layer, color_row, level;
  };
  struct Draw {
    int page;
    std::size_t first, count;  // instances
  };
  struct Run {
    HeatmapRenderer* owner;
    std::size_t first, count;  // tiles
    std::size_t first_draw = 0, draws = 0;
  };
  struct Uniforms {
    GLint values, colors, display, scale;
  };

  static void draw_callback(const ImDrawList* list, const ImDrawCmd* command);
  bool joins_last_run(const ImDrawList* list) const;
  void prepare();
  void prepare_run(Run& run);
  Instance instance_of(const HeatmapTile& tile, ValueTextures::Place at, int level) const;
  int level_for(const HeatmapTile& tile) const;
  void upload_instances();
  void draw(const Run& run, const ImDrawCmd& command);
  void find_uniforms();
  void point_attributes(std::size_t first_instance) const;

  LiveProgram program_;
  Uniforms uniforms_{};
  VertexArray vertex_array_;
  Buffer instance_buffer_;
  std::size_t instance_capacity_ = 0;
  Texture colors_;
  ValueTextures textures_;

  int frame_ = -1;  // ImGui's count
  bool prepared_ = false;
  std::vector<HeatmapTile> tiles_;
  std::deque<Run> runs_;  // a deque: callbacks hold their addresses
  std::vector<Instance> instances_;
  std::vector<Draw> draws_;
  std::vector<std::pair<int, Instance>> by_page_;  // scratch
};

}  // namespace hydra::gl
