// A layout of one's own (docs/models.md): what a model of no known family is, in the words that documents have for it,
// and which array of its file stands for which parameter. What reads such a model and the page that makes the layout
// share it.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoints/config.h"
#include "core/checkpoints/stored.h"
#include "core/document/document.h"
#include "core/error.h"

namespace hydra {

// What stands for a parameter: "blocks.*.qkv.weight^T[:, 64:128]", an array (* is the number of the layer), perhaps
// turned, perhaps of that only some rows and columns.
struct ArrayPart {
  struct Span {
    Index begin = 0, end = -1;  // -1: as far as it goes
    bool is_whole() const { return begin == 0 && end < 0; }
  };
  std::string name;
  Stored stored = Stored::as_is;
  Span rows, cols;
};
// A row (is_row) has one span, which is of its columns. Throws InputError, what is wrong with it, naming no place.
ArrayPart parse_part(std::string text, bool is_row);
std::string spelled(const ArrayPart& part, bool is_row);

struct ModelLayout {
  Index heads = 0;  // 0: is not said
  bool causal = false;
  LayerSettings layer;  // of all layers; widths are those of the arrays
  ModelSettings model;
  bool sinusoidal = false;                    // positions; else learned where an array stands for P
  std::map<std::string, std::string> arrays;  // by "E", "layers.*.W_Q", "layers.3.W_Q": the part
  std::vector<std::string> ignored;           // endings of names
};

bool is_layout(const Config& config);
// Throws InputError: the file, the key and what is wrong with it.
ModelLayout layout_of(const Config& config);
std::string layout_text(const ModelLayout& layout);  // as a file
// Of a model's parameters under the program's own names ("layers.0.W_Q", as export writes them). Throws InputError:
// what the model has and a layout cannot say, to go on from its name.
ModelLayout layout_of(const Model& model);

// With one thing of it, by its key in the file: "layer.heads", "12"; "layer.norm", "true"; "arrays.layers.*.W_Q" and
// its part, empty for none; "ignored.inv_freq", "true" or not. Throws InputError, with the key.
ModelLayout changed(ModelLayout layout, const std::string& key, const std::string& value);

inline constexpr std::string_view kAllLayers = "layers.*.";  // keys of what all layers have begin so

// A parameter that a model of these settings has.
struct LayoutPlace {
  Quantity quantity;
  bool of_layer = false, needed = true;  // else it may be left out, as zeros or nothing
  std::string key() const;               // "W_U", "layers.*.W_Q"
};
std::vector<LayoutPlace> places_of(const ModelLayout& layout);

struct LayoutFault {
  std::string key;   // "layer.heads", "arrays.layers.*.W_Q"
  std::string what;  // "takes columns 0 to 99 of 36": goes on from the key
  bool operator==(const LayoutFault&) const = default;
};
std::string sentence_of(const LayoutFault& fault);  // "“layer.heads” is ..."

// Rows and columns that the part gives for a parameter. Throws InputError, naming no place.
struct PartShape {
  Index rows = 0, cols = 0;
  bool operator==(const PartShape&) const = default;
};
PartShape shape_of(Quantity parameter, const Tensor& tensor, const ArrayPart& part);

// A layout held against the arrays of a file; no number of theirs is read.
struct LayoutCheck {
  Index layers = 0, d_model = 0, words = 0;  // 0: not known yet
  Layer layer;                               // with its sizes
  std::vector<LayoutFault> faults;           // the first is to be told first
  std::map<std::string, std::string> used;   // array: key of its place, of several the first; "ignored"
  std::map<std::string, PartShape> wants;    // by the places' keys: what must stand there; 0: not known yet
  std::vector<std::string> unread;           // arrays that stand for nothing and are not ignored
  bool is_whole() const { return faults.empty() && unread.empty(); }
};
LayoutCheck check_layout(const ModelLayout& layout, const TensorFile& file);

}  // namespace hydra
