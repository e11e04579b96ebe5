// The corners of a heatmap tile. Drawn by gl::HeatmapRenderer as instanced strips of four vertices, one instance a tile.
// In:  per instance (struct Instance): rectangle, block of the matrix, value range, where and how to look it up.
// Out: the place in the matrix, and what is the same for the whole tile.

layout(location = 0) in vec4 rect;     // left, top, right, bottom; ImGui's coordinates
layout(location = 1) in ivec4 block;   // row0, col0, rows, cols
layout(location = 2) in vec3 range;    // low, 1 / (high - low), alpha
layout(location = 3) in ivec4 lookup;  // layer of the array, row of the colour table, level, layer of hidden or -1

uniform sampler2DArray values;
uniform vec4 display;  // origin and size; ImGui's coordinates
uniform float scale;   // framebuffer pixels per ImGui pixel

out vec2 place;            // column, row of the matrix, with fractions; a thousandth of a pixel on, so that a pixel's
                           // centre that meets a boundary falls to the same side along both axes
out vec2 pixel;            // framebuffer pixels from the display's top left
flat out vec2 cell_size;   // framebuffer pixels per cell
flat out ivec4 tile_block;
flat out ivec2 last_texel; // of the block, in its level: column, row
flat out vec3 tile_range;
flat out ivec4 tile_lookup;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 position = mix(rect.xy, rect.zw, corner) - display.xy;
  ivec2 first = block.yx, count = block.wz;
  pixel = position * scale;
  cell_size = (rect.zw - rect.xy) * scale / vec2(count);
  place = vec2(first) + corner * vec2(count) + 0.001 / cell_size;
  tile_block = block;
  last_texel = min((first + count - 1) >> lookup.z, textureSize(values, lookup.z).xy - 1);
  tile_range = range;
  tile_lookup = lookup;
  vec2 unit = position / display.zw;
  gl_Position = vec4(2.0 * unit.x - 1.0, 1.0 - 2.0 * unit.y, 0.0, 1.0);
}
