#include "core/learn/opened/merge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/spread.h"
#include "core/error.h"
#include "core/json/reader.h"
#include "core/json/writer.h"

namespace hydra::learn {

namespace {

// What is read of a run; the rest goes into the joined file as it stands.
struct RunResult {
  std::string task, settings, settings_but_rate, seed, text;
  int heads = 0, d_model = 0, layers = 0;
  double accuracy = 0, loss = 0;
  std::vector<std::pair<std::string, double>> questions;
};

constexpr const char* kNeeded = "; give files that hydrascope train has written";

std::string text_of(const Json* json, const Json* without = nullptr) {
  std::string text;
  if (json != nullptr) append_json(text, *json, without, JsonNumbers::doubles);
  return text;
}

RunResult read_run(const JsonReader& reader, const Node& run) {
  const auto needed = [&](const Node& object, const char* key) {
    const Node node = reader.member(object, key);
    if (!node) reader.fail(node.pointer, std::string("is missing") + kNeeded);
    return node;
  };
  const auto number = [&](const Node& object, const char* key) {
    const Node node = needed(object, key);
    if (!node.json->is_number()) reader.fail_type(node, "a number");
    return node.json->as<double>();
  };
  const Node settings = needed(run, "settings"), final = needed(run, "final");
  const auto count = [&](const char* key) {
    return static_cast<int>(reader.whole_number(needed(settings, key), 1, 1 << 20, 0));
  };
  RunResult result;
  result.task = reader.string(needed(run, "task"));
  result.heads = count("heads"), result.d_model = count("d_model"), result.layers = count("layers");
  result.settings = text_of(settings.json);
  const Node optimizer = reader.member(settings, "optimizer");
  result.settings_but_rate = text_of(settings.json, optimizer ? reader.member(optimizer, "rate").json : nullptr);
  result.seed = text_of(reader.member(run, "seed").json);
  result.text = text_of(run.json);
  result.accuracy = number(final, "accuracy"), result.loss = number(final, "loss");
  if (const Node questions = reader.member(final, "questions"); questions && questions.json->is_object())
    for (auto at = questions.json->begin(); at != questions.json->end(); ++at)
      if (at->is_number()) result.questions.emplace_back(at.key(), at->as<double>());
  return result;
}

std::vector<RunResult> runs_in(const NamedText& result) {
  const JsonTree tree = parse_json(result.text, result.name, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(result.name, "the file");
  const Node whole{&tree.root(), ""};
  if (!whole.json->is_object()) reader.fail("", std::string("has no run") + kNeeded);
  std::vector<RunResult> runs;
  const Node joined = reader.member(whole, "runs");
  if (!joined) runs.push_back(read_run(reader, whole));
  for (const Node& run : reader.elements(joined, "an array of runs")) runs.push_back(read_run(reader, run));
  return runs;
}

void write_spread(JsonWriter& to, const char* name, const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  to.key(name).text += "{";
  to.number("median", spread_of(values).median);
  to.number("mean", mean);
  to.key("deviation");
  if (values.size() > 1)
    to.number(std::sqrt(squares / (count - 1)));
  else
    to.text += "null";
  to.number("least", *std::ranges::min_element(values));
  to.number("most", *std::ranges::max_element(values));
  to.text += "}";
}

// Task, heads, d_model, layers and all settings: runs of other rates or budgets are no sample of the same.
using Place = std::tuple<std::string, int, int, int, std::string>;
using Groups = std::map<Place, std::vector<const RunResult*>>;

std::vector<double> accuracies_of(const std::vector<const RunResult*>& runs) {
  std::vector<double> accuracies;
  for (const RunResult* run : runs) accuracies.push_back(run->accuracy);
  return accuracies;
}

// Of those that differ in the learning rate alone the one with the highest median accuracy; of equal ones the first.
std::set<Place> best_rates(const Groups& groups) {
  std::map<Place, std::pair<double, Place>> best;  // by what they have in common
  for (const auto& [place, runs] : groups) {
    Place common = place;
    std::get<4>(common) = runs.front()->settings_but_rate;
    const double median = spread_of(accuracies_of(runs)).median;
    const auto [found, added] = best.emplace(common, std::pair(median, place));
    if (!added && median > found->second.first) found->second = {median, place};
  }
  std::set<Place> places;
  for (const auto& [common, winner] : best) places.insert(winner.second);
  return places;
}

void write_summary(JsonWriter& to, const std::vector<const RunResult*>& runs, bool best_rate) {
  const RunResult& first = *runs.front();
  to.string("task", first.task);
  to.whole("heads", first.heads);
  to.whole("d_model", first.d_model);
  to.whole("layers", first.layers);
  to.key("settings").text += first.settings;
  to.key("best_rate").text += best_rate ? "true" : "false";
  to.whole("runs", static_cast<Index>(runs.size()));
  std::vector<double> losses;
  std::map<std::string, double> questions;
  for (const RunResult* run : runs) {
    losses.push_back(run->loss);
    for (const auto& [name, accuracy] : run->questions) questions[name] += accuracy / static_cast<double>(runs.size());
  }
  write_spread(to, "accuracy", accuracies_of(runs));
  write_spread(to, "loss", losses);
  to.key("questions").text += "{";
  for (const auto& [name, accuracy] : questions) to.number(name, accuracy);
  to.text += "}";
}

}  // namespace

std::string merged(const std::vector<NamedText>& results) {
  if (results.empty()) throw InputError("merge needs the files to join");
  std::vector<RunResult> runs;
  std::set<std::string> known;
  for (const NamedText& result : results)
    for (RunResult& run : runs_in(result))
      if (known.insert(run.task + run.settings + run.seed).second) runs.push_back(std::move(run));
  Groups groups;
  for (const RunResult& run : runs)
    groups[{run.task, run.heads, run.d_model, run.layers, run.settings}].push_back(&run);
  JsonWriter to;
  to.text = "{";
  to.key("summary").text += "[";
  bool first = true;
  const std::set<Place> best = best_rates(groups);
  for (const auto& [place, of_place] : groups) {
    to.text += first ? "\n{" : ",\n{";
    first = false;
    write_summary(to, of_place, best.contains(place));
    to.text += "}";
  }
  to.text += "],\n\"runs\": [";
  for (std::size_t k = 0; k < runs.size(); ++k) to.text += (k == 0 ? "\n" : ",\n") + runs[k].text;
  to.text += "]}";
  return to.text;
}

}  // namespace hydra::learn
