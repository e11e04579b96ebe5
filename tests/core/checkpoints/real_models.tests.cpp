// Real small models, where the environment's HYDRA_MODELS names the folder that has them, against their dumps.
#include <cstdlib>

#include "core/checkpoints/open_model.h"
#include "core/document/evaluate.h"
#include "core/tensors/numbers.h"
#include "core/tensors/open.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {

// Empty: they are not here.
std::string models() {
  const char* const folder = std::getenv("HYDRA_MODELS");
  if (!folder) WARN("HYDRA_MODELS names no folder: the real models are not tried");
  return folder ? folder : "";
}

std::vector<float> numbers(const TensorFile& file, const std::string& name, std::size_t first, std::size_t count) {
  const Tensor* tensor = file.find(name);
  REQUIRE(tensor);
  std::vector<float> all(count);
  to_floats(*tensor, static_cast<Index>(first), all);
  return all;
}

// The model on the first ids of its reference, or on a row of them; the largest error of its logits, and of the
// patterns of the first layer.
struct Errors {
  double logits = 0, patterns = 0;
  Index same_answer = 0;  // rows whose likeliest word is the same
};
Errors errors_of(const std::string& model, const std::string& reference, std::size_t n) {
  const OpenedModel opened = open_model(model);
  const TensorFile file = open_tensors(reference);
  Document document = opened.document;
  document.tokens.emplace();
  for (const float id : numbers(file, "tokens", 0, n))
    document.tokens->push_back(document.embedding.vocabulary.word(static_cast<Index>(id)));
  const auto trace = evaluate(document);
  Errors errors;
  const Index words = trace->model.logits.cols();
  const std::vector<float> logits = numbers(file, "logits", 0, n * static_cast<std::size_t>(words));
  for (Index i = 0; i < static_cast<Index>(n); ++i) {
    Index ours = 0, theirs = 0;
    for (Index j = 0; j < words; ++j) {
      const float other = logits[static_cast<std::size_t>(i * words + j)], own = (*trace->model.logits)(i, j);
      errors.logits = std::max(errors.logits, static_cast<double>(std::abs(own - other)));
      if (own > (*trace->model.logits)(i, ours)) ours = j;
      if (other > logits[static_cast<std::size_t>(i * words + theirs)]) theirs = j;
    }
    errors.same_answer += ours == theirs;
  }
  const Tensor* patterns = file.find("pattern_0");
  REQUIRE(patterns);
  const Index heads = std::ssize(trace->layers[0].heads);
  const std::vector<float> all = numbers(file, "pattern_0", 0, static_cast<std::size_t>(heads) * n * n);
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < static_cast<Index>(n); ++i)
      for (Index j = 0; j < static_cast<Index>(n); ++j)
        errors.patterns = std::max(
            errors.patterns,
            static_cast<double>(std::abs(
                (*trace->layers[0].heads[static_cast<std::size_t>(h)].attention)(i, j) -
                all[static_cast<std::size_t>((h * static_cast<Index>(n) + i)) * n + static_cast<std::size_t>(j)])));
  return errors;
}

}  // namespace

TEST_CASE("real models: a model that tells stories, in nine files of five formats", "[checkpoints][models]") {
  const std::string folder = models();
  if (folder.empty()) return;
  const std::string reference = folder + "/llama2c-stories260k/reference.npz";
  struct Case {
    const char* file;
    double within;
  };
  for (const Case& each : {Case{"llama2c-stories260k/checkpoint_legacy.bin", 2e-5},
                           {"llama2c-stories260k/checkpoint_v1.bin", 2e-5},
                           {"derived-stories260k/hf", 2e-5},
                           {"derived-stories260k/hf/model.safetensors", 2e-5},
                           {"derived-stories260k/hf/model.bf16.safetensors", 0.3},
                           {"derived-stories260k/stories260K.F32.gguf", 2e-5},
                           {"derived-stories260k/stories260K.F16.gguf", 0.02},
                           {"derived-stories260k/stories260K.Q8_0.gguf", 0.3}}) {
    CAPTURE(each.file);
    const Errors errors = errors_of(folder + "/" + each.file, reference, 48);
    CHECK(errors.logits < each.within);
    CHECK(errors.patterns < each.within);
    CHECK(errors.same_answer >= 46);
  }
}

TEST_CASE("real models: GPT-2 of the hub, nanoGPT's checkpoints", "[checkpoints][models]") {
  const std::string folder = models();
  if (folder.empty()) return;
  const Errors random = errors_of(folder + "/hf-tiny-random-gpt2", folder + "/hf-tiny-random-gpt2/reference.npz", 12);
  CHECK(random.logits < 1e-5);
  CHECK(random.patterns < 1e-5);
  // The last row of its reference.npz, which begins with these ids.
  Document nano = open_model(folder + "/gpt-by-hand/ckpt.pt").document;
  nano.sentence = "28 0 5 0 23 0 21 0";
  const auto trace = evaluate(nano);
  const double logits[] = {0.16353132, -1.13658237, -1.04199356, -0.86322605, -0.1291603, 1.48821191};
  const double pattern[] = {0.21142171, 0.01121653, 0.20182499, 0.01181152,
                            0.26295243, 0.01214411, 0.27653725, 0.01209146};
  for (Index j = 0; j < 6; ++j)
    CHECK(static_cast<double>((*trace->model.logits)(7, j)) == Approx(logits[j]).margin(1e-5));
  for (Index j = 0; j < 8; ++j)
    CHECK(static_cast<double>((*trace->layers[0].heads[1].attention)(7, j)) == Approx(pattern[j]).margin(1e-5));
  for (const char* other : {"ckpt_5474ef9.pt", "ckpt_c43ce0c.pt", "ckpt_f19f219.pt"})
    CHECK(open_model(folder + "/gpt-by-hand/" + other).document.layers.size() == 2);
}

TEST_CASE("real models: a BERT that reads nothing out", "[checkpoints][models]") {
  const std::string folder = models();
  if (folder.empty()) return;
  Document document = open_model(folder + "/hf-tiny-bert").document;
  const TensorFile file = open_tensors(folder + "/hf-tiny-bert/reference.npz");
  document.tokens.emplace();
  for (const float id : numbers(file, "tokens", 0, 6))
    document.tokens->push_back(document.embedding.vocabulary.word(static_cast<Index>(id)));
  const auto trace = evaluate(document);
  CHECK_FALSE(trace->model.logits);
  const auto compared = [&](const Array<float>& ours, const std::string& name, std::size_t first = 0) {
    const std::vector<float> theirs = numbers(file, name, first, static_cast<std::size_t>(ours.size()));
    double most = 0;
    for (Index k = 0; k < ours.size(); ++k)
      most = std::max(most, static_cast<double>(std::abs((*ours)(k / ours.cols(), k % ours.cols()) -
                                                         theirs[static_cast<std::size_t>(k)])));
    return most;
  };
  CHECK(compared(trace->X, "resid_0") < 1e-5);
  CHECK(compared(trace->layers[0].heads[0].attention, "pattern_0") < 1e-5);
  CHECK(compared(trace->layers[0].heads[1].attention, "pattern_0", 36) < 1e-5);
  CHECK(compared(trace->blocks[0].of(Quantity::stream), "resid_1") < 1e-5);
}
