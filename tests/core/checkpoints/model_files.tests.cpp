// Documents of a model's file: what they save, how they open again, and what is said of files that cannot be opened.
#include <filesystem>

#include "core/checkpoints/open_model.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/tensors/open.h"
#include "core/tensors/safetensors.h"
#include "tests/support/data.h"
#include "tests/support/folder.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

// A copy of a made model that a test may change.
struct Copied {
  explicit Copied(const std::string& name) {
    fs::create_directory(path());
    for (const char* file : {"model.safetensors", "config.json"})
      fs::copy_file(test::data("checkpoints/" + name + "/" + file), path() + "/" + file);
  }
  std::string path() const { return folder.file("model"); }
  void write(const std::string& file, const std::string& text) const { write_whole(path() + "/" + file, text); }
  // The same arrays without those of which drop says so.
  template <class Drop>
  void drop_arrays(const Drop& drop) const {
    const TensorFile file = open_tensors(path() + "/model.safetensors");
    std::vector<Tensor> kept;
    for (const Tensor& tensor : file.tensors)
      if (!drop(tensor)) kept.push_back(tensor);
    const std::string other = path() + "/other";
    write_safetensors(other, kept);
    fs::rename(other, path() + "/model.safetensors");
  }
  Folder folder;
};

std::string refusal(const std::string& path) {
  try {
    open_model(path);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "opened";
}

std::string refused(const std::string& document) {
  try {
    parse_document(document, "x.json");
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "opened";
}

Document edited(const Document& document) {
  Mat<float> one(1, 1);
  one << 2.5f;
  return apply(document, Edit(SetBlock{Quantity::W_Q, 3, 1, share(Mat<float>(one))}, 1));
}

constexpr const char* kLetters =
    R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,"i":8,"j":9,"ca":10},)"
    R"("merges":["c a"]},"pre_tokenizer":null,"normalizer":null,"decoder":null,"post_processor":null,"added_tokens":[]})";

}  // namespace

TEST_CASE("model files: a document says what differs from the file, and opens again as it was", "[checkpoints]") {
  for (const char* const name : {"gpt2", "qwen3", "gemma", "gpt_neox", "transformer_lens", "bert", "roberta"}) {
    CAPTURE(name);
    const Copied model(name);
    const Document opened = open_model(model.path()).document;
    const std::string text = document_text(opened);
    CHECK_THAT(text, Contains("\"model\": {\"folder\": "));
    CHECK(text.size() < 4000);  // no number of the file
    CHECK(same_document(parse_document(text, "x.json"), opened));
    const Document changed = edited(opened);
    const std::string of_changed = document_text(changed);
    CHECK_THAT(of_changed, Contains("[3, 1, 2.5]"));
    CHECK(of_changed.size() < text.size() + 200);
    CHECK(same_document(parse_document(of_changed, "x.json"), changed));
    CHECK_FALSE(same_document(changed, opened));
  }
}

TEST_CASE("model files: what is changed so that the file's sizes fit no more stands number by number",
          "[checkpoints]") {
  const Copied model("llama");
  Document document = open_model(model.path()).document;
  document = apply(document, Edit(SetHeads{2}, 0));
  CHECK(same_document(parse_document(document_text(document), "x.json"), document));
}

TEST_CASE("model files: a model that is gone, or another, gets a sentence", "[checkpoints]") {
  const Copied model("gpt2");
  const std::string text = document_text(edited(open_model(model.path()).document));
  model.drop_arrays([](const Tensor& tensor) { return tensor.name == "h.0.attn.c_attn.bias"; });
  CHECK_THAT(refused(text), Contains("/model/sha256 is of another model than"));
  fs::remove_all(model.path());
  CHECK_THAT(refused(text), Contains("/model/folder names a model that is not there any more: "));
  CHECK_THAT(refused(R"({"hydrascope":1,"model":{"sha256":"0"}})"), Contains("/model has no \"folder\""));
}

TEST_CASE("model files: a document and its model that are copied elsewhere find each other", "[checkpoints]") {
  const Copied model("gpt2");
  const Document document = edited(open_model(model.path()).document);
  const Folder other;
  write_whole(other.file("mine.json"), document_text(document));
  fs::rename(model.path(), other.file("model"));
  const Document found = read_document(other.file("mine.json"));
  CHECK(found.file->path == other.file("model"));
  CHECK(found.layer(1).weights.W_Q->coeff(3, 1) == 2.5f);
  CHECK(document_text(found).find(other.file("model")) != std::string::npos);
  fs::rename(other.file("model"), other.file("elsewhere"));
  CHECK_THROWS_WITH(read_document(other.file("mine.json")), Contains("nor beside the document"));
  CHECK_NOTHROW(read_document(other.file("mine.json"), {"/model/folder=" + other.file("elsewhere")}));
}

TEST_CASE("model files: a tokenizer beside the arrays cuts every sentence, until the words are others",
          "[checkpoints]") {
  const Copied model("gpt2");
  model.write("tokenizer.json", kLetters);
  Document document = open_model(model.path()).document;
  REQUIRE(document.file->tokenizer);
  document.sentence = "bcade";
  CHECK(tokens_of(document) == std::vector<std::string>{"b", "ca", "d", "e"});
  CHECK(evaluate(document)->model.rows.of(1)[0] == 10);
  CHECK(same_document(parse_document(document_text(document), "x.json"), document));
  document = apply(document, Edit(SetSentence{"jig"}, 0));
  CHECK(tokens_of(document) == std::vector<std::string>{"j", "i", "g"});
  std::vector<std::string> others = document.embedding.vocabulary.words();
  others[0] = "x";
  document = apply(document, Edit(SetVocabulary{SetVocabulary::Of::words, others}, 0));
  CHECK(tokens_of(document) == std::vector<std::string>{"jig"});
  CHECK(same_document(parse_document(document_text(document), "x.json"), document));
}

TEST_CASE("model files: each fault has one sentence, and nothing is opened", "[checkpoints]") {
  {
    const Copied model("gpt2");
    model.drop_arrays([](const Tensor& tensor) { return tensor.name.find("ln_") != std::string::npos; });
    CHECK_THAT(refusal(model.path()),
               Contains("lacks “h.0.ln_1.weight”, “h.0.ln_2.weight”") && Contains("which a model of its kind has"));
  }
  const auto with_config = [](const char* name, const char* config) {
    const Copied model(name);
    model.write("config.json", config);
    return refusal(model.path());
  };
  CHECK_THAT(with_config("gpt2", "{}"), Contains("does not say how many heads"));
  CHECK_THAT(with_config("gpt2", R"({"n_head": 5})"), Contains("by which a width of 12 cannot be divided"));
  CHECK_THAT(with_config("gpt2", R"({"n_head": 3, "n_embd": 16})"),
             Contains("the words of the file have 12 numbers each"));
  CHECK_THAT(with_config("gpt2", R"({"n_head": 3, "activation_function": "mish"})"), Contains("“mish”"));
  CHECK_THAT(with_config("gpt2", R"({"n_head": "three"})"), Contains("must be a whole number"));
  CHECK_THAT(with_config("gpt2", "[1]"), Contains("must be an object"));
  CHECK_THAT(with_config("llama", R"({"num_attention_heads": 4, "num_key_value_heads": 3, "head_dim": 4})"),
             Contains("cannot share"));
  const auto with_rotation = [&](const std::string& rest) {
    return with_config("llama",
                       (R"({"num_attention_heads":4,"num_key_value_heads":2,"head_dim":4,)" + rest + "}").c_str());
  };
  CHECK_THAT(with_rotation(R"("rope_scaling":{"rope_type":"longrope","factor":4})"),
             Contains("“rope_scaling.rope_type” is “longrope”, a rotation that is not known here; known are default"));
  CHECK_THAT(with_rotation(R"("rope_parameters":{"rope_type":"dynamic","factor":4})"),
             Contains("“rope_parameters.rope_type” is “dynamic”, a rotation"));
  CHECK_THAT(with_rotation(R"("rope_scaling":{"type":"linear"})"),
             Contains("factor” is not said, and a rotation that is “linear” needs it"));
  CHECK_THAT(with_rotation(R"("rope_scaling":{"type":"linear","factor":0.5})"),
             Contains("“rope_scaling.factor” is 0.5; 1 to 10000 is possible here"));
  CHECK_THAT(with_rotation(R"("rope_scaling":{"rope_type":"yarn","factor":4})"),
             Contains("original_max_position_embeddings” is not said"));
  CHECK_THAT(
      with_rotation(R"("max_position_embeddings":64,"rope_scaling":{"rope_type":"yarn","factor":4,"truncate":false})"),
      Contains("bounds of a scaled rotation"));
  CHECK_THAT(with_rotation(R"("max_position_embeddings":64,"rope_scaling":{"rope_type":"llama3","factor":4,
                              "low_freq_factor":4,"high_freq_factor":4})"),
             Contains("must be more than low_freq_factor"));
  CHECK_THAT(with_config("llama", R"({"model_type":"gemma3","num_attention_heads":4})"),
             Contains("whose model is another") && Contains("gemma3_text and olmo2"));
  CHECK_THAT(
      with_config(
          "gemma2",
          R"({"model_type":"gemma2","num_attention_heads":4,"head_dim":6,"num_key_value_heads":2,"final_logit_softcapping":-1})"),
      Contains("“final_logit_softcapping” is beyond what a cap of the logits may be here"));
  CHECK_THAT(with_config("gemma3_text", R"({"model_type":"gemma3_text","num_attention_heads":4,"head_dim":6,
                                           "num_key_value_heads":2,"layer_types":["chunked_attention"]})"),
             Contains("“layer_types” has “chunked_attention”"));
  CHECK_THAT(with_config("llama", R"({"num_attention_heads":4,"num_key_value_heads":1,"head_dim":4})"),
             Contains("and of a model of these sizes it is 4 x 12"));
  CHECK_THAT(with_config("transformer_lens", R"({"normalization_type":"LN"})"), Contains("“act_fn”"));
  CHECK_THAT(with_config("transformer_lens_folded", "{}"), Contains("“normalization_type”"));
  CHECK_THAT(with_config("torch_layer", "{}"),
             Contains("does not say how many heads the model has; put a config.json with “num_heads” beside it"));
  CHECK_THAT(with_config("torch_layer", R"({"nhead": 5})"), Contains("by which a width of 12 cannot be divided"));
  CHECK_THAT(with_config("bloom", R"({"n_head": 3, "apply_residual_connection_post_layernorm": true})"),
             Contains("goes on as the stream is not known here"));
  CHECK_THAT(with_config("mpt", R"({"n_heads": 3, "attn_config": {"qk_ln": true}})"), Contains("“attn_config.qk_ln”"));
  CHECK_THAT(with_config("mpt", R"({"n_heads": 3, "attn_config": {"alibi_bias_max": 4}})"), Contains("other slopes"));
  CHECK_THAT(with_config("nanda", R"({"positional_embedding_type": "shortformer"})"), Contains("“shortformer”"));
  {
    const Folder empty;
    CHECK_THAT(refusal(empty.path.string()), Contains("holds neither model.safetensors"));
  }
}

TEST_CASE("model files: YaRN's factor and first length may stand beside it, and what is said is what is read",
          "[checkpoints]") {
  const Copied model("llama");
  model.write("config.json",
              R"({"num_attention_heads":4,"num_key_value_heads":2,"head_dim":4,"max_position_embeddings":256,
      "rope_parameters":{"rope_type":"yarn","original_max_position_embeddings":32,"attention_factor":1.25}})");
  const LayerSettings read = open_model(model.path()).document.layer(1).settings;
  CHECK(read.rotary_scaling == RotaryScaling::yarn);
  CHECK(read.rotary_factor == 8);
  CHECK(read.rotary_length == 32);
  CHECK(read.rotary_fast_turns == 32);
  CHECK(read.rotary_magnitude == 1.25);
}

TEST_CASE("model files: Gemma 3's layers see the last words, but for each so many-th, as its kind has it",
          "[checkpoints]") {
  const Copied model("gemma3_text");
  model.write("config.json",
              R"({"model_type":"gemma3_text","num_attention_heads":4,"num_key_value_heads":2,"head_dim":6,
      "sliding_window":5,"query_pre_attn_scalar":9,"tie_word_embeddings":true})");
  const Document document = open_model(model.path()).document;
  for (int k = 0; k < 3; ++k) CHECK(document.layer(k).settings.window == 5);  // the sixth is the first that sees all
  CHECK(document.layer(0).settings.rotary_base == 10000);
  model.write("config.json",
              R"({"model_type":"gemma3_text","num_attention_heads":4,"num_key_value_heads":2,"head_dim":6,
      "sliding_window":5,"query_pre_attn_scalar":9,"tie_word_embeddings":true,"sliding_window_pattern":3})");
  const Document third = open_model(model.path()).document;
  CHECK(third.layer(1).settings.window == 5);
  CHECK(third.layer(2).settings.window == 0);
  CHECK(third.layer(2).settings.rotary_base == 1e6);
}

TEST_CASE("model files: what config says and nobody knows is named", "[checkpoints]") {
  const Copied model("gpt2");
  model.write("config.json", R"({"n_head": 3, "temporal_twist": 7, "resid_pdrop": 0.1})");
  const OpenedModel opened = open_model(model.path());
  CHECK(std::ranges::count(opened.not_known, "temporal_twist") == 1);
  CHECK_THAT(opened.document.notes.paragraphs.back(), Contains("“temporal_twist”"));
}

TEST_CASE("model files: a config that calls it otherwise than its arrays do is told", "[checkpoints]") {
  const Copied model("gpt2");
  model.write("config.json", R"({"n_head": 3, "model_type": "frobnicator"})");
  CHECK_THAT(open_model(model.path()).document.notes.paragraphs[1],
             Contains("“frobnicator”") && Contains("read as GPT-2"));
  model.write("config.json", R"({"n_head": 3, "model_type": "gpt2"})");
  CHECK(open_model(model.path()).document.notes.paragraphs.size() == 1);
}

TEST_CASE("model files: what a model's notes say is of no sentence", "[checkpoints]") {
  const Copied model("gpt2");
  Document document = open_model(model.path()).document;
  document.notes.paragraphs = {"facts"};
  CHECK(apply(document, SetSentence{document.sentence + " 5"}).notes.about.empty());
}

TEST_CASE("model files: what is named as models are, and holds none, is not read as a document", "[checkpoints]") {
  const Folder folder;
  for (const char* const name : {"a.safetensors", "tokenizer.bin", "a.pt", "a.gguf"}) {
    CAPTURE(name);
    write_whole(folder.file(name), "hello");
    CHECK_THROWS_WITH(read_document(folder.file(name)), Contains("no file of arrays"));
  }
  write_whole(folder.file("config.json"), R"({"model_type": "gpt2"})");
  CHECK_THROWS_WITH(read_document(folder.file("config.json")), Contains("open the folder that it stands in"));
}

TEST_CASE("model files: what of BERT is not computed is named, what would change its numbers is refused",
          "[checkpoints]") {
  const Copied model("bert");
  const OpenedModel opened = open_model(model.path());
  CHECK(opened.family == std::string("BERT"));
  CHECK(opened.not_read == std::vector<std::string>{"bert.pooler.dense.bias", "bert.pooler.dense.weight",
                                                    "cls.seq_relationship.bias", "cls.seq_relationship.weight"});
  CHECK(opened.not_known.empty());
  CHECK_THAT(opened.document.notes.paragraphs.back(), Contains("“bert.pooler.dense.bias”"));
  const ModelSettings& s = opened.document.settings;
  CHECK(s.types == 2);
  CHECK(s.embedding_norm);
  CHECK(s.transform);
  CHECK(s.final_norm_epsilon == static_cast<double>(1e-12f));
  CHECK(s.readout == ReadoutKind::tied);  // though the table stands twice
  CHECK(opened.document.layers[0].mask.kind == Mask::Kind::none);
  CHECK(open_model(test::data("checkpoints/bert_old")).document.settings.readout == ReadoutKind::own);
  CHECK(open_model(test::data("checkpoints/roberta")).document.weights.P.rows() == 8);  // of ten, two before the first
  const std::string config = read_whole(model.path() + "/config.json");
  model.write("config.json", R"({"num_attention_heads": 3, "position_embedding_type": "relative_key"})");
  CHECK_THAT(refusal(model.path()), Contains("“position_embedding_type” is “relative_key”"));
  model.write("config.json", R"({"num_attention_heads": 3, "type_vocab_size": 3})");
  CHECK_THAT(refusal(model.path()), Contains("“type_vocab_size” is 3, and its arrays have 2"));
  model.write("config.json", R"({"num_attention_heads": 3, "is_decoder": true})");
  CHECK(open_model(model.path()).document.layers[1].mask.kind == Mask::Kind::causal);
  model.write("config.json", config);
  model.drop_arrays([](const Tensor& tensor) { return tensor.name == "cls.predictions.transform.LayerNorm.weight"; });
  CHECK_THAT(refusal(model.path()), Contains("lacks “bert.cls.predictions.transform.LayerNorm.weight”"));
}

TEST_CASE("model files: BERT's tokenizer puts its separators around, by which types are told", "[checkpoints]") {
  Document document = open_model(test::data("checkpoints/bert")).document;
  document.sentence = "The cat ran.";
  CHECK(tokens_of(document) == std::vector<std::string>{"[CLS]", "the", "cat", "ran", ".", "[SEP]"});
  const auto trace = evaluate(document);
  CHECK(trace->model.type_rows.of(5)[0] == 0);
  document.tokens = {{"[CLS]", "cat", "[SEP]", "dog", "[SEP]"}};
  CHECK(evaluate(document)->model.type_rows == IndexLists{{0}, {0}, {0}, {1}, {1}});
}
