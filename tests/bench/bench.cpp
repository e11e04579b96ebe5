// Answers timing requests, one a line on standard input, with seconds, one a line on standard output; scripts/bench.py
// asks and interleaves them with PyTorch's. Each answer holds as many seconds as asked for, separated by blanks.
// Documents keep what the program keeps (document/evaluate.h).
//   forward N D_MODEL HEADS COUNT [causal]        a forward pass that keeps the whole trace
//   stack N D_MODEL HEADS LAYERS COUNT            a document of blocks: norm before, gelu, 4 d_model hidden
//   drag N D_MODEL HEADS LAYERS FOCUS COUNT       an edit of its layer, until that layer's pictures are new
//   drag_all N D_MODEL HEADS LAYERS FOCUS COUNT   the same until those of all layers are
//   edit PARAMETER N D_MODEL HEADS COUNT          a one-cell edit of a document, and evaluating it
//   way KEY N D_MODEL HEADS COUNT                 the output alone, in one of the ways of ways.h
//   way_bytes KEY N D_MODEL HEADS                 the bytes that way holds at most
//   decode N D_MODEL HEADS KV_HEADS COUNT         the token after N - 1 kept ones, by the cache of decoding.h
//   write D_MODEL HIDDEN LAYERS HEADS KV_HEADS WORDS THREADS COUNT   a token of the 200 after the first that a model as
//                                                 Llama writes, on so many threads
//   cache_bytes N D_MODEL HEADS KV_HEADS          the bytes of keys and values that N tokens keep
#include <chrono>
#include <cstdio>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "core/attention/decoding.h"
#include "core/attention/ways.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model.h"
#include "core/error.h"
#include "core/learn/run.h"
#include "core/learn/start.h"
#include "core/linalg/memory.h"
#include "core/linalg/random.h"
#include "core/model/program.h"
#include "core/writing/writing.h"

using namespace hydra;

namespace {

// What the program itself uses on a machine with two cores.
constexpr int kThreads = 2;

// Times count calls, after as many as make caches and clock warm: the same 50 ms as scripts/bench_theirs.py.
template <class Work>
void report(int count, const Work& work, int most_warm = 1'000'000) {
  const auto cold = std::chrono::steady_clock::now();
  do {
    work();
  } while (--most_warm > 0 && std::chrono::steady_clock::now() - cold < std::chrono::milliseconds(50));
  for (int k = 0; k < count; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%.9f ", seconds.count());
  }
  std::printf("\n");
  std::fflush(stdout);
}

// Random weights with biases: PyTorch's layer has them too.
LayerInput<float> random_layer(Index n, Index d_model, Index heads, Index group_size = 1) {
  Random random(1);
  Mat<float> X(n, d_model);
  for (Index k = 0; k < X.size(); ++k) X.data()[k] = static_cast<float>(random.normal());
  LayerInput<float> input;
  input.X = share(std::move(X));
  input.heads = heads;
  input.group_size = group_size;
  input.weights = with_kv_heads(initial_weights({d_model, d_model, d_model}, Init::xavier, 7), heads, input.kv_heads());
  AttentionWeights<float>& w = input.weights;
  w.b_Q = w.b_O = share(RowVec<float>(RowVec<float>::Constant(d_model, 0.1f)));
  w.b_K = w.b_V = share(RowVec<float>(RowVec<float>::Constant(input.kv_width(), 0.1f)));
  return input;
}

void time_forward(std::istream& request, ThreadPool& pool) {
  Index n = 0, d_model = 0, heads = 0;
  int count = 0;
  std::string mask;
  request >> n >> d_model >> heads >> count >> mask;
  LayerInput<float> input = random_layer(n, d_model, heads);
  if (mask == "causal") input.mask.kind = Mask::Kind::causal;
  LayerTrace<float> trace =
      forward<float>(input, nullptr, &pool);  // as in the program, the last trace dies with the next
  report(count, [&] { trace = forward<float>(input, nullptr, &pool); });
}

// As torch.nn.TransformerEncoderLayer with norm_first: biases everywhere, gains of 1.
Document stack_of_blocks(Index n, Index d_model, Index heads, int layers) {
  Document document = default_document();
  document.tokens.emplace();
  for (Index i = 0; i < n; ++i) document.tokens->push_back("word " + std::to_string(i));
  document.d_model = d_model;
  document.layers.clear();
  for (int k = 0; k < layers; ++k) {
    Layer& layer = document.layers.emplace_back();
    layer.heads = heads;
    LayerSettings& s = layer.settings;
    s.residual = s.norm = s.feed_forward = true;
    s.activation = Activation::gelu;
    s.feed_forward_width = 4 * d_model;
    layer.source.seed = static_cast<std::uint64_t>(7 + k);
    layer.weights = weights_of(layer.source, layer, d_model);
    for (const Quantity p : program_of(s).parameters)
      if (may_be_absent(p))
        *field_of(layer.weights, p) = make_weight(p, Mat<float>::Constant(1, layer.widths(d_model).cols(p), 0.1f));
  }
  return document;
}

void time_stack(std::istream& request, ThreadPool& pool) {
  Index n = 0, d_model = 0, heads = 0;
  int layers = 0, count = 0;
  request >> n >> d_model >> heads >> layers >> count;
  Document document = stack_of_blocks(n, d_model, heads, layers);
  std::shared_ptr<const Trace> trace = evaluate(document, nullptr, &pool);
  report(count, [&] {  // another sentence each time, as if a word were typed: the weights are known, and no stage
    document.tokens->front() = document.tokens->front() == "one" ? "another" : "one";
    trace = evaluate(document, trace.get(), &pool);
  });
}

Quantity parameter_named(const std::string& name) {
  for (const Quantity p : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O})
    if (name == entry_of(p).key) return p;
  throw InputError("no such quantity: " + name);
}

void time_edit(std::istream& request, ThreadPool& pool) {
  std::string quantity;
  Index n = 0, d_model = 0, heads = 0;
  int count = 0;
  request >> quantity >> n >> d_model >> heads >> count;
  Document document = default_document();
  document.tokens.emplace();
  for (Index i = 0; i < n; ++i) document.tokens->push_back("word " + std::to_string(i));
  document.d_model = d_model;
  document.layers[0].heads = heads;
  document.layers[0].weights = initial_weights({d_model, d_model, d_model}, Init::xavier, 7);
  std::shared_ptr<const Trace> trace = evaluate(document, nullptr, &pool);
  float value = 0;
  report(count, [&] {
    document = apply(document, set_cell(parameter_named(quantity), d_model / 2, d_model / 3, value += 0.01f));
    trace = evaluate(document, trace.get(), &pool);
  });
}

// A weight of a layer of a stack is dragged: until its pictures are there, or all layers'.
void time_drag(std::istream& request, bool all, ThreadPool& pool) {
  Index n = 0, d_model = 0, heads = 0;
  int layers = 0, focus = 0, count = 0;
  request >> n >> d_model >> heads >> layers >> focus >> count;
  Document document = stack_of_blocks(n, d_model, heads, layers);
  std::shared_ptr<const Trace> trace = evaluate(document, nullptr, &pool);
  const Keeping keeping{.focus = focus};
  float value = 0;
  report(count, [&] {
    document = apply(document, {set_cell(Quantity::W_V, d_model / 2, d_model / 3, value += 0.01f), focus});
    trace = evaluate_first(document, *trace, &pool, keeping);
    if (all) trace = evaluate(document, trace.get(), &pool, keeping);
  });
}

Way way_named(const std::string& key) {
  for (const WayEntry& entry : ways())
    if (key == entry.key) return entry.way;
  throw InputError("no such way: " + key);
}

void time_way(std::istream& request, bool bytes, ThreadPool& pool) {
  std::string key;
  Index n = 0, d_model = 0, heads = 0;
  int count = 0;
  request >> key >> n >> d_model >> heads >> count;
  const LayerInput<float> input = random_layer(n, d_model, heads);
  WayResult<float> result;
  if (!bytes) return report(count, [&] { result = compute<float>(input, way_named(key), &pool); });
  std::printf("%zu\n", compute<float>(input, way_named(key), &pool).peak_bytes);
  std::fflush(stdout);
}

void time_decoding(std::istream& request, bool bytes) {
  Index n = 0, d_model = 0, heads = 0, kv_heads = 0;
  int count = 0;
  request >> n >> d_model >> heads >> kv_heads >> count;
  const LayerInput<float> input = random_layer(n, d_model, heads, heads / kv_heads);
  constexpr int warm = 5;  // each makes it one token longer
  Decoder<float> decoder(input, n + warm + count);
  decoder.take(input.X->topRows(bytes ? n : n - 1));
  if (!bytes)
    return report(
        count, [&] { decoder.step(input.X->row(n - 1)); }, warm);
  std::printf("%zu\n", decoder.cache_bytes());
  std::fflush(stdout);
}

// As llama2.c has them: RMSNorm before, rotary positions, a gated feed-forward part, a readout by the table of words.
Document writing_model(std::istream& request) {
  Document document = default_document();
  Index hidden = 0, layers = 0, heads = 0, kv_heads = 0, words = 0;
  request >> document.d_model >> hidden >> layers >> heads >> kv_heads >> words;
  std::vector<std::string> list;
  for (Index k = 0; k < words; ++k) list.push_back(std::to_string(k));
  document.tokens = {{"1"}};
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.positions = Embedding::Positions::none;
  document.embedding.vocabulary = Vocabulary(std::move(list)).with(Vocabulary::Case::exact);
  document.settings.final_norm = true;
  document.settings.final_norm_kind = NormKind::rms;
  document.settings.readout = ReadoutKind::tied;
  document.weights.E = initial_words(document.embedding.vocabulary, document.d_model, Init::xavier, 7);
  document.weights.gain = share(RowVec<float>(RowVec<float>::Ones(document.d_model)));
  document.layers.clear();
  for (Index k = 0; k < layers; ++k) {
    Layer& layer = document.layers.emplace_back();
    layer.heads = heads;
    layer.group_size = heads / kv_heads;
    layer.mask.kind = Mask::Kind::causal;
    LayerSettings& s = layer.settings;
    s.residual = s.norm = s.feed_forward = s.gated = s.rotary = true;
    s.norm_kind = NormKind::rms;
    s.activation = Activation::silu;
    s.feed_forward_width = hidden;
    s.rotary_pairs = RotaryPairs::neighbours;
    layer.source.seed = static_cast<std::uint64_t>(7 + k);
    layer.weights = weights_of(layer.source, layer, document.d_model);
  }
  return document;
}

void time_writing(std::istream& request) {
  constexpr int kTokens = 200;
  const Document document = writing_model(request);
  int threads = 0, count = 0;
  request >> threads >> count;
  ThreadPool pool(threads);
  for (int k = 0; k < count; ++k) {
    Writing writing(document, {.temperature = 0}, 1, &pool);
    writing.write();
    const auto begin = std::chrono::steady_clock::now();
    for (int token = 0; token < kTokens; ++token) writing.write();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%.9f ", seconds.count() / kTokens);
  }
  std::printf("\n");
  std::fflush(stdout);
}

// "train TASK HEADS COUNT": steps of the task's recipe, its sequences drawn among them; "train_kept": and a snapshot of
// the parameters after each, as the timeline keeps them.
void time_training(std::istream& request, bool keeps, ThreadPool& pool) {
  std::string key;
  Index heads = 0;
  int count = 0;
  request >> key >> heads >> count;
  static std::map<std::pair<std::string, Index>, std::unique_ptr<learn::Run>> runs;
  std::unique_ptr<learn::Run>& run = runs[{key, heads}];
  if (!run) {
    const auto task = learn::make_task(key);
    learn::Recipe recipe = task->info().recipe;
    recipe.heads = heads;
    recipe.optimizer.rate = 1e-4;  // it goes on for long
    run = std::make_unique<learn::Run>(task, learn::starting_document(*task, recipe, 0), recipe, 0);
  }
  // In memory that the process has: what is new to it costs whatever the system asks for its pages.
  constexpr std::size_t kKept = 600;
  std::deque<std::shared_ptr<const std::vector<float>>> kept;
  while (keeps && kept.size() < kKept) kept.push_back(run->snapshot());
  report(count, [&] {
    run->take_step(&pool);
    if (!keeps) return;
    kept.pop_front();
    kept.push_back(run->snapshot());
  });
}

}  // namespace

int main() {
  keep_freed_memory();
  ThreadPool pool(kThreads);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string what;
    request >> what;
    if (what == "forward") time_forward(request, pool);
    if (what == "stack") time_stack(request, pool);
    if (what == "edit") time_edit(request, pool);
    if (what == "drag" || what == "drag_all") time_drag(request, what == "drag_all", pool);
    if (what == "way" || what == "way_bytes") time_way(request, what == "way_bytes", pool);
    if (what == "write") time_writing(request);
    if (what == "train" || what == "train_kept") time_training(request, what == "train_kept", pool);
    if (what == "decode" || what == "cache_bytes") time_decoding(request, what == "cache_bytes");
  }
}
