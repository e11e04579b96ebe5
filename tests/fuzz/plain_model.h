// What edits do to a layer, written once more as simply as it can be: plain vectors and maps, no sharing, no shortcuts.
// Where the document's own code is clever, this is not, so the two can only agree by both being right.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/document/edits/edit.h"
#include "core/document/model.h"
#include "core/document/models.h"

namespace hydra::fuzz {

using Rows = std::vector<std::vector<float>>;

struct PlainWeights {
  WeightSource source;
  std::map<Quantity, Rows> values;  // W_* always, b_* where there is one
};

// Words in and words out.
struct PlainModel {
  ModelSettings settings;
  std::vector<std::string> words, next_words, questions;
  std::pair<Init, Init> init;  // of the tables, of the readout
  std::uint64_t readout_seed = 0;
  std::map<Quantity, Rows> values;
  bool operator==(const PlainModel&) const = default;
};

struct Plain {
  std::string sentence;
  std::vector<std::string> tokens;
  bool own_tokens = false;
  // By sentence and relation.
  std::map<std::vector<std::string>, std::map<std::string, std::set<std::pair<int, int>>>> marks;
  int d_model = 0, concat = 0, heads = 0, kv_heads = 0;
  bool given_groups = false;  // which heads read the same keys and values is not by a size
  Embedding::Kind kind = Embedding::Kind::hashed;
  std::uint64_t seed = 0;
  Embedding::Positions positions = Embedding::Positions::none;
  std::map<std::pair<int, int>, float> edits;
  WordCorrections words;
  PlainModel model;
  Mask::Kind mask = Mask::Kind::none;
  int window = 0;                          // of a causal mask
  std::vector<std::vector<bool>> allowed;  // custom only
  std::map<int, HeadRule> own;             // by head
  bool scale = true;
  float temperature = 1;
  Split split = Split::projection;
  std::vector<float> gates;                                             // one per head
  std::map<std::pair<int, int>, std::vector<float>> attention, values;  // painted, by head and row
  PlainWeights weights;
};

Plain plain_of(const Document& document, int layer);

// The models of a document, each with its kind and as the text of a document that has it alone.
struct PlainModels {
  struct One {
    std::string kind, text;
    bool operator==(const One&) const = default;
  };
  One now;
  std::vector<One> aside;
};
PlainModels models_of(const Document& document);
// The first of that kind that was put aside for the present one, which goes behind the others. false: there is none.
bool switch_to(PlainModels& models, const std::string& kind);

// Where the two differ, in a word; empty where they agree.
std::string difference(const Plain& plain, const Plain& other);

// Whether the edit is of the model as a whole: then every layer's model changes.
bool is_of_all(const Edit& edit);
// What the edit makes of the model of a layer that it is of. false: the edit must be refused. Edits that work on
// weights as a whole (designs, forms, sharing, collapsing, widths) are taken from after; then only what they must leave
// alone is compared.
bool change(Plain& plain, const Edit& edit, const Document& before, const Document* after, int layer);

}  // namespace hydra::fuzz
