#include "app/views/bars/next_bar.h"

#include "app/draw/format.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/next_words.h"
#include "app/widgets/mouse_area.h"
#include "core/document/model.h"
#include "core/writing/continued.h"
#include "core/writing/writing.h"

namespace hydra {

namespace {

constexpr Index kMostWords = 6;

struct NextWord {
  Index word;         // its column
  std::string label;  // "girl 0.41"
  float width;
};

// Of the last token, or of the one that is to be guessed.
struct NextWordsShown {
  struct Key {
    Stamp probabilities;
    const ImFont* font = nullptr;
    float padding = 0;
    bool operator==(const Key&) const = default;
  };
  Key key;
  std::optional<Index> masked;
  std::vector<NextWord> words;
};

bool is_causal(const Frame& frame) { return std::ranges::all_of(frame.document.layers, &Layer::all_causal); }

// Whether the trace has what the bar shows.
bool reads_out(const Frame& frame) {
  const ModelTrace<float>& model = frame.trace.model;
  return model.probabilities && asks_next_word(model.next_words) && model.next_words == next_words_of(frame.document);
}

NextWordsShown made_of(const Frame& frame, const NextWordsShown::Key& key) {
  NextWordsShown shown{key, {}, {}};
  const Trace& trace = frame.trace;
  if (!is_causal(frame)) shown.masked = masked_token(trace.tokens);
  if (!is_causal(frame) && !shown.masked) return shown;
  for (const LikelyWord& likely :
       likely_words(trace, shown.masked.value_or(std::ssize(trace.tokens) - 1), kMostWords)) {
    const std::string& word = trace.model.next_words.word(likely.word);
    std::string label = spelled(frame, word) + "  " + ui::number(static_cast<double>(likely.probability), As::share);
    const float width = ui::chip_width(label);
    shown.words.push_back({likely.word, std::move(label), width});
  }
  return shown;
}

const NextWordsShown& next_words_shown(const Frame& frame) {
  NextWordsShown& shown = frame.made.of<NextWordsShown>();
  const NextWordsShown::Key key{frame.trace.model.probabilities.stamp(), ImGui::GetFont(),
                                ImGui::GetStyle().FramePadding.x};
  if (!(shown.key == key)) shown = made_of(frame, key);
  return shown;
}

std::string button_label(const Frame& frame) {
  return wording(frame.tools.writing ? "panels:write.stop" : "panels:write");
}
constexpr float kTemperatureSlider = 3.5f;  // its width, in heights of text
std::string temperature_text(double temperature) {
  return wording("panels:temperature", {{"temperature", ui::number(temperature, As::brief)}});
}
// Of the button and the slider of the temperature, which a word to be guessed has not.
float controls_width(const Frame& frame) {
  const float widest = std::max(ui::chip_width(wording("panels:write")), ui::chip_width(wording("panels:write.stop")));
  return widest + 3 * frame.unit + kTemperatureSlider * ImGui::GetFontSize() +
         ImGui::CalcTextSize(temperature_text(2).c_str()).x;
}

void temperature_slider(Frame& frame) {
  ImGui::SetNextItemWidth(kTemperatureSlider * ImGui::GetFontSize());
  float temperature = static_cast<float>(frame.view.writing.temperature);
  if (ImGui::SliderFloat("##temperature", &temperature, 0, 2, "", ImGuiSliderFlags_AlwaysClamp))
    frame.choose(frame.view.writing.temperature, static_cast<double>(std::round(temperature * 20) / 20));
  ui::probe("write/temperature");
  ui::name_if_framed(wording("panels:temperature.named"));
  ui::tip(frame, wording("panels:temperature.tip"));
  ImGui::SameLine(0, frame.unit);
  ui::text(frame, temperature_text(frame.view.writing.temperature), {.aligned = true});
}

}  // namespace

std::string why_not_written(const Frame& frame) {
  if (!reads_out(frame) || frame.document.embedding.kind == Embedding::Kind::explicit_values)
    return wording("panels:write.nothing_read_out");
  if (!is_causal(frame)) return wording("panels:write.not_causal");
  return why_not_continued(frame.document, std::ssize(frame.trace.tokens));
}

void write_or_stop(Frame& frame) {
  if (frame.tools.writing) return frame.out.act(act::StopWriting{});
  frame.out.act(act::Write{0, frame.view.writing.temperature, frame.view.writing.seed});
  frame.choose(frame.view.writing.seed, frame.view.writing.seed + 1);
}

float next_bar_width(const Frame& frame, float most) {
  if (!reads_out(frame)) return 0;
  const NextWordsShown& shown = next_words_shown(frame);
  if (shown.words.empty()) return 0;
  const float least = shown.masked ? shown.words.front().width : controls_width(frame);
  return least > most ? 0 : std::min(most, next_bar_wants());
}

float next_bar_wants() { return 36 * ImGui::GetFontSize(); }

void draw_next_bar(Frame& frame, float width) {
  const NextWordsShown& shown = next_words_shown(frame);
  const Trace& trace = frame.trace;
  const float from = ImGui::GetCursorPosX(), controls = shown.masked ? 0 : controls_width(frame);
  float left = width - controls;
  for (std::size_t k = 0; k < shown.words.size(); ++k) {
    const NextWord& next = shown.words[k];
    if ((left -= next.width + frame.unit) < -1) break;
    const std::string tip = wording(shown.masked ? "panels:next.fill" : "panels:next.write",
                                    {{"word", trace.model.next_words.word(next.word)}});
    if (ui::chip(frame, "next/" + std::to_string(k), next.label, false, tip, 0, !frame.tools.writing))
      frame.out.apply(shown.masked ? filled(frame.document, trace.tokens, *shown.masked, next.word)
                                   : continued(frame.document, trace.tokens, next.word));
    ImGui::SameLine(0, frame.unit);
  }
  ImGui::SetCursorPosX(from + width - controls);  // where they stay, whatever the words are
  if (shown.masked) return;
  const std::string why = why_not_written(frame);
  if (ui::chip(frame, "write", button_label(frame), frame.tools.writing,
               why.empty() ? wording("panels:write.tip") : why, 0, frame.tools.writing || why.empty()))
    write_or_stop(frame);
  ImGui::SameLine(0, frame.unit);
  temperature_slider(frame);
  ImGui::SameLine(0, frame.unit);
}

}  // namespace hydra
