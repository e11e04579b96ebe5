// `hydrascope info`: what a model is, as JSON, before it is opened.
#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "core/checkpoints/family.h"
#include "core/checkpoints/layouts/suggested_layout.h"
#include "core/checkpoints/open_model.h"
#include "core/document/model_file.h"
#include "core/files/whole_file.h"
#include "core/json/json.h"
#include "core/json/writer.h"
#include "core/model/program.h"
#include "core/tensors/open.h"
#include "core/tokenizers/tokenizer.h"

namespace hydra {

namespace {

struct InfoOptions {
  std::string model, out = "-";
  bool arrays = false, layout = false;
};

// Of any file of arrays, a family's or not: what a layout of one's own is written from.
int list_arrays(const InfoOptions& options) {
  const TensorFile file = open_tensors(options.model);
  JsonWriter json;
  json.text = "{";
  for (const Tensor& tensor : file.tensors) {
    if (json.text.size() > 1) json.line();
    json.string(tensor.name, std::string(name_of(tensor.type)) + " " + in_words(tensor.shape));
  }
  json.text += "}\n";
  write_whole(options.out, json.text);
  return 0;
}

int suggest_layout(const InfoOptions& options) {
  const Checkpoint checkpoint = read_checkpoint(options.model);
  write_whole(options.out, layout_text(suggested_layout(checkpoint.tensors, checkpoint.config)));
  return 0;
}

template <class Weights>
Index numbers_in(const Weights& weights, std::span<const Quantity> parameters) {
  Index count = 0;
  for (const Quantity p : parameters)
    if (const Array<float>* values = field_of(weights, p); values && *values) count += values->size();
  return count;
}

// What is not as it is by default, of each layer; one entry where all have the same.
std::vector<std::string> settings_of(const Model& model) {
  std::vector<std::string> lines;
  for (const LayerSettingRow& row : layer_settings()) {
    std::string all, last;
    for (const Layer& layer : model.layers) {
      const double value = value_of(layer.settings, row);
      std::string said;
      if (is_choice(row))
        said = row.names[static_cast<std::size_t>(value)];
      else
        append_number(said, static_cast<float>(value));
      if (said != last) all += (all.empty() ? "" : ", ") + said;
      last = said;
    }
    const bool varies = all != last;
    if (varies || value_of(model.layers.back().settings, row) != value_of(LayerSettings{}, row))
      lines.push_back(std::string(row.key) + (is_switch(row) && !varies ? "" : " " + all));
  }
  return lines;
}

// The same around the layers: "final_norm", "final_norm kind rms".
std::vector<std::string> settings_around(const ModelSettings& settings) {
  std::vector<std::string> lines;
  for (const ModelSettingRow& row : model_settings()) {
    const double value = value_of(settings, row);
    if (row.setting == ModelSetting::readout || value == value_of(ModelSettings{}, row)) continue;
    std::string& line = lines.emplace_back(row.object);
    if (is_switch(row)) continue;
    line += ' ' + std::string(row.key) + ' ';
    if (is_choice(row))
      line += row.names[static_cast<std::size_t>(value)];
    else
      append_number(line, static_cast<float>(value));
  }
  return lines;
}

int run_info(const InfoOptions& options) {
  if (options.arrays) return list_arrays(options);
  if (options.layout) return suggest_layout(options);
  const OpenedModel opened =  // whole, unread; its memory is that which it takes here
      open_model(options.model, std::numeric_limits<double>::infinity(), 0.25 * available_memory());
  const Model& model = opened.document;
  const Layer& layer = model.layers.back();  // all have these sizes
  Index numbers = numbers_in(model.weights, kModelWeights);
  for (const Layer& each : model.layers) numbers += numbers_in(each.weights, kWeights);
  JsonWriter json;
  json.text = "{";
  json.string("family", opened.family);
  json.whole("layers", std::ssize(model.layers));
  json.whole("d_model", model.d_model);
  json.whole("heads", layer.heads);
  json.whole("d_k", layer.d_k(model.d_model));
  json.whole("kv_heads", layer.kv_heads());
  json.whole("hidden", layer.settings.feed_forward_width);
  json.whole("words", model.embedding.vocabulary.size());
  if (model.weights.P) json.whole("places", model.weights.P.rows());
  json.whole("numbers", numbers);
  json.whole("memory_bytes", static_cast<Index>(opened.memory));
  json.strings("settings", settings_of(model));
  json.strings("around", settings_around(model.settings));
  json.string("readout", entry_of(ModelSetting::readout).names[static_cast<std::size_t>(model.settings.readout)]);
  json.string("tokenizer",
              model.file->tokenizer ? model.file->tokenizer->kind() : "none: words are known by their ids");
  json.strings("not_known", opened.not_known);
  json.strings("not_read", opened.not_read);
  json.string("sha256", model.file->sha256);
  json.text += "}\n";
  write_whole(options.out, json.text);
  return 0;
}

}  // namespace

CliCommand add_info(CLI::App& app) {
  const auto kept = std::make_shared<InfoOptions>();
  CLI::App& command =
      *app.add_subcommand("info", "Writes what a model is, its sizes, and what is not known of it, as JSON");
  command.add_option("MODEL", kept->model, "Its folder, or its file: safetensors, GGUF, npz, PyTorch, llama2.c")
      ->type_name("")
      ->required();
  command.add_flag("--arrays", kept->arrays, "Lists its arrays with their types and shapes, whatever model it is");
  command
      .add_flag("--layout", kept->layout,
                "Writes the layout that its arrays' names and shapes suggest, to be put right where they do not tell")
      ->excludes("--arrays");
  add_out(command, kept->out);
  return {&command, [kept] { return run_info(*kept); }};
}

}  // namespace hydra
