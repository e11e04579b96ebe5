// Everything the user can change and would want saved; nothing that can be computed. A value: a copy costs pointers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/design/head_design.h"
#include "core/model/head_rule.h"
#include "core/model/mask.h"
#include "core/model/model_settings.h"
#include "core/model/settings.h"
#include "core/text/annotated.h"
#include "core/text/feature_layout.h"
#include "core/weights/model_weights.h"
#include "core/weights/painting.h"
#include "core/weights/split.h"
#include "core/weights/weights.h"

namespace hydra {

inline constexpr std::size_t kMaxSentenceBytes = 64u << 10;
inline constexpr float kMaxGate = 2;
inline constexpr float kMinGain = 1e-3f, kMaxGain = 1e4f;  // of seeded weights, and of the scores of slices

struct CellValue {
  Index row = 0, col = 0;
  float value = 0;
  bool operator==(const CellValue&) const = default;
};

struct Embedding {
  enum class Kind {
    hashed,           // a vector per word from its letters
    features,         // named columns: the lexicon's features, the word's identity, positions (feature_layout.h)
    explicit_values,  // X as it is given
    learned,  // rows of a table, E, with one for each word of a vocabulary, and their sums; of other words as hashed
  };
  enum class Positions { none, sinusoidal, learned };  // learned: rows of a table, P, beside E only
  Kind kind = Kind::hashed;
  std::uint64_t seed = 1;
  Positions positions = Positions::sinusoidal;  // added to hashed ones, columns of their own in features
  std::vector<CellValue> edits;                 // not explicit: entries of X set by hand, sorted by row, then column
  WordCorrections words;                        // what this document says of words, over the lexicon
  bool slot = false;                            // some columns of features are the slot (feature_layout.h)
  Array<float> X;                               // explicit_values: [n x d_model]
  Vocabulary vocabulary;                        // learned: the words of E
  Init init = Init::xavier;                     // learned: how E and P begin (model_weights.h)
};

// Of a readout with weights of its own: what it chooses from, and how W_U begins.
struct ReadoutSource {
  Vocabulary vocabulary;
  Vocabulary questions;  // names of those that each word is an answer to; none: one question, without a name
  Init init = Init::xavier;
  std::uint64_t seed = 7;
};

// Where a layer's weights came from. The file stores this and the cells that differ, when that is shorter.
struct WeightSource {
  enum class Kind {
    random,           // what the seed gives, with designs and edits over it
    explicit_values,  // number by number, and nothing is said of where they came from
    drawn,            // number by number, as a run of training drew them to begin with
    trained,          // number by number, as training left them
  };
  Kind kind = Kind::random;
  Init init = Init::xavier;
  std::uint64_t seed = 7;
  // Heads designed by hand: none at all, or one place per head that the weights were cut into when they were designed.
  std::vector<std::optional<HeadDesign>> designs;
  float gain = 1;  // what the seeded W_Q and W_K are multiplied by, so that scores of sparse inputs spread, too
  // Drawn or trained: a fingerprint of what each head was then (fingerprints.h), by which edits since then are known.
  std::vector<std::uint64_t> fingerprints;
  bool by_number() const { return kind != Kind::random; }
  bool operator==(const WeightSource&) const = default;
};

// How a layer, a model and a document begin, are copied and end is compiled once (document.cpp), not in each of the
// many files that hold one.
struct Layer {
  Index heads = 8;
  Index group_size = 1;      // of heads that share keys and values, a divisor of heads; 1: none do (weights.h)
  std::vector<Index> kv_of;  // the groups that are given, where they are not of one size (key_groups.h); else empty
  Index own_width = 0;       // h d_k, where that is not d_model, a multiple of heads; else 0
  Mask mask;
  LayerSettings settings;
  HeadRules own;  // of heads whose mask, window or temperature is another; most often none
  WeightSource source;
  AttentionWeights<float> weights;
  Split split = Split::projection;  // slices leave weights uncounted that stay stored
  // Slices only: what scores are multiplied by, so that they spread as before they were cut (slices.h); none: nothing.
  std::optional<float> slice_factor;
  std::vector<PaintedHead<float>> painted;  // rows set by hand: one per head, or empty when no head has any
  std::vector<float> gates;                 // 0 .. 2, what each head's output is multiplied by; empty when all are 1

  // Of the heads side by side: columns of W_Q, rows of W_O. d_model, where d_k is not the heads' own.
  Index concat_width(Index d_model) const { return own_width == 0 ? d_model : own_width; }
  Index d_k(Index d_model) const { return concat_width(d_model) / heads; }
  KeyGroups key_groups() const { return {heads, group_size, kv_of}; }
  Index kv_heads() const { return key_groups().sets(); }                     // sets of keys and values
  Index kv_width(Index d_model) const { return kv_heads() * d_k(d_model); }  // columns of W_K and W_V
  LayerWidths widths(Index d_model) const {
    return {d_model, concat_width(d_model), kv_width(d_model), settings.feed_forward_width,
            heads,   offset_count(settings)};
  }
  // The mask with the window, behind so many pads.
  Mask seen(Index pads = 0) const { return {mask.kind, mask.allowed, settings.window, pads}; }
  Mask seen_by(Index head, Index pads = 0) const { return terms_of(own, head, seen(pads), settings.temperature).mask; }
  std::vector<HeadTerms> terms(Index pads = 0) const { return all_terms(own, heads, seen(pads), settings.temperature); }
  bool all_causal() const;  // every head's mask
  LayerShape shape(Index d_model) const { return {d_k(d_model), mask.kind == Mask::Kind::causal, heads}; }

  Layer();
  Layer(const Layer&);
  Layer(Layer&&) noexcept;
  Layer& operator=(const Layer&);
  Layer& operator=(Layer&&) noexcept;
  ~Layer();
};

// What a document says of itself: a page to read beside it. A paragraph that begins with "# " is a heading,
// one that begins with "? " an answer, shown when it is asked for.
struct Notes {
  std::string title;
  std::vector<std::string> paragraphs;
  std::string about = {};  // the sentence that they speak of; empty: the document's
  bool is_page_of(const Notes& other) const { return title == other.title && paragraphs == other.paragraphs; }
  bool empty() const { return title.empty() && paragraphs.empty(); }
  bool operator==(const Notes&) const = default;
};

// Tokens before the sentence that stand for nothing: no query attends to them, and they attend to nothing. A batch of
// sentences is so brought to one length, at the left where a model writes on.
struct Pads {
  Index count = 0;
  bool placed = false;  // learned and sinusoidal places are counted from the first of them, not from the first word
  Index without_place() const { return placed ? 0 : count; }
  bool operator==(const Pads&) const = default;
};

// What is read: everything of a document that is no model.
struct Text {
  Notes notes;
  std::string sentence;
  std::optional<std::vector<std::string>> tokens;  // overrides the tokenizer
  Pads pads;                                       // before those; whatever is of a token counts them
  std::vector<MarkedText> marks;                   // by whoever reads it, in this sentence and others (marks.h)
};

struct ModelFile;  // model_file.h

// What reads it, from the words' vectors to the readout.
struct Model {
  Index d_model = 64;
  Embedding embedding;
  ModelSettings settings;
  ReadoutSource readout;                  // settings.readout own; else as it is by default
  ModelWeights<float> weights;            // those that embedding and settings ask for, and no others
  std::vector<Layer> layers;              // each reads what the one before it gives; at least one (limits.h)
  std::shared_ptr<const ModelFile> file;  // that it was opened from, and what it was there; null: it is of no file

  ModelColumns columns() const { return {d_model, embedding.slot}; }
  const Layer& layer(Index k) const { return layers[static_cast<std::size_t>(k)]; }
  Layer& layer(Index k) { return layers[static_cast<std::size_t>(k)]; }

  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();
};

// A model is in use; others that read the same text are put aside, for comparing (models.h).
struct Document : Text, Model {
  std::vector<Model> aside;

  Document();
  Document(const Document&);
  Document(Document&&) noexcept;
  Document& operator=(const Document&);
  Document& operator=(Document&&) noexcept;
  ~Document();
};

// What a file leaves out: "The animal didn't cross the street because it was too tired.", 8 heads, d_model 64, seed 7.
Document default_document();

// The tokens a document runs: pads, and its own list, or its sentence cut by the tokenizer.
std::vector<std::string> tokens_of(const Document& document);
std::vector<std::string> tokens_without_pads(const Document& document);
// What stands for a pad: the token that a vocabulary read in has for it, or one that ends texts, as the field takes
// where there is none; else "[PAD]".
std::string pad_token(const Document& document);

// What the lexicon says of the tokens, with the document's corrections.
std::vector<WordFeatures> words_of(const Document& document, const std::vector<std::string>& tokens);

// The same document to the last bit (what the file would say), whoever owns the matrices.
bool same_document(const Document& a, const Document& b);
// Made of the stamps of its fields: the same for what undo brings back, and for a copy; of documents that differ in any
// field another one.
Stamp stamp_of(const Document& document);

// A design's weights, for scores that are divided by sqrt(d_k).
HeadWeights designed_head(const HeadDesign& design, ModelColumns columns, Index d_k);
// What a source stands for: seeded matrices with the designed heads in their places. The columns must suit the designs.
// With designs W_K and W_V are as wide as W_Q. settings: what the layer has besides plain attention.
AttentionWeights<float> weights_of(const WeightSource& source, ModelColumns columns, const LayerWidths& widths,
                                   const LayerSettings& settings = {});
// Of the layer's own sizes and settings.
AttentionWeights<float> weights_of(const WeightSource& source, const Layer& layer, ModelColumns columns);
// Whether the layer's weights are just what random initialization gives: nothing designed, nothing edited.
bool is_untrained(const Layer& layer);
// The layer has the parameters that its settings ask for, and no others: what is missing or of another size begins
// anew from the seed.
void fit_parameters(Layer& layer, Index d_model);
// X as the document's seeds, lexicon and positions give it, before entries set by hand; rows [first, first + count).
Mat<float> seeded_rows(const Document& document, Index first, Index count);

// Each throws InputError with one sentence. check_document: sizes, shapes, finite numbers, everything evaluate relies
// on. Numbers that nobody has read yet (linalg/array.h) are not read for it.
void check_matrix(const Array<float>& matrix, Index rows, Index cols, const char* name);
void check_sentence(const std::string& sentence);           // UTF-8, not too long; not how many tokens it has
void check_tokens(const std::vector<std::string>& tokens);  // UTF-8, none empty; not how many
void check_notes(const Notes& notes);                       // UTF-8, not too long
void check_pads(const Pads& pads, Index words);             // with them there are not too many tokens
void check_gain(float gain);
void check_gates(const std::vector<float>& gates, Index heads);  // none, or one of 0 to 2 per head
void check_own(const Layer& layer);                              // head_rule.h
void check_feature_width(Index d_model);                         // for named features and designed heads
void check_heads(const Layer& layer, Index d_model);  // they divide what they are cut from, which slices are of X
void check_kv_heads(Index kv_heads, Index heads);
void check_kv_of(const std::vector<Index>& kv_of, Index heads);
// Of given groups that are all of one size: that size. Checks them.
std::optional<Index> size_of_groups(const std::vector<Index>& kv_of, Index heads);
void check_kv_heads(const Layer& layer);  // also that slices and designs have keys and values of their own
void check_has(const Layer& layer, Quantity parameter);  // its settings ask for it
void check_weights(const AttentionWeights<float>& weights, const Layer& layer, Index d_model);
void check_document(const Document& document);

}  // namespace hydra
