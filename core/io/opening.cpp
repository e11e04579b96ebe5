#include "core/io/opening.h"

#include <algorithm>

#include "core/io/file.h"
#include "core/ops/softmax.h"
#include "embedded/core_assets.h"

namespace hydra {

namespace {

struct Change {
  double amount = 0;
  Index query = 0;
};

// Of the row of the pattern that changes most when every score of query i changes by per_key[j] * by[i].
Change largest_change(MatIn<float> scores, MatIn<float> attention, const Eigen::VectorXf& by,
                      const Eigen::VectorXf& per_key) {
  Change largest;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (by(i) == 0) continue;
    Mat<float> row = scores.row(i) + by(i) * per_key.transpose();
    softmax::forward<float>(row, row);
    const double amount = 0.5 * static_cast<double>((row - attention.row(i)).cwiseAbs().sum());
    if (amount > largest.amount) largest = {amount, i};
  }
  return largest;
}

}  // namespace

const Notes& opening_notes() {
  static const Notes notes{
      "Whom does “she” look at?",
      {"Press H, then Q, which hides the heads' names. Read the row of “she”, then in the other heads with 2, 3 and 4: "
       "whom does it look at in each, and what is each head for? Q shows the names again.",
       "? Head 1 gives “girl” 1.00 from “she”, head 4 “dog”, the subject; 2 and 3 give the full stop and the word "
       "before. Nobody told them where to look: they were trained to answer questions.",
       "# Try",
       "Press I: a weight of W_Q is framed. Which row of the pattern will move? Guess, then drag it up and down; B "
       "held "
       "shows the state before. Press U: the same sentence in untrained heads, in designed ones, and in these. Click a "
       "cell of the pattern: how is its number computed?",
       "# Where to go on", "Examples (Y) have pages like this one, and ? has all keys."}};
  return notes;
}

Document opening_document() {
  const auto model = [](const char* file) { return parse_document(core_assets::find(file), file); };
  Document document = model("trained_grammar.json");
  document.notes = opening_notes();
  document.sentence = "the dog chases the girl because she is scared .";
  document.tokens.reset();  // the tokenizer cuts the sentence so, and others that are typed over it
  document.aside.push_back(model("grammar_designed.json"));
  return document;
}

OfferedWeight offered_weight(const Trace& trace, int layer, int head, float step) {
  OfferedWeight best{{{Quantity::W_Q, layer, head}, 0, 0}, 0, 0, 0};
  const LayerTrace<float>& l = trace.layer(layer);
  const HeadTrace<float>& h = l.heads[static_cast<std::size_t>(head)];
  const LayerInput<float>& input = l.input;
  const float scale = input.score_factor(head);
  const Array<float> scores = scores_of(l, head);
  for (Index row = 0; row < input.d_model(); ++row) {
    if (input.X->col(row).isZero(0) || (trace.layout && row >= trace.layout->features)) continue;
    for (Index col = 0; col < input.d_k(); ++col) {
      if ((*input.weights.W_Q)(row, head * input.d_k() + col) == 0) continue;
      const Eigen::VectorXf by = step * scale * input.X->col(row), per_key = h.K->col(col);
      const Change up = largest_change(*scores, *h.attention, by, per_key);
      if (up.amount <= std::min(best.up, best.down)) continue;
      const Change down = largest_change(*scores, *h.attention, -by, per_key);
      if (std::min(up.amount, down.amount) <= std::min(best.up, best.down)) continue;
      best = {{{Quantity::W_Q, layer, head}, row, col}, down.query, up.amount, down.amount};
    }
  }
  return best;
}

bool can_offer_weight(const Trace& trace, int layer) {
  constexpr double kMostTried = 1 << 22;  // exponentials, up and down: some 20 ms
  const LayerInput<float>& input = trace.layer(layer).input;
  const LayerSettings& s = input.settings;
  const bool plain = !s.norm && !s.qk_norm && !s.rotary && !s.differential && s.soft_cap == 0 &&
                     s.sink == SinkKind::none && s.talking_heads == TalkingHeads::none && input.painted.empty();
  const auto n = static_cast<double>(input.n());
  return plain && n * n * static_cast<double>(input.d_model() * input.d_k()) <= kMostTried;
}

}  // namespace hydra
