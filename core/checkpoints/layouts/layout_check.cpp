// A layout held against the arrays of a file.
#include <algorithm>
#include <charconv>

#include "core/checkpoints/layouts/layout.h"
#include "core/document/limits.h"
#include "core/files/printable.h"
#include "core/weights/config.h"
#include "core/weights/model_weights.h"

namespace hydra {

namespace {

std::string words_of(const PartShape& shape) { return in_words(std::vector{shape.rows, shape.cols}); }

std::string with_number(std::string name, Index layer) {
  if (const std::size_t star = name.find('*'); star != std::string::npos) name.replace(star, 1, std::to_string(layer));
  return name;
}

class Checking {
 public:
  Checking(const ModelLayout& layout, const TensorFile& file) : layout_(layout), file_(file) {}

  LayoutCheck result() {
    check_.layer.settings = layout_.layer;
    check_.layer.heads = layout_.heads;
    check_.layer.mask.kind = layout_.causal ? Mask::Kind::causal : Mask::Kind::none;
    find_layers();
    find_sizes();
    for (const LayoutPlace& place : places_of(layout_)) check_place(place);
    check_entries();
    check_together();
    find_unread();
    return std::move(check_);
  }

 private:
  void fault(const std::string& key, std::string what) { check_.faults.push_back({key, std::move(what)}); }
  const std::string* text_at(const std::string& key) const {
    const auto at = layout_.arrays.find(key);
    return at == layout_.arrays.end() ? nullptr : &at->second;
  }
  // Of a layer by its own entry, else by that of all layers.
  std::string entry_for(const LayoutPlace& place, Index layer) const {
    if (!place.of_layer) return place.key();
    const std::string own = "layers." + std::to_string(layer) + "." + entry_of(place.quantity).key;
    return text_at(own) ? own : place.key();
  }

  // As many as the entry that has most of them, so that a hole in another is told as what is missing there.
  void find_layers() {
    bool starred = false;
    for (const auto& [key, text] : layout_.arrays) {
      if (!key.starts_with(kAllLayers)) continue;
      const std::size_t star = text.find('*');
      if (star == std::string::npos) continue;
      starred = true;
      const std::string before = text.substr(0, star);
      const std::string name = part_name(text), after = name.substr(std::min(name.size(), star + 1));
      Index count = 0;
      while (file_.find(before + std::to_string(count) + after)) ++count;
      check_.layers = std::max(check_.layers, count);
    }
    if (!starred) check_.layers = 1;
    if (check_.layers > kMaxLayers)
      fault("arrays", "are of " + std::to_string(check_.layers) + " layers; at most " + std::to_string(kMaxLayers) +
                          " are possible"),
          check_.layers = kMaxLayers;
  }
  static std::string part_name(const std::string& text) {
    try {
      return parse_part(text, false).name;
    } catch (const InputError&) {
      return text;  // which is told where it is checked
    }
  }

  // Nothing: no entry, or it is wrong, which is told by check_place.
  std::optional<PartShape> shape_at(const LayoutPlace& place, Index layer) const {
    const std::string* text = text_at(entry_for(place, layer));
    if (!text) return std::nullopt;
    try {
      const ArrayPart part = parse_part(*text, is_bias(place.quantity));
      const Tensor* tensor = file_.find(with_number(part.name, layer));
      return tensor ? std::optional(shape_of(place.quantity, *tensor, part)) : std::nullopt;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  // Those of the first layer's arrays; what cannot be is a fault of the entry that it is by.
  void find_sizes() {
    Layer& layer = check_.layer;
    if (layer.heads < 1)
      fault("layer.heads", "is not said; arrays do not tell how many heads the model has");
    else if (layer.heads > kMaxHeads)
      fault("layer.heads",
            "is " + std::to_string(layer.heads) + "; 1 to " + std::to_string(kMaxHeads) + " heads are possible here");
    const auto W_Q = shape_at({Quantity::W_Q, true}, 0), W_K = shape_at({Quantity::W_K, true}, 0),
               W_1 = shape_at({Quantity::W_1, true}, 0), E = shape_at({Quantity::E}, 0);
    if (E) check_.words = E->rows;
    if (layer.settings.feed_forward && W_1) layer.settings.feed_forward_width = W_1->cols;
    // Where words and queries disagree, most others tell which is right: the norms' rows are of this width alone.
    check_.d_model = W_Q ? W_Q->rows : E ? E->cols : 0;
    if (!W_Q || layer.heads < 1 || layer.heads > kMaxHeads) return;
    const Index d_model = W_Q->rows, concat = W_Q->cols;
    if (d_model > kMaxFileModel || concat % layer.heads != 0 || concat > kMaxConcat)
      return fault("arrays.layers.*.W_Q",
                   "gives " + words_of(*W_Q) + ", which must be d_model x numbers of all heads (^T turns it)");
    layer.own_width = concat == d_model ? 0 : concat;
    widths_known_ = true;
    if (!W_K) return;
    const Index d_k = concat / layer.heads, sets = W_K->cols / d_k;
    if (sets < 1 || layer.heads % sets != 0 || W_K->cols % d_k != 0)
      return fault("arrays.layers.*.W_K", "has " + std::to_string(W_K->cols) + " columns, which " +
                                              std::to_string(layer.heads) + " heads of " + std::to_string(d_k) +
                                              " numbers cannot share");
    layer.group_size = layer.heads / sets;
  }

  // 0: not known.
  PartShape needed(const LayoutPlace& place) const {
    const Quantity p = place.quantity;
    if (!place.of_layer) {
      const ModelWidths ends{check_.d_model, check_.words, 0, check_.words, layout_.model.types};
      return {ends.rows(p), ends.cols(p)};
    }
    const auto is_of_heads = [](Axis axis) {
      return axis == Axis::head_dim || axis == Axis::half_dim || axis == Axis::heads;
    };
    const LayerWidths widths = widths_known_ ? check_.layer.widths(check_.d_model) : LayerWidths{};
    const QuantityRow& row = entry_of(p);
    const auto along = [&](Axis axis, Index when_known) {
      return axis == Axis::one          ? 1
             : axis == Axis::model_dim  ? check_.d_model
             : axis == Axis::hidden_dim ? check_.layer.settings.feed_forward_width
             : is_of_heads(axis)        ? when_known
                                        : 0;
    };
    return {along(row.rows, widths_known_ ? widths.rows(p) : 0), along(row.cols, widths_known_ ? widths.cols(p) : 0)};
  }

  // The first thing that is wrong with it, of all layers.
  void check_place(const LayoutPlace& place) {
    check_.wants[place.key()] = needed(place);
    const Index layers = place.of_layer ? check_.layers : 1;
    if (check_.layers == 0 && place.of_layer && text_at(place.key())) {
      const std::string name = part_name(*text_at(place.key()));
      return fault("arrays." + place.key(), "names “" + printable(with_number(name, 0), 80) +
                                                "”, and there is no array of that name in the file");
    }
    bool told = false;
    for (Index layer = 0; layer < std::max(Index{1}, layers); ++layer) {
      const std::string key = entry_for(place, layer);
      const std::string* text = text_at(key);
      if (!text) {
        if (place.needed && !told) fault("arrays", "has no entry “" + key + "”"), told = true;
        continue;
      }
      try {
        check_part(place, key, *text, layer);
      } catch (const InputError& wrong) {
        if (!told) fault("arrays." + key, wrong.what());
        told = true;
      }
    }
  }

  void check_part(const LayoutPlace& place, const std::string& key, const std::string& text, Index layer) {
    const ArrayPart part = parse_part(text, is_bias(place.quantity));
    const std::string name = with_number(part.name, layer);
    const Tensor* tensor = file_.find(name);
    if (!tensor)
      throw InputError("names “" + printable(name, 80) + "”, and there is no array of that name in the file");
    check_.used.emplace(tensor->name, key);
    const PartShape has = shape_of(place.quantity, *tensor, part), wants = needed(place);
    if ((wants.rows > 0 && has.rows != wants.rows) || (wants.cols > 0 && has.cols != wants.cols))
      throw InputError("gives " + words_of(has) + ", and the model has " +
                       words_of({wants.rows > 0 ? wants.rows : has.rows, wants.cols > 0 ? wants.cols : has.cols}) +
                       " there");
  }

  // What it says and a model of these settings has not: it may be misspelt.
  void check_entries() {
    const std::vector<LayoutPlace> places = places_of(layout_);
    for (const auto& [key, text] : layout_.arrays) {
      const auto is_its = [&, &key = key](const LayoutPlace& place) {
        if (!place.of_layer || !key.starts_with("layers.")) return key == place.key();
        const std::size_t point = key.find('.', 7);
        if (point == std::string::npos || key.substr(point + 1) != entry_of(place.quantity).key) return false;
        const std::string number = key.substr(7, point - 7);
        Index layer = 0;
        const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), layer);
        return number == "*" || (wrong == std::errc() && end == number.data() + number.size() && layer < check_.layers);
      };
      if (std::ranges::none_of(places, is_its)) fault("arrays." + key, "is nothing that a model of these settings has");
    }
  }

  void check_together() {
    const auto check = [&](const char* key, const auto& settings) {
      try {
        settings();
      } catch (const InputError& wrong) {
        fault(key, std::string("is not possible: ") + wrong.what());
      }
    };
    LayerSettings settings = check_.layer.settings;
    if (settings.feed_forward && settings.feed_forward_width == 0) settings.feed_forward_width = 1;  // W_1 is to come
    if (widths_known_) check("layer", [&] { check_settings(settings, check_.layer.shape(check_.d_model)); });
    check("model", [&] { check_settings(layout_.model, true); });
  }

  void find_unread() {
    for (const Tensor& tensor : file_.tensors) {
      if (check_.used.contains(tensor.name)) continue;
      const auto ends = [&](const std::string& ending) { return tensor.name.ends_with(ending); };
      if (std::ranges::any_of(layout_.ignored, ends))
        check_.used[tensor.name] = "ignored";
      else
        check_.unread.push_back(tensor.name);
    }
  }

  const ModelLayout& layout_;
  const TensorFile& file_;
  LayoutCheck check_;
  bool widths_known_ = false;
};

}  // namespace

// (heads, rows, cols) stands side by side, or for W_O one below another; of a row any axes are one after the other.
PartShape shape_of(Quantity parameter, const Tensor& tensor, const ArrayPart& part) {
  const std::vector<Index>& shape = tensor.shape;
  PartShape all;
  if (is_bias(parameter) || shape.size() < 2) {
    all = {1, count_of(tensor)};
  } else if (shape.size() == 2) {
    all = {shape[0], shape[1]};
    if (part.stored == Stored::transposed) std::swap(all.rows, all.cols);
  } else if (shape.size() > 3) {
    throw InputError("names an array of " + in_words(shape) +
                     "; it must have rows and columns, or these for each head");
  } else if (entry_of(parameter).rows == Axis::head_dim) {
    all = {shape[0] * shape[1], shape[2]};
  } else {
    all = {shape[1], shape[0] * shape[2]};
  }
  const auto within = [](const ArrayPart::Span& span, Index size, const char* what) {
    const Index end = span.end < 0 ? size : span.end;
    if (span.begin >= end || end > size)
      throw InputError("takes " + std::string(what) + " " + std::to_string(span.begin) + " to " + std::to_string(end) +
                       " of " + std::to_string(size));
    return end - span.begin;
  };
  return {within(part.rows, all.rows, "rows"), within(part.cols, all.cols, "columns")};
}

LayoutCheck check_layout(const ModelLayout& layout, const TensorFile& file) { return Checking(layout, file).result(); }

}  // namespace hydra
