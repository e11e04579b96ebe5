// `hydrascope answer`: which heads do it, for one answer, as JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "app/cli/place_options.h"
#include "app/cli/sentences_option.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/io/file.h"
#include "core/learn/opened/answer_text.h"
#include "core/measures/cut_sentences.h"
#include "core/report/answer_json.h"

namespace hydra {

namespace {

struct AnswerOptions : DocumentOptions {
  std::optional<int> token;                   // counted from 1; none: the last
  std::optional<std::string> question;        // by its name; none: the first
  std::optional<std::string> answer, rival;   // words; none: the likeliest, and the likeliest other
  std::optional<std::string> counterfactual;  // a sentence of as many tokens
  std::vector<std::string> text;              // "all", files of marked sentences; empty: text that the model knows
  std::string patch = "head";                 // what is taken from it
  bool sets_of_heads = false;                 // looked for in large models, too
  std::string out = "-";                      // "-": standard output
};

Index question_named(const std::optional<std::string>& name, const NextWords& words) {
  if (!name) return 0;
  if (words.questions.size() == 0)
    throw InputError("--question: the readout of this document answers one question, which has no name; leave it out");
  const Index question = words.questions.find(*name);
  if (question == Vocabulary::kNone)
    throw InputError("--question: there is no question \"" + *name + "\"; there are " +
                     listed(words.questions.words(), kMaxVocabulary));
  return question;
}

std::optional<Index> word_of(const char* option, const std::optional<std::string>& word, const NextWords& words) {
  if (!word) return std::nullopt;
  const Index place = words.words.find(*word);
  if (place == Vocabulary::kNone)
    throw InputError(std::string(option) + ": the model has no word \"" + *word +
                     "\" to answer with; it chooses from " + listed(words.words.words(), 12));
  return place;
}

PatchedPart part_of(const std::string& word) {
  if (word == "head") return PatchedPart::head;
  if (word == "pattern") return PatchedPart::pattern;
  if (word == "queries") return PatchedPart::queries;
  if (word == "keys") return PatchedPart::keys;
  if (word == "values") return PatchedPart::values;
  throw InputError("--patch: there is no part " + in_quotes(word) + "; choose head, pattern, queries, keys or values");
}

class Answering {
 public:
  explicit Answering(const AnswerOptions& options)
      : options_(options),
        document_(asked_document(options)),
        pool_(threads_of_the_machine()),
        trace_(evaluate(document_, nullptr, &pool_)) {
    if (!trace_->model.logits)
      throw InputError(
          "no word is read out of this document, so there is no answer; a readout gives it one: --set "
          "/readout=... (docs/document.md)");
    note_input(document_);
    OverflowNote().look_at(*trace_);
    ask();
    if (options.counterfactual)
      read_counterfactual(*options.counterfactual);
    else if (options.patch != "head")
      throw InputError("--patch: nothing is patched without --counterfactual, the sentence that it is taken from");
    read_text();
  }

  void write(const Sink& sink) {
    const HeadMeans means = means_over(text_.traces, &pool_);
    const AnswerHeads answer =
        head_answers(*trace_, asked_, {text_.traces, counterfactual_.get(), part_, means}, &pool_);
    AnswerChance chance{random_heads(*trace_, asked_, &pool_), {}};
    if (const auto answers = learn::answers_of(text_, asked_.question); !answers.empty())
      chance.over = over_text(answers, means, &pool_);
    JsonWriter out;
    std::optional<HeadSets> sets;
    if (options_.sets_of_heads || answer.heads.size() <= kMostExactHeads) sets = head_sets(*trace_, asked_, &pool_);
    write_answer({trace_->tokens, trace_->model.next_words, asked_, answer, chance, sets, sources_}, out);
    sink(out.text);
  }

 private:
  void ask() {
    const NextWords& words = trace_->model.next_words;
    const Index token = token_index(options_.token, static_cast<int>(trace_->tokens.size()));
    const std::optional<Index> answer = word_of("--answer", options_.answer, words);
    const std::optional<Index> rival = word_of("--rival", options_.rival, words);
    asked_ = asked_of(trace_->model, token, question_named(options_.question, words), answer, rival);
    if (asked_.rival == asked_.answer)
      throw InputError("--rival: \"" + words.words.word(asked_.answer) + "\" is the answer itself; give another word");
  }

  void read_counterfactual(const std::string& sentence) {
    try {
      counterfactual_ = learn::counterfactual_of(document_, *trace_, sentence, &pool_);
    } catch (const InputError& fault) {
      throw InputError(std::string("--counterfactual: ") + fault.what());
    }
    sources_.counterfactual = counterfactual_->tokens;
    sources_.part = options_.patch;
  }

  void read_text() {
    learn::AnswerTexts texts(&pool_);
    if (!options_.text.empty()) {
      text_ = texts.over(document_, as_cut_by(document_, sentences_of(options_.text)), "marked sentences");
    } else {
      try {
        text_ = texts.of(document_, as_cut_by(document_, shipped_sentences()));
      } catch (const InputError& fault) {
        std::fprintf(stderr, "no head is changed to its mean or resampled: %s\n", fault.what());
        return;
      }
    }
    sources_.resampled = std::ssize(resampled_from(*trace_, text_.traces));
    sources_.text = text_.told();
  }

  const AnswerOptions& options_;
  PatchedPart part_ = part_of(options_.patch);
  Document document_;
  ThreadPool pool_;
  std::shared_ptr<const Trace> trace_, counterfactual_;
  learn::AnswerText text_;
  AskedAnswer asked_;
  AnswerSources sources_;
};

// Exit code 0. Throws InputError for a bad document, file, token, question, word or sentence.
int run_answer(const AnswerOptions& options) {
  Answering answering(options);
  write_whole(options.out, [&](const Sink& sink) { answering.write(sink); });
  return 0;
}

}  // namespace

CliCommand add_answer(CLI::App& app) {
  const auto kept = std::make_shared<AnswerOptions>();
  AnswerOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("answer", "Writes which heads do it, for one answer of the readout, as JSON");
  add_document(command, options, false);
  command.add_option("--token", options.token, "The token that answers, counted from 1, by default the last")
      ->type_name("NUMBER");
  command.add_option("--question", options.question, "Which question it answers, by default the first")
      ->type_name("NAME");
  command.add_option("--answer", options.answer, "The word that is asked about, by default the likeliest")
      ->type_name("WORD");
  command.add_option("--rival", options.rival, "The word it is held against, by default the likeliest other")
      ->type_name("WORD");
  command
      .add_option("--counterfactual", options.counterfactual,
                  "A sentence of as many tokens: what each head adds there is patched into this one")
      ->type_name("SENTENCE");
  command
      .add_option("--text", options.text,
                  "What heads are changed to the mean of, and resampled from: all, the marked sentences, or files; by "
                  "default text that the model knows")
      ->type_name("all|FILE...");
  command.add_flag("--sets", options.sets_of_heads,
                   "Looks for the smallest sets of heads that the answer needs in models of more than 16 heads, too");
  command
      .add_option(
          "--patch", options.patch,
          "What of each head is taken from the counterfactual sentence: all that it adds (head), where it looks "
          "(pattern), what asks or is asked there (queries, keys), or what it reads there (values)")
      ->type_name("head|pattern|queries|keys|values");
  add_out(command, options.out);
  return {&command, [kept] { return run_answer(*kept); }};
}

}  // namespace hydra
