#include "app/views/design/design_controls.h"
#include "app/views/head_roles.h"
#include "app/views/views.h"

namespace hydra {

namespace {

class Designer : DesignControls {
 public:
  explicit Designer(Frame& frame)
      : DesignControls(frame), head_(frame.view.focused_head), source_(document_layer(frame).source) {
    const auto& designs = source_.designs;
    const bool cut_as_designed = std::ssize(designs) == document_layer(frame).heads;
    seeded_ = designs.empty() || cut_as_designed;
    if (cut_as_designed && nth(designs, head_)) {
      design_ = *nth(designs, head_);
      designed_ = true;
    } else {
      design_.asks.push_back({});
    }
  }

  void draw() {
    title();
    if (!has_feature_layout(frame_.document.d_model)) {
      ui::soft_text(frame_, "Designed heads need named features: an even d_model from 32 to 512.");
      return;
    }
    if (document_layer(frame_).group_size > 1) return sharing_note();
    embedding_note();
    presets_group();
    asks_group();
    place_group();
    strength_group();
    writes_group();
    left_out();
    if (preview_) frame_.out.preview(DesignHead{head_, design_});
    if (commit_) frame_.out.commit();
    if (apply_) frame_.out.apply(DesignHead{head_, design_});
  }

 private:
  // --- parts

  void title() {
    const float swatch = 0.7f * fonts_.large->FontSize;
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    canvas_.fill({pos.x, pos.y + 0.25f * swatch}, {pos.x + swatch, pos.y + 1.25f * swatch}, head_color(frame_, head_),
                 u_);
    ImGui::SetCursorScreenPos({pos.x + swatch + 1.5f * u_, pos.y});
    ui::text(frame_, head_name(head_), {.font = fonts_.large});
    const char* state = designed_ ? "designed" : "not designed";
    ImGui::SameLine(0, 2 * u_);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + fonts_.large->FontSize - em_);
    ui::text(frame_, state, {.ink = theme_.ink_soft});
    ui::probe("design/title");
    role_line();
    if (designed_) ui::soft_text(frame_, in_words());
  }

  // As many words of it as fit; the tip has them all.
  std::string fitting_role(const std::string& sentence, float width) const {
    const HeadLabel* label = label_of(frame_, head_);
    return label ? fitting(fonts_.small, width, {sentence, label->full, label->wider, label->brief})
                 : clipped(fonts_.small, sentence, width);
  }

  // One line, whether the role is known yet or not: nothing below it may move when it comes.
  void role_line() {
    const std::string role = role_sentence(frame_, head_);
    const float width = ImGui::GetContentRegionAvail().x;
    canvas_.text_at(fonts_.small, ImGui::GetCursorScreenPos(), theme_.ink, fitting_role(role, width));
    ImGui::Dummy({width, small_});
    if (!role.empty()) ui::tip(frame_, role);
  }

  // A preset says why it works; anything else, what it asks for.
  std::string in_words() const {
    for (const PresetEntry& preset : presets())
      if (preset.preset == design_.preset && design_ == preset_design(preset.preset)) return preset.tip;
    return describe(design_);
  }

  void sharing_note() {
    ui::soft_text(frame_, "This head shares its keys and values with others; to be designed, it needs its own.");
    if (ui::button(frame_, "design/own_keys", "Give every head its own",
                   "Keys and values are repeated for every head: no number of the output changes."))
      frame_.out.apply(SetKvHeads{document_layer(frame_).heads});
  }

  void embedding_note() {
    if (frame_.document.embedding.kind == Embedding::Kind::features) return;
    ui::soft_text(frame_, "X has no named columns now, so a designed head finds nothing to match.");
    if (ui::button(frame_, "design/use_features", "Use named features for X",
                   "X gets a column per feature of the lexicon, the word's identity, and positions."))
      frame_.out.apply(SetEmbedding{Embedding::Kind::features, frame_.document.embedding.seed});
  }

  void presets_group() {
    ui::heading(frame_, "Presets");
    ui::Chips chips(frame_);
    for (const PresetEntry& preset : presets())
      if (chips.chip(std::string("design/preset/") + preset.key, preset.title,
                     designed_ && design_ == preset_design(preset.preset), preset.tip))
        frame_.out.apply(DesignHead{head_, preset_design(preset.preset)});
    const bool random = seeded_ && !designed_ && !source_.by_number();
    if (chips.chip("design/preset/random", "random", random, "The head's weights as the seed gives them.") && !random)
      frame_.out.apply(DesignHead{head_, std::nullopt});
  }

  void asks_group() {
    ui::heading(frame_, "Query looks like, key looks like");
    ui::tip(frame_, "Each line multiplies what the query has by what the key has, and adds that to the score.");
    for (std::size_t k = 0; k < design_.asks.size(); ++k) {
      Ask& ask = design_.asks[k];
      const std::string name = "design/ask/" + std::to_string(k);
      if (!line(name, {name + "/query", ask.query, "What the query must have."},
                {name + "/key", ask.key, "What the key must have."}, ask.strength,
                "How much this line weighs; negative: avoid such keys."))
        continue;
      design_.asks.erase(design_.asks.begin() + static_cast<std::ptrdiff_t>(k));
      change();
      break;
    }
    if (ui::button(frame_, "design/ask/add", "Add a line",
                   "Another thing to ask for; a head of width d_k holds d_k.")) {
      design_.asks.push_back({});
      change();
    }
    slider_row("design/same_word", "the same word", design_.same_word, -3, 3,
               "How much it weighs that the key is the same word as the query.");
    if (has_slot() || design_.slot_word != 0)
      slider_row(
          "design/slot_word", "its word in the slot", design_.slot_word, -3, 3,
          "How much it weighs that the key's slot holds the query's word, which a head of an earlier layer wrote "
          "there.");
  }

  void place_group() {
    ui::heading(frame_, "Where");
    bool near = !design_.kernels.empty();
    if (ui::checkbox(
            frame_, "design/offset/on", "at offset", near,
            "Prefer keys at this distance from the query: -1 is the token before. The query's sinusoid is turned "
            "by so many steps.")) {
      if (near)
        design_.kernels.push_back({});
      else
        design_.kernels.clear();
      change();
    }
    for (std::size_t k = 0; k < design_.kernels.size(); ++k) {
      Kernel& kernel = design_.kernels[k];
      ImGui::PushID(static_cast<int>(100 + k));
      const std::string name = "design/offset/" + std::to_string(k);
      const float third = (ImGui::GetContentRegionAvail().x - 4 * u_) / 3;
      dragged(name + "/offset", kernel.offset, -8, 8, third, "offset %.1f", "The distance; 0 is the token itself.");
      ImGui::SameLine(0, 2 * u_);
      dragged(name + "/strength", kernel.strength, -3, 3, third, "× %.2g",
              "How much it weighs; negative: avoid that place.");
      ImGui::SameLine(0, 2 * u_);
      float waves = real(kernel.waves);
      if (dragged(name + "/waves", waves, 1, 8, third, waves == 1 ? "1 wave" : "%.0f waves",
                  "How many of the sinusoid's waves take part: more make a narrower peak. Each takes two dimensions."))
        kernel.waves = static_cast<int>(std::lround(waves));
      ImGui::PopID();
    }
    bool placed = design_.place.has_value();
    if (ui::checkbox(frame_, "design/place/on", "at an absolute place", placed,
                     "Prefer the key at this position of the sentence, whatever the query; 0 is the first token.")) {
      design_.place = placed ? std::optional<float>(0.0f) : std::nullopt;
      change();
    }
    if (design_.place)
      dragged("design/place", *design_.place, 0, 24, ImGui::GetContentRegionAvail().x, "position %.0f",
              "Counted from 0.");
  }

  void strength_group() {
    ui::heading(frame_, "How");
    slider_row("design/sharpness", "sharpness", design_.sharpness, 0, 60,
               "What all of it is multiplied by: the higher, the closer the attention is to one token.");
    ui::text(frame_, "carries", {.aligned = true});
    ui::tip(frame_, "What the head reads from the attended token and writes to the output.");
    ui::Chips chips(frame_, true);
    const auto carry = [&](const char* key, const char* label, Carries what, const char* tip) {
      if (chips.choice(std::string("design/carries/") + key, label, design_.carries, what, tip)) change();
    };
    carry("word", "the word", Carries::word, "The identity of the attended word.");
    if (has_slot() || design_.carries == Carries::word_to_slot)
      carry("word-to-slot", "the word, into the slot", Carries::word_to_slot,
            "The identity of the attended word, written into the columns that are empty in X.");
    carry("features", "features", Carries::features, "The features of the attended word.");
    carry("everything", "everything", Carries::everything, "A fixed mixture of all its columns.");
    carry("nothing", "nothing", Carries::nothing, "The head writes nothing: its values are zero.");
  }

  void writes_group() {
    ui::heading(frame_, "Reads there, writes here");
    ui::tip(frame_,
            "Each line is beside what the head carries: what the attended token has of the left is written into the "
            "columns on the right.");
    for (std::size_t k = 0; k < design_.writes.size(); ++k) {
      Write& write = design_.writes[k];
      const std::string name = "design/write/" + std::to_string(k);
      if (!line(name, {name + "/reads", write.reads, "What is read from the attended token."},
                {name + "/writes", write.writes, "The columns that it is written into."}, write.strength,
                "What it is multiplied by."))
        continue;
      design_.writes.erase(design_.writes.begin() + static_cast<std::ptrdiff_t>(k));
      change();
      break;
    }
    if (ui::button(frame_, "design/write/add", "Add a line",
                   "Other features to write; each line takes one of the d_k dimensions of V.")) {
      design_.writes.push_back({});
      change();
    }
  }

  void left_out() {
    if (!designed_) return;
    const Index d_k = document_layer(frame_).d_k(frame_.document.d_model);
    const HeadWeights built = designed_head(design_, frame_.document.columns(), d_k);
    if (built.left_out.empty()) return;
    std::string text = ui::words("A head of width ", d_k, " has no room for: ");
    for (std::size_t k = 0; k < built.left_out.size(); ++k) text += (k > 0 ? ", " : "") + built.left_out[k];
    ui::soft_text(frame_, text + ".");
  }

  bool has_slot() const { return frame_.document.embedding.slot; }

  int head_;
  const WeightSource& source_;
  HeadDesign design_;
  bool designed_ = false;
  bool seeded_ = true;  // what is not designed is as the seed gives it: the heads are cut as they were designed
};

}  // namespace

void draw_designer(Frame& frame) { Designer(frame).draw(); }

}  // namespace hydra
