// The table of published models: columns that fit, rows that say what their numbers leave out.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "app/views/tradeoff/cost/published_columns.h"
#include "tests/app/views/tradeoff/tradeoff_session.h"

using namespace hydra;
using namespace hydra::tradeoff;
using Catch::Contains;

namespace {

int column_of(std::string_view key) {
  const auto& columns = published_columns();
  return static_cast<int>(std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.key == key; }) -
                          columns.begin());
}

PublishedLine line_of(std::string_view name) {
  for (const PublishedModel& model : published_models())
    if (model.name == name) return {&model, model.sizes};
  FAIL("no model " << name);
  return {};
}

std::string said(std::string_view name, double tokens) {
  std::string text;
  for (const std::string& sentence : said_of(line_of(name), {tokens, 2})) text += sentence + "\n";
  return text;
}

std::string cell(const char* column, std::string_view name, double tokens) {
  return text_of(published_columns()[static_cast<std::size_t>(column_of(column))], line_of(name), {tokens, 2});
}

}  // namespace

TEST_CASE("published models: as many columns as fit, the least important go first", "[app][tradeoff]") {
  const auto count = static_cast<int>(published_columns().size());
  const std::vector<float> widths(static_cast<std::size_t>(count), 10);
  std::vector<int> before(static_cast<std::size_t>(count));
  std::iota(before.begin(), before.end(), 0);
  for (int room = 10 * count + 5; room >= 0; room -= 5) {
    const std::vector<int> shown = fitting_columns(widths, static_cast<float>(room), std::nullopt);
    CAPTURE(room, shown);
    CHECK(static_cast<int>(shown.size()) == std::clamp(room / 10, 1, count));
    CHECK(std::is_sorted(shown.begin(), shown.end()));
    CHECK(std::includes(before.begin(), before.end(), shown.begin(), shown.end()));  // what went stays away
    before = shown;
  }
  CHECK(before == std::vector<int>{column_of("kv_cache")});
  const int year = column_of("year");
  CHECK(fitting_columns(widths, 15, year) == std::vector<int>{year});  // by which the table is sorted
}

TEST_CASE("published models: columns never run into each other", "[app][tradeoff]") {
  for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 800}, ImVec2{1024, 768}})
    for (const float scale : {1.0f, 1.2f, 1.3f, 1.5f}) {
      if (size.x < 1100 && scale > 1.2f) continue;  // folded to nothing
      CAPTURE(size.x, scale);
      TradeoffSession s(default_document(), size);
      s.set(s.view().text_scale, scale);
      s.set(s.view().tradeoff.page, TradeoffPage::published);
      s.rest();
      float end = 0;
      int shown = 0;
      for (const PublishedColumn& column : published_columns()) {
        const std::string name = std::string("tradeoff/published/column/") + column.key;
        if (!s.ui.exists(name)) continue;
        const UiDriver::Rect rect = s.ui.rect(name);
        CHECK(rect.min.x >= end - 0.5f);
        CHECK(rect.max.x <= s.ui.rect("tradeoff/published/row/document").max.x + 1);
        end = rect.max.x;
        ++shown;
      }
      CHECK(shown >= 3);
      CHECK(s.ui.exists("tradeoff/published/column/kv_cache"));
      if (scale == 1 && size.x >= 1280) CHECK(s.ui.exists("tradeoff/published/column/year"));
    }
}

TEST_CASE("published models: the table says that more follows below", "[app][tradeoff]") {
  for (const bool presentation : {false, true}) {
    TradeoffSession s(default_document(), {1280, 800});
    s.set(s.view().presentation, presentation);
    s.set(s.view().tradeoff.page, TradeoffPage::published);
    s.rest();
    CHECK(s.ui.exists("tradeoff/published/more") == presentation);
    s.ui.rect("tradeoff/published/row/Gemma 7B");  // scrolled into view
    CHECK_FALSE(s.ui.exists("tradeoff/published/more"));
  }
}

TEST_CASE("published models: rows say what their numbers leave out", "[app][tradeoff]") {
  CHECK(cell("kv_cache", "BERT-base", 512) == "–");
  CHECK(cell("multiply_adds", "BERT-base", 512) == "–");
  CHECK_THAT(said("BERT-base", 512), Contains("no next token") && !Contains("sequences of at most"));
  CHECK(cell("kv_cache", "Mistral 7B", 32768) == "512 MiB");
  CHECK(cell("kv_cache", "Llama 3 8B", 32768) == "4.00 GiB");
  CHECK_THAT(said("Mistral 7B", 32768), Contains("last 4096") && Contains("of 32\u00a0768 neither"));
  CHECK_THAT(said("GPT-3 175B", 512), Contains("band of nearby tokens") && !Contains("sequences of at most"));
  CHECK_THAT(said("GPT-3 175B", 4096), Contains("trained on sequences of at most 2048 tokens"));
  CHECK(cell("context", "Transformer big", 512) == "–");
  const PublishedColumn& cache = published_columns()[static_cast<std::size_t>(column_of("kv_cache"))];
  CHECK(is_soft(cache, line_of("Llama 2 7B"), {32768, 2}));
  CHECK_FALSE(is_soft(cache, line_of("Llama 2 7B"), {4096, 2}));
  CHECK_FALSE(is_soft(cache, line_of("Transformer big"), {131072, 2}));  // not stated
  for (const PublishedModel& model : published_models())
    CHECK_THAT(said(model.name, 4096), Contains("Source: " + sources_of(model)));
}

TEST_CASE("published models: a round number is as round as it is stated", "[app][tradeoff]") {
  CHECK(cell("parameters", "Mistral 7B", 4096) == "7 G");
  CHECK(cell("parameters", "GPT-2 XL", 4096) == "1.56 G");
  CHECK_THAT(said("Mistral 7B", 4096), Contains("7 G") && !Contains("7.00 G"));
}

TEST_CASE("published models: every number says where it is stated, or what it is computed from", "[app][tradeoff]") {
  const auto source = [](const PublishedColumn& column, const PublishedLine& line) {
    return said_of(line, {4096, 2}, &column).back();
  };
  const auto& columns = published_columns();
  const auto of = [&](const char* key, std::string_view name) {
    return source(columns[static_cast<std::size_t>(column_of(key))], line_of(name));
  };
  CHECK(of("context", "GPT-2 XL") == "Source of longest context: Radford et al. 2019, section 2.3; released weights");
  CHECK(of("hidden", "GPT-3 175B") == "Source of feed-forward: Brown et al. 2020, section 2.1");
  CHECK(of("weights", "PaLM 540B") ==
        "Computed, attention parameters, from: Chowdhery et al. 2022, table 1, sections 2 and 5");
  CHECK(of("context", "Transformer big") == "Source: Vaswani et al. 2017, table 3");  // it states none
  for (const PublishedModel& model : published_models())
    for (const PublishedColumn& column : columns) {
      CAPTURE(model.name, column.key);
      CHECK_FALSE(source(column, {&model, model.sizes}).ends_with(": "));
    }
}
