#include "app/views/design/design_controls.h"
#include "app/views/shared/head_roles.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

class Designer : DesignControls {
 public:
  explicit Designer(Frame& frame)
      : DesignControls(frame), head_(frame.view.focused_head), source_(document_layer(frame).source) {
    const auto& designs = source_.designs;
    const bool cut_as_designed = std::ssize(designs) == document_layer(frame).heads;
    seeded_ = designs.empty() || cut_as_designed;
    if (cut_as_designed && nth(designs, head_)) {
      design_ = *nth(designs, head_);
      designed_ = true;
    } else {
      design_.asks.push_back({});
    }
  }

  void draw() {
    title();
    if (!has_feature_layout(frame_.document.d_model)) {
      ui::soft_text(frame_, wording("design:no_features"));
      return;
    }
    if (document_layer(frame_).key_groups().shares()) return sharing_note();
    embedding_note();
    presets_group();
    asks_group();
    place_group();
    strength_group();
    writes_group();
    left_out();
    if (preview_) frame_.out.preview(DesignHead{head_, design_});
    if (commit_) frame_.out.commit();
    if (apply_) frame_.out.apply(DesignHead{head_, design_});
  }

 private:
  // --- parts

  void title() {
    const float swatch = 0.7f * fonts_.large->FontSize;
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    canvas_.fill({pos.x, pos.y + 0.25f * swatch}, {pos.x + swatch, pos.y + 1.25f * swatch}, head_color(frame_, head_),
                 u_);
    ImGui::SetCursorScreenPos({pos.x + swatch + 1.5f * u_, pos.y});
    ui::text(frame_, head_name(head_), {.font = fonts_.large});
    const std::string& state = designed_ ? wording("design:designed") : wording("design:not_designed");
    ImGui::SameLine(0, 2 * u_);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + fonts_.large->FontSize - em_);
    ui::text(frame_, state, {.ink = theme_.ink_soft});
    ui::probe("design/title");
    role_line();
    if (designed_) ui::soft_text(frame_, in_words());
  }

  // As many words of it as fit; the tip has them all.
  std::string fitting_role(const std::string& sentence, float width) const {
    const HeadLabel* label = label_of(frame_, head_);
    return label ? fitting(fonts_.small, width, {sentence, label->full, label->wider, label->brief})
                 : clipped(fonts_.small, sentence, width);
  }

  // One line, whether the role is known yet or not: nothing below it may move when it comes.
  void role_line() {
    const std::string role = role_sentence(frame_, head_);
    const float width = ImGui::GetContentRegionAvail().x;
    canvas_.text_at(fonts_.small, ImGui::GetCursorScreenPos(), theme_.ink, fitting_role(role, width));
    ImGui::Dummy({width, small_});
    if (!role.empty()) ui::tip(frame_, role);
  }

  // A preset says why it works; anything else, what it asks for.
  std::string in_words() const {
    for (const PresetEntry& preset : presets())
      if (preset.preset == design_.preset && design_ == preset_design(preset.preset)) return wording(preset.tip);
    return say(describe(design_));
  }

  void sharing_note() {
    ui::soft_text(frame_, wording("design:sharing"));
    if (ui::button(frame_, "design/own_keys", wording("design:own_keys"), wording("design:own_keys.tip")))
      frame_.out.apply(SetKvHeads{document_layer(frame_).heads});
  }

  void embedding_note() {
    if (frame_.document.embedding.kind == Embedding::Kind::features) return;
    ui::soft_text(frame_, wording("design:no_columns"));
    if (ui::button(frame_, "design/use_features", wording("design:use_features"), wording("design:use_features.tip")))
      frame_.out.apply(SetEmbedding{Embedding::Kind::features, frame_.document.embedding.seed});
  }

  void presets_group() {
    ui::heading(frame_, wording("design:presets"));
    ui::Chips chips(frame_);
    for (const PresetEntry& preset : presets())
      if (chips.chip(std::string("design/preset/") + preset.key, wording(preset.title),
                     designed_ && design_ == preset_design(preset.preset), wording(preset.tip)))
        frame_.out.apply(DesignHead{head_, preset_design(preset.preset)});
    const bool random = seeded_ && !designed_ && !source_.by_number();
    if (chips.chip("design/preset/random", wording("design:random"), random, wording("design:random.tip")) && !random)
      frame_.out.apply(DesignHead{head_, std::nullopt});
  }

  void asks_group() {
    ui::heading(frame_, wording("design:ask"));
    ui::tip(frame_, wording("design:ask.tip"));
    for (std::size_t k = 0; k < design_.asks.size(); ++k) {
      Ask& ask = design_.asks[k];
      const std::string name = "design/ask/" + std::to_string(k);
      if (!line(name, {name + "/query", ask.query, "design:ask.query.tip"},
                {name + "/key", ask.key, "design:ask.key.tip"}, ask.strength, "design:ask.strength.tip"))
        continue;
      design_.asks.erase(design_.asks.begin() + static_cast<std::ptrdiff_t>(k));
      change();
      break;
    }
    if (ui::button(frame_, "design/ask/add", wording("design:line.add"), wording("design:ask.add.tip"))) {
      design_.asks.push_back({});
      change();
    }
    slider_row("design/same_word", "design:same_word", design_.same_word, -3, 3, "design:same_word.tip");
    if (has_slot() || design_.slot_word != 0)
      slider_row("design/slot_word", "design:slot_word", design_.slot_word, -3, 3, "design:slot_word.tip");
  }

  void place_group() {
    ui::heading(frame_, wording("design:where"));
    bool near = !design_.kernels.empty();
    if (ui::checkbox(frame_, "design/offset/on", wording("design:offset"), near, wording("design:offset.tip"))) {
      if (near)
        design_.kernels.push_back({});
      else
        design_.kernels.clear();
      change();
    }
    for (std::size_t k = 0; k < design_.kernels.size(); ++k) {
      Kernel& kernel = design_.kernels[k];
      ImGui::PushID(static_cast<int>(100 + k));
      const std::string name = "design/offset/" + std::to_string(k);
      const float third = (ImGui::GetContentRegionAvail().x - 4 * u_) / 3;
      dragged(name + "/offset", kernel.offset, -8, 8, third,
              format_of(wording("design:offset.distance", {{"offset", kNumber}}), "%.1f"),
              "design:offset.distance.tip");
      ImGui::SameLine(0, 2 * u_);
      dragged(name + "/strength", kernel.strength, -3, 3, third, "× %.2g", "design:offset.strength.tip");
      ImGui::SameLine(0, 2 * u_);
      float waves = real(kernel.waves);
      if (dragged(name + "/waves", waves, 1, 8, third,
                  format_of(wording("design:offset.waves", {{"waves", kNumber}, {"n", kernel.waves}}), "%.0f"),
                  "design:offset.waves.tip"))
        kernel.waves = static_cast<int>(std::lround(waves));
      ImGui::PopID();
    }
    bool placed = design_.place.has_value();
    if (ui::checkbox(frame_, "design/place/on", wording("design:place"), placed, wording("design:place.tip"))) {
      design_.place = placed ? std::optional<float>(0.0f) : std::nullopt;
      change();
    }
    if (design_.place)
      dragged("design/place", *design_.place, 0, 24, ImGui::GetContentRegionAvail().x,
              format_of(wording("design:place.position", {{"position", kNumber}}), "%.0f"),
              "design:place.position.tip");
  }

  void strength_group() {
    ui::heading(frame_, wording("design:how"));
    slider_row("design/sharpness", "design:sharpness", design_.sharpness, 0, 60, "design:sharpness.tip");
    ui::text(frame_, wording("design:carries"), {.aligned = true});
    ui::tip(frame_, wording("design:carries.tip"));
    ui::Chips chips(frame_, true);
    const auto carry = [&](const char* key, const char* label, Carries what, const char* tip) {
      if (chips.choice(std::string("design/carries/") + key, wording(label), design_.carries, what, wording(tip)))
        change();
    };
    carry("word", "design:carries.word", Carries::word, "design:carries.word.tip");
    if (has_slot() || design_.carries == Carries::word_to_slot)
      carry("word-to-slot", "design:carries.word_to_slot", Carries::word_to_slot, "design:carries.word_to_slot.tip");
    carry("features", "design:carries.features", Carries::features, "design:carries.features.tip");
    carry("everything", "design:carries.everything", Carries::everything, "design:carries.everything.tip");
    carry("nothing", "design:carries.nothing", Carries::nothing, "design:carries.nothing.tip");
  }

  void writes_group() {
    ui::heading(frame_, wording("design:write"));
    ui::tip(frame_, wording("design:write.tip"));
    for (std::size_t k = 0; k < design_.writes.size(); ++k) {
      Write& write = design_.writes[k];
      const std::string name = "design/write/" + std::to_string(k);
      if (!line(name, {name + "/reads", write.reads, "design:write.reads.tip"},
                {name + "/writes", write.writes, "design:write.writes.tip"}, write.strength,
                "design:write.strength.tip"))
        continue;
      design_.writes.erase(design_.writes.begin() + static_cast<std::ptrdiff_t>(k));
      change();
      break;
    }
    if (ui::button(frame_, "design/write/add", wording("design:line.add"), wording("design:write.add.tip"))) {
      design_.writes.push_back({});
      change();
    }
  }

  void left_out() {
    if (!designed_) return;
    const Index d_k = document_layer(frame_).d_k(frame_.document.d_model);
    const HeadWeights built = designed_head(design_, frame_.document.columns(), d_k);
    if (built.left_out.empty()) return;
    std::string what;
    for (const std::string& one : built.left_out) what += (what.empty() ? "" : ", ") + one;
    ui::soft_text(frame_, wording("design:left_out", {{"d_k", d_k}, {"what", what}}));
  }

  bool has_slot() const { return frame_.document.embedding.slot; }

  int head_;
  const WeightSource& source_;
  HeadDesign design_;
  bool designed_ = false;
  bool seeded_ = true;  // what is not designed is as the seed gives it: the heads are cut as they were designed
};

}  // namespace

void draw_designer(Frame& frame) { Designer(frame).draw(); }

}  // namespace hydra
