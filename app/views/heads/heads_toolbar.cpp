// The chips of the Heads view: what the large pattern is, whom the average is of, which marked relation is outlined.
#include "app/views/beside/beside.h"
#include "app/views/frame/ui.h"
#include "app/views/heads/head_picture.h"
#include "app/views/heads/heads_grid.h"
#include "app/views/heads/heads_lit.h"
#include "app/views/heads/heads_rollout.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/model_panel/model_switch.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/commands.h"

namespace hydra {

namespace {

class HeadsToolbar : Drawing {
 public:
  explicit HeadsToolbar(Frame& frame) : Drawing(frame), heads_(int_size(layer_of(frame).heads)) {}

  void draw() {
    pattern_chips();
    draw_beside_list(frame_);
    draw_head_list(frame_);
    sharing_caption(frame_, "heads/sharing", view_.layer);
    ui::apart(1.2f * ImGui::GetFontSize(), model_switch_width(frame_));
    model_switch(frame_, "heads/");
    // The tools need the room; what is outlined stays.
    if (!pair_tool_shown(view_)) relations_marked();
    draw_lit_list(frame_);
    if (shows_rollout(view_)) rollout_note(frame_);
  }

 private:
  void pattern_chips() {
    ui::Chips chips(frame_);
    const auto pattern_chip = [&](Pattern pattern, const char* name, const char* label, const char* tip) {
      const bool of_head =
          !view_.average && !shows_rollout(view_) && !shown_head_picture(view_) && !shows_beside(view_);
      if (!chips.chip(name, wording(label), of_head && view_.pattern == pattern, wording(tip))) return;
      frame_.choose(view_.pattern, pattern);
      frame_.choose(view_.beside.in_heads, false);
      choose_head_picture(view_, frame_.out, nullptr);
    };
    pattern_chip(Pattern::scores, "heads/pattern/scores", "heads:scores", "heads:scores.tip");
    pattern_chip(Pattern::attention, "heads/pattern/attention", "heads:attention", "heads:attention.tip");
    pattern_chip(Pattern::value_weighted, "heads/pattern/value_weighted",
                 fonts_.unicode ? "heads:weighted" : "heads:weighted.ascii", "heads:weighted.tip");
    for (const HeadPicture* picture : head_pictures())
      if (const bool on = shown_head_picture(view_) == picture;
          (on || !picture->offered || picture->offered(layer_of(frame_).input)) &&
          chips.chip(std::string("heads/picture/") + picture->key, wording(picture->title), on, wording(picture->tip)))
        choose_head_picture(view_, frame_.out, on ? nullptr : picture);
    chips.apart(1.2f * ImGui::GetFontSize(), ui::chip_width(wording("heads:average")));
    average_chips(chips);
    rollout_chips(chips);
    beside_chips(chips);
  }

  // Where the room is low, only once there is such a model: Likeness has the way to one.
  void beside_chips(ui::Chips& chips) {
    const bool beside = shows_beside(view_);
    if (is_low() && !beside && !frame_.beside.shown) return;
    chips.apart(1.2f * ImGui::GetFontSize(), ui::chip_width(wording("beside:heads")));
    if (chips.chip("heads/beside", wording("beside:heads"), beside, wording("beside:heads.tip"))) {
      frame_.choose(view_.average, false);
      frame_.choose(view_.heads.rollout, std::nullopt);
      choose_head_picture(view_, frame_.out, nullptr);
      frame_.choose(view_.beside.in_heads, !beside);
    }
    if (!beside) return;
    beside_chip(frame_, chips);
    other_head_chip(frame_, chips);
  }

  void average_chips(ui::Chips& chips) {
    chips.toggle("heads/average", wording("heads:average"), view_.average, wording("heads:average.tip"));
    if (!view_.average) return;
    if (chips.chip("heads/all", wording("heads:all"), chosen_heads(view_) == heads_, wording("heads:all.tip")))
      choose_all_heads(frame_);
    if (chips.chip("heads/only", wording("heads:only", {{"head", view_.focused_head + 1}}),
                   chosen_heads(view_) == 1 && is_chosen(view_, view_.focused_head), wording("heads:only.tip"))) {
      std::vector<bool> only(view_.selected_heads.size(), false);
      nth(only, view_.focused_head) = true;
      frame_.choose(view_.selected_heads, only);
    }
  }

  void rollout_chips(ui::Chips& chips) {
    const bool on = shows_rollout(view_);
    if (chips.chip("heads/rollout", wording("heads:rollout"), on, wording("heads:rollout.tip"))) {
      frame_.choose(view_.average, false);
      frame_.choose(view_.heads.rollout, on ? std::nullopt : std::optional(RolloutKind::attention));
    }
    if (!shows_rollout(view_)) return;
    const std::optional<RolloutKind>& chosen = view_.heads.rollout;
    chips.choice("heads/rollout/raw", wording("heads:rollout.raw"), chosen, RolloutKind::attention,
                 wording("heads:rollout.raw.tip"));
    chips.choice("heads/rollout/weighted", wording("heads:rollout.by_value"), chosen, RolloutKind::value_weighted,
                 wording("heads:rollout.by_value.tip"));
  }

  bool is_low() const {
    constexpr float kLow = 36;  // in heights of text
    return ImGui::GetContentRegionAvail().y < kLow * em_;
  }

  // The relations that this sentence is marked with, and why one of them cannot be found here. Where the room is low
  // and they need more than a line, they stand behind a button: the patterns need the height.
  void relations_marked() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool low = is_low() && (relation_widths() > room.x || relations_here().empty());
    if (low)
      relation_menu();
    else
      relation_chips();
    if (!view_.shown_relation || !frame_.sentences.marks) return;
    const std::string& reason = nth(frame_.sentences.marks->unresolved, *view_.shown_relation);
    if (reason.empty()) return;
    if (!low) {
      ui::soft_text(frame_, reason);
      return ui::probe("heads/unresolved");
    }
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    canvas_.text_at(fonts_.small, pos, theme_.ink_soft, reason, room.x);
    ui::explain_here(frame_, "heads/unresolved", pos, {room.x, small_}, reason);
    ImGui::SetCursorScreenPos({pos.x, pos.y + small_});
    ImGui::Dummy({1, 0});
  }

  // One that the sentence is marked with: of the known ones, or by a name of one's own.
  struct Shown {
    std::optional<Relation> known;
    std::string name, title, tip;
    bool on;
  };
  std::vector<Shown> relations_here() const {
    std::vector<Shown> all;
    if (!frame_.sentences.marks) return all;
    const AnnotatedSentence& marks = *frame_.sentences.marks;
    for (const RelationEntry& r : relations())
      if (!nth(marks.gold, r.relation).empty())
        all.push_back({r.relation, r.key, wording(r.title), wording(r.tip), view_.shown_relation == r.relation});
    for (const MarkedRelation& own : marks.own)
      all.push_back({std::nullopt, own.name, spelled(frame_, own.name),
                     wording("words:relation.own.tip", {{"relation", own.name}}),
                     !view_.shown_relation && view_.marking.relation == own.name});
    return all;
  }

  void show_or_hide(const Shown& relation) {
    frame_.choose(view_.shown_relation, relation.on ? std::nullopt : relation.known);
    frame_.choose(view_.marking.relation, relation.on || relation.known ? std::string() : relation.name);
  }

  float relation_widths() const {
    float width = ui::chip_width(wording("heads:mark")) + 2 * u_ + ui::chip_width(wording("heads:lit"));
    for (const Shown& relation : relations_here()) width += ui::chip_width(relation.title) + 2 * u_;
    return width;
  }

  void relation_chips() {
    const std::vector<Shown> all = relations_here();
    if (all.empty()) ui::apart(1.2f * em_, ui::chip_width(wording("heads:mark")));
    ui::Chips chips(frame_, false);
    for (const Shown& relation : all)
      if (chips.chip("heads/relation/" + relation.name, relation.title, relation.on,
                     relation.title + ": " + relation.tip, relation.on ? theme_.gold : 0))
        show_or_hide(relation);
    const Command& mark = command("heads/mark");
    if (chips.chip(mark.name, wording("heads:mark"), false, tip_of(mark))) perform(frame_, mark);
    lit_chip(chips);
  }

  void relation_menu() {
    const std::vector<Shown> all = relations_here();
    const auto shown = std::ranges::find(all, true, &Shown::on);
    const bool on = shown != all.end();
    const std::string& label = on ? shown->title : wording("heads:relations");
    ui::apart(1.2f * em_, ui::chip_width(label));
    if (ui::chip(frame_, "heads/relations", label, on, wording("heads:relations.tip"), on ? theme_.gold : 0))
      ImGui::OpenPopup("relations");
    if (!ImGui::BeginPopup("relations")) return;
    ui::close_on_escape();
    for (const Shown& relation : all) {
      if (ImGui::MenuItem(imgui_text(relation.title), nullptr, relation.on)) show_or_hide(relation);
      ui::probe({"heads/relation/", relation.name});
      ui::tip(frame_, relation.tip);
    }
    const Command& mark = command("heads/mark");
    if (ImGui::MenuItem(wording("heads:mark").c_str(), nullptr, false)) perform(frame_, mark);
    ui::probe(mark.name);
    ui::tip(frame_, tip_of(mark));
    const bool lit = ImGui::MenuItem(wording("heads:lit").c_str(), nullptr, false);
    ui::probe("heads/lit");
    ui::tip(frame_, wording("heads:lit.tip"));
    ImGui::EndPopup();
    if (lit) open_lit_list();
  }

  int heads_;
};

}  // namespace

void draw_heads_toolbar(Frame& frame) { HeadsToolbar(frame).draw(); }

}  // namespace hydra
