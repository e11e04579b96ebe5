// Models that are laid out by hand (layout.json), against the same files opened by their family.
#include <filesystem>

#include "core/checkpoints/family.h"
#include "core/checkpoints/layouts/suggested_layout.h"
#include "core/checkpoints/open_model.h"
#include "core/document/evaluate.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/data.h"
#include "tests/support/folder.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

constexpr const char* kGpt2 = R"({"hydrascope_layout": 1,
 "layer": {"heads": 3, "mask": "causal", "residual": true, "norm": {"kind": "layer"},
           "feed_forward": {"activation": "gelu_tanh"}},
 "model": {"final_norm": {"kind": "layer"}, "readout": {"kind": "tied"}},
 "arrays": {"E": "wte.weight", "P": "wpe.weight", "gain": "ln_f.weight", "shift": "ln_f.bias",
  "layers.*.W_Q": "h.*.attn.c_attn.weight[:, 0:12]", "layers.*.b_Q": "h.*.attn.c_attn.bias[0:12]",
  "layers.*.W_K": "h.*.attn.c_attn.weight[:, 12:24]", "layers.*.b_K": "h.*.attn.c_attn.bias[12:24]",
  "layers.*.W_V": "h.*.attn.c_attn.weight[:, 24:]", "layers.*.b_V": "h.*.attn.c_attn.bias[24:]",
  "layers.*.W_O": "h.*.attn.c_proj.weight", "layers.*.b_O": "h.*.attn.c_proj.bias",
  "layers.*.gain_1": "h.*.ln_1.weight", "layers.*.shift_1": "h.*.ln_1.bias",
  "layers.*.gain_2": "h.*.ln_2.weight", "layers.*.shift_2": "h.*.ln_2.bias",
  "layers.*.W_1": "h.*.mlp.c_fc.weight", "layers.*.b_1": "h.*.mlp.c_fc.bias",
  "layers.*.W_2": "h.*.mlp.c_proj.weight", "layers.*.b_2": "h.*.mlp.c_proj.bias"}})";
constexpr const char* kLlama = R"({"hydrascope_layout": 1,
 "layer": {"heads": 4, "mask": "causal", "residual": true, "norm": {"kind": "rms"},
           "feed_forward": {"activation": "silu", "gated": true}, "rotary": {"base": 500}},
 "model": {"final_norm": {"kind": "rms"}, "readout": {"kind": "own"}},
 "arrays": {"E": "model.embed_tokens.weight", "W_U": "lm_head.weight^T", "gain": "model.norm.weight",
  "layers.*.W_Q": "model.layers.*.self_attn.q_proj.weight^T", "layers.*.W_K": "model.layers.*.self_attn.k_proj.weight^T",
  "layers.*.W_V": "model.layers.*.self_attn.v_proj.weight^T", "layers.*.W_O": "model.layers.*.self_attn.o_proj.weight^T",
  "layers.*.gain_1": "model.layers.*.input_layernorm.weight",
  "layers.*.gain_2": "model.layers.*.post_attention_layernorm.weight",
  "layers.*.W_1": "model.layers.*.mlp.gate_proj.weight^T", "layers.*.W_3": "model.layers.*.mlp.up_proj.weight^T",
  "layers.*.W_2": "model.layers.*.mlp.down_proj.weight^T"}})";
constexpr const char* kLens = R"({"hydrascope_layout": 1, "ignored": ["attn.IGNORE", "attn.mask"],
 "layer": {"heads": 3, "mask": "causal", "residual": true, "norm": {"kind": "layer"},
           "feed_forward": {"activation": "relu"}},
 "model": {"final_norm": {"kind": "layer"}, "readout": {"kind": "own"}},
 "arrays": {"E": "embed.W_E", "P": "pos_embed.W_pos", "W_U": "unembed.W_U", "b_U": "unembed.b_U",
  "gain": "ln_final.w", "shift": "ln_final.b",
  "layers.*.W_Q": "blocks.*.attn.W_Q", "layers.*.W_K": "blocks.*.attn.W_K", "layers.*.W_V": "blocks.*.attn.W_V",
  "layers.*.b_Q": "blocks.*.attn.b_Q", "layers.*.b_K": "blocks.*.attn.b_K", "layers.*.b_V": "blocks.*.attn.b_V",
  "layers.*.W_O": "blocks.*.attn.W_O", "layers.*.b_O": "blocks.*.attn.b_O",
  "layers.*.gain_1": "blocks.*.ln1.w", "layers.*.shift_1": "blocks.*.ln1.b",
  "layers.*.gain_2": "blocks.*.ln2.w", "layers.*.shift_2": "blocks.*.ln2.b",
  "layers.*.W_1": "blocks.*.mlp.W_in", "layers.*.b_1": "blocks.*.mlp.b_in",
  "layers.*.W_2": "blocks.*.mlp.W_out", "layers.*.b_2": "blocks.*.mlp.b_out"}})";

struct LaidOutModel {
  LaidOutModel(const std::string& name, const std::string& layout) {
    fs::create_directory(path());
    fs::copy_file(test::data("checkpoints/" + name + "/model.safetensors"), path() + "/model.safetensors");
    write_whole(path() + "/layout.json", layout);
  }
  std::string path() const { return folder.file("model"); }
  Folder folder;
};

// With the first of its parts in the place of another.
std::string changed(std::string layout, const std::string& from, const std::string& to) {
  const std::size_t at = layout.find(from);
  REQUIRE(at != std::string::npos);
  return layout.replace(at, from.size(), to);
}

std::string layout_refusal(const std::string& layout) {
  const LaidOutModel model("gpt2", layout);
  try {
    open_model(model.path());
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "opened";
}

}  // namespace

TEST_CASE("layout: a model that is laid out by hand gives the numbers that its family gives", "[checkpoints]") {
  const std::pair<const char*, const char*> models[] = {
      {"gpt2", kGpt2}, {"llama", kLlama}, {"transformer_lens", kLens}};
  for (const auto& [name, layout] : models) {
    CAPTURE(name);
    const LaidOutModel model(name, layout);
    Document by_hand = open_model(model.path()).document,
             by_family = open_model(test::data(std::string("checkpoints/") + name)).document;
    by_hand.sentence = by_family.sentence = "3 1 4 1 5";
    const auto ours = evaluate(by_hand), theirs = evaluate(by_family);
    CHECK(ours->layers.size() == theirs->layers.size());
    CHECK(same_bits(ours->model.logits, theirs->model.logits));
    CHECK(same_document(parse_document(document_text(by_hand), "x.json"), by_hand));
  }
}

TEST_CASE("layout: what it gets wrong has one sentence", "[checkpoints]") {
  CHECK(layout_refusal(kGpt2) == "opened");
  CHECK_THAT(layout_refusal(changed(kGpt2, "\"heads\": 3", "\"heads\": 5")),
             Contains("“arrays.layers.*.W_Q” gives 12 x 12"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "\"kind\": \"layer\"", "\"kind\": \"batch\"")),
             Contains("“layer.norm.kind” is “batch”; known are layer, rms"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "\"residual\"", "\"residue\"")),
             Contains("“layer.residue” is nothing that a model"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "[:, 0:12]", "[:, 0:99]")), Contains("takes columns 0 to 99 of 36"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "[:, 0:12]", "[a]")), Contains("has “[a]”; a part is written as [0:64, :]"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "\"layers.*.W_2\"", "\"layers.*.W_9\"")),
             Contains("has no entry “layers.*.W_2”"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "h.*.ln_2.weight", "h.*.ln_3.weight")),
             Contains("“arrays.layers.*.gain_2” names “h.0.ln_3.weight”, and there is no array"));
  CHECK_THAT(layout_refusal(changed(kGpt2, ", \"layers.*.b_2\": \"h.*.mlp.c_proj.bias\"", "")),
             Contains("has “h.0.mlp.c_proj.bias”, “h.1.mlp.c_proj.bias”, of which nothing is known"));
  CHECK_THAT(layout_refusal(changed(kGpt2, "\"layers.*.W_Q\": \"h.*", "\"layers.*.W_Q\": \"g.*")),
             Contains("“arrays.layers.*.W_Q” names “g.0.attn.c_attn.weight”, and there is no array of that name"));
}

namespace {

ModelLayout layout_in(const std::string& text) { return layout_of(Config::of_text(text, "layout.json")); }

std::vector<std::string> faults_of(const ModelLayout& layout) {
  std::vector<std::string> faults;
  const TensorFile file = read_checkpoint(test::data("checkpoints/gpt2")).tensors;
  for (const LayoutFault& fault : check_layout(layout, file).faults) faults.push_back(sentence_of(fault));
  return faults;
}

}  // namespace

TEST_CASE("layout: what is written reads back to the same, and gives the same model", "[checkpoints]") {
  for (const char* layout : {kGpt2, kLlama, kLens}) {
    const ModelLayout read = layout_in(layout), again = layout_in(layout_text(read));
    CHECK(layout_text(again) == layout_text(read));
    CHECK(again.layer == read.layer);
    CHECK(again.model == read.model);
    CHECK(again.arrays == read.arrays);
    CHECK(again.ignored == read.ignored);
    CHECK(std::pair(again.heads, again.causal) == std::pair(read.heads, read.causal));
  }
  for (const auto& entry : fs::directory_iterator(test::data("checkpoints"))) {
    CAPTURE(entry.path().filename().string());
    const Checkpoint checkpoint = read_checkpoint(entry.path().string());
    const std::string text = layout_text(suggested_layout(checkpoint.tensors, checkpoint.config));
    CHECK(layout_text(layout_in(text)) == text);
  }
  const LaidOutModel written("gpt2", layout_text(layout_in(kGpt2)));
  const LaidOutModel by_hand("gpt2", kGpt2);
  CHECK(same_bits(evaluate(open_model(written.path()).document)->model.logits,
                  evaluate(open_model(by_hand.path()).document)->model.logits));
}

TEST_CASE("layout: parts are spelled as they are read", "[checkpoints]") {
  for (const char* part : {"a", "a^T", "a.*.b^T[0:64, :]", "a[:, 12:]", "a[3:4, 5:6]"})
    CHECK(spelled(parse_part(part, false), false) == part);
  for (const char* part : {"a", "a[0:12]", "a[12:]"}) CHECK(spelled(parse_part(part, true), true) == std::string(part));
  CHECK_THROWS_AS(parse_part("a[x]", true), InputError);
  CHECK_THROWS_AS(parse_part("a[1]", false), InputError);
}

TEST_CASE("layout: held against a file it says its sizes, or everything that is wrong", "[checkpoints]") {
  const TensorFile file = read_checkpoint(test::data("checkpoints/gpt2")).tensors;
  const ModelLayout layout = layout_in(kGpt2);
  const LayoutCheck check = check_layout(layout, file);
  CHECK(check.is_whole());
  CHECK(check.layers == 2);
  CHECK(check.d_model == 12);
  CHECK(check.layer.heads == 3);
  CHECK(check.wants.at("layers.*.W_1") == PartShape{12, check.layer.settings.feed_forward_width});
  CHECK(faults_of(changed(changed(layout, "arrays.layers.*.W_1", ""), "layer.heads", "5")).size() >= 2);
  CHECK_THAT(faults_of(changed(layout, "layer.heads", "0")).front(), Contains("“layer.heads” is not said"));
  CHECK_THAT(faults_of(changed(layout, "layer.heads", "500")).front(), Contains("1 to 128 heads"));
  CHECK_THAT(faults_of(changed(layout, "arrays.E", "wte.weight^T")).front(), Contains("“arrays.E” gives 12 x"));
  CHECK_THAT(faults_of(changed(layout, "layer.norm", "false")).front(),
             Contains("“arrays.layers.*.gain_1” is nothing that a model of these settings has"));
  CHECK_THAT(faults_of(changed(changed(layout, "layer.mask", "none"), "layer.window", "4")).front(),
             Contains("“layer” is not possible"));
  CHECK_THAT(faults_of(changed(layout, "arrays.layers.9.W_Q", "h.0.attn.c_attn.weight[:, 0:12]")).front(),
             Contains("“arrays.layers.9.W_Q” is nothing"));
  CHECK(check_layout(changed(layout, "arrays.layers.1.b_O", "h.0.attn.c_proj.bias"), file).unread ==
        std::vector<std::string>{"h.1.attn.c_proj.bias"});
}

TEST_CASE("layout: a shift that it leaves out is 0", "[checkpoints]") {
  const LaidOutModel model("gpt2", changed(changed(kGpt2, "\"shift\": \"ln_f.bias\",", ""), "\"hydrascope_layout\": 1,",
                                           "\"hydrascope_layout\": 1, \"ignored\": [\"ln_f.bias\"],"));
  const Array<float> shift = open_model(model.path()).document.weights.shift;
  REQUIRE(shift);
  CHECK(Mat<float>(*shift).isZero());
}

TEST_CASE("layout: one thing of it is changed by its key, or refused by it", "[checkpoints]") {
  const ModelLayout layout = layout_in(kGpt2);
  CHECK(changed(layout, "layer.feed_forward.activation", "relu").layer.activation == Activation::relu);
  CHECK(changed(layout, "model.readout.kind", "own").model.readout == ReadoutKind::own);
  CHECK_FALSE(changed(layout, "layer.mask", "none").causal);
  CHECK(changed(layout, "ignored.mask", "true").ignored == std::vector<std::string>{"mask"});
  CHECK(changed(changed(layout, "ignored.mask", "true"), "ignored.mask", "").ignored.empty());
  CHECK(changed(layout, "model.positions", "sinusoidal").sinusoidal);
  CHECK_THROWS_WITH(changed(layout, "layer.residue", "true"),
                    Contains("“layer.residue” is nothing that a layout says"));
  CHECK_THROWS_WITH(changed(layout, "layer.heads", "x"), Contains("must be a number"));
  CHECK_THROWS_WITH(changed(layout, "layer.norm.kind", "batch"), Contains("“layer.norm.kind” cannot be “batch”"));
  CHECK_THROWS_WITH(changed(layout, "layer.norm.epsilon", "-1"), Contains("norm epsilon"));
}
