// What each edit sets. A new kind of edit does not compile until it says so here.
#include <tuple>

#include "core/document/edits/edit.h"

namespace hydra {

namespace {

// Equal to nothing, not to itself: a gesture of its own.
struct Alone {
  bool operator==(const Alone&) const { return false; }
};

auto target(const SetSentence&) { return std::tuple(); }
auto target(const SetPads&) { return std::tuple(); }
auto target(const MarkPair& edit) { return std::tuple(edit.relation, edit.query, edit.key); }
auto target(const DropRelation&) { return Alone(); }
auto target(const SetModelWidth&) { return std::tuple(); }
auto target(const SetHeads&) { return std::tuple(); }
auto target(const SetHeadSizes&) { return std::tuple(); }
auto target(const SetKvHeads&) { return std::tuple(); }
auto target(const SetKvOf&) { return std::tuple(); }
auto target(const SetMask&) { return std::tuple(); }
auto target(const SetSetting& edit) { return edit.setting; }
auto target(const SetModelSetting& edit) { return edit.setting; }
auto target(const SetPositions&) { return std::tuple(); }
auto target(const SetEmbedding&) { return std::tuple(); }
auto target(const SetVocabulary& edit) { return edit.of; }
auto target(const SetCase&) { return std::tuple(); }
auto target(const AddPlaces&) { return Alone(); }
auto target(const SetQuestions&) { return std::tuple(); }
auto target(const SetReadoutSource&) { return std::tuple(); }
auto target(const SetWordFeatures& edit) { return edit.word; }
auto target(const SetWeightSource&) { return std::tuple(); }
auto target(const SetBlock& edit) {
  return std::tuple(edit.quantity, edit.row, edit.col, edit.values->rows(), edit.values->cols());
}
auto target(const DesignHead& edit) { return edit.head; }
auto target(const SetForm& edit) { return std::tuple(edit.which, edit.head, edit.row, edit.col); }
auto target(const SwitchModel&) { return Alone(); }
auto target(const PaintAttention& edit) { return std::tuple(edit.head, edit.row); }
auto target(const PaintValue& edit) { return std::tuple(edit.head, edit.row); }
auto target(const Unpaint& edit) { return std::tuple(edit.head, edit.row, edit.part); }
auto target(const SetSplit&) { return std::tuple(); }
auto target(const SetGate& edit) { return edit.head; }
auto target(const SetGates&) { return std::tuple(); }
auto target(const SetHeadRule& edit) {
  return std::tuple(edit.rule.head, edit.rule.mask, edit.rule.window.has_value(), edit.rule.temperature.has_value());
}
auto target(const SetWeights& edit) { return edit.tool; }
auto target(const AddLayer&) { return Alone(); }
auto target(const SetParameters&) { return std::tuple(); }
auto target(const RemoveLayer&) { return Alone(); }
auto target(const ReplaceDocument&) { return Alone(); }

}  // namespace

bool one_gesture(const Edit& a, const Edit& b) {
  if (a.layer != b.layer || a.what.index() != b.what.index()) return false;
  const auto same = [&](const auto& edit) {
    return target(edit) == target(std::get<std::decay_t<decltype(edit)>>(b.what));
  };
  return std::visit(same, a.what);
}

}  // namespace hydra
