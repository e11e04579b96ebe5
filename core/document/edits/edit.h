// The only ways to change a Document. Each is a small value; apply is the only writer.
#pragma once
#include <concepts>
#include <string>
#include <utility>

#include "core/document/document.h"
#include "core/document/models.h"
#include "core/explain/quantity.h"
#include "core/files/kept_file.h"
#include "core/model/one_of.h"

namespace hydra {

// Of all models, those put aside too. Cut by the tokenizer; what stands between spaces stays one token where the
// document's list of tokens has it, or the vocabulary of a learned embedding knows it, and then there is a list again.
// Rows of X set by hand or given explicitly stay where the same word stays at the same place; a custom mask keeps what
// both lengths have. A model's file with a tokenizer has it cut the sentence.
struct SetSentence {
  std::string sentence;
  std::optional<std::vector<std::string>> tokens = {};  // what it is cut into, where that is known; without pads
};
// New weights and embeddings from their seeds, hand-made or explicit numbers dropped (undo has them); heads become the
// allowed count nearest to the present one, the smaller of two; those with a d_k of their own stay.
struct SetModelWidth {
  Index d_model;
};
// Re-cuts the same combined matrices, so that d_k changes; groups that share keys and values stay of one size, or come
// apart where that does not divide the heads.
struct SetHeads {
  Index heads;
};
// So many heads of so many numbers each, with a d_k of their own where that does not make up d_model. Weights that are
// just what the seed gives are so for the new sizes; of others each head keeps what both sizes have, and what is new
// begins as from the seed. Designed heads are built anew. Not for slices.
struct SetHeadSizes {
  Index heads, d_k;
};
// How many heads have keys and values of their own, a divisor of the heads (all of them: multi-head attention; 1:
// multi-query; between: grouped-query). Each becomes the mean of what its heads read before, so a multiple only repeats
// (weights.h); designs go, their weights stay. Not for slices. keep_norm: the means of W_K are as large as what they
// are of.
struct SetKvHeads {
  Index kv_heads;
  bool keep_norm = false;
};
// Which heads read the same keys and values, by head its set, from 0 on and neighbours alike: made of those before as
// SetKvHeads makes them. Groups that are all of one size are what that makes.
struct SetKvOf {
  std::vector<Index> kv_of;
};
struct SetMask {
  Mask mask;
  std::string how = "";  // "window mask, 2"; empty: as the mask is
};
struct SetSetting {
  LayerSetting setting;
  double value;  // of a switch 0 or 1
};
// Of the model as a whole. A readout begins with the words that are read in, or with those of the sentence.
struct SetModelSetting {
  ModelSetting setting;
  double value;  // of a switch 0 or 1, of a choice its place
};
struct SetPositions {
  Embedding::Positions positions;
};  // not for explicit X; learned ones beside learned words only
// Hashed, features or learned, from a seed; an explicit X, entries of X and of tables set by hand are dropped. Learned
// words keep their vocabulary, and begin with that of the sentence; without them a tied readout goes.
struct SetEmbedding {
  Embedding::Kind kind;
  std::uint64_t seed;
  Init init = Init::xavier;  // of tables
};
// The words that are read in, or those that a readout of its own chooses from. What is known of a word goes with it to
// its new place; new ones begin as from the seed.
struct SetVocabulary {
  enum class Of { words, readout } of;
  std::vector<std::string> list;
};
// Whether learned words are found by their letters where their capitals are other ones.
struct SetCase {
  Vocabulary::Case letter_case;
};
// Rows of zeros below P, for the tokens that stand past its rows: no number changes, and the rows can be set and
// trained.
struct AddPlaces {};
// What a readout of its own is asked, by names; none: one question without a name. A question that keeps its name keeps
// its columns wherever it goes; a new name in the place of one that is gone renames it; others begin as from the seed.
struct SetQuestions {
  std::vector<std::string> names;
};
// Another W_U, of a readout of its own; what was set by hand is dropped.
struct SetReadoutSource {
  Init init;
  std::uint64_t seed;
};
// Pads before the sentence, of all models: what is said of a token by its place goes with it. Rows that learned places
// lack then are drawn where the others are as drawn.
struct SetPads {
  Pads pads;
};
// A pair of tokens of the sentence, from the query to the key, is one of the relation's, or is one no longer. What is
// marked stays with its sentence when another one comes.
struct MarkPair {
  std::string relation;
  int query, key;
  bool on = true;
};
struct DropRelation {  // from every sentence that is marked with it
  std::string relation;
};
// What the document says of a word, to all its models; nothing: what the lexicon says, or the word's shape. The
// spelling's case is ignored.
struct SetWordFeatures {
  std::string word;
  std::optional<FeatureSet> features;
};
// New weights; hand-made entries are dropped (undo has them). Untrained ones get a gain where the input gives their
// scores too little spread to attend by, or too much (slices.h): kept, that of the untrained weights before, if they
// were.
struct SetWeightSource {
  enum class Gain { kept, none, fitted };
  Init init;
  std::uint64_t seed;
  Gain gain = Gain::kept;
};
// A cell, a row, a whole matrix: values placed at (row, col). Weights that no slice reads stay as they are stored under
// a 0, and refuse another number.
struct SetBlock {
  Quantity quantity;
  Index row, col;
  Array<float> values;  // biases are rows; one that is not there yet starts as zeros
};
// Weights of one head from a design (features at this width are needed, for any embedding); nothing: from the seed. Not
// for heads that share keys and values.
struct DesignHead {
  Index head;
  std::optional<HeadDesign> design;
};
// One entry of a head's bilinear form W_Q^i W_K^iT or W_V^i W_O^i. The nearest weights of the head's width are taken,
// so where the head is full, other entries move too (bilinear.h), and so do other heads that share its keys or values.
struct SetForm {
  enum class Which { query_key, value_output } which;
  Index head, row, col;
  float value;
};
// The model of that kind that was put aside; of untrained ones, where there is none, one that is made (models.h). What
// was in use is put aside, as it is.
struct SwitchModel {
  ModelKind to;
};
// Rows set by hand. Attention [n] is divided by its sum, and must be 0 where the mask forbids; values are [d_k]. They
// stay as long as they mean something: a sentence keeps attention rows only with the very same tokens, value rows where
// the same word stays in place; another head count drops both, another width the values, a mask the attention rows that
// break it.
struct PaintAttention {
  Index head, row;
  Array<float> values;
};
struct PaintValue {
  Index head, row;
  Array<float> values;
};
struct Unpaint {  // back to what the weights give: a row, or the whole head
  Index head;
  std::optional<Index> row;
  enum class Part { all, attention, values } part = Part::all;
};
// The stored weights stay. keep_spread: slices get the factor that keeps the spread of their scores (slices.h), anew
// whenever the sizes or the seeds of the weights change; back from slices it goes, and every number is what it was.
struct SetSplit {
  Split split;
  bool keep_spread = false;
};
// What the output of a head is multiplied by, 0 (silent) to 2. Gates go when the heads are cut anew.
struct SetGate {
  Index head;
  float gate;
};
struct SetGates {  // of all heads; none: 1 each
  std::vector<float> gates;
};
// What a head has of its own, in the place of what it had; a rule that says nothing gives it back to the layer. Rules
// stay with the places of the heads: those of heads that go, go, and so does a window whose mask is no more causal.
struct SetHeadRule {
  HeadRule rule;
};
// Weights that a tool has made of those in use; while heads read slices only, no other W_Q, W_K and W_V.
struct SetWeights {
  AttentionWeights<float> weights;
  std::string tool;    // "collapse": edits of the same tool, one after the other, are one gesture
  std::string detail;  // "0.4"; may be empty
};
// Every weight of the model at once, in the sizes that it has, with the heads' gates: a step of a run of training.
struct SetParameters {
  struct OfLayer {
    WeightSource source;  // drawn, where the step is the first, or trained
    AttentionWeights<float> weights;
    std::vector<float> gates;  // as SetGates has them
  };
  ModelWeights<float> weights;
  std::vector<OfLayer> layers;
  std::string what;  // "train: step 240"; those that follow one another are one gesture
};
// A layer after that of the edit, with its heads, mask and settings. Its weights are untrained ones of the next seed
// that no layer has, their gain fitted.
struct AddLayer {};
struct RemoveLayer {};    // never the only one
struct ReplaceDocument {  // open a file or an example
  Document document;
  std::string name;      // for the history
  KeptFile file = {};    // that it was read from; none for an example: it is untitled
  bool unsaved = false;  // it was saved nowhere: recovered
  bool goes_on = false;  // the same work over another checkpoint: of its file, and its steps go on
};

using EditKinds =
    std::variant<SetSentence, SetPads, MarkPair, DropRelation, SetModelWidth, SetHeads, SetHeadSizes, SetKvHeads,
                 SetKvOf, SetMask, SetSetting, SetModelSetting, SetPositions, SetEmbedding, SetVocabulary, SetCase,
                 AddPlaces, SetQuestions, SetReadoutSource, SetWordFeatures, SetWeightSource, SetBlock, DesignHead,
                 SetForm, SwitchModel, PaintAttention, PaintValue, Unpaint, SetSplit, SetGate, SetGates, SetHeadRule,
                 SetWeights, SetParameters, AddLayer, RemoveLayer, ReplaceDocument>;
extern template class OneOf<EditKinds>;

// What an edit changes, and of which layer; those of the whole model have none.
struct Edit {
  using What = OneOf<EditKinds>;
  static constexpr int kOnlyLayer = -1;  // of a document that has one

  template <class W>
  requires std::constructible_from<What, W> &&
      (!std::same_as<std::decay_t<W>, Edit>)Edit(W&& of, int in_layer = kOnlyLayer)
      : what(std::forward<W>(of)), layer(in_layer) {}  // NOLINT: implicit on purpose, apply(document, SetGain{2})

  What what;
  int layer;
};

SetBlock set_cell(Quantity quantity, Index row, Index col, float value);

// The document after the edit. Throws InputError, with the sentence to show, when the edit makes no valid document.
Document apply(const Document& document, const Edit& edit);

// Whether both set the same thing: as previews one after the other they are one gesture, of which the later one counts.
bool one_gesture(const Edit& a, const Edit& b);

// "W_Q[3, 12]", "b_O[3]".
std::string at_cell(Quantity quantity, Index row, Index col);
// For the history and the status line: "W_Q[3, 12] = 0.25", "heads 4".
std::string describe(const Edit& edit);

}  // namespace hydra
