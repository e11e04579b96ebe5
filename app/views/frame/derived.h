// What views draw besides the matrices of a trace.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/views/frame/explained.h"
#include "app/widgets/matrix/token_axis.h"
#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/document/text/known_words.h"
#include "core/linalg/outliers.h"

namespace hydra {

// A mask as pictures show it.
struct MaskShown {
  Array<float> hidden;       // [n x n] 0, or -inf where the mask hides the key; null without a mask
  Index pairs = 0;           // how many pairs are hidden
  std::vector<Index> blind;  // queries that see nothing
  std::string remark;        // mask_remark
};

struct HeadPicture;  // heads/head_picture.h

// What the model knows of the trace's words, as axes and lines show it.
struct KnownShown {
  KnownWords words;
  LabelMarks marks;                    // of the tokens: below a word that it does not know, above one without a place
  std::vector<std::string> sentences;  // unknown_sentences
};

// Matrices derived from the trace for drawing, made on first use and kept while the trace lives, so that a frame in
// which nothing changed computes nothing.
class Derived {
 public:
  virtual ~Derived() = default;
  virtual Array<float> value_weighted(int layer, int head) = 0;
  virtual Array<float> form(const Site& ref) = 0;  // query_key or value_output
  virtual Array<float> mean_attention(int layer, const std::vector<bool>& heads) = 0;
  // The arithmetic of a number; mean_heads as for mean_attention. The reference holds until the next call.
  virtual const Explained& explained(const Cell& cell, const std::vector<bool>& mean_heads) = 0;
  virtual Array<float> transposed(const Array<float>& matrix) = 0;
  // W_Q, W_K or W_V with -inf, which pictures hatch, where slices of d_k columns do not read it.
  virtual Array<float> unread_hatched(const Array<float>& matrix, Index d_k) = 0;
  // What a head can see, from the document's weights: see sight.h.
  virtual Array<float> head_sight(const AttentionWeights<float>& weights, Index heads, int head, Split split) = 0;
  // The strongest cells (strongest.h) of the whole matrix, at a level: what a picture with less than a pixel per cell
  // shows. Of many large ones some come in a later frame; until then null, or what they were before.
  virtual Array<float> strongest(const Site& ref, int level) = 0;
  virtual Array<float> strongest_of(const Array<float>& matrix, int level) = 0;  // null: in a later frame
  virtual const Mat<float>& contributions_to(int layer, Index token) = 0;        // forward.h; holds until the next call
  virtual const MaskShown& mask(int layer) = 0;                                  // of heads that have none of their own
  virtual const MaskShown& mask_of(const Site& site) = 0;  // of its head; of no head what is hidden from all
  virtual const KnownShown& known() = 0;
  virtual Index usual_token() = 0;  // usual_token.h
  // Of a readout that answers several questions (learn/asked.h).
  virtual Index rarest_question() = 0;
  virtual const std::vector<Index>& asked_tokens(Index question) = 0;  // holds until the next call
  // "untrained", "designed", "designed, edited": see weights_in_use.h.
  virtual const std::string& weights_in_use(const Document& document, int layer, int head) = 0;
  // Largest finite |value|.
  virtual float max_abs(const Array<float>& matrix) = 0;
  // How far the colours of matrices go that share a range, and of a quantity's in all heads.
  virtual Reach reach(std::span<const Array<float>> matrices) = 0;
  virtual Reach shared_reach(const Site& ref) = 0;
  // A head's pattern in so few cells that each is at least a pixel of a square of that side. Null where its layer is
  // not whole and it was not asked for before, or where it comes in a later frame.
  virtual Array<float> small_pattern(int layer, int head, float side) = 0;
  virtual Array<float> composed(const CircuitLine& line) = 0;  // composed_form
  virtual Array<float> head_picture(const HeadPicture& picture, int layer, int head) = 0;
  virtual double score_spread(int layer) = 0;            // score_spread.h; n/a while the layer is not whole
  virtual double score_spread(int layer, int head) = 0;  // of a head
};

}  // namespace hydra
