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

void write_interval(std::string_view name, const MeanInterval& interval, JsonWriter& out) {
  out.key(name).text += '{';
  out.number("mean", interval.mean);
  out.number("low", interval.low);
  out.number("high", interval.high);
  out.text += '}';
}

void write_change(std::string_view name, const OfAnswer<MeanInterval>& change, JsonWriter& out) {
  out.key(name).text += '{';
  write_interval("logit", change.logit, out);
  write_interval("difference", change.difference, out);
  write_interval("probability", change.probability, out);
  out.text += '}';
}

void write_over(const OverText& over, std::size_t head, JsonWriter& out) {
  const HeadOverText& of = over.heads[head];
  out.key("over_text").text += '{';
  out.whole("answers", over.answers);
  write_interval("direct", of.direct, out);
  write_interval("against_rival", of.against_rival, out);
  write_change("zero_change", of.zero, out);
  if (of.mean) write_change("mean_change", *of.mean, out);
  out.text += '}';
}

void write_random(const std::vector<RandomHeads>& layers, JsonWriter& out) {
  out.key("random_heads").text += '[';
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const RandomHeads& of = layers[k];
    out.text += k > 0 ? ", {" : "{";
    out.whole("layer", static_cast<Index>(k));
    out.whole("drawn", of.drawn);
    out.number("direct", of.direct);
    out.number("against_rival", of.against_rival);
    out.key("zero_change").text += '{';
    out.number("logit", of.zero.logit);
    out.number("difference", of.zero.difference);
    out.number("probability", of.zero.probability);
    out.text += "}}";
  }
  out.text += ']';
}

// The object stays open.
void write_head(const HeadAnswer& head, const NextWords& words, const AnswerSources& sources, JsonWriter& out) {
  out.text += '{';
  out.whole("layer", head.layer);
  out.whole("head", head.head);
  out.number("direct", head.direct);
  out.number("against_rival", head.against_rival);
  const auto likeliest = [&](const AnswerRead& read) { out.string("likeliest", words.words.word(read.likeliest)); };
  write_read("zero", head.zero, out);
  likeliest(head.zero);
  out.text += '}';
  if (head.mean) {
    write_read("mean", *head.mean, out);
    likeliest(*head.mean);
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
    likeliest(*head.patched);
    std::string text;
    for (const std::string& token : sources.counterfactual) text += (text.empty() ? "" : " ") + token;
    out.string("text", text);
    out.string("part", sources.part);
    out.text += '}';
  }
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

void write_answer(const AnswerReport& report, JsonWriter& out) {
  const auto& [tokens, words, asked, answer, chance, sets, sources] = report;
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
  write_random(chance.random, out);
  out.line();
  out.key("heads").text += '[';
  for (std::size_t k = 0; k < answer.heads.size(); ++k) {
    if (k > 0) out.line();
    write_head(answer.heads[k], words, sources, out);
    if (chance.over) write_over(*chance.over, k, out);
    out.text += '}';
  }
  out.text += "]}\n";
}

}  // namespace hydra
