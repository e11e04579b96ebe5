// Trade-off: attention in published models, and the document among them.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/cost/published_columns.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/table.h"
#include "core/document/model.h"

namespace hydra::tradeoff {

namespace {

std::vector<std::string> lines_of(const std::string& title) {
  const std::size_t end = title.find('\n');
  if (end == std::string::npos) return {title};
  return {title.substr(0, end), title.substr(end + 1)};
}

class PublishedTable : Drawing {
 public:
  PublishedTable(Frame& frame, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        settings_{frame.view.tradeoff.context_length, frame.view.tradeoff.bytes_per_number},
        pos_(pos),
        size_(size) {
    PublishedLine own{nullptr, sizes_of(layer_of(frame).input)};
    for (const LayerTrace<float>& layer : frame.trace.layers) own.layers.push_back(sizes_of(layer.input));
    const ModelProgram& ends = model_program_of(frame.document);
    own.ends = ends_weight_count(ends, widths_of(frame.document));
    own.readout = readout_multiply_adds(ends, widths_of(frame.document));
    own.parameters = parameter_count(frame.trace);
    lines_.push_back(std::move(own));
    for (const PublishedModel& model : published_models()) lines_.push_back({&model, model.sizes});
    if (frame.view.tradeoff.published_sorted) sort(nth(published_columns(), *frame.view.tradeoff.published_sorted));
    place();
  }

  void draw() {
    auto table = styled<Table>(frame_);
    table.name = "tradeoff/published";
    table.words = fonts_.text, table.strong = fonts_.strong, table.numbers = fonts_.mono;
    table.columns.push_back(
        {"model", {wording("tradeoff:published.model")}, 0, std::min(name_, size_.x), TableColumn::Kind::words});
    float left = name_;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const PublishedColumn& column = nth(published_columns(), columns_[k]);
      table.columns.push_back({column.key, lines_of(wording(column.title)), left, rights_[k]});
      table.columns.back().sorts = true;
      if (view_.tradeoff.published_sorted == columns_[k]) table.sorted = static_cast<int>(k) + 1;
      left = rights_[k];
    }
    table.rows = std::ssize(lines_);
    table.header = header_, table.row = row_;
    table.marked = std::ranges::find(lines_, nullptr, &PublishedLine::model) - lines_.begin();
    table.cell = [&](Index row, int column) { return cell(nth(lines_, row), column - 1); };
    table.placed = [&](Index row, ImVec2 low, ImVec2 high) {
      const PublishedLine& line = nth(lines_, row);
      ui::probe({"tradeoff/published/row/", line.model ? name_of(line) : std::string("document")}, low, high);
    };
    table.over = [&](ImVec2, Index below) {
      if (below > 0) fade(pos_.y + header_ + list_height_);
    };
    const TableResult at = draw_table(canvas_, table, {pos_, {size_.x, header_ + list_height_}});
    if (at.below > 0) more(static_cast<int>(at.below), {pos_.x, pos_.y + header_ + list_height_ + 0.5f * u_});
    paragraph(frame_, fonts_.small, {pos_.x, caption_}, caption_width(), theme_.ink_soft, caption());
    tell(at);
  }

 private:
  std::string caption() const {
    const bool soft = std::any_of(lines_.begin(), lines_.end(), [&](const PublishedLine& line) {
      return line.model && !line.model->encoder && beyond_context(*line.model, settings_.tokens);
    });
    std::string text = wording("tradeoff:published.caption");
    if (soft) text += " " + wording("tradeoff:published.caption.soft");
    if (canvas_.shows_all()) return text;
    return text + " " +
           wording(columns_.size() < published_columns().size() ? "tradeoff:published.caption.point_sizes"
                                                                : "tradeoff:published.caption.point");
  }
  float caption_width() const { return std::min(std::max(width_, 30 * em_), size_.x); }

  void sort(const PublishedColumn& column) {
    const auto key = [&](const PublishedLine& line) {
      const double value = column.value(line, settings_);
      return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::stable_sort(lines_.begin(), lines_.end(),
                     [&](const PublishedLine& a, const PublishedLine& b) { return key(a) > key(b); });
  }

  // --- where things stand

  // Columns as wide as what they say, and a little wider where there is room; in a narrow room only some of them.
  void place() {
    const float gap = 3 * u_;
    std::vector<float> widths;
    float high = 1;
    for (const PublishedColumn& column : published_columns()) {
      float width = 0;
      const std::vector<std::string> title = lines_of(wording(column.title));
      high = std::max(high, real(title.size()));
      for (const std::string& words : title) width = std::max(width, text_width(fonts_.small, words));
      for (const PublishedLine& line : lines_) width = std::max(width, text_width(fonts_.mono, said(column, line)));
      widths.push_back(std::ceil(width) + gap);
    }
    for (const PublishedLine& line : lines_)
      name_ = std::max(name_, text_width(line.model ? fonts_.text : fonts_.strong, name_of(line)));
    name_ += 2 * u_;
    header_ = std::round(1.15f * high * small_ + 1.5f * u_);

    const float room = size_.x - ImGui::GetStyle().ScrollbarSize - u_;
    columns_ = fitting_columns(widths, room - name_, view_.tradeoff.published_sorted);
    float needed = 0;
    for (const int k : columns_) needed += nth(widths, k);
    const float spare = std::max(0.0f, room - name_ - needed) / real(columns_.size());
    float x = name_;
    for (const int k : columns_) rights_.push_back(x += nth(widths, k) + std::min(spare, 2 * em_));
    width_ = x;

    const float said = paragraph_height(frame_, fonts_.small, caption_width(), caption()) + 2 * u_;
    const float rows = real(lines_.size()), high_enough = size_.y - header_ - said;
    row_ = std::floor(std::clamp(high_enough / rows, 1.3f * em_, 2.1f * em_));
    const bool scrolls = rows * row_ > high_enough;
    list_height_ = scrolls ? high_enough - 1.4f * small_ : rows * row_;
    caption_ = pos_.y + header_ + list_height_ + (scrolls ? 1.4f * small_ : 0) + 1.5f * u_;
  }

  std::string said(const PublishedColumn& column, const PublishedLine& line) const {
    return say(text_of(column, line, settings_));
  }

  // --- what is drawn

  TableCell cell(const PublishedLine& line, int k) const {
    if (k < 0) return {name_of(line)};
    const PublishedColumn& column = nth(published_columns(), nth(columns_, k));
    const bool shared = column.key == std::string_view("kv_heads") && line.sizes.kv_heads < line.sizes.heads;
    return {said(column, line), is_soft(column, line, settings_) ? theme_.ink_soft
                                : shared                         ? theme_.accent
                                                                 : theme_.ink};
  }

  void tell(const TableResult& at) {
    if (at.row >= 0) {
      const auto* column = at.column > 0 ? &nth(published_columns(), nth(columns_, at.column - 1)) : nullptr;
      std::vector<std::string> words = said_of(nth(lines_, at.row), settings_, column);
      for (std::string& sentence : words) sentence = say(sentence);
      ui::tooltip(frame_, words);
    } else if (at.in_header && at.column > 0) {
      const int k = nth(columns_, at.column - 1);
      const bool sorted = view_.tradeoff.published_sorted == k;
      ui::tooltip(frame_, {wording(nth(published_columns(), k).tip),
                           wording(sorted ? "tradeoff:published.by_year" : "tradeoff:published.sort")});
      if (at.clicked) frame_.choose(view_.tradeoff.published_sorted, sorted ? std::nullopt : std::optional(k));
    }
  }

  // That the table goes on below.
  void fade(float bottom) {
    const ImU32 ground = theme_.ground, none = ground & ~IM_COL32_A_MASK;
    canvas_.fade({pos_.x, bottom - 1.5f * row_}, {pos_.x + width_, bottom}, none, ground);
  }

  void more(int rows, ImVec2 pos) {
    const std::string text = wording("tradeoff:published.more", {{"n", rows}});
    const float side = 0.5f * small_, x = pos.x + u_, y = pos.y + 0.3f * small_;
    canvas_.triangle({x, y}, {x + side, y}, {x + 0.5f * side, y + 0.8f * side}, theme_.accent);
    canvas_.text_at(fonts_.small, {x + side + 1.5f * u_, pos.y}, theme_.ink, text);
    ui::probe("tradeoff/published/more", pos, {pos.x + size_.x, pos.y + small_});
  }

  PublishedSettings settings_;
  ImVec2 pos_, size_;
  float name_ = 0, width_ = 0, header_ = 0, row_ = 0, list_height_ = 0, caption_ = 0;
  std::vector<int> columns_;   // that are shown
  std::vector<float> rights_;  // their right ends, from the table's left
  std::vector<PublishedLine> lines_;
};

}  // namespace

void draw_published(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.published");
  PublishedTable(frame, pos, size).draw();
}

}  // namespace hydra::tradeoff
