// A run as a file: what made it, and its steps taken again, branch by branch.
#include "app/tools/learn_tool.h"
#include "app/views/frame/ui.h"
#include "core/learn/model.h"
#include "core/learn/runs/run_command.h"
#include "core/learn/runs/train_again.h"
#include "core/learn/start.h"

namespace hydra {

namespace {

std::vector<float> drawn_parameters(const learn::Task& task, const learn::Timeline::Branch& branch,
                                    const lanes::Compiled& compiled) {
  return learn::parameters_of(learn::starting_document(task, branch.recipe, branch.seed), compiled);
}

}  // namespace

learn::RunFile LearnTool::file_of(const Aside& run) {
  learn::RunFile file;
  file.task = run.begun.task, file.text = run.begun.text, file.characters = run.begun.characters;
  if (file.task != "text") file.text.clear(), file.characters = false;
  const auto with_document = [&](const learn::Parameters& parameters) {
    file.document = std::make_shared<const Document>(learn::with_parameters(*run.document, *run.compiled, parameters));
  };
  for (int k = 0; k < run.timeline->size(); ++k) {
    const learn::Timeline::Branch& branch = run.timeline->branch(k);
    learn::RunFile::Branch& own = file.branches.emplace_back();
    static_cast<learn::BranchCause&>(own) = branch;
    own.last = branch.last(), own.diverged = branch.diverged;
    own.parameters = learn::parameters_hash(*branch.kept.rbegin()->second.parameters);
    if (branch.parent >= 0) continue;
    own.from_document = *branch.first() != drawn_parameters(*run.task, branch, *run.compiled);
    if (own.from_document) with_document(branch.first());
  }
  const learn::RunFile::Branch& first = file.branches.front();
  const Document drawn = learn::starting_document(*run.task, first.recipe, first.seed);
  if (!file.document && !same_document(model_of(drawn), model_of(*run.document)))
    with_document(run.timeline->branch(0).first());
  file.branch = run.branch, file.step = run.step;
  return file;
}

LearnSetup LearnTool::setup_of(const learn::RunFile& file) {
  LearnSetup setup;
  setup.task = file.task, setup.text = file.text, setup.characters = file.characters;
  setup.recipe = file.branches.front().recipe, setup.seed = file.branches.front().seed;
  return setup;
}

// While branches of a file are still to be trained again it is that file.
learn::RunFile LearnTool::present_file() const {
  if (!again_) return file_of(present());
  learn::RunFile file = again_->file;
  file.branch = shown_.branch, file.step = shown_.step;
  return file;
}

std::optional<learn::RunFile> LearnTool::as_file() const {
  if (!timeline_) return std::nullopt;
  return present_file();
}

void LearnTool::copy_command(Notice& notice) const {
  if (!timeline_) return;
  const learn::RunFile file = file_of(present());
  std::string command = learn::command_of(file, shown_.branch, shown_.task->info());
  std::string said = wording("tools:command.copied");
  if (command.empty()) {
    command = "hydrascope train --run " + file.task + ".run.json --branch " + std::to_string(shown_.branch) +
              " --save " + file.task + ".json --out " + file.task + ".result.json";
    said = wording("tools:command.copied.of_file", {{"file", file.task + ".run.json"}});
  }
  ImGui::SetClipboardText(command.c_str());
  notice.say(std::move(said), 8);
}

LearnTool::Asks LearnTool::open(learn::RunFile file, const ViewState& view) {
  const LearnSetup setup = setup_of(file);
  const learn::RunFile::Branch& first = file.branches.front();
  const auto task = tasks_.of(setup);
  Document model = file.document ? *file.document : learn::starting_document(*task, first.recipe, first.seed);
  if (file.document && !first.from_document) {
    const Document drawn = learn::starting_document(*task, first.recipe, first.seed);
    const lanes::Compiled compiled(learn::shape_of(model, task->info(), first.recipe));
    model = learn::with_parameters(model, compiled,
                                   std::make_shared<const std::vector<float>>(learn::parameters_of(drawn, compiled)));
  }
  learn::put_gates(model, first.gates);
  learn::shape_of(model, task->info(), first.recipe);
  pause();
  learner_.set_pace(view.learn.pace);
  most_bytes_ = view.learn.most_bytes;
  begin(model, setup, first.name);
  shown_.again = 0, shown_.again_of = int_size(file.branches);
  again_ = Again{std::move(file)};
  return {choices_for(setup, view), ReplaceDocument{document_at(0, 0), shown_.name}};
}

// The next branch, when nothing else is under way; after the last one, where the file was left.
void LearnTool::go_on_again(Outbox& out) {
  if (!again_ || again_->paused || training_ >= 0 || recaller_.under_way()) return;
  const learn::RunFile& file = again_->file;
  const auto show = [&](int branch, int step) {
    Asks asks = go_to(branch, step, true);
    if (asks.set) out.preview(std::move(*asks.set));
    if (asks.done) out.commit();
  };
  for (; again_->next < int_size(file.branches); ++again_->next) {
    const learn::RunFile::Branch& wanted = nth(file.branches, again_->next);
    shown_.again = again_->next;
    int k = again_->next, parent = k;
    if (again_->next >= timeline_->size()) {
      learn::Timeline::Branch branch;
      static_cast<learn::BranchCause&>(branch) = wanted;
      learn::Parameters start;
      if (wanted.parent < 0) {
        const Document drawn = learn::starting_document(*shown_.task, wanted.recipe, wanted.seed);
        branch.own_start = true, branch.sources = sources_of(drawn);
        start = std::make_shared<const std::vector<float>>(learn::parameters_of(drawn, *compiled_));
      } else {
        parent = timeline_->owner(wanted.parent, wanted.from);
        if (!timeline_->is_there(parent, wanted.from)) return recall(parent, wanted.from);
        start = timeline_->at(parent, wanted.from).parameters;
        if (!wanted.edited.empty()) {
          std::vector<float> edited = *start;
          learn::apply_edits(*compiled_, wanted.edited, edited);
          start = std::make_shared<const std::vector<float>>(std::move(edited));
          branch.own_start = true, branch.sources = sources_of(document_at(parent, wanted.from));
        }
      }
      timeline_->add(std::move(branch), std::move(start));
    }
    const int at = timeline_->branch(k).last();
    if (at >= wanted.last || timeline_->branch(k).diverged) continue;
    out.preview(set_to(k, at));
    return take_on(k, parent, at, {wanted.last, {}, {}});
  }
  const learn::RunFile done = std::move(std::exchange(again_, std::nullopt)->file);
  shown_.again_of = 0;
  show(done.branch, done.step);
  int others = 0;
  for (int k = 0; k < int_size(done.branches); ++k) {
    const std::uint64_t was = nth(done.branches, k).parameters;
    others += was != 0 && was != learn::parameters_hash(*timeline_->branch(k).kept.rbegin()->second.parameters);
  }
  tell(others == 0 ? wording("tools:again.same") : wording("tools:again.others", {{"n", others}}));
}

}  // namespace hydra
