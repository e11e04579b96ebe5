// Runs as files: every text is refused with one sentence, or read, written and read back to the same, and its task
// made.
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/runs/run_file.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

// Files that have, together, every key there is but those of a document, which has a target of its own.
const char* const kBases[] = {
    R"({"hydrascope_run": 1, "task": "collapse", "branches": [
  {"name": "seed 0", "last": 30, "seed": 0, "parameters": "f3aad9dfc1455ba9", "recipe": {"layers": 1, "heads": 8,
    "d_model": 32, "batch": 48, "steps": 30, "positions": "none", "positions_base": 10000, "positions_scale": 1,
    "optimizer": "adam", "rate": 0.01, "beta_1": 0.9, "beta_2": 0.99, "epsilon": 1e-08, "momentum": 0.9, "decay": 0,
    "decay_query_key_only": false, "schedule": "cosine", "warm_up": 50, "least": 0.02, "clip": 1, "drophead": 0,
    "noise": 0, "repel": 0, "l0": 0.1, "identical": false, "apart": 0, "by_question": false}},
  {"name": "weights edited at 12", "parent": 0, "from": 12, "last": 25, "seed": 18446744073709551615, "diverged": true,
    "edited": {"layers.0.W_Q": [[2, 3, 0.75], [0, 0, -1e-3]]}, "gates": [0, 1, 1, 1, 1, 1, 1, 1], "recipe": {}}],
  "shown": {"branch": 1, "step": 20}})",
    R"({"hydrascope_run": 1, "task": "text", "text": "a b a b c a b a b c a b", "characters": true,
  "branches": [{"name": "é", "last": 0, "seed": 3, "recipe": {"heads": 2, "d_model": 8}}]})",
    R"({"hydrascope_run": 1, "task": "students", "document": {"hydrascope": 1, "tokens": ["a"], "d_model": 4},
  "branches": [{"name": "x", "start": "document", "last": 3, "seed": 1}]})"};

const std::vector<std::string> kWords = {
    "hydrascope_run", "task",      "text",       "characters", "branches", "name",     "parent",    "from",
    "start",          "seed",      "last",       "gates",      "edited",   "recipe",   "diverged",  "shown",
    "branch",         "step",      "parameters", "layers",     "heads",    "d_model",  "batch",     "steps",
    "rate",           "optimizer", "adam",       "sgd",        "decay",    "schedule", "induction", "grammar",
    "layers.0.W_Q",   "E",         "document",   "collapse",   "momentum", "least",    "l0",        "identical",
    "none",           "students",  "sampled",    "",           "\x01"};

std::string text_from(fuzz::Bytes& bytes) {
  const std::size_t kind = bytes.byte() % (std::size(kBases) + 1);
  if (kind == std::size(kBases)) return std::string(bytes.rest());
  fuzz::Value json = fuzz::Value::parse(kBases[kind]);
  for (int k = bytes.byte() % 6; k > 0; --k) fuzz::change_one(json, bytes, kWords);
  std::string text = json.dump(-1, ' ', false, fuzz::Value::error_handler_t::replace);
  if (bytes.byte() % 4 == 0) fuzz::change_bytes(text, bytes);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::string text = text_from(bytes);
  try {
    const learn::RunFile file = learn::parse_run_file(text, "f");
    const std::string written = learn::run_file_text(file);
    try {
      const learn::RunFile again = learn::parse_run_file(written, "again");
      law(learn::run_file_text(again) == written, "what was written reads back to the same", text);
      law(learn::is_run_file(written), "what was written is known by how it begins", text);
      law(learn::task_of(again) != nullptr, "its task can be made", text);
    } catch (const InputError& fault) {
      law(false, fault.what(), text);
    }
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), text);
  }
  return 0;
}
