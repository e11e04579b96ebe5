// Actions as text: every kind there and back, what a file of them may not say.
#include "app/scene/actions/action_spelling.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "core/linalg/random.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

Array<float> numbers(Index rows, Index cols) {
  Mat<float> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) values(k / cols, k % cols) = 0.1f * static_cast<float>(k * k) - 1.0f / 3;
  return share(std::move(values));
}

std::vector<Edit::What> edits() {
  Mask custom{Mask::Kind::custom, share(Mat<std::uint8_t>(Mat<std::uint8_t>::Identity(3, 3))), 0};
  HeadDesign design;
  design.preset = HeadPreset::previous;
  design.asks = {{{{"pronoun", 1}, {"plural", -0.5f}}, {{"noun", 2}}, 3}};
  design.kernels = {{-2, 0.7f, 1, 3}};
  design.place = 4.0f;
  design.carries = Carries::word_to_slot;
  design.writes = {{{{"animate", 1}}, {{"object", 0.25f}}, 2}};
  return {SetSentence{"Fünf \"Enten\" \\ 鴨 don't"},
          SetModelWidth{64},
          SetHeads{4},
          SetHeadSizes{3, 7},
          SetKvHeads{2, true},
          SetKvOf{{0, 0, 0, 1}},
          SetMask{custom, "window mask, 2"},
          SetMask{{Mask::Kind::causal, nullptr, 3}},
          SetSetting{LayerSetting{2}, 1},
          SetModelSetting{ModelSetting{1}, 0.5},
          SetPositions{Embedding::Positions::sinusoidal},
          SetEmbedding{Embedding::Kind{1}, 18446744073709551615u, Init::identity},
          SetVocabulary{SetVocabulary::Of::readout, {"cat", "Katze", ""}},
          SetCase{Vocabulary::Case::exact},
          SetPads{{3, true}},
          AddPlaces{},
          SetQuestions{{"who", "what"}},
          SetReadoutSource{Init::zero, 9},
          SetWordFeatures{"blorp", FeatureSet{1} << 63},
          SetWordFeatures{"blorp", std::nullopt},
          SetWeightSource{Init::xavier, 12, SetWeightSource::Gain::fitted},
          SetBlock{Quantity::W_Q, 1, 2, numbers(3, 4)},
          DesignHead{3, design},
          DesignHead{3, std::nullopt},
          SetForm{SetForm::Which::value_output, 1, 2, 3, -0.1f},
          SwitchModel{ModelKind::designed},
          PaintAttention{1, 2, numbers(1, 5)},
          PaintValue{0, 1, numbers(1, 2)},
          Unpaint{2, 5, Unpaint::Part::values},
          Unpaint{2, std::nullopt},
          SetSplit{Split::slice, true},
          MarkPair{"owner", 2, 0, true},
          DropRelation{"kin"},
          SetGate{1, 0.3f},
          SetGates{{1, 0, 0.1f}},
          SetHeadRule{{2, Mask::Kind::causal, 4, 0.5}},
          SetHeadRule{{1, {}, {}, {}}},
          AddLayer{},
          RemoveLayer{}};
}

std::vector<Action> actions() {
  const Cell cell{{Quantity::W_Q, 1, 3}, 5, 2};
  std::vector<Action> all{act::GoTo{2, 3},
                          act::GoTo{{}, 0},
                          act::Select{cell, {cell, {{Quantity::Y, 0, kNoHead}, 1, 1}}},
                          act::SelectMade{{"rollout", 1, 2}},
                          act::Unselect{},
                          act::Inspect{{Quantity::X, 0, kNoHead}},
                          act::Show{Side::notes, false},
                          act::Choose{"stream.strips", "\"cosine\""},
                          act::Collapse{0.4f},
                          act::Keep{},
                          act::TakeBack{},
                          act::Undo{},
                          act::Redo{},
                          act::Open{"a \"b\".json", true},
                          act::Save{""},
                          act::OpenExample{"slices.json"},
                          act::PutBeside{"slices.json"},
                          act::KeepBeside{},
                          act::PutKept{2},
                          act::OpenBeside{},
                          act::TakeAway{},
                          act::SaveRun{"run.json"},
                          act::SaveDone{"lesson.actions"},
                          act::Recover{},
                          act::CopyLink{},
                          act::Quit{},
                          act::Answer{2},
                          act::LayOut{"mine.pt"},
                          act::SetLayout{"layer.heads", "12"},
                          act::SuggestLayout{},
                          act::SaveLayout{},
                          act::GoToCheckpoint{"checkpoint-200", true},
                          act::GoToCheckpoint{"checkpoint-200"},
                          act::Repel{},
                          act::Write{3, 0.5, 7},
                          act::StopWriting{},
                          act::Solve{SolveTarget::attended_feature, 4, 1, false},
                          act::MeasureWays{{64, 128}},
                          act::StopWays{},
                          act::TrainCounts{{64, {1, 2}, 0, {0.01}, 3, 100, 25}},
                          act::StopCounts{},
                          act::Fit{},
                          act::StopFit{},
                          act::LearnTrain{},
                          act::LearnBegin{},
                          act::LearnPause{},
                          act::LearnStep{},
                          act::LearnReset{},
                          act::LearnGoTo{1, 240, false},
                          act::LearnPlay{false},
                          act::LearnRemove{2},
                          act::LearnRename{1, "slow"},
                          act::LearnChoose{"king"},
                          act::LearnTry{3},
                          act::LearnTakeUp{1},
                          act::LearnCopyCommand{}};
  for (const Edit::What& what : edits()) {
    all.push_back(act::Do{Edit(Edit::What(what), 1)});
    all.push_back(act::Try{Edit(Edit::What(what), 0)});
  }
  return all;
}

}  // namespace

TEST_CASE("action spelling: every kind of action and of edit goes there and back", "[scene][actions]") {
  std::set<std::size_t> kinds, of_edits;
  std::set<std::string> texts;
  for (const Action& action : actions()) {
    const std::string text = spelled(action);
    CAPTURE(text);
    const Action back = parse_action(text, "a list");
    CHECK(back.index() == action.index());
    CHECK(spelled(back) == text);
    CHECK(texts.insert(text).second);
    kinds.insert(action.index());
    if (const auto* done = std::get_if<act::Do>(&action)) of_edits.insert(done->edit.what.index());
  }
  CHECK(kinds.size() == std::variant_size_v<ActionKinds>);
  CHECK(of_edits.size() == std::variant_size_v<EditKinds> - 3);  // but for what is too large
}

TEST_CASE("action spelling: what it says is what is done", "[scene][actions]") {
  CHECK(spelled(act::GoTo{{}, 3}) == R"({"GoTo":{"layer":null,"head":3}})");
  CHECK(spelled(act::Undo{}) == R"({"Undo":{}})");
  CHECK(spelled(act::Do{Edit(SetGate{2, 0.5f}, 0)}) ==
        R"({"Do":{"edit":{"what":{"SetGate":{"head":2,"gate":0.5}},"layer":0}}})");
  const Action back = parse_action(spelled(act::Do{Edit(SetBlock{Quantity::W_V, 1, 2, numbers(2, 3)}, 4)}), "");
  const Edit& edit = std::get<act::Do>(back).edit;
  CHECK(edit.layer == 4);
  const auto& block = std::get<SetBlock>(edit.what);
  CHECK(block.quantity == Quantity::W_V);
  CHECK(block.row == 1);
  CHECK(block.col == 2);
  CHECK(*block.values == *numbers(2, 3));  // to the bit
  const Action lesson = parse_action(R"({"LearnGoTo": {"step": 7}})", "");
  CHECK(std::get<act::LearnGoTo>(lesson).step == 7);
  CHECK(std::get<act::LearnGoTo>(lesson).done);  // as where it is left out
}

TEST_CASE("action spelling: what is no action is refused with its place", "[scene][actions]") {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)parse_action(text, "list.txt");
    } catch (const InputError& fault) {
      return fault.what();
    }
    return "";
  };
  CHECK_THAT(refusal("{}"), fault_at("list.txt: an action", "an object with one kind"));
  CHECK_THAT(refusal(R"({"Fly": {}})"), fault_at("list.txt: /Fly", "is no kind"));
  CHECK_THAT(refusal(R"({"Undo": {"twice": true}})"), Catch::Contains("twice"));
  CHECK_THAT(refusal(R"({"GoTo": {"head": "3"}})"), fault_at("list.txt: /GoTo/head", "whole number"));
  CHECK_THAT(refusal(R"({"Do": {"edit": {"what": {"SetWeights": {}}}}})"), Catch::Contains("too large"));
  CHECK_THAT(
      refusal(R"({"Do": {"edit": {"what": {"SetBlock": {"values": {"rows": 2, "cols": 2, "values": [1, 2, 3]}}}}}})"),
      Catch::Contains("values"));
  CHECK_FALSE(refusal(R"({"Select": {"cell": "layers.0.W_Q"}})").empty());
  CHECK_THAT(refusal(R"({"Collapse": {"amount": 1e39}})"), fault_at("list.txt: /Collapse/amount", "fits"));
  CHECK_FALSE(refusal("GoTo").empty());
  // A table of names may be long; what is said of it is a sentence.
  CHECK_THAT(refusal(R"({"Do": {"edit": {"what": {"SetBlock": {"quantity": "W_Qs"}}}}})"),
             fault_at("list.txt: /Do/edit/what/SetBlock/quantity", "such as \"W_Q\" or \"W_"));
  CHECK(refusal(R"({"Do": {"edit": {"what": {"SetBlock": {"quantity": 1e39}}}}})").size() < 200);
  CHECK_THROWS_AS(spelled(act::Do{Edit(SetWeights{{}, "collapse", ""}, 0)}), InputError);
}
