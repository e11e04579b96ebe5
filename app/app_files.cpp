// Opening, saving and closing, with the questions that are asked before a user's work could be lost by it.
#include <algorithm>
#include <filesystem>
#include <new>

#include "app/app_state.h"
#include "core/document/file.h"
#include "core/error.h"
#include "core/failure.h"

namespace hydra {

namespace {

Question closing_question(const Document& document, const KeptFile& file, std::size_t others) {
  Question question{Question::About::closing, "Save the changes to " + name_of(file) + "?", {}, {}};
  const std::string what = first_words(document);
  question.lines.push_back(file.path.empty() ? "It stands in no file yet: " + what : file.path + ": " + what);
  if (others > 0)
    question.lines.push_back("Then you are asked about " + std::to_string(others) +
                             (others == 1 ? " document more that was" : " documents more that were") +
                             " left with unsaved changes.");
  question.answers = {"Save", "Discard", "Stay"};
  return question;
}

Question overwriting_question(const std::string& path) {
  return {Question::About::overwriting,
          "Replace what stands in " + std::filesystem::path(path).filename().string() + "?",
          {path + " was changed by something else since it was last read or written here. Replacing it loses that."},
          {"Save under another name", "Replace", "Cancel"}};
}

}  // namespace

std::string name_of(const KeptFile& file) {
  return file.path.empty() ? "the untitled document" : std::filesystem::path(file.path).filename().string();
}

std::string first_words(const Document& document) {
  std::string text = document.sentence;
  if (document.tokens) {
    text.clear();
    for (const std::string& token : *document.tokens) text += (text.empty() ? "" : " ") + token;
  }
  constexpr std::size_t most = 80;
  if (text.size() <= most) return "“" + text + "”";
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return "“" + text.substr(0, end) + "…”";
}

// --- opening

void App::State::open(const std::string& file) {
  if (view.question) return notify("Answer the question first, then open the file.", true);
  history.commit();
  gesture.reset();
  try {
    OpenedDocument opened = open_document(file);
    replace_document({std::move(opened.document), file, std::move(opened.file)});
  } catch (const InputError& error) {
    notify(error.what(), true);
  } catch (const std::bad_alloc&) {
    notify(file + ": " + reason_of(std::current_exception()), true);
  }
}

void App::State::replace_document(ReplaceDocument replacement) {
  const std::string left = history.modified() ? name_of(history.file()) : "";
  const std::string done = (replacement.unsaved ? "recovered " : "opened ") + replacement.name +
                           (replacement.unsaved ? ", which is not saved yet" : "");
  const int lineage = history.lineage();
  if (!apply_edit(std::move(replacement), true)) return;
  notify(done, false);
  if (left.empty() || history.lineage() == lineage) return;
  notify(done + "; the unsaved changes to " + left + " are kept: Undo brings them back", false);
  view.notice_insists = true;
  view.notice_until += 4;
}

void App::State::step_through_history(void (History::*step)()) {
  const int lineage = history.lineage();
  (history.*step)();
  if (history.lineage() == lineage) return;
  notify("back to " + name_of(history.file()) + (history.modified() ? ", with its unsaved changes" : ""), false);
  view.notice_insists = true;
}

// --- saving

void App::State::save(const std::string& file) {
  const KeptFile own = history.file();
  const std::string target = file.empty() ? own.path : file;
  if (target.empty()) {
    view.file_dialog = FileDialog::save;
  } else if (same_file(target, own.path) && changed_since(own)) {
    overwritten = target;
    view.question = overwriting_question(target);
  } else {
    write(target);
  }
}

void App::State::write(const std::string& file) {
  try {
    history.mark_saved(write_document(history.current(), file));
    notify("saved " + file, false);
    if (closing) ask_before_closing();
  } catch (const InputError& error) {
    notify(error.what(), true);
  } catch (const std::bad_alloc&) {
    notify(file + ": " + reason_of(std::current_exception()), true);
  }
}

// --- closing

void App::State::close() {
  if (closing && view.question) return;
  history.commit();
  view.file_dialog = FileDialog::none;
  view.question.reset();
  if (!closing) closing.emplace();
  ask_before_closing();
}

void App::State::ask_before_closing() {
  std::vector<History::Unsaved> unsaved = history.unsaved();
  std::erase_if(unsaved, [&](const History::Unsaved& work) {
    return std::find(closing->discarded.begin(), closing->discarded.end(), work.lineage) != closing->discarded.end();
  });
  quit = unsaved.empty();
  if (quit && recovery) recovery->keep({});
  if (quit) return;
  const History::Unsaved& next = unsaved.front();
  for (std::size_t k = 0; k < next.undos; ++k, ++closing->undone) history.undo();
  view.question = closing_question(next.document, next.file, unsaved.size() - 1);
}

// Everything is as it was before closing was asked for.
void App::State::stay_open() {
  for (; closing->undone > 0; --closing->undone) history.redo();
  closing.reset();
}

void App::State::answer(int choice) {
  if (!view.question) return;
  const Question::About about = view.question->about;
  view.question.reset();
  if (about == Question::About::closing) {
    if (choice == 0) save("");
    if (choice == 1) {
      closing->discarded.push_back(history.lineage());
      ask_before_closing();
    }
  } else if (about == Question::About::overwriting) {
    if (choice == 0) view.file_dialog = FileDialog::save;
    if (choice == 1) write(overwritten);
  } else if (about == Question::About::memory) {
    answer_memory(choice == 0);
  } else {
    answer_recovering(choice);
  }
}

}  // namespace hydra
