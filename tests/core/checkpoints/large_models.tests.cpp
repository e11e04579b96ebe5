// Models of published sizes in sparse files, which hold zeros and take no room: what opening them reads, and what of
// them is opened where memory is short.
#include <filesystem>
#include <functional>

#include "core/checkpoints/open_model.h"
#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "tests/support/data.h"
#include "tests/support/folder.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

// A folder as the hub has it, of zeros: of floats, or of bfloat16.
class SparseModel {
 public:
  enum class Type { f32, bf16 };
  using Add = std::function<void(const std::string& name, Index rows, Index cols)>;  // cols 0: a row
  SparseModel(Type type, const std::string& config, const std::function<void(const Add&)>& arrays) {
    std::filesystem::create_directory(path());
    std::string header;
    std::uint64_t bytes = 0;
    arrays([&](const std::string& name, Index rows, Index cols) {
      const std::uint64_t end =
          bytes + (type == Type::f32 ? 4 : 2) * static_cast<std::uint64_t>(rows * std::max<Index>(cols, 1));
      const std::string shape = std::to_string(rows) + (cols > 0 ? "," + std::to_string(cols) : "");
      header += (header.empty() ? "\"" : ",\"") + name + R"(":{"dtype":")" + (type == Type::f32 ? "F32" : "BF16") +
                R"(","shape":[)" + shape + R"(],"data_offsets":[)" + std::to_string(bytes) + "," + std::to_string(end) +
                "]}";
      bytes = end;
    });
    header = "{" + header + "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string file(8, '\0');
    for (std::size_t k = 0; k < 8; ++k) file[k] = static_cast<char>(header.size() >> (8 * k) & 0xff);
    write_whole(path() + "/model.safetensors", file + header);
    std::filesystem::resize_file(path() + "/model.safetensors", 8 + header.size() + bytes);
    write_whole(path() + "/config.json", config);
  }
  std::string path() const { return folder_.file("model"); }

 private:
  Folder folder_;
};

SparseModel llama(Index d, Index hidden, Index layers, Index heads, Index sets, Index words) {
  const std::string config = R"({"model_type":"llama","num_attention_heads":)" + std::to_string(heads) +
                             R"(,"num_key_value_heads":)" + std::to_string(sets) +
                             R"(,"rms_norm_eps":1e-5,"tie_word_embeddings":false})";
  return {SparseModel::Type::bf16, config, [=](const SparseModel::Add& add) {
            add("model.embed_tokens.weight", words, d), add("lm_head.weight", words, d), add("model.norm.weight", d, 0);
            for (Index k = 0; k < layers; ++k) {
              const std::string at = "model.layers." + std::to_string(k) + ".";
              add(at + "input_layernorm.weight", d, 0), add(at + "post_attention_layernorm.weight", d, 0);
              add(at + "self_attn.q_proj.weight", d, d), add(at + "self_attn.o_proj.weight", d, d);
              add(at + "self_attn.k_proj.weight", d / heads * sets, d);
              add(at + "self_attn.v_proj.weight", d / heads * sets, d);
              add(at + "mlp.gate_proj.weight", hidden, d), add(at + "mlp.up_proj.weight", hidden, d);
              add(at + "mlp.down_proj.weight", d, hidden);
            }
          }};
}

SparseModel neox(Index d, Index layers, Index heads) {
  return {SparseModel::Type::bf16,
          R"({"model_type":"gpt_neox","rotary_pct":0.25,"num_attention_heads":)" + std::to_string(heads) + "}",
          [=](const SparseModel::Add& add) {
            add("gpt_neox.embed_in.weight", 500, d), add("embed_out.weight", 500, d);
            const auto add_both = [&](const std::string& name, Index rows, Index cols) {
              add(name + ".weight", rows, cols), add(name + ".bias", rows, 0);
            };
            add_both("gpt_neox.final_layer_norm", d, 0);
            for (Index k = 0; k < layers; ++k) {
              const std::string at = "gpt_neox.layers." + std::to_string(k) + ".";
              add_both(at + "input_layernorm", d, 0), add_both(at + "post_attention_layernorm", d, 0);
              add_both(at + "attention.query_key_value", 3 * d, d), add_both(at + "attention.dense", d, d);
              add_both(at + "mlp.dense_h_to_4h", 4 * d, d), add_both(at + "mlp.dense_4h_to_h", d, 4 * d);
            }
          }};
}

SparseModel gpt2(Index d, Index words) {
  return {SparseModel::Type::f32, R"({"model_type":"gpt2","n_head":4})", [=](const SparseModel::Add& add) {
            add("h.0.attn.c_attn.weight", d, 3 * d), add("h.0.attn.c_attn.bias", 3 * d, 0);
            add("h.0.attn.c_proj.weight", d, d), add("h.0.attn.c_proj.bias", d, 0);
            for (const char* norm : {"h.0.ln_1", "h.0.ln_2", "ln_f"})
              add(std::string(norm) + ".weight", d, 0), add(std::string(norm) + ".bias", d, 0);
            add("h.0.mlp.c_fc.weight", d, 4 * d), add("h.0.mlp.c_fc.bias", 4 * d, 0);
            add("h.0.mlp.c_proj.weight", 4 * d, d), add("h.0.mlp.c_proj.bias", d, 0);
            add("wpe.weight", 64, d), add("wte.weight", words, d);
          }};
}

constexpr double kPlenty = 1e12;

Index unread(const Document& document) {
  Index count = 0;
  const auto add = [&](const Array<float>* values) { count += *values && !values->is_read() ? 1 : 0; };
  for (const Quantity p : kModelWeights) add(field_of(document.weights, p));
  for (const Layer& layer : document.layers)
    for (const Quantity p : kWeights) add(field_of(layer.weights, p));
  return count;
}

}  // namespace

TEST_CASE("large models: seven billion numbers are opened, and only those of gains are read", "[checkpoints]") {
  const SparseModel model = llama(4096, 14336, 32, 32, 8, 32000);
  const Document document = open_model(model.path(), kPlenty).document;
  CHECK(document.layers.size() == 32);
  CHECK(document.layer(31).kv_width(document.d_model) == 1024);
  CHECK(unread(document) == 2 + 7 * 32);
  const Document again = parse_document(document_text(document), "x.json");
  CHECK(document_text(again) == document_text(document));
  CHECK(unread(again) == 2 + 7 * 32);
}

TEST_CASE("large models: what is converted as it is used takes no memory, and nothing is kept of it", "[checkpoints]") {
  const SparseModel model = llama(64, 176, 24, 4, 2, 300000);  // 19 million words' numbers, twice
  const Document kept = open_model(model.path(), kPlenty).document;
  const double needed = trace_bytes(kept, std::ssize(tokens_of(kept)));
  const Document large = open_model(model.path(), needed - 1).document;
  CHECK(large.layers.size() == 24);
  CHECK(trace_bytes(large, std::ssize(tokens_of(large))) < needed / 5);
  const std::shared_ptr<const Trace> trace = evaluate(large);
  CHECK((*trace->model.logits)(0, 0) == 0);
  CHECK(unread(large) == 2 + 7 * 24);
}

TEST_CASE("large models: the first layers are opened where all would not fit, and nothing of the others is read",
          "[checkpoints]") {
  // Queries, keys and values stand together in the file, and are taken apart once.
  const SparseModel model = neox(64, 24, 4);
  const Document all = open_model(model.path(), kPlenty, 0).document;
  const double needed = trace_bytes(all, std::ssize(tokens_of(all)));
  const Document some = open_model(model.path(), needed - 4.0 * 64 * 64, 0).document;
  REQUIRE(some.layers.size() == 23);
  CHECK(some.file->model.layers.size() == 24);
  CHECK_THAT(some.notes.paragraphs.back(), Contains("Only the first 23 of its 24 layers are open"));
  CHECK(trace_bytes(some, std::ssize(tokens_of(some))) <= needed - 4.0 * 64 * 64);
  const std::shared_ptr<const Trace> trace = evaluate(some);
  CHECK(trace->layers.size() == 23);
  CHECK(some.layer(22).weights.W_Q.is_read());
  CHECK_FALSE(some.file->model.layer(23).weights.W_Q.is_read());
  const Document again = parse_document(document_text(some), "x.json");
  CHECK(again.layers.size() == 23);
  try {
    open_model(model.path(), 1e4);
    FAIL("opened");
  } catch (const InputError& fault) {
    CHECK_THAT(fault.what(), Contains("of which 0.0 GB can be had"));
  }
}

TEST_CASE("large models: an edit of a cell copies no matrix of a mapped file", "[checkpoints]") {
  const SparseModel table = gpt2(512, 40'000);  // 80 MB of words
  const Document before = open_model(table.path(), kPlenty).document;
  const Document after = apply(before, Edit(SetBlock{Quantity::E, 1234, 5, share(Mat<float>(Mat<float>::Ones(1, 1)))}));
  const Document again =
      apply(after, Edit(SetBlock{Quantity::E, 39'999, 511, share(Mat<float>(Mat<float>::Ones(1, 1)))}));
  CHECK(again.weights.E.owner().bytes <= 3 * 4096);
  CHECK(again.weights.E->sum() == 2);
  CHECK(after.weights.E->sum() == 1);
  CHECK(before.weights.E->sum() == 0);
  CHECK(again.weights.E.row_block(7, 1).stamp() == before.weights.E.row_block(7, 1).stamp());
  CHECK(again.weights.E.row_block(1234, 1).stamp() == after.weights.E.row_block(1234, 1).stamp());
  CHECK(after.weights.E.row_block(1234, 1).stamp() != before.weights.E.row_block(1234, 1).stamp());
}
