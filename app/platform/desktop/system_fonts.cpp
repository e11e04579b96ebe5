#include "app/platform/system_fonts.h"

#include <hb-ot.h>
#include <hb.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/platform/desktop/font_finder.h"
#include "app/platform/desktop/glyph_canvas.h"
#include "app/platform/text_pieces.h"
#include "core/files/utf8.h"
#include "core/text/clusters.h"

namespace hydra {

namespace {

// Clusters of one font, one script and one direction, which are shaped together.
struct Segment {
  std::size_t begin, end;
  int font;
  hb_script_t script;
  bool right_to_left;
};

hb_script_t script_of(char32_t code) { return hb_unicode_script(hb_unicode_funcs_get_default(), code); }
bool is_real(hb_script_t script) { return script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED; }

}  // namespace

struct SystemFonts::Faces {
  struct Face {
    FaceHandle raster;
    hb_font_t* shapes;
  };

  ~Faces() {
    for (auto& [number, face] : open)
      if (face.shapes != nullptr) hb_font_destroy(face.shapes);
  }

  FontFinder finder;
  FontLibrary library;
  std::map<int, Face> open;  // by the finder's number

  Face& face(int number) {
    if (const auto known = open.find(number); known != open.end()) return known->second;
    const FontFile& file = finder.file(number);
    hb_blob_t* blob = hb_blob_create_from_file(file.path.c_str());
    hb_face_t* face = hb_face_create(blob, static_cast<unsigned>(file.index & 0xFFFF));
    hb_font_t* font = hb_font_create(face);
    hb_ot_font_set_funcs(font);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return open.emplace(number, Face{library.open(file.path, file.index), font}).first->second;
  }

  // The word's segments in logical order; empty when a cluster has no font.
  std::vector<Segment> segments(std::string_view word);
  // Draws the segment, where there is a canvas, with the pen at x; gives the pen behind it.
  float draw(std::string_view word, const Segment& segment, float x, float em, GlyphCanvas* canvas);
  std::optional<float> draw(std::string_view word, float size, GlyphCanvas* canvas);
};

std::vector<Segment> SystemFonts::Faces::segments(std::string_view word) {
  std::vector<Segment> parts;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t end = end_of_cluster(word, at);
    const char32_t code = decode(word, at).code;
    const int font = finder.find(word.substr(at, end - at));
    if (font < 0) return {};
    const hb_script_t script = script_of(code);
    const bool right_to_left = is_right_to_left(code);
    Segment* last = parts.empty() ? nullptr : &parts.back();
    const bool same_script = last && (!is_real(script) || !is_real(last->script) || script == last->script);
    if (last && last->font == font && last->right_to_left == right_to_left && same_script) {
      last->end = end;
      if (!is_real(last->script)) last->script = script;
    } else {
      parts.push_back({at, end, font, script, right_to_left});
    }
    at = end;
  }
  return parts;
}

float SystemFonts::Faces::draw(std::string_view word, const Segment& segment, float x, float em, GlyphCanvas* canvas) {
  Face& used = face(segment.font);
  hb_buffer_t* buffer = hb_buffer_create();
  hb_buffer_add_utf8(buffer, word.data(), static_cast<int>(word.size()), static_cast<unsigned>(segment.begin),
                     static_cast<int>(segment.end - segment.begin));
  hb_buffer_set_direction(buffer, segment.right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer, is_real(segment.script) ? segment.script : HB_SCRIPT_COMMON);
  hb_buffer_set_language(buffer, hb_language_from_string("und", -1));
  hb_shape(used.shapes, buffer, nullptr, 0);
  unsigned count = 0;
  const hb_glyph_info_t* glyphs = hb_buffer_get_glyph_infos(buffer, &count);
  const hb_glyph_position_t* places = hb_buffer_get_glyph_positions(buffer, &count);
  const float unit = em / static_cast<float>(hb_face_get_upem(hb_font_get_face(used.shapes)));
  for (unsigned k = 0; k < count; ++k) {
    if (canvas != nullptr)
      canvas->draw(used.raster, glyphs[k].codepoint, em, x + unit * static_cast<float>(places[k].x_offset),
                   unit * static_cast<float>(places[k].y_offset));
    x += unit * static_cast<float>(places[k].x_advance);
  }
  hb_buffer_destroy(buffer);
  return x;
}

std::optional<float> SystemFonts::Faces::draw(std::string_view word, float size, GlyphCanvas* canvas) {
  std::vector<Segment> parts = segments(word);
  if (parts.empty()) return std::nullopt;
  // Numbers within a word from right to left keep their own direction.
  if (std::any_of(parts.begin(), parts.end(), [](const Segment& part) { return part.right_to_left; }))
    std::reverse(parts.begin(), parts.end());
  float x = 0;
  for (const Segment& part : parts) {
    const float em = size * em_share(decode(word, part.begin).code);
    x = draw(word, part, x, em, canvas);
  }
  return std::ceil(x);
}

SystemFonts::SystemFonts() = default;
SystemFonts::~SystemFonts() = default;

SystemFonts::Faces& SystemFonts::faces() {
  if (!faces_) faces_ = std::make_unique<Faces>();
  return *faces_;
}

bool SystemFonts::has(std::string_view cluster) { return faces().finder.find(cluster) >= 0; }

std::optional<GlyphPicture> SystemFonts::picture(std::string_view word, float size) {
  GlyphCanvas canvas;
  const std::optional<float> width = faces().draw(word, size, &canvas);
  if (!width) return std::nullopt;
  GlyphPicture picture = canvas.picture();
  picture.advance = *width;
  if (picture.colored && picture.width == 0) return std::nullopt;  // in a format that FreeType cannot draw
  return picture;
}

std::optional<float> SystemFonts::width(std::string_view word, float size) { return faces().draw(word, size, nullptr); }

}  // namespace hydra
