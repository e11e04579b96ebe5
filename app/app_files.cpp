// Opening, saving and closing, with the questions that are asked before a user's work could be lost by it.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <new>

#include "app/app_state.h"
#include "app/platform/files.h"
#include "app/scene/actions/apply.h"
#include "app/scene/focus.h"
#include "core/error.h"
#include "core/failure.h"
#include "core/files/utf8.h"
#include "core/io/examples.h"
#include "core/text/wording.h"

namespace hydra {

bool has_example(const std::string& file) {
  if (!find_example(file) || !example_text(file).empty()) return true;
  std::string fetched = fetched_example(file);
  if (fetched.empty()) return false;
  keep_example(file, std::move(fetched));
  return true;
}

namespace {

// What a link changes; empty: nothing, or the link cannot be read, and whoever reads it says why.
std::string example_of_link(const std::string& link) {
  try {
    return names_link(link) ? example_wanted(link) : "";
  } catch (const InputError&) {
    return "";
  }
}

constexpr std::string_view kExampleLink = "#example=";  // how a page asks for one that it has fetched

std::string base_name(const std::string& path) {
  return names_link(path) ? wording("frame:the_link") : std::filesystem::path(path).filename().string();
}

Question closing_question(const Document& document, const KeptFile& file, std::size_t others) {
  Question question{Question::About::closing, wording("frame:closing", {{"file", name_of(file)}}), {}, {}};
  const std::string what = first_words(document);
  question.lines.push_back(file.path.empty() ? wording("frame:closing.no_file", {{"words", what}})
                                             : file.path + ": " + what);
  if (others > 0) question.lines.push_back(wording("frame:closing.others", {{"n", others}}));
  question.answers = {wording("frame:save"), wording("frame:discard"), wording("frame:stay")};
  if (others > 0) question.answers.insert(question.answers.begin() + 2, wording("frame:discard_all"));
  return question;
}

Question overwriting_question(const std::string& path) {
  return {Question::About::overwriting,
          wording("frame:replace", {{"file", base_name(path)}}),
          {wording("frame:replace.changed", {{"file", path}})},
          {wording("frame:save_as"), wording("frame:replace.do"), wording("frame:cancel")}};
}

}  // namespace

std::string name_of(const KeptFile& file) {
  return file.path.empty() ? wording("frame:untitled") : base_name(file.path);
}

std::string first_words(const Document& document) {
  std::string text = document.sentence;
  if (document.tokens) {
    text.clear();
    for (const std::string& token : *document.tokens) text += (text.empty() ? "" : " ") + token;
  }
  return wording("frame:quoted", {{"text", shortened(text, 80)}});
}

// --- opening

bool App::State::may_read(const std::string& name) {
  if (front.question)
    notify(wording("frame:open.question"), true);
  else if (!files.reading().empty())
    notify(wording("frame:open.other", {{"file", base_name(files.reading())}, {"next", name}}), true);
  return !front.question && files.reading().empty();
}

void App::State::open(const act::Open& asked) {
  const std::string& file = asked.path;
  if (file.starts_with(kExampleLink)) return open_example(file.substr(kExampleLink.size()));
  if (!may_read(wording("frame:next_file"))) return;
  if (const std::string example = example_of_link(file); !has_example(example) && open_shipped(example.c_str(), file))
    return;
  read({file, asked.as_text || is_text_file(file) ? FileKeeper::Kind::text : FileKeeper::Kind::document, false,
        asked.model});
}

void App::State::open_example(const std::string& file) {
  if (!may_read(wording("frame:the_example"))) return;
  if (!has_example(file) && open_shipped(file.c_str())) return;
  read({file, FileKeeper::Kind::example});
}

void App::State::read(FileKeeper::Reading reading) {
  history.commit();
  gesture.reset();
  const std::string file = reading.path;
  try {
    files.read(std::move(reading), frame_patience);
  } catch (const std::bad_alloc&) {
    return notify(base_name(file) + ": " + reason_of(std::current_exception()), true);
  }
  if (files.has_read()) return take_opened();
  notice.sentence.clear();
  say_what_files_do();
}

// What was edited meanwhile belongs to the document before: Undo brings it back.
void App::State::take_opened() {
  std::optional<FileKeeper::Read> read = files.take_read();
  if (!read) return;
  hydra::let_go(read->path);
  if (read->over) return go_on_over(*read);
  if (read->text) return learn_from(read->path, std::move(*read->text));
  if (read->run) return open_run(read->path, std::move(*read->run));
  if (read->lacks_model && !read->beside) return ask_for_model(*read);
  if (read->lacks_layout && !read->beside) return offer_layout(*read);
  if (!read->opened) return notify(read->fault, true);
  if (read->series) series = std::move(read->series);
  if (read->beside) {
    const Example* example = find_example(read->path);
    note(act::PutBeside{read->path});
    return lay_beside(std::make_shared<const ModelBeside>(
        ModelBeside{example ? example->title : base_name(read->path), std::move(read->opened->document)}));
  }
  history.commit();
  gesture.reset();
  const std::optional<LinkPlace> place = std::move(read->opened->place);
  const Example* example = find_example(read->opened->example);
  const std::string name = example ? example->title : place ? wording("frame:a_link") : read->path;
  if (replace_document({std::move(read->opened->document), name, std::move(read->opened->file)}))
    note(example ? Action(act::OpenExample{example->file}) : Action(act::Open{read->path, false}));
  if (place) look_at(*place);
}

void App::State::ask_for_model(const FileKeeper::Read& lacking) {
  front.picking.lacking = lacking.path;
  front.question = Question{Question::About::model,
                            wording("frame:model_gone", {{"file", base_name(lacking.path)}}),
                            {lacking.fault},
                            {wording("frame:model_gone.find"), wording("frame:model_gone.leave")}};
}

// As the program begins with the link: what was open of the document before is not of this one, and whether it has as
// many rows is known only when it is evaluated.
void App::State::look_at(const LinkPlace& place) {
  forget_selection(view);
  set(view.inspector_view, std::nullopt);
  for (const Action& way : ways_to(view, place)) apply_if_of_view(view, way);
  set(view.inspected, {Quantity::W_Q, view.layer, view.focused_head});
  const int layers = static_cast<int>(history.current().layers.size());
  if (place.layer) wished_layer = std::min(*place.layer, layers) - 1;
}

// What is too large for a link has its file to be given, or one to be saved in.
void App::State::copy_link() {
  try {
    const std::string link = link_text(history.current(), place_of(view), page_address);
    ImGui::SetClipboardText(link.c_str());
    notify(page_address.empty() ? wording("frame:link.copied", {{"n", link.size()}})
                                : wording("frame:link.copied.of_page", {{"n", link.size()}}),
           false);
    notice.insist(4);
  } catch (const InputError& refused) {
    notify(std::string("T") + (refused.what() + 1), true);
  }
}

// Changes no document: it is chosen as what would be learned from.
void App::State::learn_from(const std::string& path, std::string text) {
  set(view.view, ViewId::learn);
  set(view.learn.page, LearnPage::run);
  view.learn.setup.text = std::move(text);  // as it is: the view says what is wrong with it
  note(act::Open{path, true});
  train(act::LearnChoose{"text"});
  notify(wording("frame:learn.reads", {{"file", base_name(path)}}), false);
}

void App::State::open_run(const std::string& path, learn::RunFile run) {
  if (learn.shown().training) return notify(wording("frame:learn.pause_first"), true);
  history.commit();
  gesture.reset();
  try {
    LearnTool::Asks asks = learn.open(std::move(run), view);
    choose(asks.choices);
    if (replace_document(std::move(*asks.replace))) note(act::Open{path, false});
  } catch (const InputError& fault) {
    return notify(base_name(path) + ": " + fault.what(), true);
  }
  set(view.view, ViewId::learn);
  set(view.learn.page, LearnPage::run);
  notify(wording("frame:learn.again", {{"file", base_name(path)}}), false);
}

bool App::State::replace_document(ReplaceDocument replacement) {
  const std::string left = history.modified() ? name_of(history.file()) : "";
  const std::string said = replacement.unsaved ? wording("frame:recovered", {{"document", replacement.name}})
                                               : wording("frame:opened", {{"document", replacement.name}});
  const int lineage = history.lineage();
  if (!apply_edit(std::move(replacement), true)) return false;
  notify(said, false);
  if (left.empty() || history.lineage() == lineage) return true;
  notify(wording("frame:opened.kept", {{"opened", said}, {"file", left}}), false);
  notice.insist(4);
  return true;
}

void App::State::step_through_history(void (History::*step)()) {
  const int lineage = history.lineage();
  (history.*step)();
  if (history.lineage() == lineage) return;
  const std::string file = name_of(history.file());
  notify(history.modified() ? wording("frame:back.unsaved", {{"file", file}}) : wording("frame:back", {{"file", file}}),
         false);
  notice.insists = true;
}

// --- saving

void App::State::save(const std::string& file) {
  const KeptFile& own = history.file();
  const std::string target = file.empty() ? own.path : file;
  if (target.empty()) {
    front.file_dialog = FileDialog::save;
    return;
  }
  const bool replaces = same_file(target, own.path);
  write({target, history.current(), history.lineage(), replaces ? std::optional(own) : std::nullopt});
}

void App::State::save_run(const std::string& file) {
  const std::optional<learn::RunFile> run = learn.as_file();
  if (run) write({file, {}, 0, std::nullopt, learn::run_file_text(*run), wording("frame:the_run")});
}

void App::State::save_done(const std::string& file) {
  const std::string gone = done.begins_later() ? "# What was done before this is not kept any more.\n" : "";
  write({file, {}, 0, std::nullopt, gone + spelled(done_from_nothing()), wording("frame:what_was_done")});
}

void App::State::write(FileKeeper::Writing writing) {
  if (!files.writing().empty())
    return notify(wording("frame:save.other", {{"file", base_name(files.writing())}}), true);
  files.write(std::move(writing), frame_patience);
  take_written();
  if (!files.writing().empty()) notice.sentence.clear();
  say_what_files_do();
}

// What was edited meanwhile is not saved.
void App::State::take_written() {
  std::optional<FileKeeper::Written> written = files.take_written();
  if (!written) return;
  if (written->file) {
    const FileKeeper::Writing& writing = written->writing;
    if (!writing.text) history.mark_saved(writing.lineage, writing.document, std::move(*written->file));
    notify(writing.text ? wording("frame:saved.in", {{"what", writing.called}, {"file", writing.path}})
                        : wording("frame:saved", {{"file", writing.path}}),
           false);
    if (!writing.opens.empty()) {
      front.layout.reset();
      return open({writing.opens});
    }
    if (closing && !front.question) ask_before_closing();
  } else if (!written->fault.empty()) {
    notify(written->fault, true);
  } else {
    overwriting = std::move(written->writing);
    notice.sentence.clear();
  }
}

// --- in the background

bool App::State::update_files() {
  const std::string before = notice.sentence;
  const std::uint64_t saved = history.unsaved_version(), version = history.version();
  take_written();
  const bool free = !front.asks();
  // A gesture is not cut off, and who closes the window is asked about nothing that was not there.
  if (free && !closing && files.has_read() && !(history.in_gesture() && ImGui::IsAnyMouseDown())) take_opened();
  const bool asks = free && overwriting && !front.question;
  if (asks) front.question = overwriting_question(overwriting->path);
  say_what_files_do();
  return asks || notice.sentence != before || saved != history.unsaved_version() || version != history.version();
}

// Where no other notice stands.
void App::State::say_what_files_do() {
  const bool writing = !files.writing().empty();
  if (!notice.sentence.empty() || (!writing && files.reading().empty())) return;
  notify(writing ? wording("frame:saving", {{"file", base_name(files.writing())}})
                 : wording("frame:opening", {{"file", base_name(files.reading())}}),
         false);
  notice.insist(std::numeric_limits<double>::infinity());
}

// --- closing

void App::State::close() {
  if (closing && front.question) return;
  history.commit();
  front.file_dialog = FileDialog::none;
  front.question.reset();
  overwriting.reset();
  if (!closing) closing.emplace();
  if (files.writing().empty()) ask_before_closing();  // else when it is written
}

void App::State::ask_before_closing() {
  std::vector<History::Unsaved> unsaved = history.unsaved();
  std::erase_if(unsaved, [&](const History::Unsaved& work) {
    return std::find(closing->discarded.begin(), closing->discarded.end(), work.lineage) != closing->discarded.end();
  });
  if (unsaved.empty() && ask_of_kept()) return;
  quit = unsaved.empty();
  if (quit && recovery) recovery->keep({});
  if (quit) update_runs();
  if (quit) return;
  const History::Unsaved& next = unsaved.front();
  for (std::size_t k = 0; k < next.undos; ++k, ++closing->undone) history.undo();
  front.question = closing_question(next.document, next.file, unsaved.size() - 1);
}

// Everything is as it was before closing was asked for.
void App::State::stay_open() {
  for (; closing->undone > 0; --closing->undone) history.redo();
  closing.reset();
}

void App::State::answer(int choice) {
  if (!front.question) return;
  const Question::About about = front.question->about;
  const std::size_t answers = front.question->answers.size();
  front.question.reset();
  if (about == Question::About::closing) {
    if (choice == 0) save("");
    if (choice == 1) {
      closing->discarded.push_back(history.lineage());
      ask_before_closing();
    }
    if (choice == 2 && answers == 4) {
      for (const History::Unsaved& work : history.unsaved()) closing->discarded.push_back(work.lineage);
      ask_before_closing();
    }
  } else if (about == Question::About::overwriting) {
    FileKeeper::Writing writing = std::move(*std::exchange(overwriting, std::nullopt));
    writing.unless_changed.reset();
    if (choice == 0) front.file_dialog = FileDialog::save;
    if (choice == 1) write(std::move(writing));
  } else if (about == Question::About::kept) {
    answer_kept(choice);
  } else if (about == Question::About::memory) {
    answer_memory(choice == 0);
  } else if (about == Question::About::arrays) {
    answer_arrays(choice);
  } else if (about == Question::About::layout) {
    if (choice == 0) write_layout();
  } else if (about == Question::About::checkpoint) {
    answer_checkpoint(choice);
  } else if (about == Question::About::model) {
    if (choice == 0) front.file_dialog = FileDialog::find_model;
  } else {
    answer_recovering(choice);
  }
}

}  // namespace hydra
