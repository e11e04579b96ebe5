#include "app/views/beside/beside.h"

#include <algorithm>

#include "app/platform/files.h"
#include "app/views/beside/example_items.h"
#include "app/views/beside/likeness_value.h"
#include "app/views/frame/ui.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

constexpr const char *kList = "beside", *kHeads = "head beside";
constexpr std::size_t kMostName = 24;

Index row_in_focus(const Frame& frame, const BetweenModels& between) {
  return std::clamp<Index>(frame.view.focused_head, 0, std::ssize(between.here) - 1);
}

void kept_items(Frame& frame) {
  if (frame.beside.kept.empty()) return;
  ImGui::Separator();
  ui::soft_text(frame, wording("beside:kept"));
  for (std::size_t k = 0; k < frame.beside.kept.size(); ++k) {
    const std::shared_ptr<const ModelBeside>& model = frame.beside.kept[k].model;
    if (ImGui::MenuItem(imgui_text(model->name), nullptr, model == frame.beside.shown))
      frame.out.act(act::PutKept{static_cast<int>(k)});
    ui::probe({"beside/kept/", k});
  }
}

}  // namespace

Likeness measure_between(const ViewState& view) {
  const Likeness chosen = view.likeness.measure;
  return std::ranges::count(kBetweenModels, chosen) > 0 ? chosen : Likeness::cosine;
}

const Measured<BesideMeasure>& beside_of(const Frame& frame) {
  return frame.now.measured<BesideMeasure>({frame.beside.shown, frame.view.layer, measure_between(frame.view)});
}

void beside_chip(Frame& frame, ui::Chips& chips) {
  const std::string label = frame.beside.shown
                                ? wording("beside:chip.of", {{"model", shortened(frame.beside.shown->name, kMostName)}})
                                : wording("beside:chip");
  if (chips.chip("beside/list", label, false, wording("beside:chip.tip"))) ImGui::OpenPopup(kList);
}

void draw_beside_list(Frame& frame) {
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, 24 * ImGui::GetFrameHeight()});
  if (!ImGui::BeginPopup(kList)) return;
  ui::close_on_escape();
  const auto item = [&](const char* name, const char* key, const char* tip) {
    const bool clicked = ImGui::MenuItem(wording(key).c_str());
    ui::probe(name);
    ui::tip(frame, wording(tip));
    return clicked;
  };
  if (item("beside/keep", "beside:keep", "beside:keep.tip")) frame.out.act(act::KeepBeside{});
  if (!kSystemPicksFiles && item("beside/file", "beside:file", "beside:file.tip"))
    frame.front.file_dialog = FileDialog::open_beside;
  if (frame.beside.shown && item("beside/open", "beside:open", "beside:open.tip")) frame.out.act(act::OpenBeside{});
  if (frame.beside.shown && item("beside/away", "beside:away", "beside:away.tip")) frame.out.act(act::TakeAway{});
  kept_items(frame);
  ImGui::Separator();
  ui::soft_text(frame, wording("beside:examples"));
  example_items(frame, "beside/example/", [](const Example& example) { return Action(act::PutBeside{example.file}); });
  ImGui::EndPopup();
}

void other_head_chip(Frame& frame, ui::Chips& chips) {
  if (!frame.beside.shown) return;
  const Measured<BesideMeasure>& shown = beside_of(frame);
  if (!shown.value || shown.value->between.here.empty()) return;
  const BetweenModels& between = shown.value->between;
  const std::optional<Index> at = head_beside(frame, between);
  const bool chosen = frame.view.beside.head.has_value();
  const std::string label =
      !at      ? wording("beside:head.none")
      : chosen ? wording("beside:head.chosen", {{"head", number_beside(frame, nth(between.there, *at))}})
               : wording("beside:head.most", {{"head", number_beside(frame, nth(between.there, *at))}});
  if (chips.chip("beside/head", label, chosen, wording("beside:head.tip"))) ImGui::OpenPopup(kHeads);
}

void draw_head_list(Frame& frame) {
  if (!ImGui::IsPopupOpen(kHeads) || !frame.beside.shown) return;
  const Measured<BesideMeasure>& shown = beside_of(frame);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, 24 * ImGui::GetFrameHeight()});
  if (!ImGui::BeginPopup(kHeads)) return;
  ui::close_on_escape();
  const BetweenModels none, &between = shown.value ? shown.value->between : none;
  if (ImGui::MenuItem(wording("beside:head.most_alike").c_str(), nullptr, !frame.view.beside.head))
    frame.choose(frame.view.beside.head, std::nullopt);
  ui::probe("beside/head/most");
  const Likeness measure = between.measure;
  for (Index g = 0; g < std::ssize(between.there); ++g) {
    const HeadPlace& head = nth(between.there, g);
    const double value = (*between.matrix(measure))(row_in_focus(frame, between), g);
    const std::string label = wording("beside:head.item", {{"head", number_beside(frame, head)},
                                                           {"measure", wording(entry_of(measure).brief)},
                                                           {"value", likeness_value(frame, value)}});
    const bool on = frame.view.beside.head == std::pair(head.layer, head.head);
    if (ImGui::MenuItem(imgui_text(label), nullptr, on))
      frame.choose(frame.view.beside.head, std::pair(head.layer, head.head));
    ui::probe({"beside/head/", head.layer + 1, ".", head.head + 1});
  }
  ImGui::EndPopup();
}

bool beside_told(Frame& frame) {
  const auto say = [&](const std::string& text, const char* name) {
    ui::soft_text(frame, text);
    ui::probe(name);
  };
  if (!frame.beside.shown) return say(wording("beside:none"), "beside/none"), false;
  const Measured<BesideMeasure>& shown = beside_of(frame);
  ui::failure_text(frame, shown.failure);
  if (!shown.value) return ui::waiting_text(frame, shown.failure), false;
  if (!shown.value->fault.empty())
    say(wording("beside:fault", {{"model", frame.beside.shown->name}, {"why", shown.value->fault}}), "beside/fault");
  for (const std::string& sentence : shown.value->unknown)
    say(wording("beside:unknown", {{"model", frame.beside.shown->name}, {"what", sentence}}), "beside/unknown");
  return !shown.value->between.here.empty();
}

std::string number_beside(const Frame& frame, const HeadPlace& head) {
  const std::string number = std::to_string(head.head + 1);
  return frame.beside.shown && frame.beside.shown->document.layers.size() > 1
             ? std::to_string(head.layer + 1) + "." + number
             : number;
}

std::optional<Index> head_beside(const Frame& frame, const BetweenModels& between) {
  if (const auto& chosen = frame.view.beside.head) {
    const auto at = std::ranges::find(between.there, HeadPlace{chosen->first, chosen->second});
    if (at != between.there.end()) return at - between.there.begin();
  }
  return most_alike(between, row_in_focus(frame, between));
}

std::string sentence_beside(const Frame& frame, const BetweenModels& between) {
  const Likeness measure = between.measure;
  const Index row = row_in_focus(frame, between);
  const std::optional<Index> most = most_alike(between, row), shown = head_beside(frame, between);
  if (!most || !shown) return wording("beside:undefined", {{"head", row + 1}});
  const auto value = [&](Likeness of, Index col) { return likeness_value(frame, (*between.matrix(of))(row, col)); };
  const auto number = [&](Index col) { return number_beside(frame, nth(between.there, col)); };
  const auto told = [&](const char* key, Index col) {
    return wording(key, {{"head", row + 1},
                         {"other", number(col)},
                         {"model", frame.beside.shown->name},
                         {"measure", wording(entry_of(measure).brief)},
                         {"value", value(measure, col)}});
  };
  std::string text = told(*most == *shown ? "beside:most" : "beside:chosen", *shown);
  if (*most != *shown)
    text += " " + wording("beside:chosen.most", {{"other", number(*most)}, {"value", value(measure, *most)}});
  if (measure != Likeness::cosine || std::isnan(between.chance_cosine)) return text;
  const bool beyond = (*between.matrix(measure))(row, *shown) > between.chance_cosine;
  return text + " " +
         wording(beyond ? "beside:beyond" : "beside:within",
                 {{"chance", likeness_value(frame, between.chance_cosine)}});
}

void draw_beside_sentence(Frame& frame, const char* name, float width) {
  const std::string text = sentence_beside(frame, beside_of(frame).value->between);
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float height = ui::paragraph_height(frame, frame.fonts.strong, width, text);
  ui::paragraph(frame, frame.fonts.strong, pos, width, frame.theme.ink, text);
  ui::probe(name, pos, {pos.x + width, pos.y + height});
  ImGui::Dummy({width, height});
}

}  // namespace hydra
