// The page that a document brings (Document::notes), beside the view in the place of the model panel.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace hydra {

struct Frame;

inline constexpr std::string_view kNotesHeading = "# ";  // begins a paragraph that is a heading
inline constexpr std::string_view kNotesAnswer = "? ";   // one that is shown when somebody has guessed

void draw_notes(Frame& frame);
// A button over answers that follow each other, the first of them of that number: whether they are shown. told: by
// paragraph, which the button changes.
bool answers_shown(const Frame& frame, const std::string& name, std::vector<bool>& told, std::size_t first);

}  // namespace hydra
