// Which heads do it, for one answer: against PyTorch's numbers (scripts/make_answer_golden.py), and laws.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/analysis/answer/changed_heads.h"
#include "core/analysis/answer/head_answers.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "tests/support/data.h"
#include "tests/support/models/golden_stacks.h"

using namespace hydra;
using hydra::test::drawn_by_name;
using hydra::test::golden_stacks;
using nlohmann::json;

namespace {

const Document& golden_document(std::uint64_t seed) {
  const auto& all = golden_stacks();
  const auto found = std::ranges::find_if(
      all, [&](const auto& stack) { return stack.golden.at("seed").template get<std::uint64_t>() == seed; });
  REQUIRE(found != all.end());
  return found->document;
}

// As the script has it: other numbers of X, or the words from the last to the first where places have no vectors.
std::shared_ptr<const Trace> counterfactual_of(Document document, std::uint64_t seed) {
  if (document.embedding.kind == Embedding::Kind::explicit_values) {
    const Mat<double> X = drawn_by_name("counterfactual", seed, document.embedding.X.rows(), document.d_model, 128);
    document.embedding.X = share(Mat<float>(X.cast<float>()));
  } else {
    std::reverse(document.tokens->begin(), document.tokens->end());
  }
  return evaluate(document);
}

AskedAnswer asked_in(const json& golden) {
  const json& asked = golden.at("asked");
  AskedAnswer of{asked.at("token"), asked.at("question"), asked.at("answer"), std::nullopt};
  if (!asked.at("rival").is_null()) of.rival = asked.at("rival").get<Index>();
  return of;
}

// Of floats: in one of 229 stacks numbers cancel.
constexpr double kNear = 3e-5;

void same(const AnswerRead& ours, const json& theirs) {
  CHECK(ours.logit == Approx(theirs[0].get<double>()).epsilon(1e-5).margin(kNear));
  CHECK(ours.probability == Approx(theirs[2].get<double>()).epsilon(1e-5).margin(kNear));
  if (theirs[1].is_null())
    CHECK(std::isnan(ours.rival_logit));
  else
    CHECK(ours.rival_logit == Approx(theirs[1].get<double>()).epsilon(1e-5).margin(kNear));
}

Document shipped(const std::string& name) {
  return read_document(test::data("../../assets/documents/" + name + ".json"));
}

Document saying(Document document, const std::string& sentence) {
  document.tokens.reset();
  document.sentence = sentence;
  return document;
}

}  // namespace

TEST_CASE("answer: with any head silenced, at its mean or patched the answer is PyTorch's", "[core][answer]") {
  int mean = 0, heads = 0, layers = 0;
  for (const json& golden : json::parse(std::ifstream(test::data("answer_golden.json")))) {
    const auto seed = golden.at("seed").get<std::uint64_t>();
    CAPTURE(seed);
    const Document& document = golden_document(seed);
    const auto trace = evaluate(document);
    OtherSentences others;
    std::vector<std::shared_ptr<const Trace>> text;
    HeadMeans means;
    if (golden.at("heads").at(0).contains("patched")) {
      text = {trace, counterfactual_of(document, seed)};
      means = means_over(text);
      others = {text, text.back().get(), PatchedPart::head, means};
    }
    const AnswerHeads all = head_answers(*trace, asked_in(golden), others);
    same(all.read, golden.at("read"));
    REQUIRE(all.heads.size() == golden.at("heads").size());
    for (std::size_t k = 0; k < all.heads.size(); ++k) {
      const json& theirs = golden.at("heads").at(k);
      const HeadAnswer& ours = all.heads[k];
      CAPTURE(k);
      CHECK(ours.layer == theirs.at("layer").get<int>());
      CHECK(ours.head == theirs.at("head").get<Index>());
      same(ours.zero, theirs.at("zero"));
      REQUIRE(ours.patched.has_value() == theirs.contains("patched"));
      if (!ours.patched) continue;
      same(*ours.mean, theirs.at("mean"));
      same(*ours.patched, theirs.at("patched"));
      ++mean;
    }
    heads += static_cast<int>(all.heads.size());
    layers = std::max(layers, static_cast<int>(trace->layers.size()));
  }
  CHECK(heads > 1000);
  CHECK(mean > 500);
  CHECK(layers == 4);
}

TEST_CASE("answer: a silenced head gives the bits that its gate at 0 gives", "[core][answer]") {
  for (const auto& [golden, document] : golden_stacks()) {
    const auto trace = evaluate(document);
    if (!trace->model.logits) continue;
    CAPTURE(golden.at("seed").get<int>());
    for (int k = 0; k < std::ssize(document.layers); ++k)
      for (Index h = 0; h < document.layer(k).heads; ++h) {
        Document silenced = document;
        std::vector<float>& gates = silenced.layer(k).gates;
        if (gates.empty()) gates.assign(static_cast<std::size_t>(document.layer(k).heads), 1);
        gates[static_cast<std::size_t>(h)] = 0;
        const ChangedHead changed{k, h, {}};
        CHECK(*read_out_with(*trace, {&changed, 1}).logits == *evaluate(silenced)->model.logits);
      }
  }
}

TEST_CASE("answer: direct effects of the heads and the rest add up to the logit", "[core][answer]") {
  for (const auto& [golden, document] : golden_stacks()) {
    const auto trace = evaluate(document);
    if (!trace->model.logits) continue;
    CAPTURE(golden.at("seed").get<int>());
    for (Index question = 0; question < trace->model.next_words.parts(); ++question) {
      const AskedAnswer asked = asked_of(trace->model, trace->X.rows() - 1, question);
      const AnswerHeads all = head_answers(*trace, asked);
      double sum = all.rest, less = all.rest_against_rival, sizes = std::abs(all.rest) + 1;
      for (const HeadAnswer& head : all.heads) {
        sum += head.direct;
        less += head.against_rival;
        sizes += std::abs(head.direct);
      }
      CHECK(std::abs(sum - all.read.logit) <= 1e-5 * sizes);
      if (asked.rival)
        CHECK(std::abs(less - (all.read.logit - all.read.rival_logit)) <=
              2e-5 * (sizes + std::abs(all.read.rival_logit)));
    }
  }
}

TEST_CASE("answer: patched from the sentence itself nothing changes", "[core][answer]") {
  const auto trace = evaluate(shipped("trained_grammar"));
  const AskedAnswer asked = asked_of(trace->model, 10, 1);
  for (const HeadAnswer& head : head_answers(*trace, asked, {{}, trace.get()}).heads) {
    CHECK(head.patched->logit == Approx(read_of(trace->model, asked).logit).epsilon(1e-5));
    CHECK_FALSE(head.mean);
    CHECK_FALSE(head.resampled);
  }
}

TEST_CASE("answer: where the stream carries nothing on, all heads from another sentence give its answer",
          "[core][answer]") {
  Document document = shipped("trained_grammar");
  document.layer(0).settings.residual = false;
  const auto trace = evaluate(document);
  const auto there = evaluate(saying(document, "the old queen near the cats chases the boy because he is tired ."));
  REQUIRE(there->X.rows() == trace->X.rows());
  std::vector<ChangedHead> all;
  for (Index h = 0; h < document.layer(0).heads; ++h) all.push_back({0, h, contribution_of(there->layer(0), h)});
  const ModelTrace<float> patched = read_out_with(*trace, all);
  CHECK((*patched.logits - *there->model.logits).cwiseAbs().maxCoeff() < 1e-4);
  CHECK((*patched.logits - *trace->model.logits).cwiseAbs().maxCoeff() > 1);
}

TEST_CASE("answer: what is resampled is of other sentences, spread over the text, a shorter one begins again",
          "[core][answer]") {
  const Document document = shipped("trained_grammar");
  const auto trace = evaluate(document);
  const auto shorter = evaluate(saying(document, "the queen sleeps ."));
  std::vector<std::shared_ptr<const Trace>> text(40, shorter);
  text[0] = trace;
  const std::vector<std::size_t> from = resampled_from(*trace, text);
  REQUIRE(from.size() == static_cast<std::size_t>(kMostResampled));
  CHECK(std::ranges::find(from, std::size_t{0}) == from.end());
  CHECK(std::ranges::adjacent_find(from, std::greater_equal<>()) == from.end());
  CHECK(from.back() > 35);
  text = {trace, shorter};
  const AskedAnswer asked = asked_of(trace->model, 10, 1);
  const AnswerHeads all = head_answers(*trace, asked, {text, nullptr});
  Mat<float> rows(trace->X.rows(), document.d_model);
  for (Index i = 0; i < rows.rows(); ++i)
    rows.row(i) = contribution_of(shorter->layer(0), 0)->row(i % shorter->X.rows());
  const ChangedHead changed{0, 0, share(std::move(rows))};
  CHECK(all.heads.front().resampled->logit == read_of(read_out_with(*trace, {&changed, 1}), asked).logit);
}

TEST_CASE("answer: by default the likeliest word, and its likeliest rival", "[core][answer]") {
  const auto trace = evaluate(shipped("trained_grammar"));
  for (Index question = 0; question < trace->model.next_words.parts(); ++question)
    for (Index token = 0; token < trace->X.rows(); ++token) {
      const auto first = likeliest(trace->model.of_question(trace->model.probabilities, question), token, 2);
      CHECK(asked_of(trace->model, token, question).answer == first[0]);
      CHECK(asked_of(trace->model, token, question).rival == first[1]);
      CHECK(asked_of(trace->model, token, question, first[1]).rival == first[0]);
      CHECK(asked_of(trace->model, token, question, first[1], 5).rival == 5);
    }
}

TEST_CASE("answer: a pattern or values of another sentence make of the head what the products of both say",
          "[core][answer]") {
  int compared = 0;
  for (const char* name :
       {"trained_grammar", "trained_students_4", "trained_induction", "stack_induction", "trained_students_32"}) {
    CAPTURE(name);
    const Document document = shipped(name);
    const auto trace = evaluate(document);
    if (!trace->model.logits) continue;
    std::vector<std::string> backwards = trace->tokens;
    std::reverse(backwards.begin(), backwards.end());
    Document other_document = document;
    other_document.tokens = backwards;
    const auto other = evaluate(other_document);
    const AskedAnswer asked = asked_of(trace->model, std::ssize(trace->tokens) - 1, 0);
    const AnswerHeads pattern = head_answers(*trace, asked, {{}, other.get(), PatchedPart::pattern}),
                      values = head_answers(*trace, asked, {{}, other.get(), PatchedPart::values}),
                      own = head_answers(*trace, asked, {{}, trace.get(), PatchedPart::pattern});
    for (std::size_t k = 0; k < pattern.heads.size(); ++k) {
      const int layer = pattern.heads[k].layer;
      const Index head = pattern.heads[k].head;
      const LayerTrace<float>&here = trace->layer(layer), &there = other->layer(layer);
      const LayerInput<float>& input = here.input;
      const Index d_k = input.d_k();
      const auto made = [&](const LayerTrace<float>& looks, const LayerTrace<float>& reads) {
        const Mat<float> adds = *looks.heads[static_cast<std::size_t>(head)].attention *
                                *reads.heads[static_cast<std::size_t>(head)].V *
                                input.weights.W_O->middleRows(head * d_k, d_k) * input.gate(head);
        const ChangedHead changed{layer, head, share(Mat<float>(adds))};
        return read_of(read_out_with(*trace, {&changed, 1}), asked);
      };
      CHECK(pattern.heads[k].patched->logit == Approx(made(there, here).logit).epsilon(1e-4).margin(1e-4));
      CHECK(values.heads[k].patched->logit == Approx(made(here, there).logit).epsilon(1e-4).margin(1e-4));
      CHECK(own.heads[k].patched->logit == Approx(own.read.logit).epsilon(1e-5).margin(kNear));
      ++compared;
    }
  }
  CHECK(compared > 40);
}
