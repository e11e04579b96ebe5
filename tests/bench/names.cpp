// How often untrained layers get a name for any of their heads: layers of every kind, drawn with seeds of their own and
// named as the program names them. Prints a table (docs/names.md); arguments: how many layers of each kind, and, to
// measure some kinds only, a part of their titles.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/document/evaluate.h"
#include "core/io/file.h"
#include "core/learn/opened/named_roles.h"
#include "core/linalg/random.h"
#include "core/measures/known_bounds.h"
#include "tests/bench/trained_names.h"

using namespace hydra;

namespace {

struct Kind {
  const char* title;
  bool pooled;        // over the marked sentences; else on the document's own
  double share = 1;   // of the layers that are asked for
  const char* rest;   // of the document
  double normal = 0;  // else the weights are given number by number, normal, this large
};

const Kind kKinds[] = {
    {"8 heads", true, 1, R"("layers": [{"heads": 8}])"},
    {"8 heads, causal", true, 1, R"("layers": [{"heads": 8, "mask": "causal"}])"},
    {"1 head", true, 1, R"("layers": [{"heads": 1}])"},
    {"2 heads, causal", true, 1, R"("layers": [{"heads": 2, "mask": "causal"}])"},
    {"16 heads", true, 1, R"("layers": [{"heads": 16}])"},
    {"16 heads, causal", true, 1, R"("layers": [{"heads": 16, "mask": "causal"}])"},
    {"64 heads of one number", true, 0.5, R"("layers": [{"heads": 64}])"},
    {"d_model 8, 2 heads", true, 1, R"("d_model": 8, "layers": [{"heads": 2}])"},
    {"d_model 16, 4 heads, causal", true, 1, R"("d_model": 16, "layers": [{"heads": 4, "mask": "causal"}])"},
    {"d_model 256, 16 heads", true, 0.5, R"("d_model": 256, "layers": [{"heads": 16}])"},
    {"d_model 512, 8 heads, causal", true, 0.2, R"("d_model": 512, "layers": [{"heads": 8, "mask": "causal"}])"},
    {"without positions", true, 1, R"("embedding": {"kind": "hashed", "positions": "none"}, "layers": [{"heads": 8}])"},
    {"without positions, causal, another embedding", true, 1,
     R"("embedding": {"kind": "hashed", "seed": 5, "positions": "none"}, "layers": [{"heads": 8, "mask": "causal"}])"},
    {"features", true, 1, R"("embedding": {"kind": "features"}, "layers": [{"heads": 8}])"},
    {"features, causal", true, 1, R"("embedding": {"kind": "features"}, "layers": [{"heads": 8, "mask": "causal"}])"},
    {"features, gain 6", true, 1,
     R"("embedding": {"kind": "features"}, "layers": [{"heads": 8, "weights": {"kind": "random", "gain": 6}}])"},
    {"features, gain 6, causal", true, 1,
     R"("embedding": {"kind": "features"}, "layers": [{"heads": 8, "mask": "causal", "weights": {"kind": "random", "gain": 6}}])"},
    {"features without positions", true, 1,
     R"("embedding": {"kind": "features", "positions": "none"}, "layers": [{"heads": 8}])"},
    {"8 heads share 1 set of keys", true, 1, R"("layers": [{"heads": 8, "kv_heads": 1}])"},
    {"8 heads share 2 sets of keys, causal", true, 1, R"("layers": [{"heads": 8, "kv_heads": 2, "mask": "causal"}])"},
    {"slices", true, 1, R"("layers": [{"heads": 8, "split": "slice"}])"},
    {"slices, causal", true, 1, R"("layers": [{"heads": 8, "split": "slice", "mask": "causal"}])"},
    {"temperature 0.2", true, 1, R"("layers": [{"heads": 8, "temperature": 0.2}])"},
    {"temperature 0.2, 16 heads, causal", true, 1,
     R"("layers": [{"heads": 16, "temperature": 0.2, "mask": "causal"}])"},
    {"temperature 10", true, 1, R"("layers": [{"heads": 8, "temperature": 10}])"},
    {"stack of 2, residual sums", true, 0.5, R"("layers": [{"residual": true}, {"residual": true}])"},
    {"stack of 4, causal", true, 0.2,
     R"("layers": [{"mask": "causal"}, {"mask": "causal"}, {"mask": "causal"}, {"mask": "causal"}])"},
    {"blocks: norm, residual sums, feed-forward, causal", true, 0.4,
     R"("layers": [{"mask": "causal", "residual": true, "norm": {"kind": "layer"}, "feed_forward": {"width": 128}}, {"mask": "causal", "residual": true, "norm": {"kind": "layer"}, "feed_forward": {"width": 128}}])"},
    {"rotary, causal", true, 0.5, R"("layers": [{"mask": "causal", "rotary": {"base": 10000}}])"},
    {"ALiBi, causal", true, 0.5, R"("layers": [{"mask": "causal", "alibi": true}])"},
    {"8 heads share 2 sets of keys, causal, window 4", true, 0.5,
     R"("layers": [{"heads": 8, "kv_heads": 2, "mask": "causal", "window": 4}])"},
    {"soft cap 5, causal", true, 0.5, R"("layers": [{"mask": "causal", "soft_cap": 5}])"},
    {"QK norm", true, 0.5, R"("layers": [{"qk_norm": true}])"},
    {"a sink, causal", true, 0.5, R"("layers": [{"mask": "causal", "sink": "learned"}])"},
    {"talking heads", true, 0.1, R"("layers": [{"heads": 4, "talking_heads": "both"}])"},
    {"differential, 4 heads", true, 0.2, R"("layers": [{"heads": 4, "differential": {}}])"},
    {"a table of words, read out by it, causal", true, 0.5,
     R"("embedding": {"kind": "learned", "positions": "learned", "vocabulary": ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "it", "was", "big", "old"]}, "sentence": "the cat sat on a mat the old dog ran on it", "readout": {"kind": "tied"}, "layers": [{"mask": "causal"}])"},
    {"given, normal, 1/8 large (as Xavier)", true, 0.5, R"("layers": [{"heads": 8}])", 0.125},
    {"given, normal, 1/4 large", true, 0.5, R"("layers": [{"heads": 8}])", 0.25},
    {"given, normal, 1/4 large, causal", true, 0.5, R"("layers": [{"heads": 8, "mask": "causal"}])", 0.25},
    {"given, normal, 1/2 large, causal", true, 0.5, R"("layers": [{"heads": 8, "mask": "causal"}])", 0.5},
    {"given, normal, 1 large, causal", true, 0.5, R"("layers": [{"heads": 8, "mask": "causal"}])", 1},
    {"given, normal, 1/2 large, features, causal", true, 0.5,
     R"("embedding": {"kind": "features"}, "layers": [{"heads": 8, "mask": "causal"}])", 0.5},
    {"the default sentence, 8 heads", false, 2, R"("layers": [{"heads": 8}])"},
    {"the default sentence, 16 heads, causal", false, 2, R"("layers": [{"heads": 16, "mask": "causal"}])"},
    {"the default sentence, 4 heads, features", false, 2,
     R"("embedding": {"kind": "features"}, "layers": [{"heads": 4}])"},
    {"the default sentence, 8 heads, features, gain 6", false, 2,
     R"("embedding": {"kind": "features"}, "layers": [{"heads": 8, "weights": {"kind": "random", "gain": 6}}])"},
    {"five words, 8 heads", false, 2, R"("sentence": "The cat sat on the", "layers": [{"heads": 8}])"},
    {"repeated words, 8 heads, causal", false, 2,
     R"("sentence": "A cat, a dog, a cat, a dog, a cat.", "layers": [{"heads": 8, "mask": "causal"}])"},
};

struct Count {
  int layers = 0, named = 0, named_at_any_threshold = 0;
  Index drawn = 0;
};

bool any_name(const RoleTable& table, double threshold) {
  return std::ranges::any_of(names_of(table, threshold),
                             [](const HeadName& name) { return name.role.kind != Role::Kind::mixed; });
}

// Weights of their own: the seeded ones, or normal numbers that are given.
void draw(const Kind& kind, int seed, Document& document) {
  for (std::size_t k = 0; k < document.layers.size(); ++k) {
    Layer& layer = document.layers[k];
    layer.source.seed = static_cast<std::uint64_t>(seed) * 64 + k;
    layer.weights = weights_of(layer.source, layer, document.d_model);
    if (kind.normal <= 0) continue;
    layer.source.kind = WeightSource::Kind::explicit_values;
    Random random(layer.source.seed);
    for (Array<float>* values : {&layer.weights.W_Q, &layer.weights.W_K, &layer.weights.W_V, &layer.weights.W_O}) {
      Mat<float> drawn(values->rows(), values->cols());
      for (Index cell = 0; cell < drawn.size(); ++cell)
        drawn.data()[cell] = static_cast<float>(kind.normal * random.normal());
      *values = share(std::move(drawn));
    }
  }
}

Count count(const Kind& kind, int layers, const MarkedSentences& marked) {
  Document document = parse_document(std::string(R"({"hydrascope": 1, )") + kind.rest + "}", kind.title);
  learn::NamedRoles tables;
  KnownBounds known;
  Count count;
  for (int seed = 1; seed <= layers; ++seed) {
    draw(kind, seed, document);
    const StackRoleTables all =
        kind.pooled ? tables.pooled(document, marked) : tables.of_sentence(*evaluate(document), document, marked);
    for (const std::shared_ptr<const RoleTable>& of_layer : all) {
      RoleTable table = *of_layer;
      if (table.jobs.empty()) {
        table.bounds = known.find(table.random);
        if (!table.bounds) known.keep(table.random, *(table.bounds = bounds_of(table.random)));
        count.drawn = table.bounds->layers;
      }
      ++count.layers;
      count.named += any_name(table, kRoleThreshold);
      count.named_at_any_threshold += any_name(table, 0);
    }
  }
  return count;
}

double percent(int part, int whole) { return 100.0 * part / whole; }

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--trained") {
    print_trained_names(std::max(1, std::atoi(argv[2])));
    return 0;
  }
  const int layers = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::string part = argc > 2 ? argv[2] : "";
  if (layers < 1) {
    std::fprintf(stderr, "names: give a number of layers\n");
    return 2;
  }
  const auto marked = std::make_shared<const std::vector<AnnotatedSentence>>(standard_sentences().sentences);
  std::printf("| untrained layers | measured on | drawn for the bounds | layers | with a name | at threshold 0 |\n");
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  Count all;
  for (const Kind& kind : kKinds) {
    if (std::string(kind.title).find(part) == std::string::npos) continue;
    const Count c = count(kind, std::max(1, static_cast<int>(kind.share * layers)), marked);
    std::printf("| %s | %s | %lld | %d | %.1f %% | %.1f %% |\n", kind.title,
                kind.pooled ? "all marked sentences" : "one sentence", static_cast<long long>(c.drawn), c.layers,
                percent(c.named, c.layers), percent(c.named_at_any_threshold, c.layers));
    std::fflush(stdout);
    all.layers += c.layers;
    all.named += c.named;
    all.named_at_any_threshold += c.named_at_any_threshold;
  }
  std::printf("| all | | | %d | %.1f %% | %.1f %% |\n", all.layers, percent(all.named, all.layers),
              percent(all.named_at_any_threshold, all.layers));
}
