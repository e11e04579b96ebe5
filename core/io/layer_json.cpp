#include "core/io/layer_json.h"
#include "core/document/model_file.h"

#include <algorithm>
#include <utility>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/io/document_text.h"
#include "core/io/weights_json.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

using namespace json_text;

Mask read_mask(const JsonReader& reader, const Node& node, Index n) {
  using Kind = Mask::Kind;
  if (!node) return {};
  if (!node.json->is_array()) {
    const std::string word = node.json->is_string() ? reader.string(node) : "";
    if (word == "none") return {};
    if (word == "causal") return {Kind::causal, nullptr};
    reader.fail_type(node, "\"none\", \"causal\" or an array of rows of 0 (hidden) and 1 (may attend)");
  }
  const auto holds_arrays = [](const Json& json) { return json.is_array() && !json.empty() && json[0].is_array(); };
  if (holds_arrays(*node.json) && holds_arrays((*node.json)[0]))
    reader.fail(node.pointer, "has a matrix for each head, and a layer has one mask for all its heads: one matrix of " +
                                  std::to_string(n) +
                                  " rows is needed; a single head gets none or a causal one by \"own\", and rows of "
                                  "its attention by \"painted\"");
  const Json& lines = reader.array(*node.json, node.pointer, n, "row");
  Mat<std::uint8_t> allowed(n, n);
  Index i = 0;
  for (const Json& each : lines) {
    const std::string pointer = pointer_to(node.pointer, std::to_string(i));
    Index j = 0;
    for (const Json& value : reader.array(each, pointer, n, "number")) {
      if (!value.is(0) && !value.is(1))
        reader.fail_type({&value, pointer_to(pointer, std::to_string(j))}, "0 (hidden) or 1 (may attend)");
      allowed(i, j++) = value.is(1) ? 1 : 0;
    }
    ++i;
  }
  return {Kind::custom, share(std::move(allowed))};
}

// [[row, [numbers]], ...], sorted by row. With a mask they are rows of attention.
std::vector<PaintedRow<float>> read_painted_rows(const JsonReader& reader, const Node& node, Index n, Index size,
                                                 const Mask* mask) {
  std::vector<PaintedRow<float>> rows;
  for (const Node& entry : reader.elements(node, "an array of [row, numbers]")) {
    const Json& pair = reader.array(*entry.json, entry.pointer, 2, "value");
    const Index row = reader.whole_number({&pair[0], pointer_to(entry.pointer, "0")}, 0, n - 1, 0);
    const Node numbers{&pair[1], pointer_to(entry.pointer, "1")};
    rows.push_back({row, share(reader.vector(numbers, size))});
    if (mask) reader.check_at(numbers.pointer, [&] { check_painted_attention(*mask, row, *rows.back().values); });
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  const auto twice =
      std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row == b.row; });
  if (twice != rows.end()) reader.fail(node.pointer, "sets row " + std::to_string(twice->row) + " twice");
  return rows;
}

// layer: with its heads, its mask and its settings.
std::vector<PaintedHead<float>> read_painted(const JsonReader& reader, const Node& node, Index n, Index d_model,
                                             const Layer& layer, Index pads) {
  std::vector<PaintedHead<float>> heads;
  for (const Node& entry : reader.elements(node, "an array of painted heads")) {
    reader.check_object(entry, {"head", "attention", "values"});
    const Node number = reader.member(entry, "head");
    if (!number) reader.fail(entry.pointer, "has no \"head\", the number of the head that is painted");
    const Index head = reader.whole_number(number, 0, layer.heads - 1, 0);
    const Mask mask = layer.seen_by(head, pads);
    PaintedHead<float> painted{
        read_painted_rows(reader, reader.member(entry, "attention"), n, n, &mask),
        read_painted_rows(reader, reader.member(entry, "values"), n, layer.d_k(d_model), nullptr)};
    heads.resize(static_cast<std::size_t>(layer.heads));
    if (!heads[static_cast<std::size_t>(head)].empty())
      reader.fail(number.pointer, "is " + std::to_string(head) + " once more; each painted head stands once");
    heads[static_cast<std::size_t>(head)] = std::move(painted);
  }
  const auto empty = [](const PaintedHead<float>& head) { return head.empty(); };
  if (std::all_of(heads.begin(), heads.end(), empty)) heads.clear();
  return heads;
}

// What heads have of their own, sorted by head. layer: with its heads, its mask and its settings.
HeadRules read_own(const JsonReader& reader, const Node& node, const Layer& layer) {
  HeadRules rules;
  for (const Node& entry : reader.elements(node, "an array of what heads have of their own")) {
    reader.check_object(entry, {"head", "mask", "window", "temperature"});
    const Node number = reader.member(entry, "head");
    if (!number) reader.fail(entry.pointer, "has no \"head\", the number of the head that this is of");
    HeadRule rule;
    rule.head = reader.whole_number(number, 0, layer.heads - 1, 0);
    if (rule_of(rules, rule.head))
      reader.fail(number.pointer, "is " + std::to_string(rule.head) +
                                      " once more; all that a head has of its own stands in one object");
    if (const Node mask = reader.member(entry, "mask"))
      rule.mask = reader.choice<Mask::Kind>(mask, Mask::Kind::none,
                                            {{"none", Mask::Kind::none}, {"causal", Mask::Kind::causal}});
    if (const Node window = reader.member(entry, "window")) rule.window = reader.whole_number(window, 0);
    if (const Node temperature = reader.member(entry, "temperature"))
      rule.temperature = static_cast<double>(reader.number(*temperature.json, temperature.pointer));
    reader.check_at(entry.pointer, [&] { check_rule(rule, layer.heads, layer.mask.kind, layer.settings); });
    rules = with_rule(std::move(rules), rule);
  }
  return rules;
}

std::string own_text(const HeadRules& rules) {
  std::string text;
  for (const HeadRule& rule : rules) {
    text += (text.empty() ? "[{\"head\": " : ", {\"head\": ") + std::to_string(rule.head);
    if (rule.mask) text += rule.mask == Mask::Kind::none ? ", \"mask\": \"none\"" : ", \"mask\": \"causal\"";
    if (rule.window) text += ", \"window\": " + std::to_string(*rule.window);
    if (rule.temperature) text += ", \"temperature\": " + text_of(static_cast<float>(*rule.temperature));
    text += "}";
  }
  return text + "]";
}

// Groups that are given: by head its set.
void read_kv_of(const JsonReader& reader, const Node& node, const Node& kv_heads, Layer& layer) {
  if (!node) return;
  if (kv_heads) reader.fail(node.pointer, "stands beside " + kv_heads.pointer + "; one of the two is needed");
  std::vector<Index> kv_of;
  for (const Node& set : reader.elements(node, "an array of the set of keys and values that each head reads"))
    kv_of.push_back(reader.whole_number(set, 0, layer.heads - 1, 0));
  reader.check_at(node.pointer, [&] {
    const std::optional<Index> size = size_of_groups(kv_of, layer.heads);
    layer.group_size = size.value_or(1);
    if (!size) layer.kv_of = std::move(kv_of);
    check_kv_heads(layer);
  });
}

// One per head; none when all are 1.
std::vector<float> read_gates(const JsonReader& reader, const Node& node, Index heads) {
  if (!node) return {};
  const RowVec<float> numbers = reader.vector(node, heads);
  std::vector<float> gates(numbers.data(), numbers.data() + numbers.size());
  reader.check_at(node.pointer, [&] { check_gates(gates, heads); });
  if (std::count(gates.begin(), gates.end(), 1.0f) == heads) gates.clear();
  return gates;
}

// A switch that others belong to is the object that has them, or true where all of them may be left out.
void read_setting(const JsonReader& reader, const Node& node, const LayerSettingRow& row, LayerSettings& settings) {
  if (!node) return;
  double value = 1;
  if (may_be_flag(row) && node.json->is_boolean()) {
    value = reader.flag(node, false);
  } else if (has_parts(row)) {
    if (may_be_flag(row) && !node.json->is_object()) reader.fail_type(node, "true, false or an object");
    std::vector<std::string_view> keys;
    for (const LayerSettingRow& part : layer_settings())
      if (part.within == row.setting) keys.push_back(part.key);
    reader.check_object(node, keys);
  } else if (is_choice(row)) {
    std::vector<std::pair<const char*, double>> choices;
    for (const char* name : row.names) choices.emplace_back(name, static_cast<double>(choices.size()));
    value = reader.choice<double>(node, 0, choices);
  } else if (is_switch(row)) {
    value = reader.flag(node, false);
  } else {
    value = is_whole(row) ? static_cast<double>(reader.whole_number(node, 0))
                          : static_cast<double>(reader.number(*node.json, node.pointer));
  }
  reader.check_at(node.pointer, [&] { set_value(settings, row, value); });
}

void read_settings(const JsonReader& reader, const Node& node, Index d_model, Layer& layer) {
  LayerSettings& settings = layer.settings;
  for (const LayerSettingRow& row : layer_settings()) {
    const Node object = row.within ? reader.member(node, entry_of(*row.within).key) : node;
    if (object || !row.within) read_setting(reader, reader.member(object, row.key), row, settings);
  }
  settle(settings, d_model);
  reader.check_at(node.pointer, [&] { check_settings(settings, layer.shape(d_model)); });
}

// --- writing

std::string mask_text(const Mask& mask) {
  if (mask.kind == Mask::Kind::custom) return text_of(mask.allowed, 3);
  return mask.kind == Mask::Kind::causal ? "\"causal\"" : "\"none\"";
}

// One row per line.
std::string painted_text(const std::vector<PaintedRow<float>>& rows, int depth) {
  std::string text = "[";
  for (const PaintedRow<float>& painted : rows) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + "[" + std::to_string(painted.row) + ", ";
    text += row_text(*painted.values) + "]";
  }
  return text + indent(depth) + "]";
}

std::string painted_text(const std::vector<PaintedHead<float>>& heads) {
  std::string text = "[";
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (heads[h].empty()) continue;
    ObjectText object(4);
    object.add("head", std::to_string(h));
    if (!heads[h].attention.empty()) object.add("attention", painted_text(heads[h].attention, 5));
    if (!heads[h].values.empty()) object.add("values", painted_text(heads[h].values, 5));
    text += (text.size() > 1 ? "," : "") + indent(4) + object.text();
  }
  return text + indent(3) + "]";
}

// depth: of the object; within: of the switch whose object it is.
void add_setting(ObjectText& object, int depth, const LayerSettings& settings, const LayerSettingRow& row) {
  const double value = value_of(settings, row);
  if (!row.always_written && value == value_of(LayerSettings{}, row)) return;
  if (has_parts(row)) {
    ObjectText parts(depth);
    for (const LayerSettingRow& part : layer_settings())
      if (part.within == row.setting) add_setting(parts, depth + 1, settings, part);
    object.add(row.key, parts.empty() && may_be_flag(row) ? "true" : parts.text());
  } else if (is_choice(row)) {
    object.add(row.key, text_of(std::string_view(row.names[static_cast<std::size_t>(value)])));
  } else if (is_switch(row)) {
    object.add(row.key, value != 0 ? "true" : "false");
  } else {
    object.add(row.key, is_whole(row) ? std::to_string(static_cast<Index>(value)) : text_of(static_cast<float>(value)));
  }
}

}  // namespace

void NumbersAsked::add(const JsonReader& reader, const std::string& pointer, std::uint64_t numbers) {
  asked += numbers;
  if (asked > most)
    reader.fail(pointer, "makes it a document of more than " + std::to_string(most >> 20) +
                             " million numbers with its patterns, which no link may ask for; give its file instead");
}

Layer read_layer(const JsonReader& reader, const Node& node, Index n, const Document& of, NumbersAsked& asked,
                 std::vector<OlderWeights>* older) {
  const Index d_model = of.d_model;
  const ModelColumns columns = of.columns();
  std::vector<std::string_view> keys{"heads", "d_k", "kv_heads", "kv_of", "mask"};
  for (const LayerSettingRow& row : layer_settings())
    if (!row.within) keys.push_back(row.key);
  for (const char* key : {"own", "weights", "split", "slice_factor", "painted", "gates"}) keys.push_back(key);
  if (older) keys.push_back("other_weights");
  reader.check_object(node, keys);
  Layer layer;
  const Node heads = reader.member(node, "heads"), d_k = reader.member(node, "d_k"),
             kv_heads = reader.member(node, "kv_heads");
  layer.heads = reader.whole_number(heads, layer.heads);
  if (!d_k)
    reader.check_at(heads.pointer, [&] {
      try {
        check_sizes(n, d_model, layer.heads, of.file ? kMaxFileModel : kMaxModel);
      } catch (const InputError& error) {
        if (layer.heads < 1 || layer.heads > kMaxHeads || d_model % layer.heads == 0) throw;
        throw InputError(std::string(error.what()) + ", and any number with \"d_k\", a head's width, beside it");
      }
    });
  if (d_k) {
    const Index each = reader.whole_number(d_k, 0);
    reader.check_at(d_k.pointer, [&] { check_head_width(each, layer.heads); });
    if (each * layer.heads != d_model) layer.own_width = each * layer.heads;
  }
  reader.check_at(heads.pointer, [&] { check_patterns(n, layer.heads); });
  layer.mask = read_mask(reader, reader.member(node, "mask"), n);
  read_settings(reader, node, d_model, layer);
  layer.own = read_own(reader, reader.member(node, "own"), layer);
  layer.split = reader.choice<Split>(reader.member(node, "split"), layer.split,
                                     {{"projection", Split::projection}, {"slice", Split::slice}});
  reader.check_at(d_k.pointer, [&] { check_heads(layer, d_model); });
  if (const Node factor = reader.member(node, "slice_factor")) {
    if (layer.split != Split::slice)
      reader.fail(factor.pointer, "is for slices; \"split\": \"slice\" is needed beside it");
    layer.slice_factor = reader.number(*factor.json, factor.pointer);
    reader.check_at(factor.pointer, [&] { check_gain(*layer.slice_factor); });
  }
  const Index sets = reader.whole_number(kv_heads, layer.heads);
  reader.check_at(kv_heads.pointer, [&] { check_kv_heads(sets, layer.heads); });
  layer.group_size = layer.heads / sets;
  read_kv_of(reader, reader.member(node, "kv_of"), kv_heads, layer);
  reader.check_at(kv_heads.pointer, [&] { check_kv_heads(layer); });
  layer.painted = read_painted(reader, reader.member(node, "painted"), n, d_model, layer, of.pads.count);
  layer.gates = read_gates(reader, reader.member(node, "gates"), layer.heads);
  asked.add(reader, node.pointer, numbers_asked(layer, n, d_model));
  read_weights(reader, reader.member(node, "weights"), layer, columns, weights_in_file(of, layer, of.layers.size()),
               layer.source, layer.weights);
  if (!older) return layer;
  older->emplace_back();
  if (const Node other = reader.member(node, "other_weights"))
    read_weights(reader, other, layer, columns, nullptr, older->back().source.emplace(), older->back().weights);
  return layer;
}

std::string layer_text(const Model& model, std::size_t k) {
  const Layer& layer = model.layers[k];
  ObjectText object(2);
  object.add("heads", std::to_string(layer.heads));
  if (layer.own_width != 0) object.add("d_k", std::to_string(layer.own_width / layer.heads));
  if (layer.group_size > 1) object.add("kv_heads", std::to_string(layer.kv_heads()));
  if (!layer.kv_of.empty()) {
    std::string sets;
    for (const Index set : layer.kv_of) sets += (sets.empty() ? "" : ", ") + std::to_string(set);
    object.add("kv_of", "[" + sets + "]");
  }
  object.add("mask", mask_text(layer.mask));
  for (const LayerSettingRow& row : layer_settings())
    if (!row.within) add_setting(object, 3, layer.settings, row);
  if (!layer.own.empty()) object.add("own", own_text(layer.own));
  if (layer.split == Split::slice) object.add("split", "\"slice\"");
  if (layer.slice_factor) object.add("slice_factor", text_of(*layer.slice_factor));
  if (!layer.gates.empty()) {
    object.add("gates", row_text(Eigen::Map<const Mat<float>>(layer.gates.data(), 1, layer.heads)));
  }
  object.add("weights", weights_text(layer, model.columns(), weights_in_file(model, layer, k)));
  if (!layer.painted.empty()) object.add("painted", painted_text(layer.painted));
  return object.text();
}

}  // namespace hydra
