// The pages of the documents that ship: each document has one, and what the pages of single layers quote is what the
// program computes. Those of stacks: designed_stacks.tests.cpp, designed_choices.tests.cpp.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/document/text/known_words.h"
#include "core/io/opening.h"
#include "core/learn/opened/named_roles.h"
#include "core/learn/task.h"
#include "tests/core/document/shipped/designed_stacks.h"

using namespace hydra;
using namespace hydra::test;

namespace {

constexpr int kEight = 8;  // heads of these documents

// Of the only layer.
float looks(const Trace& trace, int head, const std::string& query, const std::string& key) {
  return attention(trace, {1, head}, query, key);
}
// "“animal” 0.83": what the row of the query gives to the key.
std::string gives(const Trace& trace, int head, const std::string& query, const std::string& key) {
  return "“" + key + "” " + two_digits(looks(trace, head, query, key));
}
// As the pages of trained models write shares: ".47".
std::string point(double value, int digits = 2) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text + (value < 1 ? 1 : 0);
}
std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f\u00a0%%", 100 * share);
  return text;
}

FeatureSet features(const std::vector<std::string>& names) {
  FeatureSet set = 0;
  for (const std::string& name : names) set |= feature_bit(Lexicon::standard().feature(name));
  return set;
}

}  // namespace

TEST_CASE("pages: every document that ships has one", "[document][pages]") {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::data("../../assets/documents"))) {
    CAPTURE(file.path());
    const Notes notes = read_document(file.path().string()).notes;
    CHECK(notes.title.size() > 10);
    REQUIRE(notes.paragraphs.size() >= 3);
    CHECK_FALSE(notes.paragraphs.front().starts_with("# "));
    CHECK_FALSE(notes.paragraphs.back().starts_with("# "));
    ++count;
  }
  CHECK(count >= 30);
}

// What to look at, with its key, and a question; numbers come after it. Four hundred bytes are some twelve lines of the
// page, and are read at 1280x800 without scrolling.
TEST_CASE("pages: each begins with a key and a question, before any answer", "[document][pages]") {
  std::vector<std::pair<std::string, Notes>> pages{{"opening", opening_notes()}};
  for (const auto& file : std::filesystem::directory_iterator(test::data("../../assets/documents")))
    pages.emplace_back(file.path().filename().string(), read_document(file.path().string()).notes);
  const std::regex decimal("[0-9]*\\.[0-9]+");
  for (const auto& [name, page] : pages) {
    CAPTURE(name);
    const std::string& first = page.paragraphs.front();
    CHECK(first.find('?') != std::string::npos);
    CHECK((first.find("ress ") != std::string::npos));
    CHECK_FALSE(std::regex_search(first, decimal));
    CHECK(first.size() <= 400);
  }
}

TEST_CASE("pages: the opening document's heads", "[document][pages]") {
  const Document document = opening_document();
  const auto trace = evaluate(document);
  CHECK(document.notes == opening_notes());
  CHECK(says(document, "Head 1 gives “girl” " + two_digits(looks(*trace, 1, "she", "girl")) + " from “she”"));
  CHECK(says(document, "head 4 “dog”, the subject; 2 and 3 give the full stop and the word before"));
  CHECK(looks(*trace, 4, "she", "dog") > 0.99f);
  CHECK(looks(*trace, 2, "she", ".") > 0.99f);
  CHECK(looks(*trace, 3, "she", "because") > 0.99f);
}

TEST_CASE("pages: eight designed heads", "[document][pages]") {
  const Document document = shipped("heads_designed");
  const auto trace = evaluate(document);
  CHECK(says(document,
             "Head 1 gives " + gives(*trace, 1, "it", "animal") + " and " + gives(*trace, 1, "it", "street") + "."));
}

TEST_CASE("pages: what eight designed heads are called on forty sentences and on one", "[document][pages][slow]") {
  const Document document = shipped("heads_designed");
  const auto trace = evaluate(document);
  ThreadPool pool(2);
  learn::NamedRoles tables(&pool);
  const auto marked = std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
  const auto names = [&](RoleTable table) {
    table.bounds = bounds_of(table.random, &pool);
    std::vector<std::string> keys;
    for (const HeadName& name : names_of(table)) keys.push_back(role_key(name.role));
    return keys;
  };
  const std::vector<std::string> all = names(tables.pooled(document, 0, marked)),
                                 one = names(tables.of_sentence(*trace, document, 0, marked));
  CHECK(says(document, "heads 1 and 4 are “mixed”, though head 1 gives " + gives(*trace, 1, "it", "animal") +
                           ", and head 8 is “self”"));
  for (std::size_t head = 0; head < all.size(); ++head) {
    CAPTURE(head, all[head]);
    CHECK(one[head] == (head == 0 || head == 3 ? "mixed" : head == 7 ? "self" : all[head]));
    CHECK(all[head] != "mixed");
  }
}

TEST_CASE("pages: tired and wide share one, and one layer tells them apart for the adjective alone",
          "[document][pages]") {
  const Document tired = shipped("designed_animal_tired"), wide = shipped("designed_animal_wide");
  check_twins(tired, wide);
  const auto of_tired = evaluate(tired), of_wide = evaluate(wide);
  const std::string it = gives(*of_tired, 1, "it", "animal");
  CHECK(gives(*of_wide, 1, "it", "animal") == it);
  CHECK(two_digits(looks(*of_tired, 2, "it", "tired")) == "1.00");
  CHECK(two_digits(looks(*of_wide, 2, "it", "wide")) == "1.00");
  for (const Document& document : {tired, wide}) {
    CHECK(says(document, "“tired” gives " + gives(*of_tired, 4, "tired", "animal") + ", and “wide” gives " +
                             gives(*of_wide, 4, "wide", "street") + "."));
    CHECK(says(document, "“it” gives " + it + " with both"));
    CHECK(says(document, "“The” at the word after it (" + two_digits(looks(*of_tired, 4, "the", "animal")) + ")"));
  }
}

TEST_CASE("pages: the cat and the mat, with another adjective and with slices", "[document][pages]") {
  const Document document = shipped("designed_cat_mat_soft");
  const auto trace = evaluate(document),
             hungry = evaluate(apply(document, SetSentence{"The cat sat on the mat because it was hungry."})),
             sliced = evaluate(apply(document, SetSplit{Split::slice}));
  CHECK(says(document, "Head 4: " + two_digits(looks(*trace, 4, "soft", "mat")) + ". Head 1 gives " +
                           gives(*trace, 1, "it", "mat") + " from “it”, and head 3 gives " +
                           gives(*trace, 3, "sat", "cat") + " from “sat”."));
  CHECK(says(document, "head 4 gives " + gives(*hungry, 4, "hungry", "cat") + ", and head 1 still gives " +
                           gives(*hungry, 1, "it", "mat") + "."));
  const Index soft = place_of(*sliced, "soft"), words = static_cast<Index>(sliced->tokens.size());
  for (Index key = 0; key < words; ++key)
    CHECK(says(document,
               "the row of “soft” is even, " + two_digits(attention(*sliced, {1, 4}, soft, key)) + " for each"));
}

TEST_CASE("pages: the horse, the homework, the cat that was adopted", "[document][pages]") {
  const Document horse = shipped("designed_horse_road");
  const auto road = evaluate(horse);
  CHECK(says(horse,
             "Head 1 gives " + gives(*road, 1, "it", "horse") + " and head 2 " + gives(*road, 2, "it", "tired") + ":"));

  const Document homework = shipped("designed_teacher_homework");
  const auto trace = evaluate(homework), warm = evaluate(apply(homework, SetSetting{LayerSetting::temperature, 10})),
             car = evaluate(apply(homework, SetSentence{"The car is a vehicle."}));
  CHECK(says(homework, "At “students”: " + two_digits(looks(*trace, 1, "their", "students")) + "."));
  CHECK(says(homework, "with T = 10 “students” has " + two_digits(looks(*warm, 1, "their", "students")) +
                           " and “teacher” " + two_digits(looks(*warm, 1, "their", "teacher"))));
  CHECK(says(homework, "“gave” asks: its row gives " + gives(*trace, 3, "gave", "teacher")));
  CHECK(says(homework, "Head 3 gives " + gives(*trace, 3, "their", "students") + " from “their”"));
  CHECK(says(homework, "each gives the other " + two_digits(looks(*car, 7, "car", "vehicle")) + "."));
  CHECK(two_digits(looks(*car, 7, "vehicle", "car")) == two_digits(looks(*car, 7, "car", "vehicle")));

  const Document adopted = shipped("designed_cat_adopted");
  const auto cat = evaluate(adopted);
  CHECK(says(adopted, "“sleeps” gives " + gives(*cat, 3, "sleeps", "cat") + ", across three words"));
  CHECK(says(adopted, "“adopted” gives “I” " + two_digits(looks(*cat, 3, "adopted", "i"))));
  float most = 0;
  for (int head = 1; head <= kEight; ++head) {
    most = std::max(most, looks(*cat, head, "adopted", "cat"));
    CHECK((looks(*cat, head, "that", "cat") > 0.2f) == (head == 3 || head == 5));
  }
  CHECK(says(adopted, "from “adopted” no head gives “cat” more than " + two_digits(most)));
  CHECK(says(adopted, "“that” gives “cat” " + two_digits(looks(*cat, 5, "that", "cat")) + " in head 5 and " +
                          two_digits(looks(*cat, 3, "that", "cat")) + " in head 3"));
  const auto asking = [&](const char* feature) {
    HeadDesign design = *adopted.layers.front().source.designs[1];
    design.asks.push_back({{{feature, 1}}, {{"noun", 1}}});
    return evaluate(apply(adopted, DesignHead{1, design}));
  };
  const auto relative = asking("relative"), any = asking("any");
  CHECK(says(adopted,
             "First “that” gives “cat” " + two_digits(looks(*relative, 2, "that", "cat")) + ", then every word does"));
  CHECK(looks(*relative, 2, "sleeps", "cat") < 0.2f);
  for (const std::string& word : any->tokens) CHECK(two_digits(looks(*any, 2, word_key(word), "cat")) == "1.00");
}

TEST_CASE("pages: heads designed for the grammar, before and after the guessed word is corrected",
          "[document][pages]") {
  const Document document = shipped("grammar_designed");
  const auto trace = evaluate(document),
             corrected = evaluate(apply(document, SetWordFeatures{"chases", features({"verb", "singular"})}));
  CHECK(says(document, "gives " + gives(*trace, 4, "chases", "cats") + ". “chases” is dotted"));
  CHECK(says(document, "“king” has " + two_digits(looks(*corrected, 4, "chases", "king")) + ", “she” " +
                           two_digits(looks(*corrected, 4, "chases", "she")) + "."));
  CHECK(says(document, "1 gives " + gives(*trace, 1, "she", "girl") + " from “she”"));
}

TEST_CASE("pages: identity weights, and words whose order is taken away", "[document][pages]") {
  const Document document = shipped("slices");
  CHECK(says(document, "“cat” " + two_digits(looks(*evaluate(document), 1, "cat", "cat")) + "."));
  const auto bitten = [&](Embedding::Positions positions, const std::string& sentence) {
    const auto trace = evaluate(apply(apply(document, SetSentence{sentence}), SetPositions{positions}));
    std::vector<float> weights;
    for (int head = 1; head <= kEight; ++head) weights.push_back(looks(*trace, head, "bit", "dog"));
    return weights;
  };
  const std::string dog_bites = "the dog bit a man", man_bites = "a man bit the dog";
  const std::vector<float> here = bitten(Embedding::Positions::none, dog_bites),
                           there = bitten(Embedding::Positions::none, man_bites);
  for (std::size_t h = 0; h < here.size(); ++h) CHECK(here[h] == Approx(there[h]).epsilon(1e-4));
  CHECK(says(document, "In each head what it was: " + two_digits(here[0]) + " in head 1, " + two_digits(here[2]) +
                           " in head 3."));
  CHECK(says(document, "head 1 has " + two_digits(bitten(Embedding::Positions::sinusoidal, dog_bites)[0]) +
                           " in the first sentence and " +
                           two_digits(bitten(Embedding::Positions::sinusoidal, man_bites)[0]) + " in the second."));
}

TEST_CASE("pages: the smallest rank", "[document][pages]") {
  const Document document = shipped("smallest_rank");
  const auto trace = evaluate(document);
  CHECK(says(document, "it gives itself " + two_digits(looks(*trace, 1, "a", "a")) + ". The row of “b” stays at " +
                           two_digits(looks(*trace, 1, "b", "a")) + " and " + two_digits(looks(*trace, 1, "b", "b")) +
                           "."));
}

TEST_CASE("pages: shared keys, as the class shares them", "[document][pages]") {
  const Document document = shipped("shared_keys");
  const Document eight = apply(apply(document, SetKvHeads{kEight}), SetWeightSource{Init::xavier, 8});
  const Mat<float> Y = *evaluate(eight)->layer(0).output;
  const auto changed = [&](const SetKvHeads& edit) {
    const Mat<float> shared = *evaluate(apply(eight, edit))->layer(0).output;
    return percent(static_cast<double>((shared - Y).norm() / Y.norm()));
  };
  CHECK(says(document, "the output changes by " + changed({4}) + " for four sets, " + changed({2}) + " for two, " +
                           changed({1}) + " for one."));
  CHECK(says(document, "and not the output (" + changed({1, true}) + ")"));
}

TEST_CASE("pages: two exercises on paper", "[document][pages]") {
  const auto row = [](const Mat<float>& C, Index from, Index count) {
    std::string text = "[";
    for (Index col = from; col < from + count; ++col) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.3g", col == from ? "" : ", ", static_cast<double>(C(0, col)));
      text += number;
    }
    return text + "]";
  };
  const Document paper = shipped("paper_exercise");
  const auto trace = evaluate(paper);
  const Mat<float> C = values_of(*trace, {Quantity::concat, 0}).row(place_of(*trace, "it"));
  CHECK(says(paper, "Head 1: " + row(C, 0, 4) + ". Head 2: " + row(C, 4, 4) + "."));
  const Document typed = apply(paper, SetSentence{"robot road because it was tired"});
  for (const PaintedHead<float>& head : typed.layers.front().painted) CHECK(head.attention.empty());

  const Document token = shipped("two_heads_by_hand");
  const auto heads = [](const Document& document) -> Mat<float> {
    return values_of(*evaluate(document), {Quantity::concat, 0});
  };
  const Mat<float> by_hand = heads(token);
  CHECK(says(token, "Head 1 gives " + row(by_hand, 0, 2) + ", head 2 " + row(by_hand, 2, 2) + ", side by side " +
                        row(by_hand, 0, 4)));
  for (const Quantity weights : {Quantity::W_Q, Quantity::W_K})
    CHECK(heads(apply(token, set_cell(weights, 0, 0, 3))) == by_hand);
  CHECK_FALSE(heads(apply(token, set_cell(Quantity::W_V, 0, 0, 3))) == by_hand);
}

// --- trained models -------------------------------------------------------------------------------------------------

namespace {

// What the model answers to a question about a word, and with what probability.
std::pair<std::string, double> answer(const Trace& trace, Index question, Index place) {
  const Array<float> P = trace.model.of_question(trace.model.probabilities, question);
  const Index best = likeliest(P, place, 1).front();
  return {trace.model.next_words.words.word(best), P(place, best)};
}

}  // namespace

TEST_CASE("pages: a trained model has the page of its task", "[document][pages]") {
  for (const auto& [name, key] : {std::pair{"trained_induction", "induction"},
                                  {"trained_grammar", "grammar"},
                                  {"trained_king", "pronoun"},
                                  {"trained_students_1", "students"},
                                  {"trained_students_4", "students"},
                                  {"trained_students_32", "students"}}) {
    CAPTURE(name);
    const auto task = learn::make_task(key);
    CHECK(shipped(name).notes == Notes{task->outline().title, task->outline().page});
    const std::string& about = task->outline().page_about;
    CHECK((about.empty() || about == shipped(name).sentence));
  }
}

TEST_CASE("pages: the grammar's heads", "[document][pages]") {
  const Document document = shipped("trained_grammar");
  const auto trace = evaluate(document);
  CHECK(says(document,
             "head 1 gives “she” the girl, and heads 2, 3 and 4 the end mark, the word before and the "
             "subject, the king"));
  CHECK(looks(*trace, 1, "she", "girl") > 0.99f);
  CHECK(looks(*trace, 2, "she", ".") > 0.99f);
  CHECK(looks(*trace, 3, "she", "because") > 0.99f);
  CHECK(looks(*trace, 4, "she", "king") > 0.99f);
  const std::string agreeing = "the keys behind the robot are rusty .";
  CHECK(says(document, "“" + agreeing + "”"));
  const Document keys = apply(document, SetSentence{agreeing});
  CHECK(known_words(keys, tokens_of(keys)).all());
  const auto rusty = evaluate(keys);
  CHECK(answer(*rusty, 2, place_of(*rusty, "are")).first == "keys");
}

TEST_CASE("pages: what “he” reads with “weak” and with “heavy”", "[document][pages]") {
  const Document document = shipped("trained_king");
  const auto weak = evaluate(document),
             heavy =
                 evaluate(apply(document, SetSentence{"the king could not lift the uncle because he was too heavy ."}));
  for (const int head : {2, 3}) {
    CHECK(attention(*weak, {2, head}, "he", "king") > 0.9f);
    CHECK(attention(*heavy, {2, head}, "he", "uncle") > 0.9f);
  }
  for (const auto& trace : {weak, heavy}) CHECK(attention(*trace, {2, 4}, "he", "king") > 0.9f);
  CHECK(says(document, "In layer 1 head 4 gives “weak” " + point(attention(*weak, {1, 4}, "he", "weak"), 3) + " from"));
  float most = 0;
  for (int head = 1; head <= 4; ++head) most = std::max(most, attention(*heavy, {1, head}, "he", "heavy"));
  CHECK(says(document, "no head of that layer gives it more than " + point(most) +
                           " from there: head 4 goes to “uncle” (" + point(attention(*heavy, {1, 4}, "he", "uncle")) +
                           ")"));
  CHECK(answer(*weak, 3, place_of(*weak, "he")).first == "king");
  const auto [uncle, sure] = answer(*heavy, 3, place_of(*heavy, "he"));
  CHECK(uncle == "uncle");
  CHECK(says(document, "the answer is right all the same (" + point(sure, 3) + ")"));
}

TEST_CASE("pages: what both heads of layer 2 find in the last row", "[document][pages]") {
  const Document document = shipped("trained_induction");
  const auto trace = evaluate(document);
  const Index last = static_cast<Index>(trace->tokens.size()) - 1;
  CHECK(trace->tokens.back() == "tree");
  CHECK(says(document, "“star”: head 1 finds it where it stood last (" +
                           point(attention(*trace, {2, 1}, last, place_of(*trace, "star", 2)), 3) +
                           "), head 2 where it stood first (" +
                           point(attention(*trace, {2, 2}, last, place_of(*trace, "star"))) + ")"));
  CHECK(answer(*trace, 0, last).first == "star");
}

TEST_CASE("pages: which head has which question of the students", "[document][pages]") {
  // What a head gives, in the mean of the rows, to the classmate whom a question names.
  const auto given = [](const Trace& trace, int head, std::size_t question) {
    const auto part = [](const std::string& token, std::size_t k) {
      std::size_t from = 0;
      for (; k > 0; --k) from = token.find('+', from) + 1;
      return token.substr(from, token.find('+', from) - from);
    };
    double sum = 0;
    for (std::size_t i = 0; i < trace.tokens.size(); ++i)
      for (std::size_t j = 0; j < trace.tokens.size(); ++j)
        if (part(trace.tokens[i], 2 + question).substr(2) == part(trace.tokens[j], 0))
          sum += attention(trace, {1, head}, static_cast<Index>(i), static_cast<Index>(j));
    return sum / static_cast<double>(trace.tokens.size());
  };
  const Document document = shipped("trained_students_4");
  const auto one = evaluate(shipped("trained_students_1")), four = evaluate(document),
             many = evaluate(shipped("trained_students_32"));
  std::string heads;
  double most = 0;
  for (std::size_t question = 0; question < 4; ++question) {
    for (int head = 1; head <= 4; ++head)
      if (given(*four, head, question) > 0.8)
        heads += std::to_string(head) + (question < 2 ? ", " : question < 3 ? " and " : "");
    for (int head = 1; head <= 32; ++head) most = std::max(most, given(*many, head, question));
  }
  CHECK(says(document, "the four questions have heads " + heads + "."));
  CHECK(says(document, "questions 1 and 3, with " + point(given(*one, 1, 0)) + " and " + point(given(*one, 1, 2)) +
                           " in the mean; of 32 heads none has more than " + point(most) + " for any."));
}

TEST_CASE("pages: what stands around the heads moves nothing between words, and has most weights",
          "[document][pages]") {
  const Document document = shipped("whole_block");
  const auto trace = evaluate(document);
  const LayerTrace<float>& layer = trace->layers.at(0);
  const Mat<float> R = values_of(*trace, {Quantity::stream, 0, kNoHead});
  for (Index i = 0; i < R.rows(); ++i) {
    CHECK(R.row(i).mean() == Approx(0).margin(1e-5));
    CHECK(R.row(i).squaredNorm() / static_cast<float>(R.cols()) == Approx(1).epsilon(1e-3));
  }
  // Another word at the end, with heads and without.
  const auto rows_moved = [](Document base) {
    const Mat<float> before = values_of(*evaluate(base), {Quantity::stream, 0, kNoHead});
    const auto after =
        evaluate(apply(base, SetSentence{"The animal didn't cross the street because it was too wide."}));
    const Mat<float> moved = values_of(*after, {Quantity::stream, 0, kNoHead}) - before;
    return std::pair{(moved.rowwise().norm().array() > 0).count(), moved.row(place_of(*after, "wide")).norm()};
  };
  const auto [with_heads, by_heads] = rows_moved(document);
  CHECK(with_heads > 1);
  const auto [alone, by_itself] = rows_moved(apply(document, SetGates{std::vector<float>(4, 0)}));
  CHECK(alone == 1);
  CHECK(by_itself > 0);

  const auto& w = layer.input.weights;
  const Index heads = w.W_Q->size() + w.W_K->size() + w.W_V->size() + w.W_O->size();
  const Index around = w.W_1->size() + w.W_2->size();
  CHECK(heads == 16384);
  CHECK(around == 2 * heads);
  CHECK(says(document, "16,384"));
  CHECK(says(document, "32,768"));
}
