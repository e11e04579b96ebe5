// The colour of a heatmap's pixel. Drawn by gl::HeatmapRenderer.
// In:  from heatmap.vert; values: matrices as layers, with levels that keep the strongest cell (gl/mip.h);
//      colors: one row per colour map (widgets/color_map.h).
// Out: straight alpha. Masked cells (-inf) are a hatch over whatever is behind; NaN is a cross, +inf a disc, both plain
//      warning colour where cells are too small for a shape.
#version 330 core

in vec2 cell;
in vec2 pixel;
flat in vec2 cell_size;
flat in ivec4 tile_block;   // row0, col0, rows, cols
flat in vec3 tile_range;    // low, high, alpha
flat in ivec3 tile_lookup;  // layer, row of colors, level

uniform sampler2DArray values;
uniform sampler2D colors;
uniform float scale;

out vec4 color;

const uint MINUS_INF = 0xff800000u, PLUS_INF = 0x7f800000u;
const vec3 WARNING = vec3(0.85, 0.20, 0.55);
const float LEAST_SHAPE = 7.0;  // pixels: below, a mark is a plain colour

// As strength() in gl/mip.h: NaN, then magnitude, -inf last.
int strength(float value) {
  uint bits = floatBitsToUint(value);
  return bits == MINUS_INF ? -1 : int(bits & 0x7fffffffu);
}

// The cells of the level that this pixel shows along one axis. One when a cell is at least a pixel, so that no cell is
// skipped and none is blended; else all that the pixel covers.
ivec2 covered(float at, float size, int first, int count, int level_size, int level) {
  int last = min((first + count - 1) >> level, level_size - 1);
  int begin = first >> level;
  float unit = exp2(float(level));
  if (size * unit >= 0.999) {
    at += 0.001 / size;  // a pixel's centre on a boundary falls to the same side along both axes
    int nearest = (first + clamp(int(floor(at)), 0, count - 1)) >> level;
    return ivec2(min(nearest, last));
  }
  float reach = 0.5 / size;
  int low = int(floor((float(first) + at - reach) / unit));
  int high = int(ceil((float(first) + at + reach) / unit)) - 1;
  return clamp(ivec2(low, max(low, high)), begin, last);
}

float value_here() {
  int level = tile_lookup.z;
  ivec2 size = textureSize(values, level).xy;
  ivec2 x = covered(cell.x, cell_size.x, tile_block.y, tile_block.w, size.x, level);
  ivec2 y = covered(cell.y, cell_size.y, tile_block.x, tile_block.z, size.y, level);
  float best = texelFetch(values, ivec3(x.x, y.x, tile_lookup.x), level).r;
  if (x.x == x.y && y.x == y.y) return best;
  for (int j = y.x; j <= y.y; ++j) {
    for (int i = x.x; i <= x.y; ++i) {
      float value = texelFetch(values, ivec3(i, j, tile_lookup.x), level).r;
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
  vec2 within = fract(cell) - 0.5;                 // -0.5 .. 0.5
  vec2 pixels = within * cell_size;
  float radius = 0.30 * min(cell_size.x, cell_size.y);
  float width = max(scale, 0.05 * min(cell_size.x, cell_size.y));
  vec2 arm = abs(pixels);
  bool on = cross_mark ? abs(arm.x - arm.y) < width && max(arm.x, arm.y) < radius : length(pixels) < radius;
  return vec4(WARNING, on ? 1.0 : 0.25);
}

void main() {
  float value = value_here();
  uint bits = floatBitsToUint(value);
  if (bits == MINUS_INF) {
    color = hatch();
  } else if ((bits & 0x7fffffffu) >= PLUS_INF) {
    color = warning(bits != PLUS_INF);
  } else {
    float t = clamp((value - tile_range.x) / (tile_range.y - tile_range.x), 0.0, 1.0);
    color = vec4(texelFetch(colors, ivec2(int(t * 255.0 + 0.5), tile_lookup.y), 0).rgb, 1.0);
  }
  color.a *= tile_range.z;
}
