// Trade-off: attention in published models, and the document among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/views/controls.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"
#include "core/analysis/published.h"

namespace hydra::tradeoff {

namespace {

struct Line {
  const PublishedModel* model;  // null: the document
  int year;
  double layers;
  LayerSizes sizes;
};

struct Settings {
  double tokens, bytes;
};

struct Column {
  const char* key;
  const char* title;
  float width;  // share of the table
  const char* tip;
  double (*value)(const Line&, const Settings&);
  std::string (*text)(double);
};

std::string plain(double value) { return ui::short_number(value); }

const Column kColumns[] = {
    {"year", "year", 0.6f, "When it was published.",
     [](const Line& l, const Settings&) { return static_cast<double>(l.year); },
     [](double value) { return value > 0 ? plain(value) : std::string(); }},
    {"d_model", "d_model", 0.8f, "Numbers per token between the layers.",
     [](const Line& l, const Settings&) { return l.sizes.d_model; }, whole_number},
    {"heads", "heads", 0.65f, "Heads per layer: queries.", [](const Line& l, const Settings&) { return l.sizes.heads; },
     plain},
    {"kv_heads", "KV heads", 0.85f,
     "Heads of keys and values: fewer than heads where several queries share them (multi-query: Shazeer 2019; "
     "grouped-query: Ainslie et al. 2023).",
     [](const Line& l, const Settings&) { return l.sizes.kv_heads; }, plain},
    {"d_k", "d_k", 0.55f, "Width of a head.", [](const Line& l, const Settings&) { return l.sizes.d_k; }, plain},
    {"layers", "layers", 0.65f, "Layers that attend to their own sequence; of encoder-decoder models, the decoder's.",
     [](const Line& l, const Settings&) { return l.layers; }, plain},
    {"weights", "weights", 0.9f,
     "Of attention alone, biases not counted: layers × d_model (h + 2 h_KV) d_k + h d_k d_model.",
     [](const Line& l, const Settings&) { return l.layers * weight_count(l.sizes); }, brief_number},
    {"multiply_adds", "mult.-adds", 0.95f,
     "Multiply-adds of attention in all layers for one token more, which attends to so many, itself included; the "
     "others' keys and values are kept.",
     [](const Line& l, const Settings& s) { return l.layers * decoding_step(l.sizes, s.tokens).total(); },
     brief_number},
    {"kv_cache", "KV cache", 1.0f,
     "What keys and values of so many tokens take in all layers: 2 h_KV d_k × tokens × layers × bytes per number.",
     [](const Line& l, const Settings& s) { return kv_cache_bytes(l.sizes, s.tokens, l.layers, s.bytes); }, bytes_text},
};

class PublishedTable {
 public:
  PublishedTable(Frame& frame, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        settings_{frame.view.context_length, frame.view.bytes_per_number},
        pos_(pos),
        size_(size),
        em_(frame.fonts.text->FontSize),
        list_(ImGui::GetWindowDrawList()) {
    const Layer& layer = frame.document.layers.front();
    lines_.push_back({nullptr, 0, 1, sizes_of(frame.document.d_model, layer.heads, layer.own_kv_heads())});
    for (const PublishedModel& model : published_models())
      lines_.push_back({&model, model.year, static_cast<double>(model.layers), model.sizes});
    if (const auto& sorted = frame.view.published_sorted) {
      const Column& column = kColumns[*sorted];
      std::stable_sort(lines_.begin(), lines_.end(), [&](const Line& a, const Line& b) {
        return column.value(a, settings_) > column.value(b, settings_);
      });
    }
    name_ = text_width(frame.fonts.text, "This document");
    for (const Line& line : lines_) name_ = std::max(name_, text_width(frame.fonts.text, name_of(line)));
    name_ += 3 * frame.unit;
    float shares = 0;
    for (const Column& column : kColumns) shares += column.width;
    const float rows = static_cast<float>(lines_.size()), room = size.y - header() - caption();
    row_ = std::floor(std::clamp(room / rows, 1.3f * em_, 2.1f * em_));
    const float beside = rows * row_ > room ? ImGui::GetStyle().ScrollbarSize + frame.unit : 0;
    share_ = std::min((size.x - name_ - beside) / shares, 8.5f * em_);
    width_ = name_ + shares * share_;
  }

  void draw() {
    headers();
    const float top = pos_.y + header(), room = size_.y - header() - caption();
    ImGui::SetCursorScreenPos({pos_.x, top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const float rows = static_cast<float>(lines_.size()) * row_;
    if (ImGui::BeginChild("tradeoff/published", {size_.x, std::min(room, rows)}, false, ImGuiWindowFlags_NoNav)) {
      list_ = ImGui::GetWindowDrawList();
      const ImVec2 origin = ImGui::GetCursorScreenPos();
      for (std::size_t k = 0; k < lines_.size(); ++k)
        row(lines_[k], {origin.x, origin.y + static_cast<float>(k) * row_});
      ImGui::SetCursorScreenPos(origin);
      ImGui::Dummy({1, rows});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    paragraph(frame_, frame_.fonts.small, {pos_.x, top + std::min(room, rows) + 1.5f * frame_.unit},
              std::min(width_, size_.x), frame_.theme.ink_soft,
              "Sizes as the sources state them; the rest is computed from them. Point at a model for its source.");
  }

 private:
  float header() const { return std::round(1.8f * frame_.fonts.small->FontSize); }
  float caption() const { return 3.2f * frame_.fonts.small->FontSize; }
  static std::string name_of(const Line& line) { return line.model ? line.model->name : "This document"; }
  static std::string key_of(const Line& line) { return line.model ? line.model->name : "document"; }

  template <class Task>
  void for_columns(float x, const Task& task) const {
    x += name_;
    for (int k = 0; k < static_cast<int>(std::size(kColumns)); ++k) {
      const float width = kColumns[k].width * share_;
      task(k, x + width);
      x += width;
    }
  }

  void headers() {
    ImFont* small = frame_.fonts.small;
    text_at(list_, small, {pos_.x + frame_.unit, pos_.y}, frame_.theme.ink_soft, "model");
    for_columns(pos_.x, [&](int k, float right) {
      const Column& column = kColumns[k];
      const bool sorted = frame_.view.published_sorted == k;
      const float width = text_width(small, column.title), left = right - frame_.unit - width;
      const ImVec2 a{right - column.width * share_, pos_.y}, b{right, pos_.y + header()};
      const bool under = ui::under_pointer(a, b);
      text_at(list_, small, {left, pos_.y}, under || sorted ? frame_.theme.ink : frame_.theme.ink_soft, column.title);
      if (sorted)
        list_->AddRectFilled({left, pos_.y + 1.1f * small->FontSize},
                             {left + width, pos_.y + 1.1f * small->FontSize + 2}, frame_.theme.accent);
      if (ui::probe_recorder()) ui::probe(std::string("tradeoff/published/column/") + column.key, a, b);
      if (!under) return;
      tooltip({spelled(frame_, column.tip), sorted ? "Click: by year again." : "Click: the largest first."});
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        frame_.view.published_sorted = sorted ? std::nullopt : std::optional(k);
    });
    const float y = pos_.y + header() - 1;
    list_->AddLine({pos_.x, y}, {pos_.x + width_, y}, frame_.theme.line);
  }

  void row(const Line& line, ImVec2 pos) {
    const ImVec2 end{pos.x + width_, pos.y + row_};
    const bool own = line.model == nullptr, under = ui::under_pointer(pos, end);
    if (own || under) list_->AddRectFilled(pos, end, own ? frame_.theme.accent_soft : frame_.theme.raised);
    text_at(list_, own ? frame_.fonts.strong : frame_.fonts.text, {pos.x + frame_.unit, pos.y + 0.5f * (row_ - em_)},
            frame_.theme.ink, name_of(line));
    ImFont* mono = frame_.fonts.mono;
    for_columns(pos.x, [&](int k, float right) {
      const std::string text = kColumns[k].text(kColumns[k].value(line, settings_));
      const bool shared = kColumns[k].key == std::string_view("kv_heads") && line.sizes.kv_heads < line.sizes.heads;
      text_at(list_, mono, {right - frame_.unit - text_width(mono, text), pos.y + 0.5f * (row_ - mono->FontSize)},
              shared ? frame_.theme.accent : frame_.theme.ink, text);
    });
    if (ui::probe_recorder()) ui::probe("tradeoff/published/row/" + key_of(line), pos, end);
    if (under)
      tooltip({name_of(line), own ? "The document that is open, one layer." : std::string(line.model->source)});
  }

  Frame& frame_;
  Settings settings_;
  ImVec2 pos_, size_;
  float em_, name_ = 0, share_ = 0, width_ = 0, row_ = 0;
  ImDrawList* list_;
  std::vector<Line> lines_;
};

}  // namespace

void draw_published(Frame& frame, ImVec2 pos, ImVec2 size) { PublishedTable(frame, pos, size).draw(); }

}  // namespace hydra::tradeoff
