#include "core/analysis/answer/head_answers.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/analysis/answer/changed_heads.h"
#include "core/analysis/answer/direct_answer.h"
#include "core/analysis/answer/mixed_pattern.h"

namespace hydra {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// What each head of a layer adds, over a text, to a token in the mean [heads x d_model].
Mat<double> mean_added(std::span<const std::shared_ptr<const Trace>> text, int layer, ThreadPool* pool) {
  const LayerInput<float>& own = text.front()->layer(layer).input;
  Mat<double> sums = Mat<double>::Zero(own.heads, own.d_model());
  Index tokens = 0;
  for (const std::shared_ptr<const Trace>& trace : text) {
    const auto heads = whole_of(trace->layer(layer));
    parallel_for(pool, own.heads,
                 [&](Index h) { sums.row(h) += contribution_once(*heads, h)->cast<double>().colwise().sum(); });
    tokens += trace->X.rows();
  }
  return sums / static_cast<double>(tokens);
}

Array<float> same_rows(const Mat<double>& mean, Index head, Index n) {
  return share(Mat<float>(mean.row(head).cast<float>().replicate(n, 1)));
}

// What a head adds in another sentence, at the same places; begun again where that is shorter.
Array<float> rows_from(const Trace& other, int layer, Index head, Index n) {
  const Array<float> added = contribution_once(*whole_of(other.layer(layer)), head);
  if (added.rows() == n) return added;
  Mat<float> rows(n, added.cols());
  for (Index i = 0; i < n; ++i) rows.row(i) = added->row(i % added.rows());
  return share(std::move(rows));
}

std::vector<PaintedRow<float>> rows_of(const Array<float>& matrix) {
  std::vector<PaintedRow<float>> rows;
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back({i, share(Mat<float>(matrix->row(i)))});
  return rows;
}

// The head with that part of it as it is in another sentence of as many tokens.
ChangedHead patched_from(const Trace& trace, const Trace& other, int layer, Index head, PatchedPart part) {
  ChangedHead changed{layer, head, {}};
  if (part == PatchedPart::head) {
    changed.adds = rows_from(other, layer, head, other.X.rows());
    return changed;
  }
  const auto here = whole_of(trace.layer(layer)), there = whole_of(other.layer(layer));
  const HeadTrace<float>& from = there->heads[static_cast<std::size_t>(head)];
  if (part == PatchedPart::values)
    changed.rows.values = rows_of(from.V);
  else
    changed.rows.attention = rows_of(part == PatchedPart::queries ? mixed_pattern(*there, *here, head)
                                     : part == PatchedPart::keys  ? mixed_pattern(*here, *there, head)
                                                                  : from.attention);
  return changed;
}

// The direct effects of a layer: of its heads one by one, of all else together.
void add_direct(const DirectAnswer& direct, int layer, AnswerHeads& all) {
  const std::vector<StreamLine>& lines = direct.lines(layer);
  for (int l = 0; l < static_cast<int>(lines.size()); ++l) {
    const StreamLine& line = lines[static_cast<std::size_t>(l)];
    const bool is_head = line.kind == StreamLine::Kind::head;
    if (!is_head && !direct.counts(layer, l)) continue;
    const DirectAnswer::Part part = direct.of_line(layer, l);
    if (is_head) {
      HeadAnswer& head = all.heads.emplace_back();
      head.layer = layer;
      head.head = line.site.head;
      head.direct = part.effect;
      head.against_rival = part.against_rival;
    } else {
      all.rest += part.effect;
      all.rest_against_rival += part.against_rival;
    }
  }
}

}  // namespace

AnswerRead read_of(const ModelTrace<float>& model, const AskedAnswer& asked) {
  const Index first = model.next_words.first_of(asked.question);
  AnswerRead read;
  read.logit = model.logits(asked.token, first + asked.answer);
  read.rival_logit = asked.rival ? model.logits(asked.token, first + *asked.rival) : kNoNumber;
  const auto probabilities = model.probabilities.row(asked.token).row(0).segment(first, model.next_words.words.size());
  read.probability = probabilities(asked.answer);
  read.most = probabilities.maxCoeff(&read.likeliest);
  return read;
}

OfAnswer<double> change_from(const AnswerRead& before, const AnswerRead& after) {
  return {after.logit - before.logit, (after.logit - after.rival_logit) - (before.logit - before.rival_logit),
          after.probability - before.probability};
}

AskedAnswer asked_of(const ModelTrace<float>& model, Index token, Index question, std::optional<Index> answer,
                     std::optional<Index> rival) {
  AskedAnswer asked{token, question, 0, rival};
  const std::vector<Index> first = likeliest(model.of_question(model.logits, question), token, 2);
  asked.answer = answer.value_or(first.front());
  if (!asked.rival && model.next_words.words.size() > 1)
    asked.rival = first.front() == asked.answer ? first.back() : first.front();
  return asked;
}

HeadMeans means_over(std::span<const std::shared_ptr<const Trace>> text, ThreadPool* pool) {
  HeadMeans means;
  if (text.empty()) return means;
  for (int k = 0; k < static_cast<int>(text.front()->layers.size()); ++k) means.push_back(mean_added(text, k, pool));
  return means;
}

std::vector<std::size_t> resampled_from(const Trace& trace, std::span<const std::shared_ptr<const Trace>> text) {
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k]->tokens != trace.tokens) others.push_back(k);
  const std::size_t most = kMostResampled;
  if (others.size() <= most) return others;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(others[k * others.size() / most]);
  return some;
}

AnswerHeads head_answers(const Trace& trace, const AskedAnswer& asked, const OtherSentences& others, ThreadPool* pool,
                         const Progress& progress) {
  assert(trace.model.logits);
  assert(!others.counterfactual || others.counterfactual->X.rows() == trace.X.rows());
  const Index n = trace.X.rows();
  AnswerHeads all;
  all.read = read_of(trace.model, asked);
  const DirectAnswer direct(trace, asked, pool);
  for (int k = 0; k < static_cast<int>(trace.layers.size()); ++k) add_direct(direct, k, all);
  const DirectAnswer::Part constants = direct.of_constants();
  all.rest += constants.effect;
  all.rest_against_rival += constants.against_rival;
  const std::vector<std::size_t> resampled = resampled_from(trace, others.text);
  parallel_for(pool, std::ssize(all.heads), [&](Index k) {
    HeadAnswer& head = all.heads[static_cast<std::size_t>(k)];
    const auto read_changed = [&](const ChangedHead& changed) {
      return read_of(read_out_with(trace, {&changed, 1}), asked);
    };
    const auto read_with = [&](Array<float> adds) { return read_changed({head.layer, head.head, std::move(adds)}); };
    head.zero = read_with({});
    if (!others.means.empty())
      head.mean = read_with(same_rows(others.means[static_cast<std::size_t>(head.layer)], head.head, n));
    if (!resampled.empty()) {
      AnswerRead& average = head.resampled.emplace();
      for (const std::size_t other : resampled) {
        const AnswerRead read = read_with(rows_from(*others.text[other], head.layer, head.head, n));
        average.logit += read.logit / static_cast<double>(resampled.size());
        average.rival_logit += read.rival_logit / static_cast<double>(resampled.size());
        average.probability += read.probability / static_cast<double>(resampled.size());
      }
    }
    if (others.counterfactual)
      head.patched = read_changed(patched_from(trace, *others.counterfactual, head.layer, head.head, others.part));
    progress.step();
  });
  return all;
}

}  // namespace hydra
