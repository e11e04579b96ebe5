#include "core/learn/merge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/analysis/spread.h"
#include "core/error.h"
#include "core/files/json_writer.h"

namespace hydra::learn {

namespace {

using nlohmann::json;

// What the summary reads of a run.
void check_run(const json& run, const std::string& name) {
  const auto wrong = [&](const char* what) {
    throw InputError(name + ": " + what + "; give files that hydrascope train has written");
  };
  if (!run.is_object() || !run.contains("final") || !run.contains("settings") || !run.contains("task"))
    wrong("it has no run with task, settings and final");
  for (const char* key : {"accuracy", "loss"})
    if (!run["final"].is_object() || !run["final"].contains(key) || !run["final"][key].is_number())
      wrong("a run's final has no accuracy and loss");
  for (const char* key : {"heads", "d_model", "layers"})
    if (!run["settings"].is_object() || !run["settings"].contains(key) || !run["settings"][key].is_number_integer())
      wrong("a run's settings have no heads, d_model and layers");
}

std::vector<json> runs_in(const NamedText& result) {
  const json whole = json::parse(result.text, nullptr, false);
  if (whole.is_discarded())
    throw InputError(result.name + ": it is not JSON; give files that hydrascope train has written");
  std::vector<json> runs;
  if (whole.is_object() && whole.contains("runs") && whole["runs"].is_array())
    runs.assign(whole["runs"].begin(), whole["runs"].end());
  else
    runs.push_back(whole);
  for (const json& run : runs) check_run(run, result.name);
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
using Place = std::tuple<std::string, int, int, int, json>;
using Groups = std::map<Place, std::vector<const json*>>;

std::vector<double> accuracies_of(const std::vector<const json*>& runs) {
  std::vector<double> accuracies;
  for (const json* run : runs) accuracies.push_back((*run)["final"]["accuracy"]);
  return accuracies;
}

// Of those that differ in the learning rate alone the one with the highest median accuracy; of equal ones the first.
std::set<Place> best_rates(const Groups& groups) {
  std::map<Place, std::pair<double, Place>> best;  // by what they have in common
  for (const auto& [place, runs] : groups) {
    Place common = place;
    json& settings = std::get<4>(common);
    if (settings.contains("optimizer") && settings["optimizer"].is_object()) settings["optimizer"].erase("rate");
    const double median = spread_of(accuracies_of(runs)).median;
    const auto [found, added] = best.emplace(common, std::pair(median, place));
    if (!added && median > found->second.first) found->second = {median, place};
  }
  std::set<Place> places;
  for (const auto& [common, winner] : best) places.insert(winner.second);
  return places;
}

void write_summary(JsonWriter& to, const Place& place, const std::vector<const json*>& runs, bool best_rate) {
  to.string("task", std::get<0>(place));
  to.whole("heads", std::get<1>(place));
  to.whole("d_model", std::get<2>(place));
  to.whole("layers", std::get<3>(place));
  to.key("settings").text += std::get<4>(place).dump();
  to.key("best_rate").text += best_rate ? "true" : "false";
  to.whole("runs", static_cast<Index>(runs.size()));
  std::vector<double> losses;
  std::map<std::string, double> questions;
  for (const json* run : runs) {
    losses.push_back((*run)["final"]["loss"]);
    if ((*run)["final"].contains("questions"))
      for (const auto& [name, accuracy] : (*run)["final"]["questions"].items())
        if (accuracy.is_number()) questions[name] += accuracy.get<double>() / static_cast<double>(runs.size());
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
  std::vector<json> runs;
  std::map<std::string, int> known;
  for (const NamedText& result : results)
    for (json& run : runs_in(result)) {
      const std::string key = run["task"].dump() + run["settings"].dump() + run.value("seed", json()).dump();
      if (known.emplace(key, 0).second) runs.push_back(std::move(run));
    }
  Groups groups;
  for (const json& run : runs) {
    const json& settings = run["settings"];
    groups[{run["task"].get<std::string>(), settings["heads"], settings["d_model"], settings["layers"], settings}]
        .push_back(&run);
  }
  JsonWriter to;
  to.text = "{";
  to.key("summary").text += "[";
  bool first = true;
  const std::set<Place> best = best_rates(groups);
  for (const auto& [place, of_place] : groups) {
    to.text += first ? "\n{" : ",\n{";
    first = false;
    write_summary(to, place, of_place, best.contains(place));
    to.text += "}";
  }
  to.text += "],\n\"runs\": [";
  for (std::size_t k = 0; k < runs.size(); ++k) to.text += (k == 0 ? "\n" : ",\n") + runs[k].dump();
  to.text += "]}";
  return to.text;
}

}  // namespace hydra::learn
