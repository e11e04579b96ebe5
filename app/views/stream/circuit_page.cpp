// Circuit: which heads could read what heads of earlier layers write.
#include "app/views/stream/circuit_page.h"

#include "app/views/frame/ui.h"
#include "app/views/shell/pages.h"
#include "app/views/stream/circuit_words.h"
#include "app/views/stream/stream_parts.h"
#include "app/widgets/matrix/drag_cursor.h"

namespace hydra {

namespace {

class CircuitPage : Drawing {
 public:
  explicit CircuitPage(Frame& frame) : Drawing(frame), state_(frame.view.stream.circuit) {}

  void draw(ImVec2 origin, ImVec2 room) {
    if (const std::string why = why_not_shown(frame_); !why.empty()) {
      ui::soft_text(frame_, why);
      return ui::probe("circuit/alone");
    }
    ui::failure_text(frame_, measured_circuit(frame_).failure);
    if (!goes_with_trace()) return ui::waiting_text(frame_, measured_circuit(frame_).failure);
    const Circuit& circuit = *measured_circuit(frame_).value;
    chips();
    const double least = state_.least ? static_cast<double>(*state_.least) : circuit.usual_least();
    threshold(circuit, least);
    // Not one of the stack before, with other layers or heads.
    std::optional<CircuitLine> opened = state_.line && circuit.has(*state_.line) ? state_.line : std::nullopt;
    frame_.choose(state_.line, opened);
    const std::vector<CircuitLine> lines = chosen(drawn_lines(least));
    words(circuit, least);
    const float top = ImGui::GetCursorScreenPos().y + u_, height = origin.y + room.y - top;
    if (height < 10 * em_) return;
    if (!opened && !lines.empty()) opened = lines.front();
    const CircuitLayout at = circuit_layout(input_of({origin.x, top}, {room.x, height}, lines.size(), opened));
    draw_circuit_graph(frame_, at, lines, opened);
    list(at, lines, opened);
    if (opened) draw_circuit_product(frame_, at, *opened);
  }

 private:
  bool goes_with_trace() const {
    if (!measured_circuit(frame_).value) return false;
    const Circuit& circuit = *measured_circuit(frame_).value;
    if (circuit.d_model != frame_.trace.X.cols() || circuit.heads.size() != frame_.trace.layers.size()) return false;
    for (int k = 0; k < circuit.layers(); ++k)
      if (nth(circuit.heads, k) != static_cast<int>(frame_.trace.layer(k).input.heads)) return false;
    return true;
  }

  void chips() {
    ui::Chips chips(frame_, true);
    chips.apart(4 * u_, ui::chip_width(wording("stream:into.query")));
    const auto into = [&](Into which, const char* name, const std::string& label, const std::string& tip) {
      auto shown = state_.into;
      chips.toggle(name, label, nth(shown, static_cast<int>(which)), tip);
      frame_.choose(state_.into, shown);
    };
    into(Into::query, "circuit/into/query", wording("stream:into.query"), wording("stream:into.query.tip"));
    into(Into::key, "circuit/into/key", wording("stream:into.key"), wording("stream:into.key.tip"));
    into(Into::value, "circuit/into/value", wording("stream:into.value"), wording("stream:into.value.tip"));
    const std::string only =
        wording("stream:only_focus", {{"head", view_.focused_head + 1}, {"layer", view_.layer + 1}});
    chips.apart(4 * u_, ui::chip_width(only));
    chips.toggle("circuit/of_focus", only, state_.of_focus, wording("stream:only_focus.tip"));
    if (!state_.least) return;
    if (chips.chip("circuit/usual", wording("stream:threshold.usual"), false, wording("stream:threshold.usual.tip")))
      frame_.choose(state_.least, std::nullopt);
  }

  void threshold(const Circuit& circuit, double least) {
    float value = real(least);
    const float lowest = real(0.25 * random_composition(circuit.d_model));
    ImGui::SetNextItemWidth(14 * em_);
    if (ImGui::SliderFloat("##least", &value, lowest, 1, "",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic))
      frame_.choose(state_.least, value);
    ui::drag_cursor();
    ui::probe("circuit/threshold");
    ui::tip(frame_, wording("stream:threshold.tip"));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    // Where random heads come to, and where the usual threshold stands.
    const float grab = ImGui::GetStyle().GrabMinSize, from = low.x + 0.5f * grab, width = high.x - low.x - grab;
    const double line = random_composition(circuit.d_model);
    const float x = from + width * real(std::log(line / static_cast<double>(lowest)) / -std::log(lowest));
    canvas_.line({x, low.y}, {x, high.y}, theme_.ink_soft, 1);
    threshold_end_ = {high.x + 2 * u_, low.y + ImGui::GetStyle().FramePadding.y};
  }

  const std::vector<CircuitLine>& drawn_lines(double least) {
    auto& kept = frame_.made.of<DrawnLines>();
    const auto& newest = measured_circuit(frame_).value;
    if (kept.of != newest || kept.least != least || kept.into != state_.into)
      kept = {newest, least, state_.into, lines_from(*newest, least, state_.into)};
    return kept.lines;
  }
  std::vector<CircuitLine> chosen(const std::vector<CircuitLine>& lines) const {
    if (!state_.of_focus) return lines;
    std::vector<CircuitLine> own;
    for (const CircuitLine& l : lines)
      if ((l.layer == view_.layer && l.head == view_.focused_head) ||
          (l.to_layer == view_.layer && l.to_head == view_.focused_head))
        own.push_back(l);
    return own;
  }

  // How many lines the threshold lets pass, beside the slider; what the lines are not, under it.
  void words(const Circuit& circuit, double least) const {
    std::size_t of = 0;
    for (const bool on : state_.into) of += on ? circuit.count() / kInto : 0;
    std::vector<std::string> passing = threshold_words(circuit, least, frame_.made.of<DrawnLines>().lines.size(), of);
    for (std::string& text : passing) text = say(text);
    const float right = ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x;
    const float room = right - threshold_end_.x;
    const ImVec2 below = ImGui::GetCursorScreenPos();
    canvas_.text_at(fonts_.text, threshold_end_, theme_.ink, fitting(fonts_.text, room, passing), room);
    ui::probe("circuit/passing", threshold_end_, {right, threshold_end_.y + em_});
    ImGui::SetCursorScreenPos(below);
    ui::soft_text(frame_, fitting(fonts_.small, 2 * (right - below.x), circuit_notes(frame_.trace)));
    ui::probe("circuit/note");
  }

  CircuitInput input_of(ImVec2 pos, ImVec2 size, std::size_t lines, const std::optional<CircuitLine>& opened) {
    auto in = room_for<CircuitInput>(frame_, pos, size);
    const Circuit& circuit = *measured_circuit(frame_).value;
    in.layers = circuit.layers();
    in.heads = *std::ranges::max_element(circuit.heads);
    in.lines = static_cast<int>(std::min(lines, kMostLines));
    const auto named = [&](Index c) {
      in.column = std::max(in.column, text_width(fonts_.small, axis_label(frame_.trace, Axis::model_dim, c)));
    };
    if (const FilledPart* part = opened ? &filled_part(frame_, *opened) : nullptr; part && part->is_part()) {
      in.rows = int_size(part->rows);
      in.cols = int_size(part->cols);
      for (const std::vector<Index>* shown : {&part->rows, &part->cols}) std::ranges::for_each(*shown, named);
      return in;
    }
    const Index columns = frame_.trace.X.cols();
    for (Index c = frame_.trace.layout ? 0 : columns - 1; c < columns; ++c) named(c);  // of numbers the last is longest
    return in;
  }

  void list(const CircuitLayout& at, const std::vector<CircuitLine>& lines, const std::optional<CircuitLine>& opened) {
    const std::string& title = wording(lines.empty() ? "stream:list.none" : "stream:list.title");
    const std::string& brief = wording(lines.empty() ? "stream:list.none.brief" : "stream:list.title.brief");
    canvas_.text_at(fonts_.strong, at.list_title.pos, theme_.ink,
                    fitting(fonts_.strong, at.list_title.size.x, {title, brief}), at.list_title.size.x);
    for (int k = 0; k < std::min(at.listed, int_size(lines)); ++k)
      listed(at, k, nth(lines, k), opened && nth(lines, k).same_place(*opened));
  }

  void listed(const CircuitLayout& at, int k, const CircuitLine& l, bool opened) {
    const ImVec2 low{at.list.pos.x, at.list.pos.y + real(k) * at.line}, high{at.list.right(), low.y + at.line};
    const bool under = canvas_.over(low, high);
    if (opened)
      canvas_.fill(low, high, theme_.accent_soft, 2);
    else if (under)
      canvas_.frame(low, high, theme_.line);
    const float y = low.y + 0.75f * u_, stroke = 2.5f * small_, x = low.x + u_, middle = 0.5f * (low.y + high.y);
    draw_stroke(canvas_, {{x, middle}, {x + 0.5f * stroke, middle}, {x + stroke, middle}}, l.into,
                into_color(frame_, l.into), 2);
    const double times = l.score / random_composition(measured_circuit(frame_).value->d_model);
    const std::string numbers = ui::number(l.score, As::share) + "   " +
                                say(wording("stream:times_random", {{"times", ui::number(times, As::rough)}}));
    const float right = high.x - u_, room = right - x - stroke - 2 * u_;
    const float wide = text_width(fonts_.small, numbers);
    canvas_.text_at(fonts_.small, {x + stroke + 2 * u_, y}, theme_.ink, say(line_name(l)), room - wide - u_);
    canvas_.text_up_to(fonts_.small, {right, y}, theme_.ink_soft, numbers);
    ui::probe({"circuit/list/", k + 1}, low, high);
    if (!under) return;
    if (ui::clicked()) frame_.choose(state_.line, l);
    std::vector<std::string> sentences = line_numbers(*measured_circuit(frame_).value, l);
    for (std::string& sentence : sentences) sentence = say(sentence);
    ui::tooltip_beside(frame_, low, high, sentences);
  }

  const CircuitState& state_;
  ImVec2 threshold_end_;
};

}  // namespace

void draw_circuit_page(Frame& frame, ImVec2 origin, ImVec2 room) { CircuitPage(frame).draw(origin, room); }

}  // namespace hydra
