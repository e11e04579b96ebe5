#include "app/draw/svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "app/draw/image.h"
#include "core/files/base64.h"

namespace hydra {

namespace {

// At most two decimals, and no more than are needed.
std::string short_of(double value) {
  const double rounded = std::round(value * 100) / 100;
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0.0 : rounded).ptr;
  return {text.data(), end};
}

std::string exact(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "masked";
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// What XML 1.0 takes in a text or between quotes: of the control characters line ends alone.
std::string escaped(std::string_view text) {
  std::string safe;
  // U+FFFE and U+FFFF are no characters of XML.
  for (std::size_t at; (at = std::min(text.find("\xef\xbf\xbe"), text.find("\xef\xbf\xbf"))) != text.npos;) {
    safe += escaped(text.substr(0, at)) + "\xef\xbf\xbd";
    text.remove_prefix(at + 3);
  }
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
        safe += "&#10;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return safe;
}

std::string hex(ImU32 color) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "#";
  for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
    for (const int half : {4, 0}) text += kDigits[color >> (shift + half) & 15];
  return text;
}
float alpha_of(ImU32 color) { return static_cast<float>(color >> IM_COL32_A_SHIFT & 255) / 255; }

bool is_mono(const Recording::Words& w, const Fonts& fonts) {
  return w.font == fonts.mono || w.font == fonts.mono_small;
}
// What ImGui calls a font's size is the height of a line: of DejaVu 1.164 em, of Inter 1.21 em.
class Ems {
 public:
  explicit Ems(const Fonts& fonts)
      : fonts_(fonts), line_(fonts.description.find("Inter") != std::string::npos ? 1.21f : kMonoLine) {}
  float operator()(const Recording::Words& w) const { return w.size / (is_mono(w, fonts_) ? kMonoLine : line_); }

 private:
  static constexpr float kMonoLine = 1.164f;
  const Fonts& fonts_;
  float line_;
};

class Writer {
 public:
  Writer(const SvgPage& page, const Fonts& fonts) : page_(page), fonts_(fonts), em_of_(fonts) {}

  std::string text(std::span<const Recording::Mark* const> marks) {
    for (std::size_t k = 0; k < marks.size(); ++k) {
      const Recording::Mark* mark = marks[k];
      under_next_ = k + 1 < marks.size() && goes_on(mark->what, marks[k + 1]->what);
      const std::optional<Box> box = seen(*mark);
      if (!box) continue;
      const Box whole = extent(mark->what);
      const bool cut = whole.pos.x < box->pos.x - kSlack || whole.pos.y < box->pos.y - kSlack ||
                       whole.right() > box->right() + kSlack || whole.bottom() > box->bottom() + kSlack;
      if (cut) body_ += "<g clip-path=\"url(#" + clip(mark->clip) + ")\">";
      std::visit(*this, mark->what);
      if (cut) body_ += "</g>\n";
    }
    const std::string w = short_of(page_.part.size.x), h = short_of(page_.part.size.y);
    const double high = page_.millimetres * static_cast<double>(page_.part.size.y / page_.part.size.x);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "
           "width=\"" +
           short_of(page_.millimetres) + "mm\" height=\"" + short_of(high) + "mm\" viewBox=\"0 0 " + w + " " + h +
           "\">\n<title>" + escaped(page_.title) + "</title>\n<desc>" + escaped(page_.description) + "</desc>\n" +
           (defs_.empty() ? "" : "<defs>\n" + defs_ + "</defs>\n") + "<rect" + place({0, 0}, page_.part.size) +
           fill(page_.ground) + "/>\n" + body_ + "</svg>\n";
  }

  void operator()(const Recording::Fill& f) {
    const bool even = f.above == f.below;
    ImVec2 room = size(f.min, f.max);
    if (under_next_) room.x += 0.5f;  // no hair line between the two
    body_ += "<rect" + place(at(f.min), room) +
             (even ? fill(f.above) : " fill=\"url(#" + fade(f.above, f.below) + ")\"") +
             (f.rounding > 0 ? number("rx", f.rounding) : "") + "/>\n";
  }
  void operator()(const Recording::Outline& o) {
    // The screen draws it on the pixels of its edges; a pen, half a pixel within.
    const ImVec2 a = at(o.min);
    body_ += "<rect" + place({a.x + 0.5f, a.y + 0.5f}, {o.max.x - o.min.x - 1, o.max.y - o.min.y - 1}) +
             " fill=\"none\"" + stroke(o.color, o.thick) + (o.rounding > 0 ? number("rx", o.rounding) : "") + "/>\n";
  }
  void operator()(const Recording::Path& p) {
    body_ += "<path d=\"" + steps(p.points, p.curved) + (p.closed ? "Z\"" : "\"") + " fill=\"none\"" +
             stroke(p.color, p.thick) + "/>\n";
  }
  void operator()(const Recording::Polygon& p) {
    body_ += "<path d=\"" + steps(p.corners, false) + "Z\"" + fill(p.color) + "/>\n";
  }
  void operator()(const Recording::Disc& d) {
    const ImVec2 c = at(d.center);
    body_ += "<circle" + number("cx", c.x) + number("cy", c.y) + number("r", d.radius) +
             (d.thick > 0 ? " fill=\"none\"" + stroke(d.color, d.thick) : fill(d.color)) + "/>\n";
  }

  void operator()(const Recording::Words& w) {
    const float scale = w.size / w.font->FontSize, ascent = w.font->Ascent * scale;
    const ImVec2 corner = at(w.corner);
    std::string turn;
    ImVec2 first{corner.x, corner.y + ascent};
    if (w.degrees != 0) {
      turn = " transform=\"translate(" + short_of(corner.x) + " " + short_of(corner.y) + ") rotate(" +
             short_of(-w.degrees) + ")\"";
      first = {0, ascent - w.size};
    }
    std::string_view rest = w.shown;
    for (int k = 0; k < w.lines; ++k) {
      const std::string line(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.find_first_not_of(' ') == std::string::npos) continue;
      body_ += "<text" + number("x", first.x) + number("y", first.y + static_cast<float>(k) * w.size) + face(w) +
               fill(w.ink) + number("textLength", scale * text_width(w.font, line)) +
               " lengthAdjust=\"spacingAndGlyphs\"" + turn + ">" +
               (w.meant == w.shown || w.lines > 1 ? "" : "<title>" + escaped(w.meant) + "</title>") + escaped(line) +
               "</text>\n";
    }
  }

  void operator()(const Heatmap& h) {
    const ImVec2 corner = at(h.min);
    const ImVec2 cell{(h.max.x - h.min.x) / static_cast<float>(h.cols),
                      (h.max.y - h.min.y) / static_cast<float>(h.rows)};
    const auto x = [&](Index col) { return corner.x + static_cast<float>(col) * cell.x; };
    const auto y = [&](Index row) { return corner.y + static_cast<float>(row) * cell.y; };
    if (h.mark != 0) return frames(h, cell, x, y);
    body_ += "<g shape-rendering=\"crispEdges\" data-rows=\"" + std::to_string(h.rows) + "\" data-cols=\"" +
             std::to_string(h.cols) + "\" data-low=\"" + exact(h.scale.low) + "\" data-high=\"" + exact(h.scale.high) +
             "\"" + (h.alpha < 1 ? number("opacity", h.alpha) : "") + " data-values=\"" + values(h) + "\">\n";
    if (h.rows * h.cols > kMostSvgCells)
      image(h, corner);
    else
      for (Index row = 0; row < h.rows; ++row)
        for (Index col = 0; col < h.cols;) {
          const float value = h.value(row, col);
          const Paint paint = paint_of(h, value);
          Index end = col + 1;
          while (end < h.cols && paint_of(h, h.value(row, end)) == paint) ++end;
          // Below those to the right and beneath, so that no line of the ground shows between them.
          const ImVec2 low{x(col), y(row)}, wide{x(end) - x(col) + (end < h.cols ? kUnder : 0),
                                                 y(row + 1) - y(row) + (row + 1 < h.rows ? kUnder : 0)};
          if (paint.color != 0) body_ += "<rect" + place(low, wide) + fill(paint.color) + "/>\n";
          if (paint.over) body_ += "<rect" + place(low, wide) + " fill=\"url(#" + over(*paint.over) + ")\"/>\n";
          col = end;
        }
    body_ += "</g>\n";
    for (Index row = 0; row < h.rows; ++row)
      for (Index col = 0; col < h.cols; ++col) shape(h.value(row, col), {x(col), y(row)}, cell, h.alpha);
  }

 private:
  static constexpr float kSlack = 0.05f;   // pixels
  static constexpr float kUnder = 0.05f;   // more than coordinates are rounded by
  static constexpr float kLeastShape = 7;  // as in heatmap_full.frag
  static constexpr ImU32 kWarning = IM_COL32(217, 51, 140, 255);
  enum class Over { masked, beyond_on_light, beyond_on_dark };
  struct Paint {
    ImU32 color = 0;
    std::optional<Over> over = {};
    bool operator==(const Paint&) const = default;
  };

  ImVec2 at(ImVec2 p) const { return {p.x - page_.part.pos.x, p.y - page_.part.pos.y}; }
  static ImVec2 size(ImVec2 min, ImVec2 max) { return {std::max(0.0f, max.x - min.x), std::max(0.0f, max.y - min.y)}; }
  static std::string number(std::string_view name, float value) {
    return " " + std::string(name) + "=\"" + short_of(static_cast<double>(value)) + "\"";
  }
  static std::string place(ImVec2 corner, ImVec2 size) {
    return number("x", corner.x) + number("y", corner.y) + number("width", std::max(0.0f, size.x)) +
           number("height", std::max(0.0f, size.y));
  }
  // The first is followed to the right by the second, both opaque.
  static bool goes_on(const Recording::What& what, const Recording::What& next) {
    const auto *a = std::get_if<Recording::Fill>(&what), *b = std::get_if<Recording::Fill>(&next);
    return a && b && a->max.x == b->min.x && a->min.y == b->min.y && a->max.y == b->max.y && alpha_of(b->above) == 1;
  }
  std::string fill(ImU32 color) const {
    if (color == page_.ground) color = IM_COL32_WHITE;
    return " fill=\"" + hex(color) + "\"" + (alpha_of(color) < 1 ? number("fill-opacity", alpha_of(color)) : "");
  }
  static std::string stroke(ImU32 color, float thick) {
    return " stroke=\"" + hex(color) + "\"" + (thick != 1 ? number("stroke-width", thick) : "") +
           (alpha_of(color) < 1 ? number("stroke-opacity", alpha_of(color)) : "");
  }

  std::string steps(const std::vector<ImVec2>& points, bool curved) const {
    std::string text;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const ImVec2 p = at(points[k]);
      text += k == 0 ? "M" : curved && k == 1 ? "C" : curved ? " " : "L";
      text += short_of(p.x) + " " + short_of(p.y);
    }
    return text;
  }

  static bool keeps_spaces(const std::string& text) {
    return text.find("  ") != std::string::npos || text.starts_with(' ') || text.ends_with(' ') ||
           text.find(" \n") != std::string::npos || text.find("\n ") != std::string::npos;
  }
  std::string face(const Recording::Words& w) const {
    return std::string(" font-family=\"") +
           (is_mono(w, fonts_) ? "DejaVu Sans Mono, monospace" : "Inter, DejaVu Sans, sans-serif") + "\"" +
           number("font-size", em_of_(w)) + (w.font == fonts_.strong ? " font-weight=\"600\"" : "") +
           (keeps_spaces(w.shown) ? " xml:space=\"preserve\"" : "");
  }

  // A definition, made when it is first used.
  template <class Make>
  std::string defined(const std::string& key, const char* prefix, const Make& make) {
    const auto [found, fresh] = names_.try_emplace(key, prefix + std::to_string(names_.size() + 1));
    if (fresh) defs_ += make(found->second);
    return found->second;
  }
  std::string clip(const Box& box) {
    const std::string where = place(at(box.pos), box.size);
    return defined(where, "clip", [&](const std::string& id) {
      return "<clipPath id=\"" + id + "\"><rect" + where + "/></clipPath>\n";
    });
  }
  std::string fade(ImU32 above, ImU32 below) {
    const auto stop = [](int offset, ImU32 color) {
      return "<stop offset=\"" + std::to_string(offset) + "\" stop-color=\"" + hex(color) + "\"" +
             number("stop-opacity", alpha_of(color)) + "/>";
    };
    const std::string stops = stop(0, above) + stop(1, below);
    return defined(stops, "fade", [&](const std::string& id) {
      return "<linearGradient id=\"" + id + "\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">" + stops + "</linearGradient>\n";
    });
  }
  std::string over(Over which) {
    const bool masked = which == Over::masked;
    const char* ink = which == Over::beyond_on_dark ? "#ffffff" : "#000000";
    const std::string drawn =
        masked ? "<rect width=\"6\" height=\"6\" fill=\"#000000\" fill-opacity=\"0.03\"/><path d=\"M0 6L6 0\" "
                 "stroke=\"#000000\" stroke-opacity=\"0.22\"/>"
               : std::string("<path d=\"M0 0L4 4\" stroke=\"") + ink + "\" stroke-opacity=\"0.55\"/>";
    const std::string side = masked ? "6" : "4";
    return defined(drawn, masked ? "masked" : "beyond", [&](const std::string& id) {
      return "<pattern id=\"" + id + "\" patternUnits=\"userSpaceOnUse\" width=\"" + side + "\" height=\"" + side +
             "\">" + drawn + "</pattern>\n";
    });
  }

  static Paint paint_of(const Heatmap& h, float value) {
    if (std::isinf(value) && value < 0) return {0, Over::masked};
    if (!std::isfinite(value)) return {with_alpha(kWarning, 64)};
    const Rgb rgb = h.scale.color(value);
    Paint paint{to_u32(rgb)};
    if (h.scale.is_beyond(value))
      paint.over = ink_on(rgb) == IM_COL32_WHITE ? Over::beyond_on_dark : Over::beyond_on_light;
    return paint;
  }

  // A cross for what is no number, a disc for what is infinite.
  void shape(float value, ImVec2 low, ImVec2 cell, float alpha) {
    if (std::isfinite(value) || (std::isinf(value) && value < 0)) return;
    const float least = std::min(cell.x, cell.y), radius = 0.3f * least;
    const ImU32 color = with_alpha(kWarning, static_cast<unsigned>(255 * alpha));
    const ImVec2 c{low.x + 0.5f * cell.x, low.y + 0.5f * cell.y};
    if (least < kLeastShape) {
      body_ += "<rect" + place(low, cell) + fill(color) + "/>\n";
    } else if (std::isinf(value)) {
      body_ += "<circle" + number("cx", c.x) + number("cy", c.y) + number("r", radius) + fill(color) + "/>\n";
    } else {
      const auto go = [&](const char* step, float dx, float dy) {
        return step + short_of(c.x + dx * radius) + " " + short_of(c.y + dy * radius);
      };
      body_ += "<path d=\"" + go("M", -1, -1) + go("L", 1, 1) + go("M", 1, -1) + go("L", -1, 1) + "\"" +
               stroke(color, std::max(1.0f, 0.1f * least)) + "/>\n";
    }
  }

  template <class X, class Y>
  void frames(const Heatmap& h, ImVec2 cell, const X& x, const Y& y) {
    const float least = std::min(cell.x, cell.y), thickest = std::clamp(0.1f * least, 1.5f, 4.0f);
    for (Index row = 0; row < h.rows; ++row)
      for (Index col = 0; col < h.cols; ++col) {
        const float t = std::clamp(h.scale.t(h.value(row, col)), 0.0f, 1.0f), thick = thickest * t;
        if (!(t > 0)) continue;
        if (least < kLeastShape) {
          body_ += "<rect" + place({x(col), y(row)}, cell) + fill(with_alpha(h.mark, static_cast<unsigned>(217 * t))) +
                   "/>\n";
        } else {
          body_ += "<rect" + place({x(col) + 0.5f * thick, y(row) + 0.5f * thick}, {cell.x - thick, cell.y - thick}) +
                   " fill=\"none\"" + stroke(h.mark, thick) + "/>\n";
        }
      }
  }

  static std::string values(const Heatmap& h) {
    std::string text;
    for (Index row = 0; row < h.rows; ++row)
      for (Index col = 0; col < h.cols; ++col) {
        if (row + col > 0) text += col > 0 ? ' ' : ',';
        text += exact(h.value(row, col));
      }
    return text;
  }

  // A masked cell is grey, as its hatch is from afar.
  void image(const Heatmap& h, ImVec2 corner) {
    Image pixels{static_cast<int>(h.cols), static_cast<int>(h.rows), {}};
    for (Index row = 0; row < h.rows; ++row)
      for (Index col = 0; col < h.cols; ++col) {
        const float value = h.value(row, col);
        const Rgb rgb = std::isfinite(value)             ? h.scale.color(value)
                        : std::isinf(value) && value < 0 ? Rgb{235, 235, 235}
                                                         : Rgb{217, 51, 140};
        pixels.rgb.insert(pixels.rgb.end(), {rgb.r, rgb.g, rgb.b});
      }
    body_ += "<image" + place(corner, size(h.min, h.max)) +
             " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64," +
             base64(png_bytes(pixels)) + "\"/>\n";
  }

  const SvgPage& page_;
  const Fonts& fonts_;
  const Ems em_of_;
  bool under_next_ = false;
  std::string defs_, body_;
  std::map<std::string, std::string> names_;  // of definitions
};

}  // namespace

Box extent(std::span<const Recording::Mark* const> marks) {
  std::optional<Box> all;
  for (const Recording::Mark* mark : marks)
    if (const std::optional<Box> box = seen(*mark)) {
      if (!all) all = box;
      const ImVec2 low{std::min(all->pos.x, box->pos.x), std::min(all->pos.y, box->pos.y)},
          high{std::max(all->right(), box->right()), std::max(all->bottom(), box->bottom())};
      all = Box{low, {high.x - low.x, high.y - low.y}};
    }
  return all.value_or(Box{});
}

float least_letters(std::span<const Recording::Mark* const> marks, const SvgPage& page, const Fonts& fonts) {
  float least = 0;
  const Ems em_of(fonts);
  for (const Recording::Mark* mark : marks)
    if (const auto* words = std::get_if<Recording::Words>(&mark->what); words && seen(*mark)) {
      const float em = em_of(*words);
      least = least > 0 ? std::min(least, em) : em;
    }
  return least / page.part.size.x * static_cast<float>(page.millimetres / 25.4 * 72);
}

std::string svg_text(std::span<const Recording::Mark* const> marks, const SvgPage& page, const Fonts& fonts) {
  return Writer(page, fonts).text(marks);
}

}  // namespace hydra
