// The page of trained models, as a user meets it, and what it says.
#include <catch2/catch.hpp>

#include "app/views/shell/pages.h"
#include "app/views/tradeoff/trained/trained_layout.h"
#include "app/views/tradeoff/trained/trained_words.h"
#include "core/analysis/cost/published.h"
#include "core/document/edits/edit.h"
#include "tests/support/session.h"

using namespace hydra;
using namespace hydra::tradeoff;

namespace {

struct TrainedSession : Session {
  explicit TrainedSession(ImVec2 size = {1600, 1000}) : Session(default_document(), size) {
    set(view().view, ViewId::tradeoff);
    set(view().tradeoff.page, TradeoffPage::trained);
    set(view().tradeoff.trained.steps, 30);  // no budget that a chip offers: short
    set(view().tradeoff.trained.seeds, 2);
    set(view().tradeoff.trained.rates, {0.01, 0.03});
    ui.frames(3);
  }
  void rest() {
    ui.frames(1);
    app.finish_evaluation();
    ui.frames(3);
  }
  void train() {
    ui.click("tradeoff/trained/train");
    rest();
  }
  // Whether a model of every head count was trained with that seed.
  bool has_seed(int seed) {
    ui.click("tradeoff/trained/seed/" + std::to_string(seed));
    ui.frames(2);
    return patterns().size() == 63;
  }
  // Pictures of 12 students; the inspector has others.
  std::vector<Heatmap> patterns() { return pictures_of(12); }
  std::vector<Heatmap> pictures_of(Index tokens) {
    std::vector<Heatmap> found = ui.sink.heatmaps;
    std::erase_if(found, [&](const Heatmap& map) { return map.rows != tokens || map.cols != tokens; });
    return found;
  }
  static Index learned_tokens(const char* task) { return std::ssize(HeadCountsMeasure::example(task).tokens); }
};

std::shared_ptr<const learn::CountRun> run_of(const learn::CountKey& key, std::vector<double> by_question,
                                              bool done = true) {
  learn::CountRun run;
  static_cast<learn::CountKey&>(run) = key;
  run.done = done, run.step = 10;
  double sum = 0;
  for (const double right : by_question) sum += right;
  run.scores.accuracy = sum / static_cast<double>(by_question.size());
  run.scores.by_question = std::move(by_question);
  run.curve = {{10, 1.5, 0.25}};
  return std::make_shared<const learn::CountRun>(std::move(run));
}

learn::CountsAsked some_asked(std::vector<double> rates = {0.01}) {
  learn::CountsAsked asked;
  asked.heads = {1, 4, 32};
  asked.deep = 0;
  asked.rates = std::move(rates);
  asked.seeds = 3;
  return asked;
}
learn::CountKey key_of(Index heads, std::uint64_t seed, double rate = 0.01) { return {{1, heads}, rate, seed}; }

learn::CountRuns some_runs() {
  learn::CountRuns runs;
  const auto add = [&](const learn::CountKey& key, std::vector<double> by_question) {
    runs[key] = run_of(key, std::move(by_question));
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    add(key_of(1, seed), {1, 0.1, 0.1, 0.2});
    add(key_of(4, seed), {1, 1, 1, seed == 0 ? 0.3 : 0.9});
    add(key_of(32, seed), {0.4, 0.4, 0.3, 0.3});
  }
  return runs;
}

}  // namespace

TEST_CASE("trained: nothing is trained until the button is pressed", "[app][tradeoff][trained]") {
  TrainedSession s;
  s.ui.click("tradeoff/page/cost");
  s.rest();
  s.ui.click("tradeoff/page/trained");
  s.rest();
  for (const char* name : {"train", "sentence", "note", "accuracy", "loss", "quoted", "column/1", "column/32",
                           "curve/4", "patterns/8", "question/4/1", "question/4/4", "rate/4/2", "column/deep"})
    CHECK(s.ui.exists(std::string("tradeoff/trained/") + name));
  CHECK_FALSE(s.ui.exists("tradeoff/trained/cancel"));
  CHECK_FALSE(s.ui.exists("tradeoff/trained/question/4/5"));
  CHECK_FALSE(s.app.wants_frame());
  CHECK(s.patterns().empty());
}

TEST_CASE("trained: the columns fill, stay while the page is left and the document changes",
          "[app][tradeoff][trained]") {
  TrainedSession s;
  s.train();
  CHECK(s.patterns().size() == 67);  // 1 + 2 + 4 + ... + 32 heads, and four layers of one
  CHECK(s.ui.exists("tradeoff/trained/train"));
  CHECK_FALSE(s.app.wants_frame());
  const Stamp before = s.patterns().front().matrix.stamp();
  s.ui.click("tradeoff/trained/seed/1");
  s.ui.frames(2);
  const Stamp other = s.patterns().front().matrix.stamp();
  CHECK(other != before);
  s.ui.click("tabs/flow");
  s.ui.frames(2);
  s.app.edit(SetHeads{2});
  s.rest();
  s.ui.click("tabs/tradeoff");
  s.rest();
  REQUIRE(s.patterns().size() == 67);
  CHECK(s.patterns().front().matrix.stamp() == other);
  // Another width beside it, of which nothing was trained.
  s.ui.click("tradeoff/trained/d_model/64");
  s.ui.frames(2);
  CHECK(s.patterns().empty());
  s.ui.click("tradeoff/trained/d_model/32");
  s.ui.frames(2);
  CHECK(s.patterns().size() == 67);
}

TEST_CASE("trained: it is cancelled while it trains, in any view", "[app][tradeoff][trained]") {
  TrainedSession s;
  s.set(s.view().tradeoff.trained.steps, 1'000'000);
  s.ui.frames(2);
  s.ui.click("tradeoff/trained/train");
  s.ui.frames(2);
  CHECK(s.ui.exists("tradeoff/trained/progress"));
  while (s.patterns().size() < 67) s.ui.frames(1);  // all of them at once, not one after the other
  s.ui.click("tabs/flow");
  s.ui.click("tabs/tradeoff");
  s.ui.click("tradeoff/trained/cancel");
  s.rest();
  CHECK(s.ui.exists("tradeoff/trained/train"));
  CHECK(s.patterns().size() == 67);
  s.ui.click(s.ui.rect("tradeoff/trained/curve/4").center());  // no model to open
  s.rest();
  CHECK_FALSE(s.app.history().can_undo());
}

TEST_CASE("trained: a click opens the model as the document, and undo comes back", "[app][tradeoff][trained]") {
  TrainedSession s;
  s.app.edit(SetHeads{2});
  s.rest();
  s.train();
  s.ui.click("tradeoff/trained/seed/1");
  s.ui.click(s.ui.rect("tradeoff/trained/curve/4").center());
  s.rest();
  CHECK(s.layer().heads == 4);
  CHECK(s.document().d_model == 32);
  REQUIRE(s.document().tokens);
  CHECK(s.document().tokens->size() == 12);
  check_as_scratch(s);
  // What the column shows is what the document gives.
  const Heatmap shown = s.patterns()[3];  // after those of one head and of two
  CHECK((shown.matrix->middleRows(shown.row0, 12) - *s.head(0).attention).cwiseAbs().maxCoeff() < 1e-5f);
  s.app.edit(SetHeads{1});
  s.rest();
  s.ui.click("undo");
  s.ui.click("undo");
  s.rest();
  CHECK(s.layer().heads == 2);
  CHECK(s.document().d_model != 32);
}

TEST_CASE("trained: pointing at a question outlines whom it names, at a cell says who looks at whom",
          "[app][tradeoff][trained]") {
  TrainedSession s;
  s.train();
  s.ui.move("tradeoff/trained/question/4/2");
  s.ui.frames(2);
  CHECK(s.was().question == 1);
  CHECK(s.was().head_count == 4);
  s.ui.move("tradeoff/trained/patterns/2");
  s.ui.frames(2);
  CHECK(s.was().question == -1);
  CHECK(s.was().head_count == 2);
  s.ui.move(s.ui.rect("tradeoff/trained/accuracy").at(0.75f, 0.5f));
  s.ui.frames(2);
  CHECK(s.was().head_count > 4);
}

TEST_CASE("trained: everything is there at every size, in presentation and in both themes",
          "[app][tradeoff][trained]") {
  const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{1920, 1080}, ImVec2{700, 500}, ImVec2{400, 300});
  TrainedSession s(size);
  s.set(s.view().presentation, GENERATE(false, true));
  s.set(s.view().dark, GENERATE(false, true));
  s.set(s.view().tradeoff.trained.steps, 3);
  s.set(s.view().tradeoff.trained.seeds, 1);
  s.ui.frames(3);
  if (s.ui.exists("tradeoff/trained/train")) s.train();
  if (size.x >= 1280)
    for (const char* name : {"sentence", "accuracy", "loss", "quoted", "column/1", "column/32"})
      CHECK(s.ui.exists(std::string("tradeoff/trained/") + name));
}

TEST_CASE("trained: the layout overlaps nowhere and fills its room", "[app][tradeoff][trained]") {
  for (const float width : {300.0f, 760.0f, 1200.0f, 2000.0f})
    for (const float height : {200.0f, 480.0f, 640.0f, 1000.0f, 1500.0f}) {
      TrainedInput in;
      in.pos = {10, 20}, in.size = {width, height};
      const TrainedLayout at = trained_layout(in);
      CAPTURE(width, height);
      CHECK(at.note.y >= at.sentence.y + in.sentence);
      CHECK(at.accuracy.pos.y >= at.note.y + in.note);
      CHECK(at.accuracy.right() <= at.loss.pos.x);
      CHECK(at.loss.right() <= at.quoted.pos.x);
      CHECK(at.quoted.right() <= in.right() + 1);
      REQUIRE(at.columns.size() == 6);
      for (std::size_t k = 0; k < 6; ++k) {
        const TrainedLayout::Column& c = at.columns[k];
        CHECK(c.header.pos.y >= at.accuracy.bottom());
        CHECK(c.curve.pos.y >= c.header.bottom());
        CHECK(c.questions.pos.y >= c.curve.bottom());
        CHECK(c.patterns.pos.y >= c.questions.bottom());
        CHECK(c.patterns.bottom() <= at.bottom + 1);
        CHECK(c.all.right() <= in.right() + 1);
        if (k > 0) CHECK(c.all.pos.x > at.columns[k - 1].all.right());
        if (at.captions) CHECK(at.caption_curve >= c.header.bottom() - 1);
      }
      if (height >= 640) CHECK(at.bottom <= in.bottom() + 1);
    }
}

TEST_CASE("trained: the button goes on with new seeds, and never trains the same again", "[app][tradeoff][trained]") {
  TrainedSession s;
  s.set(s.view().tradeoff.trained.steps, 3);
  s.set(s.view().tradeoff.trained.deep, false);
  s.set(s.view().tradeoff.trained.seeds, 1);
  s.ui.frames(2);
  s.train();
  CHECK(s.patterns().size() == 63);
  const Stamp first = s.patterns().front().matrix.stamp();
  s.ui.click("tradeoff/trained/seeds/5");  // of which four are missing
  s.ui.frames(2);
  CHECK_FALSE(s.has_seed(4));
  s.train();
  CHECK(s.view().tradeoff.trained.seeds == 5);
  CHECK(s.has_seed(4));
  s.train();
  CHECK(s.view().tradeoff.trained.seeds == 10);
  CHECK(s.has_seed(9));
  s.train();
  s.train();  // there are no more
  CHECK(s.view().tradeoff.trained.seeds == 20);
  CHECK(s.has_seed(19));
  CHECK(s.has_seed(0));
  CHECK(s.patterns().front().matrix.stamp() == first);
}

TEST_CASE("trained: a rate that is clicked shows its runs, and the best ones again", "[app][tradeoff][trained]") {
  TrainedSession s;
  s.train();
  const auto shown = [&] { return s.patterns().front().matrix.stamp(); };
  const Stamp best = shown();
  s.ui.click("tradeoff/trained/rate/1/1");
  s.ui.frames(2);
  const Stamp low = shown();
  CHECK(s.view().tradeoff.trained.rate == 0.01);
  s.ui.click("tradeoff/trained/rate/1/2");
  s.ui.frames(2);
  const Stamp high = shown();
  CHECK(low != high);
  CHECK((best == low || best == high));
  CHECK_FALSE(s.app.history().can_undo());  // the click opened no model
  s.ui.click("tradeoff/trained/rate/1/2");
  s.ui.frames(2);
  CHECK(s.view().tradeoff.trained.rate == 0);
  CHECK(shown() == best);
  // One rate alone has no choice, and one always stays.
  s.ui.click("tradeoff/trained/rates/.03");
  s.ui.frames(2);
  CHECK(shown() == low);
  CHECK_FALSE(s.ui.exists("tradeoff/trained/rate/1/1"));
  s.ui.click("tradeoff/trained/rates/.01");
  s.ui.frames(2);
  CHECK(s.view().tradeoff.trained.rates == std::vector<double>{0.01});
  s.ui.click("tradeoff/trained/rates/.1");
  s.ui.frames(2);
  CHECK(s.view().tradeoff.trained.rates == std::vector<double>{0.01, 0.1});
}

TEST_CASE("trained: numbers over seeds are of runs that are done, else of those under way",
          "[app][tradeoff][trained]") {
  learn::CountRuns runs = some_runs();
  runs[key_of(4, 1)] = run_of(key_of(4, 1), {0.1, 0.1, 0.1, 0.1}, false);  // not yet
  std::vector<CountSummary> counts = summaries(some_asked(), runs);
  REQUIRE(counts.size() == 3);
  RateSummary four = counts[1].at_best();
  CHECK(four.done);
  CHECK(four.runs == 2);
  CHECK(four.accuracy.mean == Approx((0.825 + 0.975) / 2));
  CHECK(four.accuracy.least == Approx(0.825));
  CHECK(four.accuracy.most == Approx(0.975));
  CHECK(four.by_seed == std::vector<int>{3, 0, 4});
  CHECK(four.answered == 3);  // of 3 and 4, the fewer: no more is claimed than as many runs do
  runs[key_of(4, 0)] = run_of(key_of(4, 0), {0.1}, false);
  runs.erase(key_of(4, 1)), runs.erase(key_of(4, 2));
  four = summaries(some_asked(), runs)[1].at_best();
  CHECK_FALSE(four.done);
  CHECK(four.runs == 1);
  CHECK(four.accuracy.mean == 0.25);  // of its curve's end
  runs.erase(key_of(4, 0));
  counts = summaries(some_asked(), runs);
  CHECK(counts[1].at_best().runs == 0);
  CHECK(walls_sentence(counts, 4, false).empty());
}

TEST_CASE("trained: the best rate has the highest median, and no rate that was not asked for counts",
          "[app][tradeoff][trained]") {
  learn::CountRuns runs = some_runs();
  const auto add = [&](std::uint64_t seed, double accuracy, bool done = true) {
    const learn::CountKey key = key_of(32, seed, 0.03);
    runs[key] = run_of(key, {accuracy, accuracy, accuracy, accuracy}, done);
  };
  const auto best = [&](std::vector<double> rates) {
    return summaries(some_asked(std::move(rates)), runs)[2].at_best().rate;
  };
  add(0, 0), add(1, 0.4), add(2, 0.41);  // median .4 against .35, mean .27 against .35
  CHECK(best({0.01, 0.03}) == 0.03);
  CHECK(best({0.003, 0.01, 0.03}) == 0.03);
  CHECK(best({0.01}) == 0.01);
  CHECK(best({0.003, 0.01}) == 0.01);  // of one nothing was trained
  add(1, 0.35);                        // equal medians: by the mean
  CHECK(best({0.01, 0.03}) == 0.01);
  add(0, 1, false), add(1, 1, false), add(2, 1, false);  // not to the end
  CHECK(best({0.01, 0.03}) == 0.01);
}

TEST_CASE("trained: the sentence says which h answers how many questions", "[app][tradeoff][trained]") {
  const auto of = [](std::vector<std::pair<Index, int>> answered, bool brief, int runs = 3) {
    std::vector<CountSummary> counts;
    for (const auto& [heads, questions] : answered) {
      CountSummary c{{1, heads}, {RateSummary{}}};
      c.rates[0].answered = questions, c.rates[0].runs = runs;
      counts.push_back(c);
    }
    counts.push_back({{4, 1}, {RateSummary{}}});  // the deep one has no part in it
    return walls_sentence(counts, 4, brief);
  };
  CHECK(walls_sentence(summaries(some_asked(), some_runs()), 4, false) ==
        "Of 4 questions the median run answers 1 with 1 head; all with 4; none with 32");
  const std::vector<std::pair<Index, int>> found = {{1, 1}, {2, 2}, {4, 4}, {8, 4}, {16, 1}, {32, 0}};
  CHECK(of(found, false) ==
        "Of 4 questions the median run answers 1 with 1 head; 2 with 2; all with 4 and 8; 1 with 16; none with 32");
  CHECK(of(found, true) == "Of 4 questions the median run answers 1 with 1 head; all with 4 and 8; none with 32");
  CHECK(of({{1, 1}, {4, 4}}, false, 1) == "Of 4 questions the one run answers 1 with 1 head; all with 4");
  CHECK(of({{1, 0}, {2, 0}}, false) == "Of 4 questions the median run answers none with 1 and 2 heads");
  CHECK(of({{2, 1}, {4, 4}, {8, 4}, {16, 4}}, true) ==
        "Of 4 questions the median run answers 1 with 2 heads; all with 4, 8 and 16");
}

TEST_CASE("trained: every model has as many numbers to learn, as the page says", "[app][tradeoff][trained]") {
  for (const TrainedTask& one : trained_tasks()) {
    CAPTURE(one.key);
    const auto task = learn::make_task(one.key);
    for (const Index d_model : {32, 64}) {
      learn::CountsAsked asked;
      asked.d_model = d_model, asked.seeds = 1, asked.steps = 1, asked.heads = {1, 32}, asked.rates = {0.01};
      for (const auto& [key, run] : learn::train_head_counts(asked, task, {}, nullptr, nullptr, {})) {
        const Document& document = *run->document;
        Index numbers = document.weights.E.size() + document.weights.W_U.size() + document.weights.b_U.size();
        if (task->info().recipe.positions.kind == learn::PositionRecipe::Kind::learned)  // else they stay as they are
          numbers += document.weights.P.size();
        for (const Layer& layer : document.layers)
          numbers +=
              layer.weights.W_Q.size() + layer.weights.W_K.size() + layer.weights.W_V.size() + layer.weights.W_O.size();
        CHECK(parameter_count(task->info(), d_model, key.layers) == numbers);
      }
    }
  }
  CHECK(parameter_count(learn::make_task("students")->info(), 32) == 8608);
}

TEST_CASE("trained: shares in three characters, and the progress in words", "[app][tradeoff][trained]") {
  CHECK(accuracy_text(0.984) == ".98");
  CHECK(accuracy_text(0.999) == "1.0");
  CHECK(accuracy_text(0) == ".00");
  Measured<HeadCountsMeasure> counts;
  counts.wanted = some_asked();
  HeadCountsMeasure::Trained trained{"students", 32, 1500, false, some_runs()};
  trained.runs.erase(key_of(32, 2));
  HeadCountsMeasure::Result result{{std::make_shared<const HeadCountsMeasure::Trained>(trained)}, -1};
  const auto text = [&] {
    counts.value = std::make_shared<const HeadCountsMeasure::Result>(result);
    return progress_text(counts);
  };
  CHECK(text() == "8 of 9 runs done");
  result.seconds_left = 11.6;
  CHECK(text() == "8 of 9 runs done, 12 s left");
  counts.stopped = true;
  CHECK(text() == "Ending");
}

TEST_CASE("trained: the quoted table has the rows of the paper", "[app][tradeoff][trained]") {
  const std::vector<PublishedQuality>& rows = published_head_counts().rows;
  for (const PublishedQuality& row : rows) CHECK(row.heads * row.d_k == 512);
  REQUIRE(rows.size() == 5);
  // What the page says of them: one head is worst, 32 are worse than 8 and 16.
  CHECK(std::ranges::min_element(rows, {}, &PublishedQuality::bleu)->heads == 1);
  CHECK(std::ranges::max_element(rows, {}, &PublishedQuality::perplexity)->heads == 1);
  CHECK(rows[4].heads == 32);
  CHECK(rows[4].bleu < std::min(rows[2].bleu, rows[3].bleu));
  CHECK(rows[4].perplexity > std::max(rows[2].perplexity, rows[3].perplexity));
}

TEST_CASE("trained: the page stands in the Learn view, too, with the same models", "[app][tradeoff]") {
  TrainedSession s;
  s.set(s.view().view, ViewId::learn);
  s.ui.frames(2);
  s.ui.click("learn/page/counts");
  s.ui.frames(2);
  s.train();
  CHECK(s.patterns().size() > 0);
  const std::size_t there = s.patterns().size();
  s.set(s.view().view, ViewId::tradeoff);
  s.rest();
  CHECK(s.patterns().size() == there);
}

TEST_CASE("trained: the task is a choice, what was trained of each stays, and words say which it is",
          "[app][tradeoff][trained]") {
  TrainedSession s;
  s.set(s.view().tradeoff.trained.deep, false);
  s.set(s.view().tradeoff.trained.seeds, 1);
  s.set(s.view().tradeoff.trained.rates, {0.01});
  s.set(s.view().tradeoff.trained.steps, 3);
  for (const TrainedTask& task : trained_tasks()) {
    CAPTURE(task.key);
    s.ui.click(std::string("tradeoff/trained/task/") + task.key);
    CHECK(s.view().tradeoff.trained.task == task.key);
    const learn::CountsAsked asked = asked_of(s.view().tradeoff.trained);
    CHECK(asked.task == task.key);
    s.train();
    CHECK(s.pictures_of(s.learned_tokens(task.key)).size() >= 63);
    // Each is what its task's run gives by itself.
    const auto alone = learn::train_head_counts(asked, learn::make_task(task.key), {}, nullptr, nullptr, {});
    s.ui.click(s.ui.rect("tradeoff/trained/curve/4").center());
    s.rest();
    CHECK(same_document(s.document(), *alone.at({{1, 4}, 0.01, 0})->document));
    CHECK_FALSE(s.ui.exists("tradeoff/trained/cancel"));
  }
  CHECK(s.app.failure().empty());
  s.set(s.view().tradeoff.trained.task, "nowhere");  // what a list may say
  s.ui.frames(2);
  CHECK(s.ui.exists("tradeoff/trained/note"));
}
