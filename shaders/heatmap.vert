// The corners of a heatmap tile. Drawn by gl::HeatmapRenderer as instanced strips of four vertices, one instance a tile.
// In:  per instance (struct Instance): rectangle, block of the matrix, value range, where and how to look it up.
// Out: the place within the tile in cells and in pixels, the rest of the instance as it is.
#version 330 core

layout(location = 0) in vec4 rect;    // left, top, right, bottom; ImGui's coordinates
layout(location = 1) in ivec4 block;  // row0, col0, rows, cols
layout(location = 2) in vec3 range;   // low, high, alpha
layout(location = 3) in ivec3 lookup; // layer of the array, row of the colour table, level

uniform vec4 display;  // origin and size; ImGui's coordinates
uniform float scale;   // framebuffer pixels per ImGui pixel

out vec2 cell;           // 0 .. (cols, rows) across the block
out vec2 pixel;          // framebuffer pixels from the display's top left
flat out vec2 cell_size; // framebuffer pixels per cell
flat out ivec4 tile_block;
flat out vec3 tile_range;
flat out ivec3 tile_lookup;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 position = mix(rect.xy, rect.zw, corner) - display.xy;
  vec2 cells = vec2(block.wz);
  cell = corner * cells;
  pixel = position * scale;
  cell_size = (rect.zw - rect.xy) * scale / cells;
  tile_block = block;
  tile_range = range;
  tile_lookup = lookup;
  vec2 unit = position / display.zw;
  gl_Position = vec4(2.0 * unit.x - 1.0, 1.0 - 2.0 * unit.y, 0.0, 1.0);
}
