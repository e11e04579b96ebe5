// Training, a tool of the Learn view: a run as branches of a timeline (core/learn/timeline.h), of which the document is
// one step. Training, scrubbing and playing set the document's parameters, a gesture each; an edit made meanwhile
// pauses them, and training goes on from it as a branch. It goes on in whatever view is open.
#pragma once
#include <deque>
#include <optional>

#include "app/tools/follow_keeper.h"
#include "app/tools/learn_tasks.h"
#include "app/tools/opened_keeper.h"
#include "app/tools/pruning_keeper.h"
#include "app/views/frame/context.h"
#include "app/views/learn/experiments.h"
#include "app/work/learner.h"
#include "app/work/recaller.h"
#include "app/work/runs_keeper.h"
#include "core/learn/runs/run_file.h"

namespace hydra {

class LearnTool {
 public:
  // What an action asks of the frame, in this order.
  struct Asks {
    std::vector<act::Choose> choices = {};  // of the controls
    std::optional<ReplaceDocument> replace = {};
    std::optional<Edit> set = {};
    bool done = true;  // the edit ends its gesture
  };
  Asks handle(const Action& action, const Document& document, const ViewState& view, Notice& notice);
  // The run as a file (runs/run_file.h); none: there is no run.
  std::optional<learn::RunFile> as_file() const;
  // The run, by its id, when it has changed since this was asked last; not while it is trained, unless that ends.
  std::optional<RunsKeeper::Run> take_changed(bool ends = false);
  void add_found(std::vector<RunsKeeper::Run> runs);  // of earlier windows: put aside, as files
  // Begins such a run, and trains it again to where it had come. The present one is put aside. Throws InputError.
  Asks open(learn::RunFile file, const ViewState& view);
  // Once a frame: takes over what was trained, plays on. Sends edits.
  void update(const Document& document, float seconds, const ViewState& view, Outbox& out);
  // When the document is another one: where in the run it is. What it gives is to be chosen, at once: the controls of
  // the run that Undo has come back to.
  std::vector<act::Choose> follow(const Document& document, int lineage, const ViewState& view);

  // Where Learn is looked at. To be chosen, at once: the controls of a task, of the document's if there is one for it.
  std::vector<act::Choose> look_at_controls(const Document& document, const ViewState& view);

  const LearnTold& shown() const { return shown_; }
  bool trains() const { return training_ >= 0; }
  void hurry() { hurries_ = true; }  // steps wait for no pace from now on: nobody looks
  bool under_way() const { return training_ >= 0 || shown_.playing || recaller_.under_way(); }
  BackgroundWork& background() { return learner_.background(); }
  BackgroundWork& recalling() { return recaller_.background(); }
  BackgroundWork& pruning() { return pruning_.background(); }
  BackgroundWork& opening() { return opened_.opening(); }
  BackgroundWork& measuring() { return opened_.measuring(); }
  BackgroundWork& following() { return follow_.background(); }

 private:
  // The document without what is learned, without its sentence and other models: what two documents of one model share.
  static Document model_of(Document document);
  static std::vector<WeightSource> sources_of(const Document& document);
  static std::string seed_name(std::uint64_t seed);
  std::string run_name(const LearnSetup& setup);  // with what is not as the task's recipe has it
  static std::string title_of(const learn::Task& task, const learn::Recipe& recipe);
  static bool trains_alike(learn::Recipe a, const learn::Recipe& b);
  static std::vector<act::Choose> choices_for(const LearnSetup& setup, const ViewState& view);
  void choose(const std::string& key, LearnSetup& setup);
  std::optional<LearnSetup> other_controls(const Document& document, const LearnSetup& setup);
  void tell_of_controls(const Document& document, const LearnSetup& setup);
  bool needs_another_model(const LearnSetup& setup) const;
  bool begins_anew(const LearnSetup& setup) const { return needs_another_model(setup) || !shown_.fits; }
  Asks begin_anew(const Document& document, const LearnSetup& setup);
  void begin(const Document& document, const LearnSetup& setup, std::string name);
  Asks reset(const LearnSetup& setup, const std::string& name);
  Asks try_out(const LearnExperiment& experiment, const ViewState& view, Notice& notice);
  void update_pruning(const ViewState& view);
  std::vector<learn::DrawnSteps> drawn_by(int branch, int end) const;
  std::vector<learn::DrawnSteps> to_be_drawn(int branch) const;
  void update_opened(const Document& document, const ViewState& view);
  void update_followed(const ViewState& view);
  void find_best_held_out();
  Stretch up_to(int branch, int step) const;
  std::vector<float> own_parameters(const Document& document) const;
  void set_pace(double steps_per_second) { learner_.set_pace(hurries_ ? 0 : steps_per_second); }
  void train(const Document& document, const LearnSetup& setup, int steps);
  void take_on(int branch, int parent, int at, StopAt stop_at);
  bool is_as_trained(const Document& document, const LearnSetup& setup) const;
  int branch_to_train(const Document& document, const LearnSetup& setup);
  static std::vector<std::string> other_settings(const learn::Recipe& recipe, const learn::Recipe& from);
  std::string difference(const LearnSetup& setup, const std::vector<double>& gates) const;
  std::vector<double> own_gates(const Document& document) const;
  // A list of actions may name a branch or an experiment that there is not. Empty: it can be done.
  std::string why_not(const Action& action) const;
  Asks go_to(int branch, int step, bool done);
  void recall(int branch, int step);
  void update_recall(Outbox& out);
  void pause();
  void take(Learner::Taken taken);
  void end(Outbox& out);
  void tell(std::string text);  // of the place that is shown
  // The run's model as it was at that step; sets the cursor there.
  Edit set_to(int branch, int step);
  Document document_at(int branch, int step) const;
  void say_sources(Document& document, int branch, int step) const;
  void remember();
  // A document that the history may have, told by what cannot be the same of two by chance.
  struct Place {
    int branch = 0, step = 0;
    std::uint64_t parameters = 0;  // a hash
    std::vector<double> gates;
    bool operator==(const Place&) const = default;
  };
  // Runs that another was begun after. Beyond the bound of all timelines the older ones are kept as files alone.
  struct Aside {
    std::shared_ptr<const learn::Task> task;
    std::shared_ptr<learn::Timeline> timeline;
    LearnSetup begun;
    std::shared_ptr<const Document> document;
    std::shared_ptr<const lanes::Compiled> compiled;
    std::deque<Place> places;
    int branch = 0, step = 0;
    std::string id;                     // when it was begun, and which of those it was
    learn::RunFile file;                // where there is no timeline
    void keep_as(learn::RunFile made);  // alone
  };
  Aside present() const;
  void begin_id();
  void put_aside();
  void keep_a_copy();
  Asks take_up(int run, const ViewState& view);
  void set_present(Aside run);
  bool hold_bound_of_asides();  // true when one has changed
  void show_asides();
  std::optional<LearnSetup> find_among_asides(const Document& document);  // what the run was begun with
  static learn::RunFile file_of(const Aside& run);
  static LearnSetup setup_of(const learn::RunFile& file);
  learn::RunFile present_file() const;
  void forget_again();
  void copy_command(Notice& notice) const;
  void go_on_again(Outbox& out);

  bool is_shown(const Document& document) const;
  Place place_of(const Document& document, int branch, int step) const;
  static std::uint64_t hash_of(const Document& document, const lanes::Compiled& compiled);
  bool take_up(const Document& document, const Place& place);

  Learner learner_;
  Recaller recaller_;
  PruningKeeper pruning_;
  OpenedKeeper opened_;
  FollowKeeper follow_;
  std::shared_ptr<const Explanation> laid_out_;  // what shown_.opened.update is of
  LearnTasks tasks_;
  LearnTold shown_;
  std::shared_ptr<learn::Timeline> timeline_;
  LearnSetup begun_;                          // what the run was begun with
  std::shared_ptr<const Document> document_;  // of the run's model
  std::shared_ptr<const lanes::Compiled> compiled_;
  std::deque<Place> places_;
  std::shared_ptr<const learn::Task> documents_task_;  // of the document, when it was last looked at
  std::deque<Aside> asides_;                           // the last one first
  struct Again {  // the branches of a file that are trained again, one after the other
    learn::RunFile file;
    int next = 0;
    bool paused = false;
  };
  std::optional<Again> again_;
  std::string id_;  // of the present run
  struct At {
    OfRun run;
    int branch = -1, step = -1;
    bool operator==(const At&) const = default;
  } best_of_;  // what shown_.best_step is of
  int begun_runs_ = 0;
  std::uint64_t changes_ = 0, kept_changes_ = 0;  // of the present run
  int seen_lineage_ = 0, own_lineage_ = 0;        // of the history: the document's, and one at a step of the run
  bool unknown_document_ = true;                  // another than the run's, not yet looked at
  std::optional<LearnSetup> looked_at_;           // the controls, as chosen and fault tell of them
  std::size_t most_bytes_ = learn::Timeline::kMostBytes;  // of a run that begins
  int training_ = -1;                                     // the branch
  bool hurries_ = false;
  std::uint64_t edits_ = 0;  // of documents at a step, so far
  double played_ = 0;        // steps, with fractions
  float rate_seconds_ = 0;   // since the rate of steps was last told, and what was taken since
  int rate_steps_ = 0;
};

}  // namespace hydra
