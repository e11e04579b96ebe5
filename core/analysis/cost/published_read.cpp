// The file of published models and head counts, read strictly.
#include <algorithm>
#include <cstdint>
#include <set>

#include "core/analysis/cost/published.h"
#include "core/json/reader.h"
#include "embedded/core_assets.h"

namespace hydra {

namespace {

struct StatedNumber {
  const char* key;
  std::int64_t least, most;  // parameters are more than an Index holds in a page
  bool needed;
  void (*put)(PublishedModel&, std::int64_t);
};
constexpr StatedNumber kStatedNumbers[] = {
    {"year", 1950, 2100, true, [](PublishedModel& m, std::int64_t n) { m.year = static_cast<int>(n); }},
    {"layers", 1, 10'000, true, [](PublishedModel& m, std::int64_t n) { m.layers = static_cast<int>(n); }},
    {"d_model", 1, 1'000'000, true,
     [](PublishedModel& m, std::int64_t n) { m.sizes.d_model = static_cast<double>(n); }},
    {"heads", 1, 100'000, true, [](PublishedModel& m, std::int64_t n) { m.sizes.heads = static_cast<double>(n); }},
    {"kv_heads", 1, 100'000, true,
     [](PublishedModel& m, std::int64_t n) { m.sizes.kv_heads = static_cast<double>(n); }},
    {"d_k", 1, 1'000'000, true, [](PublishedModel& m, std::int64_t n) { m.sizes.d_k = static_cast<double>(n); }},
    {"feed_forward", 1, 10'000'000, true,
     [](PublishedModel& m, std::int64_t n) {
       m.sizes.settings.feed_forward = true;
       m.sizes.settings.feed_forward_width = static_cast<Index>(n);
     }},
    {"vocabulary", 1, 100'000'000, false,
     [](PublishedModel& m, std::int64_t n) { m.vocabulary = static_cast<double>(n); }},
    {"parameters", 1, 1'000'000'000'000'000, true,
     [](PublishedModel& m, std::int64_t n) { m.parameters += static_cast<double>(n); }},
    {"context", 1, 1'000'000'000, false, [](PublishedModel& m, std::int64_t n) { m.context = static_cast<int>(n); }},
    {"window", 1, 1'000'000'000, false, [](PublishedModel& m, std::int64_t n) { m.window = static_cast<int>(n); }},
};
struct StatedFlag {
  const char* key;
  void (*put)(PublishedModel&, bool);
};
constexpr StatedFlag kStatedFlags[] = {
    {"gated", [](PublishedModel& m, bool is) { m.sizes.settings.gated = is; }},
    {"own_readout", [](PublishedModel& m, bool is) { m.own_readout = is; }},
    {"encoder", [](PublishedModel& m, bool is) { m.encoder = is; }},
};

class PublishedReader {
 public:
  explicit PublishedReader(const std::string& name) : read_(name, "the file of published models") {}

  Published read(const Json& root) {
    const Node whole{&root, ""};
    read_.check_object(whole, {"sources", "models", "head_counts"});
    read_sources(needed(whole, "sources"));
    Published all;
    std::set<std::string> names;
    for (const Node& node : read_.elements(needed(whole, "models"), "an array of models")) {
      all.models.push_back(model(node));
      if (!names.insert(all.models.back().name).second)
        read_.fail(node.pointer + "/name", "is the name of an earlier model");
    }
    std::ranges::stable_sort(all.models, {}, &PublishedModel::year);
    all.head_counts = head_counts(needed(whole, "head_counts"));
    for (const auto& [key, source] : sources_)
      if (!cited_.contains(key)) read_.fail(pointer_to("/sources", key), "is cited by nothing");
    return all;
  }

 private:
  Node needed(const Node& object, const char* key) const {
    Node node = read_.member(object, key);
    if (!node) read_.fail(object.pointer, std::string("must have ") + key);
    return node;
  }
  std::string words(const Node& object, const char* key) const {
    const Node node = needed(object, key);
    std::string text = read_.string(node);
    if (text.empty()) read_.fail(node.pointer, "must not be empty");
    return text;
  }

  void read_sources(const Node& node) {
    if (!node.json->is_object()) read_.fail_type(node, "an object of sources");
    for (auto at = node.json->begin(); at != node.json->end(); ++at) {
      const std::string key(at.key());
      sources_[key] = words(node, key.c_str());
    }
  }

  // "Touvron et al. 2023b, table 1": of an object with numbers.
  std::string cited(const Node& object) {
    const Node source = read_.member(object, "source");
    if (!source) read_.fail(object.pointer, "has numbers without a source");
    const std::string key = read_.string(source);
    const auto found = sources_.find(key);
    if (found == sources_.end())
      read_.fail(source.pointer, "is " + printable(key) + ", which is not among the sources");
    if (!read_.member(object, "at")) read_.fail(object.pointer, "does not say at which place of its source");
    cited_.insert(key);
    return found->second + ", " + words(object, "at");
  }

  PublishedModel model(const Node& node) {
    read_.check_object(node, {"name", "note", "stated"});
    PublishedModel model;
    model.name = words(node, "name");
    if (read_.member(node, "note")) model.note = words(node, "note");
    for (const Node& stated : read_.elements(needed(node, "stated"), "an array of what each source states"))
      take(model, stated);
    for (const StatedNumber& number : kStatedNumbers)
      if (number.needed && !model.sources.contains(number.key))
        read_.fail(node.pointer, std::string("states no ") + number.key);
    check(model, node);
    return model;
  }

  void take(PublishedModel& model, const Node& stated) {
    std::vector<std::string_view> keys = {"source", "at"};
    for (const StatedNumber& number : kStatedNumbers) keys.push_back(number.key);
    for (const StatedFlag& flag : kStatedFlags) keys.push_back(flag.key);
    read_.check_object(stated, keys);
    const std::string source = cited(stated);
    const auto found = [&](const char* key) {
      const Node node = read_.member(stated, key);
      if (node && !model.sources.emplace(key, source).second) read_.fail(node.pointer, "is stated twice");
      return node;
    };
    for (const StatedNumber& number : kStatedNumbers) {
      const auto put = [&](const Node& node) { number.put(model, whole(node, number.least, number.most)); };
      const Node node = found(number.key);
      if (!node) continue;
      if (node.json->is_array() && number.key == std::string_view("parameters"))
        for (const Node& part : read_.elements(node, "parts")) put(part);
      else
        put(node);
    }
    for (const StatedFlag& flag : kStatedFlags)
      if (const Node node = found(flag.key)) flag.put(model, read_.flag(node, false));
  }

  void check(const PublishedModel& model, const Node& node) const {
    const auto shared = static_cast<Index>(model.sizes.kv_heads), heads = static_cast<Index>(model.sizes.heads);
    if (heads % shared != 0)
      read_.fail(node.pointer, "has " + std::to_string(heads) + " heads, which " + std::to_string(shared) +
                                   " heads of keys and values cannot share evenly");
    if (model.context > 0 && model.window > model.context)
      read_.fail(node.pointer, "has a window longer than the sequences it was trained on");
  }

  PublishedHeadCounts head_counts(const Node& node) {
    read_.check_object(node, {"source", "at", "rows"});
    PublishedHeadCounts counts{cited(node), {}};
    for (const Node& row : read_.elements(needed(node, "rows"), "an array of rows")) {
      read_.check_object(row, {"heads", "d_k", "perplexity", "bleu"});
      const PublishedQuality quality{read_.whole_number(needed(row, "heads"), 1, 100'000, 0),
                                     read_.whole_number(needed(row, "d_k"), 1, 1'000'000, 0),
                                     number(needed(row, "perplexity"), 1, 1e6), number(needed(row, "bleu"), 0, 100)};
      if (!counts.rows.empty() && quality.heads <= counts.rows.back().heads)
        read_.fail(row.pointer + "/heads", "must be more than in the row before");
      counts.rows.push_back(quality);
    }
    if (counts.rows.empty()) read_.fail(node.pointer, "must have rows");
    return counts;
  }

  std::int64_t whole(const Node& node, std::int64_t least, std::int64_t most) const {
    if (!node.json->is_whole()) read_.fail_type(node, "a whole number");
    const bool beyond = !node.json->is_negative() && node.json->as<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (beyond || node.json->as<std::int64_t>() < least)
      read_.fail_type(node, "from " + std::to_string(least) + " to " + std::to_string(most));
    return node.json->as<std::int64_t>();
  }

  double number(const Node& node, int least, double most) const {
    read_.number(*node.json, node.pointer);
    const auto value = node.json->as<double>();
    if (value < least || value > most)
      read_.fail_type(node, "from " + std::to_string(least) + " to " + std::to_string(std::lround(most)));
    return value;
  }

  JsonReader read_;
  std::map<std::string, std::string> sources_;
  std::set<std::string> cited_;
};

}  // namespace

Published parse_published(std::string_view json, const std::string& name) {
  const JsonTree tree = parse_json(json, name, kMaxValues, JsonNumbers::doubles);
  return PublishedReader(name).read(tree.root());
}

const Published& published() {
  static const Published all = parse_published(core_assets::find("published.json"), "published.json");
  return all;
}

}  // namespace hydra
