// Next word, or next character, of a text of one's own.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/error.h"
#include "core/files/utf8.h"
#include "core/learn/tasks/frequencies.h"
#include "core/learn/tasks/parts.h"
#include "core/text/clusters.h"
#include "core/text/tokenizer.h"
#include "core/text/wording.h"

namespace hydra::learn {

namespace {

constexpr Index kLeastUnits = 100;                        // of a text
constexpr std::size_t kMostRows = 255;                    // words with a row of their own: a readout over more is slow
constexpr Index kWordPlaces = 32, kCharacterPlaces = 48;  // of a sequence
constexpr const char *kRare = "…", *kSpace = "␣";         // rare words; white space between characters

const char* one_of(Unit unit) { return unit == Unit::word ? "word" : "character"; }
std::string name_of(Unit unit) { return std::string(one_of(unit)) + "s"; }

// Characters as readers see them; white space and control characters in a row are one space.
std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> units;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first <= ' ' || first == 0x7F) {
      if (!units.empty() && units.back() != kSpace) units.emplace_back(kSpace);
      ++at;
      continue;
    }
    const std::size_t end = end_of_cluster(text, at);
    units.emplace_back(text.substr(at, end - at));
    at = end;
  }
  if (!units.empty() && units.back() == kSpace) units.pop_back();
  return units;
}

std::vector<std::string> units_of(std::string_view text, Unit unit) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark that some programs begin a file with
  if (text.size() > kMostTextBytes)
    throw InputError("the text has " + std::to_string(text.size()) + " bytes; take a part of it of at most " +
                     std::to_string(kMostTextBytes));
  if (const std::size_t broken = first_broken(text); broken < text.size())
    throw InputError("the text must be UTF-8, and byte " + std::to_string(broken) + " of it is not; save it as UTF-8");
  std::vector<std::string> units = unit == Unit::word ? tokenize(text) : characters_of(text);
  if (std::ssize(units) < kLeastUnits)
    throw InputError("the text has " + std::to_string(units.size()) + " " + name_of(unit) +
                     "; training needs at least " + std::to_string(kLeastUnits) +
                     ", and a few hundred lines are better");
  return units;
}

constexpr const char* kTextPage = R"(
The model reads pieces of the text, {places} {unit}s long and cut anywhere, and is asked after each {unit} for the next.
This is how large language models are trained, on a text of theirs.

Of this text {rows} {unit}s have a vector of their own. {rare}{space}

# The lines

Guessing; the single frequencies, which need no attention at all; and the pairs, what usually follows this {unit}. The
readout can learn pairs by itself, since it sees which {unit} stands there. Clearly below that line attention has done
something.

# What to watch

The previous-token head: two {unit}s tell more than one. And the induction head: what followed this {unit} earlier in
the same piece. Repeats in the text are what it feeds on.

# Honest remarks

A small text is soon learned by heart: the loss of what is learned from falls far below the loss of the last tenth of
the text, which training never sees. Where the second one rises while the first one falls, nothing is learned any more
but the text itself.

Each line says which of the two it is for. “Pairs by heart” belongs to the text that is learned from; the other two
belong to the last tenth.

? On three English texts of 2600 to 5000 words, three runs each, words were best after 10 to 350 steps and learned by heart
from then on; characters got better until step 560 or longer.
)";

class Text final : public Task {
 public:
  Text(std::string_view text, Unit unit) {
    info_.key = "text";
    info_.title = unit == Unit::word ? "A text of your own: the next word" : "A text of your own: the next character";
    info_.questions = {unit == Unit::word ? "next word" : "next character"};
    info_.shape = {.length = unit == Unit::word ? kWordPlaces : kCharacterPlaces, .slots = 1, .questions = 1};
    info_.causal = true;
    describe_copies(info_);
    read(units_of(text, unit), unit);
    add_baselines(unit);
    tell(unit);
    info_.readout_scale = 0;
    info_.recipe = {.layers = 2, .heads = 4, .d_model = 64, .batch = 32, .steps = 1000};
    info_.recipe.positions = {.kind = PositionRecipe::Kind::sinusoid, .base = 10, .scale = 3};
    info_.recipe.optimizer.rate = unit == Unit::word ? 0.003 : 0.006;
  }

  const TaskInfo& info() const override { return info_; }

  void draw(Random& random, Stream stream, const SequenceOut& out) const override {
    clear(out);
    const std::span<const std::int32_t> from = stream == Stream::evaluation ? held_out() : learned();
    // One word more is known than stands in the sequence: the last answer.
    const Index length = std::min(info_.shape.length, std::ssize(from) - 1);
    const auto begin = static_cast<std::size_t>(choose(random, std::ssize(from) - length));
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
      out.words[i] = from[begin + i];
      const std::int32_t next = from[begin + i + 1];
      if (is_asked(next)) out.targets[i] = next;
    }
    *out.length = static_cast<std::int32_t>(length);
    mark_copies(out);
  }

 private:
  void read(const std::vector<std::string>& units, Unit unit);
  void add_baselines(Unit unit);
  void tell(Unit unit);

  std::span<const std::int32_t> learned() const { return std::span(text_).first(text_.size() - text_.size() / 10); }
  std::span<const std::int32_t> held_out() const { return std::span(text_).last(text_.size() / 10); }
  bool is_asked(std::int32_t word) const { return word < info_.answers.size(); }  // all but the rare ones
  // Calls f(word, next) for each neighbour that is asked.
  template <class F>
  void each_pair(std::span<const std::int32_t> words, const F& f) const {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (is_asked(words[i + 1])) f(words[i], words[i + 1]);
  }

  std::vector<std::int32_t> text_;  // rows of E
  double asked_ = 0;                // share of words that have a row of their own
  TaskInfo info_;
};

// The most frequent words have rows, in the order of how frequent they are and of the text; behind them what all others
// share.
void Text::read(const std::vector<std::string>& units, Unit unit) {
  struct Entry {
    std::string_view word;
    std::int32_t count = 0;
  };
  std::vector<Entry> entries;  // in the order of the text
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string& word : units) {
    if (word == kRare) continue;
    const auto [at, is_new] = places.emplace(word, entries.size());
    if (is_new) entries.push_back({word});
    ++entries[at->second].count;
  }
  if (entries.size() < 2)
    throw InputError("the text repeats one of its " + name_of(unit) +
                     " and has no other; take one in which something can follow");
  const std::size_t different = entries.size();
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.count > b.count; });
  entries.resize(std::min(different, kMostRows));

  std::vector<std::string> words;
  std::unordered_map<std::string_view, std::int32_t> rows;
  for (const Entry& entry : entries) {
    rows.emplace(entry.word, static_cast<std::int32_t>(words.size()));
    words.emplace_back(entry.word);
    asked_ += entry.count / static_cast<double>(units.size());
  }
  if (asked_ < 0.5)
    throw InputError("the text has " + std::to_string(different) + " different " + name_of(unit) + ", of which the " +
                     std::to_string(kMostRows) + " most frequent make up only " + figures(100 * asked_, 2) +
                     " %; take a longer or a simpler one" + (unit == Unit::word ? ", or ask for characters" : ""));
  check_vocabulary(words);
  info_.answers = Vocabulary(words);
  const auto rare = static_cast<std::int32_t>(words.size());
  for (const std::string& word : units) {
    const auto row = rows.find(word);
    text_.push_back(row == rows.end() ? rare : row->second);
  }
  if (std::ranges::find(text_, rare) != text_.end()) words.emplace_back(kRare);
  info_.words = Vocabulary(std::move(words));
}

void Text::add_baselines(Unit unit) {
  const Index words = info_.words.size(), answers = info_.answers.size();
  Frequencies known(words, answers);
  each_pair(learned(), [&](Index word, Index next) { known.add(word, next); });
  const Index frequent = known.most_frequent();
  const std::vector<Index> after = known.most_frequent_after();
  Score single, pair, by_heart;
  each_pair(held_out(), [&](Index word, Index next) {
    single.add(frequent == next, -std::log(known.single(next)));
    pair.add(after[static_cast<std::size_t>(word)] == next, -std::log(known.pair(word, next)));
  });
  each_pair(learned(), [&](Index word, Index next) {
    by_heart.add(after[static_cast<std::size_t>(word)] == next, -std::log(known.plain_pair(word, next)));
  });
  if (single.count() == 0 || by_heart.count() == 0)
    throw InputError(std::string("no ") + one_of(unit) +
                     " of the text's last tenth, which is kept for evaluation, is frequent enough to be asked for; "
                     "take a longer text");
  const bool word = unit == Unit::word;
  const std::string kept = " " + wording("training:text.kept");
  info_.baselines = {
      {.name = "guessing",
       .label = wording("training:baseline.guessing"),
       .accuracy = 1 / static_cast<double>(answers),
       .loss = std::log(static_cast<double>(answers)),
       .how = word ? wording("training:text.guessing.words", {{"n", answers}})
                   : wording("training:text.guessing.characters", {{"n", answers}})},
      {.name = "single frequencies",
       .label = wording("training:baseline.single"),
       .accuracy = single.accuracy(),
       .loss = single.loss(),
       .how = wording(word ? "training:text.single.words" : "training:text.single.characters") + kept},
      {.name = "pair frequencies",
       .label = wording("training:baseline.pair"),
       .accuracy = pair.accuracy(),
       .loss = pair.loss(),
       .how = wording(word ? "training:text.pair.words" : "training:text.pair.characters") + kept},
      {.name = "pairs by heart",
       .label = wording("training:baseline.by_heart"),
       .accuracy = by_heart.accuracy(),
       .loss = by_heart.loss(),
       .how = wording(word ? "training:text.by_heart.words" : "training:text.by_heart.characters")},
  };
}

void Text::tell(Unit unit) {
  const bool has_rare = info_.words.size() > info_.answers.size();
  const std::string rare = "All others are rare and share the sign “…”, which is read but never asked for; " +
                           figures(100 * (1 - asked_), 2) + " % of the text are such.";
  info_.page = paragraphs(kTextPage, {{"{places}", std::to_string(info_.shape.length)},
                                      {"{rows}", std::to_string(info_.answers.size())},
                                      {"{unit}", one_of(unit)},
                                      {"{space}", unit == Unit::character ? " White space is written “␣”." : ""},
                                      {"{rare}", has_rare ? rare : "They are all that it has."}});
}

}  // namespace

std::shared_ptr<const Task> make_text_task(std::string_view text, Unit unit) {
  return std::make_shared<Text>(text, unit);
}

}  // namespace hydra::learn
