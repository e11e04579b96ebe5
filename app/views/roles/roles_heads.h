// The heads that are the rows of the table, of the layer in focus or of all: their order, and what stands left of the
// numbers: the layer where there are several, the head's colour and number, what it is called.
#pragma once
#include "app/views/frame/look.h"
#include "app/views/roles/roles_parts.h"
#include "app/views/roles/roles_rows.h"

namespace hydra {

class RoleHeads : Drawing {
 public:
  explicit RoleHeads(Frame& frame);

  bool all() const { return all_; }  // of all layers
  const std::vector<HeadPlace>& rows() const { return all_ ? frame_.made.of<RoleRows>().places : own_rows_; }
  HeadPlace focused() const { return {view_.layer, view_.focused_head}; }
  void focus(const HeadPlace& place) const;
  // Where nothing sorts the rows, layers are told apart.
  bool starts_layer(const HeadPlace& place) const;
  std::string name_of(const HeadPlace& place) const;  // "Head 3", "Layer 2, head 3"

  float label_start() const;  // from the left
  float least() const { return label_start() + widest(&HeadLabel::brief) + 2 * u_; }
  float longest() const;
  // Where the numbers begin, and from there on what it is called.
  void draw_number(const HeadPlace& place, ImVec2 low, ImVec2 high) const;
  void draw_role(const HeadPlace& place, ImVec2 low, ImVec2 high) const;

 private:
  void sort_own();
  void renew_widths();
  float head_start() const;
  float widest(std::string HeadLabel::*words) const;
  std::string HeadLabel::*words_for(float room) const;
  float line_top(ImVec2 low, ImVec2 high) const;

  bool all_;
  std::vector<HeadPlace> own_rows_;  // of the layer in focus
};

}  // namespace hydra
