#include "app/scene/actions/action_spelling.h"

#include "app/scene/spelling/spelling.h"
#include "core/document/fields.h"
#include "core/error.h"
#include "core/io/file.h"

// --- every alternative with its fields

namespace hydra {
HYDRA_NAMED(SetSentence, sentence, tokens)
HYDRA_NAMED(SetPads, pads)
HYDRA_NAMED(MarkPair, relation, query, key, on)
HYDRA_NAMED(DropRelation, relation)
HYDRA_NAMED(SetModelWidth, d_model)
HYDRA_NAMED(SetHeads, heads)
HYDRA_NAMED(SetHeadSizes, heads, d_k)
HYDRA_NAMED(SetKvHeads, kv_heads, keep_norm)
HYDRA_NAMED(SetKvOf, kv_of)
HYDRA_NAMED(SetMask, mask, how)
HYDRA_NAMED(SetSetting, setting, value)
HYDRA_NAMED(SetModelSetting, setting, value)
HYDRA_NAMED(SetPositions, positions)
HYDRA_NAMED(SetEmbedding, kind, seed, init)
HYDRA_NAMED(SetVocabulary, of, list)
HYDRA_NAMED(SetCase, letter_case)
HYDRA_NAMED(SetQuestions, names)
HYDRA_NAMED(SetReadoutSource, init, seed)
HYDRA_NAMED(SetWordFeatures, word, features)
HYDRA_NAMED(SetWeightSource, init, seed, gain)
HYDRA_NAMED(SetBlock, quantity, row, col, values)
HYDRA_NAMED(DesignHead, head, design)
HYDRA_NAMED(SetForm, which, head, row, col, value)
HYDRA_NAMED(SwitchModel, to)
HYDRA_NAMED(PaintAttention, head, row, values)
HYDRA_NAMED(PaintValue, head, row, values)
HYDRA_NAMED(Unpaint, head, row, part)
HYDRA_NAMED(SetSplit, split, keep_spread)
HYDRA_NAMED(SetGate, head, gate)
HYDRA_NAMED(SetGates, gates)
HYDRA_NAMED(SetHeadRule, rule)
HYDRA_NAMED(Edit, what, layer)
}  // namespace hydra

namespace hydra::learn {
HYDRA_NAMED(CountModel, layers, heads, d_k, kv_heads)
HYDRA_NAMED(CountsAsked, d_model, heads, deep, rates, seeds, steps, every, task, also)
}  // namespace hydra::learn

namespace hydra::act {
HYDRA_NAMED(GoTo, layer, head)
HYDRA_NAMED(Select, cell, by)
HYDRA_NAMED(SelectMade, cell)
HYDRA_NAMED(Inspect, site)
HYDRA_NAMED(Show, side, open)
HYDRA_NAMED(Choose, key, value)
HYDRA_NAMED(Try, edit)
HYDRA_NAMED(Collapse, amount, anew)
HYDRA_NAMED(Do, edit)
HYDRA_NAMED(Open, path, as_text, model)
HYDRA_NAMED(Save, path)
HYDRA_NAMED(OpenExample, file)
HYDRA_NAMED(PutBeside, path)
HYDRA_NAMED(PutKept, which)
HYDRA_NAMED(SaveRun, path)
HYDRA_NAMED(SaveDone, path)
HYDRA_NAMED(Answer, answer)
HYDRA_NAMED(LayOut, path)
HYDRA_NAMED(SetLayout, key, value)
HYDRA_NAMED(GoToCheckpoint, path, with_edits)
HYDRA_NAMED(Repel, steps)
HYDRA_NAMED(Write, words, temperature, seed)
HYDRA_NAMED(Solve, target, feature, head, all_sentences)
HYDRA_NAMED(LearnTrain, steps)
HYDRA_NAMED(LearnGoTo, branch, step, done)
HYDRA_NAMED(LearnPlay, on)
HYDRA_NAMED(LearnRemove, branch)
HYDRA_NAMED(LearnRename, branch, name)
HYDRA_NAMED(LearnChoose, task)
HYDRA_NAMED(LearnTry, which)
HYDRA_NAMED(LearnTakeUp, run)
HYDRA_NAMED(MeasureWays, lengths)
HYDRA_NAMED(TrainCounts, asked)
}  // namespace hydra::act

namespace hydra::spelling {

template <>
struct Fresh<Edit> {
  static Edit make() { return Edit(AddLayer{}); }
};
template <>
struct Fresh<act::Do> {
  static act::Do make() { return {Edit(AddLayer{})}; }
};
template <>
struct Fresh<act::Try> {
  static act::Try make() { return {Edit(AddLayer{})}; }
};

template <>
inline constexpr bool kTooLarge<SetWeights> = true;
template <>
inline constexpr bool kTooLarge<SetParameters> = true;

// The document as the text of its file, in a string: a line stays a line, and what it may hold is checked in one place.
// Where it was read from is not said: played, it is untitled.
template <>
struct Own<ReplaceDocument> {
  static void write(std::string& out, const ReplaceDocument& replace) {
    out += "{\"name\":";
    append_string(out, replace.name);
    out += ",\"document\":";
    append_string(out, document_text(replace.document));
    out += '}';
  }
  static void read(const Reading& from, ReplaceDocument& replace) {
    from.json.check_object(from.node, {"name", "document"});
    const Node name = from.json.member(from.node, "name"), document = from.json.member(from.node, "document");
    if (!name || !document) from.json.fail(from.node.pointer, "must have a name and a document");
    replace.name = from.json.string(name);
    replace.document = parse_document(from.json.string(document), "the document of " + printable(replace.name, 80));
  }
};

}  // namespace hydra::spelling

namespace hydra {

std::string spelled(const Action& action) {
  std::string text;
  spelling::write(text, action);
  return text;
}

Action parse_action(std::string_view text, const std::string& name) {
  const JsonTree tree = parse_json(text, name, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(name, "an action");
  Action action;
  spelling::read({reader, {&tree.root(), ""}}, action);
  return action;
}

namespace {

// What a part of an action holds outside of itself.
std::size_t held_by(const ReplaceDocument& replace);
std::size_t held_by(const SetWeights& set);
std::size_t held_by(const SetParameters& set);
template <class Variant>
std::size_t held_by(const OneOf<Variant>& one);
template <class T>
std::size_t held_by(const T& part) {
  std::size_t sum = 0;
  if constexpr (spelling::Struct<T>) {
    for_each_field(part, [&](std::string_view, const auto& field) { sum += held_by(field); });
  } else {
    const std::size_t own = held_bytes(part, [&](const void*, std::size_t bytes) { sum += bytes; });
    sum += own;
  }
  return sum;
}
std::size_t held_by(const ReplaceDocument& replace) { return held_by(replace.document) + held_by(replace.name); }
std::size_t held_by(const SetWeights& set) { return held_by(set.weights); }
std::size_t held_by(const SetParameters& set) {
  std::size_t sum = held_by(set.weights);
  for (const SetParameters::OfLayer& layer : set.layers) sum += sizeof layer + held_by(layer.weights);
  return sum;
}
template <class Variant>
std::size_t held_by(const OneOf<Variant>& one) {
  return std::visit([](const auto& kind) { return held_by(kind); }, one);
}

}  // namespace

std::size_t bytes_of(const Action& action) { return sizeof action + held_by(action); }

}  // namespace hydra
