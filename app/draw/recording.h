// What was drawn, as a list that can be read, compared and written as a file (svg.h). Nothing is cut away: rooms are as
// large as what is in them, and texts are kept as they were meant. It records within an ImGui frame that is thrown
// away, so that whoever draws needs to know nothing of it.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/draw/canvas.h"

namespace hydra {

class Recording final : public Canvas {
 public:
  struct Fill {
    ImVec2 min, max;
    ImU32 above, below;  // its colours, one or fading into the other
    float rounding = 0;
  };
  struct Outline {
    ImVec2 min, max;
    ImU32 color;
    float thick, rounding;
  };
  struct Path {
    std::vector<ImVec2> points;  // of a curve: four, two of which it does not pass through
    ImU32 color;
    float thick;
    bool closed = false, curved = false;
  };
  struct Polygon {
    std::vector<ImVec2> corners;
    ImU32 color;
  };
  struct Disc {
    ImVec2 center;
    float radius;
    ImU32 color;
    float thick = 0;  // not 0: a ring
  };
  struct Words {
    ImFont* font;
    float size;
    ImVec2 corner;
    ImU32 ink;
    std::string shown, meant;
    float degrees, width, height;  // where it is not turned
    int lines = 1;                 // line ends are in shown
  };
  using What = std::variant<Fill, Outline, Path, Polygon, Disc, Words, Heatmap>;
  struct Mark {
    What what;
    Box clip;        // it is cut to
    int group = -1;  // the innermost one
  };
  struct Group {
    std::string name;
    int around = -1;  // the group that this one is in
  };

  enum class Of { window, figure, figure_of_focus };
  explicit Recording(ImVec2 size, Of of = Of::window) : size_(size), of_(of) { clear(); }

  const std::vector<Mark>& marks() const { return marks_; }
  // What of all that was drawn is in the groups of that name, or within them.
  std::vector<const Mark*> of(std::string_view group) const;
  // How much height and width the rooms in the groups of that name lack for what is in them: with so much more nothing
  // had to be scrolled to.
  ImVec2 lacking(std::string_view group) const;
  ImVec2 size() const { return size_; }
  void clear();  // begins anew

  void fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding) override;
  void frame(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding) override;
  void fade(ImVec2 min, ImVec2 max, ImU32 above, ImU32 below) override;
  void line(ImVec2 from, ImVec2 to, ImU32 color, float thick) override;
  void path(std::span<const ImVec2> points, ImU32 color, float thick, bool closed) override;
  void curve(ImVec2 from, ImVec2 by, ImVec2 and_by, ImVec2 to, ImU32 color, float thick, int pieces) override;
  void polygon(std::span<const ImVec2> corners, ImU32 color) override;
  void disc(ImVec2 center, float radius, ImU32 color) override;
  void ring(ImVec2 center, float radius, ImU32 color, float thick) override;
  void text(const DrawnText& text) override;
  void cells(const Heatmap& heatmap) override;
  bool shows_all() const override { return true; }
  bool stands_alone() const override { return of_ != Of::window; }
  bool marks_focus() const override { return of_ != Of::figure; }
  void open(std::string_view name) override;
  void close() override;
  void push_clip(ImVec2 min, ImVec2 max) override;
  void pop_clip() override;
  Box visible() const override;
  bool begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) override;
  void end_room() override;
  void begin_layers() override;
  void end_layers() override;
  void begin_below() override;
  void end_below() override;
  void frame_over(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding, const Box& within) override;

 private:
  struct Room {
    ImVec2 pos, size;
  };
  static Box everything();
  bool is_in(int group, std::string_view name) const;
  void add(What what, ImU32 color);

  ImVec2 size_;
  Of of_;
  std::vector<Mark> marks_, below_;
  std::vector<Group> groups_;
  std::vector<Box> clips_;
  std::vector<Room> rooms_;
  std::vector<std::size_t> layers_;  // where in marks_ each began
  int group_ = -1;
  bool into_below_ = false;
  struct Lack {
    int group;
    ImVec2 size;
  };
  std::vector<Lack> lacks_;
};

// The rectangle that it covers, without its clip; and with it, none where nothing is left.
Box extent(const Recording::What& what);
std::optional<Box> seen(const Recording::Mark& mark);

}  // namespace hydra
