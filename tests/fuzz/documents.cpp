// Documents: every text is refused with one sentence, or read, valid, written and read back to the same bits,
// evaluated.
#include <sstream>

#include "core/document/evaluate.h"
#include "core/document/limits.h"
#include "core/error.h"
#include "core/io/file.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

// Documents that have, together, every key there is.
const char* const kBases[] = {
    R"({"hydrascope": 1, "sentence": "a b c", "tokens": ["a", "b", "é"], "d_model": 4,
  "embedding": {"kind": "hashed", "seed": 3, "positions": "none", "edits": [[0, 0, -1e-3], [1, 2, 0.5]]},
  "layers": [{"heads": 2, "mask": [[1, 0, 0], [1, 1, 0], [1, 1, 1]], "scale": false, "temperature": 0.5,
    "residual": false, "split": "slice", "slice_factor": 2.5, "gates": [0, 1.5],
    "painted": [{"head": 1, "attention": [[2, [0.5, 0.25, 0.25]]], "values": [[1, [7, -8]], [0, [1, -2]]]}],
    "weights": {"kind": "random", "init": "identity", "seed": 18446744073709551615,
      "W_K": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]],
      "edits": {"W_Q": [[3, 1, 2.5]], "b_V": [[0, 1]]}, "b_O": [1, 2, 3, 4]}}]})",
    R"({"hydrascope": 1, "sentence": "The cat sat.", "d_model": 32,
  "notes": {"title": "A page", "text": ["# One", "Two."]},
  "marks": [{"sentence": "The cat saw the dog.", "relations": {"chases": [["dog", "cat"]], "same": [["the@2", "the@1"]]}},
    {"sentence": "a b", "tokens": ["a", "b"], "relations": {"owner": [["b", "a"]]}}], "embedding": {"kind": "features", "seed": 1,
  "positions": "sinusoidal", "slot": true, "words": {"cat": ["noun", "animate"]}},
  "layers": [{"heads": 4, "kv_heads": 4, "mask": "causal",
    "weights": {"kind": "random", "seed": 7, "designs": [{"preset": "previous"}, null,
      {"preset": "none", "asks": [{"query": ["pronoun"], "key": [["noun", 2.5]], "strength": 3}],
       "kernels": [{"offset": -2, "strength": 1, "first_wave": 0, "waves": 4}], "place": 0, "sharpness": 15,
       "same_word": 1, "slot_word": 0.5, "carries": "word-to-slot",
       "writes": [{"reads": ["verb"], "writes": [["noun", -1]], "strength": 2}]},
      {"preset": "pronoun_antecedent", "place": null}]},
    "other_weights": {"kind": "random", "init": "zero", "seed": 2, "gain": 1.5, "edits": {"W_O": [[1, 1, 9]]}}}]})",
    R"({"hydrascope": 1, "tokens": ["p", "q"], "d_model": 2, "layers": [{"heads": 1, "residual": true,
    "norm": {"kind": "layer", "place": "before", "epsilon": 0.001, "shared": true}, "parallel": true,
    "feed_forward": {"width": 3, "activation": "gelu", "gated": true},
    "weights": {"edits": {"gain_1": [[1, 2]], "W_1": [[1, 2, 0.5]]}, "shift_1": [1, 2],
      "W_3": [[1, 2, 3], [4, 5, 6]], "W_2": [[1, 2], [3, 4], [5, 6]], "b_1": [1, 2, 3], "b_2": [0, 1]}}]})",
    R"({"hydrascope": 1, "tokens": ["x", "y"], "d_model": 2, "embedding": {"kind": "explicit", "X": [[1, -0.0], [2, 3]]},
  "layers": [{"heads": 2, "kv_heads": 1, "mask": "none", "weights": {"kind": "explicit", "W_Q": [[1, 2], [3, 4]],
    "W_K": [[1], [2]], "W_V": [[1], [2]], "W_O": [[1, 0], [0, 1]], "b_Q": [1, 2]}}]})",
    R"({"hydrascope": 1, "sentence": "a b", "d_model": 4, "layers": [{"heads": 2, "gates": [0.5, 1]}, {"heads": 4, "kv_of": [0, 0, 0, 1]},
  {"heads": 4, "mask": "causal", "own": [{"head": 1, "mask": "causal", "window": 2}, {"head": 3, "temperature": 0.5}], "temperature": 2, "alibi": {"slopes": "interleaved"}, "offset_bias": {"reach": 1}, "dropout": 0.5, "dropout_seed": 3,
    "weights": {"kind": "random", "seed": 8, "gain": 2}},
  {"heads": 1, "differential": {"lambda_0": 0.5}, "weights": {"lambda_q1": [1, 2], "edits": {"gain_O": [[1, 2]]}}}]})",
    R"({"hydrascope": 1, "tokens": ["p", "q", "r"], "d_model": 2,
  "embedding": {"kind": "learned", "vocabulary": ["p", "q"], "seed": 2, "init": "identity", "places": 4,
    "positions": "learned", "E": [[1, 2], [3, 4]], "edits": {"P": [[3, 1, 0.5]], "X": [[0, 0, 2]]}},
  "final_norm": {"kind": "layer", "epsilon": 0.001, "shift": [1, 2], "edits": {"gain": [[1, 2]]}},
  "readout": {"kind": "own", "vocabulary": ["a", "b", "c"], "questions": ["x", "y"], "init": "zero", "seed": 4,
    "b_U": [1, 2, 3, 4, 5, 6],
    "edits": {"W_U": [[0, 2, 7]]}}, "layers": [{"heads": 1}]})",
    R"({"hydrascope": 1, "tokens": ["p", "q"], "d_model": 2, "layers": [{"heads": 1, "weights": {"kind": "trained",
    "W_Q": [[1, 2], [3, 4]], "W_K": [[1, 2], [3, 4]], "W_V": [[1, 2], [3, 4]], "W_O": [[1, 0], [0, 1]],
    "fingerprints": [18446744073709551615]}}],
  "other_models": [{"d_model": 4, "embedding": {"kind": "learned", "vocabulary": ["p", "q", "r"]},
    "readout": {"kind": "tied"}, "layers": [{"heads": 2, "gates": [1, 0]}, {"heads": 1}]}, {}]})"};

const std::vector<std::string> kWords = {"hydrascope",
                                         "sentence",
                                         "tokens",
                                         "d_model",
                                         "embedding",
                                         "layers",
                                         "kind",
                                         "seed",
                                         "positions",
                                         "edits",
                                         "words",
                                         "X",
                                         "heads",
                                         "kv_heads",
                                         "kv_of",
                                         "mask",
                                         "scale",
                                         "gates",
                                         "temperature",
                                         "residual",
                                         "weights",
                                         "W_Q",
                                         "W_K",
                                         "W_V",
                                         "W_O",
                                         "rotary",
                                         "sink",
                                         "output_gate",
                                         "element",
                                         "W_G",
                                         "w_G",
                                         "window",
                                         "alibi",
                                         "slopes",
                                         "offset_bias",
                                         "reach",
                                         "dropout",
                                         "dropout_seed",
                                         "over",
                                         "all_heads",
                                         "scaling",
                                         "yarn",
                                         "llama3",
                                         "linear",
                                         "factor",
                                         "original_length",
                                         "slow_turns",
                                         "fast_turns",
                                         "magnitude",
                                         "relu_squared",
                                         "both",
                                         "output",
                                         "gain_Y",
                                         "shift_F",
                                         "interleaved",
                                         "soft_cap",
                                         "qk_norm",
                                         "gain_K",
                                         "base",
                                         "pairs",
                                         "b_Q",
                                         "b_K",
                                         "b_V",
                                         "b_O",
                                         "painted",
                                         "head",
                                         "values",
                                         "attention",
                                         "split",
                                         "slice",
                                         "slice_factor",
                                         "gain",
                                         "causal",
                                         "other_weights",
                                         "other_models",
                                         "fingerprints",
                                         "trained",
                                         "drawn",
                                         "designs",
                                         "preset",
                                         "previous",
                                         "asks",
                                         "query",
                                         "key",
                                         "kernels",
                                         "place",
                                         "sharpness",
                                         "carries",
                                         "same_word",
                                         "features",
                                         "explicit",
                                         "random",
                                         "hashed",
                                         "init",
                                         "zero",
                                         "projection",
                                         "none",
                                         "noun",
                                         "\"“é”\\",
                                         "a b",
                                         "marks",
                                         "relations",
                                         "owner",
                                         "the@2",
                                         "",
                                         "\x01",
                                         "identity",
                                         "xavier",
                                         "everything",
                                         "norm",
                                         "feed_forward",
                                         "parallel",
                                         "shared",
                                         "width",
                                         "activation",
                                         "gated",
                                         "silu",
                                         "rms",
                                         "after",
                                         "gelu_tanh",
                                         "epsilon",
                                         "gain_1",
                                         "shift_2",
                                         "W_1",
                                         "W_2",
                                         "W_3",
                                         "b_1",
                                         "notes",
                                         "title",
                                         "text",
                                         "slot",
                                         "slot_word",
                                         "reads",
                                         "writes",
                                         "word-to-slot",
                                         "learned",
                                         "vocabulary",
                                         "places",
                                         "case",
                                         "exact",
                                         "questions",
                                         "E",
                                         "P",
                                         "final_norm",
                                         "readout",
                                         "shift",
                                         "W_U",
                                         "b_U",
                                         "tied",
                                         "own",
                                         "talking_heads",
                                         "both",
                                         "P_L",
                                         "P_W",
                                         "differential",
                                         "lambda_0",
                                         "lambda_q1",
                                         "lambda_k2",
                                         "gain_O",
                                         "types",
                                         "T",
                                         "embedding_norm",
                                         "transform",
                                         "W_T",
                                         "cap"};

std::string text_from(fuzz::Bytes& bytes) {
  constexpr std::size_t own_text = 5;  // the corpus knows it by this number
  const std::size_t kind = bytes.byte() % (std::size(kBases) + 1);
  if (kind == own_text) return std::string(bytes.rest());
  fuzz::Value json = fuzz::Value::parse(kBases[kind > own_text ? kind - 1 : kind]);
  for (int k = bytes.byte() % 8; k > 0; --k) fuzz::change_one(json, bytes, kWords);
  std::string text = json.dump(bytes.byte() % 2 == 0 ? -1 : 1, ' ', false, fuzz::Value::error_handler_t::replace);
  if (bytes.byte() % 4 == 0) fuzz::change_bytes(text, bytes);
  return text;
}

void check_document_of(const Document& document, std::string_view text) {
  try {
    check_document(document);
  } catch (const InputError& fault) {
    law(false, fault.what(), text);
  }
  const std::string written = document_text(document);
  law(written.size() <= kLargestDocument.bytes, "a document is no larger than the largest", text);
  try {
    const Document again = parse_document(written, "again");
    law(same_document(again, document), "what was written reads back to the same bits", text);
    law(document_text(again) == written, "the same document is the same text", text);
  } catch (const InputError& fault) {
    law(false, fault.what(), text);
  }
  const auto n = static_cast<Index>(tokens_of(document).size());
  if (n > 64 || document.d_model > 64) return;
  const auto trace = evaluate(document);
  law(nlohmann::json::accept(trace_text(*trace)), "a trace is JSON", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::string text = text_from(bytes);
  std::optional<Document> document;
  try {
    document = parse_document(text, "f");
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), text);
  }
  if (document) check_document_of(*document, text);
  return 0;
}
