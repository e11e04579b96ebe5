// A document goes on over other checkpoints of its model's training.
#include <filesystem>

#include "app/app_state.h"
#include "core/checkpoints/stored.h"
#include "core/document/model_file.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

bool has_changed_weights(const Document& document) {
  const auto& of_file = document.file->model.layers;
  for (std::size_t k = 0; k < std::min(document.layers.size(), of_file.size()); ++k)
    for (const Quantity p : kWeights)
      if (*field_of(document.layers[k].weights, p) != *field_of(of_file[k].weights, p)) return true;
  return false;
}

}  // namespace

const CheckpointSeries* App::State::series_here() const {
  const std::shared_ptr<const ModelFile>& file = shown().document.file;
  return file && series && series->place_of(file->path) ? &*series : nullptr;
}

void App::State::go_to_checkpoint(const act::GoToCheckpoint& asked) {
  const Document& now = history.current();
  if (!now.file) return notify(wording("checkpoints:series.none"), true);
  if (same_file(now.file->path, asked.path) || !may_read(wording("frame:next_file"))) return;
  history.commit();
  going = asked, going_from = history.version();
  read({asked.path, FileKeeper::Kind::document, false, {}, std::make_shared<const Document>(now), asked.with_edits});
}

void App::State::go_on_over(FileKeeper::Read& read) {
  if (read.series) series = std::move(read.series);
  const std::string name = std::filesystem::path(read.path).filename().string();
  if (!read.whole.empty()) {
    front.question = Question{
        Question::About::checkpoint,
        wording("checkpoints:series.edits", {{"checkpoint", name}}),
        {wording("checkpoints:series.edits.whole", {{"n", read.whole.size()}, {"names", listed_names(read.whole)}})},
        {wording("checkpoints:series.edits.keep"), wording("checkpoints:series.edits.leave"), wording("frame:cancel")}};
    return;
  }
  const std::optional<act::GoToCheckpoint> asked = std::exchange(going, std::nullopt);
  if (!read.opened) return notify(read.fault, true);
  if (asked && going_from != history.version()) return go_to_checkpoint(*asked);  // edited meanwhile
  history.commit();
  gesture.reset();
  const Document& next = read.opened->document;
  const Notes before = std::exchange(followed_notes, next.notes);  // the page is the same, and stays as it is
  if (!apply_edit(ReplaceDocument{next, name, {}, false, true}, true)) {
    followed_notes = before;
    return;
  }
  note(act::GoToCheckpoint{read.path, read.with_edits});
  notify(wording(has_changed_weights(next) ? "checkpoints:series.here.changed" : "checkpoints:series.here",
                 {{"checkpoint", name}}),
         false);
}

void App::State::answer_checkpoint(int choice) {
  std::optional<act::GoToCheckpoint> asked = std::exchange(going, std::nullopt);
  if (!asked || choice > 1) return;
  asked->with_edits = choice == 0;
  go_to_checkpoint(*asked);
}

}  // namespace hydra
