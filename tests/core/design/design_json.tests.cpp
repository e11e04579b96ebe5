#include "core/design/design_json.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/linalg/random.h"
#include "tests/support/faults.h"

using namespace hydra;
using test::fault_at;

namespace {

HeadDesign read(const std::string& text) {
  const JsonTree tree = parse_json(text, "doc.json");
  return read_design(JsonReader("doc.json"), Node{&tree.root(), "/head"});
}

std::string fault(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("design JSON: a preset is its name, and what differs from it", "[core][design]") {
  for (const PresetEntry& entry : presets()) {
    HeadDesign design = preset_design(entry.preset);
    CHECK(write_design(design) == std::string("{\"preset\": \"") + entry.key + "\"}");
    CHECK(read(write_design(design)) == design);
    design.sharpness = 30.5f;
    CHECK(write_design(design) == std::string("{\"preset\": \"") + entry.key + "\", \"sharpness\": 30.5}");
    CHECK(read(write_design(design)) == design);
  }
  CHECK(read("{}") == HeadDesign{});
  CHECK(read_design(JsonReader("doc.json"), Node{}) == HeadDesign{});
  HeadDesign nowhere = preset_design(HeadPreset::first);
  nowhere.place.reset();
  CHECK(write_design(nowhere) == R"({"preset": "first", "place": null})");
  CHECK(read(write_design(nowhere)) == nowhere);
}

TEST_CASE("design JSON: every field", "[core][design]") {
  HeadDesign design;
  design.asks = {{{{"verb", 1}, {"auxiliary", 0.5f}}, {{"noun", 1}}, -2}, {{}, {{"any", 1}}, 1}};
  design.same_word = 0.25f;
  design.kernels = {{-1, 1, 0, 4}, {2.5f, -0.1f, 3, 1}};
  design.place = 2.0f;
  design.sharpness = 7;
  design.carries = Carries::nothing;
  design.slot_word = -0.5f;
  design.writes = {{{{"verb", 1}}, {{"object", 1}, {"place", -1}}, 2}, {{{"noun", 1}}, {{"verb", 1}}, 1}};
  CHECK(write_design(design) ==
        R"({"preset": "none", "asks": [{"query": ["verb", ["auxiliary", 0.5]], "key": ["noun"], "strength": -2}, )"
        R"({"query": [], "key": ["any"]}], "same_word": 0.25, "slot_word": -0.5, "kernels": [)"
        R"({"offset": -1, "strength": 1, "first_wave": 0, "waves": 4}, )"
        R"({"offset": 2.5, "strength": -0.1, "first_wave": 3, "waves": 1}], )"
        R"("place": 2, "sharpness": 7, "carries": "nothing", )"
        R"("writes": [{"reads": ["verb"], "writes": ["object", ["place", -1]], "strength": 2}, )"
        R"({"reads": ["noun"], "writes": ["verb"]}]})");
  CHECK(read(write_design(design)) == design);
}

TEST_CASE("design JSON: random designs come back as they were", "[core][design]") {
  Random random(11);
  const auto pick = [&](std::size_t count) {
    return static_cast<std::size_t>(random.uniform(0, static_cast<double>(count)));
  };
  const auto& features = Lexicon::standard().features();
  for (int round = 0; round < 200; ++round) {
    HeadDesign design = preset_design(static_cast<HeadPreset>(pick(13)));
    if (pick(2) == 0) {
      design.asks.resize(pick(4));
      for (Ask& ask : design.asks)
        ask = {{{features[pick(features.size())].name, static_cast<float>(random.normal())}},
               {{features[pick(features.size())].name, 1}, {"any", -1}},
               static_cast<float>(random.normal())};
    }
    if (pick(2) == 0)
      design.kernels.assign(pick(3), {static_cast<float>(random.normal()), 1, static_cast<int>(pick(8)), 2});
    if (pick(2) == 0) design.place = pick(2) == 0 ? std::optional<float>() : static_cast<float>(pick(9));
    if (pick(2) == 0) design.same_word = static_cast<float>(random.normal());
    if (pick(2) == 0) design.slot_word = static_cast<float>(random.normal());
    if (pick(2) == 0)
      design.writes.assign(pick(3), {{{features[pick(features.size())].name, 1}},
                                     {{features[pick(features.size())].name, static_cast<float>(random.normal())}},
                                     static_cast<float>(random.normal())});
    design.carries = static_cast<Carries>(pick(5));
    CHECK(read(write_design(design)) == design);
  }
}

TEST_CASE("design JSON: faults are one sentence with the place", "[core][design]") {
  CHECK_THAT(fault(R"({"preset": "previos"})"),
             fault_at("doc.json: /head/preset", "\"none\" or \"previous\" or \"next\""));
  CHECK_THAT(fault(R"({"sharp": 3})"), fault_at("doc.json: /head/sharp", "not known"));
  CHECK_THAT(fault(R"({"asks": [{"query": ["pronuon"], "key": []}]})"),
             fault_at("doc.json: /head/asks/0/query/0", "pronuon"));
  CHECK_THAT(fault(R"({"asks": [{"query": [["noun"]], "key": []}]})"),
             fault_at("doc.json: /head/asks/0/query/0", "a feature and its weight"));
  CHECK_THAT(fault(R"({"asks": [{"query": []}]})"), fault_at("doc.json: /head/asks/0", "a query and a key"));
  CHECK_THAT(fault(R"({"sharpness": -1})"), fault_at("doc.json: /head/sharpness", "from 0 to 1000"));
  CHECK_THAT(fault(R"({"kernels": [{"waves": 0}]})"), fault_at("doc.json: /head/kernels/0/waves", "from 1 to 64"));
  CHECK_THAT(fault(R"({"kernels": 3})"), fault_at("doc.json: /head/kernels", "array of kernels"));
  CHECK_THAT(fault(R"({"writes": [{"reads": ["noun"]}]})"), fault_at("doc.json: /head/writes/0", "reads and writes"));
  CHECK_THAT(fault(R"({"writes": [{"reads": ["noun"], "writes": ["nuon"]}]})"),
             fault_at("doc.json: /head/writes/0/writes/0", "nuon"));
  CHECK_THAT(fault(R"([])"), fault_at("doc.json: /head", "object"));
}
