#include "core/document/read_in.h"

#include "core/document/model.h"
#include "core/ops/lookup.h"
#include "core/text/embedding.h"
#include "core/text/token_types.h"

namespace hydra {

namespace {

// What is known of the words, whatever X is made of. (The lexicon never changes, the corrections may.)
void look_up(const Document& document, const Trace* previous, Trace& trace) {
  trace.corrections = document.embedding.words;
  const bool same = previous && previous->tokens == trace.tokens && previous->corrections == trace.corrections;
  trace.words = same ? previous->words : words_of(document, trace.tokens);
}

// What was made before, when it has the stamp; else made anew.
template <class Make>
Array<float> kept_or(const Array<float>* before, Stamp stamp, const Make& make) {
  return before && *before && before->stamp() == stamp ? *before : share(Mat<float>(make()), stamp);
}

// The words' vectors. Hashing many words takes longer than most recomputes.
void embed(const Document& document, const Trace* previous, Trace& trace) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values) {
    trace.embedding = e.X;
    return;
  }
  if (e.kind == Embedding::Kind::features) trace.layout = feature_layout(document.columns());
  Key key("embedding");
  key << e.kind << e.seed << document.d_model << trace.tokens.size();
  for (const std::string& token : trace.tokens) key << std::string_view(token);
  if (trace.layout) {
    key << trace.layout->slot;
    for (const WordFeatures& word : trace.words) key << word.features << static_cast<double>(word.zipf);
  }
  const Array<float>& E = trace.model.weights.E;
  for (Index i = 0; i < trace.model.rows.size(); ++i) {
    key << trace.model.rows.of(i).size();
    for (const Index row : trace.model.rows.of(i)) key << E.stamp_of_rows(row, 1);
  }
  trace.embedding = kept_or(previous ? &previous->embedding : nullptr, key.stamp(), [&] {
    if (trace.layout) return feature_embedding(trace.tokens, trace.words, *trace.layout, e.seed);
    Mat<float> vectors = hashed_embedding(trace.tokens, document.d_model, e.seed);
    if (E) lookup::forward<float>(E, trace.model.rows, vectors);
    return vectors;
  });
}

void add_positions(const Document& document, const Trace* previous, Trace& trace) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values || e.positions == Embedding::Positions::none) return;
  const Index before = trace.model.first_place, n = trace.embedding.rows() - before, d_model = trace.embedding.cols();
  if (e.positions == Embedding::Positions::learned) {
    const Array<float>& P = trace.model.weights.P;
    if (before == 0 && n <= P.rows()) {
      trace.positions = P.row_block(0, n);
      return;
    }
    const Key key = Key("places") << P.stamp() << n << before;
    trace.positions = kept_or(previous ? &previous->positions : nullptr, key.stamp(), [&] {
      Mat<float> rows = Mat<float>::Zero(before + n, d_model);  // pads, and tokens past the rows of P, have none
      const Index placed = std::min(n, P.rows());
      rows.middleRows(before, placed) = P->topRows(placed);
      return rows;
    });
    return;
  }
  const Key key = Key("positions") << e.kind << n << d_model << before;
  trace.positions = kept_or(previous ? &previous->positions : nullptr, key.stamp(), [&] {
    Mat<float> rows = Mat<float>::Zero(before + n, d_model);
    rows.bottomRows(n) = trace.layout ? feature_positions(n, *trace.layout) : sinusoidal_positions(n, d_model);
    return rows;
  });
}

void add_types(const Document& document, const Trace* previous, Trace& trace) {
  if (document.settings.types == 0) return;
  const Array<float>& T = trace.model.weights.T;
  trace.model.type_rows = token_types(trace.tokens, document.settings.types);
  Key key("types");
  for (Index i = 0; i < trace.model.type_rows.size(); ++i)
    key << T.stamp_of_rows(trace.model.type_rows.of(i).front(), 1);
  trace.types = kept_or(previous ? &previous->types : nullptr, key.stamp(), [&] {
    Mat<float> rows(trace.model.type_rows.size(), T.cols());
    lookup::forward<float>(T, trace.model.type_rows, rows);
    return rows;
  });
}

Mat<float> sum_of(const Trace& trace) {
  Mat<float> sum = *trace.embedding;
  if (trace.positions) sum += *trace.positions;
  if (trace.types) sum += *trace.types;
  return sum;
}

// embedding + positions + types, normed where that is on, with the entries set by hand in their place.
void make_X(const std::vector<CellValue>& edits, const Trace* previous, Trace& trace) {
  const ModelSettings& s = trace.model.settings;
  const ModelWeights<float>& w = trace.model.weights;
  const bool sum = trace.positions || trace.types;
  Key key("X");
  key << trace.embedding.stamp() << trace.positions.stamp() << trace.types.stamp();
  if (s.embedding_norm) {
    trace.summed = !sum ? trace.embedding
                        : kept_or(previous ? &previous->summed : nullptr, (Key("summed") << key.stamp()).stamp(),
                                  [&] { return sum_of(trace); });
    key << s.embedding_norm_kind << s.embedding_norm_epsilon << w.gain_E.stamp() << w.shift_E.stamp();
  }
  trace.X = trace.embedding;
  if (!sum && !s.embedding_norm && edits.empty()) return;
  for (const CellValue& edit : edits) key << edit.row << edit.col << static_cast<double>(edit.value);
  trace.X = kept_or(previous ? &previous->X : nullptr, key.stamp(), [&] {
    Mat<float> X = s.embedding_norm ? normed_words<float>(*trace.summed, s, w) : sum_of(trace);
    for (const CellValue& edit : edits) X(edit.row, edit.col) = edit.value;
    return X;
  });
}

}  // namespace

std::vector<std::string> tokens_of(const Document& document, const Trace* previous) {
  const bool same = previous && !document.tokens && previous->cut_from == document.sentence &&
                    previous->pads == document.pads.count &&
                    (previous->pads == 0 || previous->tokens.front() == pad_token(document));
  return same ? previous->tokens : tokens_of(document);
}

void read_in(const Document& document, const Trace* previous, Trace& trace) {
  static const std::vector<CellValue> no_edits;
  const bool seeded = document.embedding.kind != Embedding::Kind::explicit_values;
  trace.tokens = tokens_of(document, previous);
  if (!document.tokens) trace.cut_from = document.sentence;
  trace.pads = document.pads.count;
  trace.model.first_place = document.pads.without_place();
  trace.model.settings = document.settings;
  trace.model.lookups = lookups_of(document.embedding);
  trace.model.weights = document.weights;
  trace.model.words = document.embedding.vocabulary;
  trace.model.next_words = next_words_of(document);
  if (document.weights.E) trace.model.rows = document.embedding.vocabulary.find_all(trace.tokens);
  look_up(document, previous, trace);
  embed(document, previous, trace);
  add_positions(document, previous, trace);
  add_types(document, previous, trace);
  make_X(seeded ? document.embedding.edits : no_edits, previous, trace);
}

Trace read_in(const Document& document) {
  Trace trace;
  read_in(document, nullptr, trace);
  return trace;
}

}  // namespace hydra
