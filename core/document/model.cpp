#include "core/document/model.h"

#include <utility>

#include "core/document/model_file.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

Index tokens_in(const Document& document) { return static_cast<Index>(tokens_of(document).size()); }

bool has_table(const Document& document) { return document.embedding.kind == Embedding::Kind::learned; }

Vocabulary words_of_sentence(const Document& document) {
  std::vector<std::string> words = distinct(tokens_without_pads(document));
  check_vocabulary(words);
  return Vocabulary(std::move(words));
}

// What belongs to nothing that is there goes, and no norm follows an X that is given; where no words are given they are
// those of the sentence.
void settle_words(Document& document) {
  Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values) document.settings.embedding_norm = false;
  if (!has_table(document)) {
    e.vocabulary = {};
    e.init = Embedding{}.init;
    if (e.positions == Embedding::Positions::learned) e.positions = Embedding{}.positions;
    document.settings.types = 0;
    if (document.settings.readout == ReadoutKind::tied) document.settings.readout = ReadoutKind::none;
    settle(document.settings);
  } else if (e.vocabulary.size() == 0) {
    e.vocabulary = words_of_sentence(document).with(e.vocabulary.letter_case());
  }
  if (document.settings.readout != ReadoutKind::own)
    document.readout = {};
  else if (document.readout.vocabulary.size() == 0)
    document.readout.vocabulary = has_table(document) ? e.vocabulary.with({}) : words_of_sentence(document);
  if (!reads_out_as_file(document)) check_columns(next_words_of(document));
}

}  // namespace

Lookups lookups_of(const Embedding& embedding) {
  return {embedding.kind == Embedding::Kind::learned, embedding.positions == Embedding::Positions::learned};
}

const ModelProgram& model_program_of(const Document& document) {
  return program_of(document.settings, lookups_of(document.embedding));
}

NextWords next_words_of(const Document& document) {
  if (document.settings.readout == ReadoutKind::tied) return {document.embedding.vocabulary, {}};
  return {document.readout.vocabulary, document.readout.questions};
}

ModelWidths widths_of(const Document& document) {
  return {document.d_model, document.embedding.vocabulary.size(),
          document.weights.P ? document.weights.P.rows() : tokens_in(document), next_words_of(document).size(),
          document.settings.types};
}

Array<float> initial_parameter(const Document& document, Quantity parameter) {
  const Embedding& e = document.embedding;
  const ModelWidths widths = widths_of(document);
  if (document.file)
    if (const Array<float>& in_file = *field_of(document.file->model.weights, parameter);
        in_file && in_file.rows() == widths.rows(parameter) && in_file.cols() == widths.cols(parameter))
      return in_file;
  switch (parameter) {
    case Quantity::E:
      return initial_words(e.vocabulary, document.d_model, e.init, e.seed);
    case Quantity::P:
      return initial_places(widths.places, document.d_model, e.init, e.seed);
    case Quantity::T:
      return initial_types(widths.types, document.d_model, e.init, e.seed);
    case Quantity::W_T:
      return initial_transform(document.d_model, document.readout.seed);
    case Quantity::W_U:
      return initial_readout(next_words_of(document), document.d_model, document.readout.init, document.readout.seed);
    default:
      if (may_be_absent(parameter)) return {};
      const float all = entry_of(parameter).start == QuantityRow::Start::ones ? 1 : 0;
      return share(Mat<float>(Mat<float>::Constant(1, widths.cols(parameter), all)));
  }
}

void fit_model(Document& document) {
  settle(document.settings);
  settle_words(document);
  const ModelProgram& program = model_program_of(document);
  for (const Quantity p : kModelWeights) {
    Array<float>& values = *field_of(document.weights, p);
    const ModelWidths widths = widths_of(document);
    const bool fits = values && values.rows() == widths.rows(p) && values.cols() == widths.cols(p);
    if (!program.has(p))
      values = nullptr;
    else if (!fits)
      values = (values = nullptr, initial_parameter(document, p));
  }
}

void lengthen_places(Document& document, Index places) {
  Array<float>& P = document.weights.P;
  if (!P || P.rows() >= places) return;
  Mat<float> longer = Mat<float>::Zero(places, document.d_model);
  longer.topRows(P.rows()) = *P;
  P = share_model_weight(Quantity::P, std::move(longer));
}

void draw_places(Document& document) {
  Array<float>& P = document.weights.P;
  const Index places = tokens_in(document);
  if (!P || P.rows() >= places || !same_bits(P, initial_parameter(document, Quantity::P))) return;
  P = initial_places(places, document.d_model, document.embedding.init, document.embedding.seed);
}

void check_has(const Document& document, Quantity parameter) {
  if (!model_program_of(document).has(parameter))
    throw InputError(std::string(entry_of(parameter).key) + " belongs to a part that the model does not have");
}

void check_model(const Document& document) {
  const Embedding& e = document.embedding;
  check_settings(document.settings, has_table(document));
  if (e.positions == Embedding::Positions::learned && !has_table(document))
    throw InputError("learned positions are a table beside that of learned words; let the embedding be learned");
  if (document.settings.embedding_norm && e.kind == Embedding::Kind::explicit_values)
    throw InputError(
        "X is given number by number, and no norm follows it; let the words be embedded, or leave the "
        "embedding norm out");
  if (has_table(document) && !reads_in_as_file(document)) check_vocabulary(e.vocabulary.words());
  if (document.settings.readout == ReadoutKind::own && !reads_out_as_file(document)) {
    check_vocabulary(document.readout.vocabulary.words());
    check_questions(document.readout.questions.words());
    check_columns(next_words_of(document));
  } else if (document.readout.questions.size() > 0) {
    throw InputError("questions are of a readout with weights of its own");
  }
  const ModelWidths widths = widths_of(document);
  const ModelProgram& program = model_program_of(document);
  for (const Quantity p : kModelWeights) {
    const Array<float>& values = *field_of(document.weights, p);
    if (values) check_has(document, p);
    if (values || (program.has(p) && !may_be_absent(p)))
      check_matrix(values, widths.rows(p), widths.cols(p), entry_of(p).key);
  }
  if (document.weights.P && document.weights.P.rows() > kMaxTokens)
    throw InputError("P has " + std::to_string(document.weights.P.rows()) + " places; at most " +
                     std::to_string(kMaxTokens) + " are possible");
}

// --- edits

namespace {

// The rows of the old table at the places of their words, among those that new words begin with.
Mat<float> by_word(const Array<float>& old, const Vocabulary& before, MatIn<float> begins, const Vocabulary& now) {
  Mat<float> values = begins;
  for (Index k = 0; k < now.size(); ++k)
    if (const Index at = before.find(now.word(k)); at != Vocabulary::kNone) values.row(k) = old->row(at);
  return values;
}

// The same of a readout's columns, at the places of their words and questions.
Mat<float> by_next_word(const Array<float>& old, const NextWords& before, MatIn<float> begins, const NextWords& now) {
  Mat<float> values = begins;
  const std::vector<Index> questions = questions_before(before, now);
  for (Index k = 0; k < now.size(); ++k) {
    const Index question = questions[static_cast<std::size_t>(now.question_of(k))], at = before.words.find(now.word(k));
    if (question != Vocabulary::kNone && at != Vocabulary::kNone)
      values.col(k) = old->col(before.first_of(question) + at);
  }
  return values;
}

void move_bias(Document& document, const NextWords& before, const NextWords& now) {
  Array<float>& b = document.weights.b_U;
  if (b && now.size() > 0 && before != now) b = share(by_next_word(b, before, Mat<float>::Zero(1, now.size()), now));
}

// A readout of its own, whose words or questions were others before.
void move_readout(Document& document, const NextWords& before) {
  const NextWords now = next_words_of(document);
  check_columns(now);
  const Array<float> begins = initial_parameter(document, Quantity::W_U);
  document.weights.W_U = share_model_weight(Quantity::W_U, by_next_word(document.weights.W_U, before, *begins, now));
  move_bias(document, before, now);
}

}  // namespace

void set_model_setting(Document& document, ModelSetting setting, double value) {
  const auto single = static_cast<float>(value);  // as files have it
  ModelSettings settings = document.settings;
  set_value(settings, entry_of(setting), static_cast<double>(single));
  settle(settings);
  check_settings(settings, has_table(document));
  if (settings.embedding_norm && document.embedding.kind == Embedding::Kind::explicit_values)
    throw InputError("X is given number by number, and no norm follows it; let the words be embedded first");
  const NextWords before = next_words_of(document);
  document.settings = settings;
  settle_words(document);
  move_bias(document, before, next_words_of(document));
  fit_model(document);
}

void make_embedding(Document& document, Embedding::Kind kind, std::uint64_t seed, Init init) {
  Embedding& e = document.embedding;
  e.kind = kind;
  e.seed = seed;
  e.init = init;
  e.edits.clear();
  e.X = nullptr;
  for (const Quantity table : {Quantity::E, Quantity::P, Quantity::T}) *field_of(document.weights, table) = nullptr;
  fit_model(document);
}

void set_positions(Document& document, Embedding::Positions positions) {
  Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values)
    throw InputError("X is given number by number; positions are not added to it");
  if (positions == Embedding::Positions::learned && !has_table(document))
    throw InputError("learned positions are a table beside that of learned words; let the words be learned first");
  e.positions = positions;
  fit_model(document);
}

void set_words(Document& document, Vocabulary vocabulary) {
  check_has(document, Quantity::E);
  if (vocabulary == document.embedding.vocabulary) return;
  const NextWords next_before = next_words_of(document);
  const Vocabulary before = std::exchange(document.embedding.vocabulary, std::move(vocabulary));
  const Array<float> begins = initial_parameter(document, Quantity::E);
  document.weights.E =
      share_model_weight(Quantity::E, by_word(document.weights.E, before, *begins, document.embedding.vocabulary));
  if (document.settings.readout == ReadoutKind::tied) move_bias(document, next_before, next_words_of(document));
}

void set_case(Document& document, Vocabulary::Case letter_case) {
  check_has(document, Quantity::E);
  document.embedding.vocabulary = document.embedding.vocabulary.with(letter_case);
}

void set_next_words(Document& document, Vocabulary vocabulary) {
  check_has(document, Quantity::W_U);
  if (vocabulary == document.readout.vocabulary) return;
  const NextWords before = next_words_of(document);
  document.readout.vocabulary = std::move(vocabulary);
  move_readout(document, before);
}

void set_questions(Document& document, Vocabulary questions) {
  if (document.settings.readout == ReadoutKind::tied)
    throw InputError("a tied readout answers one question; let the readout have its own weights to ask several");
  check_has(document, Quantity::W_U);
  if (questions == document.readout.questions) return;
  const NextWords before = next_words_of(document);
  document.readout.questions = std::move(questions);
  move_readout(document, before);
}

}  // namespace hydra
