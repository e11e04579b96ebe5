// The colour of a heatmap's pixel, whatever the values and however small the cells: as heatmap_plain.frag, and besides
// gathers the cells of a pixel where their level cannot, and marks what is not finite. Drawn by gl::HeatmapRenderer.
// In:  from heatmap.vert; values: matrices as layers, with levels that keep the strongest cell (core/linalg/strongest.h);
//      hidden: matrices of the same shape, -inf where a cell is masked whatever its value, else 0, as layers with levels;
//      colors: one row per colour map (widgets/color_map.h).
// Out: straight alpha. Masked cells (-inf) are a hatch over whatever is behind; NaN is a cross, +inf a disc, both plain
//      warning colour where cells are too small for a shape. What is beyond the range has the end's colour, hatched the
//      other way.

in vec2 place;
in vec2 pixel;
flat in vec2 cell_size;
flat in ivec4 tile_block;   // row0, col0, rows, cols
flat in ivec2 last_texel;
flat in vec3 tile_range;    // low, 1 / (high - low), alpha
flat in ivec4 tile_lookup;  // layer, row of colors or (below 0) -1 - the colour of a mark, level, layer of hidden or -1

uniform sampler2DArray values;
uniform sampler2DArray hidden;
uniform sampler2D colors;
uniform float scale;

out vec4 color;

const uint MINUS_INF = 0xff800000u, PLUS_INF = 0x7f800000u;
const vec3 WARNING = vec3(0.85, 0.20, 0.55);
const float ROUNDED = 1e-4;       // ValueScale::kRounded
const float LEAST_SHAPE = 7.0;  // pixels: below, a mark is a plain colour

// As strength() in core/linalg/strongest.h: NaN, then magnitude, -inf last.
int strength(float value) {
  uint bits = floatBitsToUint(value);
  return bits == MINUS_INF ? -1 : int(bits & 0x7fffffffu);
}

// The texels of the level that this pixel shows along one axis. One when a texel is at least a pixel, so that none is
// skipped and none is blended; else all that the pixel covers.
ivec2 covered(float at, float size, int first, int last, int level) {
  float unit = exp2(float(level));
  if (size * unit >= 0.999) return ivec2(min(int(at) >> level, last));
  float reach = 0.5 / size;
  int low = int(floor((at - reach) / unit)), high = int(ceil((at + reach) / unit)) - 1;
  return clamp(ivec2(low, max(low, high)), first >> level, last);
}

float value_at(int i, int j, int level) {
  if (tile_lookup.w >= 0) {
    float mask = texelFetch(hidden, ivec3(i, j, tile_lookup.w), level).r;
    if (floatBitsToUint(mask) == MINUS_INF) return mask;
  }
  return texelFetch(values, ivec3(i, j, tile_lookup.x), level).r;
}

float value_here() {
  int level = tile_lookup.z;
  ivec2 x = covered(place.x, cell_size.x, tile_block.y, last_texel.x, level);
  ivec2 y = covered(place.y, cell_size.y, tile_block.x, last_texel.y, level);
  float best = value_at(x.x, y.x, level);
  for (int j = y.x; j <= y.y; ++j) {
    for (int i = x.x; i <= x.y; ++i) {
      float value = value_at(i, j, level);
      if (strength(value) > strength(best)) best = value;
    }
  }
  return best;
}

vec4 hatch() {
  bool dark = tile_lookup.y >= 2;
  vec3 ink = dark ? vec3(1.0) : vec3(0.0);
  float stripe = mod(pixel.x + pixel.y, 6.0 * scale);
  return vec4(ink, stripe < scale ? 0.22 : 0.03);
}

vec4 warning(bool cross_mark) {
  if (min(cell_size.x, cell_size.y) < LEAST_SHAPE * scale) return vec4(WARNING, 1.0);
  vec2 pixels = (fract(place) - 0.5) * cell_size;  // from the cell's centre
  float radius = 0.30 * min(cell_size.x, cell_size.y);
  float width = max(scale, 0.05 * min(cell_size.x, cell_size.y));
  vec2 arm = abs(pixels);
  bool on = cross_mark ? abs(arm.x - arm.y) < width && max(arm.x, arm.y) < radius : length(pixels) < radius;
  return vec4(WARNING, on ? 1.0 : 0.25);
}

// A frame inside the cell, as thick as t is large, which leaves the middle as it was, where its number may stand; where
// cells are too small for one, a tint.
vec4 frame_mark(float t) {
  if (t <= 0.0) return vec4(0.0);
  int rgb = -1 - tile_lookup.y;
  vec3 ink = vec3(rgb >> 16, rgb >> 8 & 255, rgb & 255) / 255.0;
  float least = min(cell_size.x, cell_size.y);
  if (least < LEAST_SHAPE * scale) return vec4(ink, 0.85 * t);
  vec2 inside = (0.5 - abs(fract(place) - 0.5)) * cell_size;  // from the cell's edges, in pixels
  float thickest = clamp(0.1 * least, 1.5 * scale, 4.0 * scale);
  return vec4(ink, clamp(thickest * t - min(inside.x, inside.y) + 0.5, 0.0, 1.0));
}

void main() {
  float value = value_here();
  uint bits = floatBitsToUint(value);
  if (tile_lookup.y < 0) {
    color = frame_mark(clamp((value - tile_range.x) * tile_range.y, 0.0, 1.0));
  } else if (bits == MINUS_INF) {
    color = hatch();
  } else if ((bits & 0x7fffffffu) >= PLUS_INF) {
    color = warning(bits != PLUS_INF);
  } else {
    float at = (value - tile_range.x) * tile_range.y, t = clamp(at, 0.0, 1.0);
    color = vec4(texelFetch(colors, ivec2(int(t * 255.0 + 0.5), tile_lookup.y), 0).rgb, 1.0);
    if (abs(at - t) > ROUNDED && mod(pixel.x - pixel.y, 4.0 * scale) < scale)
      color.rgb = mix(color.rgb, vec3(dot(color.rgb, vec3(0.299, 0.587, 0.114)) > 0.5 ? 0.0 : 1.0), 0.55);
  }
  color.a *= tile_range.z;
}
