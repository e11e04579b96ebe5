// What the model is: the settings of its layers and of its ends that tell models apart.
#include "app/views/mapping/mapping_parts.h"
#include "core/short_number.h"

namespace hydra::mapping {

namespace {

constexpr LayerSetting kOfLayers[] = {
    LayerSetting::residual, LayerSetting::norm,         LayerSetting::norm_kind,    LayerSetting::norm_place,
    LayerSetting::parallel, LayerSetting::norm_shared,  LayerSetting::feed_forward, LayerSetting::activation,
    LayerSetting::gated,    LayerSetting::scale,        LayerSetting::alibi,        LayerSetting::qk_norm,
    LayerSetting::rotary,   LayerSetting::rotary_pairs, LayerSetting::rotary_base};
constexpr ModelSetting kOfEnds[] = {ModelSetting::embedding_norm, ModelSetting::transform, ModelSetting::final_norm,
                                    ModelSetting::final_norm_kind, ModelSetting::readout};

// Switches are chips, choices chips behind their name, numbers fields; what belongs to a switch that is off is not
// there.
class Settings {
 public:
  Settings(Frame& frame, const LayoutDraft& draft) : frame_(frame), layout_(draft.layout) {}

  void draw() {
    words("mapping:heads");
    number("layer.heads", layout_.heads > 0 ? std::to_string(layout_.heads) : "", "mapping:heads.hint");
    toggle("layer.mask", wording("mapping:causal"), wording("mapping:causal.tip"), layout_.causal, "causal", "none");
    toggle("model.positions", wording("mapping:sinusoidal"), wording("mapping:sinusoidal.tip"), layout_.sinusoidal,
           "sinusoidal", "none");
    for (const LayerSetting setting : kOfLayers) row(entry_of(setting), layout_.layer, key_of(entry_of(setting)));
    for (const ModelSetting setting : kOfEnds) row(entry_of(setting), layout_.model, key_of(entry_of(setting)));
  }

 private:
  static std::string key_of(const LayerSettingRow& row) {
    return "layer." + (row.within ? std::string(entry_of(*row.within).key) + "." : "") + row.key;
  }
  static std::string key_of(const ModelSettingRow& row) {
    return "model." + std::string(row.object) + (*row.key ? "." + std::string(row.key) : "");
  }

  void words(const char* key) { ui::text(frame_, wording(key), {.aligned = true}); }
  void number(const std::string& key, const std::string& value, const char* hint) {
    ImGui::SameLine(0, frame_.unit);
    field(frame_, key, value, wording(hint), 6 * ImGui::GetFontSize());
  }
  void toggle(const std::string& key, const std::string& label, const std::string& tip, bool on,
              const std::string& yes = "true", const std::string& no = "false") {
    ui::Chips chips(frame_, true);
    if (chips.chip("mapping/" + key, spelled(frame_, label), on, tip)) set(frame_, key, on ? no : yes);
  }

  template <class Row, class Of>
  void row(const Row& row, const Of& settings, const std::string& key) {
    if (row.within && value_of(settings, entry_of(*row.within)) == 0) return;
    const double value = value_of(settings, row);
    if (is_switch(row)) return toggle(key, wording(row.label), wording(row.tip), value != 0);
    const std::string label = wording(row.label);
    ui::flow_line(ImGui::CalcTextSize(label.c_str()).x + 6 * ImGui::GetFontSize());
    ui::text(frame_, label, {.ink = frame_.theme.ink_soft, .aligned = true});
    if (!is_choice(row)) {
      return number(key, short_number(value, 9), "mapping:number.hint");
    }
    ui::Chips chips(frame_, true);
    for (std::size_t k = 0; k < row.names.size(); ++k)
      if (chips.picked("mapping/" + key + "/" + row.names[k], wording(row.labels[k]), value == static_cast<double>(k),
                       wording(row.tip)))
        set(frame_, key, row.names[k]);
  }

  Frame& frame_;
  const ModelLayout& layout_;
};

}  // namespace

void draw_settings(Frame& frame, const LayoutDraft& draft) {
  const ui::SmallChips small(frame);
  Settings(frame, draft).draw();
}

}  // namespace hydra::mapping
