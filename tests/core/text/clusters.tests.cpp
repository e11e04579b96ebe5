#include "core/text/clusters.h"

#include <catch2/catch.hpp>
#include <vector>

#include "core/files/utf8.h"
#include "core/linalg/random.h"
#include "core/text/tokenizer.h"

using namespace hydra;

namespace {
std::vector<std::string> clusters(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_cluster(text, at);
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}
using Parts = std::vector<std::string>;
}  // namespace

TEST_CASE("clusters: what a reader takes for one character is one", "[core][clusters]") {
  CHECK(clusters("abc") == Parts{"a", "b", "c"});
  CHECK(clusters("e\u0301a\u0308\u0323x") == Parts{"e\u0301", "a\u0308\u0323", "x"});
  CHECK(clusters("漢字") == Parts{"漢", "字"});
  CHECK(clusters("か\u3099き") == Parts{"か\u3099", "き"});
  CHECK(clusters("שָׁלוֹם") == Parts{"שָׁ", "ל", "וֹ", "ם"});
  CHECK(clusters("हिन्दी") == Parts{"हि", "न्दी"});
  CHECK(clusters("क्षेत्र") == Parts{"क्षे", "त्र"});
  CHECK(clusters("ที่") == Parts{"ที่"});
  CHECK(clusters("\u1112\u1161\u11ab\u1100\u1173") == Parts{"\u1112\u1161\u11ab", "\u1100\u1173"});
  CHECK(clusters("👩‍👩‍👧👍🏽❤️🇩🇪🇫🇷1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿") ==
        Parts{"👩‍👩‍👧", "👍🏽", "❤️", "🇩🇪", "🇫🇷", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"});
  CHECK(clusters("می\u200cخواهم").size() == 7);
  CHECK(clusters("a\u200fb") == Parts{"a\u200f", "b"});
  CHECK(clusters("\xff\x80").size() == 2);
}

TEST_CASE("clusters: none is longer than any script has, and those that scripts have are whole", "[core][clusters]") {
  const auto times = [](const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
  };
  const auto codes = [](std::string_view cluster) {
    int count = 0;
    for (std::size_t at = 0; at < cluster.size(); ++count) at = decode(cluster, at).end;
    return count;
  };
  for (const std::string& text : {times("👩\u200d", 5000), times("क्", 5000), "e" + times("\u0301", 5000),
                                  times("\u1112", 5000), times("\u200d", 5000)}) {
    const Parts parts = clusters(text);
    CHECK(parts.size() == static_cast<std::size_t>((codes(text) + kLongestCluster - 1) / kLongestCluster));
    for (const std::string& part : parts) REQUIRE(codes(part) <= kLongestCluster);
  }
  for (const std::string& whole :
       {"e" + times("\u0301", 30), std::string("👩🏽\u200d❤️\u200d💋\u200d👨🏿"), std::string("र्त्स्न्र्य")})
    CHECK(clusters(whole) == Parts{whole});
}

TEST_CASE("clusters: no token ends within one", "[core][clusters]") {
  const char* pieces[] = {"a",  " ",      "漢", "か",     "\u3099", "ş", "e\u0301", "👍",  "🏽", "👩‍👩‍👧",
                          "🇩🇪", "❤️", "ש",  "ָ",       "م",      "ّ",  "न्",       "दी", "हि",   "ที่",
                          "한", "!",      "।",  "1️⃣"};
  Random random(20250712);
  for (int round = 0; round < 2000; ++round) {
    std::string sentence;
    for (auto length = random.bits() % 10; length > 0; --length) sentence += pieces[random.bits() % std::size(pieces)];
    CAPTURE(sentence);
    std::size_t begin = 0;
    for (const std::string& token : tokenize(sentence)) {
      begin = sentence.find(token, begin);
      REQUIRE(begin != std::string::npos);
      std::size_t at = begin;
      while (at < begin + token.size()) at = end_of_cluster(sentence, at);
      REQUIRE(at == begin + token.size());
      begin = at;
    }
  }
}

TEST_CASE("clusters: code points are named in logical order", "[core][clusters]") {
  CHECK(spelled_out("שב") == "ש U+05E9, ב U+05D1");
  CHECK(spelled_out("👍🏽") == "👍🏽 U+1F44D U+1F3FD");
  CHECK(spelled_out("हिन्") == "हि U+0939 U+093F, न् U+0928 U+094D");
  CHECK(spelled_out(std::string(10000, 'x')).size() < 300);
  CHECK(is_beyond_latin("שב"));
  CHECK(is_beyond_latin("ok👍"));
  CHECK(is_beyond_latin("Ж"));
  CHECK_FALSE(is_beyond_latin("didn’t — Été…"));
}
