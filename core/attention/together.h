// A trace in the making, and how heads that talk (ops/talk.h) come to what they attend with: together.
#pragma once
#include <algorithm>
#include <vector>

#include "core/attention/stages.h"
#include "core/linalg/arena.h"
#include "core/linalg/largest.h"

namespace hydra {

// The stages of one head that must be computed: what is to be filled, nothing where the previous trace's is shared.
// Attention is fresh with the scores, and alone when only its painting changed.
template <class S>
struct HeadWork {
  Fresh<S> Q, K, V, normed_Q, normed_K, rotated_Q, rotated_K, own_scores, scores, scores_2, own_attention, attention_2,
      attention, output, normed_output, output_gate, gated_output, contribution;
  bool new_scores = false, new_contribution = false;  // where they are not kept there is nothing to fill
};

// A trace in the making. The work is cut into blocks of rows whose size depends on n alone, so every product has the
// same shape, and every number the same bits, whatever is shared and however many threads there are.
template <class S>
struct Making {
  LayerTrace<S> trace;            // finished stages are read from here
  std::vector<HeadWork<S>> work;  // and fresh ones written through here
  Fresh<S> head_gates, lambda, concat, output;
};

// From what the block's queries attend with to the head's contribution to their output.
template <class S>
void give(const LayerTrace<S>& trace, const HeadTrace<S>& head, const HeadWork<S>& work, Index h, Index row,
          Index rows) {
  const LayerInput<S>& input = trace.input;
  if (work.output)
    mix_by<S>(input.mask, row, head.attention->middleRows(row, rows), *head.V, work.output.rows(row, rows));
  if (work.normed_output)
    normalize_output<S>(input, h, head.output->middleRows(row, rows), work.normed_output.rows(row, rows));
  if (work.gated_output) {
    const bool of_head = input.settings.output_gate == OutputGate::head;
    const MatView<S> gates =
        of_head ? trace.head_gates->middleCols(h, 1) : head.output_gate->middleCols(0, input.d_k());
    gate::forward<S>(head.ungated()->middleRows(row, rows), gates.middleRows(row, rows),
                     work.gated_output.rows(row, rows));
  }
  if (work.contribution) compute_contribution<S>(input, head, h, row, work.contribution.rows(row, rows));
}

// From the queries of a block of rows to the contributions of all heads: of each stage the rows of all before those of
// the next, for what a head hears is of all. What is not kept stands
// beside the trace meanwhile. largest [1 x heads]: the largest scores.
template <class S>
class Together {
 public:
  Together(const Making<S>& making, RowBlock block) : making_(making), block_(block) {}

  void attend(MatOut<S> largest) {
    if (input().keep_all || is_any_fresh(&HeadWork<S>::attention)) to_attention(largest);
    for (Index h = 0; h < input().heads; ++h) give<S>(making_.trace, head(h), work(h), h, block_.row, block_.rows);
  }

 private:
  using Stage = Array<S> HeadTrace<S>::*;
  using FreshStage = Fresh<S> HeadWork<S>::*;

  const LayerInput<S>& input() const { return making_.trace.input; }
  const HeadTrace<S>& head(Index h) const { return making_.trace.heads[static_cast<std::size_t>(h)]; }
  const HeadWork<S>& work(Index h) const { return making_.work[static_cast<std::size_t>(h)]; }
  bool is_any_fresh(FreshStage stage) const {
    return std::ranges::any_of(making_.work, [&](const HeadWork<S>& of) { return static_cast<bool>(of.*stage); });
  }

  // Rows of a stage of every head: in the trace, or beside it.
  struct Rows {
    Stage stage;
    std::vector<Mat<S>> beside;
  };
  MatView<S> in(const Rows& rows, Index h) const {
    if (!rows.beside.empty()) return rows.beside[static_cast<std::size_t>(h)];
    return (head(h).*rows.stage)->middleRows(block_.row, block_.rows);
  }
  // make(h, out) where they are not there yet.
  template <class Make>
  Rows made(Stage stage, FreshStage fresh, const Make& make) const {
    Rows rows{stage, {}};
    const bool kept = input().keep_all || stage == &HeadTrace<S>::attention;
    while (!kept && std::ssize(rows.beside) < input().heads) rows.beside.emplace_back(block_.rows, input().n());
    for (Index h = 0; h < input().heads; ++h)
      if (!kept)
        make(h, MatOut<S>(rows.beside[static_cast<std::size_t>(h)]));
      else if (work(h).*fresh)
        make(h, MatOut<S>((work(h).*fresh).rows(block_.row, block_.rows)));
    return rows;
  }

  Rows scores() const {
    using H = HeadTrace<S>;
    using W = HeadWork<S>;
    const auto alone = [&](Index h, MatOut<S> out) { score<S>(input(), head(h), h, block_.row, out); };
    if (!talk_before(input().settings)) return made(&H::scores, &W::scores, alone);
    const Rows own = made(&H::own_scores, &W::own_scores, alone);
    return made(&H::scores, &W::scores, [&](Index h, MatOut<S> out) {
      mix_scores_across_heads<S>(
          input(), h, block_.row, [&](Index l) { return in(own, l); }, out);
    });
  }

  void to_attention(MatOut<S> largest) {
    using H = HeadTrace<S>;
    using W = HeadWork<S>;
    const Rows seen = scores();
    for (Index h = 0; h < input().heads && !input().keep_all; ++h) largest(0, h) = largest_finite<S>(in(seen, h));
    const auto paint = [&](Index h, MatOut<S> out) {
      if (const PaintedHead<S>* by_hand = painted_head(input().painted, h))
        painted::forward<S>(by_hand->attention, block_.row, out);
    };
    const auto alone = [&](Index h, MatOut<S> out) {
      attend_with<S>(input().mask, block_.row, in(seen, h), input().sink(h), out);
    };
    if (!talk_after(input().settings)) {
      made(&H::attention, &W::attention, [&](Index h, MatOut<S> out) { alone(h, out), paint(h, out); });
      return;
    }
    const Rows own = made(&H::own_attention, &W::own_attention, alone);
    made(&H::attention, &W::attention, [&](Index h, MatOut<S> out) {
      mix_weights_across_heads<S>(
          input(), h, block_.row, [&](Index l) { return in(own, l); }, out);
      paint(h, out);
    });
  }

  const Making<S>& making_;
  RowBlock block_;
};

}  // namespace hydra
