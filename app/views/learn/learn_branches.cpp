// The timeline: a bar for each branch, from where it left to where it has come, with the place in time that is shown.
#include "app/views/frame/text_field.h"
#include "app/views/learn/learn_parts.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

class Branches : Drawing {
 public:
  Branches(Frame& frame, const LearnLayout& at)
      : Drawing(frame), box_(at.branches), learn_(frame.learn), timeline_(*frame.learn.timeline) {
    row_ = 1.7f * small_;
    shown_ = at.shown_branches;
    name_width_ = 0.24f * box_.size.x;
    last_ = learn_.training ? std::max(1, learn_.goal) : 1;
    for (int k = 0; k < timeline_.size(); ++k) last_ = std::max(last_, timeline_.branch(k).last());
  }

  void draw() {
    const bool scrolls = timeline_.size() > shown_;
    ui::room(canvas_, "learn/branches", box_.pos, {box_.size.x, real(shown_) * row_ + 0.5f * u_}, scrolls,
             [&](ImVec2 corner) {
               for (int k = 0; k < timeline_.size(); ++k) branch(k, {corner.x, corner.y + real(k) * row_});
               if (std::exchange(frame_.hands.of<BranchHands>().in_view, learn_.branch) != learn_.branch)
                 ImGui::SetScrollFromPosY(corner.y + (real(learn_.branch) + 0.5f) * row_ - ImGui::GetWindowPos().y,
                                          0.5f);
               return real(timeline_.size()) * row_;
             });
    if (box_.size.y > (real(shown_) + 0.4f) * row_) kept_note();
  }

 private:
  float left() const { return box_.pos.x + name_width_; }
  float width() const { return box_.size.x - name_width_ - 2 * row_; }
  float x_of(int step) const { return left() + real(step) / real(last_) * width(); }

  void branch(int k, ImVec2 at) {
    const learn::Timeline::Branch& branch = timeline_.branch(k);
    const bool own = k == learn_.branch;
    const ImU32 color = timeline_.size() > 1 ? branch_color(frame_, k) : theme_.ink;
    name(k, at, own ? color : theme_.ink_soft);
    const float middle = at.y + 0.5f * row_, from = x_of(branch.from), to = std::max(from + 2, x_of(branch.last()));
    canvas_.fill({left(), middle - 0.5f}, {left() + width(), middle + 0.5f}, theme_.line);
    const float half = own ? 0.28f * row_ : 0.16f * row_;
    canvas_.fill({from, middle - half}, {to, middle + half}, own ? color : with_alpha(color, 130), 2);
    if (own) {
      const float x = x_of(learn_.step);
      canvas_.fill({x - 1.5f, at.y + 1}, {x + 1.5f, at.y + row_ - 1}, theme_.accent);
      canvas_.disc({x, middle}, 0.32f * row_, theme_.accent);
    }
    ImGui::SetCursorScreenPos({left() - row_ * 0.4f, at.y});
    const std::string id = "learn/branch/" + std::to_string(k);
    ui::mouse_area(id.c_str(), {width() + row_ * 0.8f, row_});
    ui::probe(id);
    const bool held = ImGui::IsItemActive(), released = ImGui::IsItemDeactivated();
    if ((held || released) && !learn_.training && learn_.fits) {
      const float t = (ImGui::GetIO().MousePos.x - left()) / std::max(1.0f, width());
      const int step = std::clamp(static_cast<int>(std::lround(t * real(last_))), 0, branch.last());
      frame_.out.act(act::LearnGoTo{k, step, released});
    } else if (ImGui::IsItemHovered()) {
      ui::tip(frame_, branch.diverged
                          ? wording("learn:branch.diverged.tip",
                                    {{"branch", branch.name}, {"from", branch.from}, {"to", branch.last()}})
                          : wording("learn:branch.tip",
                                    {{"branch", branch.name}, {"from", branch.from}, {"to", branch.last()}}));
    }
    if (timeline_.can_remove(k) && !learn_.training) remove(k, {left() + width() + 0.6f * row_, at.y});
  }

  void name(int k, ImVec2 at, ImU32 color) {
    const std::string& text = timeline_.branch(k).name;
    auto& state = frame_.hands.of<BranchHands>();
    const float wide = name_width_ - row_;
    if (state.renaming == k) {
      ImGui::SetCursorScreenPos(at);
      ImGui::SetNextItemWidth(wide);
      const bool starts = state.starts > 0;
      if (starts) ImGui::SetKeyboardFocusHere(), --state.starts;
      const bool done = ui::text_field(frame_, "##learn/name", "", state.draft, ImGuiInputTextFlags_EnterReturnsTrue);
      ui::probe("learn/name");
      if (!done && !ImGui::IsItemDeactivated() && (starts || ImGui::IsItemActive())) return;
      frame_.out.act(act::LearnRename{k, state.draft});
      state.renaming = -1;
      return;
    }
    canvas_.text_at(fonts_.small, {at.x, at.y + 0.5f * (row_ - small_)}, color, clipped(fonts_.small, text, wide),
                    wide);
    const ImVec2 end{at.x + wide, at.y + row_};
    const std::string id = "learn/branch_name/" + std::to_string(k);
    ui::probe(id, at, end);
    if (!canvas_.over(at, end)) return;
    ui::tooltip(frame_, {text, wording("learn:branch.rename.tip")});
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
    state.renaming = k;
    state.starts = 3;
    state.draft = text;
  }

  void remove(int k, ImVec2 at) {
    const ImVec2 end{at.x + row_, at.y + row_};
    const bool over = canvas_.over(at, end);
    canvas_.text_centered(fonts_.small, {at.x + 0.5f * row_, at.y + 0.5f * row_}, over ? theme_.ink : theme_.ink_soft,
                          fonts_.unicode ? "×" : "x");
    ui::probe({"learn/remove/", k}, at, end);
    if (!over) return;
    ui::tooltip(frame_, {wording("learn:branch.delete"), wording("learn:branch.delete.tip")});
    if (ui::clicked()) frame_.out.act(act::LearnRemove{k});
  }

  void kept_note() {
    const double recent = timeline_.recent();
    const std::string kept = timeline_.keeps_all() ? wording("learn:kept.all")
                             : recent >= 1         ? wording("learn:kept.recent", {{"n", std::lround(recent)}})
                                                   : wording("learn:kept.sparse");
    const auto megabytes = [](std::size_t bytes) {
      return wording("learn:kept.megabytes", {{"size", ui::number(static_cast<double>(bytes) / 1e6, As::whole)}});
    };
    const std::string most = megabytes(timeline_.most_bytes()),
                      room = wording("learn:kept.room", {{"used", megabytes(timeline_.bytes())}, {"most", most}});
    const std::string text =
        fitting(fonts_.small, 0.9f * box_.size.x, {wording("learn:kept", {{"kept", kept}, {"room", room}}), room});
    const float top = box_.pos.y + real(shown_) * row_ + 0.5f * u_, wide = text_width(fonts_.small, text);
    canvas_.text_up_to(fonts_.small, {box_.right(), top}, theme_.ink_faint, text);
    const ImVec2 low{box_.right() - wide, top}, high{box_.right(), top + small_};
    ui::probe("learn/kept", low, high);
    if (canvas_.over(low, high))
      ui::tooltip(frame_,
                  {kept, wording("learn:kept.tip", {{"most", most}}),
                   timeline_.rows_apart() > 1 ? wording("learn:kept.rows_apart", {{"n", timeline_.rows_apart()}})
                                              : wording("learn:kept.rows")});
  }

  Box box_;
  const LearnTold& learn_;
  const learn::Timeline& timeline_;
  float row_ = 0, name_width_ = 0;
  int shown_ = 1, last_ = 1;
};

}  // namespace

void draw_learn_branches(Frame& frame, const LearnLayout& at) { Branches(frame, at).draw(); }

}  // namespace hydra
