// Real files: read here where HYDRA_MODELS names the folder that has them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "core/tensors/gguf.h"
#include "core/tensors/llama2c.h"
#include "core/tensors/numpy/npy.h"
#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/torch/pt.h"
#include "tests/core/tensors/made_files.h"

using namespace hydra;

namespace {

std::string models_or_word() {
  const auto folder = made::models();
  if (!folder) WARN("HYDRA_MODELS names no folder: real files are not read");
  return folder.value_or("");
}

// What PyTorch 1.13 reads: tensors, numbers, and the sum of the finite ones, the k-th of a tensor times k % 7 + 1.
struct Fixture {
  const char* name;
  std::size_t tensors;
  Index numbers;
  double sum;
};
const Fixture kFixtures[] = {
    {"pytorch-tests__tests__batch_norm__batch_norm2d.pt", 5, 21, 30.249999653548002},
    {"pytorch-tests__tests__boolean__boolean.pt", 1, 3, 4.0},
    {"pytorch-tests__tests__buffer__buffer.pt", 1, 9, 31.0},
    {"pytorch-tests__tests__complex_nested__complex_nested.pt", 23, 1851, 76.47526667732745},
    {"pytorch-tests__tests__config__weights_with_config.pt", 3, 21, -9.510262101888657},
    {"pytorch-tests__tests__conv1d__conv1d.pt", 3, 18, -0.5994387269020081},
    {"pytorch-tests__tests__conv2d__conv2d.pt", 3, 34, 0.3573233336210251},
    {"pytorch-tests__tests__conv_transpose1d__conv_transpose1d.pt", 3, 18, -0.5994387269020081},
    {"pytorch-tests__tests__conv_transpose2d__conv_transpose2d.pt", 3, 34, 0.3573233336210251},
    {"pytorch-tests__tests__debug_test.pt", 1, 4, 30.0},
    {"pytorch-tests__tests__embedding__embedding.pt", 1, 30, -10.999543694779277},
    {"pytorch-tests__tests__enum_module__enum_depthwise_false.pt", 2, 38, 0.8618336340878159},
    {"pytorch-tests__tests__enum_module__enum_depthwise_true.pt", 4, 26, 1.8326046876609325},
    {"pytorch-tests__tests__group_norm__group_norm.pt", 2, 12, 21.0},
    {"pytorch-tests__tests__integer__integer.pt", 1, 3, 14.0},
    {"pytorch-tests__tests__key_remap__key_remap.pt", 3, 34, 0.3573233336210251},
    {"pytorch-tests__tests__key_remap_chained__key_remap.pt", 18, 309, 118.95287746416871},
    {"pytorch-tests__tests__layer_norm__layer_norm.pt", 2, 4, 3.0},
    {"pytorch-tests__tests__linear__linear.pt", 3, 21, 1.4151770770549774},
    {"pytorch-tests__tests__linear__linear_with_bias.pt", 2, 9, 0.5298793911933899},
    {"pytorch-tests__tests__missing_module_field__missing_module_field.pt", 2, 18, -0.1759139746427536},
    {"pytorch-tests__tests__non_contiguous_indexes__non_contiguous_indexes.pt", 10, 190, 2.066941868746653},
    {"pytorch-tests__tests__test_int.pt", 1, 3, 14.0},
    {"pytorch-tests__tests__top_level_key__top_level_key.pt", 2, 18, -0.1759139746427536},
    {"src__pytorch__tests__reader__test_data__bfloat16.pt", 1, 3, 7.0},
    {"src__pytorch__tests__reader__test_data__bool.pt", 1, 5, 8.0},
    {"src__pytorch__tests__reader__test_data__buffers.pt", 2, 5, 15.0},
    {"src__pytorch__tests__reader__test_data__checkpoint.pt", 5, 143, -37.70127549872268},
    {"src__pytorch__tests__reader__test_data__complex_structure.pt", 6, 35, 33.78528274176642},
    {"src__pytorch__tests__reader__test_data__empty.pt", 1, 0, 0.0},
    {"src__pytorch__tests__reader__test_data__extreme_values.pt", 1, 4, -2.0000000300949324e+30},
    {"src__pytorch__tests__reader__test_data__float16.pt", 1, 3, 6.375},
    {"src__pytorch__tests__reader__test_data__float32.pt", 1, 4, -5.1000001430511475},
    {"src__pytorch__tests__reader__test_data__float64.pt", 1, 3, 15.399999976158142},
    {"src__pytorch__tests__reader__test_data__int16.pt", 1, 3, 6000.0},
    {"src__pytorch__tests__reader__test_data__int32.pt", 1, 3, -40.0},
    {"src__pytorch__tests__reader__test_data__int64.pt", 1, 4, 600.0},
    {"src__pytorch__tests__reader__test_data__int8.pt", 1, 4, 71.0},
    {"src__pytorch__tests__reader__test_data__large_shape.pt", 1, 10000, 21.0},
    {"src__pytorch__tests__reader__test_data__legacy_shared_storage.pt", 3, 40, -10.447961766272783},
    {"src__pytorch__tests__reader__test_data__legacy_uncloned_views.pt", 2, 20, 2364.0},
    {"src__pytorch__tests__reader__test_data__legacy_with_offsets.pt", 3, 20, 118.61999952793121},
    {"src__pytorch__tests__reader__test_data__mixed_types.pt", 4, 8, 511.5000001192093},
    {"src__pytorch__tests__reader__test_data__nested_dict.pt", 4, 20, -11.10399834625423},
    {"src__pytorch__tests__reader__test_data__parameter.pt", 1, 9, -5.968727141618729},
    {"src__pytorch__tests__reader__test_data__scalar.pt", 1, 1, 42.0},
    {"src__pytorch__tests__reader__test_data__simple_legacy.pt", 3, 10, 2.3104491233825684},
    {"src__pytorch__tests__reader__test_data__special_values.pt", 1, 5, 5.0},
    {"src__pytorch__tests__reader__test_data__state_dict.pt", 4, 21, -8.056593716144562},
    {"src__pytorch__tests__reader__test_data__tensor_2d.pt", 1, 6, 91.0},
    {"src__pytorch__tests__reader__test_data__tensor_3d.pt", 1, 24, -247.25078371167183},
    {"src__pytorch__tests__reader__test_data__tensor_4d.pt", 1, 24, 25.006196409463882},
    {"src__pytorch__tests__reader__test_data__uint8.pt", 1, 4, 1189.0},
    {"src__pytorch__tests__store__test_data__model_without_enum_variants.pt", 4, 906, -3.1091368152046925},
};

}  // namespace

TEST_CASE("real files: fixtures of PyTorch hold what PyTorch reads", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  const std::string folder = models + "/format-fixtures-pt/";
  for (const Fixture& fixture : kFixtures) {
    INFO(fixture.name);
    const TensorFile file = open_tensors(folder + fixture.name);
    CHECK(file.tensors.size() == fixture.tensors);
    Index numbers = 0;
    double sum = 0;
    for (const Tensor& tensor : file.tensors) {
      numbers += count_of(tensor);
      const std::vector<float> values = made::floats(tensor);
      for (std::size_t k = 0; k < values.size(); ++k)
        if (std::isfinite(values[k])) sum += static_cast<double>(values[k]) * static_cast<double>(k % 7 + 1);
    }
    CHECK(numbers == fixture.numbers);
    CHECK(sum == Approx(fixture.sum).epsilon(1e-12));
  }
}

TEST_CASE("real files: no fixture is left out, and the others are refused by a sentence", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  std::size_t refused = 0, files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(models + "/format-fixtures-pt")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".pt") && !name.ends_with(".tar") && !name.ends_with(".safetensors")) continue;
    ++files;
    if (std::any_of(std::begin(kFixtures), std::end(kFixtures), [&](const Fixture& f) { return name == f.name; }))
      continue;
    INFO(name);
    if (name.ends_with(".safetensors")) {
      CHECK(open_tensors(entry.path().string()).tensors.size() == 9);
      continue;
    }
    ++refused;
    const std::string sentence = made::refusal([&] { open_pt(entry.path().string()); });
    if (name.ends_with(".tar"))
      CHECK(sentence.ends_with(
          ": is a tar archive, as PyTorch wrote them before 0.1.10; load it there and save it again"));
    else
      CHECK(
          sentence.ends_with(": is not what torch.save writes (.pt), nor another file of arrays that is known here; "
                             "give one of safetensors, GGUF, .npy, .npz, .pt or llama2.c"));
  }
  CHECK(files == 62);
  CHECK(refused == 7);
}

TEST_CASE("real files: what stands beside the tensors of a checkpoint is metadata", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  const TensorFile gpt = open_pt(models + "/gpt-by-hand/ckpt.pt");
  CHECK(gpt.whole("model_args.num_layers") == 2);
  CHECK(gpt.whole("model_args.num_heads") == 2);
  CHECK(gpt.whole("model_args.dim_embedding") == 16);
  CHECK(gpt.find("model.transformer.wte.weight")->shape == std::vector<Index>{32, 16});
  CHECK(gpt.find("model.transformer.h.0.attn.c_attn.weight")->shape == std::vector<Index>{48, 16});
  const TensorFile small = open_pt(models + "/format-fixtures-pt/pytorch-tests__tests__config__weights_with_config.pt");
  CHECK(small.whole("my_config.d_model") == 512);
  CHECK(small.number("my_config.some_float") == 0.1);
  CHECK(small.truth("my_config.some_bool") == true);
  CHECK(small.text("my_config.some_str") == "hello");
  CHECK(std::get<std::vector<std::int64_t>>(*small.meta("my_config.some_list_int")) ==
        std::vector<std::int64_t>{1, 2, 3});
  CHECK(small.text("my_config.some_list_str.1") == "world");
  CHECK(small.text("my_config.some_dict.some_key") == "some_value");
}

TEST_CASE("real files: one model in seven containers has the same numbers", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  const std::string derived = models + "/derived-stories260k/", original = models + "/llama2c-stories260k/";
  const TensorFile hub = open_tensors(derived + "hf/model.safetensors");
  const TensorFile brain = open_tensors(derived + "hf/model.bf16.safetensors");
  const TensorFile single = open_tensors(derived + "stories260K.F32.gguf");
  const TensorFile half = open_tensors(derived + "stories260K.F16.gguf");
  const TensorFile eighth = open_tensors(derived + "stories260K.Q8_0.gguf");
  const TensorFile numpy = open_tensors(derived + "stories260K.npz");
  const TensorFile legacy = open_tensors(original + "checkpoint_legacy.bin");
  const TensorFile version_1 = open_tensors(original + "checkpoint_v1.bin");
  CHECK(hub.tensors.size() == 47);
  CHECK(legacy.tensors.size() == 47);
  CHECK(single.tensors.size() == 48);
  CHECK(legacy.text("rotary_pairs") == "neighbours");
  CHECK(legacy.whole("num_key_value_heads") == 4);
  CHECK(version_1.whole("max_position_embeddings") == 512);
  CHECK(single.whole("llama.attention.head_count_kv") == 4);
  const auto& pieces = std::get<std::vector<std::string_view>>(*single.meta("tokenizer.ggml.tokens"));
  CHECK(pieces.size() == 512);
  CHECK(pieces[1] == "<s>");
  CHECK(std::get<std::vector<double>>(*single.meta("tokenizer.ggml.scores")).size() == 512);

  const std::pair<const char*, const char*> gguf_names[] = {
      {"self_attn.q_proj", "attn_q"},      {"self_attn.k_proj", "attn_k"},   {"self_attn.v_proj", "attn_v"},
      {"self_attn.o_proj", "attn_output"}, {"mlp.gate_proj", "ffn_gate"},    {"mlp.up_proj", "ffn_up"},
      {"mlp.down_proj", "ffn_down"},       {"input_layernorm", "attn_norm"}, {"post_attention_layernorm", "ffn_norm"}};
  const std::pair<const char*, const char*> old_names[] = {
      {"self_attn.q_proj", "attention.wq"},    {"self_attn.k_proj", "attention.wk"},
      {"self_attn.v_proj", "attention.wv"},    {"self_attn.o_proj", "attention.wo"},
      {"mlp.gate_proj", "feed_forward.w1"},    {"mlp.up_proj", "feed_forward.w3"},
      {"mlp.down_proj", "feed_forward.w2"},    {"input_layernorm", "attention_norm"},
      {"post_attention_layernorm", "ffn_norm"}};
  const auto renamed = [](const std::string& name, const auto& names, const std::string& layers,
                          std::initializer_list<std::pair<std::string, std::string>> others) {
    for (const auto& [from, to] : others)
      if (name == from) return to;
    for (const auto& [from, to] : names)
      if (name.ends_with("." + std::string(from) + ".weight")) return layers + name[13] + "." + to + ".weight";
    return std::string();
  };
  // Of the hub's, whose rows of queries and keys are in another order within a head.
  const auto unpermuted = [](const Tensor& tensor, std::vector<float> values) {
    if (tensor.name.find("q_proj") == std::string::npos && tensor.name.find("k_proj") == std::string::npos)
      return values;
    const std::size_t width = 64, head = 8, rows = values.size() / width;
    std::vector<float> turned(values.size());
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t h = row / head, j = row % head;
      const std::size_t to = h * head + (j < head / 2 ? 2 * j : 2 * (j - head / 2) + 1);
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                  turned.begin() + static_cast<std::ptrdiff_t>(to * width));
    }
    return turned;
  };
  std::size_t compared = 0;
  for (const Tensor& tensor : hub.tensors) {
    INFO(tensor.name);
    const std::vector<float> values = unpermuted(tensor, made::floats(tensor));
    REQUIRE(legacy.find(tensor.name) != nullptr);
    CHECK(legacy.find(tensor.name)->shape == tensor.shape);
    CHECK(made::floats(*legacy.find(tensor.name)) == values);
    CHECK(made::floats(*version_1.find(tensor.name)) == values);
    const std::string in_gguf =
        renamed(tensor.name, gguf_names, "blk.",
                {{"model.embed_tokens.weight", "token_embd.weight"}, {"model.norm.weight", "output_norm.weight"}});
    REQUIRE(single.find(in_gguf) != nullptr);
    CHECK(single.find(in_gguf)->shape == tensor.shape);
    CHECK(made::floats(*single.find(in_gguf)) == values);
    const std::string in_numpy =
        renamed(tensor.name, old_names, "layers.",
                {{"model.embed_tokens.weight", "tok_embeddings.weight"}, {"model.norm.weight", "norm.weight"}});
    REQUIRE(numpy.find(in_numpy) != nullptr);
    CHECK(made::floats(*numpy.find(in_numpy)) == values);
    const std::vector<float> halves = made::floats(*half.find(in_gguf)), eighths = made::floats(*eighth.find(in_gguf));
    const std::vector<float> brains = unpermuted(tensor, made::floats(*brain.find(tensor.name)));
    for (std::size_t k = 0; k < values.size(); ++k) {
      REQUIRE(std::abs(halves[k] - values[k]) <= std::max(std::abs(values[k]) * 0x1p-11f, 0x1p-25f));
      REQUIRE(std::abs(brains[k] - values[k]) <= std::abs(values[k]) * 0x1p-8f);
    }
    // Within half a step of the block's scale, and what the scale lost as a half.
    for (std::size_t block = 0; block + 32 <= values.size(); block += 32) {
      float largest = 0;
      for (std::size_t k = block; k < block + 32; ++k) largest = std::max(largest, std::abs(values[k]));
      for (std::size_t k = block; k < block + 32; ++k)
        REQUIRE(std::abs(eighths[k] - values[k]) <= largest / 127 * 0.5f + largest * 0x1p-10f);
    }
    ++compared;
  }
  CHECK(compared == 47);
}

TEST_CASE("real files: every vocabulary in GGUF is read without tensors", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(models + "/tokenizers/ggml-vocab")) {
    if (entry.path().extension() != ".gguf") continue;
    INFO(entry.path().string());
    const TensorFile file = open_gguf(entry.path().string());
    CHECK(file.tensors.empty());
    CHECK(std::get<std::vector<std::string_view>>(*file.meta("tokenizer.ggml.tokens")).size() > 20000);
    ++files;
  }
  CHECK(files == 5);
}

TEST_CASE("real files: folders of the hub are opened by their folder", "[tensors]") {
  const std::string models = models_or_word();
  if (models.empty()) return;
  for (const char* const name : {"hf-tiny-bert", "hf-tiny-modernbert", "hf-tiny-random-gpt2"}) {
    INFO(name);
    CHECK(!open_tensors(models + "/" + name).tensors.empty());
  }
  CHECK(open_tensors(models + "/hf-tiny-random-gpt2").find("transformer.h.0.attn.c_attn.weight") != nullptr);
}
