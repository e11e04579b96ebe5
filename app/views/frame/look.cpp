#include "app/views/frame/look.h"

#include "app/views/shared/head_roles.h"

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/nth.h"
#include "app/views/change/change_marks.h"
#include "app/views/frame/texts.h"
#include "app/views/shared/token_in_view.h"
#include "app/widgets/matrix/token_axis.h"
#include "core/document/model_file.h"
#include "core/text/wording.h"

namespace hydra {

const std::optional<Cell>& pointed_at(const Frame& frame) {
  return frame.was.cell ? frame.was.cell : frame.view.selection;
}

ImU32 head_color(const Frame& frame, Index head) { return head_color(static_cast<int>(head), frame.theme.dark); }

ImU32 branch_color(const Frame& frame, int branch) { return branch_color(branch, frame.theme.dark); }

std::string head_name(Index head) { return wording("panels:head", {{"head", head + 1}}); }

RolesText roles_text(const Frame& frame) {
  const RolesOver over = frame.view.view == ViewId::roles ? frame.view.roles.over : frame.view.roles.names;
  const MarkedSentences& folder = frame.sentences.folder;
  const bool has_it =
      over == RolesOver::folder || (over == RolesOver::sentence && find_annotated(*folder, frame.trace.tokens));
  return {over, has_it ? folder : nullptr};
}

namespace {
// Whether heads of then are those of now, a moment older: edited, trained, or reading another sentence. Those of
// another model lend these no names.
bool are_same_heads(const LayerInput<float>& then, const LayerInput<float>& now, bool same_words) {
  const AttentionWeights<float>&a = then.weights, &b = now.weights;
  if (a.W_Q == b.W_Q || a.W_K == b.W_K || a.W_V == b.W_V || a.W_O == b.W_O) return true;
  return same_words && then.heads == now.heads && then.d_model() == now.d_model() && then.d_k() == now.d_k();
}
template <class M>
bool is_of_these_heads(const Measured<M>& measured, const Trace& now, int layer) {
  if (!measured.older || !measured.of) return true;
  if constexpr (requires { measured.wanted.layer; })
    if (measured.wanted.layer != layer) return false;
  const Trace& then = *measured.of;
  const auto at = static_cast<std::size_t>(layer);
  return at < std::min(then.layers.size(), now.layers.size()) &&
         are_same_heads(then.layer(layer).input, now.layer(layer).input, then.tokens == now.tokens);
}
}  // namespace

const HeadRoles& roles_of(const Frame& frame) {
  const ViewState& view = frame.view;
  HeadRoles& roles = frame.made.of<HeadRoles>();
  const Measured<RolesMeasure>& measured = frame.now.measured<RolesMeasure>({view.layer, roles_text(frame)});
  const bool of_these = is_of_these_heads(measured, frame.trace, view.layer);
  renew(roles, of_these ? measured : Measured<RolesMeasure>{}, view.roles.threshold);
  return roles;
}

const StackRoles& stack_roles_of(const Frame& frame) {
  static const StackRoles none;
  if (!is_of_all_layers(frame.view.roles.all_layers, frame.trace)) return none;  // they take long
  StackRoles& roles = frame.made.of<StackRoles>();
  const Measured<StackRolesMeasure>& measured = frame.now.measured<StackRolesMeasure>({roles_text(frame)});
  if (!is_of_these_heads(measured, frame.trace, frame.view.layer)) return none;
  renew(roles, measured, frame.view.roles.threshold);
  return roles;
}

const HeadLabel* label_of(const Frame& frame, int head) {
  const std::vector<HeadLabel>& labels = roles_of(frame).labels;
  return !frame.view.guessing && head >= 0 && head < int_size(labels) ? &nth(labels, head) : nullptr;
}

std::string role_sentence(const Frame& frame, int head) {
  const HeadLabel* label = label_of(frame, head);
  std::string sentence;
  if (!label) return sentence;
  for (const std::string& line : role_lines(*label))
    if (!line.empty()) sentence += (sentence.empty() ? "" : "; ") + line;
  return sentence;
}

namespace {
// Empty where there is none yet.
std::string name_of_head(const Frame& frame, Index head) {
  const HeadLabel* label = label_of(frame, static_cast<int>(head));
  return label && label->role.kind != Role::Kind::mixed ? spelled(frame, label->name) : std::string();
}
}  // namespace

std::string called(const Frame& frame, Index head) {
  const std::string name = name_of_head(frame, head);
  return std::to_string(head + 1) + (name.empty() ? "" : " " + name);
}
std::string head_called(const Frame& frame, Index head) {
  const std::string name = name_of_head(frame, head);
  return name.empty() ? head_name(head) : wording("panels:head.named", {{"head", head_name(head)}, {"name", name}});
}

namespace {
struct WidestNames {
  struct In {
    const ImFont* font;
    float size;
    NameWidths widths;
  };
  std::shared_ptr<const RoleTable> table;
  double threshold = 0;
  bool guessing = false;
  int heads = 0;
  std::vector<In> fonts;
};
}  // namespace

NameWidths widest_names(const Frame& frame, ImFont* font) {
  const HeadRoles& roles = roles_of(frame);
  const int heads = static_cast<int>(layer_of(frame).input.heads);
  WidestNames& kept = frame.made.of<WidestNames>();
  if (kept.table != roles.table || kept.threshold != roles.threshold || kept.guessing != frame.view.guessing ||
      kept.heads != heads)
    kept = {roles.table, roles.threshold, frame.view.guessing, heads, {}};
  std::erase_if(kept.fonts, [&](const WidestNames::In& in) { return in.font == font && in.size != font->FontSize; });
  for (const WidestNames::In& in : kept.fonts)
    if (in.font == font) return in.widths;
  NameWidths widths;
  for (int h = 0; h < heads; ++h) {
    widths.called = std::max(widths.called, text_width(font, called(frame, h)));
    const HeadLabel* label = label_of(frame, h);
    if (!label || label->role.kind == Role::Kind::mixed) continue;
    widths.brief = std::max(widths.brief, text_width(font, spelled(frame, label->brief)));
    widths.name = std::max(widths.name, text_width(font, spelled(frame, label->name)));
  }
  kept.fonts.push_back({font, font->FontSize, widths});
  return widths;
}

ImU32 ink_for(const Frame& frame, bool strong) { return strong ? frame.theme.ink : frame.theme.ink_soft; }

ImU32 ink_for(const Frame& frame, const HeadLabel& label, bool strong) {
  return label.older ? frame.theme.ink_faint : ink_for(frame, strong);
}

int marked_layer(const Frame& frame) { return frame.canvas.marks_focus() ? frame.view.layer : -1; }
int marked_head(const Frame& frame) { return frame.canvas.marks_focus() ? frame.view.focused_head : -1; }
Index marked_token(const Frame& frame) {
  return frame.canvas.marks_focus() ? token_in_view(frame.view, frame.now) : -1;
}

ColorMap diverging(const Frame& frame) {
  return frame.theme.dark ? ColorMap::diverging_dark : ColorMap::diverging_light;
}

ColorMap sequential(const Frame& frame) {
  return frame.theme.dark ? ColorMap::sequential_dark : ColorMap::sequential_light;
}

void head_key(const Frame& frame, ImVec2 pos, float width) {
  ImFont* font = frame.fonts.small;
  const float side = std::round(0.7f * font->FontSize), gap = frame.unit;
  const Index heads = frame.trace.layer(frame.view.layer).input.heads;
  if (real(heads) * (side + gap) > width) return;
  for (const bool named : {true, false}) {
    std::vector<std::string> names;
    float wide = -2 * gap;
    for (Index head = 0; head < heads; ++head) {
      names.push_back(named ? called(frame, head) : std::to_string(head + 1));
      wide += side + 3 * gap + text_width(font, names.back());
    }
    if (wide > width) continue;
    for (Index head = 0; head < heads; ++head) {
      const float top = pos.y + std::round(0.5f * (font->FontSize - side));
      frame.canvas.fill({pos.x, top}, {pos.x + side, top + side}, head_color(frame, head));
      frame.canvas.text_at(font, {pos.x + side + gap, pos.y}, frame.theme.ink_soft, nth(names, head));
      pos.x += side + 3 * gap + text_width(font, nth(names, head));
    }
    return;
  }
}

ImU32 link_color(const Frame& frame, Region::Role role, bool selected) {
  if (role == Region::Role::input) return frame.theme.link_input;
  if (role == Region::Role::affected) return frame.theme.link_affected;
  return selected ? frame.theme.accent : frame.theme.hover;
}

Heatmap heatmap_of(const Backing& b, ImVec2 min, ImVec2 max, const ValueScale& scale) {
  return {min, max, b.matrix, b.row0, b.col0, b.rows, b.cols, scale, 1};
}

void frame_around(const Frame& frame, const Heatmap& heatmap) {
  frame.canvas.frame({heatmap.min.x - 1, heatmap.min.y - 1}, {heatmap.max.x + 1, heatmap.max.y + 1}, frame.theme.line);
}

void legend(const Frame& frame, const ValueScale& scale, ImVec2 pos, float width, const LegendOptions& options) {
  legend(frame.canvas, scale, pos, width, frame.fonts.small, frame.theme.ink_soft, options);
}

void site_legend(const Frame& frame, const Site& ref, ImVec2 pos, float width, LegendOptions options) {
  options.remark = range_before(frame, ref);
  options.remark_color = frame.theme.change;
  legend(frame, scale_for(frame, ref), pos, width, options);
}

const LabelMarks* token_marks(const Frame& frame) {
  const LabelMarks& marks = frame.derived.known().marks;
  return marks.any() ? &marks : nullptr;
}

namespace {
TokenAxis axis_of(const Frame& frame, const EdgeLabels& labels, int marked) {
  ImFont* font = labels.font ? labels.font : frame.fonts.small;
  const bool of_sentence = labels.words == &frame.trace.tokens;
  return {labels.words, font, frame.theme.ink_soft, frame.theme.ink, marked, of_sentence ? token_marks(frame) : nullptr,
          labels.least};
}

// Which token of the sentence a row's label is of, and its id in the model's file, while it is pointed at.
void tell_token(const Frame& frame, const EdgeLabels& at) {
  if (at.words != &frame.trace.tokens || !tokenizer_of(frame.document)) return;
  const float rows = at.step * real(at.words->size());
  if (!frame.canvas.over({at.corner.x - at.left, at.corner.y}, {at.corner.x, at.corner.y + rows})) return;
  const float row = (ImGui::GetIO().MousePos.y - at.corner.y) / at.step;
  ui::tooltip(frame, {token_told(frame, std::clamp<Index>(static_cast<Index>(row), 0, std::ssize(*at.words) - 1))});
}
}  // namespace

std::string token_told(const Frame& frame, Index token) {
  const std::string& word = nth(frame.trace.tokens, token);
  return spelled(frame, wording("panels:token.id", {{"token", word},
                                                    {"place", token + 1},
                                                    {"n", std::ssize(frame.trace.tokens)},
                                                    {"id", frame.trace.model.words.find(word)}}));
}

void row_labels(const Frame& frame, const EdgeLabels& at) {
  tell_token(frame, at);
  row_labels(frame.canvas, axis_of(frame, at, at.row), at.corner.x - frame.unit, at.left - frame.unit, at.corner.y,
             at.step);
}

void column_labels(const Frame& frame, const EdgeLabels& at) {
  column_labels(frame.canvas, axis_of(frame, at, at.col), at.corner.x, at.step, at.corner.y - 0.5f * frame.unit,
                at.above);
}

void edge_labels(const Frame& frame, const EdgeLabels& labels) {
  row_labels(frame, labels);
  column_labels(frame, labels);
}

LayoutInput layout_input(const Frame& frame, ImVec2 pos, ImVec2 size) {
  const float scrollbar = ImGui::GetStyle().ScrollbarSize;
  return {{pos, size}, frame.fonts.text->FontSize, frame.fonts.small->FontSize, frame.unit, scrollbar};
}

Look look_of(const Frame& frame) { return {&frame.theme, frame.fonts.small, frame.unit, frame.fonts.unicode}; }

}  // namespace hydra
