// Relations of one's own, measured on every head.
#include "core/measures/own_relations.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/learn/opened/named_roles.h"
#include "core/measures/sentence_folder.h"
#include "tests/support/faults.h"

using namespace hydra;
using hydra::test::fault_at;
using learn::NamedRoles;

namespace {

// Three sentences, marked: who has what.
Document marked() {
  Document document = default_document();
  const std::tuple<const char*, int, int> owners[] = {
      {"She saw her dog .", 2, 3}, {"The boy lost his hat .", 3, 4}, {"They sold their red car .", 2, 4}};
  for (const auto& [sentence, query, key] : owners) {
    document = hydra::apply(document, SetSentence{sentence});
    document = hydra::apply(document, MarkPair{"owned", query, key});
  }
  return hydra::apply(document, MarkPair{"owner", 2, 0});
}

}  // namespace

TEST_CASE("own relations: the attention from the marked query to its key, in the mean over the marked rows",
          "[core][roles]") {
  const Document document = marked();
  const MarkedSentences own = sentences_of(document.marks), shipped = shipped_sentences();
  NamedRoles tables;
  const RoleTable table = tables.over(document, 0, own, shipped);
  REQUIRE(table.measured_jobs().size() == 2);
  CHECK(table.measured_jobs()[0]->title == "owned");
  CHECK(table.measured_jobs()[1]->title == "owner");
  CHECK(table.jobs.empty());
  for (Index h = 0; h < 8; ++h) {
    double owned = 0, owner = 0;
    for (const MarkedText& text : document.marks) {
      const auto trace = evaluate(with_tokens(document, text.tokens));
      for (const MarkedRelation& relation : text.relations)
        for (const GoldPair& pair : relation.pairs)
          (relation.name == "owned" ? owned : owner) +=
              static_cast<double>((*trace->layer(0).heads[static_cast<std::size_t>(h)].attention)(pair.from, pair.to));
    }
    const RoleMeasures& head = table.heads[static_cast<std::size_t>(h)];
    CHECK(head.jobs[0].mass == Approx(owned / 3).epsilon(1e-6));
    CHECK(head.jobs[0].rows == 3);
    CHECK(head.jobs[1].mass == Approx(owner).epsilon(1e-6));
    CHECK(head.jobs[1].rows == 1);
    CHECK(head.jobs[0].best_offset == 1);  // in two of three sentences
    CHECK(head.jobs[0].offset_accuracy == Approx(2.0 / 3));
  }
  CHECK_FALSE(std::isnan(table.chance.jobs[0].mass));  // what random heads reach

  // On its own sentence a head is measured on what is marked there.
  const auto trace = evaluate(document);
  const RoleTable here = tables.of_sentence(*trace, document, 0, shipped);
  CHECK(here.measured_jobs().size() == 2);
  CHECK(here.heads[0].jobs[0].rows == 1);
  CHECK(here.heads[0].jobs[1].mass == Approx((*trace->layer(0).heads[0].attention)(2, 0)).epsilon(1e-6));
  // Nothing that anybody marks changes what heads are called elsewhere.
  const Document unmarked = hydra::apply(hydra::apply(document, DropRelation{"owned"}), DropRelation{"owner"});
  const auto labels = [&](const Document& of) {
    NamedRoles fresh;
    RoleTable pooled = fresh.pooled(of, 0, shipped);
    pooled.bounds = bounds_of(pooled.random);
    std::vector<std::string> names;
    for (const HeadName& name : names_of(pooled)) names.push_back(role_key(name.role));
    return names;
  };
  CHECK(labels(document) == labels(unmarked));
  CHECK(tables.pooled(document, 0, shipped).measured_jobs().empty());
}

TEST_CASE("own relations: in a stack as in each layer, and more than can be told apart are refused", "[core][roles]") {
  const Document document = hydra::apply(marked(), {AddLayer{}, 0});
  const MarkedSentences own = sentences_of(document.marks), shipped = shipped_sentences();
  NamedRoles tables, of_layer;
  const StackRoleTables stack = tables.over(document, own, shipped);
  for (int k = 0; k < 2; ++k) {
    const RoleTable one = of_layer.over(document, k, own, shipped);
    CHECK(stack[static_cast<std::size_t>(k)]->heads[3].jobs[0].mass == one.heads[3].jobs[0].mass);
    CHECK(stack[static_cast<std::size_t>(k)]->own.size() == 2);
  }
  auto many = std::make_shared<std::vector<AnnotatedSentence>>(1);
  many->front().tokens = {"a", "b"};
  for (char c = 'a'; c < 'k'; ++c) many->front().own.push_back({std::string(2, c), {{1, 0}}});
  CHECK_THROWS_WITH(with_own_relations(many), fault_at("these sentences", "10 relations of your own"));
  CHECK(with_own_relations(shipped).sentences == shipped);
}

TEST_CASE("own relations: a file of the user's folder may have some, and is read again when it changes",
          "[core][roles]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("hydrascope_folder_" + std::to_string(std::rand()));
  fs::create_directories(folder);
  const auto put = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  SentenceFolder own(folder.string());
  CHECK(own.sentences()->empty());
  CHECK_FALSE(own.update());
  put("a.json", R"({"title": "A", "sentence": "She saw her dog", "relations": {"owned": [["her", "dog"]]}})");
  CHECK(own.update());
  REQUIRE(own.sentences()->size() == 1);
  CHECK(own.sentences()->front().own == std::vector<MarkedRelation>{{"owned", {{2, 3}}}});
  const MarkedSentences before = own.sentences();
  CHECK_FALSE(own.update());
  CHECK(own.sentences() == before);
  put("a.json", R"({"title": "A", "sentence": "She saw her old dog", "relations": {"owned": [["her", "dog"]]}})");
  put("b.json", "{");
  CHECK(own.update());
  CHECK(own.sentences()->front().tokens.size() == 5);
  CHECK(own.skipped().size() == 1);
  fs::remove_all(folder);
  CHECK(own.update());
  CHECK(own.sentences()->empty());
}
