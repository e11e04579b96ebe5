#include "core/checkpoints/layouts/name_hints.h"

#include <cctype>

namespace hydra {

std::string name_words(std::string_view name) {
  std::string words = "_";
  for (std::size_t k = 0; k < name.size(); ++k) {
    const auto c = static_cast<unsigned char>(name[k]), before = static_cast<unsigned char>(k > 0 ? name[k - 1] : '.');
    if (!std::isalnum(c)) {
      if (words.back() != '_') words += '_';
      continue;
    }
    const bool rises = std::isupper(c) && std::islower(before), counts = std::isdigit(c) && std::isalpha(before);
    if ((rises || counts) && words.back() != '_') words += '_';
    words += static_cast<char>(std::tolower(c));
  }
  if (words.back() != '_') words += '_';
  for (const char* letters : {"q", "k", "v", "o", "qkv"})
    for (const char* kind : {"w", "b"})
      for (std::string glued = std::string("_") + kind + letters + "_"; words.find(glued) != words.npos;)
        words.replace(words.find(glued), glued.size(), std::string("_") + kind + "_" + letters + "_");
  return words;
}

bool says(const std::string& words, std::string_view any) {
  while (!any.empty()) {
    const std::size_t end = std::min(any.find('|'), any.size());
    if (words.find("_" + std::string(any.substr(0, end)) + "_") != words.npos) return true;
    any.remove_prefix(std::min(any.size(), end + 1));
  }
  return false;
}

bool is_shift(const std::string& words) { return says(words, "bias|b|beta|shift|offset|biases"); }
bool is_of_norm(const std::string& words) {
  return says(words, "norm|ln|layernorm|rms|rmsnorm|lnorm|gamma|gain|scale|n_1|n_2|n_f");
}
bool is_gain(const std::string& words) {
  return !is_shift(words) && (is_of_norm(words) || says(words, "weight|weights|g"));
}

int score(const NameHint& hint, const std::string& words) {
  if (!says(words, hint.own)) return 0;
  return 4 + (says(words, hint.around) ? 3 : 0) - (says(words, hint.against) ? 4 : 0);
}

namespace {

constexpr std::string_view kNorm = "norm|ln|layernorm|rms|rmsnorm|lnorm|gamma|beta|gain";
constexpr NameHint kHints[] = {
    {Quantity::W_Q, true, "q|query|queries|qs|to_q", kOfHeads, kNorm},
    {Quantity::W_K, true, "k|key|keys|ks|to_k", kOfHeads, kNorm},
    {Quantity::W_V, true, "v|value|values|vs|to_v", kOfHeads, kNorm},
    {Quantity::W_O, true, "o|out|output|proj|projection|dense|to_out|merge|combine", kOfHeads,
     "norm|ln|layernorm|gamma|beta|gain|mlp|ffn|ff|feed|feedforward|ffwd|fc|intermediate|q|k|v|qkv"},
    {Quantity::W_3, true, "w_3|up|linear_v|up_proj", kOfHidden, "norm|ln|layernorm|attn|attention|down"},
    {Quantity::W_1, true,
     "w_1|up|fc_1|fc|lin_1|linear_1|gate|in|h_to_4h|expand|inner|1|intermediate|first|wi|ff_1|c_fc|0|dense_1",
     kOfHidden, "norm|ln|layernorm|attn|attention|down|4h_to_h"},
    {Quantity::W_2, true,
     "w_2|down|fc_2|lin_2|linear_2|out|4h_to_h|contract|outer|2|output|second|wo|ff_2|c_proj|proj|dense_2|4h",
     kOfHidden, "norm|ln|layernorm|attn|attention|up|h_to_4h"},
    {Quantity::E, false, "wte|embed|embedding|embeddings|emb|tok|token|tokens|word|words|w_e|vocab|lookup", "",
     "pos|position|positions|positional|wpe|type|segment|norm|ln|layernorm|unembed|head|out|decoder|lm"},
    {Quantity::P, false, "wpe|pos|position|positions|positional|place|places|pe", "embed|embedding|embeddings|emb",
     "norm|ln|layernorm"},
    {Quantity::T, false, "type|types|segment|segments|token_type", "embed|embedding|embeddings|emb",
     "norm|ln|layernorm"},
    {Quantity::W_U, false, "head|unembed|unembedding|readout|decoder|logits|lm|out|output|w_u|classifier|predict", "",
     "norm|ln|layernorm|pos|position"},
};
}  // namespace

std::span<const NameHint> name_hints() { return kHints; }

}  // namespace hydra
