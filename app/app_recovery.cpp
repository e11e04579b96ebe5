// Unsaved work survives the program: it is kept beside the user's files, and offered when the next window opens.
#include <ctime>
#include <utility>

#include "app/app_state.h"

namespace hydra {

namespace {

// "22 November 2026, 01:02", as the user's clock has it.
std::string moment(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  char text[64];
  if (::localtime_r(&time, &local) == nullptr || std::strftime(text, sizeof text, "%d %B %Y, %H:%M", &local) == 0)
    return "an unknown time";
  return text[0] == '0' ? text + 1 : text;
}

Question recovering_question(const RecoveryKeeper::Found& found, std::size_t others) {
  const Recovery& recovery = found.recovery;
  const std::string what = first_words(recovery.document);
  const bool untitled = recovery.file.path.empty();
  Question question{
      Question::About::recovering,
      untitled ? "Recover an untitled document?" : "Recover unsaved changes to " + name_of(recovery.file) + "?",
      {untitled ? what : recovery.file.path + ": " + what,
       "Written " + moment(recovery.written) + ", by a window that ended without saving it."},
      {"Recover", "Discard", "Later"}};
  std::string more;
  if (others > 0) more = std::to_string(others) + (others == 1 ? " document more follows" : " documents more follow");
  if (found.waiting > 0)
    more += (others > 0 ? ", and " : "") + std::to_string(found.waiting) + " when the program is started again";
  if (!more.empty()) question.lines.push_back(more + ".");
  return question;
}

}  // namespace

void App::keep_recovery_in(const std::string& folder) {
  state_->recovery.emplace(folder);
  if (state_->wake) state_->recovery->on_news(state_->wake);
}

void App::finish_recovery() {
  if (!state_->recovery) return;
  state_->keep_recovery();
  state_->recovery->finish();
}

bool App::State::update_recovery() {
  if (!recovery || quit) return false;
  if (kept_version != history.unsaved_version()) {
    recovery->keep(history.unsaved());
    kept_version = history.unsaved_version();
  }
  for (RecoveryKeeper::Found& one : recovery->take_found()) found.push_back(std::move(one));
  const std::optional<std::string> fault = recovery->take_fault();
  if (fault) notify(*fault, true);
  const bool asks = !found.empty() && !view.question && view.file_dialog == FileDialog::none && !closing;
  if (asks) view.question = recovering_question(found.front(), found.size() - 1);
  return asks || fault;
}

void App::State::answer_recovering(int choice) {
  if (found.empty()) return;
  if (choice != 0 && choice != 1) {
    found.clear();
    return recovery->release();
  }
  RecoveryKeeper::Found one = std::move(found.front());
  found.erase(found.begin());
  if (choice == 1) return recovery->discard(std::move(one));
  const KeptFile& file = one.recovery.file;
  history.commit();
  const int before = history.lineage();
  replace_document({one.recovery.document, name_of(file), file, true});
  if (history.lineage() != before)
    recovery->adopt(std::move(one), history.lineage());
  else
    recovery->discard(std::move(one));  // it is what is open already
}

}  // namespace hydra
