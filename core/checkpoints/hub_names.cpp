#include "core/checkpoints/hub_names.h"

#include "core/error.h"
#include "core/files/printable.h"

namespace hydra {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// How one format names things: as a whole, and within a layer.
struct Naming {
  std::string_view table, layer;  // of the words; what a layer begins with
  std::span<const Pair> of_model, of_layer;
};

constexpr Pair kGgufModel[] = {{"token_embd.weight", "model.embed_tokens.weight"},
                               {"output_norm.weight", "model.norm.weight"},
                               {"output.weight", "lm_head.weight"}};
constexpr Pair kGgufLayer[] = {{"attn_q.", "self_attn.q_proj."},      {"attn_k.", "self_attn.k_proj."},
                               {"attn_v.", "self_attn.v_proj."},      {"attn_output.", "self_attn.o_proj."},
                               {"attn_q_norm.", "self_attn.q_norm."}, {"attn_k_norm.", "self_attn.k_norm."},
                               {"attn_norm.", "input_layernorm."},    {"ffn_norm.", "post_attention_layernorm."},
                               {"ffn_gate.", "mlp.gate_proj."},       {"ffn_up.", "mlp.up_proj."},
                               {"ffn_down.", "mlp.down_proj."}};
constexpr Pair kOwnModel[] = {{"tok_embeddings.weight", "model.embed_tokens.weight"},
                              {"norm.weight", "model.norm.weight"},
                              {"output.weight", "lm_head.weight"}};
constexpr Pair kOwnLayer[] = {{"attention.wq.", "self_attn.q_proj."},  {"attention.wk.", "self_attn.k_proj."},
                              {"attention.wv.", "self_attn.v_proj."},  {"attention.wo.", "self_attn.o_proj."},
                              {"attention_norm.", "input_layernorm."}, {"ffn_norm.", "post_attention_layernorm."},
                              {"feed_forward.w1.", "mlp.gate_proj."},  {"feed_forward.w3.", "mlp.up_proj."},
                              {"feed_forward.w2.", "mlp.down_proj."}};
constexpr Naming kGguf{"token_embd.weight", "blk.", kGgufModel, kGgufLayer};
constexpr Naming kOwn{"tok_embeddings.weight", "layers.", kOwnModel, kOwnLayer};

constexpr Pair kSizes[] = {{".embedding_length", "hidden_size"},
                           {".block_count", "num_hidden_layers"},
                           {".feed_forward_length", "intermediate_size"},
                           {".attention.head_count", "num_attention_heads"},
                           {".attention.head_count_kv", "num_key_value_heads"},
                           {".attention.key_length", "head_dim"},
                           {".attention.layer_norm_rms_epsilon", "rms_norm_eps"},
                           {".rope.freq_base", "rope_theta"},
                           {".context_length", "max_position_embeddings"},
                           {".rope.scaling.type", "rope_scaling.rope_type"},
                           {".rope.scaling.factor", "rope_scaling.factor"},
                           {".rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"}};

// "blk.3.attn_q.weight" is "model.layers.3.self_attn.q_proj.weight".
std::string renamed(const Naming& naming, const std::string& name) {
  for (const auto& [from, to] : naming.of_model)
    if (name == from) return std::string(to);
  if (!name.starts_with(naming.layer)) return name;
  const std::size_t begin = naming.layer.size(), point = name.find('.', begin);
  if (point == std::string::npos) return name;
  const std::string_view rest = std::string_view(name).substr(point + 1);
  for (const auto& [from, to] : naming.of_layer)
    if (rest.starts_with(from))
      return "model.layers." + name.substr(begin, point + 1 - begin) + std::string(to) +
             std::string(rest.substr(from.size()));
  return name;
}

void take_sizes(const Checkpoint& given, Config& config) {
  const std::string kind = given.config.text({"general.architecture"}).value_or("");
  if (kind != "llama" && kind != "qwen2" && kind != "qwen3")
    given.config.fail("general.architecture",
                      "is “" + printable(kind, 40) + "”; of this format llama, qwen2 and qwen3 are known here");
  for (const auto& [key, value] : given.tensors.metadata)
    for (const auto& [ending, name] : kSizes)
      if (key.starts_with(kind) && key.substr(kind.size()) == ending) config.set(std::string(name), value);
  config.set("model_type", kind);
  if (kind == "llama") config.set("rotary_pairs", std::string("neighbours"));
}

}  // namespace

bool has_other_names(const TensorFile& file) { return file.find(kGguf.table) || file.find(kOwn.table); }

Checkpoint as_on_the_hub(const Checkpoint& given) {
  if (!has_other_names(given.tensors)) return given;
  const bool gguf = given.tensors.find(kGguf.table) != nullptr;
  Checkpoint checkpoint = given;
  for (Tensor& tensor : checkpoint.tensors.tensors) tensor.name = renamed(gguf ? kGguf : kOwn, tensor.name);
  sort_tensors(checkpoint.tensors);
  if (gguf)
    take_sizes(given, checkpoint.config);
  else
    checkpoint.config.set("rotary_pairs", std::string("neighbours"));
  return checkpoint;
}

}  // namespace hydra
