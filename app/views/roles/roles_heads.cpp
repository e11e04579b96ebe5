#include "app/views/roles/roles_heads.h"

#include "app/views/frame/ui.h"

namespace hydra {

RoleHeads::RoleHeads(Frame& frame) : Drawing(frame), all_(shows_all_roles(frame)) {
  if (all_)
    renew_widths();
  else
    sort_own();
}

void RoleHeads::sort_own() {
  const RoleTable& table = *roles_of(frame_).table;
  for (int head = 0; head < int_size(table.heads); ++head) own_rows_.push_back({view_.layer, head});
  if (view_.roles.sorted && !hides(frame_, nth(role_columns(), *view_.roles.sorted)))
    highest_first(
        nth(role_columns(), *view_.roles.sorted),
        own_rows_, [&](const HeadPlace& place) -> const auto& { return nth(table.heads, place.head); });
}

// Of all labels, whatever the filter: columns stay where they are.
void RoleHeads::renew_widths() {
  RoleRows& kept = frame_.made.of<RoleRows>();
  if (kept.text_size == em_) return;
  kept.text_size = em_;
  kept.brief = kept.wider = kept.full = 0;
  const auto add = [&](float& width, const std::string& words) {
    width = std::max(width, text_width(fonts_.text, say(words)));
  };
  for (const StackRoles::OfLayer& layer : stack_roles_of(frame_).layers)
    for (const HeadLabel& label : layer.labels) {
      add(kept.brief, label.brief);
      add(kept.wider, label.wider);
      add(kept.full, label.full);
    }
}

void RoleHeads::focus(const HeadPlace& place) const {
  if (place.layer == view_.layer)
    focus_head(frame_, place.head);
  else
    frame_.out.act(act::GoTo{place.layer, place.head});
}

bool RoleHeads::starts_layer(const HeadPlace& place) const {
  return all_ && place.head == 0 && !view_.roles.sorted && !view_.roles.by_role;
}

std::string RoleHeads::name_of(const HeadPlace& place) const {
  if (!all_) return head_name(place.head);
  return wording("roles:head_of_layer", {{"layer", place.layer + 1}, {"head", place.head + 1}});
}

float RoleHeads::head_start() const { return all_ ? text_width(fonts_.text, "00") + 4 * u_ : 0; }

float RoleHeads::label_start() const {
  return head_start() + 1.0f * em_ + text_width(fonts_.text, all_ ? "128" : "96") + 2.5f * u_;
}

float RoleHeads::widest(std::string HeadLabel::*words) const {
  if (all_) {
    const RoleRows& kept = frame_.made.of<RoleRows>();
    return words == &HeadLabel::full ? kept.full : words == &HeadLabel::wider ? kept.wider : kept.brief;
  }
  float width = 0;
  for (const HeadLabel& label : roles_of(frame_).labels)
    width = std::max(width, text_width(fonts_.text, say(label.*words)));
  return width;
}

float RoleHeads::longest() const {
  return label_start() + std::max(widest(&HeadLabel::full), widest(&HeadLabel::wider)) + 3 * u_;
}

// As many words as there is room for behind every head.
std::string HeadLabel::*RoleHeads::words_for(float room) const {
  for (std::string HeadLabel::*words : {&HeadLabel::full, &HeadLabel::wider})
    if (widest(words) <= room) return words;
  return &HeadLabel::brief;
}

float RoleHeads::line_top(ImVec2 low, ImVec2 high) const { return low.y + 0.5f * (high.y - low.y - em_); }

void RoleHeads::draw_number(const HeadPlace& place, ImVec2 low, ImVec2 high) const {
  const float side = std::round(0.7f * em_), y = line_top(low, high), x = low.x + head_start();
  if (all_) canvas_.text_up_to(fonts_.text, {x - 2 * u_, y}, theme_.ink_soft, std::to_string(place.layer + 1));
  canvas_.fill({x + u_, y + 0.15f * em_}, {x + u_ + side, y + 0.15f * em_ + side}, head_color(frame_, place.head));
  canvas_.text_at(fonts_.text, {x + em_ + u_, y}, theme_.ink_soft, std::to_string(place.head + 1));
}

void RoleHeads::draw_role(const HeadPlace& place, ImVec2 low, ImVec2 high) const {
  const HeadLabel* label = shown_label(frame_, place);
  if (!label) return;
  const bool mixed = label->role.kind == Role::Kind::mixed;
  canvas_.text_at(fonts_.text, {low.x, line_top(low, high)}, ink_for(frame_, *label, !mixed),
                  say(label->*words_for(high.x - low.x - u_)));
}

}  // namespace hydra
