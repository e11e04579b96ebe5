// The interface in another language: one made of English, in which every text stands in quotes of its own. What is
// drawn without them is no text of the table.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "app/draw/recording.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "core/explain/quantity.h"
#include "core/text/wording.h"
#include "tests/support/examples.h"
#include "tests/support/open_page.h"
#include "tests/support/sanitized.h"
#include "tests/support/session.h"
#include "tests/support/unspoken.h"

using namespace hydra;

namespace {

struct Quoted {
  Quoted() {
    Wording other = shipped_wording();
    for (auto& [key, text] : other.texts) text = "«" + text + "»";
    use_wording(std::move(other));
  }
  ~Quoted() { use_wording({}); }
};

// What stands outside of all quotes.
std::string outside(const std::string& text) {
  std::string left;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::string_view here = std::string_view(text).substr(k, 2);
    if (here == "«")
      ++depth, ++k;
    else if (here == "»")
      depth = std::max(0, depth - 1), ++k;
    else if (depth == 0)
      left += text[k];
  }
  return left;
}

}  // namespace

TEST_CASE("wording: whatever is drawn in words is of the table", "[app][wording]") {
  const Quoted quoted;
  Session s(test::example("heads_designed"), {1600, 1000});
  Recording recording({1600, 1000});
  s.app.record_in(&recording, true);
  std::set<std::string> left, said;
  // Two words of small letters beside each other, or a long one: no symbol, and no token of the sentence.
  static const std::regex kWords("[a-z]{2,} [a-z]{2,}|[a-z]{6,}");
  const auto look = [&] {
    s.settle();
    for (const Recording::Mark& mark : recording.marks()) {
      const auto* words = std::get_if<Recording::Words>(&mark.what);
      if (!words) continue;
      CHECK(test::unspoken_key(words->meant) == "");
      if (words->meant.find("«") != std::string::npos) said.insert(words->meant);
      if (const std::string rest = outside(words->meant); std::regex_search(rest, kWords)) left.insert(words->meant);
    }
  };
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    look();
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id || test::kSanitized) continue;
      test::open_page(s.app, page);
      look();
    }
  }
  s.app.record_in(nullptr);
  if (const char* where = std::getenv("HYDRA_UNWORDED")) {
    std::ofstream out(where);
    for (const std::string& text : left) out << text << '\n';
  }
  CHECK(said.size() > (test::kSanitized ? 100 : 300));
  INFO(left.size() << " texts that are drawn are not of the table");
  CHECK(left.size() < 95);
}

TEST_CASE("wording: no key stands in the place of its text", "[app][wording]") {
  const std::string name = GENERATE(as<std::string>(), "heads_designed", "stack_induction", "trained_grammar",
                                    "shared_keys", "whole_block", "trained_students_4");
  if (test::kSanitized && name != "whole_block") return;
  Session s(test::example(name), {1600, 1000});
  Recording recording({1600, 1000});
  s.app.record_in(&recording, true);
  int looked_at = 0;
  const auto look = [&](const std::string& where) {
    CAPTURE(name, where);
    s.settle();
    for (const Recording::Mark& mark : recording.marks())
      if (const auto* words = std::get_if<Recording::Words>(&mark.what)) {
        ++looked_at;
        CHECK(test::unspoken_key(words->meant) == "");
      }
  };
  for (const ViewEntry& view : all_views()) {
    s.set(s.view().view, view.id);
    look(view.key);
    for (const PageEntry& page : all_pages()) {
      if (page.view != view.id) continue;
      test::open_page(s.app, page);
      look(std::string(view.key) + "/" + page.key);
    }
  }
  // Every matrix in the inspector, its first number opened.
  s.set(s.view().view, ViewId::flow);
  for (int q = 0; q < kQuantities; ++q)
    for (const int head : {kNoHead, 0}) {
      const Site site{static_cast<Quantity>(q), 0, head};
      if (!exists(s.app.trace(), site)) continue;
      s.set(act::Select{Cell{site, 0, 0}});
      look("inspector, " + symbol(site));
    }
  s.app.record_in(nullptr);
  CHECK(looked_at > 500);
}
