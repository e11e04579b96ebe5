#include "core/text/vocabulary.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using Words = std::vector<std::string>;
using test::fault_at;

TEST_CASE("vocabulary: each word has its place, as it is spelled", "[core][text]") {
  const Vocabulary vocabulary(Words{"the", "cat", "The", "猫"});
  CHECK(vocabulary.size() == 4);
  CHECK(vocabulary.find("the") == 0);
  CHECK(vocabulary.find("The") == 2);
  CHECK(vocabulary.find("猫") == 3);
  CHECK(vocabulary.find("ca") == Vocabulary::kNone);
  CHECK(vocabulary.find_all({"cat", "dog", "cat"}) == IndexLists{{1}, {}, {1}});
  CHECK(vocabulary == Vocabulary(Words{"the", "cat", "The", "猫"}));
  CHECK_FALSE(vocabulary == Vocabulary(Words{"cat", "the", "The", "猫"}));
  CHECK(Vocabulary().size() == 0);
  CHECK(Vocabulary().find("the") == Vocabulary::kNone);
}

TEST_CASE("vocabulary: a token is itself, or the words between its plus signs where they are known", "[core][text]") {
  const Vocabulary vocabulary(Words{"Ann", "apple", "1:Bob", "C+", "a+b", "a", "+"});
  CHECK(vocabulary.find_all({"Ann+apple+1:Bob", "apple+apple", "Ann+pear", "a+b", "a+a", "+", "C+", "Ann+", "+a",
                             "C++a"}) == IndexLists{{0, 1, 2}, {1, 1}, {}, {4}, {5, 5}, {6}, {3}, {}, {}, {}});
  CHECK(vocabulary.knows("Ann+a"));
  CHECK_FALSE(vocabulary.knows("Ann++a"));
  const auto words_of = [&](const char* token) {
    const auto words = vocabulary.words_of(token);
    return Words(words.begin(), words.end());
  };
  CHECK(words_of("Ann+pear") == Words{"Ann", "pear"});
  CHECK(words_of("fig+pear") == Words{"fig+pear"});  // nothing says that it is two
  CHECK(words_of("Ann+") == Words{"Ann+"});
  const Words tokens{"Ann+pear", "fig+pear", "apple", "Ann+apple", "Ann+pear"};
  CHECK(words_in(vocabulary, tokens) == Words{"Ann", "pear", "fig+pear", "apple"});
  CHECK(missing_in(vocabulary, tokens) == Words{"pear", "fig+pear"});
}

TEST_CASE("vocabulary: case is folded where there is one other spelling, unless it is exact", "[core][text]") {
  using Case = Vocabulary::Case;
  const Vocabulary vocabulary(Words{"the", "Ann", "Bill", "bill", "Élan", "猫"});
  CHECK(vocabulary.letter_case() == Case::folded);
  CHECK(vocabulary.row_of("The") == 0);
  CHECK(vocabulary.row_of("THE") == 0);
  CHECK(vocabulary.row_of("ann") == 1);
  CHECK(vocabulary.row_of("bill") == 3);
  CHECK(vocabulary.row_of("BILL") == Vocabulary::kNone);  // "Bill" and "bill": neither is meant
  CHECK(vocabulary.row_of("élan") == 4);
  CHECK(vocabulary.row_of("them") == Vocabulary::kNone);
  CHECK(vocabulary.find("The") == Vocabulary::kNone);
  CHECK(vocabulary.find_all({"The", "ANN+the", "BILL", "ann+them"}) == IndexLists{{0}, {1, 0}, {}, {}});
  CHECK(vocabulary.knows("THE"));
  CHECK(words_in(vocabulary, {"The", "the", "Cat"}) == Words{"the", "Cat"});

  const Vocabulary exact = vocabulary.with(Case::exact);
  CHECK(exact.row_of("The") == Vocabulary::kNone);
  CHECK(exact.row_of("the") == 0);
  CHECK(exact.find_all({"The", "Ann+the"}) == IndexLists{{}, {1, 0}});
  CHECK(words_in(exact, {"The", "the"}) == Words{"The", "the"});
  CHECK(exact.words() == vocabulary.words());
  CHECK_FALSE(exact == vocabulary);
  CHECK(exact.with(Case::folded) == vocabulary);
  CHECK(Vocabulary().row_of("the") == Vocabulary::kNone);
}

TEST_CASE("vocabulary: what is none is refused with a sentence", "[core][text]") {
  CHECK_THROWS_WITH(check_vocabulary({}), fault_at("a vocabulary", "1 to 4096 words, not 0"));
  CHECK_THROWS_WITH(check_vocabulary({"a", ""}), fault_at("word 1 of the vocabulary", "empty"));
  CHECK_THROWS_WITH(check_vocabulary({"a", "b", "a"}), fault_at("word 2 of the vocabulary", "same as word 0"));
  CHECK_THROWS_WITH(check_vocabulary({"a\x01"}), fault_at("word 0 of the vocabulary", "control characters"));
  CHECK_THROWS_WITH(check_vocabulary({"\xff"}), fault_at("word 0 of the vocabulary", "UTF-8"));
  CHECK_THROWS_WITH(check_vocabulary({std::string(kMaxVocabularyBytes + 1, 'a')}),
                    fault_at("vocabulary", "65537 bytes"));
  Words many;
  for (Index k = 0; k < kMaxVocabulary; ++k) many.push_back(std::to_string(k));
  CHECK_NOTHROW(check_vocabulary(many));
  many.push_back("one more");
  CHECK_THROWS_WITH(check_vocabulary(many), fault_at("a vocabulary", "not 4097"));
}

TEST_CASE("vocabulary: of a text each word once, in its order, but for what no vocabulary has", "[core][text]") {
  CHECK(distinct({"the", "cat", "saw", "the", "dog", "cat"}) == Words{"the", "cat", "saw", "dog"});
  CHECK(distinct({"a", "\x02", "b"}) == Words{"a", "b"});
}

TEST_CASE("vocabulary: the words that it lacks, each once, some of them by name", "[core][text]") {
  const Vocabulary vocabulary(Words{"the", "cat"});
  CHECK(missing_in(vocabulary, {"The", "cat", "saw", "the", "The"}) == Words{"saw"});
  CHECK(missing_in(vocabulary.with(Vocabulary::Case::exact), {"The", "cat", "saw", "the", "The"}) ==
        Words{"The", "saw"});
  CHECK(missing_in(vocabulary, {"the"}).empty());
  CHECK(listed({"The", "saw"}) == "“The”, “saw”");
  CHECK(listed({"a", "b", "c"}, 1) == "“a” and 2 more");
}
