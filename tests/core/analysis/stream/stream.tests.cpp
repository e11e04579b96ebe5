#include "core/analysis/stream/stream.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/quantity.h"
#include "core/linalg/same_bits.h"
#include "tests/core/analysis/random_documents.h"

using namespace hydra;
using Kind = StreamLine::Kind;

namespace {

RowVec<double> vector_of(const Trace& trace, const StreamLine& line, Index token) {
  return values_of(trace, line.site).row(line.kind == Kind::bias ? 0 : token).cast<double>();
}

bool counts(const StreamLine& line, int sum) { return line.part_of == sum && line.kind != Kind::heads; }

Document with(Document document, std::initializer_list<std::pair<LayerSetting, double>> settings) {
  for (const auto& [setting, value] : settings) document = hydra::apply(document, SetSetting{setting, value});
  return document;
}
Document plain_stack() { return hydra::apply(hydra::apply(default_document(), SetModelWidth{16}), SetHeads{2}); }

// "X>5 Z>5 Z>5 Y>5 R": the lines with what each is part of.
std::string told(const Document& document) {
  std::string text;
  const LayerInput<float> input = input_of(document, 0);
  for (const StreamLine& line : stream_lines(input, 0)) {
    text += (text.empty() ? "" : " ") + std::string(entry_of(line.site.quantity).key);
    if (line.part_of >= 0) text += ">" + std::to_string(line.part_of);
  }
  return text;
}

using L = LayerSetting;
constexpr double kAfter = 1;

}  // namespace

TEST_CASE("stream: the lines of a layer are what its settings switch on", "[stream]") {
  const std::string heads = " contribution>3 contribution>3 ";
  CHECK(told(plain_stack()) == "X" + heads + "output");
  CHECK(told(with(plain_stack(), {{L::residual, 1}})) == "X>4 contribution>4 contribution>4 output>4 stream");
  CHECK(told(with(plain_stack(), {{L::residual, 1}, {L::norm, 1}, {L::norm_place, kAfter}})) ==
        "X>4 contribution>4 contribution>4 output>4 sum_1 stream");
  CHECK(told(with(plain_stack(), {{L::feed_forward, 1}})) == "X" + heads + "output feed_forward");
  CHECK(told(with(plain_stack(), {{L::residual, 1}, {L::norm, 1}, {L::feed_forward, 1}})) ==
        "X>6 contribution>6 contribution>6 output>6 stream_1 feed_forward>6 stream");
  CHECK(told(with(plain_stack(), {{L::residual, 1}, {L::norm, 1}, {L::norm_place, kAfter}, {L::feed_forward, 1}})) ==
        "X>4 contribution>4 contribution>4 output>4 sum_1 stream_1>7 feed_forward>7 sum_2 stream");
  CHECK(told(with(plain_stack(), {{L::norm, 1}, {L::norm_place, kAfter}, {L::feed_forward, 1}})) ==
        "X" + heads + "output stream_1 feed_forward stream");
  for (const NormPlace place : {NormPlace::both, NormPlace::output}) {
    const auto told_at = [&](std::initializer_list<std::pair<LayerSetting, double>> more) {
      Document document = with(plain_stack(), {{L::norm, 1}, {L::norm_place, static_cast<double>(place)}});
      for (const auto& [setting, value] : more) document = with(document, {{setting, value}});
      return told(document);
    };
    CHECK(told_at({{L::residual, 1}}) == "X>5" + heads + "output normed_Y>5 stream");
    CHECK(told_at({}) == "X" + heads + "output normed_Y");
    CHECK(told_at({{L::residual, 1}, {L::feed_forward, 1}}) ==
          "X>8" + heads + "output normed_Y>8 stream_1 feed_forward normed_F>8 stream");
    CHECK(told_at({{L::feed_forward, 1}}) == "X" + heads + "output normed_Y feed_forward normed_F");
    CHECK(told_at({{L::residual, 1}, {L::feed_forward, 1}, {L::parallel, 1}}) ==
          "X>7" + heads + "output normed_Y>7 feed_forward normed_F>7 stream");
  }
  CHECK(told(with(plain_stack(), {{L::feed_forward, 1}, {L::parallel, 1}})) ==
        "X contribution>5 contribution>5 output>5 feed_forward>5 stream");
  CHECK(told(with(plain_stack(), {{L::residual, 1}, {L::feed_forward, 1}, {L::parallel, 1}})) ==
        "X>5 contribution>5 contribution>5 output>5 feed_forward>5 stream");
}

TEST_CASE("stream: in every layer of random stacks the parts of a sum add up to it, and so do their shares",
          "[stream]") {
  int sums = 0, carried = 0;
  for (std::uint64_t seed = 1; seed <= test::kRandomDocuments; ++seed) {
    const std::shared_ptr<const Trace> trace = evaluate(test::some_document(seed));
    const Stream stream = StreamMeasures().of(*trace, 0);
    CAPTURE(seed);
    REQUIRE(stream.layers.size() == trace->layers.size());
    for (int k = 0; k < static_cast<int>(stream.layers.size()); ++k) {
      const StreamLayer& layer = stream.layer(k);
      const auto& lines = layer.lines;
      CHECK(lines.front().site.quantity == Quantity::X);
      CHECK(lines.back().site == leaves_of(*trace, k));
      for (int s = 0; s < static_cast<int>(lines.size()); ++s) {
        if (std::ranges::none_of(lines, [&](const StreamLine& line) { return counts(line, s); })) continue;
        ++sums;
        for (Index t = 0; t < layer.n(); ++t) {
          RowVec<double> sum = RowVec<double>::Zero(trace->X->cols());
          double shares = 0, largest = 1, parts = 0;
          for (int l = 0; l < static_cast<int>(lines.size()); ++l) {
            if (!counts(lines[static_cast<std::size_t>(l)], s)) continue;
            const RowVec<double> part = vector_of(*trace, lines[static_cast<std::size_t>(l)], t);
            sum += part;
            largest = std::max(largest, part.cwiseAbs().maxCoeff());
            shares += layer.share(t, l);
            parts += std::abs(layer.share(t, l));
            carried += l == 0 ? 1 : 0;
          }
          const RowVec<double> made = vector_of(*trace, lines[static_cast<std::size_t>(s)], t);
          CHECK((sum - made).cwiseAbs().maxCoeff() <= 2e-5 * largest);
          if (made.norm() > 1e-3 * largest) CHECK(shares == Approx(1).margin(1e-4 * parts));
        }
      }
      // Every head is part of one sum, together with all others and b_O.
      for (const StreamLine& line : lines)
        if (line.kind == Kind::head || line.kind == Kind::bias) CHECK(line.part_of == lines[1].part_of);
      CHECK(lines[1].part_of > 0);
    }
  }
  CHECK(sums > 500);
  CHECK(carried > 500);
}

TEST_CASE("stream: sizes and cosines are those of the trace's rows, and a token's rows are the rows themselves",
          "[stream]") {
  for (std::uint64_t seed = 1; seed <= test::kRandomDocuments / 4; ++seed) {
    const Document document = test::some_document(seed);
    for (const Keeping keeping : {Keeping{}, Keeping{.focus = 0, .most = 0}}) {
      const std::shared_ptr<const Trace> trace = evaluate(document, nullptr, nullptr, keeping);
      const Index n = trace->X->rows(), token = static_cast<Index>(seed) % n;
      const Stream stream = StreamMeasures().of(*trace, token);
      CAPTURE(seed, keeping.most);
      for (int k = 0; k < static_cast<int>(stream.layers.size()); ++k) {
        const StreamLayer& layer = stream.layer(k);
        for (Index l = 0; l < layer.size.cols(); ++l) {
          const StreamLine& line = layer.lines[static_cast<std::size_t>(l)];
          for (Index t = 0; t < n; ++t) {
            const RowVec<double> v = vector_of(*trace, line, t), x = trace->X->row(t).cast<double>();
            CHECK(layer.size(t, l) == Approx(v.norm()));
            if (const double whole = v.norm() * x.norm(); whole > 0)
              CHECK(layer.cosine(t, l) == Approx(v.dot(x) / whole).margin(1e-12));
            else
              CHECK(std::isnan(layer.cosine(t, l)));
            CHECK(std::isnan(layer.share(t, l)) ==
                  (line.part_of < 0 ||
                   vector_of(*trace, layer.lines[static_cast<std::size_t>(line.part_of)], t).isZero(0)));
          }
          const Index row = line.kind == Kind::bias ? 0 : token;
          const Mat<float> shown = stream.rows[static_cast<std::size_t>(k)]->row(l),
                           held = values_of(*trace, line.site).row(row);
          CHECK(same_bits(share(Mat<float>(shown)), share(Mat<float>(held))));
        }
      }
    }
  }
}

TEST_CASE("stream: what is kept from one trace to the next is what is measured anew", "[stream]") {
  Document document = plain_stack();
  for (int k = 1; k < 4; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  for (const double most : {kMostKept, 0.0}) {
    StreamMeasures kept;
    std::shared_ptr<const Trace> trace;
    Stream before;
    for (int step = 0; step < 12; ++step) {
      if (step % 3 == 1) {
        const float value = 0.1f * static_cast<float>(step);
        document = hydra::apply(document, {set_cell(Quantity::W_V, step, 3, value), step % 4});
      }
      trace = evaluate(document, trace.get(), nullptr, {.focus = step % 4, .most = most});
      const Index token = step % 5;
      const Stream now = kept.of(*trace, token), fresh = StreamMeasures().of(*trace, token);
      CAPTURE(step, most);
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(same_bits(now.rows[k], fresh.rows[k]));
        CHECK(now.layers[k]->size == fresh.layers[k]->size);
        // What no edit reached is not measured again.
        if (step > 0 && (step % 3 != 1 || static_cast<int>(k) < step % 4)) CHECK(now.layers[k] == before.layers[k]);
      }
      before = now;
    }
  }
}

TEST_CASE("stream: a layer that adds nothing leaves the stream as it is, a plain one forgets it", "[stream]") {
  Document document = with(plain_stack(), {{L::residual, 1}});
  document = hydra::apply(document, SetGates{{0, 0}});
  const std::shared_ptr<const Trace> silent = evaluate(document);
  const StreamLayer layer = *StreamMeasures().of(*silent, 0).layers[0];
  for (Index t = 0; t < layer.n(); ++t) {
    CHECK(layer.cosine(t, layer.leaving()) == Approx(1));
    CHECK(layer.size(t, layer.leaving()) == layer.size(t, 0));
    CHECK(layer.share(t, 0) == Approx(1));
    CHECK(layer.size(t, 1) == 0);
  }
  const std::shared_ptr<const Trace> none = evaluate(hydra::apply(plain_stack(), SetGates{{0, 0}}));
  const StreamLayer gone = *StreamMeasures().of(*none, 0).layers[0];
  CHECK(gone.size(0, gone.leaving()) == 0);
  CHECK(std::isnan(gone.cosine(0, gone.leaving())));
  CHECK(std::isnan(gone.share(0, 1)));
}

TEST_CASE("stream: of named features a vector says the largest first, and how much of it they are", "[stream]") {
  FeatureLayout layout;
  layout.features = 3;
  layout.identity = 1;
  const Mat<float> v{{1, 0, -2, 2}};
  const FeaturesWritten written = features_written(v, layout, 5);
  REQUIRE(written.strongest.size() == 2);
  CHECK(written.strongest[0] == std::pair<Index, float>(2, -2.0f));
  CHECK(written.strongest[1] == std::pair<Index, float>(0, 1.0f));
  CHECK(written.share == Approx(5.0 / 9));
  CHECK(features_written(v, layout, 1).strongest.size() == 1);
  CHECK(features_written(Mat<float>{{1, 1e-6f, -2, 2}}, layout, 5).strongest.size() == 2);  // rounding is not written
  CHECK(std::isnan(features_written(Mat<float>::Zero(1, 4), layout, 1).share));
}
