// The page that a document brings (Document::notes), beside the view in the place of the model panel.
#pragma once
#include <string_view>

namespace hydra {

struct Frame;

inline constexpr std::string_view kNotesHeading = "# ";  // begins a paragraph that is a heading
inline constexpr std::string_view kNotesAnswer = "? ";   // one that is shown when somebody has guessed

// Opens the page when a document comes that has another one, but not that of the opening document, and closes it with
// one that has none.
void follow_notes(Frame& frame);
void draw_notes(Frame& frame);

}  // namespace hydra
