#include "core/writing/model_decoder.h"

#include <algorithm>
#include <cassert>

#include "core/attention/readout_rows.h"
#include "core/attention/row_products.h"
#include "core/document/model.h"
#include "core/document/read_in.h"
#include "core/error.h"
#include "core/text/embedding.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

bool is_learned(const Document& document) { return document.embedding.kind == Embedding::Kind::learned; }

Index limit_of(const Document& document) {
  const Array<float>& P = document.weights.P;
  return P ? std::min(kMaxTokens, P.rows() + document.pads.without_place()) : kMaxTokens;
}

// Worth several threads.
bool is_wide(const ProgramNode& node) {
  return node.operation == Operation::linear || node.operation == Operation::outer;
}

}  // namespace

std::optional<std::string> ModelDecoder::why_not(const Document& document) {
  if (document.settings.readout == ReadoutKind::none)
    return "no word is read out of this document, so it cannot write; a readout gives it words: --set /readout=...";
  if (const Index questions = next_words_of(document).parts(); questions > 1)
    return "the readout of this document answers " + std::to_string(questions) +
           " questions and does not say what the next word is; one that does has no questions";
  if (document.embedding.kind == Embedding::Kind::explicit_values)
    return "X of this document is given number by number, so a word that is written has no vector; hashed or learned "
           "words have one: --set /embedding/kind=hashed";
  if (document.settings.types > 0)
    return "the types of this document's tokens are told by the whole text, so a word that is written has none; "
           "without "
           "them it can write: --set /embedding/types=0";
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    if (document.layers[k].mask.kind != Mask::Kind::causal)
      return "layer " + std::to_string(k + 1) +
             " has no causal mask, so its tokens see words that are not written yet; a causal mask lets it write: "
             "--set /layers/" +
             std::to_string(k) + "/mask=causal";
    else if (!document.layers[k].all_causal())
      return "a head of layer " + std::to_string(k + 1) +
             " has no causal mask, so its tokens see words that are not written yet; without masks of their own the "
             "heads let it write: --set /layers/" +
             std::to_string(k) + "/own=[]";
  return std::nullopt;
}

ModelDecoder::ModelDecoder(const Document& document, ThreadPool* pool)
    : document_(document), pool_(pool), limit_(limit_of(document)) {
  if (const auto reason = why_not(document)) throw InputError(*reason);
  Trace trace = read_in(document_);
  given_.assign(trace.tokens.begin() + trace.pads, trace.tokens.end());
  taken_.reserve(static_cast<std::size_t>(std::max<Index>(0, limit_ - tokens())));
  if (tokens() > limit_)
    throw InputError("the text has " + std::to_string(tokens()) + " tokens, and the model has learned places for " +
                     std::to_string(limit_) + "; give it fewer");
  model_ = std::move(trace.model);
  if (is_learned(document_)) {
    rows_ = document_.embedding.vocabulary.find_all(words().words.words());
    if (document_.embedding.positions == Embedding::Positions::sinusoidal)
      positions_ = share(sinusoidal_positions(limit_, document_.d_model));
    else
      positions_ = model_.weights.P;
  }
  Array<float> stream = trace.X;
  layers_.reserve(document_.layers.size());
  for (int k = 0; k < static_cast<int>(document_.layers.size()); ++k) {
    layers_.emplace_back(input_of(document_, k, trace.X), limit_);
    stream = layers_.back().take(stream, pool_);
  }
  x_.resize(1, document_.d_model);
  stream_.resize(1, document_.d_model);
  final_.resize(static_cast<Index>(model_.program().out.size()), document_.d_model);
  logits_.resize(1, words().size());
  read_out(stream->bottomRows(1));
}

void ModelDecoder::step(Index word) {
  assert(tokens() < limit_ && word >= 0 && word < words().size());
  embed(word);
  for (BlockDecoder<float>& layer : layers_) {
    layer.step(x_, stream_, pool_);
    x_.swap(stream_);
  }
  read_out(x_);
}

void ModelDecoder::embed(Index word) {
  const Index token = tokens(), place = token - document_.pads.without_place();
  taken_.push_back(word);
  const std::span<const Index> rows = is_learned(document_) ? rows_.of(word) : std::span<const Index>();
  if (rows.empty()) {  // as long as all tokens take to be written again: no such word is of a model of others
    document_.tokens = given_;
    for (const Index taken : taken_) document_.tokens->push_back(words().words.word(taken));
    x_ = seeded_rows(document_, token, 1);
    return;
  }
  x_ = document_.weights.E.row(rows.front());
  for (const Index row : rows.subspan(1)) x_ += document_.weights.E.row(row);
  if (positions_) x_ += positions_->row(place);
  if (document_.settings.embedding_norm) x_ = normed_words<float>(x_, document_.settings, document_.weights);
}

void ModelDecoder::read_out(MatIn<float> stream) {
  Index made = 0;
  for (const ProgramNode& node : model_.program().out) {
    if (node.operation == Operation::softmax) return;  // probabilities are for whoever chooses
    const MatView<float> from = made == 0 ? stream : MatView<float>(final_.row(made - 1));
    MatOut<float> out = node.result == Quantity::logits ? MatOut<float>(logits_) : MatOut<float>(final_.row(made));
    ++made;
    if (node.operation == Operation::add)  // of the stream alone
      out = from;
    else if (is_wide(node))
      for_columns(pool_, out.cols(), from.cols() * out.cols(), [&](Index first, Index count) {
        make_readout_rows<float>(node, model_, from, out.middleCols(first, count), first);
      });
    else
      make_readout_rows<float>(node, model_, from, out);
  }
}

}  // namespace hydra
