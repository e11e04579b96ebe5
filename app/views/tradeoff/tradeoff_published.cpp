// Trade-off: attention in published models, and the document among them.
#include "app/views/tradeoff/published_columns.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

std::vector<std::string> lines_of(const std::string& title) {
  const std::size_t end = title.find('\n');
  if (end == std::string::npos) return {title};
  return {title.substr(0, end), title.substr(end + 1)};
}

class PublishedTable {
 public:
  PublishedTable(Frame& frame, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        settings_{frame.view.tradeoff.context_length, frame.view.tradeoff.bytes_per_number},
        pos_(pos),
        size_(size),
        em_(frame.fonts.text->FontSize),
        small_(frame.fonts.small->FontSize),
        list_(ImGui::GetWindowDrawList()) {
    const Layer& layer = document_layer(frame);
    lines_.push_back({nullptr, sizes_of(frame.document.d_model, layer.heads, layer.own_kv_heads(), layer.split)});
    for (const PublishedModel& model : published_models()) lines_.push_back({&model, model.sizes});
    if (frame.view.tradeoff.published_sorted) sort(nth(published_columns(), *frame.view.tradeoff.published_sorted));
    place();
  }

  void draw() {
    headers();
    const float top = pos_.y + header_, rows = static_cast<float>(lines_.size()) * row_;
    int below = 0;
    ui::room("tradeoff/published", {pos_.x, top}, {size_.x, list_height_}, rows > list_height_, [&](ImVec2 corner) {
      list_ = ImGui::GetWindowDrawList();
      for (std::size_t k = 0; k < lines_.size(); ++k) {
        const float y = corner.y + static_cast<float>(k) * row_;
        row(lines_[k], {corner.x, y});
        below += y + 0.5f * row_ > top + list_height_ ? 1 : 0;
      }
      if (below > 0) fade(top + list_height_);
      return rows;
    });
    list_ = ImGui::GetWindowDrawList();
    if (below > 0) more(below, {pos_.x, top + list_height_ + 0.5f * frame_.unit});
    paragraph(frame_, frame_.fonts.small, {pos_.x, caption_}, caption_width(), frame_.theme.ink_soft, caption());
  }

 private:
  std::string caption() const {
    const bool soft = std::any_of(lines_.begin(), lines_.end(), [&](const PublishedLine& line) {
      return line.model && !line.model->encoder && beyond_context(*line.model, settings_.tokens);
    });
    return std::string("Sizes as the sources state them; the rest is computed from them.") +
           (soft ? " Soft numbers: longer sequences than the model was trained on." : "") +
           (columns_.size() < published_columns().size() ? " Point at a model for its other sizes and its source."
                                                         : " Point at a model for its source.");
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
    const float gap = 3 * frame_.unit;
    std::vector<float> widths;
    float high = 1;
    for (const PublishedColumn& column : published_columns()) {
      float width = 0;
      const std::vector<std::string> title = lines_of(column.title);
      high = std::max(high, static_cast<float>(title.size()));
      for (const std::string& words : title) width = std::max(width, text_width(frame_.fonts.small, words));
      for (const PublishedLine& line : lines_)
        width = std::max(width, text_width(frame_.fonts.mono, said(column, line)));
      widths.push_back(std::ceil(width) + gap);
    }
    for (const PublishedLine& line : lines_)
      name_ = std::max(name_, text_width(line.model ? frame_.fonts.text : frame_.fonts.strong, name_of(line)));
    name_ += 2 * frame_.unit;
    header_ = std::round(1.15f * high * small_ + 1.5f * frame_.unit);

    const float room = size_.x - ImGui::GetStyle().ScrollbarSize - frame_.unit;
    columns_ = fitting_columns(widths, room - name_, frame_.view.tradeoff.published_sorted);
    float needed = 0;
    for (const int k : columns_) needed += nth(widths, k);
    const float spare = std::max(0.0f, room - name_ - needed) / static_cast<float>(columns_.size());
    float x = name_;
    for (const int k : columns_) rights_.push_back(x += nth(widths, k) + std::min(spare, 2 * em_));
    width_ = x;

    const float said = paragraph_height(frame_, frame_.fonts.small, caption_width(), caption()) + 2 * frame_.unit;
    const float rows = static_cast<float>(lines_.size()), high_enough = size_.y - header_ - said;
    row_ = std::floor(std::clamp(high_enough / rows, 1.3f * em_, 2.1f * em_));
    const bool scrolls = rows * row_ > high_enough;
    list_height_ = scrolls ? high_enough - 1.4f * small_ : rows * row_;
    caption_ = pos_.y + header_ + list_height_ + (scrolls ? 1.4f * small_ : 0) + 1.5f * frame_.unit;
  }

  std::string said(const PublishedColumn& column, const PublishedLine& line) const {
    return spelled(frame_, text_of(column, line, settings_));
  }

  // task(column, its number, left and right end)
  template <class Task>
  void for_columns(const Task& task) const {
    float left = name_;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      task(nth(published_columns(), columns_[k]), columns_[k], pos_.x + left, pos_.x + rights_[k]);
      left = rights_[k];
    }
  }

  // --- what is drawn

  void headers() {
    const float end = pos_.y + header_, line = 1.15f * small_;
    text_at(list_, frame_.fonts.small, {pos_.x + frame_.unit, end - line - frame_.unit}, frame_.theme.ink_soft,
            "model");
    for_columns([&](const PublishedColumn& column, int k, float left, float right) {
      header(column, k, {left, pos_.y}, {right, end});
    });
    list_->AddLine({pos_.x, end - 1}, {pos_.x + width_, end - 1}, frame_.theme.line);
  }

  void header(const PublishedColumn& column, int k, ImVec2 a, ImVec2 b) {
    ImFont* small = frame_.fonts.small;
    const bool sorted = frame_.view.tradeoff.published_sorted == k, under = ui::under_pointer(a, b);
    const std::vector<std::string> title = lines_of(column.title);
    float y = b.y - frame_.unit - 1.15f * small_ * static_cast<float>(title.size()), wide = 0;
    for (const std::string& words : title) {
      const float width = text_width(small, words);
      wide = std::max(wide, width);
      text_at(list_, small, {b.x - frame_.unit - width, y}, under || sorted ? frame_.theme.ink : frame_.theme.ink_soft,
              words);
      y += 1.15f * small_;
    }
    if (sorted)
      list_->AddRectFilled({b.x - frame_.unit - wide, b.y - 0.75f * frame_.unit},
                           {b.x - frame_.unit, b.y - 0.75f * frame_.unit + 2}, frame_.theme.accent);
    ui::probe({"tradeoff/published/column/", column.key}, a, b);
    if (!under) return;
    tooltip({spelled(frame_, column.tip), sorted ? "Click: by year again." : "Click: the largest first."});
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      frame_.view.tradeoff.published_sorted = sorted ? std::nullopt : std::optional(k);
  }

  void row(const PublishedLine& line, ImVec2 pos) {
    const ImVec2 end{pos.x + width_, pos.y + row_};
    const bool own = line.model == nullptr, under = ui::under_pointer(pos, end);
    if (own || under) list_->AddRectFilled(pos, end, own ? frame_.theme.accent_soft : frame_.theme.raised);
    ImFont *font = own ? frame_.fonts.strong : frame_.fonts.text, *mono = frame_.fonts.mono;
    text_at(list_, font, {pos.x + frame_.unit, pos.y + 0.5f * (row_ - em_)}, frame_.theme.ink,
            clipped(font, name_of(line), std::min(name_, size_.x) - frame_.unit));
    for_columns([&](const PublishedColumn& column, int, float, float right) {
      const std::string text = said(column, line);
      const bool shared = column.key == std::string_view("kv_heads") && line.sizes.kv_heads < line.sizes.heads;
      text_at(list_, mono, {right - frame_.unit - text_width(mono, text), pos.y + 0.5f * (row_ - mono->FontSize)},
              is_soft(column, line, settings_) ? frame_.theme.ink_soft
              : shared                         ? frame_.theme.accent
                                               : frame_.theme.ink,
              text);
    });
    ui::probe({"tradeoff/published/row/", (own ? std::string("document") : name_of(line))}, pos, end);
    if (!under) return;
    std::vector<std::string> words = said_of(line, settings_);
    for (std::string& sentence : words) sentence = spelled(frame_, sentence);
    tooltip(words);
  }

  // That the table goes on below.
  void fade(float bottom) {
    const ImU32 ground = frame_.theme.ground, none = ground & ~IM_COL32_A_MASK;
    list_->AddRectFilledMultiColor({pos_.x, bottom - 1.5f * row_}, {pos_.x + width_, bottom}, none, none, ground,
                                   ground);
  }

  void more(int rows, ImVec2 pos) {
    const std::string text = ui::counted(rows, "more model") + " below: scroll";
    const float side = 0.5f * small_, x = pos.x + frame_.unit, y = pos.y + 0.3f * small_;
    list_->AddTriangleFilled({x, y}, {x + side, y}, {x + 0.5f * side, y + 0.8f * side}, frame_.theme.accent);
    text_at(list_, frame_.fonts.small, {x + side + 1.5f * frame_.unit, pos.y}, frame_.theme.ink, text);
    ui::probe("tradeoff/published/more", pos, {pos.x + size_.x, pos.y + small_});
  }

  Frame& frame_;
  PublishedSettings settings_;
  ImVec2 pos_, size_;
  float em_, small_, name_ = 0, width_ = 0, header_ = 0, row_ = 0, list_height_ = 0, caption_ = 0;
  std::vector<int> columns_;   // that are shown
  std::vector<float> rights_;  // their right ends, from the table's left
  ImDrawList* list_;
  std::vector<PublishedLine> lines_;
};

}  // namespace

void draw_published(Frame& frame, ImVec2 pos, ImVec2 size) { PublishedTable(frame, pos, size).draw(); }

}  // namespace hydra::tradeoff
