// Flow: which head is followed, what it does and what its removal changes.
#include "app/views/flow/flow_parts.h"
#include "app/views/flow/header_lines.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/head_roles.h"

namespace hydra {

using namespace flow;

namespace {

std::string brief_bold(const FlowParts& p) {
  const auto h = static_cast<std::size_t>(p.head);
  const std::vector<Unasked>& unasked = roles_of(p.frame).table->unasked;
  return h < unasked.size() ? wording("flow:bold_unasked", {{"n", unasked[h].bold}}) : "";
}

// What the head does and what its removal changes, in as many words as there is room for.
void role_lines(const FlowParts& p, ImVec2 pos, float width) {
  const HeadLabel* label = label_of(p.frame, p.head);
  if (!label) return;
  ImFont* font = p.frame.fonts.small;
  const float step = font->FontSize + p.frame.unit, lowest = p.at.header.bottom();
  const int lines = static_cast<int>((lowest + p.frame.unit - pos.y) / step);
  std::vector<std::vector<std::string>> statements{{label->full, label->wider, label->brief}};
  if (!label->removal.empty()) statements.push_back({label->removal, label->removal_brief});
  if (!label->bold.empty() && !p.frame.view.presentation) statements.push_back({label->bold, brief_bold(p)});
  for (std::vector<std::string>& versions : statements)
    for (std::string& version : versions) version = spelled(p.frame, version);
  const auto measure = [&](const std::string& text) { return text_width(font, text); };
  for (const HeaderPiece& piece : header_lines(statements, width, lines, 4 * p.frame.unit, measure))
    p.frame.canvas.text_at(font, {pos.x + piece.x, pos.y + real(piece.line) * step},
                           ink_for(p.frame, *label, piece.statement == 0), piece.text);
  ui::probe("flow/role", pos, {pos.x + width, lowest});
}

// "designed  d_k = 8 of d_model 64"; gives its width.
float sizes(const FlowParts& p, ImVec2 pos, float right) {
  const Fonts& fonts = p.frame.fonts;
  float x = pos.x + gate_mark(p.frame, "flow/gate", p.layer, p.head, pos, fonts.small);
  if (const float mark = weights_mark(p.frame, "flow/weights", p.head, {x, pos.y}, right - x); mark > 0)
    x += mark + 2 * p.frame.unit;
  const std::string d_k = "d_k = " + std::to_string(p.trace.input.d_k());
  const LayerInput<float>& input = p.trace.input;
  const std::string full =
      input.concat_width() == input.d_model()
          ? wording("flow:sizes", {{"d_k", input.d_k()}, {"d_model", input.d_model()}})
          : wording("flow:sizes.concat",
                    {{"d_k", input.d_k()}, {"concat", input.concat_width()}, {"d_model", input.d_model()}});
  if (x + text_width(fonts.small, d_k) > right) return x - pos.x;
  const std::string text = fitting(fonts.small, right - x, {full, d_k});
  p.frame.canvas.text_at(fonts.small, {x, pos.y}, p.frame.theme.ink_soft, text);
  return x + text_width(fonts.small, text) - pos.x;
}

}  // namespace

void draw_flow_header(FlowParts& p) {
  const Theme& theme = p.frame.theme;
  const Fonts& fonts = p.frame.fonts;
  const float u = p.frame.unit, width = p.at.header.size.x, small = fonts.small->FontSize;
  ImVec2 pos = p.at.header.pos;
  const float swatch = 0.75f * fonts.large->FontSize;
  p.frame.canvas.fill({pos.x, pos.y + 0.18f * swatch}, {pos.x + swatch, pos.y + 1.18f * swatch},
                      head_color(p.frame, p.head), u);
  const float title = swatch + 1.5f * u;
  const std::string name =
      fitting(fonts.large, width - title,
              {wording("flow:head_of", {{"head", head_name(p.head)}, {"heads", p.trace.input.heads}}),
               head_name(p.head), ui::words(p.head + 1)});
  p.frame.canvas.text_at(fonts.large, {pos.x + title, pos.y}, theme.ink, name, width - title);
  // What follows stands behind the name where the header is wide, else under it.
  float x = pos.x + title + text_width(fonts.large, name) + 4 * u;
  const float behind = pos.y + 0.8f * (fonts.large->FontSize - small);
  const bool wide = !p.operands();
  if (wide) x += sizes(p, {x, behind}, pos.x + width) + 4 * u;
  pos.y += fonts.large->FontSize + 2 * u;
  if (!wide) {
    sizes(p, pos, pos.x + width);
    pos.y += small + 2 * u;
  }
  // Of so many words in a line of its own where they do not fit behind the name.
  const auto line = [&](float least, const auto& draw) {
    if (wide && x + least <= pos.x + width) {
      x += draw(ImVec2{x, behind}, width - (x - pos.x)) + 4 * u;
    } else {
      draw(pos, width);
      pos.y += small + 2 * u;
    }
  };
  const auto sharing = [&](float room) { return sharing_text(p.frame, p.layer, p.head, fonts.small, room); };
  if (const std::string briefest = sharing(0); !briefest.empty())
    line(text_width(fonts.small, briefest), [&](ImVec2 at, float room) {
      const std::string text = clipped(fonts.small, sharing(room), room);
      p.frame.canvas.text_at(fonts.small, at, theme.ink, text);
      ui::probe("flow/sharing", at, {at.x + text_width(fonts.small, text), at.y + small});
      return text_width(fonts.small, text);
    });
  if (painting_of(p.frame, p.layer, p.head))
    line(small + u + text_width(fonts.small, wording("flow:painted")), [&](ImVec2 at, float room) {
      painted_mark(p.frame, "flow/painted", p.layer, p.head, at, small);
      const std::string text =
          fitting(fonts.small, room - small - u, {wording("flow:painted.rows"), wording("flow:painted")});
      p.frame.canvas.text_at(fonts.small, {at.x + small + u, at.y}, theme.ink, text);
      return small + u + text_width(fonts.small, text);
    });
  role_lines(p, pos, width);
}

}  // namespace hydra
