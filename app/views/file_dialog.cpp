// Opening and saving by name: a path, and the documents and folders beside it to pick from.
#include <algorithm>
#include <filesystem>

#include "app/views/controls.h"
#include "app/views/views.h"
#include "app/widgets/probe.h"
#include "imgui_stdlib.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

// Folders first, then documents, by name; what cannot be read is left out.
std::vector<std::string> entries_beside(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> folders{"../"}, documents;
  std::error_code error;
  fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.empty() || name[0] == '.') continue;
    std::error_code ignored;
    if (it->is_directory(ignored))
      folders.push_back(name + "/");
    else if (it->path().extension() == ".json")
      documents.push_back(name);
  }
  std::sort(folders.begin() + 1, folders.end());
  std::sort(documents.begin(), documents.end());
  folders.insert(folders.end(), documents.begin(), documents.end());
  return folders;
}

void pick_list(Frame& frame) {
  ViewState& view = frame.view;
  const std::string folder = fs::path(view.file_draft).parent_path().string();
  if (view.file_list.empty() || folder != view.file_list_folder) {
    view.file_list = entries_beside(view.file_draft);
    view.file_list_folder = folder;
  }
  if (!ImGui::BeginChild("entries", {34 * ImGui::GetFontSize(), 14 * ImGui::GetFontSize()}, true))
    return ImGui::EndChild();
  const std::vector<std::string> entries = view.file_list;  // a pick changes the view's list
  for (const std::string& entry : entries) {
    const bool picked = ImGui::Selectable(entry.c_str());
    ui::probe("file/entry/" + entry);
    if (!picked) continue;
    const fs::path next = fs::path(view.file_list_folder) / entry;
    view.file_draft = entry == "../" ? (next.lexically_normal() / "").string() : next.string();
  }
  ImGui::EndChild();
}

// Whether saving there would put the document in the place of another file.
bool is_other_file(const std::string& path, const std::string& own) {
  std::error_code ignored;
  return fs::exists(path, ignored) && (own.empty() || !fs::equivalent(path, own, ignored));
}

}  // namespace

void draw_file_dialog(Frame& frame) {
  ViewState& view = frame.view;
  if (view.file_dialog == FileDialog::none) return;
  const bool saving = view.file_dialog == FileDialog::save;
  const char* title = saving ? "Save the document" : "Open a document";
  const bool opening = !ImGui::IsPopupOpen(title);
  if (opening) {
    view.file_draft = !frame.status.file_name.empty() ? frame.status.file_name : saving ? "attention.json" : "";
    view.file_list.clear();
    view.file_to_replace.clear();
    ImGui::OpenPopup(title);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.4f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings))
    return;
  if (opening) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(34 * ImGui::GetFontSize());
  const bool entered = ImGui::InputTextWithHint("##path", "path of a .json document", &view.file_draft,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  ui::probe("file/path");
  pick_list(frame);
  const bool ready = !view.file_draft.empty() && view.file_draft.back() != '/';
  const bool replacing = saving && view.file_to_replace == view.file_draft;
  if (replacing) ui::soft_text(frame, fs::path(view.file_draft).filename().string() + " exists already. Replace it?");
  const char* label = !saving ? "Open" : replacing ? "Replace" : "Save";
  bool agreed = ui::button(frame, "file/ok", label, nullptr, ready) || (entered && ready);
  if (agreed && saving && !replacing && is_other_file(view.file_draft, frame.status.file_name)) {
    view.file_to_replace = view.file_draft;
    agreed = false;
  }
  ImGui::SameLine();
  const bool cancelled =
      ui::button(frame, "file/cancel", "Cancel", nullptr) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (agreed && saving) frame.out.send(Outbox::Save{view.file_draft});
  if (agreed && !saving) frame.out.send(Outbox::Open{view.file_draft});
  if (agreed || cancelled) {
    view.file_dialog = FileDialog::none;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace hydra
