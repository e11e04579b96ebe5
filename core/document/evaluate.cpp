#include "core/document/evaluate.h"

#include "core/document/model.h"
#include "core/document/read_in.h"
#include "core/explain/overflow.h"
#include "core/model/cost.h"

namespace hydra {

namespace {

// The weights as the heads use them. Slices are those of the previous trace where they are the same, so that they are
// there once.
AttentionWeights<float> used_weights(const Layer& layer, Index d_model, const LayerTrace<float>* previous) {
  AttentionWeights<float> used = restricted(layer.weights, layer.d_k(d_model), layer.split);
  if (layer.split == Split::projection || !previous) return used;
  for (const Quantity p : {Quantity::W_Q, Quantity::W_K, Quantity::W_V})
    if (const Array<float>& before = *field_of(previous->input.weights, p); before == *field_of(used, p))
      *field_of(used, p) = before;
  return used;
}

enum class Kept { all, patterns, output };  // of the heads' stages: see Keeping

// But for those that a large model's products convert as they go.
double weight_bytes(const Document& document) {
  const ModelWidths of_model = widths_of(document);
  double numbers = 0;
  const auto add = [&](Quantity p, const auto& widths, const auto& weights) {
    const Array<float>* values = field_of(weights, p);
    if (is_weight(p) && !(values && values->elsewhere()))
      numbers += static_cast<double>(widths.rows(p) * widths.cols(p));
  };
  for (const Quantity p : model_program_of(document).parameters) add(p, of_model, document.weights);
  for (const Layer& layer : document.layers)
    for (const Quantity p : program_of(layer.settings).parameters)
      add(p, layer.widths(document.d_model), layer.weights);
  return sizeof(float) * numbers;
}

// As it is evaluated: of slices, too, with all columns of X.
LayerSizes sizes_of(const Layer& layer, Index d_model) {
  const auto number = [](Index value) { return static_cast<double>(value); };
  return {number(d_model), number(layer.heads), number(layer.kv_heads()), number(layer.d_k(d_model)), 0,
          layer.settings};
}

// In what is computed of a layer; scores and contributions are those that traces may recompute.
double numbers_in(const Layer& layer, Index d_model, double n, Kept kept) {
  const LayerSizes sizes = sizes_of(layer, d_model);
  const LayerProgram& program = program_of(layer.settings);
  double numbers = 0;
  for (const ProgramNode& node : program.nodes) {
    const bool of_ends = node.result == Quantity::Y || node.result == program.read || node.result == program.leaves;
    const bool large = entry_of(node.result).kind == QuantityRow::Kind::recomputed;
    if (kept == Kept::output ? of_ends : !large || kept == Kept::all) numbers += numbers_of(sizes, node, n);
  }
  return numbers;
}

// In what follows the layers: the final stream where it is another than that which leaves the last of them.
double numbers_read_out(const Document& document, double n) {
  const ModelSettings& settings = document.settings;
  const int stages = (settings.transform ? 2 : 0) + (settings.final_norm ? 1 : 0);
  return stages * n * static_cast<double>(document.d_model) +
         2 * n * static_cast<double>(next_words_of(document).size());
}

// Of what is computed, where that much is kept of every layer but the one in focus, of which there are the patterns.
double bytes_of(const Document& document, Index tokens, Kept kept) {
  const Embedding& e = document.embedding;
  const auto n = static_cast<double>(tokens), d = static_cast<double>(document.d_model);
  const bool positions = e.kind != Embedding::Kind::explicit_values && e.positions != Embedding::Positions::none;
  const ModelSettings& s = document.settings;
  const bool sum = positions || s.types > 0;  // embedding, positions, types, their sum where it is normed, X
  const double stages_of_X = 1 + (positions ? 1 : 0) + (s.types > 0 ? 1 : 0) + (sum && s.embedding_norm ? 1 : 0) +
                             (sum || s.embedding_norm || !e.edits.empty() ? 1 : 0);
  double numbers = (stages_of_X - (lookups_of(e).positions ? 1 : 0)) * n * d + numbers_read_out(document, n);
  double largest = 0;  // of what there is of a layer in focus besides its output
  for (const Layer& layer : document.layers) {
    numbers += numbers_in(layer, document.d_model, n, kept);
    const double patterns = numbers_in(layer, document.d_model, n, Kept::patterns);
    largest = std::max(largest, patterns - numbers_in(layer, document.d_model, n, Kept::output));
  }
  return sizeof(float) * (numbers + (kept == Kept::output ? largest : 0));
}

Kept what_is_kept(const Document& document, Index tokens, double most) {
  if (bytes_of(document, tokens, Kept::all) <= most) return Kept::all;
  const bool fits = document.layers.size() == 1 || bytes_of(document, tokens, Kept::patterns) <= most;
  return fits ? Kept::patterns : Kept::output;
}

LayerInput<float> layer_input(const Document& document, int place, const Array<float>& X, Kept kept,
                              const LayerTrace<float>* previous) {
  const Layer& layer = document.layer(place);
  LayerInput<float> input;
  input.layer = place;
  input.X = X;
  input.weights = used_weights(layer, document.d_model, previous);
  input.heads = layer.heads;
  input.mask = layer.seen(document.pads.count);
  input.settings = layer.settings;
  input.own = layer.terms(document.pads.count);
  input.painted = layer.painted;
  input.split = layer.split;
  input.gates = layer.gates;
  input.group_size = layer.group_size;
  input.weights.kv_of = layer.kv_of;
  input.slice_factor = layer.slice_factor.value_or(1);
  input.keep_all = kept == Kept::all;
  return input;
}

}  // namespace

LayerInput<float> input_of(const Document& document, int layer, const Array<float>& X) {
  return layer_input(document, layer, X, Kept::patterns, nullptr);
}

double trace_bytes(const Document& document, Index tokens) {
  return weight_bytes(document) + bytes_of(document, tokens, what_is_kept(document, tokens, kMostKept));
}

LayerInput<float> input_of(const Document& document, int layer) {
  const Trace trace = read_in(document);
  const Kept kept = what_is_kept(document, trace.X->rows(), kMostKept);
  Array<float> stream = trace.X;
  for (int k = 0;; ++k) {
    const Layer& at = document.layer(k);
    BlockTrace<float> block;
    block.input = stream;
    const BlockMaking<float> making{at.settings, at.weights};
    LayerInput<float> input = layer_input(document, k, before_heads(making, block), kept, nullptr);
    if (k == layer) return input;
    stream = after_heads(making, forward(std::move(input)).output, block);
  }
}

namespace {

// A trace of the layers up to `last`; of all where that is the last there is.
std::shared_ptr<Trace> evaluate_to(int last, const Document& document, const Trace* previous, ThreadPool* pool,
                                   const Keeping& keeping) {
  auto trace = std::make_shared<Trace>();
  trace->document = stamp_of(document);
  read_in(document, previous, *trace);
  const Kept kept = what_is_kept(document, trace->X->rows(), keeping.most);
  const bool every = kept != Kept::output || keeping.focus == Keeping::kEveryLayer;
  const auto again = every ? nullptr : std::make_shared<RecomputedLayers<float>>();
  if (!every) trace->recomputed_blocks = std::make_shared<RecomputedBlocks<float>>();
  Array<float> stream = trace->X;
  for (int k = 0; k <= last; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const bool has_old = previous && at < previous->layers.size(), whole = every || k == keeping.focus;
    const LayerTrace<float>* old = has_old ? &previous->layers[at] : nullptr;
    BlockTrace<float>& block = trace->blocks.emplace_back();
    block.input = stream;
    const BlockMaking<float> making{document.layers[at].settings, document.layers[at].weights,
                                    has_old ? &previous->blocks[at] : nullptr, pool};
    LayerInput<float> input = layer_input(document, k, before_heads(making, block), kept, old);
    if (!whole && old && old->output && old->output.stamp() == output_stamp(input)) {
      trace->layers.push_back(*old);
      trace->layers.back().input = std::move(input);
    } else {
      trace->layers.push_back(forward(std::move(input), old, pool));
    }
    if (!whole) keep_output_only(trace->layers.back(), again);
    stream = after_heads(making, trace->layers.back().output, block, !whole);
    if (!whole) keep_ends_only(making.settings, block);
  }
  return trace;
}

int last_layer(const Document& document) { return static_cast<int>(document.layers.size()) - 1; }

// The stream behind the layer.
const Array<float>& leaving(const Document& document, const Trace& trace, int layer) {
  const Quantity leaves = program_of(document.layer(layer).settings).leaves;
  return leaves == Quantity::Y ? trace.layer(layer).output : trace.block(layer).of(leaves);
}

// Whether a layer, of a document or as it is computed with, has the sizes and settings of what is older: a moment ago
// it was this one, and its pictures are of no other thing.
Index concat_width(const Layer& layer, Index d_model) { return layer.concat_width(d_model); }
Index concat_width(const LayerInput<float>& layer, Index) { return layer.concat_width(); }
template <class Of>
bool is_alike(const Of& layer, const LayerInput<float>& older) {
  return older.key_groups() == layer.key_groups() && older.concat_width() == concat_width(layer, older.d_model()) &&
         older.settings == layer.settings;
}

// The same of what stands around the layers: so many of them, of n tokens, read out alike.
bool is_alike(const Trace& older, std::size_t layers, Index n, Index d_model, const ModelSettings& settings,
              const NextWords& next_words) {
  return older.layers.size() == layers && older.X.rows() == n && older.X.cols() == d_model &&
         older.model.settings == settings && older.model.next_words == next_words;
}

// Multiply-adds that are not worth a second step: some milliseconds; and for which nobody should have to wait.
constexpr double kSoon = 3e8, kLong = 2e10;

double work_after(const Document& document, const Trace& previous, int layer) {
  const Index n = std::ssize(tokens_of(document, &previous));
  double work = 0;
  for (int k = layer + 1; k <= last_layer(document); ++k) work += work_of(document.layer(k), document.d_model, n);
  return work;
}

// None of its layers is as in the trace: nothing that is shown of that is of this document.
bool is_another_model(const Document& document, const Trace& trace) {
  for (std::size_t k = 0; k < std::min(document.layers.size(), trace.layers.size()); ++k)
    if (document.layers[k].weights.W_Q.stamp() == trace.layers[k].input.weights.W_Q.stamp()) return false;
  return true;
}

bool can_wait(const Document& document, const Trace& trace, int from) {
  const Index n = std::ssize(tokens_of(document, &trace));
  if (!is_alike(trace, document.layers.size(), n, document.d_model, document.settings, next_words_of(document)))
    return false;
  for (int k = from; k <= last_layer(document); ++k)
    if (!is_alike(document.layer(k), trace.layer(k).input)) return false;
  return work_after(document, trace, from - 1) > kSoon;
}

void take_later_layers(Trace& trace, const Trace& later) {
  const auto from = static_cast<std::ptrdiff_t>(*trace.older_from);
  trace.layers.erase(trace.layers.begin() + from, trace.layers.end());
  trace.blocks.erase(trace.blocks.begin() + from, trace.blocks.end());
  trace.layers.insert(trace.layers.end(), later.layers.begin() + from, later.layers.end());
  trace.blocks.insert(trace.blocks.end(), later.blocks.begin() + from, later.blocks.end());
  for (const ProgramNode& node : trace.model.program().out)
    *trace.model.stage(node.result) = *later.model.stage(node.result);
}

}  // namespace

std::shared_ptr<const Trace> evaluate(const Document& document, const Trace* previous, ThreadPool* pool,
                                      const Keeping& keeping) {
  const std::shared_ptr<Trace> trace = evaluate_to(last_layer(document), document, previous, pool, keeping);
  read_out(leaving(document, *trace, last_layer(document)), trace->model, previous ? &previous->model : nullptr, pool,
           keeping.read_out);
  find_overflow(*trace, previous);
  return trace;
}

std::shared_ptr<const Trace> evaluate_first(const Document& document, const Trace& previous, ThreadPool* pool,
                                            const Keeping& keeping) {
  const int last = keeping.focus;
  if (last != Keeping::kEveryLayer && last < last_layer(document) &&
      (previous.is_beginning() ||
       (is_another_model(document, previous) && work_after(document, previous, last) > kLong)))
    return evaluate_beginning(document, &previous, pool, keeping);
  if (last == Keeping::kEveryLayer || !can_wait(document, previous, last + 1))
    return evaluate(document, &previous, pool, keeping);
  const std::shared_ptr<Trace> trace = evaluate_to(last, document, &previous, pool, keeping);
  const bool nothing_new = !previous.older_from && leaving(document, *trace, last) == previous.block(last + 1).input;
  trace->older_from = last + 1;
  take_later_layers(*trace, previous);
  if (nothing_new) {  // later layers may be edited as well; those before the first of them are as they were
    trace->sizes = previous.sizes;
    return evaluate(document, trace.get(), pool, keeping);
  }
  find_overflow(*trace, &previous);
  return trace;
}

std::shared_ptr<const Trace> evaluate_beginning(const Document& document, const Trace* previous, ThreadPool* pool,
                                                const Keeping& keeping) {
  assert(keeping.focus >= 0 && keeping.focus < last_layer(document));
  Document beginning = document;
  beginning.layers.erase(beginning.layers.begin() + keeping.focus + 1, beginning.layers.end());
  ModelSettings& settings = beginning.settings;  // what follows the last layer does not follow this one
  settings.transform = settings.final_norm = false;
  settings.readout = ReadoutKind::none;
  const std::shared_ptr<Trace> trace = evaluate_to(keeping.focus, beginning, previous, pool, keeping);
  trace->older_from = keeping.focus + 1;
  find_overflow(*trace, previous);
  return trace;
}

std::shared_ptr<const Trace> with_later_layers(std::shared_ptr<const Trace> first, const Trace& later) {
  const ModelTrace<float>& model = first->model;
  if (!first->older_from ||
      !is_alike(later, first->layers.size(), first->X.rows(), first->X.cols(), model.settings, model.next_words))
    return first;
  for (int k = *first->older_from; k < std::ssize(first->layers); ++k)
    if (!is_alike(first->layer(k).input, later.layer(k).input)) return first;
  auto trace = std::make_shared<Trace>(*first);
  take_later_layers(*trace, later);
  return trace;
}

std::shared_ptr<const Trace> with_whole_layer(std::shared_ptr<const Trace> trace, int layer) {
  if (trace->layer(layer).is_whole()) return trace;
  auto other = std::make_shared<Trace>(*trace);
  other->layers[static_cast<std::size_t>(layer)] = *whole_of(trace->layer(layer));
  other->blocks[static_cast<std::size_t>(layer)] = *whole_block_of(*trace, layer);
  return other;
}

double work_of(const Layer& layer, Index d_model, Index n) {
  return work_of(sizes_of(layer, d_model), static_cast<double>(n));
}

}  // namespace hydra
