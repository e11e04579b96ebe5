// What pictures are drawn on: the screen (screen_canvas.h), a recording, a file. It is passed to whoever draws. Places
// are pixels of the layout, y downwards; colours are ImGui's.
#pragma once
#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

#include "app/draw/box.h"
#include "app/draw/heatmap.h"
#include "app/draw/probe.h"
#include "app/draw/text.h"

namespace hydra {

struct DrawnText {
  ImFont* font;
  float size;     // in pixels
  ImVec2 corner;  // the upper left one; of turned text the lower left one, about which it is turned
  ImU32 ink;
  const std::string& shown;  // as it is, in any script
  const std::string& meant;  // before it was cut
  float degrees = 0;         // counter-clockwise, 0 to 90
  float wrap = 0;            // not 0: in lines of at most that width, which may have line ends of their own, too
};

// A part of that name is of the window alone, and in no figure: what can be chosen, dragged or clicked.
inline constexpr std::string_view kWindowAlone = "window alone";

enum class Scrolls { no, down, sideways };

class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual void fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding = 0) = 0;
  virtual void frame(ImVec2 min, ImVec2 max, ImU32 color, float thick = 1, float rounding = 0) = 0;
  virtual void fade(ImVec2 min, ImVec2 max, ImU32 above, ImU32 below) = 0;  // from one colour to the other
  virtual void line(ImVec2 from, ImVec2 to, ImU32 color, float thick = 1) = 0;
  virtual void path(std::span<const ImVec2> points, ImU32 color, float thick, bool closed = false) = 0;
  // Cubic, of so many straight pieces where it is drawn in such; 0: as many as it takes.
  virtual void curve(ImVec2 from, ImVec2 by, ImVec2 and_by, ImVec2 to, ImU32 color, float thick, int pieces = 0) = 0;
  virtual void polygon(std::span<const ImVec2> corners, ImU32 color) = 0;  // convex
  virtual void disc(ImVec2 center, float radius, ImU32 color) = 0;
  virtual void ring(ImVec2 center, float radius, ImU32 color, float thick = 1) = 0;
  virtual void text(const DrawnText& text) = 0;
  virtual void cells(const Heatmap& heatmap) = 0;
  // Whether there was no memory for the cells of this matrix when they were last to be drawn.
  virtual bool lacks_memory(const Array<float>& matrix) const { return matrix == nullptr; }
  // Whether it takes all cells of a matrix, not only the strongest where they are small (Heatmap::strongest).
  virtual bool shows_all() const { return false; }
  // Whether parts are seen without what stands around them, as a figure is: keys of colours stand in each.
  virtual bool stands_alone() const { return false; }
  // Whether the layer, head and token in focus are marked: not in a figure that is not of them.
  virtual bool marks_focus() const { return true; }

  // A part with a name, which figures are made of; names are keys: "heads.pattern". On the screen nothing.
  virtual void open(std::string_view) {}
  virtual void close() {}

  virtual void push_clip(ImVec2 min, ImVec2 max) = 0;  // within those around it
  virtual void pop_clip() = 0;
  virtual Box visible() const = 0;  // what is drawn beyond is not seen

  // Whether the pointer is over what is seen of the box, and nothing of the window lies between.
  virtual bool over(const Box& box) const;
  bool over(ImVec2 min, ImVec2 max) const { return over(Box{min, {max.x - min.x, max.y - min.y}}); }

  // What takes the pointer and the keys within that box. Its name is a key, met once in a layout, by which tests drive
  // it; a tip and the words for who listens are given after it (ui::tip, ui::name_if_framed).
  struct Item {
    bool over = false;     // the pointer is, or the keys are
    bool clicked = false;  // or chosen by a key
  };
  virtual Item item(ui::Name name, const Box& box);
  Item item(std::string_view name, const Box& box) { return item(ui::Name{name}, box); }

  // A room whose content may be larger than it: it scrolls on the screen, and is as high as its content elsewhere.
  // False: nothing of it is seen. end_room in any case.
  virtual bool begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) = 0;
  virtual void end_room() = 0;

  // What is drawn from begin_layers to end_layers lies on what is drawn there between begin_below and end_below.
  virtual void begin_layers() = 0;
  virtual void end_layers() = 0;
  virtual void begin_below() = 0;  // nothing outside of layers
  virtual void end_below() = 0;

  // Around what has the keyboard: over all of the window, as far as it lies within that box.
  virtual void frame_over(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding, const Box& within) = 0;

  // --- made of the above

  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color);
  void quad(ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 d, ImU32 color);
  void dotted(ImVec2 from, ImVec2 to, ImU32 color, float thick);  // dots as far apart as they are thick

  // From its upper left corner, clipped to a width; that ends at its upper right corner; around its middle.
  void text_at(ImFont* font, ImVec2 pos, ImU32 color, const std::string& text, float width = kNoLimit);
  void text_up_to(ImFont* font, ImVec2 end, ImU32 color, const std::string& text);
  void text_centered(ImFont* font, ImVec2 center, ImU32 color, const std::string& text);
  // Like text_at, but capitals or a number behind an underscore are set small and low: W_QK, O_64.
  void math_at(ImFont* font, ImFont* small, ImVec2 pos, ImU32 color, const std::string& text);
  // In lines of at most that width, from their upper left corner.
  void text_within(ImFont* font, ImVec2 pos, ImU32 color, const std::string& text, float width);
  // In another size than the font's; and turned counter-clockwise by degrees about its lower left corner, which lies at
  // pos.
  void text_sized(ImFont* font, float size, ImVec2 pos, ImU32 color, const std::string& text);
  void text_turned(ImFont* font, float size, ImVec2 pos, float degrees, ImU32 color, const std::string& text);

  // What goes on for as long as one of these lives.
  template <void (Canvas::*END)()>
  class Until {
   public:
    explicit Until(Canvas& canvas) : canvas_(canvas) {}
    ~Until() { (canvas_.*END)(); }
    Until(const Until&) = delete;
    Until& operator=(const Until&) = delete;

   private:
    Canvas& canvas_;
  };
  // Nothing is drawn beyond the rectangle, nor beyond those around it.
  struct Clip : Until<&Canvas::pop_clip> {
    Clip(Canvas& canvas, ImVec2 min, ImVec2 max) : Until(canvas) { canvas.push_clip(min, max); }
  };
  // A part with a name.
  struct Part : Until<&Canvas::close> {
    Part(Canvas& canvas, std::string_view name) : Until(canvas) { canvas.open(name); }
  };
  // What is drawn lies on what is drawn within Below, so that pictures of many matrices share draw calls.
  struct Layers : Until<&Canvas::end_layers> {
    explicit Layers(Canvas& canvas) : Until(canvas) { canvas.begin_layers(); }
  };
  struct Below : Until<&Canvas::end_below> {  // nothing without Layers
    explicit Below(Canvas& canvas) : Until(canvas) { canvas.begin_below(); }
  };
};

// Texts one behind the other, up to an end.
struct TextLine {
  Canvas& canvas;
  ImVec2 pos;  // of the next
  float end = kNoLimit;
  void put(ImFont* font, ImU32 color, const std::string& text, float gap = 0);
};

}  // namespace hydra
