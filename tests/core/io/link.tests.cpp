#include "core/io/link.h"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "core/document/edits/edit.h"
#include "core/error.h"
#include "core/io/examples.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "core/linalg/random.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/examples.h"
#include "tests/support/faults.h"
#include "tests/support/sanitized.h"

using namespace hydra;
using test::data;
using test::fault_at;

namespace {

std::string fault_of_link(const std::string& link) {
  try {
    parse_link(link);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return {};
}

std::string base64url(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned group = 0;
  int bits = 0;
  for (const char c : bytes) {
    group = (group << 8 | static_cast<unsigned char>(c)) & 0xFFFF;
    for (bits += 8; bits >= 6; bits -= 6) text += digits[group >> (bits - 6) & 63];
  }
  if (bits > 0) text += digits[group << (6 - bits) & 63];
  return text;
}

// Without its page, so that every character of its link can be tried.
Document linked_design() {
  Document document = test::example("grammar_designed");
  document.notes = {};
  return document;
}

}  // namespace

TEST_CASE("link: every document that ships comes back to the same bytes", "[core][link]") {
  std::size_t most = 0;
  for (const auto& file : std::filesystem::directory_iterator(data("../../assets/documents"))) {
    const std::string path = file.path().string();
    CAPTURE(path);
    const Document document = read_document(path);
    const std::string link = link_text(document);
    most = std::max(most, link.size());
    CHECK(document_text(parse_link(link).document) == document_text(document));
    CHECK(document_text(read_document(link)) == document_text(document));
  }
  CHECK(most < 2000);  // as docs/document.md says
}

TEST_CASE("link: an example of many numbers is a short one, with a sentence and weights of the user's",
          "[core][link]") {
  for (const std::string file : {"trained_king.json", "trained_induction.json", "trained_students_1.json",
                                 "trained_students_4.json", "trained_students_32.json"}) {
    CAPTURE(file);
    Document document = open_example(file).document;
    CHECK(link_text(document).size() < 100);
    for (Index k = 0; k < 5; ++k)
      document = apply(document, {set_cell(Quantity::W_K, k, k, 0.3f * static_cast<float>(k)), 0});
    document = apply(document, {SetGate{0, 0.5f}, 0});
    const std::string link = link_text(document);
    CHECK(link.find("&of=" + file + "-") != std::string::npos);
    CHECK(link.size() < 1000);
    CHECK(example_wanted(link).empty());
    CHECK(document_text(parse_link(link).document) == document_text(document));
    std::string other = link;
    other.back() = other.back() == '0' ? '1' : '0';
    CHECK(fault_of_link(other).starts_with("the link changes the example " + file + " of another version"));
  }
  const std::string unknown = link_text(opening_document()).append("&of=../../etc/passwd-12345678");
  CHECK_THAT(fault_of_link(unknown), fault_at("the link", "../../etc/passwd", "no example"));
  CHECK(example_wanted(unknown).empty());
}

// Made by version 0.1.0 before examples were linked by what was changed of them: the checksum of the document's file,
// the link, a line each.
TEST_CASE("link: those that were given away open still", "[core][link]") {
  std::istringstream lines(read_whole(data("links_v0_1.txt")));
  int opened = 0;
  for (std::string sum, link; lines >> sum >> link; ++opened) {
    CAPTURE(link);
    const std::string text = document_text(parse_link(link).document);
    const auto found = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    CHECK(std::stoul(sum, nullptr, 16) == found);
  }
  CHECK(opened == 10);
}

TEST_CASE("examples: what a page has fetched replaces nothing, and has the name of one", "[core][link]") {
  const std::string slices(example_text("slices.json"));
  keep_example("slices.json", "{}");
  CHECK(example_text("slices.json") == slices);
  keep_example("nothing.json", "{}");
  CHECK(example_text("nothing.json").empty());
}

TEST_CASE("examples: each is in the menu once, with its title and what it shows", "[core][link]") {
  std::set<std::string> files, titles;
  for (const ExampleGroup& group : examples()) {
    for (const Example& example : group.examples) {
      CAPTURE(example.file);
      CHECK(files.insert(example.file).second);
      CHECK(titles.insert(example.title).second);
      CHECK(!example.shows.empty());
      CHECK(find_example(example.file) == &example);
      CHECK(!open_example(example.file).document.notes.empty());
    }
  }
  for (const auto& file : std::filesystem::directory_iterator(data("../../assets/documents")))
    CHECK(files.contains(file.path().filename().string()) != (file.path().filename() == "grammar_designed.json"));
  CHECK_THROWS_WITH(open_example("nothing.json"), fault_at("nothing.json", "no such example"));
}

TEST_CASE("link: the opening document is a short one, with a sentence and weights of the user's, too", "[core][link]") {
  Document document = opening_document();
  const std::string plain = link_text(document);
  CHECK(plain.size() < 100);
  CHECK(document_text(parse_link(plain).document) == document_text(document));
  document = apply(document, SetSentence{"the king sees the girl because he is lost ."});
  for (Index k = 0; k < 5; ++k)
    document = apply(document, set_cell(Quantity::W_Q, k, 3 * k, 0.1f * static_cast<float>(k)));
  document = apply(document, SetGate{2, 0});
  const std::string link = link_text(document, {"mixing", "shares", 1, 2}, "https://example.org/lab/");
  CHECK(link.size() < 1000);
  const Link read = parse_link(link);
  CHECK(document_text(read.document) == document_text(document));
  CHECK(read.place == LinkPlace{"mixing", "shares", 1, 2});
  // Of another version, cut, and with changes that nobody writes.
  std::string other = link;
  const std::size_t stamp = other.find("&of=") + 4;
  other[stamp] = other[stamp] == '0' ? '1' : '0';
  CHECK_THAT(fault_of_link(other), fault_at("the link", "the opening document of another version"));
  const auto patch = [&](const std::string& text) {
    std::string bytes(compressBound(text.size()), 0);
    uLongf size = bytes.size();
    compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
    bytes.resize(size);
    return fault_of_link("#d=" + base64url(bytes) + link.substr(link.find("&of=")));
  };
  const std::string deep = R"([{"op":"replace","path":"/d_model","value":)" + std::string(100'000, '[');
  std::string many = R"([{"op":"add","path":"/z","value":[)";
  for (int k = 0; k < 200'000; ++k) many += "0,";
  many += "0]}";
  for (int k = 0; k < 5000; ++k) many += R"(,{"op":"add","path":"/z/0","value":0})";
  CHECK(patch(deep).starts_with("the link is damaged: what it changes"));
  CHECK(patch(many + "]").starts_with("the link is damaged: what it changes"));
  for (const char* text : {"", "{}", "[1]", "[{}]", R"([{"op":"copy","from":"/layers","path":"/layers/0"}])",
                           R"([{"op":"add"}])", R"([{"op":"remove","path":"/nothing"}])", R"([{"op":"add","path":7}])"})
    CHECK(patch(text).starts_with("the link is damaged: what it changes"));
  CHECK(patch(R"([{"op":"replace","path":"/d_model","value":-1}])").find("d_model") != std::string::npos);
  CHECK(patch(R"([])").empty());
}

TEST_CASE("link: documents after random edits come back to the same bits", "[core][link]") {
  Random random(3);
  const int most = test::kSanitized ? 60 : 400;
  int fit = 0, longest = 0;
  for (int k = 0; k < most; ++k) {
    Document document = apply(apply(default_document(), SetModelWidth{8}), SetHeads{2});
    for (Index step = below(random, 12); step >= 0; --step) {
      try {
        document = apply(document, random_edit(random, document));
      } catch (const InputError&) {
      }
    }
    CAPTURE(k);
    std::string link;
    try {
      link = link_text(document);
    } catch (const InputError& refused) {
      CHECK(std::string(refused.what()).find("give its file instead") != std::string::npos);
      continue;
    }
    ++fit;
    longest = std::max(longest, static_cast<int>(link.size()));
    CHECK(link.size() <= kMostLinkLength);
    CHECK(is_link(link));
    REQUIRE(same_document(parse_link(link).document, document));
    REQUIRE(same_document(read_document(link), document));
    CHECK(link_text(parse_link(link).document) == link);
  }
  CAPTURE(fit, longest);
  CHECK(fit > most / 2);
}

TEST_CASE("link: it stands behind a page's address", "[core][link]") {
  const std::string link = link_text(linked_design(), {"heads", "", 1, 2});
  for (const std::string page :
       {"https://school.example/lab/", "https://school.example/lab/#", "https://school.example/lab/#d=old"})
    CHECK(link_text(linked_design(), {"heads", "", 1, 2}, page) == "https://school.example/lab/" + link);
  CHECK_THROWS_AS(link_text(linked_design(), {}, std::string(kMostLinkLength, 'a')), InputError);
}

TEST_CASE("link: one that names a file beside a page says which", "[core][link]") {
  for (const std::string link : {"https://school.example/lab/#url=slices.json", "#url=slices.json&view=heads",
                                 "url=slices.json", "%23url%3Dslices.json"}) {
    CAPTURE(link);
    CHECK(is_link(link));
    CHECK_THAT(fault_of_link(link), fault_at("the link", "slices.json", "open that file"));
  }
  CHECK(fault_of_link("#url=" + std::string(5000, 'a')).size() < 400);
  const std::string both = "#url=slices.json&" + link_text(linked_design()).substr(1);
  CHECK(document_text(parse_link(both).document) == document_text(linked_design()));
}

TEST_CASE("link: a document of many numbers is refused before it is written", "[core][link]") {
  Document document = apply(default_document(), SetModelWidth{512});
  Layer& layer = document.layers.front();
  layer.source.kind = WeightSource::Kind::trained;
  try {
    link_text(document);
    FAIL("a million numbers fit into a link");
  } catch (const InputError& refused) {
    CHECK(std::string(refused.what()).find("far more than 8000 characters") != std::string::npos);
  }
}

TEST_CASE("link: a place travels along, and what it does not say is not said", "[core][link]") {
  const LinkPlace place{"stream", "routing", 2, 3};
  CHECK(parse_link(link_text(linked_design(), place)).place == place);
  CHECK(parse_link(link_text(linked_design())).place == LinkPlace{});
  const std::string link = link_text(linked_design());
  CHECK(parse_link(link + "&layer=0&head=many&view=&color=red").place == LinkPlace{});
}

TEST_CASE("link: it is read as it is pasted", "[core][link]") {
  const std::string link = link_text(linked_design(), {"heads", "", 1, 2});
  const std::string text = document_text(linked_design());
  std::string broken = link, escaped = link;
  broken.insert(40, "\r\n  ");
  escaped.replace(0, 3, "%23d%3D");
  for (const std::string& pasted : {"https://school.example/lab/" + link, link.substr(1), "  " + link + ".\n",
                                    "<https://school.example/" + link + ">", broken, "http://a/?x=1" + escaped}) {
    CAPTURE(pasted);
    CHECK(is_link(pasted));
    const Link read = parse_link(pasted);
    CHECK(document_text(read.document) == text);
    CHECK(read.place.head == 2);
  }
  CHECK_FALSE(is_link("lesson.json"));
  CHECK_FALSE(is_link(""));
}

TEST_CASE("link: cut anywhere it says so", "[core][link]") {
  const std::string link = link_text(linked_design());
  for (std::size_t length = 3; length < link.size(); ++length) {
    CAPTURE(length);
    const std::string sentence = fault_of_link(link.substr(0, length));
    CHECK(sentence.find("the link is cut") == 0);
    CHECK(sentence.find("copy it anew") != std::string::npos);
  }
}

TEST_CASE("link: with any character changed it opens no other document", "[core][link]") {
  const std::string link = link_text(linked_design());
  const std::string text = document_text(linked_design());
  const std::string characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%!#&= ";
  const std::size_t step = test::kSanitized ? 7 : 1;
  int same = 0;
  for (std::size_t at = 0; at < link.size(); ++at) {
    for (std::size_t k = at % step; k < characters.size(); k += step) {
      std::string other = link;
      other[at] = characters[k];
      if (other == link) continue;
      CAPTURE(at, other);
      std::string opened, fault;
      try {
        opened = document_text(parse_link(other).document);
      } catch (const InputError& told) {
        fault = told.what();
      }
      same += fault.empty();
      if (fault.empty())
        REQUIRE(opened == text);
      else
        REQUIRE(fault.find("the link") == 0);
    }
  }
  // Another mark at its beginning, bits that say nothing, another place with the same words: the document is the same.
  CHECK(same < 60);
}

TEST_CASE("link: what is no document, of another version or too much is one sentence", "[core][link]") {
  // Made by Python's zlib and base64: [1, 2] and {"hydrascope": 2}.
  CHECK_THAT(fault_of_link("#d=eNqLNtRRMIoFAATuAWg"), fault_at("the link: the document", "object"));
  CHECK_THAT(fault_of_link("#d=eNqrVsqoTClKLE7OL0hVslIwqgUAOVsF-w"), fault_at("the link", "version"));
  CHECK_THAT(fault_of_link("https://school.example/#view=heads"), fault_at("the link", "has no document"));
  CHECK_THAT(fault_of_link("#d="), fault_at("the link", "cut"));
  CHECK_THAT(fault_of_link("#d=ab!d"), fault_at("the link", "\"!\" as character 3"));
  CHECK_THAT(fault_of_link("#d=" + std::string(5u << 20, 'A')), fault_at("the link", "more than any"));
  CHECK_THAT(fault_of_link("#d=AAAA"), fault_at("the link", "damaged"));
}

TEST_CASE("link: what would become more than any document is not unpacked", "[core][link]") {
  const std::string blanks(80u << 20, ' ');
  auto size = compressBound(static_cast<uLong>(blanks.size()));
  std::string bytes(size, '\0');
  REQUIRE(compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(blanks.data()),
                   static_cast<uLong>(blanks.size())) == Z_OK);
  const std::string link = "#d=" + base64url(bytes.substr(0, size));
  CHECK(link.size() < 200000);
  CHECK_THAT(fault_of_link(link), fault_at("the link", "more than 8 MiB"));
}

TEST_CASE("link: what a few characters may ask for has an end, and a link that is made keeps to it", "[core][link]") {
  Document document = default_document();
  document = apply(document, SetModelWidth{1024});
  while (document.layers.size() < 12) document = apply(document, {AddLayer{}, 0});
  CHECK_THROWS_WITH(link_text(document), fault_at("the link", "more than 24 million numbers"));
  const std::string text = R"({"hydrascope": 1, "d_model": 1024, "layers": [{},{},{},{},{},{},{},{},{},{},{},{}]})";
  std::string bytes(compressBound(text.size()), '\0');
  auto size = static_cast<uLong>(bytes.size());
  REQUIRE(compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                   static_cast<uLong>(text.size())) == Z_OK);
  CHECK_THAT(fault_of_link("#d=" + base64url(bytes.substr(0, size))),
             fault_at("the link: /layers/5", "more than 24 million numbers", "give its file instead"));
}
