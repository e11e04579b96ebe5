// Trade-off: attention in published models, and the document among them.
#include "app/views/tradeoff/published_columns.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"
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
    headers();
    const float top = pos_.y + header_, rows = real(lines_.size()) * row_;
    int below = 0;
    ui::room(canvas_, "tradeoff/published", {pos_.x, top}, {size_.x, list_height_}, rows > list_height_,
             [&](ImVec2 corner) {
               for (std::size_t k = 0; k < lines_.size(); ++k) {
                 const float y = corner.y + real(k) * row_;
                 row(lines_[k], {corner.x, y});
                 below += y + 0.5f * row_ > top + list_height_ ? 1 : 0;
               }
               if (below > 0) fade(top + list_height_);
               return rows;
             });
    if (below > 0) more(below, {pos_.x, top + list_height_ + 0.5f * u_});
    paragraph(frame_, fonts_.small, {pos_.x, caption_}, caption_width(), theme_.ink_soft, caption());
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
    const float gap = 3 * u_;
    std::vector<float> widths;
    float high = 1;
    for (const PublishedColumn& column : published_columns()) {
      float width = 0;
      const std::vector<std::string> title = lines_of(column.title);
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
    canvas_.text_at(fonts_.small, {pos_.x + u_, end - line - u_}, theme_.ink_soft, "model");
    for_columns([&](const PublishedColumn& column, int k, float left, float right) {
      header(column, k, {left, pos_.y}, {right, end});
    });
    canvas_.line({pos_.x, end - 1}, {pos_.x + width_, end - 1}, theme_.line);
  }

  void header(const PublishedColumn& column, int k, ImVec2 a, ImVec2 b) {
    ImFont* small = fonts_.small;
    const bool sorted = view_.tradeoff.published_sorted == k, under = ui::under_pointer(a, b);
    const std::vector<std::string> title = lines_of(column.title);
    float y = b.y - u_ - 1.15f * small_ * real(title.size()), wide = 0;
    for (const std::string& words : title) {
      const float width = text_width(small, words);
      wide = std::max(wide, width);
      canvas_.text_at(small, {b.x - u_ - width, y}, ink_for(frame_, under || sorted), words);
      y += 1.15f * small_;
    }
    if (sorted) canvas_.fill({b.x - u_ - wide, b.y - 0.75f * u_}, {b.x - u_, b.y - 0.75f * u_ + 2}, theme_.accent);
    ui::probe({"tradeoff/published/column/", column.key}, a, b);
    if (!under) return;
    ui::tooltip(frame_, {column.tip, sorted ? "Click: by year again." : "Click: the largest first."});
    if (ui::clicked()) frame_.choose(view_.tradeoff.published_sorted, sorted ? std::nullopt : std::optional(k));
  }

  void row(const PublishedLine& line, ImVec2 pos) {
    const ImVec2 end{pos.x + width_, pos.y + row_};
    const bool own = line.model == nullptr, under = ui::under_pointer(pos, end);
    if (own || under) canvas_.fill(pos, end, own ? theme_.accent_soft : theme_.raised);
    ImFont *font = own ? fonts_.strong : fonts_.text, *mono = fonts_.mono;
    canvas_.text_at(font, {pos.x + u_, pos.y + 0.5f * (row_ - em_)}, theme_.ink, name_of(line),
                    std::min(name_, size_.x) - u_);
    for_columns([&](const PublishedColumn& column, int, float, float right) {
      const std::string text = said(column, line);
      const bool shared = column.key == std::string_view("kv_heads") && line.sizes.kv_heads < line.sizes.heads;
      canvas_.text_up_to(mono, {right - u_, pos.y + 0.5f * (row_ - mono->FontSize)},
                         is_soft(column, line, settings_) ? theme_.ink_soft
                         : shared                         ? theme_.accent
                                                          : theme_.ink,
                         text);
    });
    ui::probe({"tradeoff/published/row/", (own ? std::string("document") : name_of(line))}, pos, end);
    if (!under) return;
    std::vector<std::string> words = said_of(line, settings_);
    for (std::string& sentence : words) sentence = say(sentence);
    ui::tooltip(frame_, words);
  }

  // That the table goes on below.
  void fade(float bottom) {
    const ImU32 ground = theme_.ground, none = ground & ~IM_COL32_A_MASK;
    canvas_.fade({pos_.x, bottom - 1.5f * row_}, {pos_.x + width_, bottom}, none, ground);
  }

  void more(int rows, ImVec2 pos) {
    const std::string text = ui::counted(rows, "more model") + " below: scroll";
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
