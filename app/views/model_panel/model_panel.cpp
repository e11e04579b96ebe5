// The model in a dozen controls, and what few need at first behind them.
#include <algorithm>

#include "app/views/frame/ui.h"
#include "app/views/mask/mask_bar.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/model_panel/model_panel_hands.h"
#include "app/views/model_panel/setting_control.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/views.h"
#include "core/document/limits.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

constexpr int kLeastModel = 8, kMostModel = 512;  // what the panel offers; files may go to 1024

// Which layer is in focus, of how many; what follows below is of it.
void layers_group(Frame& frame) {
  const int layers = int_size(frame.document.layers), at = frame.status.ready ? frame.view.layer : frame.out.layer;
  const std::string text =
      layers == 1 ? wording("panels:layers.one") : wording("panels:layer_of", {{"layer", at + 1}, {"layers", layers}});
  ui::text(frame, text, {.aligned = layers == 1});
  ui::probe("model/layers");
  ui::tip(frame, wording("panels:layers.tip"));
  if (layers == 1) ui::flow_line(ui::chip_width(wording("panels:layers.add")));
  if (ui::button(frame, "model/layers/add", wording("panels:layers.add"), wording("panels:layers.add.tip"),
                 layers < most_layers(frame.document.d_model)))
    frame.out.apply(AddLayer{});
  if (layers == 1) return;
  ImGui::SameLine(0, frame.unit);
  if (ui::button(frame, "model/layers/remove", wording("panels:layers.remove"), wording("panels:layers.remove.tip")))
    frame.out.apply(RemoveLayer{});
}

constexpr Index kMostGivenGroups = 16;  // heads whose groups can be clicked

// A chip for each head but the first: on where it begins a set of keys and values, off where it reads those of the head
// before it.
void given_groups(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const KeyGroups groups = layer.key_groups();
  ui::text(frame, wording("panels:kv_of"));
  ui::tip(frame, wording("panels:kv_of.tip"));
  ui::Chips chips(frame);
  std::optional<Index> clicked;
  for (Index h = 1; h < layer.heads; ++h) {
    const std::string label = std::to_string(h + 1);
    if (chips.chip("model/kv_of/" + label, label, groups.set_of(h) != groups.set_of(h - 1), "")) clicked = h;
  }
  if (!clicked) return;
  std::vector<Index> kv_of{0};
  for (Index h = 1; h < layer.heads; ++h) {
    const bool begins = groups.set_of(h) != groups.set_of(h - 1);
    kv_of.push_back(kv_of.back() + ((h == *clicked) != begins ? 1 : 0));
  }
  frame.out.apply(SetKvOf{std::move(kv_of)});
}

// How many heads have keys and values of their own: multi-head, grouped-query, multi-query attention.
void sharing_chips(Frame& frame) {
  const Layer& layer = document_layer(frame);
  if (layer.heads == 1) return;
  ui::text(frame, wording("panels:kv_heads"));
  ui::tip(frame, wording("panels:kv_heads.tip"));
  ui::Chips chips(frame);
  for (const Index kv_heads : head_counts(layer.heads)) {
    const std::string label = std::to_string(kv_heads);
    if (chips.picked("model/kv_heads/" + label, label, layer.kv_of.empty() && kv_heads == layer.kv_heads(), ""))
      frame.out.apply(SetKvHeads{kv_heads});
  }
  if (layer.group_size > 1) ui::soft_text(frame, wording("panels:kv_heads.shared", {{"n", layer.group_size}}));
  if (layer.split != Split::slice && layer.heads <= kMostGivenGroups) given_groups(frame);
}

// What each head's queries, keys and values have: with another number the heads make up another width than d_model.
void head_width(Frame& frame) {
  const Layer& layer = document_layer(frame);
  if (layer.split == Split::slice) return;  // as wide as these
  const Index d_model = frame.document.d_model, d_k = layer.d_k(d_model);
  int number = static_cast<int>(d_k);
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const bool changed =
      ImGui::InputInt("d_k", &number, 1, 8, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui::probe("model/d_k");
  ui::tip(frame, wording("panels:d_k.tip"));
  const Index wanted = std::clamp<Index>(number, 1, kMaxConcat / layer.heads);
  if (changed && wanted != d_k) frame.out.apply(SetHeadSizes{layer.heads, wanted});
  ui::Chips chips(frame);
  if (layer.heads < std::min(kMaxHeads, kMaxConcat / d_k) &&
      chips.picked("model/heads/more", wording("panels:heads.more"), false, wording("panels:heads.more.tip")))
    frame.out.apply(SetHeadSizes{layer.heads + 1, d_k});
  if (layer.heads > 1 &&
      chips.picked("model/heads/fewer", wording("panels:heads.fewer"), false, wording("panels:heads.fewer.tip")))
    frame.out.apply(SetHeadSizes{layer.heads - 1, d_k});
  if (layer.own_width != 0 && d_model % layer.heads == 0 &&
      chips.picked("model/d_k/usual", wording("panels:d_k.usual"), false, wording("panels:d_k.usual.tip")))
    frame.out.apply(SetHeadSizes{layer.heads, d_model / layer.heads});
}

void width_field(Frame& frame) {
  const Index d_model = frame.document.d_model;
  int width = static_cast<int>(d_model);
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const bool changed = ImGui::InputInt("d_model", &width, 8, 64,
                                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui::probe("model/d_model");
  ui::tip(frame, wording("panels:d_model.tip"));
  if (changed && width != d_model) frame.out.apply(SetModelWidth{std::clamp<Index>(width, kLeastModel, kMostModel)});
}

void head_count_chips(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const Index d_model = frame.document.d_model;
  ui::text(frame, wording("panels:heads"));
  ui::tip(frame, wording("panels:heads.tip"));
  ui::Chips chips(frame);
  for (const Index heads : head_counts(layer.concat_width(d_model))) {
    const std::string label = std::to_string(heads);
    if (chips.picked("model/heads/" + label, label, heads == layer.heads, "")) frame.out.apply(SetHeads{heads});
  }
  const Index concat = layer.concat_width(d_model), d_k = layer.d_k(d_model);
  const std::string count =
      ui::number(static_cast<double>(2 * d_model * (concat + layer.kv_width(d_model))), As::count);
  const bool of_heads = layer.settings.feed_forward, any = !layer.key_groups().shares();
  const std::string weights = of_heads && any ? wording("panels:weights.of_heads.at_any", {{"weights", count}})
                              : of_heads      ? wording("panels:weights.of_heads", {{"weights", count}})
                              : any           ? wording("panels:weights.at_any", {{"weights", count}})
                                              : wording("panels:weights.all", {{"weights", count}});
  ui::soft_text(frame, wording("panels:heads.sizes",
                               {{"concat", concat}, {"heads", layer.heads}, {"d_k", d_k}, {"weights", weights}}));
}

void sharing_group(Frame& frame) {
  head_width(frame);  // above the chips, whose number follows it: what is pressed again stays under the pointer
  sharing_chips(frame);
}

// A mask of this document's own, what it hides, and the tool that paints it.
void mask_painting(Frame& frame) {
  const bool custom = document_layer(frame).mask.kind == Mask::Kind::custom;
  const std::string& label = wording(custom ? "panels:mask.custom" : "panels:mask.paint");
  ui::flow_line(ui::chip_width(label));
  const Command& paint = command("model/mask/paint");
  const std::string tip =
      custom ? wording("panels:tip.key", {{"tip", wording("panels:mask.custom.tip")}, {"key", wording(paint.keys)}})
             : tip_of(paint);
  if (ui::chip(frame, paint.name, label, custom || paint.is_on(frame), tip)) perform(frame, paint);
  if (!custom) return;
  ui::soft_text(frame, mask_sentence(frame, frame.view.layer));
  ui::probe("model/mask/hidden");
  if (const std::string blind = blind_sentence(frame, frame.view.layer); !blind.empty()) ui::soft_text(frame, blind);
}

// "model/temperature", "model/norm/kind".
std::string probe_of(const LayerSettingRow& row) {
  return std::string("model/") + (row.within ? std::string(entry_of(*row.within).key) + "/" : "") + row.key;
}

void setting_control(Frame& frame, const LayerSettingRow& row) {
  ui::SettingControl(frame, row, probe_of(row), value_of(document_layer(frame).settings, row), [&](double value) {
    return SetSetting{row.setting, value};
  }).draw();
}

bool is_plain(const LayerSettingRow& row) {
  return row.setting == LayerSetting::scale || row.setting == LayerSetting::temperature;
}
bool is_variant(const LayerSettingRow& row) { return is_of_heads(row) && !is_plain(row); }
bool is_around(const LayerSettingRow& row) { return !is_of_heads(row); }

// Of what is off only the switch is shown, and nothing of what cannot be or would change nothing.
bool is_shown(const Frame& frame, const Layer& layer, const LayerSettingRow& row) {
  const LayerShape shape = layer.shape(frame.document.d_model);
  return is_possible(layer.settings, row, shape) && makes_difference(row, shape);
}

void setting_controls(Frame& frame, bool (*shown)(const LayerSettingRow&)) {
  const Layer& layer = document_layer(frame);
  for (const LayerSettingRow& row : layer_settings()) {
    if (!shown(row) || !is_shown(frame, layer, row)) continue;
    if (row.within) ImGui::Indent(1.2f * ImGui::GetFontSize());
    setting_control(frame, row);
    if (row.within) ImGui::Unindent(1.2f * ImGui::GetFontSize());
  }
}

void attention_group(Frame& frame) {
  const Layer& layer = document_layer(frame);
  ui::heading(frame, wording("panels:attention"));
  ui::text(frame, wording("panels:mask"), {.aligned = true});
  ui::tip(frame, wording("panels:mask.tip"));
  ImGui::SameLine(5 * ImGui::GetFontSize());
  auto chips = ui::Chips::in_line(frame);
  const auto mask_chip = [&](const char* name, const char* label, Mask::Kind kind, const char* tip) {
    if (chips.picked(name, wording(label), layer.mask.kind == kind, wording(tip)))
      frame.out.apply(SetMask{{kind, nullptr}});
  };
  mask_chip("model/mask/none", "panels:mask.none", Mask::Kind::none, "panels:mask.none.tip");
  mask_chip("model/mask/causal", "panels:mask.causal", Mask::Kind::causal, "panels:mask.causal.tip");
  mask_painting(frame);
  if (const std::string own = own_masks_sentence(frame, frame.view.layer); !own.empty()) ui::soft_text(frame, own);
  setting_controls(frame, is_plain);
}

// Switches and choices that are not as they are from the beginning.
int count_on(const Frame& frame, bool (*counted)(const LayerSettingRow&)) {
  const LayerSettings& settings = document_layer(frame).settings;
  return static_cast<int>(std::ranges::count_if(layer_settings(), [&](const LayerSettingRow& row) {
    return counted(row) && !row.within && value_of(settings, row) != value_of(LayerSettings(), row);
  }));
}

void variants_group(Frame& frame) {
  ui::soft_text(frame, wording("panels:variants.note"));
  setting_controls(frame, is_variant);
}

// The switches stand together, so that none moves under the pointer when another is set; how each is done follows.
void around_group(Frame& frame) {
  setting_controls(frame, [](const LayerSettingRow& row) { return is_around(row) && !row.within; });
  std::optional<LayerSetting> part;
  const Layer& layer = document_layer(frame);
  for (const LayerSettingRow& row : layer_settings()) {
    if (!is_around(row) || !row.within || !is_shown(frame, layer, row)) continue;
    if (part != row.within) ui::soft_text(frame, wording(entry_of(*row.within).label) + ":");
    part = row.within;
    setting_control(frame, row);
  }
}

void positions_controls(Frame& frame) {
  using Positions = Embedding::Positions;
  const Embedding& embedding = frame.document.embedding;
  if (embedding.kind == Embedding::Kind::learned) {
    ui::text(frame, wording("panels:positions"), {.aligned = true});
    ui::tip(frame, wording("panels:positions.tip"));
    ui::Chips chips(frame, true);
    constexpr std::tuple<Positions, const char*, const char*> kKinds[] = {
        {Positions::none, "none", "panels:positions.none"},
        {Positions::sinusoidal, "sinusoids", "panels:positions.sinusoids"},
        {Positions::learned, "learned", "panels:positions.learned"}};
    for (const auto& [kind, key, label] : kKinds)
      if (chips.picked(std::string("model/positions/") + key, wording(label), embedding.positions == kind, ""))
        frame.out.apply(SetPositions{kind});
    return;
  }
  bool positions = embedding.positions == Positions::sinusoidal;
  if (ui::checkbox(frame, "model/positions", wording("panels:positions.switch"), positions,
                   wording("panels:positions.switch.tip")))
    frame.out.apply(SetPositions{positions ? Positions::sinusoidal : Positions::none});
}

void input_group(Frame& frame) {
  const Embedding& embedding = frame.document.embedding;
  ui::Chips chips(frame);
  const auto kind_chip = [&](const char* name, const char* label, Embedding::Kind kind, const char* tip) {
    if (chips.picked(name, wording(label), embedding.kind == kind, wording(tip)))
      frame.out.apply(SetEmbedding{kind, embedding.seed});
  };
  kind_chip("model/embedding/hashed", "panels:embedding.hashed", Embedding::Kind::hashed,
            "panels:embedding.hashed.tip");
  kind_chip("model/embedding/features", "panels:embedding.features", Embedding::Kind::features,
            "panels:embedding.features.tip");
  kind_chip("model/embedding/learned", "panels:embedding.learned", Embedding::Kind::learned,
            "panels:embedding.learned.tip");
  if (embedding.kind == Embedding::Kind::learned) draw_tables(frame);
  if (embedding.kind == Embedding::Kind::features) {
    draw_word_list(frame);
    if (frame.trace.layout && !frame.trace.layout->left_out.empty())
      ui::soft_text(frame, left_out_sentence(*frame.trace.layout));
  }
  if (embedding.kind == Embedding::Kind::explicit_values) {
    ui::soft_text(frame, wording("panels:embedding.given"));
  } else {
    positions_controls(frame);
    draw_words_in_settings(frame);
  }
  draw_pads(frame);
  ui::text(frame, wording("panels:embedding.seed", {{"seed", embedding.seed}}), {.aligned = true});
  ui::tip(frame, wording("panels:embedding.seed.tip"));
  ImGui::SameLine();
  if (ui::button(frame, "model/embedding/reroll", wording("panels:reroll"), wording("panels:embedding.reroll.tip")))
    frame.out.apply(
        SetEmbedding{embedding.kind == Embedding::Kind::explicit_values ? Embedding::Kind::hashed : embedding.kind,
                     embedding.seed + 1});
}

void heads_group(Frame& frame) {
  const ViewState& view = frame.view;
  if (frame.trace.layers.size() != frame.document.layers.size()) return;  // of other layers
  ui::heading(frame, wording("panels:focus"));
  const int heads = int_size(layer_of(frame).heads);
  ui::Chips chips(frame);
  for (int h = 0; h < heads; ++h) {
    const std::string label = std::to_string(h + 1), name = "model/head/" + label;
    const bool in_average = view.average && nth(view.selected_heads, h);
    const bool on = view.average ? in_average : h == view.focused_head;
    const std::string role = role_sentence(frame, h);
    const std::string tip = (role.empty() ? role : role + "\n") + wording("panels:focus.tip");
    const bool pressed = chips.chip(name, label, on, tip, head_color(frame, h));
    const ImVec2 corner{ImGui::GetItemRectMax().x - 1.25f * frame.unit, ImGui::GetItemRectMin().y - 1.25f * frame.unit};
    painted_mark(frame, "model/painted/" + label, view.layer, h, corner, 2.25f * frame.unit);
    if (!pressed) continue;
    if (ImGui::GetIO().KeyCtrl) {
      std::vector<bool> selected = view.selected_heads;
      nth(selected, h) = !nth(selected, h);
      frame.choose(view.selected_heads, selected);
      frame.choose(view.average, true);
    } else {
      focus_head(frame, h);
    }
  }
  const Command& average = command("model/average");
  if (ui::chip(frame, average.name, wording("panels:average"), view.average, tip_of(average))) perform(frame, average);
  ImGui::SameLine(0, frame.unit);
  if (ui::button(frame, "model/select_all", wording("panels:select_all"), wording("panels:select_all.tip")))
    frame.choose(view.selected_heads, std::vector<bool>(static_cast<std::size_t>(heads), true));
}

// A part that few need at first: folded, unless the document uses it or it was opened.
struct Folded {
  Fold fold;
  const char* name;
  const char *title, *tip;            // texts
  std::string (*note)(const Frame&);  // what of it is on; empty: nothing
  void (*draw)(Frame&);
};

std::string so_many_on(int count) { return count == 0 ? "" : wording("panels:so_many_on", {{"n", count}}); }

std::string words_in_note(const Frame& frame) {
  const Embedding& embedding = frame.document.embedding;
  switch (embedding.kind) {
    case Embedding::Kind::hashed:
      return embedding.positions == Embedding::Positions::none ? "" : wording("panels:note.positions");
    case Embedding::Kind::features:
      return wording("panels:note.features");
    case Embedding::Kind::learned:
      return wording("panels:note.words", {{"n", embedding.vocabulary.size()}});
    case Embedding::Kind::explicit_values:
      break;
  }
  return wording("panels:note.given");
}

const Folded kSharing = {Fold::sharing,
                         "model/fold/sharing",
                         "panels:fold.sharing",
                         "panels:fold.sharing.tip",
                         [](const Frame& f) {
                           const Layer& layer = document_layer(f);
                           return !layer.key_groups().shares() && layer.own_width == 0
                                      ? std::string()
                                      : wording("panels:fold.sharing.note",
                                                {{"n", layer.kv_heads()}, {"d_k", layer.d_k(f.document.d_model)}});
                         },
                         sharing_group};
const Folded kFolded[] = {
    {Fold::variants, "model/fold/variants", "panels:fold.variants", "panels:fold.variants.tip",
     [](const Frame& f) { return so_many_on(count_on(f, is_variant)); }, variants_group},
    {Fold::words_in, "model/fold/words_in", "panels:fold.words_in", "panels:fold.words_in.tip", words_in_note,
     input_group},
    {Fold::around, "model/fold/around", "panels:fold.around", "panels:fold.around.tip",
     [](const Frame& f) { return so_many_on(count_on(f, is_around)); }, around_group},
    {Fold::layers, "model/fold/layers", "panels:fold.layers", "panels:fold.layers.tip",
     [](const Frame& f) {
       const auto layers = f.document.layers.size();
       return layers == 1 ? std::string()
                          : wording("panels:layer_of", {{"layer", f.view.layer + 1}, {"layers", layers}});
     },
     layers_group},
    {Fold::words_out, "model/fold/words_out", "panels:fold.words_out", "panels:fold.words_out.tip",
     [](const Frame& f) {
       const ReadoutKind readout = f.document.settings.readout;
       if (readout == ReadoutKind::none) return std::string();
       return wording(readout == ReadoutKind::tied ? "panels:note.tied" : "panels:note.own");
     },
     draw_words_out_group},
};
const Folded kOwn = {Fold::own,
                     "model/fold/own",
                     "panels:fold.own",
                     "panels:fold.own.tip",
                     [](const Frame& f) { return so_many_on(int_size(document_layer(f).own)); },
                     draw_own_group};
static_assert(std::size(kFolded) + 2 == kFolds);

void draw_folded(Frame& frame, const Folded& part) {
  const std::string note = part.note(frame);
  const ModelPanelState& state = frame.view.model_panel;
  const std::optional<bool>& chosen = nth(state.open, part.fold);
  const bool used = part.fold == Fold::words_in ? !frame.derived.known().words.all() : !note.empty();
  bool& was_used = nth(frame.hands.of<UsedFolds>().since_opened, part.fold);
  was_used |= used;
  const bool open = state.all_open || chosen.value_or(was_used);
  if (ui::fold(frame, part.name, wording(part.title), open, note, wording(part.tip))) {
    auto folds = state.open;
    nth(folds, part.fold) = !open;
    frame.choose(state.open, folds);
  }
  if (open) part.draw(frame);
}

void heads_and_width_group(Frame& frame) {
  ui::heading(frame, wording("panels:heads.title"));
  width_field(frame);
  draw_folded(frame, kSharing);
  head_count_chips(frame);
}

}  // namespace

void draw_model_panel(Frame& frame) {
  heads_and_width_group(frame);
  draw_weights_group(frame);
  attention_group(frame);
  for (const Folded& part : kFolded) draw_folded(frame, part);
  draw_split_group(frame);
  heads_group(frame);
  draw_folded(frame, kOwn);
}

}  // namespace hydra
