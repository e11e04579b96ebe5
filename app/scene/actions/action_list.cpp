#include "app/scene/actions/action_list.h"

#include <algorithm>
#include <utility>

#include "app/scene/actions/action_spelling.h"
#include "app/scene/actions/apply.h"
#include "core/error.h"
#include "core/model/one_of.h"

namespace hydra {

namespace {

// What the next layout makes of a selection.
void follow_selection(ViewState& view) {
  const std::optional<Cell>& cell = view.selection;
  if (cell && entry_of(cell->site.quantity).rows == Axis::token) view.token = cell->row;
}

// Whether the action leads from one view state to the other.
bool leads(const Action& action, ViewState from, ViewState to) {
  try {
    apply_if_of_view(from, action);
  } catch (const InputError&) {
    return false;
  }
  follow_selection(from), follow_selection(to);
  return from == to;
}

bool is_of_learn(const Action& action) {
  return std::visit([]<class Kind>(const Kind&) { return OfLearn<Kind>; }, action);
}

}  // namespace

std::string why_not_played(const Action& action) {
  if (is_one_of<act::Save, act::SaveRun, act::SaveDone>(action))
    return "a list that is played writes no file of its own";
  if (is_one_of<act::LayOut, act::SetLayout, act::SuggestLayout, act::SaveLayout>(action))
    return "a list that is played lays no arrays out; {\"Open\": {\"path\": \"model\"}} opens a model by its layout";
  if (is_one_of<act::Recover, act::Answer>(action)) return "a list that is played answers no question";
  if (is_one_of<act::CopyLink, act::LearnCopyCommand>(action)) return "a list that is played copies nothing";
  if (is_one_of<act::Quit>(action)) return "a list that is played ends with its last line";
  if (is_one_of<act::MeasureWays, act::StopWays, act::TrainCounts, act::StopCounts, act::Fit, act::StopFit>(action))
    return "what is only measured changes nothing that a list keeps";
  if (is_one_of<act::LearnPause, act::LearnPlay>(action))
    return "a list goes to a step at once; {\"LearnGoTo\": {\"branch\": 0, \"step\": 10}} does";
  return "";
}

// --- where it begins

bool ActionList::Begin::reaches(std::size_t from, std::size_t to, bool redone) {
  if (!redone && to > from) top = to;
  return to >= depth && to <= top;
}

void ActionList::lose() {
  list_.clear(), bytes_ = 0;
  begin_.reset(), middle_.reset(), found_.reset(), training_.reset();
  gesture_ = std::monostate();
  begins_later_ = true;
}

void ActionList::use_learn() {
  used_learn_ = true;
  if (middle_ && !middle_->begin.knows_learn) middle_.reset();
  if (begin_ && !begin_->knows_learn) lose();
}

void ActionList::find(const Document& document, const ViewState& view, std::size_t depth, bool at_rest) {
  leave(view, depth);
  if (begin_ && !begin_->view) begin_->view = view;
  const bool begins =
      at_rest && view.view != ViewId::learn && !training_ && std::holds_alternative<std::monostate>(gesture_);
  if (!begins) return;
  if (!begin_) {
    begin_ = Begin{document, view, depth, depth, !used_learn_};
  } else if (!middle_ && bytes_ > most_ / 2) {
    middle_ = Middle{{document, view, depth, depth, !used_learn_}, list_.size(), bytes_};
    found_.reset();
  }
}

void ActionList::leave(const ViewState& view, std::size_t depth, bool redone) {
  if (view.view == ViewId::learn) use_learn();
  const std::size_t from = std::exchange(depth_, depth);
  if (middle_ && !middle_->begin.reaches(from, depth, redone)) middle_.reset();
  if (begin_ && !begin_->reaches(from, depth, redone)) lose();
}

void ActionList::push(const Action& action) {
  found_.reset();
  if (!begin_) return;
  list_.push_back(action);
  bytes_ += bytes_of(action);
  while (bytes_ > most_ && middle_) {
    list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(middle_->place));
    bytes_ -= middle_->bytes;
    if (training_) *training_ -= middle_->place;
    begin_ = std::move(middle_->begin);
    middle_.reset();
    begins_later_ = true;
  }
  if (bytes_ > most_) lose();
}

// --- what is done

void ActionList::end_gesture() {
  auto gesture = std::exchange(gesture_, std::monostate());
  if (auto* edit = std::get_if<Edit>(&gesture)) push(act::Do{std::move(*edit)});
  if (const auto* pulled = std::get_if<act::Collapse>(&gesture)) {
    push(*pulled);
    push(act::Keep{});
  }
  if (const auto* repelled = std::get_if<Repelled>(&gesture)) push(act::Repel{repelled->steps});
}

void ActionList::note(const Action& action) {
  if (is_of_learn(action)) use_learn();
  if (!begin_) return;
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
  // These leave one as it is.
  const bool unplayed = !why_not_played(action).empty();
  if (unplayed && !is_one_of<act::Save, act::SaveDone, act::CopyLink, act::Quit>(action)) return;
  end_gesture();
  if (is_one_of<act::Keep, act::TakeBack, act::Repel, act::Write>(action) || unplayed) return;
  push(action);
}

void ActionList::note_look(const Action& action, const ViewState& from, const ViewState& to) {
  if (!begin_) return;
  // Of which layer heads are pulled together or driven apart is what is in focus.
  const auto* way = std::get_if<act::GoTo>(&action);
  if (way && way->layer && !std::holds_alternative<Edit>(gesture_)) end_gesture();
  const auto* choose = std::get_if<act::Choose>(&action);
  const bool comes = choose && choose->key == "view";  // and what is come to may be put right there
  if (found_ && !comes && leads(action, *found_, to)) {
    bytes_ -= bytes_of(list_.back());
    list_.back() = action;
    bytes_ += bytes_of(action);
    return;
  }
  push(action);
  if (!comes && begin_) found_ = from;
}

void ActionList::note_of_tool(const Action& action) {
  if (!begin_) return;
  const auto* draft = std::get_if<act::Try>(&action);
  if (!draft) return end_gesture();
  if (std::holds_alternative<SetSentence>(draft->edit.what)) {  // a text is what was written in all
    const auto* before = std::get_if<Edit>(&gesture_);
    if (!before || !one_gesture(*before, draft->edit)) end_gesture();
    gesture_ = draft->edit;
    return;
  }
  const bool repels = std::holds_alternative<SetWeights>(draft->edit.what);
  auto* repelled = std::get_if<Repelled>(&gesture_);
  if (repels && repelled)
    ++repelled->steps;
  else
    end_gesture();
  if (repels && !repelled) gesture_ = Repelled{1};
}

void ActionList::begin_training() {
  if (begin_ && !list_.empty()) training_ = list_.size() - 1;
}

void ActionList::end_training(int steps) {
  if (!training_) return;
  Action& begun = list_[*std::exchange(training_, std::nullopt)];
  if (steps > 0)
    begun = act::LearnTrain{steps};
  else
    begun = act::LearnBegin{};
}

std::vector<Action> ActionList::actions() const {
  ActionList ended = *this;
  ended.end_gesture();
  return {ended.list_.begin(), ended.list_.end()};
}

std::vector<Action> ActionList::from_nothing(const Scene& now) const {
  ActionList ended = *this;
  ended.end_gesture();
  const Begin* begin = ended.begin_ ? &*ended.begin_ : nullptr;
  std::vector<Action> all =
      ways_to({begin ? begin->document : now.document, begin && begin->view ? *begin->view : now.view});
  all.insert(all.end(), ended.list_.begin(), ended.list_.end());
  return all;
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
