#include "tests/fuzz/plain_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/io/file.h"
#include "core/model/program.h"
#include "core/text/tokenizer.h"
#include "core/weights/config.h"

namespace hydra::fuzz {

namespace {

Rows rows_of(const auto& matrix) {
  Rows rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back();
    for (Index j = 0; j < matrix.cols(); ++j) rows.back().push_back(matrix(i, j));
  }
  return rows;
}

PlainWeights plain_weights(const WeightSource& source, AttentionWeights<float> weights) {
  PlainWeights plain{source, {}};
  for (const Quantity p : kWeights) {
    if (const Array<float>& values = *field_of(weights, p)) plain.values[p] = rows_of(*values);
  }
  return plain;
}

PlainModel plain_model(const Document& document) {
  PlainModel plain{document.settings,
                   document.embedding.vocabulary.words(),
                   next_words_of(document).words.words(),
                   next_words_of(document).questions.words(),
                   {document.embedding.init, document.readout.init},
                   document.readout.seed,
                   {}};
  for (const Quantity p : kModelWeights)
    if (const Array<float>& values = *field_of(document.weights, p)) plain.values[p] = rows_of(*values);
  return plain;
}

bool may_see(const Plain& plain, int head, int query, int key) {
  Mask::Kind mask = plain.mask;
  Index window = plain.window;
  if (const auto rule = plain.own.find(head); rule != plain.own.end()) {
    if (rule->second.mask) mask = *rule->second.mask, window = 0;
    if (rule->second.window) window = *rule->second.window;
  }
  if (mask == Mask::Kind::none) return true;
  if (mask == Mask::Kind::causal) return key <= query && (window == 0 || query - key < window);
  return plain.allowed[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)];
}

bool same_token(const std::vector<std::string>& a, const std::vector<std::string>& b, int row) {
  const auto k = static_cast<std::size_t>(row);
  return k < a.size() && k < b.size() && a[k] == b[k];
}

// Painted attention that the mask forbids goes.
void drop_forbidden(Plain& plain) {
  std::erase_if(plain.attention, [&](const auto& painted) {
    for (std::size_t j = 0; j < painted.second.size(); ++j)
      if (painted.second[j] != 0 && !may_see(plain, painted.first.first, painted.first.second, static_cast<int>(j)))
        return true;
    return false;
  });
}

bool finite(const Mat<float>& values) {
  for (Index k = 0; k < values.size(); ++k)
    if (!std::isfinite(values.data()[k])) return false;
  return true;
}

struct Change {
  Plain& plain;
  const Document& before;
  const Document* after;
  int layer;

  int n() const { return static_cast<int>(plain.tokens.size()); }
  bool is_head(Index head) const { return head >= 0 && head < plain.heads; }

  // What the list of tokens or the table of words knows, of several words with '+' between them too.
  bool is_known(std::string_view chunk) const {
    if (plain.own_tokens && std::ranges::count(plain.tokens, chunk) > 0) return true;
    if (plain.kind != Embedding::Kind::learned) return false;
    const auto in_table = [&](std::string_view word) { return std::ranges::count(plain.model.words, word) > 0; };
    if (in_table(chunk)) return true;
    std::string word;
    for (const char c : std::string(chunk) + '+') {
      if (c != '+') {
        word += c;
      } else {
        if (!in_table(word)) return false;
        word.clear();
      }
    }
    return true;
  }
  std::vector<std::string> cut(const std::string& sentence) const {
    std::vector<std::string> tokens;
    for (const std::string& chunk : tokenize(sentence, [](std::string_view) { return true; })) {
      const std::vector<std::string> cut = is_known(chunk) ? std::vector{chunk} : tokenize(chunk);
      tokens.insert(tokens.end(), cut.begin(), cut.end());
    }
    return tokens;
  }
  bool operator()(const SetSentence& edit) {
    const std::vector<std::string> tokens = cut(edit.sentence);
    if (tokens.empty() || tokens.size() > kMaxTokens) return false;
    const std::vector<std::string> old = std::exchange(plain.tokens, tokens);
    plain.sentence = edit.sentence;
    plain.own_tokens = tokens != tokenize(edit.sentence);
    std::erase_if(plain.edits, [&](const auto& cell) { return !same_token(old, tokens, cell.first.first); });
    if (old != tokens) plain.attention.clear();
    std::erase_if(plain.values, [&](const auto& row) { return !same_token(old, tokens, row.first.second); });
    adopt_model();  // there may be more places
    if (plain.mask != Mask::Kind::custom) return true;
    std::vector<std::vector<bool>> allowed(tokens.size(), std::vector<bool>(tokens.size(), true));
    for (std::size_t i = 0; i < std::min(old.size(), tokens.size()); ++i)
      for (std::size_t j = 0; j < std::min(old.size(), tokens.size()); ++j) allowed[i][j] = plain.allowed[i][j];
    plain.allowed = allowed;
    return true;
  }
  // Random edits name relations well.
  bool operator()(const MarkPair& edit) {
    for (const int end : {edit.query, edit.key})
      if (end < 0 || end >= n()) return false;
    if (edit.query == edit.key) return false;
    auto& pairs = plain.marks[plain.tokens][edit.relation];
    edit.on ? void(pairs.insert({edit.query, edit.key})) : void(pairs.erase({edit.query, edit.key}));
    return tidy_marks(), true;
  }
  bool operator()(const DropRelation& edit) {
    for (auto& [tokens, relations] : plain.marks) relations.erase(edit.relation);
    return tidy_marks(), true;
  }
  void tidy_marks() const {
    for (auto& [tokens, relations] : plain.marks)
      std::erase_if(relations, [](const auto& relation) { return relation.second.empty(); });
    std::erase_if(plain.marks, [](const auto& text) { return text.second.empty(); });
  }
  bool operator()(const SetMask& edit) {
    if (edit.mask.kind == Mask::Kind::custom && edit.mask.allowed->rows() != n()) return false;
    plain.mask = edit.mask.kind;
    if (plain.mask != Mask::Kind::causal) plain.window = 0;
    plain.allowed.clear();
    for (int i = 0; plain.mask == Mask::Kind::custom && i < n(); ++i) {
      plain.allowed.emplace_back();
      for (int j = 0; j < n(); ++j) plain.allowed.back().push_back((*edit.mask.allowed)(i, j) != 0);
    }
    for (auto& [head, rule] : plain.own)
      if (rule.mask.value_or(plain.mask) != Mask::Kind::causal) rule.window.reset();
    std::erase_if(plain.own, [](const auto& of) { return of.second.says_nothing(); });
    drop_forbidden(plain);
    return true;
  }
  bool operator()(const SetSetting& edit) {
    if (edit.setting == LayerSetting::scale) return plain.scale = edit.value != 0, true;
    if (edit.setting != LayerSetting::temperature) return adopt();
    if (!(static_cast<float>(edit.value) >= 0.01f && edit.value <= 100)) return false;
    return plain.temperature = static_cast<float>(edit.value), true;
  }
  bool operator()(const SetPositions& edit) {
    const bool tables = plain.kind == Embedding::Kind::learned;
    if (edit.positions == Embedding::Positions::learned && !tables) return false;
    plain.positions = edit.positions;
    return adopt_model(), true;
  }
  bool operator()(const SetEmbedding& edit) {
    if (edit.kind == Embedding::Kind::features && !has_feature_layout(plain.d_model)) return false;
    plain.kind = edit.kind;
    plain.seed = edit.seed;
    plain.edits.clear();
    if (plain.positions == Embedding::Positions::learned && plain.kind != Embedding::Kind::learned)
      plain.positions = Embedding::Positions::sinusoidal;
    return adopt_model(), true;
  }
  bool operator()(const SetWordFeatures& edit) {
    plain.words.erase(word_key(edit.word));
    if (edit.features) plain.words[word_key(edit.word)] = *edit.features;
    return true;
  }
  bool operator()(const SetBlock& edit) {
    const MatView<float> values = *edit.values;
    const bool bias = is_bias(edit.quantity);
    const Layer& edited = before.layer(layer);
    if (is_of_model(edit.quantity)) return set_of_model(edit);
    if (is_parameter(edit.quantity) && !program_of(edited.settings).has(edit.quantity)) return false;
    const LayerWidths widths = edited.widths(plain.d_model);
    const Index width = widths.cols(edit.quantity);
    const Index rows = edit.quantity == Quantity::X ? n() : widths.rows(edit.quantity);
    if (edit.row + values.rows() > rows || edit.col + values.cols() > width || !finite(values)) return false;
    if (plain.split == Split::slice && is_weight(edit.quantity) && entry_of(edit.quantity).cols == Axis::head_dim)
      return adopt();
    Rows& target = plain.weights.values[edit.quantity];
    if (bias && target.empty()) target.assign(1, std::vector<float>(static_cast<std::size_t>(width), 0));
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j) put(edit, i, j, target);
    if (edit.quantity == Quantity::X) plain.weights.values.erase(Quantity::X);
    return true;
  }
  bool set_of_model(const SetBlock& edit) {
    const MatView<float> values = *edit.values;
    if (!model_program_of(before).has(edit.quantity)) return false;
    const Index rows = widths_of(before).rows(edit.quantity), cols = widths_of(before).cols(edit.quantity);
    if (edit.row + values.rows() > rows || edit.col + values.cols() > cols || !finite(values)) return false;
    Rows& target = plain.model.values[edit.quantity];
    if (target.empty()) target.assign(1, std::vector<float>(static_cast<std::size_t>(cols), 0));
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j)
        target[static_cast<std::size_t>(edit.row + i)][static_cast<std::size_t>(edit.col + j)] = values(i, j);
    return true;
  }
  void put(const SetBlock& edit, Index i, Index j, Rows& target) {
    const Index row = edit.row + i, col = edit.col + j;
    const float value = (*edit.values)(i, j);
    if (edit.quantity != Quantity::X) {
      target[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] = value;
      return;
    }
    const std::pair key(static_cast<int>(row), static_cast<int>(col));
    if (plain.edits.contains(key) || value != seeded_rows(before, row, 1)(0, col)) plain.edits[key] = value;
  }
  bool operator()(const SetGate& edit) {
    if (!is_head(edit.head) || !(edit.gate >= 0 && edit.gate <= 2)) return false;
    plain.gates[static_cast<std::size_t>(edit.head)] = edit.gate;
    return true;
  }
  bool operator()(const SetHeadRule& edit) {
    HeadRule rule = edit.rule;
    if (!is_head(rule.head) || rule.mask == Mask::Kind::custom) return false;
    const auto head = static_cast<int>(rule.head);
    if (rule.says_nothing()) {
      plain.own.erase(head);
    } else {
      const Mask::Kind mask = rule.mask.value_or(plain.mask);
      const LayerSettings& settings = before.layer(layer).settings;
      if (rule.window && (*rule.window < 1 || *rule.window > 1024 || mask != Mask::Kind::causal)) return false;
      if (rule.temperature && !(static_cast<float>(*rule.temperature) >= 0.01f && *rule.temperature <= 100))
        return false;
      if (settings.alibi && mask != Mask::Kind::causal) return false;
      if (settings.talking_heads != TalkingHeads::none && (rule.mask || rule.window)) return false;
      if (rule.temperature) rule.temperature = static_cast<float>(*rule.temperature);
      plain.own[head] = rule;
    }
    drop_forbidden(plain);
    return true;
  }
  bool operator()(const SetGates& edit) {
    if (!edit.gates.empty() && static_cast<int>(edit.gates.size()) != plain.heads) return false;
    for (const float gate : edit.gates)
      if (!(gate >= 0 && gate <= 2)) return false;
    plain.gates = edit.gates.empty() ? std::vector<float>(static_cast<std::size_t>(plain.heads), 1) : edit.gates;
    return true;
  }
  bool operator()(const PaintAttention& edit) {
    if (!is_head(edit.head) || edit.row < 0 || edit.row >= n() || edit.values->size() != n()) return false;
    double sum = 0;
    for (Index j = 0; j < n(); ++j) {
      const float weight = (*edit.values)(0, j);
      if (!std::isfinite(weight) || weight < 0) return false;
      if (weight != 0 && !may_see(plain, static_cast<int>(edit.head), static_cast<int>(edit.row), static_cast<int>(j)))
        return false;
      sum += weight;
    }
    if (sum == 0) return false;
    std::vector<float>& row = plain.attention[{static_cast<int>(edit.head), static_cast<int>(edit.row)}];
    row.clear();
    for (Index j = 0; j < n(); ++j) row.push_back(static_cast<float>((*edit.values)(0, j) / sum));
    return true;
  }
  bool operator()(const PaintValue& edit) {
    if (!is_head(edit.head) || edit.row < 0 || edit.row >= n()) return false;
    if (edit.values->size() != plain.concat / plain.heads || !finite(*edit.values)) return false;
    plain.values[{static_cast<int>(edit.head), static_cast<int>(edit.row)}] = {
        edit.values->data(), edit.values->data() + edit.values->size()};
    return true;
  }
  bool operator()(const Unpaint& edit) {
    const Index row = edit.row.value_or(0);
    if (!is_head(edit.head) || row < 0 || row >= n()) return false;
    const auto gone = [&](const auto& painted) {
      return painted.first.first == edit.head && (!edit.row || painted.first.second == row);
    };
    if (edit.part != Unpaint::Part::values) std::erase_if(plain.attention, gone);
    if (edit.part != Unpaint::Part::attention) std::erase_if(plain.values, gone);
    return true;
  }
  bool operator()(const SetSplit& edit) {
    const bool usual = plain.kv_heads == plain.heads && plain.concat == plain.d_model;
    if (edit.split == Split::slice && !usual) return false;
    return plain.split = edit.split, true;
  }
  bool operator()(const SetHeads& edit) {
    if (edit.heads < 1 || edit.heads > kMaxHeads || plain.concat % edit.heads != 0) return false;
    if (edit.heads == plain.heads) return true;
    const int group = plain.heads / plain.kv_heads;
    if (plain.given_groups || edit.heads % group != 0)
      return adopt();  // groups come apart: the weights change their width
    plain.heads = static_cast<int>(edit.heads);
    plain.kv_heads = plain.heads / group;
    plain.gates.assign(static_cast<std::size_t>(plain.heads), 1);
    std::erase_if(plain.own, [&](const auto& of) { return of.first >= plain.heads; });
    plain.attention.clear();
    plain.values.clear();
    const bool place_for_each =
        std::ranges::any_of(std::array{Quantity::sink, Quantity::w_G, Quantity::P_L, Quantity::P_W,
                                       Quantity::offset_bias, Quantity::lambda_q1},
                            [&](Quantity p) { return plain.weights.values.contains(p); });
    return group == 1 && !place_for_each ? true : adopt();
  }
  bool operator()(const auto&) { return adopt(); }

  // What is of no layer, from the document itself.
  void adopt_model() {
    if (after) plain.model = plain_model(*after);
  }
  // Weights, sharing and widths from the document itself.
  bool adopt() {
    if (!after) return false;
    Plain made = plain_of(*after, layer);
    if (made.d_model == plain.d_model && made.heads == plain.heads) {
      made.edits = plain.edits;
      made.gates = plain.gates;
      made.attention = plain.attention;
      if (made.concat == plain.concat) made.values = plain.values;
      made.kind = plain.kind;
      made.seed = plain.seed;
    }
    made.sentence = plain.sentence;
    made.tokens = plain.tokens;
    made.words = plain.words;
    made.mask = plain.mask;
    made.window = plain.window;
    made.allowed = plain.allowed;
    made.positions = plain.positions;
    made.scale = plain.scale;
    made.temperature = plain.temperature;
    plain = made;
    return true;
  }
};

bool close(const std::map<std::pair<int, int>, std::vector<float>>& a,
           const std::map<std::pair<int, int>, std::vector<float>>& b) {
  if (a.size() != b.size()) return false;
  for (auto p = a.begin(), q = b.begin(); p != a.end(); ++p, ++q) {
    if (p->first != q->first || p->second.size() != q->second.size()) return false;
    for (std::size_t k = 0; k < p->second.size(); ++k)
      if (std::abs(p->second[k] - q->second[k]) > 2e-6f * std::max(1.0f, std::abs(q->second[k]))) return false;
  }
  return true;
}

}  // namespace

Plain plain_of(const Document& document, int at) {
  Plain plain;
  const Layer& layer = document.layer(at);
  plain.sentence = document.sentence;
  plain.tokens = tokens_of(document);
  plain.own_tokens = document.tokens.has_value();
  for (const MarkedText& text : document.marks)
    for (const MarkedRelation& relation : text.relations)
      for (const GoldPair& pair : relation.pairs) plain.marks[text.tokens][relation.name].insert({pair.from, pair.to});
  plain.d_model = static_cast<int>(document.d_model);
  plain.concat = static_cast<int>(layer.weights.W_Q->cols());
  plain.heads = static_cast<int>(layer.heads);
  plain.kv_heads = static_cast<int>(layer.kv_heads());
  plain.given_groups = !layer.kv_of.empty();
  plain.kind = document.embedding.kind;
  plain.seed = document.embedding.seed;
  plain.positions = document.embedding.positions;
  for (const CellValue& cell : document.embedding.edits)
    plain.edits[{static_cast<int>(cell.row), static_cast<int>(cell.col)}] = cell.value;
  plain.words = document.embedding.words;
  plain.model = plain_model(document);
  plain.mask = layer.mask.kind;
  plain.window = static_cast<int>(layer.settings.window);
  for (Index i = 0; layer.mask.allowed && i < layer.mask.allowed->rows(); ++i) {
    plain.allowed.emplace_back();
    for (Index j = 0; j < layer.mask.allowed->cols(); ++j)
      plain.allowed.back().push_back((*layer.mask.allowed)(i, j) != 0);
  }
  for (const HeadRule& rule : layer.own) plain.own[static_cast<int>(rule.head)] = rule;
  plain.scale = layer.settings.scale;
  plain.temperature = static_cast<float>(layer.settings.temperature);
  plain.split = layer.split;
  plain.gates = layer.gates.empty() ? std::vector<float>(static_cast<std::size_t>(layer.heads), 1) : layer.gates;
  for (std::size_t h = 0; h < layer.painted.size(); ++h) {
    for (const PaintedRow<float>& row : layer.painted[h].attention)
      plain.attention[{static_cast<int>(h), static_cast<int>(row.row)}] = {row.values->data(),
                                                                           row.values->data() + row.values->size()};
    for (const PaintedRow<float>& row : layer.painted[h].values)
      plain.values[{static_cast<int>(h), static_cast<int>(row.row)}] = {row.values->data(),
                                                                        row.values->data() + row.values->size()};
  }
  plain.weights = plain_weights(layer.source, layer.weights);
  return plain;
}

PlainModels models_of(const Document& document) {
  const auto plain = [&](const Model& model) {
    PlainModels::One one{"untrained", document_text(with_model(document, model))};
    for (const Layer& layer : model.layers) {
      using Kind = WeightSource::Kind;
      if (layer.source.kind == Kind::trained) one.kind = "trained";
      if (layer.source.designs.size() > 0 && one.kind != "trained") one.kind = "designed";
      if (layer.source.kind == Kind::explicit_values && one.kind == "untrained") one.kind = "given";
    }
    return one;
  };
  PlainModels models{plain(document), {}};
  for (const Model& model : document.aside) models.aside.push_back(plain(model));
  return models;
}

bool switch_to(PlainModels& models, const std::string& kind) {
  for (std::size_t k = 0; k < models.aside.size(); ++k) {
    if (models.aside[k].kind != kind) continue;
    models.aside.push_back(models.now);
    models.now = models.aside[k];
    models.aside.erase(models.aside.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  return false;
}

std::string difference(const Plain& a, const Plain& b) {
  if (a.sentence != b.sentence || a.tokens != b.tokens || a.own_tokens != b.own_tokens) return "sentence";
  if (a.marks != b.marks) return "marks";
  if (a.d_model != b.d_model || a.concat != b.concat || a.heads != b.heads || a.kv_heads != b.kv_heads) return "sizes";
  if (a.kind != b.kind || a.seed != b.seed || a.positions != b.positions) return "embedding";
  if (a.edits != b.edits) return "entries of X";
  if (a.words != b.words) return "words";
  if (a.model != b.model) return "words in and out";
  if (a.mask != b.mask || a.allowed != b.allowed || a.own != b.own) return "mask";
  if (a.scale != b.scale || a.temperature != b.temperature || a.split != b.split) return "layer";
  if (a.gates != b.gates) return "gates";
  if (!close(a.attention, b.attention)) return "painted attention";
  if (!close(a.values, b.values)) return "painted values";
  if (a.weights.values != b.weights.values || a.weights.source != b.weights.source) return "weights";
  return "";
}

bool is_of_all(const Edit& edit) {
  const auto of_all = [](const auto& e) {
    using E = std::decay_t<decltype(e)>;
    if constexpr (std::same_as<E, SetBlock>)
      return e.quantity == Quantity::X || is_of_model(e.quantity);
    else
      return std::same_as<E, SetSentence> || std::same_as<E, SetPads> || std::same_as<E, SetModelWidth> ||
             std::same_as<E, SetPositions> || std::same_as<E, SetEmbedding> || std::same_as<E, SetWordFeatures> ||
             std::same_as<E, SetModelSetting> || std::same_as<E, SetVocabulary> || std::same_as<E, SetCase> ||
             std::same_as<E, AddPlaces> || std::same_as<E, SetQuestions> || std::same_as<E, SetReadoutSource> ||
             std::same_as<E, MarkPair> || std::same_as<E, DropRelation>;
  };
  return std::visit(of_all, edit.what);
}

bool change(Plain& plain, const Edit& edit, const Document& before, const Document* after, int layer) {
  return std::visit(Change{plain, before, after, layer}, edit.what);
}

}  // namespace hydra::fuzz
