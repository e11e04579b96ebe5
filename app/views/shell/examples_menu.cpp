#include "app/views/shell/views.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/platform/input.h"
#include "app/views/beside/example_items.h"
#include "app/views/frame/ui.h"
#include "app/widgets/mouse_area.h"
#include "core/text/annotated.h"

namespace hydra {

namespace {

// Where the user's own sentences are looked for, with ~ for the home folder.
std::string shown_folder() {
  std::string folder = own_sentences_folder();
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != 0 && folder.starts_with(home)) folder.replace(0, std::strlen(home), "~");
  return folder;
}

// Sentences of a group stand together, groups in the order of their first sentence.
void sentence_groups(Frame& frame, const std::vector<AnnotatedSentence>& sentences) {
  std::vector<std::string> groups;
  for (const AnnotatedSentence& s : sentences)
    if (std::find(groups.begin(), groups.end(), s.group) == groups.end()) groups.push_back(s.group);
  for (const std::string& group : groups) {
    if (!begin_example_group(group)) continue;
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (sentences[k].group != group) continue;
      if (ImGui::MenuItem(imgui_text(sentences[k].sentence))) frame.out.apply(SetSentence{sentences[k].sentence});
      ui::probe({"examples/sentence/", k});
      ui::name_if_framed(sentences[k].sentence);
      if (!sentences[k].note.empty()) ui::tip(frame, sentences[k].note);
    }
    ImGui::EndMenu();
  }
}

}  // namespace

void draw_examples_menu(Frame& frame) {
  const bool clicked = ui::button(frame, "examples", wording("panels:examples"), wording("panels:examples.tip"));
  const bool by_key = std::exchange(frame.front.examples_asked, false);
  if (by_key || clicked) ImGui::OpenPopup("examples menu");
  const ImVec2 under{ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + frame.unit};
  ImGui::SetNextWindowPos(under, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, ImGui::GetIO().DisplaySize.y - under.y - frame.unit});
  if (ImGui::IsPopupOpen("examples menu")) ui::set_keys_choose(true);
  const bool open = ImGui::BeginPopup("examples menu");
  if (!open) return;
  if (ImGui::IsWindowAppearing() && by_key) ui::choose_first_by_keys();
  ui::close_on_escape();
  ui::soft_text(frame, wording("panels:examples.documents"));
  example_items(frame, "examples/", [](const Example& example) { return Action(act::OpenExample{example.file}); });
  if (const std::size_t aside = frame.front.documents_aside; aside > 0) {
    ImGui::Separator();
    const std::string text = wording("panels:examples.unsaved", {{"n", aside}});
    if (ImGui::MenuItem(text.c_str())) frame.out.act(act::Recover{});
    ui::probe("examples/unsaved");
    ui::tip(frame, wording("panels:examples.unsaved.tip"));
  }
  ImGui::Separator();
  ui::soft_text(frame, wording("panels:examples.sentences"));
  sentence_groups(frame, *frame.sentences.marked);
  ui::soft_text(frame, wording("panels:examples.own"));
  ui::soft_text(frame, shown_folder());
  for (const std::string& fault : frame.sentences.skipped)
    ui::soft_text(frame, wording("panels:examples.skipped", {{"fault", fault}}));
  ImGui::EndPopup();
}

}  // namespace hydra
