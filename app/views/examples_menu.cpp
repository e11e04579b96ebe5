#include "app/views/views.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "app/platform/files.h"
#include "app/platform/input.h"
#include "app/views/ui.h"
#include "app/widgets/mouse_area.h"
#include "core/document/file.h"
#include "core/text/annotated.h"
#include "embedded/assets.h"
#include "embedded/core_assets.h"

namespace hydra {

namespace {

// Documents that ship with the program, by embedded name.
struct Example {
  const char* file;
  const char* title;
};
constexpr Example kDesigned[] = {
    {"heads_designed.json", "Eight designed heads"},
    {"designed_animal_tired.json", "The animal ... tired"},
    {"designed_animal_wide.json", "The animal ... wide"},
    {"designed_cat_mat_soft.json", "The cat ... soft"},
    {"designed_horse_road.json", "The horse crossed the road"},
    {"designed_teacher_homework.json", "The teacher gave ..."},
    {"designed_cat_adopted.json", "The cat that I adopted"},
    {"designed_cat_sat_on_the.json", "The cat sat on the"},
};
constexpr Example kStacks[] = {
    {"stack_induction.json", "The previous word, then what followed it: an induction head"},
    {"stack_king_weak.json", "The king could not lift the uncle ... weak"},
    {"stack_king_heavy.json", "The king could not lift the uncle ... heavy"},
    {"layer_animal_tired.json", "The animal ... tired: one layer"},
    {"layer_animal_wide.json", "The animal ... wide: one layer"},
    {"stack_animal_tired.json", "The animal ... tired: two layers"},
    {"stack_animal_wide.json", "The animal ... wide: two layers"},
    {"stack_forgets.json", "Four layers without residual sums"},
    {"stack_remembers.json", "The same four layers with residual sums"},
};
constexpr Example kTrained[] = {
    {"trained_induction.json", "Two layers that learned induction"},
    {"trained_grammar.json", "Four heads that learned the grammar's four questions"},
    {"trained_students_1.json", "Students and fruit, 1 head"},
    {"trained_students_4.json", "Students and fruit, 4 heads"},
    {"trained_students_32.json", "Students and fruit, 32 heads of one number"},
    {"trained_king.json", "The king could not lift the uncle: two layers that learned it"},
};
constexpr Example kByHand[] = {
    {"paper_exercise.json", "Paper exercise: two heads for “it”, set by hand"},
    {"two_heads_by_hand.json", "Two heads by hand: one token, whole numbers"},
    {"slices.json", "Identity weights: each head reads one slice"},
    {"smallest_rank.json", "Too narrow: a row that can never leave one half"},
    {"shared_keys.json", "Eight heads, two sets of keys and values"},
    {"whole_block.json", "One whole block: sums, norms and the feed-forward part"},
};

// The opening document is made of one of them, so that core has it.
std::string_view text_of(const char* file) {
  const std::string_view text = assets::find(file);
  return text.empty() ? core_assets::find(file) : text;
}

bool begin_group(const std::string& name) {
  const bool open = ImGui::BeginMenu(imgui_text(name));
  ui::probe({"examples/group/", name});
  ui::name_if_framed(name);
  return open;
}

void open_example(Frame& frame, const Example& example) {
  const std::string_view text = text_of(example.file);
  if (text.empty() && open_shipped(example.file)) return;
  frame.out.apply(ReplaceDocument{parse_document(text, example.file), example.title});
}

void document_items(Frame& frame, std::span<const Example> examples) {
  for (const Example& example : examples) {
    if (ImGui::MenuItem(example.title)) open_example(frame, example);
    ui::probe({"examples/", example.file});
    ui::name_if_framed(example.title);
  }
}

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
    if (!begin_group(group)) continue;
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (sentences[k].group != group) continue;
      if (ImGui::MenuItem(imgui_text(sentences[k].sentence))) frame.out.apply(SetSentence{sentences[k].sentence});
      ui::probe({"examples/sentence/", k});
      ui::name_if_framed(sentences[k].sentence);
      if (!sentences[k].note.empty()) ui::tip(sentences[k].note);
    }
    ImGui::EndMenu();
  }
}

}  // namespace

void draw_examples_menu(Frame& frame) {
  const bool clicked = ui::button(frame, "examples", "Examples", "Sentences and documents to start from.");
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
  ui::soft_text(frame, "Documents");
  const bool designed = begin_group("Designed heads");
  if (designed) {
    document_items(frame, kDesigned);
    ImGui::EndMenu();
  } else {
    ImGui::SetItemDefaultFocus();
  }
  if (begin_group("Designed stacks")) {
    document_items(frame, kStacks);
    ImGui::EndMenu();
  }
  if (begin_group("Trained models")) {
    document_items(frame, kTrained);
    ImGui::EndMenu();
  }
  document_items(frame, kByHand);
  if (const std::size_t aside = frame.front.documents_aside; aside > 0) {
    ImGui::Separator();
    const std::string text = "Unsaved work of earlier windows (" + std::to_string(aside) + ")";
    if (ImGui::MenuItem(text.c_str())) frame.out.act(act::Recover{});
    ui::probe("examples/unsaved");
    ui::tip("Asks again what to do with it: recover, discard, or later.");
  }
  ImGui::Separator();
  ui::soft_text(frame, "Sentences");
  sentence_groups(frame, *frame.roles.marked);
  ui::soft_text(frame, "Your own stand in");
  ui::soft_text(frame, shown_folder());
  for (const std::string& fault : frame.roles.skipped) ui::soft_text(frame, "Skipped: " + fault);
  ImGui::EndPopup();
}

}  // namespace hydra
