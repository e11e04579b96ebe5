// What a trace has of the model as a whole, of no layer: the tables, and what follows the last layer
// (model/readout.cpp), every stage kept. Incremental: a stage that has the stamp it should have is shared with the
// trace before.
#pragma once
#include "core/model/program.h"
#include "core/weights/model_weights.h"
#include "core/work/parallel.h"

namespace hydra {

template <class S>
struct ModelTrace {
  ModelSettings settings;
  Lookups lookups;
  ModelWeights<S> weights;
  Vocabulary words;                        // that E has rows for
  NextWords next_words;                    // that the readout chooses from
  IndexLists rows;                         // each token's in E, none of one that is not known; where words are learned
  Index first_place = 0;                   // the token at place 0; pads before it have none
  IndexLists type_rows;                    // each token's in T; where there are types
  Array<S> transformed, activated, final;  // [n x d_model] what is read out is final
  Array<S> logits, probabilities;          // [n x columns of the readout]; of each question the probabilities sum to 1

  const ModelProgram& program() const { return program_of(settings, lookups); }
  Index place(Index token) const { return token - first_place; }
  // Of a matrix with the readout's columns those of one question.
  Array<S> of_question(const Array<S>& matrix, Index question) const {
    return matrix.columns(next_words.first_of(question), next_words.words.size());
  }
  // What follows the layers, or null.
  Array<S>* stage(Quantity quantity);
  const Array<S>* stage(Quantity quantity) const { return const_cast<ModelTrace*>(this)->stage(quantity); }
};

// Of what is read out over many words: rows when somebody looks at them, most often one, or all at once.
enum class ReadOut { asked_rows, all_rows };

// Makes what the program has after the layers, from what leaves the last of them [n x d_model].
template <class S>
void read_out(const Array<S>& stream, ModelTrace<S>& model, const ModelTrace<S>* previous = nullptr,
              ThreadPool* pool = nullptr, ReadOut rows = ReadOut::all_rows);

// The norm of what words, positions and types add up to [n x d_model].
template <class S>
Mat<S> normed_words(MatIn<S> sum, const ModelSettings& settings, const ModelWeights<S>& weights);

// The likeliest words after a token, the first of them first; NaN sorts last. Of one question.
std::vector<Index> likeliest(const Array<float>& probabilities, Index token, Index most);

}  // namespace hydra
