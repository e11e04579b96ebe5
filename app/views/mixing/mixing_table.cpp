// The heads one by one: gate, share of the output, what its silencing changes, and how large its rows of W_O are.
#include "app/platform/input.h"
#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/head_marks.h"
#include "app/widgets/table.h"
#include "app/widgets/track_slider.h"

namespace hydra::mixing {

namespace {

struct HeldGate {
  std::optional<int> head;  // whose gate the pointer holds
};

struct Column {
  const char *key = "", *title = "", *under = "", *tip = "";  // key: of its probes; the others are texts
  float x = 0, width = 0;
};

class Table : Drawing {
 public:
  Table(Frame& frame, const SharesPage& at)
      : Drawing(frame),
        at_(at),
        mixing_(measured(frame)),
        numbers_(mixing_numbers(frame)),
        heads_(static_cast<int>(layer_of(frame).input.heads)) {}

  void draw() {
    title(frame_, "mixing/table/title", at_.table_title, wording("mixing:table.title"), wording("mixing:table.tip"));
    if (mixing_) {
      const std::string both = say(numbers_.gates + "   " + numbers_.constant);
      const bool gated = !layer_of(frame_).input.gates.empty();
      canvas_.text_at(fonts_.small, at_.gates.pos, theme_.ink,
                      fitting(fonts_.small, at_.gates.size.x, {both, say(gated ? numbers_.gates : numbers_.constant)}),
                      at_.gates.size.x);
      ui::probe("mixing/gates", at_.gates.pos, {at_.gates.right(), at_.gates.bottom()});
    }
    scrolls_ = at_.table_content > at_.table.size.y + 0.5f;
    place_columns();
    auto table = styled<hydra::Table>(frame_);
    table.name = "mixing";
    table.numbers = fonts_.mono;
    const float u = u_;
    table.columns.push_back({"head", {}, 0, slider_.x, TableColumn::Kind::drawn});
    table.columns.push_back({"gate", titles_of_slider(), slider_.x + 0.6f * u, gate_.x, TableColumn::Kind::drawn});
    table.columns.push_back({"gate_value", titles_of_gate(), gate_.x, gate_.x + gate_.width + u});
    for (const Column& column : columns_) {
      std::vector<std::string> lines{say(wording(column.title)), say(wording(column.under))};
      table.columns.push_back({column.key, std::move(lines), column.x - u, column.x + column.width + u});
      table.columns.back().faint = 1;
    }
    table.rows = heads_;
    table.header = at_.header, table.row = at_.row;
    table.titles_on_top = true;
    table.marked = marked_head(frame_);
    table.cell = [&](Index h, int column) { return cell(static_cast<int>(h), column - 2); };
    table.drawn = [&](Index h, int column, ImVec2 low, ImVec2 high) {
      const int head = static_cast<int>(h);
      if (column == 1) return gate(head, {low.x - 0.6f * u_ - slider_.x, low.y});
      head_mark(frame_, head, {low.x + u_, low.y + 0.5f * (at_.row - em_)}, fonts_.text,
                ink_for(frame_, head == marked_head(frame_)), high.x - low.x - 2 * u_);
    };
    table.is_held = [&](Index h) { return frame_.hands.of<HeldGate>().head == static_cast<int>(h); };
    table.placed = [&](Index h, ImVec2 low, ImVec2 high) {
      if (ui::probe_recorder()) name_row(static_cast<int>(h), low, high);
    };
    table.over = [&](ImVec2 corner, Index) { group_row_lines(frame_, "mixing/group/", view_.layer, corner, at_.row); };
    compare(frame_, table, [this](const Source& source) { return texts_of(source); });
    const TableResult at = draw_table(canvas_, table, at_.table);
    scale_marks(at_.table.pos);
    if (at.in_header) tell_column(at.column);
    if (at.row < 0) return;
    if (at.clicked) focus_head(frame_, static_cast<int>(at.row));
    const double same = mixing_ ? nth(mixing_->constant, at.row) : std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> lines{head_called(frame_, at.row), "", told_other(frame_, at)};
    if (at.column == 3 && std::isfinite(same))
      lines[1] = wording("mixing:table.same", {{"share", ui::number(same, As::fine_percent)}});
    if (!lines[1].empty() || !lines[2].empty()) tooltip(frame_, lines);
  }

 private:
  // A figure has no sliders: there the number is what has the title.
  bool has_sliders() const { return !canvas_.stands_alone(); }
  std::vector<std::string> titles_of_slider() const {
    return has_sliders() ? std::vector{wording("mixing:gate")} : std::vector<std::string>();
  }
  std::vector<std::string> titles_of_gate() const {
    return has_sliders() ? std::vector<std::string>() : std::vector{wording("mixing:gate")};
  }

  void place_columns() {
    const float u = u_, width = at_.table.size.x - (scrolls_ ? ImGui::GetStyle().ScrollbarSize : 0);
    const float number = small_ + text_width(fonts_.text, heads_ > 99 ? "128" : "96") + 3 * u;
    const float gate = text_width(fonts_.mono, "0.00") + 1.5f * u;
    const float numbers = std::max(4.4f * small_, 0.16f * width);
    // What is left is for the names, up to the longest, and for the sliders.
    const float left = width - number - gate - 3 * (numbers + 2 * u);
    // All or none: one name among numbers would look like a finding.
    const float named = small_ + widest_names(frame_, fonts_.text).called + 3 * u;
    const float head = named <= number + left - 5 * small_ ? std::max(number, named) : number;
    const float slider = has_sliders() ? std::max(3 * small_, width - head - gate - 3 * (numbers + 2 * u)) : 2 * u;
    float x = head;
    slider_.x = x;
    slider_.width = slider;
    x += slider;
    gate_.x = x;
    gate_.width = gate;
    x += gate;
    const bool size = view_.mixing.by_size;
    columns_[0] = {"share", "mixing:table.share", size ? "mixing:by_size" : "mixing:along",
                   size ? "mixing:table.by_size.tip" : "mixing:table.along.tip"};
    columns_[1] = {"ablation", "mixing:table.removal", "mixing:table.removal.here", "mixing:table.removal.tip"};
    columns_[2] = {"norm", "mixing:norm", "mixing:table.norm.of", "mixing:table.norm.tip"};
    for (Column& column : columns_) {
      column.x = x + 2 * u;
      column.width = numbers;
      x = column.x + column.width;
    }
  }

  void tell_column(int k) const {
    if (k == 1) tooltip(frame_, {wording("mixing:gate"), wording("mixing:gate.tip")});
    if (k < 3) return;
    const Column& column = columns_[k - 3];
    tooltip(frame_, {wording(column.title) + " " + wording(column.under), wording(column.tip)});
  }

  // 0, 1 and 2 over the sliders.
  void scale_marks(ImVec2 origin) const {
    const Canvas::Part part(canvas_, kWindowAlone);
    const float inset = 1.6f * u_, width = slider_.width - 2 * inset;
    for (const int k : {0, 1, 2})
      canvas_.text_centered(fonts_.mono_small,
                            {origin.x + slider_.x + inset + 0.5f * real(k) * width,
                             origin.y + at_.header - 0.6f * fonts_.mono_small->FontSize - u_},
                            theme_.ink_faint, std::to_string(k));
  }

  void name_row(int h, ImVec2 low, ImVec2 high) const {
    ui::probe({"mixing/head/", h + 1}, low, {low.x + slider_.x, high.y});
    ui::probe({"mixing/gate/", h + 1}, {low.x + slider_.x, low.y}, {low.x + slider_.x + slider_.width, high.y});
    for (const Column& column : columns_)
      ui::probe({"mixing/cell/", h + 1, "/", column.key}, {low.x + column.x, low.y},
                {low.x + column.x + column.width, high.y});
  }

  // The numbers of any state, as they stand in its cells.
  CellTexts texts_of(const Source& source) const {
    const std::shared_ptr<const Mixing> mixing = mixing_of(frame_, source);
    if (!mixing || mixing->heads() != heads_) return {};
    const bool by_size = view_.mixing.by_size, guessing = view_.guessing;
    const std::vector<float>& gates = source.document.layer(view_.layer).gates;
    const Shares all = mixing->shares();
    return [mixing, gates, guessing, shares = by_size ? all.size : all.along](Index h, int column) {
      if (column == 2) return ui::number(gates.empty() ? 1 : nth(gates, h), As::brief);
      if (column == 3) return ui::number(nth(shares, h), As::fine_percent);
      if (column == 4 && !guessing) return ui::number(nth(mixing->ablation, h), As::fine_percent);
      return column == 5 ? ui::number(nth(mixing->block_norm, h)) : std::string();
    };
  }

  // The gate, then the columns of numbers.
  TableCell cell(int h, int k) const {
    if (k == 0) {
      const float gate = gate_of(frame_, h);
      return {ui::number(gate, As::brief), gate == 1 ? theme_.ink_faint : 0};
    }
    if (!mixing_) return {};
    const auto told = [&](const std::string& text, double value, double largest, bool both) {
      return TableCell{text, std::isfinite(value) ? 0 : theme_.ink_faint,
                       TableBar{value / largest, both, head_color(frame_, h)}};
    };
    const bool by_size = view_.mixing.by_size;
    const Mat<double>& shares = by_size ? numbers_.by_size : numbers_.along;
    const double share = shares(0, h), ablation = nth(mixing_->ablation, h), norm = nth(mixing_->block_norm, h);
    if (k == 1)
      return told(ui::number(share, As::fine_percent), share, by_size ? 1 : numbers_.largest_share,
                  !by_size && numbers_.along.row(0).minCoeff() < 0);
    if (k == 2 && view_.guessing) return told("?", std::numeric_limits<double>::quiet_NaN(), 1, false);
    if (k == 2) return told(ui::number(ablation, As::fine_percent), ablation, numbers_.largest_ablation, false);
    return told(ui::number(norm), norm, numbers_.largest_norm, false);
  }

  void gate(int h, ImVec2 pos) {
    auto slider = styled<TrackSlider>(frame_);
    slider.pos = {pos.x + slider_.x, pos.y};
    slider.size = {slider_.width, at_.row};
    slider.value = gate_of(frame_, h);
    slider.high = kMaxGate;
    slider.rest = 1;
    slider.color = head_color(frame_, h);
    ImGui::PushID(h);
    const Canvas::Part part(canvas_, kWindowAlone);
    const TrackSliderResult result = track_slider(canvas_, "gate", slider);
    ImGui::PopID();
    edit(h, slider.value, result);
  }

  // A drag is one undo step; Esc within it takes it back; a double click ends at 1.
  void edit(int h, float shown, const TrackSliderResult& result) {
    std::optional<int>& held = frame_.hands.of<HeldGate>().head;
    if (result.double_clicked) {
      frame_.out.apply(SetGate{h, 1});
      let_go();
      return;
    }
    if (result.held && ui::clicked()) held = h;
    if (held != h) return;
    if (result.held) frame_.hands.hold();
    if (result.held && ui::key_pressed(key::escape)) {
      frame_.out.cancel();
      let_go();
    } else if (result.held && result.value != shown) {
      frame_.out.preview(SetGate{h, result.value});
    }
    if (result.released) {
      frame_.out.commit();
      let_go();
    }
  }
  void let_go() const {
    frame_.hands.of<HeldGate>().head.reset();
    frame_.hands.let_go();
  }

  const SharesPage& at_;
  const Mixing* mixing_;
  const MixingNumbers& numbers_;
  int heads_;
  bool scrolls_ = false;
  Column slider_{}, gate_{}, columns_[3]{};
};

}  // namespace

void draw_table(Frame& frame, const SharesPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.table");
  Table(frame, at).draw();
}

}  // namespace hydra::mixing
