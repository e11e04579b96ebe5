// Everything that a document holds counts in what history holds.
#include "core/document/fields.h"

#include <catch2/catch.hpp>

#include "core/document/edits/history.h"
#include "core/error.h"
#include "tests/core/document/random_edit.h"

using namespace hydra;

namespace {

std::size_t bytes_of(const Document& document) { return History(document).bytes(); }

// A document with one more thing in it holds more.
void holds_more(const char* what, std::size_t by, const std::function<void(Document&)>& add) {
  INFO(what);
  Document with = default_document();
  add(with);
  CHECK(bytes_of(with) >= bytes_of(default_document()) + by);
  CHECK_FALSE(same_document(with, default_document()));
  CHECK(stamp_of(with) != stamp_of(default_document()));
}

}  // namespace

TEST_CASE("history: every part of a document counts in its memory, and in comparisons", "[core][history]") {
  const auto layer = [](Document& document) -> Layer& { return document.layers.front(); };
  const std::size_t matrix = 64 * 64 * sizeof(float);
  holds_more("sentence", 1000, [](Document& d) { d.sentence = std::string(2000, 'a'); });
  holds_more("notes", 3000, [](Document& d) { d.notes = {std::string(1000, 'a'), {std::string(2000, 'b')}}; });
  holds_more("tokens", 100000, [](Document& d) { d.tokens = std::vector<std::string>(10, std::string(10000, 'a')); });
  holds_more("edits of X", 1000 * sizeof(CellValue),
             [](Document& d) { d.embedding.edits = std::vector<CellValue>(1000); });
  holds_more("word corrections", 1000, [](Document& d) {
    for (int k = 0; k < 20; ++k) d.embedding.words["a word with many letters " + std::to_string(k)] = 1;
  });
  holds_more("X", matrix, [](Document& d) { d.embedding.X = share(Mat<float>(Mat<float>::Zero(64, 64))); });
  holds_more("tables", 2 * matrix, [](Document& d) {
    d.weights.E = share(Mat<float>(Mat<float>::Zero(64, 64)));
    d.weights.W_U = share(Mat<float>(Mat<float>::Zero(64, 64)));
  });
  const std::vector<std::string> words{std::string(5000, 'a'), std::string(5000, 'b')};
  holds_more("vocabulary", 10000, [&](Document& d) { d.embedding.vocabulary = Vocabulary(words); });
  holds_more("questions of the readout", 10000, [&](Document& d) { d.readout.questions = Vocabulary(words); });
  holds_more("words of the readout", 10000, [&](Document& d) { d.readout.vocabulary = Vocabulary(words); });
  holds_more("mask", 4096, [&](Document& d) {
    layer(d).mask = {Mask::Kind::custom, share(Mat<std::uint8_t>(Mat<std::uint8_t>::Ones(64, 64)))};
  });
  holds_more("another model", 4 * matrix, [&](Document& d) {
    d.aside.push_back(d);
    d.aside.front().layers.front().weights = initial_weights({64, 64, 64}, Init::xavier, 99);
  });
  holds_more("fingerprints", 128 * sizeof(std::uint64_t),
             [&](Document& d) { layer(d).source.fingerprints.assign(128, 7); });
  holds_more("biases", 64 * sizeof(float),
             [&](Document& d) { layer(d).weights.b_Q = share(RowVec<float>(RowVec<float>::Ones(64))); });
  holds_more("gates", 128 * sizeof(float), [&](Document& d) { layer(d).gates = std::vector<float>(128, 0.5f); });
  holds_more("designs", 8 * sizeof(HeadDesign),
             [&](Document& d) { layer(d).source.designs.assign(8, preset_design(HeadPreset::verb_subject)); });
  holds_more("painting", 2 * 1000 * sizeof(float), [&](Document& d) {
    const auto row = share(RowVec<float>(RowVec<float>::Zero(1000)));
    const auto values = share(RowVec<float>(RowVec<float>::Zero(1000)));
    layer(d).painted.resize(8);
    layer(d).painted[2].attention.push_back({0, row});
    layer(d).painted[3].values.push_back({0, values});
  });
}

TEST_CASE("history: other models stay within the bound", "[core][history]") {
  History history(apply(default_document(), SetModelWidth{1024}));
  constexpr std::size_t matrix = 1024 * 1024 * sizeof(float);
  for (int k = 0; k < 60; ++k) {  // each step has four matrices more, in use or put aside
    Document next = history.current();
    next.aside = {next};
    for (const Quantity p : {Quantity::W_Q, Quantity::W_K, Quantity::W_V, Quantity::W_O})
      *field_of(next.aside.front().layers.front().weights, p) =
          share(Mat<float>(Mat<float>::Constant(1024, 1024, static_cast<float>(k))));
    history.apply(ReplaceDocument{next, "next"});
  }
  CHECK(history.bytes() <= History::kMaxBytes);
  CHECK(history.bytes() > History::kMaxBytes - 8 * matrix);
}

TEST_CASE("edits: a gesture goes on while the same thing is set", "[core][edit]") {
  const auto row = share(RowVec<float>(RowVec<float>::Zero(4)));
  CHECK(one_gesture(PaintValue{0, 1, row}, PaintValue{0, 1, row}));
  CHECK_FALSE(one_gesture(PaintValue{0, 1, row}, PaintValue{0, 2, row}));
  CHECK_FALSE(one_gesture(PaintValue{0, 1, row}, PaintValue{1, 1, row}));
  CHECK_FALSE(one_gesture(PaintAttention{0, 1, row}, PaintAttention{0, 2, row}));
  CHECK_FALSE(one_gesture(PaintAttention{0, 1, row}, PaintValue{0, 1, row}));
  CHECK_FALSE(one_gesture(Unpaint{0, 1}, Unpaint{0, 2}));
  CHECK_FALSE(one_gesture(SetWordFeatures{"cat", FeatureSet{1}}, SetWordFeatures{"dog", FeatureSet{1}}));
  CHECK_FALSE(one_gesture(set_cell(Quantity::W_Q, 0, 0, 1), set_cell(Quantity::W_K, 0, 0, 1)));
  CHECK(one_gesture(set_cell(Quantity::W_Q, 0, 0, 1), set_cell(Quantity::W_Q, 0, 0, 2)));
  CHECK_FALSE(one_gesture(SetGate{0, 1}, SetGate{1, 1}));
  CHECK(one_gesture(SetSentence{"a"}, SetSentence{"b"}));
  CHECK_FALSE(one_gesture(SetSentence{"a"}, SetHeads{2}));
  CHECK_FALSE(one_gesture(SwitchModel{ModelKind::untrained}, SwitchModel{ModelKind::untrained}));
  CHECK_FALSE(one_gesture(ReplaceDocument{default_document(), "a"}, ReplaceDocument{default_document(), "a"}));
}

TEST_CASE("history: a document's stamp is back with the document, and no other document has it", "[core][history]") {
  Random random(34);
  int steps = 0, others = 0;
  for (int run = 0; run < 200; ++run) {
    History history(default_document());
    std::vector<std::pair<Document, Stamp>> seen{{history.current(), stamp_of(history.current())}};
    for (int k = 0; k < 12; ++k) {
      try {
        history.apply(random_edit(random, history.current()));
      } catch (const InputError&) {
        continue;
      }
      const Stamp now = stamp_of(history.current());
      for (const auto& [document, stamp] : seen)
        if (stamp == now) CHECK(same_document(document, history.current()));
      others += now != seen.back().second;
      if (history.steps() + 1 > seen.size()) seen.emplace_back(history.current(), now);
    }
    for (std::size_t k = seen.size(); k-- > 1 && history.can_undo(); ++steps) {
      CHECK(stamp_of(history.current()) == seen[k].second);
      history.undo();
      CHECK(stamp_of(history.current()) == seen[k - 1].second);
    }
  }
  CHECK(steps > 1000);
  CHECK(others >= steps);
}

TEST_CASE("history: every setting is in the stamp", "[core][history]") {
  const Document document = default_document();
  std::vector<Stamp> stamps{stamp_of(document)};
  const auto with = [&](const auto& change) {
    Document other = document;
    change(other);
    stamps.push_back(stamp_of(other));
  };
  for (const LayerSettingRow& row : layer_settings())
    with([&](Document& d) {
      std::visit(
          [&](auto field) {
            auto& value = d.layer(0).settings.*field;
            using T = std::remove_reference_t<decltype(value)>;
            if constexpr (std::is_same_v<T, bool>)
              value = !value;
            else
              value = static_cast<T>(static_cast<int>(value) + 1);
          },
          row.field);
    });
  for (const ModelSettingRow& row : model_settings())
    with([&](Document& d) {
      std::visit(
          [&](auto field) {
            auto& value = d.settings.*field;
            using T = std::remove_reference_t<decltype(value)>;
            value = static_cast<T>(std::is_same_v<T, bool> ? !static_cast<int>(value) : static_cast<int>(value) + 1);
          },
          row.field);
    });
  with([](Document& d) { d.embedding.slot = true; });
  with([](Document& d) { d.embedding.vocabulary = Vocabulary({"a", "b"}); });
  with([](Document& d) { d.embedding.vocabulary = Vocabulary({"ab"}); });
  with([](Document& d) { d.embedding.vocabulary = Vocabulary({"ab"}).with(Vocabulary::Case::exact); });
  with([](Document& d) { d.notes = {"", {"ab"}}; });
  with([](Document& d) { d.notes = {"", {"a", "b"}}; });
  with([](Document& d) { d.notes = {"a", {"b"}}; });
  with([](Document& d) { d.layer(0).gates = {-0.0f}; });
  with([](Document& d) { d.layer(0).gates = {0.0f}; });
  std::ranges::sort(stamps);
  CHECK(std::ranges::adjacent_find(stamps) == stamps.end());
}
