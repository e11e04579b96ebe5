// `hydrascope export`: quantities of a trace, or all parameters of a model, as a file of arrays.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "core/analysis/weighted.h"
#include "core/checkpoints/layouts/layout.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/quantity.h"
#include "core/files/printable.h"
#include "core/files/whole_file.h"
#include "core/tensors/numpy/npy.h"
#include "core/tensors/safetensors.h"

namespace hydra {

namespace {

struct ExportOptions : DocumentOptions {
  std::vector<std::string> quantities;
  bool weights = false;
  std::string out;
};

enum class ExportFormat { npy, npz, safetensors };

ExportFormat format_by_name(const std::string& path) {
  if (path.ends_with(".npy")) return ExportFormat::npy;
  if (path.ends_with(".npz")) return ExportFormat::npz;
  if (path.ends_with(".safetensors")) return ExportFormat::safetensors;
  throw InputError("--out: " + in_quotes(path) +
                   " does not say by its end how to write; let it end in .npy, .npz or "
                   ".safetensors");
}

// Arrays by their names, with the numbers in them.
class ExportedArrays {
 public:
  void add(const Site& site, Mat<float> values) {
    const Mat<float>& kept = values_.emplace_back(std::move(values));
    Tensor tensor;
    tensor.name = spelled(site);
    if (!is_bias(site.quantity)) tensor.shape.push_back(kept.rows());
    tensor.shape.push_back(kept.cols());
    tensor.bytes = std::as_bytes(std::span(kept.data(), static_cast<std::size_t>(kept.size())));
    tensors_.push_back(std::move(tensor));
  }
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::deque<Mat<float>> values_;
  std::vector<Tensor> tensors_;
};

Mat<float> exported_numbers(const Trace& trace, const Site& site) {
  if (!is_asked(site.quantity)) return *array_once(trace, site);
  if (site.quantity == Quantity::value_weighted) return value_weighted_attention(trace.layer(site.layer), site.head);
  const Shape shape = shape_of(trace, site);
  Mat<float> values(shape.rows, shape.cols);
  for (Index i = 0; i < shape.rows; ++i)
    for (Index j = 0; j < shape.cols; ++j) values(i, j) = value_at(trace, {site, i, j});
  return values;
}

void add_quantities(const ExportOptions& options, const Document& document, ExportedArrays& arrays) {
  std::vector<Site> sites;
  for (const std::string& name : options.quantities) {
    try {
      sites.push_back(parse_site(name));
    } catch (const InputError& fault) {
      throw InputError(std::string("--quantity: ") + fault.what());
    }
  }
  if (sites.empty()) return;
  ThreadPool pool(threads_of_the_machine());
  const auto trace = evaluate(document, nullptr, &pool);
  for (const Site& site : sites)
    if (!exists(*trace, site))
      throw InputError("--quantity: this document has no " + in_quotes(spelled(site)) +
                       "; `hydrascope trace` writes what it has");
  OverflowNote().look_at(*trace);
  for (const Site& site : sites) arrays.add(site, exported_numbers(*trace, site));
}

void add_weights(const Document& document, ExportedArrays& arrays) {
  const auto add = [&](const Site& site, const Array<float>& values) {
    if (values) arrays.add(site, *values);
  };
  for (const Quantity p : kModelWeights) add({p}, *field_of(document.weights, p));
  for (std::size_t k = 0; k < document.layers.size(); ++k)
    for (const Quantity p : kWeights) add({p, static_cast<int>(k)}, *field_of(document.layers[k].weights, p));
}

// Beside the file, so that the program opens it by itself; where the model cannot be said so, a note of why.
void write_layout(const ExportOptions& options, const Document& document, const std::vector<Tensor>& tensors) {
  std::string text;
  try {
    ModelLayout layout = layout_of(document);
    for (const std::string& quantity : options.quantities) layout.ignored.push_back(spelled(parse_site(quantity)));
    TensorFile file{options.out, nullptr, tensors, {}};
    sort_tensors(file);
    const LayoutCheck check = check_layout(layout, file);
    if (!check.faults.empty()) throw InputError("is laid out otherwise: " + sentence_of(check.faults.front()));
    text = layout_text(layout);
  } catch (const InputError& why) {
    std::fprintf(stderr, "%s: these are numbers alone, without a layout by which the file would open: the model %s\n",
                 options.out.c_str(), why.what());
    return;
  }
  write_whole(options.out + ".layout.json", text);
}

int run_export(const ExportOptions& options) {
  const ExportFormat format = format_by_name(options.out);
  if (options.quantities.empty() && !options.weights)
    throw InputError("nothing is asked for; give a --quantity, such as layers.0.heads.1.attention, or --weights");
  const Document document = asked_document(options);
  note_input(document);
  ExportedArrays arrays;
  add_quantities(options, document, arrays);
  if (options.weights) add_weights(document, arrays);
  const std::vector<Tensor>& tensors = arrays.tensors();
  if (format == ExportFormat::npy && tensors.size() != 1)
    throw InputError("--out: a .npy file holds one array, and " + std::to_string(tensors.size()) +
                     " are asked for; let its name end in .npz");
  if (format == ExportFormat::npy)
    write_npy(options.out, tensors.front());
  else
    (format == ExportFormat::npz ? write_npz : write_safetensors)(options.out, tensors);
  if (options.weights && format != ExportFormat::npy) write_layout(options, document, tensors);
  return 0;
}

}  // namespace

CliCommand add_export(CLI::App& app) {
  const auto kept = std::make_shared<ExportOptions>();
  ExportOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("export", "Writes quantities of a trace, or all parameters, as arrays");
  add_document(command, options);
  command
      .add_option("--quantity", options.quantities,
                  "As sites are spelled: layers.0.heads.1.attention, layers.0.output, X; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--weights", options.weights,
                   "All parameters of the model, by the program's names, and beside them a layout, by which they open");
  command.add_option("--out", options.out, "The file to write: .npy of one array, .npz or .safetensors")
      ->type_name("FILE")
      ->required();
  return {&command, [kept] { return run_export(*kept); }};
}

}  // namespace hydra
