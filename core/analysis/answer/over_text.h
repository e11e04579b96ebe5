// What heads do for the answers of a text: the mean of each effect of head_answers.h over them, with its interval. One
// answer of each sentence, so that what is sampled are sentences.
#pragma once
#include "core/analysis/answer/head_answers.h"
#include "core/analysis/mean_interval.h"

namespace hydra {

struct TextAnswer {
  std::shared_ptr<const Trace> trace;  // the model on a sentence
  AskedAnswer asked;                   // of it
};

struct HeadOverText {
  MeanInterval direct, against_rival;
  // By how much the answer changes once the head is silenced, or at its mean.
  OfAnswer<MeanInterval> zero;
  std::optional<OfAnswer<MeanInterval>> mean;
};

struct OverText {
  Index answers = 0;
  std::vector<HeadOverText> heads;  // of all layers, in their order
};
// means: of the heads over a text, or none. A step of progress for each answer; there is at least one.
OverText over_text(std::span<const TextAnswer> text, std::span<const Mat<double>> means, ThreadPool* pool = nullptr,
                   const Progress& progress = {});

}  // namespace hydra
