#include "app/scene/action_list.h"

#include <algorithm>

#include "app/scene/action_spelling.h"
#include "app/scene/apply.h"
#include "app/scene/is_one_of.h"
#include "core/error.h"

namespace hydra {

namespace {

// What leaves a gesture as it is.
bool only_looks(const Action& action) {
  return std::visit([]<class Kind>(const Kind&) { return OfView<Kind>; }, action);
}

const LearnAction* lesson_of(const Action& action) {
  const auto* learn = std::get_if<act::Learn>(&action);
  return learn ? &learn->action : nullptr;
}

}  // namespace

std::string why_not_played(const Action& action) {
  if (is_one_of<act::Save, act::SaveRun, act::SaveDone>(action))
    return "a list that is played writes no file of its own";
  if (is_one_of<act::Recover, act::Answer>(action)) return "a list that is played answers no question";
  if (is_one_of<act::CopyLink>(action)) return "a list that is played copies nothing";
  if (is_one_of<act::Quit>(action)) return "a list that is played ends with its last line";
  if (is_one_of<act::MeasureWays, act::StopWays, act::TrainCounts, act::StopCounts, act::Fit, act::StopFit>(action))
    return "what is only measured changes nothing that a list keeps";
  const LearnAction* lesson = lesson_of(action);
  if (lesson && is_one_of<LearnCopyCommand>(*lesson)) return "a list that is played copies nothing";
  if (lesson && is_one_of<LearnPause, LearnPlay>(*lesson))
    return "a list goes to a step at once; {\"LearnGoTo\": {\"branch\": 0, \"step\": 10}} does";
  return "";
}

void ActionList::push(const Action& action) {
  const auto* choose = std::get_if<act::Choose>(&action);
  auto* last = list_.empty() ? nullptr : std::get_if<act::Choose>(&list_.back());
  const auto is_number = [](const std::string& value) {
    return value.find_first_not_of("-0123456789.e+") == value.npos;
  };
  if (choose && last && last->key == choose->key && is_number(choose->value))
    *last = *choose;  // a slider that is dragged
  else
    list_.push_back(action);
}

void ActionList::end_gesture() {
  auto gesture = std::exchange(gesture_, std::monostate());
  if (auto* edit = std::get_if<Edit>(&gesture)) list_.push_back(act::Do{std::move(*edit)});
  if (const auto* pulled = std::get_if<act::Collapse>(&gesture)) {
    list_.push_back(*pulled);
    list_.push_back(act::Keep{});
  }
  if (const auto* repelled = std::get_if<Repelled>(&gesture)) list_.push_back(act::Repel{repelled->steps});
}

void ActionList::note(const Action& action) {
  if (const auto* draft = std::get_if<act::Try>(&action)) {
    const auto* before = std::get_if<Edit>(&gesture_);
    if (!before || !one_gesture(*before, draft->edit)) end_gesture();
    gesture_ = draft->edit;
    return;
  }
  if (const auto* pulled = std::get_if<act::Collapse>(&action)) {
    if (!std::holds_alternative<act::Collapse>(gesture_)) end_gesture();
    const auto* before = std::get_if<act::Collapse>(&gesture_);
    gesture_ = act::Collapse{pulled->amount, pulled->anew || (before && before->anew)};
    return;
  }
  const bool drafting = !std::holds_alternative<std::monostate>(gesture_);
  if (is_one_of<act::TakeBack, act::Undo>(action) && drafting) {  // undoing a gesture gives it up
    gesture_ = std::monostate();
    return;
  }
  // These leave one as it is, too.
  const bool unplayed = !why_not_played(action).empty();
  if (unplayed && !is_one_of<act::Save, act::SaveDone, act::CopyLink, act::Quit>(action)) return;
  // Of which layer heads are pulled together or driven apart is what is in focus.
  const auto* to = std::get_if<act::GoTo>(&action);
  if (!only_looks(action) || (to && to->layer && !std::holds_alternative<Edit>(gesture_))) end_gesture();
  if (is_one_of<act::Keep, act::TakeBack, act::Repel>(action) || unplayed) return;
  push(action);
}

void ActionList::note_of_tool(const Action& action) {
  const auto* draft = std::get_if<act::Try>(&action);
  if (!draft) return end_gesture();
  const bool repels = std::holds_alternative<SetWeights>(draft->edit.what);
  auto* repelled = std::get_if<Repelled>(&gesture_);
  if (repels && repelled)
    ++repelled->steps;
  else
    end_gesture();
  if (repels && !repelled) gesture_ = Repelled{1};
}

void ActionList::end_training(int steps) {
  if (!training_) return;
  Action& begun = list_[*std::exchange(training_, std::nullopt)];
  if (steps > 0)
    begun = act::Learn{LearnTrain{steps}};
  else
    begun = act::Learn{LearnBegin{}};
}

std::vector<Action> ActionList::actions() const {
  ActionList ended = *this;
  ended.end_gesture();
  return ended.list_;
}

std::string spelled(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) text += spelled(action) + '\n';
  return text;
}

std::vector<ListedAction> parse_actions(std::string_view text, const std::string& name) {
  std::vector<ListedAction> list;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.ends_with('\r')) one.remove_suffix(1);
    const std::size_t first = one.find_first_not_of(" \t");
    if (first == std::string_view::npos || one[first] == '#') continue;
    const std::string place = name + ":" + std::to_string(line);
    Action action = parse_action(one, place);
    if (const std::string why = why_not_played(action); !why.empty()) throw InputError(place + ": " + why);
    list.push_back({std::move(action), place});
  }
  return list;
}

}  // namespace hydra
