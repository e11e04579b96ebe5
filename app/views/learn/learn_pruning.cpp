// Which heads are needed: what each is worth by three measures, and what is left of the accuracy when they are cut away
// one after the other.
#include "app/views/learn/learn_parts.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

namespace {

class PruningPage : Drawing {
 public:
  PruningPage(Frame& frame, const Box& box)
      : Drawing(frame),
        box_(box),
        shown_(frame.learn.pruning),
        worth_(*frame.learn.pruning.worth),
        heads_(int_size(worth_.heads)),
        most_(static_cast<int>(frame.learn.timeline->tracks().heads)) {
    // Heads whose gates never closed are the last ones, by how far they are open.
    for (int k = 0; k < heads_; ++k) kept_open_.push_back(nth(shown_.closed->closed, k) + nth(shown_.closed->gates, k));
    placed_ = learn::placed({worth_.ablation, worth_.importance, kept_open_});
  }

  void draw() {
    if (view_.guessing) {  // all of it is what their removal changes
      ui::probe("learn/worth/guess", box_.pos, {box_.right(), box_.pos.y + em_});
      return canvas_.text_at(fonts_.text, box_.pos, theme_.ink_soft, wording("learn:worth.guess"), box_.size.x);
    }
    const float gap = 6 * u_;
    if (box_.size.x < std::min(44 * em_, box_.size.y)) {
      const float high = std::min(0.5f * box_.size.y, real(heads_) * 2.4f * small_ + 6 * em_);
      table({box_.pos, {box_.size.x, high}});
      cutting({{box_.pos.x, box_.pos.y + high + gap}, {box_.size.x, box_.size.y - high - gap}});
    } else {
      const float left = std::min(0.5f * box_.size.x, 40 * em_);
      table({box_.pos, {left, box_.size.y}});
      cutting({{box_.pos.x + left + gap, box_.pos.y}, {box_.size.x - left - gap, box_.size.y}});
    }
  }

 private:
  const learn::Pruning& order() const { return view_.learn.greedily ? *shown_.greedy : *shown_.important; }
  int layer(int k) const { return nth(worth_.heads, k) / most_; }
  int head(int k) const { return nth(worth_.heads, k) % most_; }
  std::string name(int k) const { return learn_head_name(frame_, layer(k), head(k)); }

  // --- what each is worth

  struct Column {
    const char *title, *brief, *tip;  // texts
    const std::vector<double>& values;
  };

  void table(const Box& box) {
    const std::vector<double>& gates = shown_.closed->gates;
    const Column columns[] = {
        {"learn:worth.without", "learn:worth.without.brief", "learn:worth.without.tip", worth_.ablation},
        {"learn:worth.importance", "learn:worth.importance", "learn:worth.importance.tip", worth_.importance},
        {"learn:worth.gate", "learn:worth.gate.brief", "learn:worth.gate.tip", gates},
    };
    const float row = std::clamp((box.size.y - 6 * em_) / real(std::max(1, heads_)), 1.35f * small_, 2.4f * small_);
    const float names = text_width(fonts_.small, wording("learn:head", {{"number", "10.10"}})) + 2 * u_, mark = 2 * em_;
    const float wide = (box.size.x - names - mark) / 3;
    for (int c = 0; c < 3; ++c)
      ui::title(frame_, "learn/worth/" + std::to_string(c), {box.pos.x + names + real(c) * wide, box.pos.y},
                wide - 2 * u_,
                fitting(fonts_.strong, wide - 2 * u_, {wording(nth(columns, c).title), wording(nth(columns, c).brief)}),
                wording(nth(columns, c).tip));
    const float top = box.pos.y + 1.8f * em_;
    const bool scrolls = real(heads_) * row > box.size.y - 5.4f * em_;
    ui::room(canvas_, "learn/worth", {box.pos.x, top}, {box.size.x, box.size.y - 5.4f * em_}, scrolls,
             [&](ImVec2 corner) {
               return ui::rows_in_view(canvas_, corner, heads_, row, [&](int h, ImVec2 at) {
                 canvas_.text_at(fonts_.small, {at.x, at.y + 0.5f * (row - small_)}, head_color(frame_, head(h)),
                                 name(h), names - u_);
                 for (int c = 0; c < 3; ++c)
                   bar(columns[c].values, h, {at.x + names + real(c) * wide, at.y}, wide - 2 * u_, row);
                 if (!placed_.disagree[static_cast<std::size_t>(h)]) return;
                 const ImVec2 center{at.x + box.size.x - 0.5f * mark, at.y + 0.5f * row};
                 canvas_.ring(center, 0.28f * small_, theme_.warning, 2);
                 const ImVec2 low{center.x - 0.5f * mark, at.y}, high{center.x + 0.5f * mark, at.y + row};
                 ui::probe({"learn/disagree/", h}, low, high);
                 if (canvas_.over(low, high)) disagreement(h);
               });
             });
    const float note = box.bottom() - 3.4f * em_;
    int marked = 0;
    for (const bool disagree : placed_.disagree) marked += disagree;
    ImGui::SetCursorScreenPos({box.pos.x, note});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + box.size.x);
    ui::soft_text(frame_, wording("learn:worth.note", {{"marked", marked}, {"heads", heads_}}) + " " + sequences());
    ImGui::PopTextWrapPos();
    ui::probe("learn/worth/note");
  }

  // What it is measured on.
  std::string sequences() const {
    const learn::TaskInfo& info = frame_.learn.task->outline();
    const auto percent = [](double share) { return ui::number(share, As::whole_percent); };
    const Index count = learn::Run::kEvaluated;
    if (worth_.repeats.all == 0) return wording("learn:worth.unseen", {{"n", count}});
    // The share of a question or a relation whose sequences recur more often.
    double most = worth_.repeats.all;
    std::string where;
    const auto look = [&](const std::vector<double>& shares, const std::vector<std::string>& names) {
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k] > most + 0.005) most = shares[k], where = names[k];
    };
    look(worth_.repeats.by_question, info.questions);
    look(worth_.repeats.by_relation, info.relation_titles);
    const std::string seen = percent(worth_.repeats.all);
    if (where.empty()) return wording("learn:worth.seen", {{"n", count}, {"seen", seen}});
    return wording("learn:worth.seen_more", {{"n", count}, {"seen", seen}, {"most", percent(most)}, {"where", where}});
  }

  void bar(const std::vector<double>& values, int h, ImVec2 at, float wide, float row) {
    double most = 1e-9;
    for (const double value : values) most = std::max(most, std::abs(value));
    const double value = nth(values, h);
    draw_measured_bar(frame_,
                      {std::abs(value) / most, value < 0 ? theme_.ink_faint : head_color(frame_, head(h)),
                       theme_.ink_soft, ui::number(value, As::rough), text_width(fonts_.mono_small, "-0.000012") + u_},
                      fonts_.mono_small, at, {wide, row});
  }

  void disagreement(int h) {
    const auto place = [&](int c) { return ui::number(nth(nth(placed_.places, c), h), As::axis); };
    ui::tooltip(frame_, {wording("learn:worth.disagree", {{"head", name(h)}}),
                         wording("learn:worth.place.without", {{"place", place(0)}, {"heads", heads_}}),
                         wording("learn:worth.place.importance", {{"place", place(1)}, {"heads", heads_}}),
                         wording("learn:worth.place.gate", {{"place", place(2)}, {"heads", heads_}}),
                         wording("learn:worth.place.least")});
  }

  // --- cutting heads away

  void cutting(const Box& box) {
    ImGui::SetCursorScreenPos(box.pos);
    ui::Chips chips(frame_);
    chips.choice("learn/order/greedy", wording("learn:cut.greedy"), view_.learn.greedily, true,
                 wording("learn:cut.greedy.tip"));
    chips.choice("learn/order/importance", wording("learn:cut.importance"), view_.learn.greedily, false,
                 wording("learn:cut.importance.tip"));
    const float top = ImGui::GetItemRectMax().y + 2 * u_, line = 2.2f * em_;
    auto plot = styled<Plot>(frame_);
    plot.y.title = wording("learn:cut.chart");
    plot.x.high = std::max(1, heads_);
    const int now = cut_now();
    if (now >= 0) plot.now = now;
    const auto add = [&](const std::vector<double>& accuracy, ImU32 color, bool strong, const std::string& label) {
      plot.series.push_back({.y = &accuracy, .color = color, .label = label, .strong = strong, .bridges = true});
    };
    add(shown_.important->accuracy, theme_.ink_soft, !view_.learn.greedily, wording("learn:cut.chart.importance"));
    add(shown_.greedy->accuracy, theme_.accent, view_.learn.greedily, wording("learn:cut.chart.search"));
    for (const learn::Baseline& baseline : frame_.learn.task->info().baselines)
      if (baseline.question == learn::kNone && baseline.relation == learn::kNone && baseline.accuracy >= 0)
        plot.levels.push_back({baseline.accuracy, baseline.label});
    const float height = box.bottom() - top - 2 * line;
    const PlotResult result = draw_plot(canvas_, "learn/cut", plot, {{box.pos.x, top}, {box.size.x, height}});
    if (result.held || result.released) {
      if (result.place != now) frame_.out.preview(cut(result.place));
      if (result.released) frame_.out.commit();
    }
    const auto scores = [&](int count) {
      return wording("learn:cut.scores", {{"accuracy", ui::number(nth(order().accuracy, count), As::brief)},
                                          {"loss", ui::number(nth(order().loss, count), As::brief)}});
    };
    const std::string text = now < 0 ? wording("learn:cut.hint")
                             : now == 0
                                 ? wording("learn:cut.whole", {{"scores", scores(0)}})
                                 : wording("learn:cut.now", {{"n", now}, {"heads", heads_}, {"scores", scores(now)}});
    canvas_.text_at(fonts_.strong, {box.pos.x, top + height + u_}, theme_.ink, text, box.size.x);
    std::string names;
    for (int k = 0; k < std::max(0, now); ++k) names += (names.empty() ? "" : ", ") + name(nth(order().order, k));
    canvas_.text_at(fonts_.small, {box.pos.x, top + height + u_ + 1.4f * em_}, theme_.ink_soft,
                    names.empty() ? wording("learn:cut.silent.tip")
                                  : wording("learn:cut.silent", {{"before", scores(0)}, {"heads", names}}),
                    box.size.x);
    ui::probe("learn/cut/now", {box.pos.x, top + height}, {box.right(), box.bottom()});
  }

  bool is_silent(int k) const {
    const std::vector<float>& gates = frame_.document.layer(layer(k)).gates;
    return !gates.empty() && nth(gates, head(k)) == 0;
  }

  // So many of the order are silent, and no other; -1: it is something else.
  int cut_now() const {
    if (std::ssize(frame_.document.layers) != frame_.learn.timeline->tracks().layers) return -1;
    int count = 0;
    while (count < heads_ && is_silent(nth(order().order, count))) ++count;
    for (int k = count; k < heads_; ++k)
      if (is_silent(nth(order().order, k))) return -1;
    return count;
  }

  // The document with the first so many silenced, as one edit of all layers.
  Edit cut(int count) const {
    SetParameters set;
    set.weights = frame_.document.weights;
    for (const Layer& layer : frame_.document.layers) {
      set.layers.push_back({layer.source, layer.weights, layer.gates});
      set.layers.back().gates.resize(static_cast<std::size_t>(layer.heads), 1);
    }
    for (int k = 0; k < heads_; ++k) {
      const int h = nth(order().order, k);
      float& gate = nth(nth(set.layers, layer(h)).gates, head(h));
      gate = k < count ? 0.0f : gate == 0 ? 1.0f : gate;
    }
    set.what = count == 0 ? wording("learn:cut.none") : wording("learn:cut.some", {{"n", count}});
    return {std::move(set), 0};
  }

  Box box_;
  const PruningTold& shown_;
  const learn::HeadWorth& worth_;
  int heads_, most_;
  std::vector<double> kept_open_;
  learn::Placed placed_;
};

}  // namespace

void draw_learn_pruning(Frame& frame, const Box& box) {
  const Canvas::Part part(frame.canvas, "learn.pruning");
  const LearnTold& learn = frame.learn;
  ImGui::SetCursorScreenPos(box.pos);
  float top = box.pos.y;
  if (learn.pruning_progress < 1 && !frame.view.still) {
    ui::progress_bar(frame, "learn/pruning/progress", box.pos, {box.size.x, std::max(2.0f, 0.75f * frame.unit)},
                     learn.pruning_progress);
    top += 2 * frame.unit;
  }
  ImGui::SetCursorScreenPos({box.pos.x, top});
  if (!learn.pruning_failure.empty()) return ui::failure_text(frame, learn.pruning_failure);
  if (!learn.pruning.worth) return ui::waiting_text(frame, "");
  PruningPage(frame, {{box.pos.x, top}, {box.size.x, box.bottom() - top}}).draw();
}

}  // namespace hydra
