// Queries of one sentence and keys of another: by the formula, and by what must come out where both are the same.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/analysis/answer/head_answers.h"
#include "core/analysis/answer/mixed_pattern.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/data.h"
#include "tests/support/models/golden_stacks.h"

using namespace hydra;
using hydra::test::golden_stacks;

namespace {

std::shared_ptr<const Trace> backwards(Document document, const Trace& trace) {
  document.tokens = trace.tokens;
  std::reverse(document.tokens->begin(), document.tokens->end());
  return evaluate(document);
}

}  // namespace

// Rotated or normalised, capped, with sinks, windows and distances, of heads that talk or share their keys.
TEST_CASE("mixed pattern: of a sentence and itself it is the head's own, whatever the settings", "[core][answer]") {
  int compared = 0;
  for (const auto& [golden, document] : golden_stacks()) {
    CAPTURE(golden.at("seed").get<int>());
    const auto trace = evaluate(document);
    for (int k = 0; k < std::ssize(trace->layers); ++k) {
      const LayerTrace<float>& layer = trace->layer(k);
      if (!layer.input.painted.empty()) continue;
      for (Index h = 0; h < layer.input.heads; ++h) {
        const Array<float> mixed = mixed_pattern(layer, layer, h);
        const Array<float>& own = layer.heads[static_cast<std::size_t>(h)].attention;
        CHECK((*mixed - *own).cwiseAbs().maxCoeff() <= 2e-5f * std::max(1.0f, own->cwiseAbs().maxCoeff()));
        ++compared;
      }
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("mixed pattern: of plain heads it is the softmax of Q Kᵀ / √d_k, each of its sentence", "[core][answer]") {
  for (const char* name : {"trained_grammar", "trained_students_4", "trained_induction"}) {
    CAPTURE(name);
    const Document document = read_document(test::data("../../assets/documents/" + std::string(name) + ".json"));
    const auto trace = evaluate(document), other = backwards(document, *trace);
    const LayerTrace<float>&here = trace->layer(0), &there = other->layer(0);
    for (Index h = 0; h < here.input.heads; ++h) {
      const auto at = static_cast<std::size_t>(h);
      const Array<float> mixed = mixed_pattern(there, here, h);
      Mat<double> scores = (there.heads[at].Q->cast<double>() * here.heads[at].K->cast<double>().transpose()) /
                           std::sqrt(static_cast<double>(here.input.d_k()));
      for (Index i = 0; i < scores.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < scores.cols(); ++j) {
          const bool seen = document.layer(0).mask.kind != Mask::Kind::causal || j <= i;
          scores(i, j) = seen ? std::exp(scores(i, j)) : 0;
          sum += scores(i, j);
        }
        for (Index j = 0; j < scores.cols(); ++j)
          CHECK((*mixed)(i, j) == Approx(scores(i, j) / sum).epsilon(1e-4).margin(1e-6));
      }
    }
  }
}

TEST_CASE("mixed pattern: queries or keys that are patched make a pattern that is patched", "[core][answer]") {
  const Document document = read_document(test::data("../../assets/documents/trained_grammar.json"));
  const auto trace = evaluate(document), other = backwards(document, *trace);
  const AskedAnswer asked = asked_of(trace->model, 10, 0);
  const auto patched = [&](PatchedPart part, const Trace& from) {
    const double own = read_of(trace->model, asked).logit;
    double most = 0;  // by which the answer changes
    for (const HeadAnswer& head : head_answers(*trace, asked, {{}, &from, part}).heads)
      most = std::max(most, std::abs(head.patched->logit - own));
    return most;
  };
  CHECK(patched(PatchedPart::queries, *trace) < 1e-4);
  CHECK(patched(PatchedPart::keys, *trace) < 1e-4);
  CHECK(patched(PatchedPart::queries, *other) > 0.5);
  CHECK(patched(PatchedPart::keys, *other) > 0.5);
  CHECK(patched(PatchedPart::queries, *other) != patched(PatchedPart::keys, *other));
}
