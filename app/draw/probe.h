// Names for what is on the screen, so that tests can drive the interface by name. Costs nothing unless a recorder is
// set.
#pragma once
#include <imgui.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace hydra::ui {

struct ProbeRecorder {
  struct Entry {
    ImVec2 min, max;  // screen rectangle, clipped to what is visible
    bool visible = true;
  };
  std::unordered_map<std::string, Entry> entries;  // of the frame being drawn
  std::string scroll_to;                           // the item of this name scrolls itself into view
  std::vector<std::string> duplicates;             // names met twice within a frame: a fault of the interface
  int frame = -1;                                  // ImGui's count of the frame that entries belong to
};

// The recorder of this process; null outside tests.
ProbeRecorder*& probe_recorder();

// Notes the last item's rectangle, or a given one, under a name such as "flow/heads/3". Within a frame names are
// unique.
void probe(std::string_view name);
void probe(std::string_view name, ImVec2 min, ImVec2 max);

// The same with a name of several parts, {"heads/choose/", 3}, which is put together only when somebody records.
struct NamePart {
  template <class Text>
  NamePart(const Text& part) {  // NOLINT(google-explicit-constructor): a word or a whole number in a list of parts
    if constexpr (std::is_convertible_v<const Text&, std::string_view>)
      text = part;
    else
      number = static_cast<long long>(part);
  }
  std::string_view text;
  std::optional<long long> number;
};
using Name = std::initializer_list<NamePart>;
void probe(Name name);
void probe(Name name, ImVec2 min, ImVec2 max);

}  // namespace hydra::ui
