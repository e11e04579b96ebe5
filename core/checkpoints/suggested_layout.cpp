#include "core/checkpoints/suggested_layout.h"

#include <algorithm>
#include <set>

#include "core/checkpoints/name_hints.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// --- what there is ---------------------------------------------------------------------------------------------------

struct Named {
  const ArrayGroup* group;
  std::string words;  // behind the number of the layer
  const std::vector<Index>& shape;
  bool is_shift;  // a bias, or a norm's shift
  bool taken = false;
  Index dimensions() const { return std::ssize(shape); }
  bool has(Index size) const { return std::ranges::find(shape, size) != shape.end(); }
};

Index numbers_of(const Named& named) { return count_of(*named.group->first); }

// The width that most arrays have.
Index common_width(const std::vector<Named>& all) {
  std::map<Index, int> counted;
  for (const Named& named : all)
    for (const Index size : std::set<Index>(named.shape.begin(), named.shape.end())) counted[size] += size > 1 ? 1 : 0;
  Index width = 0;
  int most = 0;
  for (const auto& [size, count] : counted)
    if (count >= most) width = size, most = count;
  return width;
}

// Without its last word: what a weight and its bias have in common.
std::string stem_of(const Named& named) {
  const std::string& name = named.group->name;
  const std::size_t end = name.find_last_of("._/");
  return end == std::string::npos ? "" : name.substr(0, end);
}
// The same of a norm's gain and shift; a gain that is called as its norm, n1 or ln_1, is its own stem.
std::string norm_stem_of(const Named& named) {
  const std::string& name = named.group->name;
  const std::string stem = stem_of(named), last = name_words(name.substr(stem.size()));
  return says(last, "weight|weights|gain|gamma|scale|g|w|kernel") || is_shift(last) ? stem : name;
}

class Suggesting {
 public:
  Suggesting(const TensorFile& file, const Config& config) : config_(config), groups_(array_groups(file)) {
    const std::size_t common = common_beginning();
    for (const ArrayGroup& group : groups_) {
      const std::size_t star = group.name.find('*');
      const std::string words = name_words(group.of_layers ? group.name.substr(star + 1) : group.name.substr(common));
      all_.push_back({&group, words, group.first->shape, is_shift(words)});
    }
    layered_ = std::ranges::any_of(groups_, &ArrayGroup::of_layers);
  }

  ModelLayout result() {
    ignore_buffers();
    width_ = common_width(all_);
    layout_.causal = true, layout_.layer.residual = true;
    fuse();
    place_weights();
    turn_weights();
    place_norms();
    place_biases();
    settle_rest();
    return std::move(layout_);
  }

 private:
  // What all names begin with tells nothing of any: "decoder.".
  std::size_t common_beginning() const {
    std::string common = groups_.empty() ? "" : groups_.front().name;
    for (const ArrayGroup& group : groups_)
      common.resize(static_cast<std::size_t>(
          std::mismatch(common.begin(), common.end(), group.name.begin(), group.name.end()).first - common.begin()));
    const std::size_t end = common.find_last_of("./");
    return groups_.size() < 2 || end == std::string::npos ? 0 : end + 1;
  }
  static std::string key_of(Quantity p, bool of_layer) {
    return (of_layer ? "layers.*." : "") + std::string(entry_of(p).key);
  }
  bool is_of_layer(const Named& named) const { return named.group->of_layers || !layered_; }
  void put(Quantity p, bool of_layer, const Named& named, const std::string& behind = "") {
    layout_.arrays[key_of(p, of_layer)] = named.group->name + behind;
  }

  // Masks, counters, tables of angles: no parameters.
  void ignore_buffers() {
    for (Named& named : all_) {
      const bool buffer = says(named.words,
                               "inv_freq|mask|masked_bias|position_ids|rotary|rope|freqs|cos|sin|ids|"
                               "num_batches_tracked|steps|ignore") ||
                          named.dimensions() > 3 || named.dimensions() == 0 || numbers_of(named) == 1;
      if (!buffer) continue;
      named.taken = true;
      rotates_ |= says(named.words, "inv_freq|rotary|rope|freqs");
      const std::string& name = named.group->name;
      layout_.ignored.push_back(named.group->of_layers ? name.substr(name.find('*') + 1) : name);
    }
  }

  // Queries, keys and values in one array: thirds of it.
  void fuse() {
    for (Named& named : all_) {
      if (named.taken || !is_of_layer(named) || numbers_of(named) % 3 != 0 || says(named.words, kOfHidden)) continue;
      const bool row = named.dimensions() == 1 && named.shape[0] == 3 * width_;
      const bool matrix = named.dimensions() == 2 && named.has(width_) && named.has(3 * width_);
      if ((!row && !matrix) || (!says(named.words, kFused) && !says(named.words, kOfHeads))) continue;
      const bool turned = matrix && named.shape[0] == 3 * width_;
      if (matrix) (turned ? turned_votes_ : straight_votes_) += 1;
      constexpr Quantity kWeightThirds[] = {Quantity::W_Q, Quantity::W_K, Quantity::W_V},
                         kBiasThirds[] = {Quantity::b_Q, Quantity::b_K, Quantity::b_V};
      for (Index k = 0; k < 3; ++k) {
        const std::string span = std::to_string(k * width_) + ":" + (k < 2 ? std::to_string((k + 1) * width_) : "");
        if (row) put(kBiasThirds[k], true, named, "[" + span + "]");
        if (matrix) put(kWeightThirds[k], true, named, std::string(turned ? "^T" : "") + "[:, " + span + "]");
      }
      named.taken = true;
    }
  }

  // The likeliest pairs of places and arrays first.
  void place_weights() {
    struct Pair {
      int score;
      const NameHint* hint;
      Named* named;
    };
    std::vector<Pair> pairs;
    for (const NameHint& hint : name_hints())
      for (Named& named : all_) {
        const bool matrix = named.dimensions() == 2 || (named.dimensions() == 3 && hint.of_layer);
        if (named.taken || named.is_shift || !matrix || !named.has(width_)) continue;
        if (hint.of_layer != is_of_layer(named) && layered_) continue;
        if (const int points = score(hint, named.words); points > 0) pairs.push_back({points, &hint, &named});
      }
    std::ranges::stable_sort(pairs, std::greater(), &Pair::score);
    for (const Pair& pair : pairs) {
      const std::string key = key_of(pair.hint->place, pair.hint->of_layer);
      if (pair.named->taken || layout_.arrays.contains(key)) continue;
      layout_.arrays[key] = pair.named->group->name;
      pair.named->taken = true;
      placed_[pair.hint->place] = pair.named;
    }
    place_gates();
    if (!placed_.contains(Quantity::E)) place_words();
  }

  // Of three matrices of the feed-forward part the one that is activated is called w1, or gate.
  void place_gates() {
    if (!placed_.contains(Quantity::W_3)) return;
    if (!placed_.contains(Quantity::W_1)) {  // there are but two
      placed_[Quantity::W_1] = placed_[Quantity::W_3];
      put(Quantity::W_1, true, *placed_[Quantity::W_1]);
      placed_.erase(Quantity::W_3), layout_.arrays.erase(key_of(Quantity::W_3, true));
    }
  }

  // The largest that is left.
  void place_words() {
    Named* largest = nullptr;
    for (Named& named : all_)
      if (!named.taken && named.dimensions() == 2 && named.has(width_) && !named.group->of_layers &&
          (!largest || numbers_of(named) > numbers_of(*largest)))
        largest = &named;
    if (!largest) return;
    put(Quantity::E, false, *largest);
    largest->taken = true, placed_[Quantity::E] = largest;
  }

  // Whether weights stand as (out, in), by those that are not square.
  void turn_weights() {
    const auto is_wide = [&](Quantity p) { return p == Quantity::W_1 || p == Quantity::W_3; };
    for (const auto& [p, named] : placed_) {
      if (!is_of_layer(*named) || named->dimensions() != 2 || named->shape[0] == named->shape[1]) continue;
      const bool reads_stream = p == Quantity::W_Q || p == Quantity::W_K || p == Quantity::W_V || is_wide(p);
      const bool turned = reads_stream ? named->shape[1] == width_ : named->shape[0] == width_;
      (turned ? turned_votes_ : straight_votes_) += 1;
    }
    const bool by_name = std::ranges::any_of(all_, [](const Named& named) { return says(named.words, "weight"); });
    const bool turned = turned_votes_ != straight_votes_ ? turned_votes_ > straight_votes_ : by_name;
    for (const auto& [p, named] : placed_) {
      if (named->dimensions() != 2) continue;
      const Index rows = named->shape[0], cols = named->shape[1];
      bool turns = is_of_layer(*named) && turned;
      if (p == Quantity::E || p == Quantity::P || p == Quantity::T) turns = cols != width_;
      if (p == Quantity::W_U) turns = rows != width_;
      const bool square = rows == cols;
      if (square && p == Quantity::W_U) turns = turned;
      if (turns) layout_.arrays[key_of(p, !is_of_model(p))] += "^T";
    }
  }

  // --- norms

  // 0: before the heads; 1: cannot be told; 2: before the feed-forward part.
  static int order_of(const std::string& words) {
    if (says(words, "post|2|mlp|ffn|ff|feed|feedforward|ffwd|second|final")) return 2;
    if (says(words, "1|input|attn|attention|att|pre|first|sa|self")) return 0;
    return says(words, "output|out") ? 2 : 1;
  }

  struct NormParts {
    int order;
    Named *gain = nullptr, *shift = nullptr;
  };
  // Rows that belong together, in the order of a layer.
  std::vector<NormParts> norms(bool of_layers) {
    std::vector<std::pair<std::string, NormParts>> found;
    for (Named& named : all_) {
      if (named.taken || named.dimensions() != 1 || named.shape[0] != width_ || is_of_layer(named) != of_layers)
        continue;
      const bool of_norm = is_of_norm(named.words) || says(named.words, "beta|shift");
      if (!of_norm || says(named.words, "q|k|query|key")) continue;
      const std::string stem = norm_stem_of(named);
      auto at = std::ranges::find(found, stem, &std::pair<std::string, NormParts>::first);
      if (at == found.end()) at = found.insert(found.end(), {stem, {order_of(named.words)}});
      (named.is_shift ? at->second.shift : at->second.gain) = &named;
    }
    std::vector<NormParts> all;
    for (const auto& [stem, parts] : found)
      if (parts.gain) all.push_back(parts);
    std::ranges::stable_sort(all, {}, &NormParts::order);
    return all;
  }
  void put_norm(const NormParts& norm, Quantity gain, Quantity shift, bool of_layer) {
    put(gain, of_layer, *norm.gain);
    norm.gain->taken = true;
    if (!norm.shift) return;
    put(shift, of_layer, *norm.shift);
    norm.shift->taken = true;
  }
  // Without a shift it is RMSNorm, unless its name says that it is not.
  static NormKind kind_of(const NormParts& norm) {
    return norm.shift || says(norm.gain->words, "ln") ? NormKind::layer : NormKind::rms;
  }

  void place_norms() {
    const std::vector<NormParts> within = norms(true);
    if (!within.empty()) {
      layout_.layer.norm = true, layout_.layer.norm_kind = kind_of(within.front());
      put_norm(within[0], Quantity::gain_1, Quantity::shift_1, true);
      if (within.size() > 1) put_norm(within[1], Quantity::gain_2, Quantity::shift_2, true);
    }
    for (const NormParts& norm : layered_ ? norms(false) : std::vector<NormParts>()) {
      const bool of_words = says(norm.gain->words, "embed|embedding|embeddings|emb");
      if (of_words && !layout_.model.embedding_norm) {
        layout_.model.embedding_norm = true, layout_.model.embedding_norm_kind = kind_of(norm);
        put_norm(norm, Quantity::gain_E, Quantity::shift_E, false);
      } else if (!layout_.model.final_norm) {
        layout_.model.final_norm = true, layout_.model.final_norm_kind = kind_of(norm);
        put_norm(norm, Quantity::final_gain, Quantity::final_shift, false);
      }
    }
    // Where norms stand before, what leaves the last layer has one of its own.
    if (layered_ && layout_.layer.norm && !layout_.model.final_norm) layout_.layer.norm_place = NormPlace::after;
  }

  // --- biases, and norms of queries and keys

  void place_biases() {
    for (const auto& [weight, bias] : kBiasesOf) {
      const auto hint = std::ranges::find(name_hints(), weight, &NameHint::place);
      const Named* of = placed_.contains(weight) ? placed_[weight] : nullptr;
      Named* best = nullptr;
      int most = 0;
      for (Named& named : all_) {
        const bool may_be = !named.taken && named.is_shift && is_of_layer(named) == (hint->of_layer || !layered_);
        if (!may_be || (of && !named.has(numbers_of(named)) && named.dimensions() == 1)) continue;
        const int points = std::max(0, score(*hint, named.words)) + (of && stem_of(*of) == stem_of(named) ? 8 : 0);
        if (points > most && (!of || fits_beside(named, *of, weight))) best = &named, most = points;
      }
      if (!best) continue;
      put(bias, hint->of_layer, *best);
      best->taken = true;
    }
    constexpr std::pair<Quantity, std::string_view> kGains[] = {{Quantity::gain_Q, "q|query"},
                                                                {Quantity::gain_K, "k|key"}};
    for (const auto& [gain, words] : kGains)
      for (Named& named : all_) {
        if (named.taken || named.is_shift || named.dimensions() != 1 || !is_of_norm(named.words) ||
            !says(named.words, words))
          continue;
        layout_.layer.qk_norm = true;
        put(gain, true, named);
        named.taken = true;
        break;
      }
  }
  bool fits_beside(const Named& bias, const Named& weight, Quantity p) const {
    const bool out_of_stream = p == Quantity::W_O || p == Quantity::W_2;
    return out_of_stream ? numbers_of(bias) == width_ : numbers_of(weight) == width_ * numbers_of(bias);
  }

  // --- settings

  void settle_rest() {
    LayerSettings& layer = layout_.layer;
    layer.feed_forward = placed_.contains(Quantity::W_1);
    layer.gated = placed_.contains(Quantity::W_3);
    layer.activation = activation();
    const bool one_norm = layer.norm && !layout_.arrays.contains("layers.*.gain_2");
    if (one_norm && layer.feed_forward) layer.parallel = layer.norm_shared = true;
    layout_.model.readout = layout_.arrays.contains("W_U") ? ReadoutKind::own : ReadoutKind::tied;
    if (const auto types = placed_.find(Quantity::T); types != placed_.end())
      layout_.model.types = std::min(types->second->shape[0], kMaxTypes);
    layout_.heads = heads();
    layer.rotary = rotates_ || config_number({"rope_theta", "rotary_emb_base", "rope_base", "rotary_pct"}) ||
                   (layer.gated && !layout_.arrays.contains("P"));
    if (const auto base = config_number({"rope_theta", "rotary_emb_base", "rope_base"}); base && layer.rotary)
      layer.rotary_base = *base;
    if (const auto epsilon = config_number({"layer_norm_epsilon", "layer_norm_eps", "rms_norm_eps", "norm_eps", "eps"}))
      layer.norm_epsilon = layout_.model.final_norm_epsilon = layout_.model.embedding_norm_epsilon = *epsilon;
  }

  Activation activation() const {
    const auto said =
        config_text({"activation_function", "hidden_act", "hidden_activation", "activation", "act_fn", "act"});
    for (const LayerSettingRow& row : layer_settings())
      for (std::size_t k = 0; said && row.setting == LayerSetting::activation && k < row.names.size(); ++k)
        if (*said == row.names[k]) return static_cast<Activation>(k);
    if (said == "gelu_new" || said == "gelu_pytorch_tanh" || said == "gelu_fast") return Activation::gelu_tanh;
    if (said == "swish") return Activation::silu;
    return layout_.layer.gated ? Activation::silu : Activation::gelu;
  }
  // 0: nothing says it.
  Index heads() const {
    if (const auto said = config_number({"n_head", "num_attention_heads", "n_heads", "num_heads", "heads", "nhead"}))
      return *said >= 1 && *said <= static_cast<double>(kMaxHeads) ? static_cast<Index>(*said) : 0;
    const auto queries = placed_.find(Quantity::W_Q);
    return queries != placed_.end() && queries->second->dimensions() == 3 ? queries->second->shape[0] : 0;
  }
  // What is of another kind is not said.
  std::optional<double> config_number(Config::Keys keys) const {
    try {
      return config_.number(keys);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  std::optional<std::string> config_text(Config::Keys keys) const {
    try {
      return config_.text(keys);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  const Config& config_;
  std::vector<ArrayGroup> groups_;
  std::vector<Named> all_;
  std::map<Quantity, Named*> placed_;  // weights
  ModelLayout layout_;
  Index width_ = 0;
  bool layered_ = false, rotates_ = false;
  int turned_votes_ = 0, straight_votes_ = 0;
};

}  // namespace

ModelLayout suggested_layout(const TensorFile& file, const Config& config) { return Suggesting(file, config).result(); }

}  // namespace hydra
