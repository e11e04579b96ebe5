// A column for each number of heads, filling in as the models learn: accuracy at each rate and over steps, which
// questions are answered, and what each head looks at.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_layout.h"
#include "app/views/tradeoff/trained/trained_parts.h"

namespace hydra::tradeoff {

namespace {

class TrainedColumns : Drawing {
 public:
  TrainedColumns(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts, const TrainedLayout& at)
      : Drawing(frame),
        state_(frame.view.tradeoff.trained),
        info_(HeadCountsMeasure::task(task_of(state_).key)->info()),
        example_(HeadCountsMeasure::example(task_of(state_).key)),
        asked_(asked_of(state_)),
        trained_(trained),
        counts_(counts),
        at_(at),
        pointed_question_(frame.was.question) {}

  Index draw() {
    if (at_.captions) captions();
    for (std::size_t k = 0; k < at_.columns.size(); ++k) pictures(k);
    for (std::size_t k = 0; k < at_.columns.size(); ++k) column(k);
    return next_;
  }

 private:
  Index heads(std::size_t k) const { return counts_[k].heads; }
  // Of all layers, one below the other.
  Index pictures_of(std::size_t k) const { return counts_[k].layers * heads(k); }
  std::string name(std::size_t k) const { return counts_[k].layers == 1 ? std::to_string(heads(k)) : "deep"; }
  std::string name_of_picture(const learn::CountRun& run, Index picture) const {
    return run.layers == 1 ? head_name(picture) : wording("tradeoff:trained.layer", {{"n", picture + 1}});
  }
  // Whose runs are shown.
  const RateSummary& rate(std::size_t k) const {
    const auto chosen = std::ranges::find(counts_[k].rates, state_.rate, &RateSummary::rate);
    return chosen == counts_[k].rates.end() ? counts_[k].at_best() : *chosen;
  }
  const learn::CountRun* run(std::size_t k, int seed) const {
    if (!trained_) return nullptr;
    const auto found = trained_->runs.find({counts_[k], rate(k).rate, static_cast<std::uint64_t>(seed)});
    return found == trained_->runs.end() ? nullptr : found->second.get();
  }
  const learn::CountRun* shown(std::size_t k) const { return run(k, state_.seed); }
  Index tokens() const { return std::ssize(example_.tokens); }

  void captions() const {
    std::string rates;
    for (const double each : asked_.rates) rates += (rates.empty() ? "" : " ") + rate_text(each);
    const auto caption = [&](float y, const std::string& text) {
      canvas_.text_at(fonts_.small, {at_.columns.front().all.pos.x, y}, theme_.ink_soft, say(text),
                      at_.columns.back().all.right() - at_.columns.front().all.pos.x);
    };
    if (asked_.rates.size() > 1)
      caption(at_.caption_rates, wording("tradeoff:trained.caption.rates", {{"rates", rates}}));
    caption(at_.caption_curve,
            wording("tradeoff:trained.caption.curve", {{"steps", ui::number(state_.steps, As::count)}}));
    caption(at_.caption_questions, wording("tradeoff:trained.caption.questions",
                                           {{"questions", info_.shape.questions}, {"seed", state_.seed}}));
    caption(at_.caption_patterns, wording("tradeoff:trained.caption.patterns", {{"seed", state_.seed}}));
  }

  void column(std::size_t k) {
    const TrainedLayout::Column& c = at_.columns[k];
    header(k, c.header);
    if (asked_.rates.size() > 1) rates(k, c.rates);
    curve(k, c.curve);
    questions(k, c.questions);
    marks(k, c.patterns);
    ui::probe({"tradeoff/trained/column/", name(k)}, c.all.pos, c.all.end());
    if (!canvas_.over(c.all.pos, c.all.end())) return;
    next_ = heads(k);
    open(k, c);
  }

  void header(std::size_t k, const Box& box) const {
    const CountSummary& count = counts_[k];
    const bool pointed = heads(k) == frame_.was.head_count && count.layers == 1;
    if (pointed) canvas_.fill(box.pos, box.end(), theme_.raised);
    const std::string h = count.layers == 1 ? ui::words("h = ", heads(k))
                                            : wording("tradeoff:trained.layers", {{"layers", count.layers}}),
                      d_k = count.layers == 1 ? ui::words("d_k ", state_.d_model / heads(k))
                                              : ui::words("h = ", heads(k));
    const float y = box.pos.y + 0.5f * (box.size.y - em_), low = box.pos.y + 0.5f * (box.size.y - small_);
    std::string median;
    if (rate(k).runs > 0) median = accuracy_text(rate(k).accuracy.median);
    const float taken = text_width(fonts_.mono, median) + u_;
    canvas_.text_at(fonts_.strong, {box.pos.x, y}, theme_.ink, h, box.size.x - taken);
    const float x = text_width(fonts_.strong, h) + 2 * u_;
    if (x + text_width(fonts_.small, d_k) + taken <= box.size.x)
      canvas_.text_at(fonts_.small, {box.pos.x + x, low}, theme_.ink_soft, d_k);
    canvas_.text_up_to(fonts_.mono, {box.right(), box.pos.y + 0.5f * (box.size.y - fonts_.mono->FontSize)}, theme_.ink,
                       median);
  }

  // --- accuracy at each rate

  void rates(std::size_t k, const Box& box) {
    const std::vector<RateSummary>& all = counts_[k].rates;
    const auto count = real(std::ssize(all));
    const float gap = std::max(1.0f, 0.5f * u_), width = std::floor((box.size.x - gap * (count - 1)) / count);
    for (std::size_t r = 0; r < all.size(); ++r) {
      const ImVec2 a{box.pos.x + real(r) * (width + gap), box.pos.y}, b{a.x + width, box.bottom()};
      const bool own = &all[r] == &rate(k), under = canvas_.over(a, b);
      canvas_.fill(a, b, own ? theme_.accent_soft : under ? theme_.raised : theme_.ground, 0.5f * u_);
      canvas_.frame(a, b, own ? theme_.accent : theme_.line, 1, 0.5f * u_);
      const std::string text = all[r].runs > 0 ? accuracy_text(all[r].accuracy.median) : "";
      ImFont* font = text_width(fonts_.mono, text) + 2 <= width ? fonts_.mono : fonts_.mono_small;
      if (text_width(font, text) <= width)
        canvas_.text_centered(font, {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)}, own ? theme_.ink : theme_.ink_soft, text);
      ui::probe({"tradeoff/trained/rate/", ui::words(name(k), "/", r + 1)}, a, b);
      if (!under) continue;
      say_rate(k, r);
      if (ui::clicked()) frame_.choose(state_.rate, state_.rate == all[r].rate ? 0 : all[r].rate);
    }
  }

  void say_rate(std::size_t k, std::size_t r) {
    const RateSummary& of = counts_[k].rates[r];
    told_ = true;
    const std::string model = model_name(counts_[k]), rate = rate_text(of.rate);
    std::vector<std::string> lines{r == counts_[k].best
                                       ? wording("tradeoff:trained.rate.best", {{"model", model}, {"rate", rate}})
                                       : wording("tradeoff:trained.rate", {{"model", model}, {"rate", rate}})};
    if (of.runs == 0) {
      lines.push_back(wording("tradeoff:trained.not_yet"));
    } else {
      const auto share = [](double value) { return ui::number(value, As::share); };
      const Spread& s = of.accuracy;
      lines.push_back(wording("tradeoff:trained.rate.right", {{"median", share(s.median)},
                                                              {"runs", of.runs},
                                                              {"least", share(s.least)},
                                                              {"most", share(s.most)},
                                                              {"mean", share(s.mean)}}));
      if (!of.done) lines.push_back(wording("tradeoff:trained.rate.still"));
      std::string answered;
      for (const int questions : of.by_seed)
        answered += (answered.empty() ? "" : " ") + (questions < 0 ? "–" : std::to_string(questions));
      lines.push_back(wording("tradeoff:trained.rate.answered", {{"numbers", answered}}));
    }
    lines.push_back(
        wording(state_.rate == of.rate ? "tradeoff:trained.rate.click_best" : "tradeoff:trained.rate.click"));
    ui::tooltip(frame_, lines);
  }

  // --- accuracy over steps

  void curve(std::size_t k, const Box& box) const {
    canvas_.fill(box.pos, box.end(), mixed(theme_.ground, theme_.raised, 0.6f));
    const auto place = [&](double step, double accuracy) {
      return ImVec2{box.pos.x + real(step / state_.steps) * box.size.x,
                    box.bottom() - 1 - real(accuracy) * (box.size.y - 2)};
    };
    const float chance = std::round(place(0, info_.baselines.front().accuracy).y);
    for (float x = box.pos.x; x < box.right(); x += 2 * u_)
      canvas_.fill({x, chance}, {std::min(x + u_, box.right()), chance + 1}, theme_.ink_soft);
    const auto line = [&](const learn::CountRun& run, ImU32 color, float thick) {
      std::vector<ImVec2> points;
      for (const learn::CountPoint& p : run.curve) points.push_back(place(p.step, p.accuracy));
      if (points.size() == 1) points.insert(points.begin(), place(0, info_.baselines.front().accuracy));
      for (std::size_t p = 0; p + 1 < points.size(); ++p) canvas_.line(points[p], points[p + 1], color, thick);
    };
    const Canvas::Clip clip(canvas_, box.pos, box.end());
    for (int seed = 0; seed < asked_.seeds; ++seed)
      if (const learn::CountRun* r = run(k, seed); r && seed != state_.seed)
        line(*r, mixed(theme_.ground, theme_.ink_soft, 0.7f), std::max(1.0f, 0.3f * u_));
    if (const learn::CountRun* r = shown(k)) line(*r, theme_.accent, std::max(2.0f, 0.5f * u_));
    canvas_.frame(box.pos, box.end(), theme_.line);
    ui::probe({"tradeoff/trained/curve/", name(k)}, box.pos, box.end());
  }

  // --- questions

  double right(const learn::CountRun& run, Index question) const {
    return question < std::ssize(run.scores.by_question) ? nth(run.scores.by_question, static_cast<int>(question)) : 0;
  }
  // Mean attention of a head to whom the question names.
  double mass(const learn::CountRun& run, Index head, Index question) const {
    const auto at = static_cast<std::size_t>(head * info_.shape.relations + question);
    return at < run.scores.masses.size() ? run.scores.masses[at] : 0;
  }
  Index looks_there(const learn::CountRun& run, Index question) const {
    Index best = 0;
    for (Index h = 1; h < run.layers * run.heads; ++h)
      if (mass(run, h, question) > mass(run, best, question)) best = h;
    return best;
  }

  void questions(std::size_t k, const Box& box) {
    const Index count = info_.shape.questions;
    const float gap = std::max(1.0f, 0.5f * u_), bar = std::max(2.0f, 0.75f * u_);
    const float width = std::floor((box.size.x - gap * real(count - 1)) / real(count));
    const learn::CountRun* r = shown(k);
    for (Index q = 0; q < count; ++q) {
      const ImVec2 a{box.pos.x + real(q) * (width + gap), box.pos.y}, b{a.x + width, box.bottom() - bar - 1};
      const bool known = r && r->step > 0, answered = known && right(*r, q) >= learn::kAnswered;
      const ImU32 ground = answered ? theme_.accent : theme_.raised;
      canvas_.fill(a, b, ground, 0.5f * u_);
      if (!answered) canvas_.frame(a, b, theme_.line, 1, 0.5f * u_);
      if (known) {
        const ImU32 ink = answered ? ink_on(rgb_of(ground)) : theme_.ink_soft;
        const std::string text = accuracy_text(right(*r, q));
        ImFont* font = text_width(fonts_.mono, text) + 2 <= width ? fonts_.mono : fonts_.mono_small;
        if (text_width(font, text) <= width)
          canvas_.text_centered(font, {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)}, ink, text);
        const Index h = looks_there(*r, q);
        const float share = real(std::clamp(mass(*r, h, q), 0.0, 1.0));
        canvas_.fill({a.x, b.y + 1}, {a.x + share * width, b.y + 1 + bar}, head_color(frame_, h));
      }
      ui::probe({"tradeoff/trained/question/", ui::words(name(k), "/", q + 1)}, a, {b.x, box.bottom()});
      if (!canvas_.over(a, {b.x, box.bottom()})) continue;
      frame_.next.question = q;
      if (known) say_question(*r, q);
    }
  }

  void say_question(const learn::CountRun& r, Index q) {
    const Index h = looks_there(r, q);
    told_ = true;
    const std::string head = name_of_picture(r, h), share = ui::number(mass(r, h, q), As::brief);
    ui::tooltip(frame_,
                {wording("tradeoff:trained.question.right", {{"question", info_.questions[static_cast<std::size_t>(q)]},
                                                             {"share", ui::number(right(r, q), As::share)}}),
                 r.layers > 1  ? wording("tradeoff:trained.question.of_layers", {{"head", head}, {"share", share}})
                 : r.heads > 1 ? wording("tradeoff:trained.question.of_heads", {{"head", head}, {"share", share}})
                               : wording("tradeoff:trained.question.looks", {{"head", head}, {"share", share}}),
                 wording("tradeoff:trained.question.outlined")});
  }

  // --- patterns

  ThumbGrid grid(std::size_t k, const Box& box) const {
    return thumb_grid(static_cast<int>(pictures_of(k)), box.size.x, box.size.y, u_);
  }
  Heatmap picture(std::size_t k, Index head, const Array<float>& patterns) const {
    const Box& box = at_.columns[k].patterns;
    const ThumbGrid g = grid(k, box);
    const ImVec2 within = g.at(static_cast<int>(head)), a{box.pos.x + within.x, box.pos.y + within.y};
    return {a,        {a.x + g.side, a.y + g.side},    patterns, head * tokens(), 0, tokens(),
            tokens(), {sequential(frame_), 0.0f, 1.0f}};
  }
  // All first, so that they share draw calls.
  void pictures(std::size_t k) {
    const learn::CountRun* r = shown(k);
    for (Index h = 0; r && h < pictures_of(k); ++h) canvas_.cells(picture(k, h, r->patterns));
  }

  void marks(std::size_t k, const Box& box) {
    const learn::CountRun* r = shown(k);
    const ThumbGrid g = grid(k, box);
    for (Index h = 0; h < pictures_of(k); ++h) {
      const Heatmap map = picture(k, h, r ? r->patterns : Array<float>());
      if (g.strip > 0)
        canvas_.fill({map.min.x, map.min.y - g.strip}, {map.max.x, map.min.y},
                     r ? head_color(frame_, h) : with_alpha(head_color(frame_, h), 110));
      if (!r) canvas_.frame(map.min, map.max, theme_.line);
      if (r && pointed_question_ >= 0) outline_gold(map);
      if (r && canvas_.over(map.min, map.max)) say_cell(*r, map, h);
    }
    ui::probe({"tradeoff/trained/patterns/", name(k)}, box.pos, box.end());
  }
  void outline_gold(const Heatmap& map) const {
    for (Index i = 0; i < tokens(); ++i)
      if (const Index j = example_.gold(i, pointed_question_); j >= 0)
        canvas_.frame(cell_min(map, i, j), cell_max(map, i, j), theme_.gold, std::max(1.0f, 0.3f * u_));
  }
  std::string name_of(Index place) const {
    const std::string& token = nth(example_.tokens, static_cast<int>(place));
    return token.substr(0, token.find('+'));
  }
  void say_cell(const learn::CountRun& run, const Heatmap& map, Index head) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto at = [&](float from, float to, float x) {
      return std::clamp<Index>(static_cast<Index>((x - from) / (to - from) * real(tokens())), 0, tokens() - 1);
    };
    const Index i = at(map.min.y, map.max.y, mouse.y), j = at(map.min.x, map.max.x, mouse.x);
    std::string asks;
    for (Index q = 0; q < info_.shape.questions; ++q)
      if (example_.gold(i, q) == j)
        asks = asks.empty() ? std::to_string(q + 1) : wording("tradeoff:list.last", {{"first", asks}, {"last", q + 1}});
    told_ = true;
    const std::string query = name_of(i), key = name_of(j);
    ui::tooltip(
        frame_,
        {wording("tradeoff:trained.cell", {{"head", name_of_picture(run, head)},
                                           {"query", query},
                                           {"key", key},
                                           {"weight", ui::number(static_cast<double>(map.value(i, j)), As::brief)}}),
         asks.empty() ? wording("tradeoff:trained.cell.not_asked", {{"query", query}, {"key", key}})
                      : wording("tradeoff:trained.cell.asked", {{"query", query}, {"key", key}, {"questions", asks}}),
         run.document ? wording("tradeoff:trained.opens") : ""});
  }

  // --- as a document

  void open(std::size_t k, const TrainedLayout::Column& c) {
    const learn::CountRun* r = shown(k);
    const bool can = r && r->document;
    const bool above = canvas_.over(c.header.pos, c.header.end()) || canvas_.over(c.curve.pos, c.curve.end());
    const bool model = above || canvas_.over(c.patterns.pos, c.patterns.end());
    if (can && model && ui::clicked()) {
      const std::string title = wording("tradeoff:trained.document", {{"task", short_title(info_)},
                                                                      {"model", model_name(counts_[k])},
                                                                      {"d_model", state_.d_model},
                                                                      {"rate", rate_text(r->rate)},
                                                                      {"seed", state_.seed}});
      frame_.out.apply(ReplaceDocument{*r->document, title});
    }
    if (told_) return;
    const auto numbers = static_cast<double>(parameter_count(info_, state_.d_model, counts_[k].layers));
    std::vector<std::string> lines{
        wording("tradeoff:trained.model", {{"model", model_name(counts_[k])}, {"n", state_.d_model / heads(k)}}),
        wording("tradeoff:trained.model.numbers", {{"numbers", ui::number(numbers, As::count)}})};
    if (r && !r->curve.empty())
      lines.push_back(
          wording("tradeoff:trained.model.run",
                  {{"rate", rate_text(r->rate)},
                   {"seed", state_.seed},
                   {"step", r->step},
                   {"share", ui::number(r->done ? r->scores.accuracy : r->curve.back().accuracy, As::share)}}));
    if (r && r->diverged) lines.push_back(wording("tradeoff:trained.model.diverged"));
    lines.push_back(can ? wording("tradeoff:trained.opens") : "");
    if (above) ui::tooltip(frame_, lines);
  }

  const TrainedState& state_;
  const learn::TaskInfo& info_;
  const learn::CountExample& example_;
  learn::CountsAsked asked_;
  const Trained* trained_;
  const std::vector<CountSummary>& counts_;
  const TrainedLayout& at_;
  Index pointed_question_;
  bool told_ = false;  // what is pointed at
  Index next_ = 0;
};

}  // namespace

Index draw_trained_columns(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts,
                           const TrainedLayout& at) {
  return TrainedColumns(frame, trained, counts, at).draw();
}

}  // namespace hydra::tradeoff
