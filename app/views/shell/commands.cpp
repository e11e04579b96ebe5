#include "app/views/shell/commands.h"

#include "app/measures/ways.h"
#include "app/platform/input.h"
#include "app/platform/page.h"
#include "app/scene/inspector_follow.h"
#include "app/scene/sides.h"
#include "app/views/bars/next_bar.h"
#include "app/views/change/changes.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/hands.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/roles/roles_rows.h"
#include "app/views/shared/copied.h"
#include "app/views/shared/pasted.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/first_number.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "core/io/link.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

int heads_of(const Frame& f) { return static_cast<int>(layer_of(f).heads.size()); }

// In the table of all heads from row to row, else within the layer.
void move_focus(Frame& f, int by) {
  if (f.view.view == ViewId::roles && is_of_all_layers(f.view.roles.all_layers, f.trace)) {
    if (const auto next = next_row(f.made.of<RoleRows>(), {f.view.layer, f.view.focused_head}, by))
      f.out.act(act::GoTo{next->layer, next->head});
    return;
  }
  const int heads = heads_of(f);
  focus_head(f, (f.view.focused_head + by + heads) % heads);
}

// Not while the trace still has other layers than the document.
void move_layer(Frame& f, int by) {
  const int layers = int_size(f.trace.layers);
  if (layers == int_size(f.document.layers)) f.out.act(act::GoTo{std::clamp(f.view.layer + by, 0, layers - 1), {}});
}

void set_scale(Frame& f, float scale) {
  f.choose(f.view.text_scale, std::clamp(std::round(scale * 10) / 10, 0.7f, 2.0f));
}

// Back to what a view shows before anything is selected.
void unselect(Frame& f) {
  const ViewState& v = f.view;
  f.out.act(act::Unselect{});
  f.choose(v.sides.inspector, false), f.choose(v.sides.inspector_whole, false);
  f.changes.dismiss();
  if (f.status.offers)
    if (const auto own = own_matrix(v, true)) f.choose(v.inspected, *own);
}

// A first number for the arrows to move on from. Sideways they go through the steps of a run, or the checkpoints of
// one, where there are some.
void select_first(Frame& f, int code) {
  if (selected_made(f) && numbers_have_keys(f))
    return move_made(f, (code == key::down) - (code == key::up), (code == key::right) - (code == key::left));
  const bool sideways = code == key::left || code == key::right;
  if (f.view.selection || !numbers_have_keys(f) || pair_tool_shown(f.view) || !f.status.ready ||
      (sideways && (f.tools.checkpoints || (f.learn.timeline && f.learn.fits))))
    return;
  if (const std::optional<Cell> cell = first_number(f)) select(f, *cell), f.hands.of<KeysSelect>().they = true;
}

void escape(Frame& f, int) {
  const ViewState& v = f.view;
  if (f.front.help)
    f.front.help = false;
  else if (f.hands.of<Parts>().at && f.hands.of<Parts>().at != WindowPart::numbers)
    f.hands.of<Parts>().at.reset();
  else if (f.hands.of<InspectorHands>().drag ||
           (f.hands.of<InspectorHands>().bar_drag && ImGui::IsMouseDown(ImGuiMouseButton_Left)))
    return;  // the editor takes the drag back
  else if (mask_hands(f).stroke)
    return;
  else if (are_called(v) && v.sides.model)
    f.choose(v.sides.model, false);
  else if (mask_tool_shown(v))
    f.choose(v.mask.on, false);
  else if (mark_tool_shown(v))
    close_mark_tool(f);
  else if (v.selection || selected_made(f))
    unselect(f);
  else if (f.changes.marked())
    f.changes.dismiss();
  else if (v.view == ViewId::likeness && v.likeness.compared)
    f.choose(v.likeness.compared, std::nullopt);
  else if (are_called(v))
    f.choose(v.sides.inspector, false), f.choose(v.sides.notes, false);
}

// One key has changed weights that no seed gives back, which may not have been meant.
void say_of_weights(Frame& f, const char* text, Index n) {
  const Layer& layer = document_layer(f);
  if (!layer.source.by_number() && layer.source.designs.empty()) return;
  f.notice.say(wording(text, {{"layer", f.view.layer + 1}, {"n", n}, {"undo", wording("panels:keys.ctrl_z")}}));
}

// To the next number of heads that the width of them all can be cut into: the chips of the model panel.
void step_heads(Frame& f, int by) {
  const Layer& layer = document_layer(f);
  const std::vector<Index> counts = head_counts(layer.concat_width(f.document.d_model));
  const auto now = std::ranges::lower_bound(counts, layer.heads) - counts.begin();
  const auto next = now + by;
  if (next < 0 || next >= std::ssize(counts)) return;
  f.out.apply(SetHeads{nth(counts, next)});
  say_of_weights(f, "panels:said.heads", nth(counts, next));
}

void reroll(Frame& f, int) {
  f.out.apply(SetWeightSource{Init::xavier, document_layer(f).source.seed + 1});
  say_of_weights(f, "panels:said.reroll", 0);
}

// Ablation: the gate of the focused head to 0, and back to 1.
void silence(Frame& f, int) {
  const std::vector<float>& gates = document_layer(f).gates;
  const auto head = static_cast<std::size_t>(f.view.focused_head);
  f.out.apply(SetGate{f.view.focused_head, head < gates.size() && gates[head] == 0 ? 1.0f : 0.0f});
}

void solo(Frame& f, int) {
  std::vector<float> only(static_cast<std::size_t>(document_layer(f).heads), 0);
  const auto head = static_cast<std::size_t>(f.view.focused_head);
  if (head < only.size()) only[head] = 1;
  f.out.apply(SetGates{document_layer(f).gates == only ? std::vector<float>{} : only});
}

void cycle_pattern(Frame& f, int) {
  f.choose(f.view.pattern, static_cast<Pattern>((static_cast<int>(f.view.pattern) + 1) % 3));
  f.choose(f.view.heads.rollout, std::nullopt);
  f.choose(f.view.heads.picture, std::string());
}

// What stands over the others, the part that Tab has come to, the view, or what stands beside it.
void scroll_down(Frame& f, float heights) {
  if (f.front.help && ui::scroll_page("Keys", heights)) return;
  if (f.hands.of<Parts>().at == WindowPart::side && ui::scroll_page("Hydrascope/notes", heights)) return;
  for (const char* window : {"Hydrascope/center", "Hydrascope/notes", "Hydrascope/model", "Hydrascope/strip"})
    if (ui::scroll_page(window, heights)) return;
}

void next_model(Frame& f, int) { f.out.apply(SwitchModel{next_kind(f.document).value_or(kind_of(f.document))}); }

// A link that was copied: from this window, a mail, a page.
void paste_link(Frame& f, int) {
  const auto text = pasted(f.notice, ImGui::GetClipboardText(), kMostLinkRead);
  if (!text) return;
  if (is_link(*text))
    f.out.act(act::Open{*text});
  else
    f.notice.refuse(wording("panels:paste.no_link"));
}

// Opens the tool where patterns can be painted on, at the pair that is selected.
void open_mask_tool(Frame& f, int) {
  const ViewState& v = f.view;
  const bool shown = mask_tool_shown(v);
  f.choose(v.mask.on, !shown);
  if (shown) return;
  f.choose(v.marking.on, false);
  if (v.view != ViewId::flow) f.choose(v.view, ViewId::heads);
  if (v.selection && is_pair(v.selection->site.quantity))
    mask_hands(f).row = v.selection->row, mask_hands(f).col = v.selection->col;
}

// On the page that measures, whichever of its parts is open.
std::string why_not_measured(const Frame& f, int) {
  const bool there = f.view.view == ViewId::tradeoff && f.view.tradeoff.page == TradeoffPage::computed;
  return there ? "" : wording("panels:measure.elsewhere");
}

void measure_ways(Frame& f, int) {
  f.choose(f.view.tradeoff.part, ComputedPart::timing);
  const Measured<WaysMeasure>& ways = f.now.started<WaysMeasure>();
  if (!ways.computing)
    f.out.act(act::MeasureWays{timing_lengths(f.view)});
  else if (!ways.stopped)
    f.out.act(act::StopWays{});
}

constexpr auto letter = key::letter;

template <class Act>
void send(Frame& f, int) {
  f.out.act(Act{});
}
template <Side side>
bool is_side_open(const Frame& f) {
  return is_open(f.view, side);
}
template <auto member>
bool is_set(const Frame& f) {
  return f.view.*member;
}
std::string why_not_undone(const Frame& f, int) { return f.status.can_undo ? "" : wording("panels:undo.none"); }
std::string why_not_redone(const Frame& f, int) { return f.status.can_redo ? "" : wording("panels:redo.none"); }
std::string why_no_words(const Frame& f, int) { return f.tools.writing ? "" : why_not_written(f); }
std::string why_no_notes(const Frame& f, int) { return f.document.notes.empty() ? wording("panels:notes.none") : ""; }
std::string why_no_head(const Frame& f, int k) {
  return k < heads_of(f) ? "" : wording("panels:head.none", {{"n", heads_of(f)}});
}

// In the help in the line of the one before.
constexpr Command joined(Command command) {
  command.joined = true;
  return command;
}
constexpr Command unless(std::string (*why_not)(const Frame&, int), Command command) {
  command.why_not = why_not;
  return command;
}
// With buttons of that name.
constexpr Command with_button(const char* name, const char* tip, Command command) {
  command.name = name, command.tip = tip;
  return command;
}
// Runs when the character is typed as well, wherever the keyboard has it.
constexpr Command typed(char character, Command command) {
  command.typed = character;
  return command;
}

constexpr Command kFirst[] = {
    unless(why_no_head, {"1 … 9", "panels:does.focus_head", false, false, '1', 9, false, focus_head}),
    {"[", "panels:does.head_before", false, false, key::left_bracket, 1, false,
     [](Frame& f, int) { move_focus(f, -1); }},
    joined({"]", "panels:does.next_head", false, false, key::right_bracket, 1, false,
            [](Frame& f, int) { move_focus(f, 1); }}),
    {"panels:keys.page_up", "panels:does.layer_before", false, false, key::page_up, 1, false,
     [](Frame& f, int) { move_layer(f, -1); }},
    joined({"panels:keys.page_down", "panels:does.next_layer", false, false, key::page_down, 1, false,
            [](Frame& f, int) { move_layer(f, 1); }}),
    {"panels:keys.shift_page_up", "panels:does.scroll_back", false, true, key::page_up, 1, false,
     [](Frame& f, int) { scroll_down(f, -1); }},
    joined({"panels:keys.down", "panels:does.scroll_on", false, true, key::page_down, 1, false,
            [](Frame& f, int) { scroll_down(f, 1); }}),
};
constexpr Command kOthers[] = {
    with_button("mixing/silence", "panels:silence.tip",
                {"Z", "panels:does.silence", false, false, letter('z'), 1, false, silence}),
    with_button("mixing/only", "panels:only.tip", {"O", "panels:does.only", false, false, letter('o'), 1, false, solo}),
    {"U", "panels:does.next_model", false, false, letter('u'), 1, false, next_model},
    {"P", "panels:does.pattern", false, false, letter('p'), 1, false, cycle_pattern},
    typed('+', {"+", "panels:does.more_heads", false, false, 0, 1, false, [](Frame& f, int) { step_heads(f, 1); }}),
    typed('-', joined({"−", "panels:does.fewer_heads", false, false, 0, 1, false,
                       [](Frame& f, int) { step_heads(f, -1); }})),
    with_button("model/average", "panels:average.tip",
                {"A", "panels:does.average", false, false, letter('a'), 1, false,
                 [](Frame& f, int) {
                   f.choose(f.view.view, ViewId::heads);
                   f.choose(f.view.average, !f.view.average);
                 }}),
    {"S", "panels:does.sentence", false, false, letter('s'), 1, false,
     [](Frame& f, int) { f.hands.of<SentenceField>().focus = true; }},
    unless(why_no_words,
           with_button("write", "panels:write.tip",
                       {"panels:keys.shift_w", "panels:does.write", false, true, letter('w'), 1, false,
                        [](Frame& f, int) { write_or_stop(f); }, [](const Frame& f) { return f.tools.writing; }})),
    with_button("model/reroll", "panels:reroll.tip",
                {"R", "panels:does.reroll", false, false, letter('r'), 1, false, reroll}),
    {"C", "panels:does.causal", false, false, letter('c'), 1, false,
     [](Frame& f, int) {
       const bool causal = document_layer(f).mask.kind == Mask::Kind::causal;
       f.out.apply(SetMask{{causal ? Mask::Kind::none : Mask::Kind::causal, nullptr}});
     },
     [](const Frame& f) { return document_layer(f).mask.kind == Mask::Kind::causal; }},
    with_button("model/mask/paint", "panels:paint_mask.tip",
                {"K", "panels:does.paint_mask", false, false, letter('k'), 1, false, open_mask_tool,
                 [](const Frame& f) { return mask_tool_shown(f.view); }}),
    with_button("heads/mark", "panels:mark_pairs.tip",
                {"panels:keys.shift_k", "panels:does.mark_pairs", false, true, letter('k'), 1, false,
                 [](Frame& f, int) { mark_tool_shown(f.view) ? close_mark_tool(f) : open_mark_tool(f); },
                 [](const Frame& f) { return mark_tool_shown(f.view); }}),
    with_button("panels/model", "panels:model.tip",
                {"M", "panels:does.model", false, false, letter('m'), 1, false,
                 [](Frame& f, int) { toggle(f, Side::model); }, is_side_open<Side::model>}),
    unless(why_no_notes, with_button("panels/notes", "panels:notes.tip",
                                     {"G", "panels:does.notes", false, false, letter('g'), 1, false,
                                      [](Frame& f, int) { toggle(f, Side::notes); }, is_side_open<Side::notes>})),
    with_button("panels/inspector", "panels:inspector.tip",
                {"I", "panels:does.inspector", false, false, letter('i'), 1, false,
                 [](Frame& f, int) { toggle(f, Side::inspector); }, is_side_open<Side::inspector>}),
    {"V", "panels:does.marks", false, false, letter('v'), 1, false,
     [](Frame& f, int) { f.choose(f.view.marks_changes, !f.view.marks_changes); }, is_set<&ViewState::marks_changes>},
    {"Q", "panels:does.guess", false, false, letter('q'), 1, false,
     [](Frame& f, int) { f.choose(f.view.guessing, !f.view.guessing); }, is_set<&ViewState::guessing>},
    {",", "panels:does.page_before", false, false, key::comma, 1, false, [](Frame& f, int) { turn_page(f, -1); }},
    joined({".", "panels:does.next_page", false, false, key::period, 1, false, [](Frame& f, int) { turn_page(f, 1); }}),
    {"Y", "panels:does.examples", false, false, letter('y'), 1, false,
     [](Frame& f, int) { f.front.examples_asked = true; }},
    unless(why_not_measured,
           {"panels:keys.ctrl_enter", "panels:does.measure", true, false, key::enter, 1, false, measure_ways}),
    with_button(
        "theme", "panels:theme.tip",
        {"T", "panels:does.theme", false, false, letter('t'), 1, false, [](Frame& f, int) { choose_theme(f); }}),
    with_button(
        "present", "panels:present.tip",
        {"F5", "panels:does.present", false, false, key::f5, 1, true,
         [](Frame& f, int) { f.choose(f.view.presentation, !f.view.presentation); }, is_set<&ViewState::presentation>}),
    {"panels:keys.ctrl_plus", "panels:does.larger", true, false, key::equal, 1, true,
     [](Frame& f, int) { set_scale(f, f.view.text_scale + 0.1f); }},
    {"panels:keys.ctrl_minus", "panels:does.smaller", true, false, key::minus, 1, true,
     [](Frame& f, int) { set_scale(f, f.view.text_scale - 0.1f); }},
    {"panels:keys.ctrl_0", "panels:does.normal", true, false, '0', 1, true, [](Frame& f, int) { set_scale(f, 1); }},
    unless(why_not_undone, with_button("undo", "",
                                       {"panels:keys.ctrl_z", "panels:does.undo", true, false, letter('z'), 1, false,
                                        send<act::Undo>})),
    unless(why_not_redone, with_button("redo", "",
                                       {"panels:keys.ctrl_y", "panels:does.redo", true, false, letter('y'), 1, false,
                                        send<act::Redo>})),
    joined(unless(why_not_redone, {"panels:keys.ctrl_shift_z", "panels:does.redo", true, true, letter('z'), 1, false,
                                   send<act::Redo>})),
    with_button("open", "panels:open.tip",
                {"panels:keys.ctrl_o", "panels:does.open", true, false, letter('o'), 1, true,
                 [](Frame& f, int) { f.front.file_dialog = FileDialog::open; }}),
    with_button("save", "panels:save.tip",
                {"panels:keys.ctrl_s", "panels:does.save", true, false, letter('s'), 1, true, send<act::Save>}),
    joined({"panels:keys.ctrl_shift_l", "panels:does.save_done", true, true, letter('l'), 1, true,
            [](Frame& f, int) { f.front.file_dialog = FileDialog::save_done; }}),
    {"panels:keys.ctrl_shift_s", "panels:does.save_as", true, true, letter('s'), 1, true,
     [](Frame& f, int) { f.front.file_dialog = FileDialog::save; }},
    with_button("link", "panels:link.tip",
                {"panels:keys.ctrl_shift_c", "panels:does.link", true, true, letter('c'), 1, false,
                 send<act::CopyLink>}),
    {"panels:keys.ctrl_c", "panels:does.copy", true, false, letter('c'), 1, false,
     [](Frame& f, int) { copy_selected(f); }},
    {"panels:keys.ctrl_v", "panels:does.paste", true, false, letter('v'), 1, false, paste_link},
    {"panels:keys.ctrl_q", "panels:does.quit", true, false, letter('q'), 1, true, send<act::Quit>},
    {"panels:keys.esc", "panels:does.escape", false, false, key::escape, 1, false, escape},
    typed('?', with_button("help", "panels:help.tip",
                           {"panels:keys.help", "panels:does.help", false, false, key::f1, 1, true,
                            [](Frame& f, int) { f.front.help = !f.front.help; },
                            [](const Frame& f) { return f.front.help; }})),
    {"B", "panels:does.peek", false, false, kPeekKey},
    {"panels:keys.tab", "panels:does.next_part", false, false, key::tab},
    {"panels:keys.arrows", "panels:does.move", false, false, key::right, 4, false,
     [](Frame& f, int k) { select_first(f, key::right + k); }},
    {"panels:keys.enter", "panels:does.type", false, false, key::enter, 1, false,
     [](Frame& f, int) { select_first(f, key::enter); }},
    {"panels:keys.delete", "panels:does.zero", false, false, key::del},
    {"panels:keys.space", "panels:does.train", false, false, key::space},
    {"panels:keys.drag", "panels:does.drag", false, false, 0},
};

// In a page closing and zooming are the browser's, whose keys never come here (app/platform/web/page/keys.js).
bool is_browsers(const Command& command) {
  return in_browser() && command.ctrl &&
         (command.key == letter('q') || command.key == key::equal || command.key == key::minus || command.key == '0');
}

// The keys of the views stand between those of the heads and the others.
std::vector<Command> make_commands() {
  std::vector<Command> all(std::begin(kFirst), std::end(kFirst));
  for (const ViewEntry& view : all_views()) {
    all.push_back({view.keys, view.does, false, false, letter(view.letter)});
    all.back().first = static_cast<int>(view.id);
    all.back().run = [](Frame& f, int id) { f.choose(f.view.view, static_cast<ViewId>(id)); };
    all.back().opens_view = true;
  }
  all.insert(all.end(), std::begin(kOthers), std::end(kOthers));
  std::erase_if(all, is_browsers);
  return all;
}

bool was_typed(char character) {
  const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  return std::find(typed.begin(), typed.end(), static_cast<ImWchar>(character)) != typed.end();
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = make_commands();
  return all;
}

const Command& command(std::string_view name) {
  return *std::ranges::find_if(commands(), [&](const Command& c) { return c.name && c.name == name; });
}

std::string tip_of(const Command& command) {
  const std::string keys = command.typed != 0 ? std::string{command.typed} : wording(command.keys);
  return wording("panels:tip.key", {{"tip", wording(command.tip)}, {"key", keys}});
}

bool can(const Frame& frame, const Command& command) {
  return !command.why_not || command.why_not(frame, command.first).empty();
}

Heard::State state_of(const Frame& frame, const Command& command) {
  if (!can(frame, command)) return Heard::State::disabled;
  if (!command.is_on) return Heard::State::plain;
  return command.is_on(frame) ? Heard::State::on : Heard::State::off;
}

void perform(Frame& frame, const Command& command, int k) {
  const std::string why_not = command.why_not ? command.why_not(frame, command.first + k) : "";
  if (!why_not.empty()) return frame.notice.say(why_not);
  command.run(frame, command.first + k);
}

void run_commands(Frame& frame) {
  const bool typing = ImGui::GetIO().WantTextInput;
  const auto run = [&](const Command& command, int k) {
    frame.notice.forget_remark();
    perform(frame, command, k);
  };
  for (const Command& command : commands()) {
    if (!command.run || (typing && !command.in_text)) continue;
    for (int k = 0; k < command.count; ++k)
      if (command.key != 0 && ui::shortcut(command.ctrl, command.shift, command.key + k)) run(command, k);
    if (!typing && command.typed != 0 && was_typed(command.typed)) run(command, 0);
  }
  if (ui::shortcut(true, true, key::equal)) set_scale(frame, frame.view.text_scale + 0.1f);
}

}  // namespace hydra
