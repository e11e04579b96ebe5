// Likeness: heads moved towards their mean, and heads driven apart.
#include <chrono>

#include "app/views/likeness/likeness_parts.h"
#include "app/views/ui.h"
#include "core/failure.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

constexpr int kRepelSteps = 20;
constexpr float kBetweenSteps = 0.1f;  // seconds, so that each can be seen
constexpr std::uint64_t kRepelSeed = 1;
constexpr std::chrono::milliseconds kPatience{8};  // for a step that is quick
constexpr double kSeconds = 6;                     // of the notice

bool equal(const Array<float>& a, const Array<float>& b) {
  return a == b || (a && b && a->cols() == b->cols() && *a == *b);
}
bool equal(const AttentionWeights<float>& a, const AttentionWeights<float>& b) {
  return same_bits(a.W_Q, b.W_Q) && same_bits(a.W_K, b.W_K) && same_bits(a.W_V, b.W_V) && same_bits(a.W_O, b.W_O) &&
         equal(a.b_Q, b.b_Q) && equal(a.b_K, b.b_K) && equal(a.b_V, b.b_V) && equal(a.b_O, b.b_O);
}

// The layout that follows edits within a frame takes no time; nothing must happen twice.
bool is_second_layout() { return ImGui::GetIO().DeltaTime < 1e-5f; }

// --- collapse

void collapse_to(Frame& frame, float amount) {
  Collapse& collapse = *frame.view.likeness.collapse;
  const Index heads = static_cast<Index>(layer_of(frame).heads.size());
  collapse.amount = amount;
  collapse.to = towards_mean(collapse.from, heads, amount);
  frame.out.preview(SetWeights{collapse.to, "collapse", ui::fixed(amount, 2)});
}

void collapse_slider(Frame& frame, float width) {
  std::optional<Collapse>& collapse = frame.view.likeness.collapse;
  // An edit of other weights, an undo: the slider starts from those.
  if (collapse && !equal(collapse->to, document_layer(frame).weights)) collapse.reset();
  if (collapse) collapse->to = document_layer(frame).weights;  // the same values, and from now on the same matrices
  float amount = collapse ? collapse->amount : 0;
  ImGui::SetNextItemWidth(width - 3.2f * ImGui::GetFontSize());
  const bool moved = ImGui::SliderFloat("##collapse", &amount, 0, 1, "", ImGuiSliderFlags_AlwaysClamp);
  const bool released = ImGui::IsItemDeactivated();
  ui::probe("likeness/collapse");
  ui::tip(
      "Moves the weights of every head towards the mean of all heads: at 0 they are as they were, at 1 all are the "
      "same.");
  if (moved) {
    if (!collapse) collapse = Collapse{document_layer(frame).weights, {}, 0};
    collapse_to(frame, amount);
  }
  if (released) frame.out.commit();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui::fixed(amount, 2).c_str());
}

// --- repel

std::string repel_text(const Frame& frame, const Repelling& repelling) {
  const std::string arrow = frame.fonts.unicode ? " → " : " to ";
  return "mean cosine " + ui::fixed(repelling.before, 3) + arrow + ui::fixed(repelling.after, 3) + " in " +
         ui::counted(repelling.steps, "step");
}

void end_repelling(Frame& frame) {
  Repelling& repelling = *frame.view.likeness.repelling;
  repelling.over = true;
  frame.out.commit();
  ViewState& view = frame.view;
  view.notice = repelling.steps > 0 ? "repel: " + repel_text(frame, repelling)
                                    : "repel: no step lowers the mean cosine of the patterns";
  view.notice_is_error = false;
  view.notice_until = ImGui::GetTime() + kSeconds;
}

void start_step(Frame& frame) {
  Repelling& repelling = *frame.view.likeness.repelling;
  const LayerInput<float>& input = layer_of(frame).input;
  repelling.step = std::async(std::launch::async, [input] { return repel(input, 1, kRepelSeed); }).share();
}

// What the step under way has found, once it is done; a step that fails ends the descent.
std::optional<Repelled> finished_step(Frame& frame) {
  Repelling& repelling = *frame.view.likeness.repelling;
  try {
    if (!repelling.step.valid()) start_step(frame);
    if (repelling.step.wait_for(kPatience) != std::future_status::ready) return std::nullopt;
    const auto step = std::exchange(repelling.step, {});
    return step.get();
  } catch (const std::exception&) {
    const std::string reason = reason_of(std::current_exception());
    end_repelling(frame);
    frame.view.notice = "repel: a step could not be computed: " + reason + ".";
    frame.view.notice_is_error = true;
    return std::nullopt;
  }
}

// A step that nobody waits for any more is kept until it is done: to drop it would be to wait for it.
void let_step_end(Frame& frame) {
  std::shared_future<Repelled>& step = frame.view.likeness.repelling->step;
  if (!step.valid()) return;
  frame.view.animating = true;
  if (step.wait_for(std::chrono::seconds(0)) == std::future_status::ready) step = {};
}

// One step of the descent a frame, each beside the frame loop, so that it can be watched; one gesture in all.
void go_on_repelling(Frame& frame) {
  std::optional<Repelling>& repelling = frame.view.likeness.repelling;
  if (!repelling) return;
  if (repelling->over) return let_step_end(frame);
  if (!equal(repelling->made, document_layer(frame).weights)) {
    repelling->over = true;  // something else was edited meanwhile
    return;
  }
  frame.view.animating = true;
  if (is_second_layout()) return;
  repelling->rested += ImGui::GetIO().DeltaTime;
  const bool rests = repelling->steps > 0 && repelling->rested < kBetweenSteps;
  if (frame.status.computing || rests) return;  // the trace is on its way, or the eye
  const std::optional<Repelled> result = finished_step(frame);
  if (!result) return;
  if (repelling->steps == 0) repelling->before = result->before;
  if (result->steps == 0) return end_repelling(frame);
  repelling->after = result->after;
  repelling->made = result->weights;
  ++repelling->steps;
  repelling->rested = 0;
  frame.out.preview(SetWeights{result->weights, "repel", ""});
  if (repelling->steps >= kRepelSteps) end_repelling(frame);
}

void repel_button(Frame& frame) {
  std::optional<Repelling>& repelling = frame.view.likeness.repelling;
  const bool under_way = repelling && !repelling->over;
  const bool several = layer_of(frame).heads.size() > 1;
  if (ui::button(frame, "likeness/repel", "Repel",
                 "Steps of gradient descent on W_Q and W_K that lower the mean pairwise cosine of the patterns.",
                 several && !under_way && !(repelling && repelling->step.valid()))) {
    repelling = Repelling{};
    repelling->made = document_layer(frame).weights;
  }
  if (!repelling) return;
  const bool present = !repelling->made.W_Q || equal(repelling->made, document_layer(frame).weights);
  if (!under_way && (!present || repelling->steps == 0)) return;  // of other weights
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.ink_soft);
  ImGui::PushFont(frame.fonts.small);
  ImGui::TextUnformatted(repelling->steps > 0 ? repel_text(frame, *repelling).c_str() : "being computed");
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ui::probe("likeness/repelled");
}

// --- pairs worth a look

void pair_chip(Frame& frame, const char* name, const char* what, const std::optional<std::pair<int, int>>& pair,
               const char* tip) {
  if (!pair) return;
  const std::string label = what + std::to_string(pair->first + 1) + " and " + std::to_string(pair->second + 1);
  const bool on = frame.view.likeness.compared == pair;
  if (!ui::chip(frame, name, label, on, tip)) return;
  frame.view.likeness.compared = on ? std::nullopt : pair;
}

void pair_chips(Frame& frame, float width) {
  const LikenessMotion& motion = frame.view.likeness.motion;
  if (!motion.most_alike()) return;
  pair_chip(frame, "likeness/most_alike", "Most alike: ", motion.most_alike(),
            "The two heads that this measure finds most alike, side by side with their difference.");
  const float gap = 1.5f * frame.unit;
  if (ImGui::GetItemRectSize().x + gap + ui::chip_width("Least alike: 00 and 00") <= width) ImGui::SameLine(0, gap);
  pair_chip(frame, "likeness/least_alike", "Least alike: ", motion.least_alike(),
            "The two heads that this measure finds least alike, side by side with their difference.");
}

}  // namespace

float likeness_tools_height(const Frame& frame) {
  return frame.fonts.strong->FontSize + 4 * ImGui::GetFrameHeight() + 8 * frame.unit;
}

void draw_likeness_tools(Frame& frame, ImVec2 pos, ImVec2 size) {
  if (size.x < 8 * frame.fonts.text->FontSize) return;
  go_on_repelling(frame);
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  ImGui::BeginGroup();
  ImGui::PushFont(frame.fonts.strong);
  ImGui::TextUnformatted("Collapse towards the mean weights");
  ImGui::PopFont();
  collapse_slider(frame, size.x);
  repel_button(frame);
  pair_chips(frame, size.x);
  ImGui::EndGroup();
  ImGui::PopStyleVar();
}

}  // namespace hydra
