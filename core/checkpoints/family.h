// Families of published models: how their files name things, what they say beside their arrays, and what they leave
// unsaid. A family is a file of this folder's families, and a line in family.cpp.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/checkpoints/config.h"
#include "core/checkpoints/parts.h"
#include "core/document/document.h"

namespace hydra {

// What a folder or a file holds, before anybody knows what model it is.
struct Checkpoint {
  std::string name;  // of the folder, or of the file
  TensorFile tensors;
  Config config;

  // Arrays that are no part of what is computed here, and are said so; shared with copies, as a config's keys are.
  std::shared_ptr<std::vector<std::string>> not_read = std::make_shared<std::vector<std::string>>();

  bool is_called(std::string_view model_type) const;  // by its config
  // Those whose names begin with one of these, behind the prefix or without it.
  void leave_out(Parts& parts, std::initializer_list<std::string_view> beginnings) const;
};

// Of a folder or a file; of its arrays only what is said of them is read. Throws InputError.
Checkpoint read_checkpoint(const std::string& path);

struct Family {
  const char* key;   // "gpt2", as config.json says
  const char* name;  // "GPT-2"
  bool (*holds)(const Checkpoint& checkpoint);
  // The model without its words: rows of E, and columns of W_U, by their ids. Throws InputError.
  Model (*read)(const Checkpoint& checkpoint);

  bool is_called(std::string_view model_type) const;  // by configs
};
std::span<const Family> families();

// --- for families ----------------------------------------------------------------------------------------------------

namespace family {

bool holds_layout(const Checkpoint& checkpoint);
Model read_layout(const Checkpoint& checkpoint);
bool holds_bert(const Checkpoint& checkpoint);
Model read_bert(const Checkpoint& checkpoint);
bool holds_distilbert(const Checkpoint& checkpoint);
Model read_distilbert(const Checkpoint& checkpoint);
bool holds_gpt2(const Checkpoint& checkpoint);
Model read_gpt2(const Checkpoint& checkpoint);
bool holds_gpt_neo(const Checkpoint& checkpoint);
Model read_gpt_neo(const Checkpoint& checkpoint);
bool holds_gpt_neox(const Checkpoint& checkpoint);
Model read_gpt_neox(const Checkpoint& checkpoint);
bool holds_llama(const Checkpoint& checkpoint);
Model read_llama(const Checkpoint& checkpoint);
bool holds_bloom(const Checkpoint& checkpoint);
Model read_bloom(const Checkpoint& checkpoint);
bool holds_mpt(const Checkpoint& checkpoint);
Model read_mpt(const Checkpoint& checkpoint);
bool holds_torch_encoder(const Checkpoint& checkpoint);
Model read_torch_encoder(const Checkpoint& checkpoint);
bool holds_nanda(const Checkpoint& checkpoint);
Model read_nanda(const Checkpoint& checkpoint);
bool holds_roberta(const Checkpoint& checkpoint);
Model read_roberta(const Checkpoint& checkpoint);
bool holds_transformer_lens(const Checkpoint& checkpoint);
Model read_transformer_lens(const Checkpoint& checkpoint);

inline constexpr double kUsualEpsilon = static_cast<double>(1e-5f);

// Sizes within what is possible here (weights/config.h, limits.h), or a sentence with the key. The width is that of the
// table of words, and the config may not contradict it.
Index model_width(const Parts& parts, const Tensor& words, const Config& config, Config::Keys keys);
Index head_count(const Config& config, Config::Keys keys, Index width);
// As files write it: "gelu_new", "silu". Throws for others, by name.
Activation activation_of(const Config& config, Config::Keys keys, const char* otherwise);

// rope_theta, partial_rotary_factor and what scales them: in the config and its rope_scaling, or in its
// rope_parameters, which came after it. share: of a head's numbers that is rotated where nothing is said; base: the
// same. Throws for kinds that are not known, by name.
void read_rotary(const Config& config, Index d_k, double share, LayerSettings& settings, double base = 10000);
// Of layers that have another rotation than others, "full_attention" or "sliding_attention": in an object of theirs
// within rope_parameters, else as above.
void read_rotary_of(const Config& config, const std::string& kind, Index d_k, LayerSettings& settings, double base);

// A model whose words are read in by a table, of so many layers alike.
Model begun(Index d_model, Index layers, const Layer& layer);
void put(Layer& layer, Quantity quantity, const Array<float>& values);
void put(Layer& layer, Quantity quantity, Mat<float> values);
// Of words or places.
Array<float> table_of(Parts& parts, Parts::Names names, Index rows, Index cols, Stored stored = Stored::as_is);
// Queries, keys and values of a layer, each with its bias where there is one, from one matrix of (out, in): their rows
// one third after another, or as (head, 3, d_k).
enum class Fused { thirds, by_head };
void read_fused(Parts& parts, const std::string& weight, const std::string& bias, Index d, Fused fused, Layer& layer);
// weight and bias of a norm, or gamma and beta; a bias that a family may be without is 0 then.
enum class Biases { needed, optional };
void read_norm_of(Parts& parts, const std::string& name, Index d, Quantity gain, Quantity shift, Layer& layer,
                  Biases biases = Biases::optional);
// Of the model, "ln_f".
void read_final_norm(Parts& parts, const std::string& name, double epsilon, Model& model,
                     Biases biases = Biases::optional);
// What most layers have besides queries, keys and values, by the names behind the layer's: two norms, W^O, and a
// feed-forward part.
struct LayerNames {
  const char *norm_1, *norm_2, *out, *up, *down;
};
void read_around_heads(Parts& parts, const std::string& at, const LayerNames& names, Index d, Index hidden,
                       Layer& layer, Biases biases, Stored stored = Stored::transposed);
// The readout of its own, unless it is the table: as the config says, else where it is missing or has the same numbers.
void read_out(Model& model, Parts& parts, const Config& config, Parts::Names own, Parts::Names table);

}  // namespace family

}  // namespace hydra
