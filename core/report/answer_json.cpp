#include "core/report/answer_json.h"

namespace hydra {

namespace {

// The object stays open.
void write_read(std::string_view name, const AnswerRead& read, JsonWriter& out) {
  out.key(name).text += '{';
  out.number("logit", read.logit);
  out.number("rival_logit", read.rival_logit);
  out.number("probability", read.probability);
}

void write_head(const HeadAnswer& head, const AnswerSources& sources, JsonWriter& out) {
  out.text += '{';
  out.whole("layer", head.layer);
  out.whole("head", head.head);
  out.number("direct", head.direct);
  out.number("against_rival", head.against_rival);
  write_read("zero", head.zero, out);
  out.text += '}';
  if (head.mean) {
    write_read("mean", *head.mean, out);
    out.string("text", sources.text);
    out.text += '}';
  }
  if (head.resampled) {
    write_read("resampled", *head.resampled, out);
    out.string("text", sources.text);
    out.whole("sentences", sources.resampled);
    out.text += '}';
  }
  if (head.patched) {
    write_read("patched", *head.patched, out);
    std::string text;
    for (const std::string& token : sources.counterfactual) text += (text.empty() ? "" : " ") + token;
    out.string("text", text);
    out.string("part", sources.part);
    out.text += '}';
  }
  out.text += '}';
}

void write_set(std::string_view name, const std::optional<HeadSet>& set, const AnswerHeads& answer,
               const NextWords& words, JsonWriter& out) {
  if (!set) {
    out.key(name).text += "null";
    return;
  }
  write_read(name, set->read, out);
  out.string("likeliest", words.words.word(set->likeliest));
  out.key("heads").text += '[';
  for (std::size_t k = 0; k < set->heads.size(); ++k) {
    const HeadAnswer& head = answer.heads[set->heads[k]];
    out.text += k > 0 ? ", {" : "{";
    out.whole("layer", head.layer);
    out.whole("head", head.head);
    out.text += '}';
  }
  out.text += "]}";
}

}  // namespace

void write_answer(const std::vector<std::string>& tokens, const NextWords& words, const AskedAnswer& asked,
                  const AnswerHeads& answer, const std::optional<HeadSets>& sets, const AnswerSources& sources,
                  JsonWriter& out) {
  out.text += '{';
  out.strings("tokens", tokens);
  out.line();
  out.whole("token", asked.token + 1);
  if (words.questions.size() > 0) out.string("question", words.questions.word(asked.question));
  out.string("answer", words.words.word(asked.answer));
  if (asked.rival)
    out.string("rival", words.words.word(*asked.rival));
  else
    out.key("rival").text += "null";
  out.number("logit", answer.read.logit);
  out.number("rival_logit", answer.read.rival_logit);
  out.number("probability", answer.read.probability);
  out.line();
  out.key("rest").text += '{';
  out.number("direct", answer.rest);
  out.number("against_rival", answer.rest_against_rival);
  out.text += '}';
  out.line();
  if (!sources.counterfactual.empty()) {
    out.strings("counterfactual", sources.counterfactual);
    out.line();
  }
  if (sets) {
    out.key("sets").text += '{';
    out.key("exact").text += sets->exact ? "true" : "false";
    out.whole("tried", sets->tried);
    write_set("needed", sets->needed, answer, words, out);
    write_set("enough", sets->enough, answer, words, out);
    out.text += '}';
    out.line();
  }
  out.key("heads").text += '[';
  for (std::size_t k = 0; k < answer.heads.size(); ++k) {
    if (k > 0) out.line();
    write_head(answer.heads[k], sources, out);
  }
  out.text += "]}\n";
}

}  // namespace hydra
