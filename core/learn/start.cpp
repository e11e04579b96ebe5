#include "core/learn/start.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/document/fingerprints.h"
#include "core/document/limits.h"
#include "core/document/model.h"
#include "core/error.h"
#include "core/weights/config.h"

namespace hydra::learn {

namespace {

// Normal numbers of a parameter's own, whatever else there is.
Mat<float> normal(std::uint64_t seed, const std::string& name, Index rows, Index cols, double size) {
  Random random(hash(name, seed));
  Mat<float> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) values.data()[k] = static_cast<float>(size * random.normal());
  return values;
}

// Variance 1 / rows, so that what comes of rows of variance 1 has it as well.
Mat<float> projection(std::uint64_t seed, const std::string& name, Index rows, Index cols) {
  return normal(seed, name, rows, cols, 1 / std::sqrt(static_cast<double>(rows)));
}

// Every head as the first, but for a little noise.
void begin_alike(Layer& layer, const Recipe& recipe, std::uint64_t seed, const std::string& name) {
  const Index d = recipe.d_model, d_k = recipe.concat_width() / recipe.heads;
  const double apart = recipe.controls.apart / std::sqrt(static_cast<double>(d));
  for (const Quantity quantity : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O}) {
    Array<float>& whole = *field_of(layer.weights, quantity);
    Mat<float> values = *whole;
    const Mat<float> noise =
        normal(seed, name + "apart " + entry_of(quantity).key, values.rows(), values.cols(), apart);
    const Index heads = (quantity == Quantity::W_O ? values.rows() : values.cols()) / d_k;
    for (Index h = 1; h < heads; ++h)
      if (quantity == Quantity::W_O)
        values.middleRows(h * d_k, d_k) = values.topRows(d_k);
      else
        values.middleCols(h * d_k, d_k) = values.leftCols(d_k);
    whole = make_weight(quantity, values + noise);
  }
}

Layer layer_of(const TaskInfo& info, const Recipe& recipe, std::uint64_t seed, Index k) {
  const std::string name = "layers." + std::to_string(k) + ".";
  const Index d = recipe.d_model;
  Layer layer;
  layer.heads = recipe.heads;
  const Index wide = recipe.concat_width();
  if (wide != d) layer.own_width = wide;
  if (recipe.kv_heads > 0) layer.group_size = recipe.heads / recipe.kv_heads;
  layer.mask.kind = info.causal ? Mask::Kind::causal : Mask::Kind::none;
  layer.settings.residual = true;
  const auto draw = [&](Quantity quantity, Index rows, Index cols) {
    *field_of(layer.weights, quantity) =
        make_weight(quantity, projection(seed, name + entry_of(quantity).key, rows, cols));
  };
  draw(Quantity::W_Q, d, wide);
  draw(Quantity::W_K, d, recipe.kv_width());
  draw(Quantity::W_V, d, recipe.kv_width());
  draw(Quantity::W_O, wide, d);
  if (recipe.controls.identical) begin_alike(layer, recipe, seed, name);
  mark(layer, WeightSource::Kind::drawn);
  return layer;
}

Mat<float> words_of(const TaskInfo& info, Index d_model, std::uint64_t seed) {
  Mat<float> E = normal(seed, "E", info.words.size(), d_model, 1);
  for (std::size_t k = 0; k < info.word_scale.size(); ++k)
    E.row(static_cast<Index>(k)) *= static_cast<float>(info.word_scale[k]);
  return E;
}

}  // namespace

void check_recipe(const Recipe& recipe) {
  check_sizes(1, recipe.d_model, recipe.d_k == 0 ? recipe.heads : 1);
  if (recipe.d_k != 0) check_head_width(recipe.d_k, recipe.heads);
  if (recipe.kv_heads != 0 && (recipe.kv_heads < 0 || recipe.heads % recipe.kv_heads != 0))
    throw InputError("kv_heads is " + std::to_string(recipe.kv_heads) + "; it must divide the " +
                     std::to_string(recipe.heads) + " heads, which share keys and values evenly");
  check_layer_count(static_cast<std::size_t>(std::max<Index>(recipe.layers, 0)), recipe.d_model);
  const auto within = [](const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return;
    std::ostringstream sentence;
    sentence << what << " is " << value << "; it must be from " << least << " to " << most;
    throw InputError(sentence.str());
  };
  within("batch", static_cast<double>(recipe.batch), 1, 1024);
  within("steps", recipe.steps, 1, 1e6);
  within("the learning rate", recipe.optimizer.rate, 1e-6, 10);
  const OptimizerSettings& o = recipe.optimizer;
  within("beta-1", o.beta_1, 0, 0.999999);
  within("beta-2", o.beta_2, 0, 0.999999);
  within("epsilon", o.epsilon, 1e-16, 1);
  within("momentum", o.momentum, 0, 0.999999);
  within("decay", o.decay, 0, 100);
  within("warm-up", o.warm_up, 0, 1e6);
  within("least", o.least, 0, 1);
  within("clip", o.clip, 0, 1e6);
  within("drophead", recipe.controls.drop, 0, 0.95);
  within("noise", recipe.controls.noise, 0, 10);
  within("repel", recipe.controls.repel, 0, 10);
  within("l0", recipe.controls.gates, 0, 10);
  within("apart", recipe.controls.apart, 0, 10);
}

Mat<float> sinusoids(Index places, Index d_model, double base, double scale) {
  Mat<float> P(places, d_model);
  for (Index p = 0; p < places; ++p)
    for (Index c = 0; c < d_model; ++c) {
      const double angle =
          static_cast<double>(p) * std::pow(base, -static_cast<double>(c / 2 * 2) / static_cast<double>(d_model));
      P(p, c) = static_cast<float>(scale * (c % 2 == 0 ? std::sin(angle) : std::cos(angle)));
    }
  return P;
}

void show_sequence(Document& document, const TaskInfo& info, std::span<const std::int32_t> words) {
  document.tokens = tokens_of(info, words);
  document.pads = {};
  document.sentence.clear();
  for (const std::string& token : *document.tokens) document.sentence += (document.sentence.empty() ? "" : " ") + token;
}

Document starting_document(const Task& task, const Recipe& recipe, std::uint64_t seed) {
  const TaskInfo& info = task.info();
  const std::uint64_t own = random_of(seed, Stream::start, 0, 0).bits();
  Document document;
  document.notes = {info.title, info.page, info.page_about};
  document.d_model = recipe.d_model;
  document.embedding = Embedding();
  document.embedding.kind = Embedding::Kind::learned;
  document.embedding.vocabulary = info.words;
  document.embedding.positions =
      recipe.positions.kind == PositionRecipe::Kind::none ? Embedding::Positions::none : Embedding::Positions::learned;
  document.weights.E = share_model_weight(Quantity::E, words_of(info, recipe.d_model, own));
  if (recipe.positions.kind == PositionRecipe::Kind::sinusoid)
    document.weights.P = share_model_weight(
        Quantity::P, sinusoids(info.shape.length, recipe.d_model, recipe.positions.base, recipe.positions.scale));
  else if (recipe.positions.kind == PositionRecipe::Kind::learned)
    document.weights.P = share_model_weight(Quantity::P, normal(own, "P", info.shape.length, recipe.d_model, 1));
  document.settings.readout = ReadoutKind::own;
  document.readout.vocabulary = info.answers;
  // One that asks for what comes next, a word, a character or a state, has no name.
  if (info.shape.questions > 1 || !info.questions.front().starts_with("next "))
    document.readout.questions = Vocabulary(info.questions);
  const Index answers = info.answers.size() * info.shape.questions;
  const Mat<float> W_U = static_cast<float>(info.readout_scale) * projection(own, "W_U", recipe.d_model, answers);
  document.weights.W_U = share_model_weight(Quantity::W_U, W_U);
  document.weights.b_U = share_model_weight(Quantity::b_U, Mat<float>(Mat<float>::Zero(1, answers)));
  document.layers.clear();
  for (Index k = 0; k < recipe.layers; ++k) document.layers.push_back(layer_of(info, recipe, own, k));
  Batch batch(info.shape, 1);
  const auto is_that = [&] {
    if (info.opens_with == kNone) return true;
    for (Index i = 0; i < info.shape.length; ++i)
      if (batch.gold(0)[static_cast<std::size_t>(i * info.shape.relations + info.opens_with)] != 0) return true;
    return false;
  };
  constexpr std::uint64_t tried = 64;
  for (std::uint64_t k = 0; k < tried; ++k) {
    draw(task, seed, Stream::evaluation, k, 0, batch);
    if (is_that()) break;
  }
  show_sequence(document, info, batch.words(0).first(static_cast<std::size_t>(batch.length(0) * info.shape.slots)));
  if (document.notes.about == document.sentence) document.notes.about.clear();
  return document;
}

}  // namespace hydra::learn
