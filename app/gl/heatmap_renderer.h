// Draws heatmaps on the GPU: values stay float textures, the fragment shader looks their colours up, and the heatmaps
// of a run are one instanced draw per texture array, in a callback of the ImDrawList, so that order and clipping are
// ImGui's.
#pragma once
#include <compare>
#include <deque>
#include <string>
#include <vector>

#include "app/draw/heatmap.h"
#include "app/gl/program.h"
#include "app/gl/value_textures.h"

namespace hydra::gl {

// Lives while its context is current, and serves one ImGui context. Tiles belong to the ImGui frame they were added in;
// they are kept until the first heatmap of a later frame, so draw data may be rendered more than once.
// Within a run, heatmaps are drawn in no particular order: heatmaps that overlap need something drawn between them.
class HeatmapRenderer final : public HeatmapSink {
 public:
  HeatmapRenderer();
  void add(ImDrawList* list, const Heatmap& whole) override;
  bool lacks_memory(const Array<float>& matrix) const override { return textures_.lacks_memory(matrix); }
  // True once after other pictures than before had no memory: what they say is laid out in another frame.
  bool take_refusals_changed() { return textures_.take_refusals_changed(); }

  // The compiler's log when a shader edited in a developer build does not compile; empty when all is well.
  const std::string& last_error() const;

  struct Stats {
    ValueTextures::Stats textures;
    int heatmaps = 0, callbacks = 0, draws = 0;  // of the last frame rendered
  };
  Stats stats() const;

 private:
  // What the vertex shader reads per heatmap; see heatmap.vert.
  struct Instance {
    float rect[4];
    std::int32_t block[4];
    float low, per_range, alpha;
    // color_row: of a mark -1 - 0xRRGGBB; hidden_layer: -1 where no cell is masked apart.
    std::int32_t layer, color_row, level, hidden_layer;
  };
  // Tiles that one draw can share.
  struct Kind {
    int page, hidden_page;  // the second: -1 for none
    bool full;              // needs heatmap_full.frag
    auto operator<=>(const Kind&) const = default;
  };
  struct Draw {
    Kind kind;
    std::size_t first, count;  // instances
  };
  struct Shading {
    explicit Shading(const char* fragment_name) : program("heatmap.vert", fragment_name) { find_uniforms(); }
    void find_uniforms();
    LiveProgram program;
    GLint values = -1, hidden = -1, colors = -1, display = -1, scale = -1;
  };
  struct Run {
    HeatmapRenderer* owner;
    std::size_t first, count;  // heatmaps
    std::size_t first_draw = 0, draws = 0;
  };
  static void draw_callback(const ImDrawList* list, const ImDrawCmd* command);
  bool joins_last_run(const ImDrawList* list) const;
  void prepare();
  void prepare_run(Run& run);
  Instance instance_of(const Heatmap& heatmap, ValueTextures::Place at, int hidden_layer, int level) const;
  struct Zoom {
    int level;
    bool gathers;  // a pixel may cover several cells of the level
  };
  static Zoom zoom_of(const Heatmap& heatmap);
  void upload_instances();
  void draw(const Run& run, const ImDrawCmd& command);
  void use(const Shading& shading, const ImDrawData& data) const;
  void point_attributes(std::size_t first_instance) const;

  Shading plain_{"heatmap_plain.frag"}, full_{"heatmap_full.frag"};
  VertexArray vertex_array_;
  Buffer instance_buffer_;
  std::size_t instance_capacity_ = 0;
  Texture colors_;
  ValueTextures textures_;

  int frame_ = -1;  // ImGui's count
  bool prepared_ = false;
  std::vector<Heatmap> tiles_;
  std::deque<Run> runs_;  // a deque: callbacks hold their addresses
  std::vector<Instance> instances_;
  std::vector<Draw> draws_;
  std::vector<std::pair<Kind, Instance>> by_kind_;  // scratch
};

}  // namespace hydra::gl
