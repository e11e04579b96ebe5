// Models of no family that is known here, by the layout of one's own that lies beside their arrays (layout.h).
#include "core/checkpoints/layouts/layout.h"
#include "core/checkpoints/family.h"
#include "core/weights/model_weights.h"

namespace hydra::family {

namespace {

// What stands for a parameter; its shape has been checked.
Array<float> whole_array(Parts& parts, Quantity parameter, const Tensor& tensor, const ArrayPart& part) {
  const std::vector<Index>& shape = tensor.shape;
  if (is_bias(parameter) || shape.size() < 2) return share(parts.row({tensor.name}, count_of(tensor)));
  if (shape.size() == 3 && entry_of(parameter).rows == Axis::head_dim)
    return parts.one_below_another({tensor.name}, shape[0], shape[1], shape[2]);
  if (shape.size() == 3) return parts.side_by_side({tensor.name}, shape[0], shape[1], shape[2]);
  return part.stored == Stored::as_is ? parts.array({tensor.name}, shape[0], shape[1], Stored::as_is)
                                      : parts.array({tensor.name}, shape[1], shape[0], Stored::transposed);
}

class LaidOut {
 public:
  LaidOut(const ModelLayout& layout, Parts& parts) : layout_(layout), parts_(parts) {}

  // Null where no array stands for it.
  Array<float> array(const LayoutPlace& place, Index layer) {
    const std::string own = "layers." + std::to_string(layer) + "." + entry_of(place.quantity).key;
    auto at = place.of_layer ? layout_.arrays.find(own) : layout_.arrays.end();
    if (at == layout_.arrays.end()) at = layout_.arrays.find(place.key());
    if (at == layout_.arrays.end()) return nullptr;
    ArrayPart part = parse_part(at->second, is_bias(place.quantity));
    if (const std::size_t star = part.name.find('*'); star != std::string::npos)
      part.name.replace(star, 1, std::to_string(layer));
    const Tensor& tensor = *parts_.find({part.name});
    const PartShape shape = shape_of(place.quantity, tensor, part);
    return whole_array(parts_, place.quantity, tensor, part)
        .row_block(part.rows.begin, shape.rows)
        .columns(part.cols.begin, shape.cols);
  }

 private:
  const ModelLayout& layout_;
  Parts& parts_;
};

}  // namespace

bool holds_layout(const Checkpoint& checkpoint) { return is_layout(checkpoint.config); }

Model read_layout(const Checkpoint& checkpoint) {
  const ModelLayout layout = layout_of(checkpoint.config);
  const LayoutCheck check = check_layout(layout, checkpoint.tensors);
  if (!check.faults.empty()) throw UnreadModel(checkpoint.config.name() + ": " + sentence_of(check.faults.front()));
  Parts parts(checkpoint.tensors, {});
  for (const std::string& ignored : layout.ignored) parts.skip(ignored);
  LaidOut arrays(layout, parts);
  Model model = begun(check.d_model, check.layers, check.layer);
  model.settings = layout.model;
  if (layout.arrays.contains("P"))
    model.embedding.positions = Embedding::Positions::learned;
  else if (layout.sinusoidal)
    model.embedding.positions = Embedding::Positions::sinusoidal;
  const LayerWidths widths = check.layer.widths(check.d_model);
  const auto or_zeros = [](Array<float> values, Quantity p, Index cols) {
    const bool zeros = !values && entry_of(p).start == QuantityRow::Start::zeros;
    return zeros ? share(Mat<float>(Mat<float>::Zero(1, cols))) : values;
  };
  for (const LayoutPlace& place : places_of(layout)) {
    const Quantity p = place.quantity;
    for (Index k = 0; place.of_layer && k < check.layers; ++k)
      if (const Array<float> values = or_zeros(arrays.array(place, k), p, widths.cols(p)))
        put(model.layer(k), p, values);
    if (place.of_layer) continue;
    Array<float> values = or_zeros(arrays.array(place, 0), p, check.d_model);
    if (values && is_table(p))
      values = values.with_row_stamps(std::make_shared<const std::vector<Stamp>>(new_stamps(values.rows())));
    *field_of(model.weights, p) = std::move(values);
  }
  parts.finish();
  return model;
}

}  // namespace hydra::family
