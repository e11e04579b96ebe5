#include "core/io/weights_json.h"

#include <algorithm>
#include <utility>

#include "core/design/design_json.h"
#include "core/document/fingerprints.h"
#include "core/error.h"
#include "core/io/document_text.h"
#include "core/io/numbers_json.h"
#include "core/model/program.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

using namespace json_text;

constexpr std::pair<const char*, WeightSource::Kind> kWeightKinds[] = {
    {"random", WeightSource::Kind::random},
    {"explicit", WeightSource::Kind::explicit_values},
    {"drawn", WeightSource::Kind::drawn},
    {"trained", WeightSource::Kind::trained}};
constexpr std::pair<const char*, Init> kLayerInits[] = {
    {"xavier", Init::xavier}, {"identity", Init::identity}, {"zero", Init::zero}};

// The setting without which a layer has no such weights.
const char* setting_of(Quantity weights) {
  switch (weights) {
    case Quantity::sink:
      return "\"sink\": \"learned\"";
    case Quantity::W_G:
      return "\"output_gate\": \"element\"";
    case Quantity::w_G:
      return "\"output_gate\": \"head\"";
    case Quantity::gain_Q:
    case Quantity::gain_K:
      return "\"qk_norm\"";
    case Quantity::P_L:
    case Quantity::P_W:
      return "\"talking_heads\"";
    case Quantity::offset_bias:
      return "\"offset_bias\"";
    case Quantity::gain_Y:
    case Quantity::shift_Y:
    case Quantity::gain_F:
    case Quantity::shift_F:
      return "a \"norm\" whose \"place\" is \"both\" or \"output\"";
    case Quantity::gain_1:
    case Quantity::gain_2:
    case Quantity::shift_1:
    case Quantity::shift_2:
      return "\"norm\"";
    case Quantity::W_3:
      return "a \"gated\" \"feed_forward\"";
    default:
      return weights >= Quantity::lambda_q1 && weights <= Quantity::gain_O ? "\"differential\"" : "\"feed_forward\"";
  }
}

[[noreturn]] void fail_part(const JsonReader& reader, const std::string& pointer, Quantity quantity) {
  reader.fail(pointer, std::string("is of a part that the layer does not have; ") + setting_of(quantity) +
                           " is needed beside its weights");
}

// [{"preset": "previous"}, null, ...]: a place per head; null for one that is as seeded.
void read_designs(const JsonReader& reader, const Node& node, ModelColumns columns, Index concat,
                  WeightSource& source) {
  if (!node) return;
  const Elements places = reader.elements(node, "an array with a designed head or null for each head");
  reader.check_at(node.pointer, [&] {
    check_feature_width(columns.d_model);
    check_heads(static_cast<Index>(places.size()), concat, columns.d_model);
  });
  for (const Node& place : places) {
    std::optional<HeadDesign>& design = source.designs.emplace_back();
    if (place.json->is_null()) continue;
    design = read_design(reader, place);
    reader.check_at(place.pointer,
                    [&] { designed_head(*design, columns, concat / static_cast<Index>(places.size())); });
  }
}

// [3141592653589793238, ...]: a number for each head that there was.
std::vector<std::uint64_t> read_fingerprints(const JsonReader& reader, const Node& node) {
  const Elements all = reader.elements(node, "an array of whole numbers, one for each head");
  if (all.size() == 0 || all.size() > static_cast<std::size_t>(kMaxHeads))
    reader.fail(node.pointer, "has " + std::to_string(all.size()) + " fingerprints where 1 to " +
                                  std::to_string(kMaxHeads) + " are needed, one for each head");
  std::vector<std::uint64_t> prints;
  for (const Node& print : all) prints.push_back(reader.seed(print, 0));
  return prints;
}

// --- writing

// A place per head, one per line.
std::string designs_text(const std::vector<std::optional<HeadDesign>>& designs, int depth) {
  std::string text = "[";
  for (const std::optional<HeadDesign>& design : designs)
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + (design ? write_design(*design) : "null");
  return text + indent(depth) + "]";
}

std::string fingerprints_text(const std::vector<std::uint64_t>& prints) {
  std::string text = "[";
  for (const std::uint64_t print : prints) text += (text.size() > 1 ? ", " : "") + std::to_string(print);
  return text + "]";
}

}  // namespace

void read_weights(const JsonReader& reader, const Node& node, const Layer& layer, ModelColumns columns,
                  const AttentionWeights<float>* in_file, WeightSource& source, AttentionWeights<float>& weights) {
  std::vector<std::string_view> names;
  for (const Quantity p : kWeights) names.push_back(entry_of(p).key);
  std::vector<std::string_view> keys{"kind", "init", "seed", "gain", "designs", "fingerprints", "edits", "begins"};
  keys.insert(keys.begin() + 6, names.begin(), names.end());
  reader.check_object(node, keys);
  source.kind = reader.choice(reader.member(node, "kind"), source.kind, kWeightKinds);
  source.init = reader.choice(reader.member(node, "init"), source.init, kLayerInits);
  source.seed = reader.seed(reader.member(node, "seed"), source.seed);
  if (const Node gain = reader.member(node, "gain")) {
    source.gain = reader.number(*gain.json, gain.pointer);
    reader.check_at(gain.pointer, [&] { check_gain(source.gain); });
  }
  using Kind = WeightSource::Kind;
  const bool random = !source.by_number();
  const Node prints = reader.member(node, "fingerprints");
  if (prints && source.kind != Kind::drawn && source.kind != Kind::trained)
    reader.fail(prints.pointer, "is for weights that are \"drawn\" or \"trained\"");
  const Node designed = reader.member(node, "designs");
  const LayerWidths widths = layer.widths(columns.d_model);
  read_designs(reader, designed, columns, widths.concat, source);
  if (!source.designs.empty() && widths.kv != widths.concat)
    reader.fail(designed.pointer, "is for heads with keys and values of their own, and \"kv_heads\" lets them share");
  if (random) weights = weights_of(source, layer, columns);
  const Node begins = reader.member(node, "begins"), edits = reader.member(node, "edits");
  const bool overlay = reader.choice<bool>(begins, false, {{"file", true}});
  if (overlay && random) reader.fail(begins.pointer, "is for weights that are given, and these are random");
  if (overlay && !in_file)
    reader.fail(begins.pointer, "needs a \"model\" whose file has a layer of these sizes and settings here");
  if (overlay) weights = *in_file;
  if (edits && !random && !overlay)
    reader.fail(edits.pointer, "is for random weights; explicit ones have their numbers in W_Q and so on");
  reader.check_object(edits, names);
  const LayerProgram& program = program_of(layer.settings);
  for (const Quantity p : kWeights) {
    const Node whole = reader.member(node, entry_of(p).key), edited = reader.member(edits, entry_of(p).key);
    if (!program.has(p)) {
      if (whole || edited) fail_part(reader, (whole ? whole : edited).pointer, p);
      continue;
    }
    if (whole && edited) reader.fail(edited.pointer, "stands beside " + whole.pointer + "; one of the two is needed");
    Array<float>& values = *field_of(weights, p);
    if (whole)
      values = make_weight(p, read_parameter(reader, whole, p, widths.rows(p), widths.cols(p)));
    else if (edited)
      values = make_weight(p, read_edits(reader, edited, p, values, widths.cols(p)));
    else if (!random && !overlay && is_bias(p))
      values = initial_parameter(p, widths, source.init, source.seed);
    else if (!random && !overlay)
      reader.fail(node.pointer, std::string("has no \"") + entry_of(p).key + "\", which explicit weights need");
  }
  if (prints)
    source.fingerprints = read_fingerprints(reader, prints);
  else if (source.kind == Kind::drawn || source.kind == Kind::trained)
    source.fingerprints = fingerprints_of(weights, layer.key_groups());
}

namespace {

// Whether the layer can be told by what differs from the file: numbers can, and a bias that is gone cannot.
bool is_overlay(const Layer& layer, const AttentionWeights<float>* in_file) {
  return in_file && layer.source.by_number() && std::ranges::all_of(kWeights, [&](Quantity p) {
           return *field_of(layer.weights, p) || !*field_of(*in_file, p);
         });
}

}  // namespace

std::string weights_text(const Layer& layer, ModelColumns columns, const AttentionWeights<float>* in_file) {
  const WeightSource& source = layer.source;
  const WeightSource usual;
  const bool random = !source.by_number(), overlay = is_overlay(layer, in_file);
  ObjectText object(3), edits(4);
  object.add("kind", text_of(word_of(source.kind, kWeightKinds)));
  if (source.init != usual.init) object.add("init", text_of(word_of(source.init, kLayerInits)));
  if (random || source.seed != usual.seed) object.add("seed", std::to_string(source.seed));
  if (source.gain != usual.gain) object.add("gain", text_of(source.gain));
  if (!source.designs.empty()) object.add("designs", designs_text(source.designs, 4));
  if (!source.fingerprints.empty() && source.fingerprints != fingerprints_of(layer))
    object.add("fingerprints", fingerprints_text(source.fingerprints));
  if (overlay) object.add("begins", "\"file\"");
  AttentionWeights<float> weights = layer.weights, begun;
  if (random) begun = weights_of(source, layer, columns);
  if (overlay) begun = *in_file;
  for (const Quantity p : kWeights)
    add_parameter(object, edits, p, *field_of(weights, p), *field_of(begun, p), !random && !overlay);
  if (!edits.empty()) object.add("edits", edits.text());
  return object.text();
}

}  // namespace hydra
