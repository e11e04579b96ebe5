// The colour of a heatmap's pixel where one texel decides it and all values are finite: most tiles. A software renderer
// runs both sides of every branch, so what is rare stands apart, in heatmap_full.frag. Drawn by gl::HeatmapRenderer.
// In:  from heatmap.vert; values: matrices as layers, with levels that keep the strongest cell (core/linalg/strongest.h);
//      colors: one row per colour map (widgets/color_map.h).
// Out: straight alpha.

in vec2 place;
flat in ivec2 last_texel;
flat in vec3 tile_range;    // low, 1 / (high - low), alpha
flat in ivec4 tile_lookup;  // layer, row of colors, level, unused here

uniform sampler2DArray values;
uniform sampler2D colors;

out vec4 color;

void main() {
  ivec2 texel = min(ivec2(place) >> tile_lookup.z, last_texel);
  float value = texelFetch(values, ivec3(texel, tile_lookup.x), tile_lookup.z).r;
  float t = clamp((value - tile_range.x) * tile_range.y, 0.0, 1.0);
  color = vec4(texelFetch(colors, ivec2(int(t * 255.0 + 0.5), tile_lookup.y), 0).rgb, tile_range.z);
}
