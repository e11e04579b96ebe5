#include "core/checkpoints/open_model.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "core/checkpoints/digest.h"
#include "core/checkpoints/family.h"
#include "core/checkpoints/layouts/layout.h"
#include "core/checkpoints/words.h"
#include "core/document/evaluate.h"
#include "core/document/limits.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/content.h"
#include "core/tensors/open.h"
#include "core/text/wording.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/tokenizer_files.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

namespace fs = std::filesystem;

constexpr Index kShownIds = 8;                         // of a model without a tokenizer
constexpr std::uint64_t kMostReadNumbers = 16u << 20;  // 64 MiB of floats

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The arrays that a layout names, * for a number; of any other config none.
using Named = std::set<std::string, std::less<>>;
Named named_by(const Config& config) {
  Named names;
  if (is_layout(config))
    for (const auto& [key, text] : config.texts_under("arrays."))
      names.insert(text.substr(0, text.find_first_of("^[")));
  return names;
}
bool is_named(const std::string& name, const Named& named) {
  if (named.empty() || named.contains(name)) return !named.empty();
  constexpr const char* kDigits = "0123456789";
  for (std::size_t first = name.find_first_of(kDigits); first != std::string::npos;) {
    const std::size_t end = std::min(name.find_first_not_of(kDigits, first), name.size());
    if (named.contains(name.substr(0, first) + "*" + name.substr(end))) return true;
    first = name.find_first_of(kDigits, end);
  }
  return false;
}

// A checkpoint of training keeps the model under a name of its own, beside the state of its optimizer.
void keep_model_alone(TensorFile& file, const Named& named) {
  const auto stands_beside = [&](const Tensor& tensor) {
    if (is_named(tensor.name, named)) return false;
    // Names without a point are of numbers beside the model, but for those of PyTorch's own attention.
    const bool of_attention = tensor.name.find("proj_") != std::string::npos || tensor.name.starts_with("bias_");
    return tensor.name.starts_with("optimizer") || (tensor.name.find('.') == std::string::npos && !of_attention);
  };
  if (!std::ranges::all_of(file.tensors, stands_beside)) std::erase_if(file.tensors, stands_beside);
  for (const std::string_view part : {"model.", "state_dict.", "model_state_dict.", "module.", "_orig_mod."}) {
    const auto is_in = [&](const Tensor& tensor) { return tensor.name.starts_with(part); };
    if (!file.tensors.empty() && std::ranges::all_of(file.tensors, is_in))
      for (Tensor& tensor : file.tensors) tensor.name.erase(0, part.size());
  }
}

const Family& family_of(const Checkpoint& checkpoint) {
  for (const Family& family : families())
    if (family.holds(checkpoint)) return family;
  std::vector<std::string> names;
  for (const Tensor& tensor : checkpoint.tensors.tensors) names.push_back(tensor.name);
  std::string known;
  for (const Family& family : families().subspan(1)) known += (known.empty() ? "" : ", ") + std::string(family.name);
  throw UnreadModel(printable(checkpoint.tensors.name, 200) + ": holds " +
                    (names.empty() ? "no arrays" : listed_names(names)) +
                    ", which no family that is known here names so; known are " + known +
                    "; a layout.json beside it says what arrays of others are");
}

// A tokenizer that is kept beside the arrays, or within them; null: none.
std::shared_ptr<const Tokenizer> tokenizer_beside(const Checkpoint& checkpoint, const fs::path& folder) {
  if (checkpoint.tensors.meta("tokenizer.ggml.model"))
    return std::make_shared<const Tokenizer>(tokenizer_in(checkpoint.tensors));
  for (const char* const name : {"tokenizer.json", "vocab.json", "tokenizer.model", "spiece.model",
                                 "sentencepiece.bpe.model", "vocab.txt", "tokenizer.bin"})
    if (is_file(folder / name)) return std::make_shared<const Tokenizer>(read_tokenizer(folder.string()));
  return nullptr;
}

void give_words(Document& document, const Checkpoint& checkpoint, const Tokenizer* tokenizer) {
  if (!document.weights.E) return;
  const Index count = document.weights.E.rows();
  if (count > kMostModelWords)
    throw InputError(printable(checkpoint.tensors.name, 200) + ": has " + std::to_string(count) + " words; at most " +
                     std::to_string(kMostModelWords) + " are possible");
  const Vocabulary words = Vocabulary(words_by_id(tokenizer, count)).with(Vocabulary::Case::exact);
  document.embedding.vocabulary = words;
  if (document.settings.readout == ReadoutKind::own) document.readout.vocabulary = words.with({});  // as files have it
}

// Of a model without a tokenizer the first of its words.
std::string sentence_for(const Document& document, const Tokenizer* tokenizer) {
  if (tokenizer || !document.weights.E) return default_document().sentence;
  std::string sentence;
  for (Index id = 0; id < std::min(document.embedding.vocabulary.size(), kShownIds); ++id)
    sentence += (id > 0 ? " " : "") + std::to_string(id);
  return sentence;
}

// Of a model of moderate size, so that what is wrong with a number is said when it is opened. Of a large one nobody
// looks at most of them, and those of a trace that are not finite are told (explain/overflow.h).
void read_numbers(const Document& document) {
  if (numbers_asked(document) > kMostReadNumbers) return;
  const auto read = [](const Array<float>* values) {
    if (*values) **values;
  };
  for (const Quantity p : kModelWeights) read(field_of(document.weights, p));
  for (const Layer& layer : document.layers)
    for (const Quantity p : kWeights) read(field_of(layer.weights, p));
}

std::string gigabytes(double bytes) {
  char number[32];
  std::snprintf(number, sizeof number, "%.1f GB", bytes / 1e9);
  return number;
}

double bytes_as_floats(const TensorFile& file) {
  double numbers = 0;
  for (const Tensor& tensor : file.tensors) numbers += static_cast<double>(count_of(tensor));
  return sizeof(float) * numbers;
}

double memory_needed(const Document& document) {
  return trace_bytes(document, static_cast<Index>(tokens_of(document).size()));
}

// Of a model whose numbers would not fit in memory the first layers that do: nothing of the others is ever read. Throws
// where not even one does.
void keep_what_fits(Document& document, const std::string& path, double available) {
  const double needed = memory_needed(document);
  while (document.layers.size() > 1 && memory_needed(document) > available) document.layers.pop_back();
  if (memory_needed(document) > available)
    throw InputError(printable(path, 200) + ": needs " + gigabytes(needed) +
                     " of memory, and with its first layer alone " + gigabytes(memory_needed(document)) +
                     ", of which " + gigabytes(available) +
                     " can be had; close other programs, or open a smaller model");
}

// What it is, to be read beside it.
Notes notes_of(const OpenedModel& opened, const Checkpoint& checkpoint, const Family& family) {
  const Document& document = opened.document;
  const Layer& layer = document.layers.back();  // all have these sizes
  Notes notes;
  notes.title = printable(checkpoint.name, 80);
  notes.paragraphs.push_back(wording(document.weights.E ? "checkpoints:what" : "checkpoints:what.wordless",
                                     {{"family", family.name},
                                      {"layers", document.layers.size()},
                                      {"heads", layer.heads},
                                      {"d_k", layer.d_k(document.d_model)},
                                      {"d_model", document.d_model},
                                      {"words", document.weights.E ? document.weights.E.rows() : 0}}));
  if (const auto type = checkpoint.config.text({"model_type"}); type && !family.is_called(*type))
    notes.paragraphs.push_back(
        wording("checkpoints:called_otherwise", {{"type", printable(*type, 40)}, {"family", family.name}}));
  if (layer.key_groups().shares()) notes.paragraphs.push_back(wording("checkpoints:sets", {{"n", layer.kv_heads()}}));
  if (const std::size_t all = document.file->model.layers.size(); all > document.layers.size())
    notes.paragraphs.push_back(
        wording("checkpoints:first_layers",
                {{"n", document.layers.size()}, {"all", all}, {"needed", gigabytes(opened.memory)}}));
  if (!opened.not_known.empty())
    notes.paragraphs.push_back(wording("checkpoints:not_known", {{"keys", listed_names(opened.not_known)}}));
  if (!opened.not_read.empty())
    notes.paragraphs.push_back(wording("checkpoints:not_read", {{"names", listed_names(opened.not_read)}}));
  return notes;
}

}  // namespace

bool has_model_ending(std::string_view name) {
  static constexpr std::string_view kEndings[] = {".safetensors", ".gguf", ".npz", ".pt", ".pth", ".bin"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool names_model(const std::string& path) {
  if (is_folder(path)) return true;
  if (!is_file(path)) return false;
  switch (content_of(map_file(path).bytes)) {
    case Content::safetensors:
    case Content::gguf:
    case Content::npy:
    case Content::zip:
    case Content::pickle:
    case Content::tar:
    case Content::llama2c:
    case Content::git_lfs:
      return true;
    case Content::empty:
    case Content::web_page:
    case Content::unknown:
      break;
  }
  // What is called as models' files are and holds none is said to hold none, and not to be a bad document.
  return has_model_ending(path) || path.ends_with(".npy") || path.ends_with(".safetensors.index.json");
}

Checkpoint read_checkpoint(const std::string& path) {
  Checkpoint checkpoint;
  checkpoint.tensors = open_tensors(path);
  const auto keep_alone = [&] {
    if (checkpoint.tensors.tensors.size() > 1) keep_model_alone(checkpoint.tensors, named_by(checkpoint.config));
  };
  const fs::path folder = is_folder(path) ? fs::path(path) : fs::path(path).parent_path();
  const fs::path whole = fs::absolute(path).lexically_normal();
  checkpoint.name = (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
  checkpoint.config = Config::of_metadata(checkpoint.tensors);
  // What lays the arrays out by hand stands beside one file under its name, or beside all of a folder's.
  for (const std::string& name : {checkpoint.name + ".layout.json", std::string("layout.json")})
    if (is_file(folder / name)) {
      checkpoint.config = Config::of_json((folder / name).string());
      keep_alone();
      return checkpoint;
    }
  keep_alone();
  if (is_file(folder / "config.json")) {
    Config beside = Config::of_json((folder / "config.json").string());
    beside.add(checkpoint.config);
    checkpoint.config = std::move(beside);
  }
  return checkpoint;
}

OpenedModel open_model(const std::string& path, double available, std::optional<double> large) {
  Checkpoint checkpoint = read_checkpoint(path);
  checkpoint.tensors.is_large = bytes_as_floats(checkpoint.tensors) > large.value_or(available / 3);
  const Family& family = family_of(checkpoint);
  OpenedModel opened;
  opened.family = family.name;
  static_cast<Model&>(opened.document) = family.read(checkpoint);
  for (Layer& layer : opened.document.layers) layer.source.kind = WeightSource::Kind::explicit_values;  // of whatever
  const fs::path folder = is_folder(path) ? fs::path(path) : fs::path(path).parent_path();
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_beside(checkpoint, folder);
  if (Array<float>& P = opened.document.weights.P; P && P.rows() > kMaxTokens) P = P.row_block(0, kMaxTokens);
  give_words(opened.document, checkpoint, tokenizer.get());
  opened.document.sentence = sentence_for(opened.document, tokenizer.get());
  opened.document.file = std::make_shared<const ModelFile>(ModelFile{
      fs::absolute(path).lexically_normal().string(), digest_of(checkpoint.tensors), tokenizer, opened.document});
  checkpoint.config.has({"model_type"});  // its arrays have told the family
  opened.not_known = checkpoint.config.not_asked();
  opened.not_read = *checkpoint.not_read;
  opened.memory = memory_needed(opened.document);
  keep_what_fits(opened.document, path, available);
  opened.document.notes = notes_of(opened, checkpoint, family);
  if (!checkpoint.tensors.is_large) read_numbers(opened.document);
  try {
    check_document(opened.document);
  } catch (const InputError& fault) {
    throw InputError(printable(path, 200) + ": cannot be opened: " + fault.what());
  }
  return opened;
}

}  // namespace hydra
