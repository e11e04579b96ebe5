// What a document marks in its sentences: edits, the file, bad input.
#include <catch2/catch.hpp>

#include "core/document/edits/history.h"
#include "core/document/text/marks.h"
#include "core/io/file.h"
#include "core/io/link.h"
#include "tests/support/faults.h"

using namespace hydra;
using hydra::test::fault_at;

namespace {

Document reading(const std::string& sentence) { return hydra::apply(default_document(), SetSentence{sentence}); }

// Pairs as they stand in the file.
std::string saved(const Document& document) {
  const std::string text = document_text(document);
  const std::size_t from = text.find("\"marks\""), to = text.find("\n  \"d_model\"");
  return from == std::string::npos ? "" : text.substr(from, to - from);
}

Document read_with(const std::string& marks) {
  return parse_document(R"({"hydrascope": 1, "sentence": "The cat saw the dog", "marks": )" + marks + "}", "a.json");
}

}  // namespace

TEST_CASE("marks: pairs are marked and unmarked by name, stay with their sentence, and are saved as words",
          "[core][document]") {
  Document document = reading("She gave the boy the ball .");
  const Document before = document;
  document = hydra::apply(document, MarkPair{"gift", 1, 5});
  document = hydra::apply(document, MarkPair{"gift", 1, 3});
  document = hydra::apply(document, MarkPair{"gift", 1, 3});  // it is there
  document = hydra::apply(document, MarkPair{"coreference", 3, 0});
  REQUIRE(document.marks.size() == 1);
  CHECK(document.marks[0].tokens == tokens_of(document));
  CHECK(document.marks[0].relations ==
        std::vector<MarkedRelation>{{"coreference", {{3, 0}}}, {"gift", {{1, 3}, {1, 5}}}});
  CHECK(saved(document) == R"("marks": [
    {"sentence": "She gave the boy the ball .",
     "relations": {"coreference": [["boy", "She"]],
       "gift": [["gave", "boy"], ["gave", "ball"]]}}
  ],)");

  document = hydra::apply(document, SetSentence{"The cat saw the dog"});
  document = hydra::apply(document, MarkPair{"the one", 0, 3});
  CHECK(document.marks.size() == 2);
  CHECK(saved(document).find(R"("the one": [["The@1", "the@2"]])") != std::string::npos);
  CHECK(relations_in(document.marks) == std::vector<std::string>{"coreference", "gift", "the one"});
  CHECK(same_document(parse_document(document_text(document), "again"), document));
  CHECK(same_document(parse_link(link_text(document)).document, document));
  CHECK(stamp_of(document) != stamp_of(hydra::apply(document, DropRelation{"gift"})));

  // With the marks of the sentence that ship, if there are some.
  const auto here = marked_here(nullptr, document.marks, tokens_of(before));
  REQUIRE(here);
  CHECK(here->gold[0] == std::vector<GoldPair>{{3, 0}});
  CHECK(here->own == std::vector<MarkedRelation>{{"gift", {{1, 3}, {1, 5}}}});
  CHECK_FALSE(marked_here(nullptr, document.marks, {"nothing"}));

  document = hydra::apply(document, MarkPair{"the one", 0, 3, false});
  CHECK(document.marks.size() == 1);
  document = hydra::apply(document, MarkPair{"the one", 0, 3, false});  // there is none
  CHECK(document.marks.size() == 1);
  for (const char* name : {"gift", "coreference"}) document = hydra::apply(document, DropRelation{name});
  CHECK(document.marks.empty());
  CHECK(same_document(hydra::apply(document, SetSentence{before.sentence}), before));
}

TEST_CASE("marks: what a sentence ships with and what a document marks are one", "[core][document]") {
  const AnnotatedSentence& shipped = standard_sentences().sentences.front();
  std::size_t relation = 0;
  while (shipped.gold[relation].empty()) ++relation;
  const GoldPair known = shipped.gold[relation].front();
  const std::string key = relations()[relation].key;
  const MarkedText text{shipped.sentence, shipped.tokens, {{"mine", {{1, 0}}}, {key, {known}}}};
  const auto here = marked_here(&shipped, {text}, shipped.tokens);
  REQUIRE(here);
  CHECK(here->gold == shipped.gold);  // the pair was there
  CHECK(here->own == std::vector<MarkedRelation>{{"mine", {{1, 0}}}});
}

TEST_CASE("marks: an edit that makes no pair is refused with one sentence", "[core][document]") {
  const Document document = reading("The cat saw the dog");
  const auto refused = [&](const std::string& relation, int query, int key) {
    try {
      hydra::apply(document, MarkPair{relation, query, key});
    } catch (const InputError& fault) {
      return std::string(fault.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refused("owner", 2, 2), fault_at("a pair", "not to itself"));
  CHECK_THAT(refused("owner", 2, 5), fault_at("a pair", "from 0 to 4"));
  CHECK_THAT(refused("owner", -1, 0), fault_at("a pair", "from 0 to 4"));
  CHECK_THAT(refused(" ", 0, 1), fault_at("a relation", "needs a name"));
  CHECK_THAT(refused("a\tb", 0, 1), fault_at("the name of a relation", "control"));
  CHECK_THAT(refused(std::string(25, 'x'), 0, 1), fault_at("the name of a relation", "25 letters"));
  CHECK_THAT(refused("Subject_Verb", 0, 1), fault_at("\"Subject_Verb\"", "less like it"));
  CHECK(refused("éééééééééééééééééééééééé", 0, 1) == "accepted");  // 24 letters
  Document many = document;
  for (char c = 'a'; c < 'j'; ++c) many = hydra::apply(many, MarkPair{std::string(3, c), 0, 1});
  many = hydra::apply(many, MarkPair{"negation", 0, 1});  // none of one's own
  CHECK_THROWS_WITH(hydra::apply(many, MarkPair{"zzz", 0, 1}), fault_at("there", "10 relations of your own"));
  const Document one = reading("word");
  CHECK_THROWS_WITH(hydra::apply(one, MarkPair{"owner", 0, 1}), fault_at("a pair", "from 0 to 0"));
}

TEST_CASE("marks: a file's bad marks are one sentence with the place", "[core][document]") {
  const auto fault = [](const std::string& marks) {
    try {
      read_with(marks);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(fault(R"([{"sentence": "A b a", "relations": {"x": [["a@1", "a@2"]]}}])").empty());
  CHECK_THAT(fault(R"([{"sentence": "A b a", "relations": {"x": [["a", "b"]]}}])"),
             fault_at("a.json: /marks/0/relations/x/0/0", "occurs 2 times"));
  CHECK_THAT(fault(R"([{"sentence": "A b", "relations": {}}])"), fault_at("a.json: /marks/0", "no pair"));
  CHECK_THAT(fault(R"([{"sentence": "A b", "relations": {"x": [["a", "b"]], "x": [["b", "a"]]}}])"),
             fault_at("a.json: /marks/0/relations/x", "twice"));
  CHECK_THAT(fault(R"([{"sentence": "A b", "relations": {"x": [["a", "b"]]}},
                       {"sentence": "A b", "relations": {"y": [["a", "b"]]}}])"),
             fault_at("a.json: /marks", "marked twice"));
  CHECK_THAT(fault(R"([{"sentence": "A b", "relations": {"negaton": [["a", "b"]]}}])"),
             fault_at("a.json: /marks/0/relations/negaton", "\"negation\""));
  CHECK_THAT(fault(R"({"sentence": "A b"})"), fault_at("a.json: /marks", "an array of marked sentences"));
  std::string pairs;
  for (int k = 0; k < 10000; ++k) pairs += (k > 0 ? R"(, ["a", "b"])" : R"(["a", "b"])");
  CHECK_THAT(fault(R"([{"sentence": "A b", "relations": {"x": [)" + pairs + "]}}]"),
             fault_at("a.json: /marks/0/relations/x", "10000 pairs"));
  std::string sentence = std::string(60000, 'w'), texts;
  for (int k = 0; k < 12; ++k)
    texts += (k > 0 ? std::string(", ") : std::string()) + R"({"sentence": ")" + sentence + " v" + std::to_string(k) +
             R"(", "relations": {"x": [[")" + sentence + R"(", "v)" + std::to_string(k) + R"("]]}})";
  CHECK_THAT(fault("[" + texts + "]"), fault_at("a.json: /marks", "bytes"));
}

TEST_CASE("marks: tokens that the tokenizer would cut otherwise come back as they were", "[core][document]") {
  Document document = default_document();
  document.sentence = "a@b @ a@b", document.tokens = std::vector<std::string>{"a@b", "@", "a@b", "New York"};
  document = hydra::apply(document, MarkPair{"x", 0, 2});
  document = hydra::apply(document, MarkPair{"x", 1, 3});
  CHECK(same_document(parse_document(document_text(document), "again"), document));
}
