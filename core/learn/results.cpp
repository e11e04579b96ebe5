#include "core/learn/results.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "core/json/reader.h"
#include "embedded/core_results.h"

namespace hydra::learn {

namespace {

std::string four_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  std::string trimmed = text;
  trimmed.erase(trimmed.find_last_not_of('0') + 1);
  if (trimmed.back() == '.') trimmed.pop_back();
  return trimmed;
}

ResultSetting read_setting(const JsonReader& read, const Node& node) {
  if (!node.json->is_object()) read.fail_type(node, "an object of numbers");
  ResultSetting setting;
  std::size_t runs = 0;
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    const std::string key(at.key());
    const Node value{&*at, pointer_to(node.pointer, key)};
    if (key == "first_seed") {
      setting.first_seed = read.seed(value, 0);
      continue;
    }
    std::vector<double> values;
    for (const Node& number : read.elements(value, "an array of numbers, one for each seed")) {
      read.number(*number.json, number.pointer);
      values.push_back(number.json->as<double>());
    }
    if (values.empty() || (runs > 0 && values.size() != runs))
      read.fail(value.pointer, "must have a number for each run, as many as the others");
    runs = values.size();
    setting.numbers.emplace(key, Measured(std::move(values)));
  }
  if (runs == 0) read.fail(node.pointer, "must have numbers");
  return setting;
}

}  // namespace

Measured Measured::first(Index runs) const {
  return {{values_.begin(), values_.begin() + std::min(runs, std::ssize(values_))}};
}
Index Measured::below(double bound) const {
  return std::ranges::count_if(values_, [&](double value) { return value < bound; });
}

const Measured& Result::measured(std::string_view setting, std::string_view number) const {
  static const Measured none({});
  if (const auto at = settings.find(setting); at != settings.end())
    if (const auto found = at->second.numbers.find(number); found != at->second.numbers.end()) return found->second;
  return none;
}

Result parse_result(std::string_view json, const std::string& name) {
  const JsonTree tree = parse_json(json, name, kMaxValues, JsonNumbers::doubles);
  const JsonReader read(name, "the file of results");
  const Node whole{&tree.root(), ""};
  read.check_object(whole, {"of", "test", "settings"});
  const Node of = read.member(whole, "of"), test = read.member(whole, "test"),
             settings = read.member(whole, "settings");
  if (!of || !test || !settings) read.fail("", "must say of what it is, which test wrote it, and its settings");
  Result result{read.string(of), read.string(test), {}};
  if (!settings.json->is_object()) read.fail_type(settings, "an object of settings");
  for (auto at = settings.json->begin(); at != settings.json->end(); ++at) {
    const std::string key(at.key());
    result.settings.emplace(key, read_setting(read, {&*at, pointer_to("/settings", key)}));
  }
  return result;
}

std::string result_text(const Result& result) {
  std::string text = "{\n\"of\": ";
  append_string(text, result.of);
  text += ",\n\"test\": ";
  append_string(text, result.test);
  text += ",\n\"settings\": {";
  const char* next = "\n";
  for (const auto& [key, setting] : result.settings) {
    text += next;
    append_string(text, key);
    text += ": {\"first_seed\": " + std::to_string(setting.first_seed);
    for (const auto& [number, measured] : setting.numbers) {
      text += ",\n  ";
      append_string(text, number);
      text += ": [";
      const char* comma = "";
      for (const double value : measured.values()) text += comma + four_decimals(value), comma = ", ";
      text += ']';
    }
    text += '}';
    next = ",\n";
  }
  return text + "\n}}\n";
}

const Result& result(std::string_view key) {
  static std::mutex mutex;
  static std::map<std::string, Result, std::less<>> all;
  const std::lock_guard lock(mutex);
  if (const auto found = all.find(key); found != all.end()) return found->second;
  const std::string name = std::string(key) + ".json";
  const std::string_view text = core_results::find(name);
  return all.emplace(key, text.empty() ? Result{} : parse_result(text, name)).first->second;
}

std::string share_words(double share, int decimals) {
  if (std::isnan(share)) return "(not measured)";
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, share);
  return text[0] == '0' ? text + 1 : text;
}

std::string range_words(const Measured& measured, int decimals) {
  return share_words(measured.least(), decimals) + " to " + share_words(measured.most(), decimals);
}

std::string count_words(Index count) {
  static constexpr const char* kOnes[] = {
      "no",  "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
      "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  static constexpr const char* kTens[] = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  assert(count >= 0 && count < 100);
  if (count < 20) return kOnes[count];
  const std::string tens = kTens[count / 10 - 2];
  return count % 10 == 0 ? tens : tens + "-" + kOnes[count % 10];
}

std::string runs_words(Index count, Index runs) {
  return (count == 0      ? std::string("none")
          : count == runs ? "each"
                          : count_words(count)) +
         " of " + count_words(runs) + " runs";
}

}  // namespace hydra::learn
