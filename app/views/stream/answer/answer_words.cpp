#include "app/views/stream/answer/answer_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

using Result = AnswerMeasure::Result;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTaken = 0.05;  // of the probability or of the answers: less is not said to be taken
constexpr double kTakenLogit = 0.0005;

constexpr AnswerColumnEntry kColumns[] = {
    {AnswerColumn::direct, "direct", "stream:answer.direct", "stream:answer.direct.tip"},
    {AnswerColumn::zero, "zero", "stream:answer.zero", "stream:answer.zero.tip"},
    {AnswerColumn::mean, "mean", "stream:answer.mean", "stream:answer.mean.tip"},
    {AnswerColumn::resampled, "resampled", "stream:answer.resampled", "stream:answer.resampled.tip"},
    {AnswerColumn::patched, "patched", "stream:answer.patched", "stream:answer.patched.tip"},
    {AnswerColumn::lost, "lost", "stream:answer.lost", "stream:answer.lost.tip"},
};

template <class T>
const T& by_of(const OfAnswer<T>& of, AnswerBy by) {
  return by == AnswerBy::difference ? of.difference : by == AnswerBy::logit ? of.logit : of.probability;
}

bool has(const Result& of, AnswerColumn column) {
  if (of.answer.heads.empty()) return false;
  if (column == AnswerColumn::direct) return true;
  return column == AnswerColumn::lost ? !of.lost.empty() : read_after(of.answer.heads.front(), column) != nullptr;
}

const AnswersLost* lost_of(const Result& of, const HeadAnswer& head) {
  const auto layer = static_cast<std::size_t>(head.layer);
  if (layer >= of.lost.size() || head.head >= std::ssize(of.lost[layer]->lost)) return nullptr;
  return of.lost[layer].get();
}
double share_lost(const Result& of, const HeadAnswer& head) {
  const AnswersLost* lost = lost_of(of, head);
  return lost ? nth(nth(lost->lost, head.head), of.task_question) : kNone;
}

std::string share_text(double value) { return ui::number(value, As::share); }

// "head 2", of several layers "head 3.2".
std::string number_of(const Result& of, const Trace& trace, std::size_t k) {
  const HeadAnswer& head = of.answer.heads[k];
  return trace.layers.size() == 1 ? wording("stream:answer.only_layer", {{"head", head.head + 1}})
                                  : wording("stream:answer.head", {{"layer", head.layer + 1}, {"head", head.head + 1}});
}

// The head without which least is left; NaN where there is no other.
struct Strongest {
  std::size_t head = 0;
  double least_of_others = kNone;  // of what is left
};
template <class Left>
Strongest strongest_by(const Result& of, const Left& left) {
  Strongest found;
  for (std::size_t k = 1; k < of.answer.heads.size(); ++k)
    if (left(k) < left(found.head)) found.head = k;
  for (std::size_t k = 0; k < of.answer.heads.size(); ++k)
    if (k != found.head && !(left(k) >= found.least_of_others)) found.least_of_others = left(k);
  return found;
}

std::string asked_in_words(const Result& of, const Trace& trace) {
  const NextWords& words = trace.model.next_words;
  const std::string &token = nth(trace.tokens, of.asked.token), &answer = words.words.word(of.asked.answer);
  if (words.questions.size() == 0) return wording("stream:answer.of_next", {{"token", token}, {"answer", answer}});
  return wording("stream:answer.of_question",
                 {{"token", token}, {"answer", answer}, {"question", words.questions.word(of.asked.question)}});
}

std::string in_this_sentence(const Result& of, const Trace& trace) {
  const auto left = [&](std::size_t k) { return of.answer.heads[k].zero.probability; };
  const Strongest found = strongest_by(of, left);
  const double before = of.answer.read.probability;
  const std::string answer = asked_in_words(of, trace);
  if (before - left(found.head) < kTaken)
    return wording("stream:answer.quote.none",
                   {{"answer", answer}, {"before", share_text(before)}, {"least", share_text(left(found.head))}});
  const std::string one = wording("stream:answer.quote.one", {{"head", number_of(of, trace, found.head)},
                                                              {"answer", answer},
                                                              {"before", share_text(before)},
                                                              {"after", share_text(left(found.head))}});
  return std::isnan(found.least_of_others)
             ? one
             : wording("stream:answer.quote.others", {{"one", one}, {"least", share_text(found.least_of_others)}});
}

// Of the same question in other sequences.
std::string over_others(const Result& of, const Trace& trace) {
  if (of.lost.empty()) return {};
  const AnswersLost& any = *of.lost.front();
  const double right = nth(any.accuracy, of.task_question);
  const auto left = [&](std::size_t k) { return right - share_lost(of, of.answer.heads[k]); };
  const Strongest found = strongest_by(of, left);
  const NextWords& words = trace.model.next_words;
  const std::string question =
      words.questions.size() == 0
          ? wording("stream:answer.over.answers")
          : wording("stream:answer.over.question", {{"question", words.questions.word(of.asked.question)}});
  const std::string sequences = wording(any.opened ? "stream:answer.over.opened" : "stream:answer.over",
                                        {{"n", any.sequences}, {"task", of.task}});
  if (right - left(found.head) < kTaken)
    return wording("stream:answer.quote.over.none", {{"sequences", sequences},
                                                     {"question", question},
                                                     {"before", share_text(right)},
                                                     {"least", share_text(left(found.head))}});
  const std::string one = wording("stream:answer.quote.over", {{"sequences", sequences},
                                                               {"question", question},
                                                               {"head", number_of(of, trace, found.head)},
                                                               {"before", share_text(right)},
                                                               {"after", share_text(left(found.head))}});
  return std::isnan(found.least_of_others)
             ? one
             : wording("stream:answer.quote.over.others", {{"one", one}, {"least", share_text(found.least_of_others)}});
}

// "heads 2 and 4", "heads 1.2, 1.4 and 2.1", "11 of the 16 heads".
std::string listed(const Result& of, const Trace& trace, const std::vector<std::size_t>& heads) {
  constexpr std::size_t kMostListed = 6;
  if (heads.size() == 1) return number_of(of, trace, heads.front());
  if (heads.size() > kMostListed)
    return wording("stream:answer.heads.many", {{"n", heads.size()}, {"all", of.answer.heads.size()}});
  std::string list;
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const HeadAnswer& head = of.answer.heads[heads[k]];
    const std::string number =
        (trace.layers.size() == 1 ? "" : std::to_string(head.layer + 1) + ".") + std::to_string(head.head + 1);
    list = k == 0                  ? number
           : k + 1 == heads.size() ? wording("stream:answer.heads.last", {{"heads", list}, {"head", number}})
                                   : list + ", " + number;
  }
  return wording("stream:answer.heads", {{"heads", list}});
}

// Which heads it needs together, and which alone keep it.
std::string of_sets(const Result& of, const Trace& trace) {
  if (!of.sets) return {};
  const std::optional<HeadSet>&needed = of.sets->needed, &enough = of.sets->enough;
  if (!needed) return wording("stream:answer.sets.none");
  const std::string heads = listed(of, trace, needed->heads),
                    other = trace.model.next_words.words.word(needed->likeliest);
  const bool least = of.sets->exact || needed->heads.size() <= 1;
  std::string text = wording(needed->heads.size() == 1 ? "stream:answer.sets.one"
                             : least                   ? "stream:answer.sets.several"
                                                       : "stream:answer.sets.found",
                             {{"heads", heads}, {"other", other}});
  if (!enough || enough->heads.size() == of.answer.heads.size()) return text;
  if (enough->heads.empty())
    return text + " " + wording("stream:answer.sets.enough.none", {{"after", share_text(enough->read.probability)}});
  return text + " " +
         wording(enough->heads.size() == 1 ? "stream:answer.sets.enough.one" : "stream:answer.sets.enough",
                 {{"heads", listed(of, trace, enough->heads)}, {"after", share_text(enough->read.probability)}});
}

// What the model answers in the counterfactual sentence, and what patching a head from there does here.
std::string of_other_sentence(const Result& of, const Trace& trace) {
  if (!of.counterfactual || of.answer.heads.empty() || !of.answer.heads.front().patched) return {};
  const NextWords& words = trace.model.next_words;
  const AskedAnswer there = asked_of(of.counterfactual->model, of.asked.token, of.asked.question);
  std::string text = wording("stream:answer.other", {{"answer", words.words.word(there.answer)}});
  const auto left = [&](std::size_t k) { return of.answer.heads[k].patched->probability; };
  const Strongest found = strongest_by(of, left);
  const AnswerRead& patched = *of.answer.heads[found.head].patched;
  const double before = of.answer.read.probability;
  const char* part = of.part == PatchedPart::head      ? "stream:answer.other.head"
                     : of.part == PatchedPart::pattern ? "stream:answer.other.pattern"
                     : of.part == PatchedPart::queries ? "stream:answer.other.queries"
                     : of.part == PatchedPart::keys    ? "stream:answer.other.keys"
                                                       : "stream:answer.other.values";
  if (before - patched.probability < kTaken)
    return text + " " +
           wording("stream:answer.other.none",
                   {{"before", share_text(before)}, {"least", share_text(patched.probability)}});
  text += " " + wording(part, {{"head", number_of(of, trace, found.head)},
                               {"answer", words.words.word(of.asked.answer)},
                               {"before", share_text(before)},
                               {"after", share_text(patched.probability)}});
  if (patched.likeliest != of.asked.answer)
    text += " " + wording("stream:answer.other.read",
                          {{"word", words.words.word(patched.likeliest)}, {"probability", share_text(patched.most)}});
  return text;
}

// The same in logits, which say something where the probability is 1 with the head and without it; with chance.
std::string in_logits(const Result& of, const Trace& trace, AnswerBy by) {
  const auto left = [&](std::size_t k) { return told_of(of.answer.heads[k].zero, by); };
  const Strongest found = strongest_by(of, left);
  const double all = told_of(of.answer.read, by), taken = all - left(found.head);
  if (!(taken > kTakenLogit)) return wording("stream:answer.quote.logits.none");
  const std::string whole =
      by == AnswerBy::difference
          ? wording("stream:answer.quote.logits.over",
                    {{"all", share_text(all)}, {"rival", trace.model.next_words.words.word(*of.asked.rival)}})
          : wording("stream:answer.quote.logits.own", {{"all", share_text(all)}});
  std::string text =
      wording("stream:answer.quote.logits",
              {{"head", number_of(of, trace, found.head)}, {"taken", share_text(taken)}, {"whole", whole}});
  if (const double chance = chance_of(of, found.head, AnswerColumn::zero, by); !std::isnan(chance))
    text += " " + wording(taken > chance ? "stream:answer.quote.logits.beyond" : "stream:answer.quote.logits.within",
                          {{"n", of.random[static_cast<std::size_t>(of.answer.heads[found.head].layer)].drawn},
                           {"most", share_text(chance)}});
  if (const double most = all - found.least_of_others; most > kTakenLogit)
    text += " " + wording("stream:answer.quote.logits.others", {{"most", share_text(most)}});
  return text;
}

// What silencing a head of random weights does, as large as those of the layer of the head without which least is left.
std::string of_random(const Result& of, const Trace& trace) {
  const Strongest found = strongest_by(of, [&](std::size_t k) { return of.answer.heads[k].zero.probability; });
  const auto layer = static_cast<std::size_t>(of.answer.heads[found.head].layer);
  if (layer >= of.random.size() || std::isnan(of.random[layer].zero.probability)) return {};
  const RandomHeads& random = of.random[layer];
  const double taken = of.answer.read.probability - of.answer.heads[found.head].zero.probability;
  const char* text = taken < kTaken                     ? "stream:answer.quote.random"
                     : taken <= random.zero.probability ? "stream:answer.quote.random.within"
                                                        : "stream:answer.quote.random.beyond";
  return wording(
      text,
      {{"head", number_of(of, trace, found.head)}, {"n", random.drawn}, {"most", share_text(random.zero.probability)}});
}

}  // namespace

std::vector<AnswerColumnEntry> answer_columns(const Result& of) {
  std::vector<AnswerColumnEntry> columns;
  for (const AnswerColumnEntry& entry : kColumns)
    if (has(of, entry.column)) columns.push_back(entry);
  return columns;
}

double told_of(const AnswerRead& read, AnswerBy by) {
  return by == AnswerBy::probability ? read.probability
         : by == AnswerBy::logit     ? read.logit
                                     : read.logit - read.rival_logit;
}

const AnswerRead* read_after(const HeadAnswer& head, AnswerColumn column) {
  const auto known = [](const std::optional<AnswerRead>& read) { return read ? &*read : nullptr; };
  switch (column) {
    case AnswerColumn::zero:
      return &head.zero;
    case AnswerColumn::mean:
      return known(head.mean);
    case AnswerColumn::resampled:
      return known(head.resampled);
    case AnswerColumn::patched:
      return known(head.patched);
    case AnswerColumn::direct:
    case AnswerColumn::lost:
      break;
  }
  return nullptr;
}

double change_of(const Result& of, std::size_t k, AnswerColumn column, AnswerBy by) {
  const HeadAnswer& head = of.answer.heads[k];
  if (column == AnswerColumn::direct) return by == AnswerBy::difference ? head.against_rival : head.direct;
  if (column == AnswerColumn::lost) return -share_lost(of, head);
  const AnswerRead* after = read_after(head, column);
  return after ? by_of(change_from(of.answer.read, *after), by) : kNone;
}

MeanInterval mean_change(const Result& of, std::size_t head, AnswerColumn column, AnswerBy by) {
  if (column == AnswerColumn::lost) {
    const AnswersLost* lost = lost_of(of, of.answer.heads[head]);
    const MeanInterval share = share_interval(share_lost(of, of.answer.heads[head]), lost ? lost->sequences : 0);
    return {-share.mean, -share.high, -share.low};
  }
  if (!of.over || head >= of.over->heads.size()) return {};
  const HeadOverText& over = of.over->heads[head];
  if (column == AnswerColumn::direct) return by == AnswerBy::difference ? over.against_rival : over.direct;
  if (column != AnswerColumn::zero && (column != AnswerColumn::mean || !over.mean)) return {};
  return by_of(column == AnswerColumn::zero ? over.zero : *over.mean, by);
}

double chance_of(const Result& of, std::size_t head, AnswerColumn column, AnswerBy by) {
  const auto layer = static_cast<std::size_t>(of.answer.heads[head].layer);
  if (layer >= of.random.size()) return kNone;
  const RandomHeads& random = of.random[layer];
  if (column == AnswerColumn::direct) return by == AnswerBy::difference ? random.against_rival : random.direct;
  return column == AnswerColumn::zero ? by_of(random.zero, by) : kNone;
}

std::string said_over_text(const Result& of, std::size_t head, AnswerColumn column, AnswerBy by) {
  const MeanInterval over = mean_change(of, head, column, by);
  if (std::isnan(over.mean)) return {};
  if (column == AnswerColumn::lost)
    return wording(
        "stream:answer.told.lost",
        {{"n", of.lost.front()->sequences}, {"low", share_text(-over.high)}, {"high", share_text(-over.low)}});
  return wording("stream:answer.told.over", {{"n", of.over->answers},
                                             {"mean", share_text(over.mean)},
                                             {"low", share_text(over.low)},
                                             {"high", share_text(over.high)}});
}

std::string said_of_chance(const Result& of, std::size_t head, AnswerColumn column, AnswerBy by) {
  const double chance = chance_of(of, head, column, by);
  if (std::isnan(chance)) return {};
  const auto layer = static_cast<std::size_t>(of.answer.heads[head].layer);
  return wording("stream:answer.told.chance", {{"n", of.random[layer].drawn}, {"most", share_text(chance)}});
}

std::vector<Index> answer_rows(const Result& of, int column, AnswerBy by) {
  std::vector<Index> rows(of.answer.heads.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  const std::vector<AnswerColumnEntry> columns = answer_columns(of);
  if (column < 0 || column >= std::ssize(columns)) return rows;
  const AnswerColumn sorted = nth(columns, column).column;
  const auto key = [&](Index k) {  // a head that writes much comes first, and so does one without which much is lost
    const double change = change_of(of, static_cast<std::size_t>(k), sorted, by);
    if (std::isnan(change)) return std::numeric_limits<double>::infinity();
    return sorted == AnswerColumn::direct ? -change : change;
  };
  std::ranges::stable_sort(rows, {}, key);
  return rows;
}

std::string answer_sentence(const Result& of, const Trace& trace, AnswerBy by) {
  if (of.answer.heads.empty()) return {};
  std::string text = in_this_sentence(of, trace);
  for (const std::string& more : {by == AnswerBy::probability ? of_random(of, trace) : in_logits(of, trace, by),
                                  of_sets(of, trace), of_other_sentence(of, trace), over_others(of, trace)})
    if (!more.empty()) text += " " + more;
  const Index words = trace.model.next_words.words.size();
  return text + " " +
         wording("stream:answer.quote.chance", {{"n", words}, {"chance", share_text(1 / static_cast<double>(words))}});
}

std::string answer_sum(const Result& of, AnswerBy by) {
  const bool difference = by == AnswerBy::difference;
  double heads = 0;
  for (const HeadAnswer& head : of.answer.heads) heads += difference ? head.against_rival : head.direct;
  const double rest = difference ? of.answer.rest_against_rival : of.answer.rest;
  const auto text = [](double value) { return ui::number(value, As::share); };
  return wording(difference ? "stream:answer.sum.difference" : "stream:answer.sum",
                 {{"heads", text(heads)}, {"rest", text(rest)}, {"all", text(heads + rest)}});
}

std::string answer_title(const Result& of, const Trace& trace) {
  const NextWords& words = trace.model.next_words;
  const std::string answer = wording("stream:answer.title", {{"asked", asked_in_words(of, trace)},
                                                             {"probability", share_text(of.answer.read.probability)}});
  if (!of.asked.rival) return answer;
  return wording("stream:answer.title.rival",
                 {{"answer", answer},
                  {"rival", words.words.word(*of.asked.rival)},
                  {"difference", ui::number(told_of(of.answer.read, AnswerBy::difference), As::share)}});
}

}  // namespace hydra
