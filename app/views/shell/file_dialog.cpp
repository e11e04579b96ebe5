// Opening and saving by name: a path, and the documents and folders beside it to pick from, by pointer or by arrow
// keys.
#include <filesystem>

#include "app/platform/files.h"
#include "app/platform/input.h"
#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"
#include "app/views/shell/views.h"
#include "core/checkpoints/open_model.h"
#include "core/checkpoints/series.h"
#include "core/files/kept_file.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

// What the dialog is for.
struct Purpose {
  const char *title, *hint;  // texts
  bool saves;
  const char* extension;  // of the files to pick from; null: texts
  bool models = false;    // and those that models are in
};

const Purpose& purpose_of(FileDialog dialog) {
  static constexpr Purpose kPurposes[] = {
      {"panels:file.open", "panels:file.open.hint", false, ".json", true},
      {"panels:file.save", "panels:file.save.hint", true, ".json"},
      {"panels:file.open_text", "panels:file.open_text.hint", false, nullptr},
      {"panels:file.save_run", "panels:file.save_run.hint", true, ".json"},
      {"panels:file.save_done", "panels:file.save_done.hint", true, ".actions"},
      {"panels:file.open_beside", "panels:file.open.hint", false, ".json", true},
      {"panels:file.find_model", "panels:file.find_model.hint", false, ".bin", true},
  };
  return kPurposes[static_cast<int>(dialog) - static_cast<int>(FileDialog::open)];
}

bool is_folder(const std::string& entry) { return entry.ends_with('/'); }

// Folders first, then files of that extension, null: texts, by name; what cannot be read is left out.
std::vector<std::string> entries_of(const std::string& folder, const char* extension, bool models) {
  std::vector<std::string> folders{"../"}, documents;
  std::error_code error;
  fs::directory_iterator it(folder.empty() ? fs::path(".") : fs::path(folder), error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.empty() || name[0] == '.') continue;
    std::error_code ignored;
    if (it->is_directory(ignored))
      folders.push_back(name + "/");
    else if ((models && has_model_ending(name)) ||
             (extension ? it->path().extension() == extension : is_text_file(name)))
      documents.push_back(name);
  }
  std::sort(folders.begin() + 1, folders.end());
  std::sort(documents.begin(), documents.end());
  folders.insert(folders.end(), documents.begin(), documents.end());
  return folders;
}

void list_folder(FilePicking& picking) {
  const std::string folder = fs::path(picking.draft).parent_path().string();
  if (!picking.entries.empty() && folder == picking.folder) return;
  picking.folder = folder;
  picking.entries = entries_of(folder, picking.extension, picking.models);
  picking.chosen = -1;
}

std::string path_of(const FilePicking& picking, int entry) {
  const std::string& name = nth(picking.entries, entry);
  const fs::path path = fs::path(picking.folder) / name;
  return name == "../" ? (path.lexically_normal() / "").string() : path.string();
}

// A folder is entered, a document becomes the draft.
void take(FilePicking& picking, int entry) {
  picking.draft = path_of(picking, entry);
  if (!is_folder(picking.draft)) return;
  picking.focus = true;
  list_folder(picking);
}

void choose_by_key(FilePicking& picking) {
  const int last = int_size(picking.entries) - 1;
  const bool up = ui::key_pressed(key::up, true), down = ui::key_pressed(key::down, true);
  if (!up && !down) return;
  if (picking.chosen < 0) {  // the first document, if there is one
    const auto document = std::find_if_not(picking.entries.begin(), picking.entries.end(), is_folder);
    picking.chosen = document == picking.entries.end() ? 0 : static_cast<int>(document - picking.entries.begin());
  } else {
    picking.chosen = std::clamp(picking.chosen + (down ? 1 : -1), 0, last);
  }
  picking.reveal = true;
}

// True when a document is double-clicked.
bool pick_list(FilePicking& picking) {
  list_folder(picking);
  bool taken = false;
  if (ImGui::BeginChild("entries", {34 * ImGui::GetFontSize(), 14 * ImGui::GetFontSize()}, true)) {
    int clicked = -1;
    for (int k = 0; k < int_size(picking.entries); ++k) {
      const std::string& entry = nth(picking.entries, k);
      if (ImGui::Selectable(imgui_text(entry), k == picking.chosen, ImGuiSelectableFlags_AllowDoubleClick)) clicked = k;
      ui::probe({"file/entry/", entry});
      if (k == picking.chosen && std::exchange(picking.reveal, false)) ImGui::SetScrollHereY();
    }
    if (clicked >= 0) {
      picking.chosen = clicked;
      take(picking, clicked);
      taken = !is_folder(picking.draft) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  }
  ImGui::EndChild();
  return taken;
}

void path_input(Frame& frame, FilePicking& picking, const char* hint) {
  if (picking.focus) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(34 * ImGui::GetFontSize());
  const std::string before = picking.draft;
  ui::text_field(frame, "##path", hint, picking.draft, 0, &picking.focus);
  if (picking.draft != before) picking.chosen = -1;
  ui::probe("file/path");
}

// Whether a folder with these is one of a model, which opens as a whole.
bool holds_model(const std::vector<std::string>& entries) {
  const auto is_its = [](const std::string& entry) { return entry == "config.json" || entry.ends_with(".index.json"); };
  return std::ranges::any_of(entries, is_its) && std::ranges::any_of(entries, has_model_ending);
}

// Of a model, or of checkpoints of one training.
bool opens_whole(const FilePicking& picking, const std::string& folder) {
  return picking.models && (holds_model(entries_of(folder, picking.extension, true)) || series_of(folder));
}

// Enter: what is chosen is taken, a folder that opens as a whole as well. True when that is a path to open or to save.
bool enter(FilePicking& picking) {
  if (!ui::key_pressed(key::enter)) return false;
  if (picking.chosen >= 0) {
    const std::string path = path_of(picking, picking.chosen);
    const bool up = nth(picking.entries, picking.chosen) == "../", folder = is_folder(path);
    if (folder && !up && opens_whole(picking, path)) {
      picking.draft = fs::path(path).parent_path().string();
      return true;
    }
    take(picking, picking.chosen);
    return !folder;
  }
  std::error_code ignored;
  if (is_folder(picking.draft) || !fs::is_directory(picking.draft, ignored) || opens_whole(picking, picking.draft))
    return true;
  picking.draft += '/';
  picking.focus = true;
  return false;
}

// Whether saving there would put the document in the place of another file.
bool is_other_file(const std::string& path, const std::string& own) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !same_file(path, own);
}

std::string first_draft(const Frame& frame, FileDialog dialog, const std::string& folder) {
  const std::string& own = frame.status.file_name;
  if (dialog == FileDialog::find_model) return (fs::absolute(frame.front.picking.lacking).parent_path() / "").string();
  if (dialog == FileDialog::open_text) return folder;
  if (dialog == FileDialog::save_run) return folder + frame.view.learn.setup.task + ".run.json";
  if (dialog == FileDialog::save_done) return folder + "lesson.actions";
  if (!own.empty()) return own;
  return dialog == FileDialog::save ? folder + "attention.hydra.json" : folder;
}

void begin(const Frame& frame, FilePicking& picking) {
  const FileDialog dialog = frame.front.file_dialog;
  const std::string folder = picking.folder.empty() ? "" : (fs::path(picking.folder) / "").string();
  std::string lacking = std::move(picking.lacking);
  picking = {};
  picking.lacking = std::move(lacking);
  picking.extension = purpose_of(dialog).extension, picking.models = purpose_of(dialog).models;
  picking.draft = first_draft(frame, dialog, folder);
  if (dialog == FileDialog::find_model) picking.focus = true;
}

Action agreed_action(FileDialog dialog, const FilePicking& picking) {
  const std::string& path = picking.draft;
  if (dialog == FileDialog::find_model) return act::Open{picking.lacking, false, path};
  if (dialog == FileDialog::save) return act::Save{path};
  if (dialog == FileDialog::open_beside) return act::PutBeside{path};
  if (dialog == FileDialog::save_run) return act::SaveRun{path};
  if (dialog == FileDialog::save_done) return act::SaveDone{path};
  return act::Open{path, dialog == FileDialog::open_text};
}

}  // namespace

bool is_text_file(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".txt" || extension == ".md";
}

void draw_file_dialog(Frame& frame) {
  Front& front = frame.front;
  if (front.file_dialog == FileDialog::none) return;
  FilePicking& picking = front.picking;
  const Purpose& purpose = purpose_of(front.file_dialog);
  const char* title = wording(purpose.title).c_str();
  const bool saving = purpose.saves;
  const bool opening = !ImGui::IsPopupOpen(title);
  if (opening && !saving && front.file_dialog != FileDialog::find_model &&
      system_picks_file(front.file_dialog == FileDialog::open_text)) {
    front.file_dialog = FileDialog::none;
    return;
  }
  if (opening) {
    begin(frame, picking);
    ImGui::OpenPopup(title);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * screen.x, 0.4f * screen.y}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings))
    return;
  if (opening) ImGui::SetKeyboardFocusHere();
  path_input(frame, picking, wording(purpose.hint).c_str());
  choose_by_key(picking);
  const bool taken = pick_list(picking) || enter(picking);
  const bool of_model = purpose.models && holds_model(picking.entries);
  const bool takes_folder = front.file_dialog == FileDialog::find_model || of_model;
  const bool ready = !picking.draft.empty() && (takes_folder || !is_folder(picking.draft));
  if (of_model && is_folder(picking.draft)) ui::soft_text(frame, wording("panels:file.whole_folder"));
  const bool replacing = saving && picking.to_replace == picking.draft;
  if (replacing)
    ui::soft_text(frame, wording("panels:file.exists", {{"file", fs::path(picking.draft).filename().string()}}));
  const std::string& label = wording(!saving ? "panels:open" : replacing ? "panels:file.replace" : "panels:save");
  bool agreed = ui::button(frame, "file/ok", label, "", ready) || (taken && ready);
  const std::string own = front.file_dialog == FileDialog::save ? frame.status.file_name : "";
  if (agreed && saving && !replacing && is_other_file(picking.draft, own)) {
    picking.to_replace = picking.draft;
    agreed = false;
  }
  ImGui::SameLine();
  const bool cancelled =
      ui::button(frame, "file/cancel", wording("panels:file.cancel"), "") || ui::key_pressed(key::escape);
  if (ui::shortcut(true, false, key::letter('q'))) frame.out.act(act::Quit{});
  if (agreed) frame.out.act(agreed_action(front.file_dialog, picking));
  if (agreed || cancelled) {
    front.file_dialog = FileDialog::none;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace hydra
