// Direct effects (stream/direct_effect.h) on the logit of one answer, and on that less its rival's.
#pragma once
#include "core/analysis/answer/head_answers.h"
#include "core/analysis/stream/direct_effect.h"

namespace hydra {

class DirectAnswer {
 public:
  struct Part {
    double effect = 0, against_rival = 0;  // NaN where there is no rival
  };

  DirectAnswer(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool = nullptr);

  const std::vector<StreamLine>& lines(int layer) const { return stream_.layer(layer).lines; }
  bool counts(int layer, int line) const;  // no other line stands for it
  Part of_line(int layer, int line) const;
  Part of_added(int layer, MatView<float> added) const;  // [1 x d_model] by a head of the layer to the asked token
  Part of_constants() const;                             // the norms' shifts and b_U

 private:
  Stream stream_;
  DirectPaths paths_;
  Index answer_;
  std::optional<Index> rival_;
  RowVec<double> reader_, rival_reader_;
};

}  // namespace hydra
