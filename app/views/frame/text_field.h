// A field for a line of text in any script.
#pragma once
#include <imgui.h>

#include <string>

namespace hydra {
struct Frame;
}

namespace hydra::ui {

// ImGui's field with a hint, on UTF-8 of any script. Its characters are clusters, in logical order: the cursor steps
// over a letter with its marks or a joined emoji at once, and what is copied and pasted is the text itself. While
// nobody types it shows words as they are written. True when the text was changed, or entered where the flags ask for
// that. caret_to_end, when it is given and true, puts the cursor behind the text without a selection, and becomes
// false. A pasted text that is larger than any sentence is refused.
bool text_field(const Frame& frame, const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags = 0,
                bool* caret_to_end = nullptr);

// A field, of one line, would leave out tabs and line breaks, and glue the words beside them: a space for each.
std::string in_one_line(std::string text);
// How far the text of the last item, a field with that id, has gone out of sight to the left.
float scrolled_text(const char* id);

}  // namespace hydra::ui
