// Which heads do it, for one answer: what each writes of the answer's logit by itself, and what becomes of the answer
// when the head is changed (changed_heads.h). A head that writes much may be missed little, where another stands in for
// it, and one that writes nothing of the answer itself may be what a later head reads.
#pragma once
#include <optional>
#include <span>

#include "core/attention/trace.h"
#include "core/work/progress.h"

namespace hydra {

struct AskedAnswer {
  Index token = 0, question = 0;
  Index answer = 0;            // of the readout's words
  std::optional<Index> rival;  // another word; none: the readout has one
  bool operator==(const AskedAnswer&) const = default;
};

// What is read out of the answer. rival_logit is NaN where there is no rival.
struct AnswerRead {
  double logit = 0, rival_logit = 0, probability = 0;
  Index likeliest = 0;  // the word that is read then, and its probability
  double most = 0;
};
AnswerRead read_of(const ModelTrace<float>& model, const AskedAnswer& asked);
// The same of an answer's logit, of that less the rival's, and of its probability.
template <class T>
struct OfAnswer {
  T logit{}, difference{}, probability{};
};
OfAnswer<double> change_from(const AnswerRead& before, const AnswerRead& after);
// The likeliest word of the token's question, and the likeliest of the others.
AskedAnswer asked_of(const ModelTrace<float>& model, Index token, Index question,
                     std::optional<Index> answer = std::nullopt, std::optional<Index> rival = std::nullopt);

struct HeadAnswer {
  int layer = 0;
  Index head = 0;
  double direct = 0;               // the head's direct effect on the answer's logit (stream/direct_effect.h)
  double against_rival = 0;        // and on that less the rival's; NaN where there is none
  AnswerRead zero;                 // with the head adding nothing
  std::optional<AnswerRead> mean;  // adding to each token the mean of what it adds to the tokens of a text
  // Adding what it adds in another sentence of the text: the mean over some of them, of no likeliest word.
  std::optional<AnswerRead> resampled;
  std::optional<AnswerRead> patched;  // with that part of it as it is in the counterfactual sentence
};

// What of a head is taken from the counterfactual sentence: all that it adds; where it looks; what it reads there; what
// asks, or what is asked, with this sentence's keys or queries.
enum class PatchedPart { head, pattern, values, queries, keys };

// What each head adds to a token in the mean over a text: of each layer [heads x d_model].
using HeadMeans = std::vector<Mat<double>>;
HeadMeans means_over(std::span<const std::shared_ptr<const Trace>> text, ThreadPool* pool = nullptr);

// What heads are changed to.
struct OtherSentences {
  // The same model on the sentences of a text; none: nothing is resampled.
  std::span<const std::shared_ptr<const Trace>> text = {};
  const Trace* counterfactual = nullptr;  // the same model on a sentence of as many tokens; null: nothing is patched
  PatchedPart part = PatchedPart::head;
  std::span<const Mat<double>> means = {};  // HeadMeans; none: no head is at its mean
};
// Of a text other sentences than the trace's own, spread over it. A sentence's rows stand at the tokens of the same
// places; where it is shorter it begins again.
inline constexpr Index kMostResampled = 16;
std::vector<std::size_t> resampled_from(const Trace& trace, std::span<const std::shared_ptr<const Trace>> text);

struct AnswerHeads {
  AnswerRead read;                // with no head changed
  std::vector<HeadAnswer> heads;  // of all layers, in their order
  // The direct effects of all that is no head: what enters the first layer, biases, feed-forward parts, the norms'
  // shifts. With the heads' they add up to the logit, and to the difference of logits, within what is rounded.
  double rest = 0, rest_against_rival = 0;
};
// A step of progress for each head. The trace has a readout.
AnswerHeads head_answers(const Trace& trace, const AskedAnswer& asked, const OtherSentences& others = {},
                         ThreadPool* pool = nullptr, const Progress& progress = {});

}  // namespace hydra
