// A layout of one's own for a model whose arrays no family reads: the offer, the page's draft, and saving it.
#include <filesystem>

#include "app/app_state.h"
#include "core/error.h"
#include "core/text/wording.h"

namespace hydra {

void App::State::offer_layout(const FileKeeper::Read& unreadable) {
  unread = unreadable.path;
  front.question = Question{Question::About::arrays,
                            wording("mapping:offer", {{"model", std::filesystem::path(unread).filename().string()}}),
                            {unreadable.fault},
                            {wording("mapping:offer.lay_out"), wording("mapping:offer.leave")}};
}

void App::State::answer_arrays(int choice) {
  const std::string path = std::exchange(unread, {});
  if (choice == 0) begin_layout(path);
}

// Of the file only what is said of its arrays is read.
void App::State::begin_layout(const std::string& path) {
  if (front.layout) left_layout = std::exchange(front.layout, nullptr);
  if (path.empty()) return;
  if (left_layout && left_layout->path == path) {  // what was left is gone on with
    front.layout = std::exchange(left_layout, nullptr);
    return;
  }
  try {
    front.layout = std::make_shared<const LayoutDraft>(begun_draft(path));
    notice.sentence.clear();
  } catch (const InputError& fault) {
    notify(fault.what(), true);
  }
}

void App::State::change_layout(const std::function<void(LayoutDraft&)>& change) {
  if (!front.layout) return notify(wording("mapping:none"), true);
  try {
    LayoutDraft draft = *front.layout;
    change(draft);
    draft.settle();
    front.layout = std::make_shared<const LayoutDraft>(std::move(draft));
    notice.forget_refusal();
  } catch (const InputError& fault) {
    notice.refuse(fault.what());
  }
}

void App::State::save_layout() {
  if (!front.layout) return notify(wording("mapping:none"), true);
  const LayoutDraft& draft = *front.layout;
  if (!draft.check.is_whole()) return notify(sentence_of(draft), true);
  std::error_code ignored;
  if (!std::filesystem::exists(draft.file, ignored)) return write_layout();
  const std::string name = std::filesystem::path(draft.file).filename().string();
  front.question = Question{Question::About::layout,
                            wording("frame:replace", {{"file", name}}),
                            {wording("mapping:replace", {{"file", draft.file}})},
                            {wording("frame:replace.do"), wording("frame:cancel")},
                            1};
}

void App::State::write_layout() {
  if (!front.layout) return;
  const LayoutDraft& draft = *front.layout;
  write({draft.file, {}, 0, std::nullopt, layout_text(draft.layout), wording("mapping:the_layout"), draft.path});
}

}  // namespace hydra
