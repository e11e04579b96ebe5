// Trace -> JSON, piece by piece: the traces of large models do not fit into one string.
#include <charconv>
#include <cmath>

#include "core/explain/quantity.h"
#include "core/io/file.h"
#include "core/json/json.h"
#include "core/model/program.h"

namespace hydra {

namespace {

class TraceWriter {
 public:
  explicit TraceWriter(const Sink& sink) : sink_(sink) {}

  void write(const Trace& trace) {
    text_ = "{\n\"tokens\": ";
    strings(trace.tokens);
    text_ += ",\n\"X\": ";
    matrix(*trace.X);
    text_ += ",\n\"layers\": [";
    for (std::size_t k = 0; k < trace.layers.size(); ++k) {
      if (k > 0) text_ += ", ";
      layer(trace, static_cast<int>(k));
    }
    text_ += "]";
    read_out(trace);
    text_ += "\n}\n";
    sink_(text_);
  }

 private:
  void strings(const std::vector<std::string>& words) {
    text_ += '[';
    for (const std::string& word : words) {
      if (text_.back() != '[') text_ += ", ";
      append_string(text_, word);
    }
    text_ += ']';
  }

  // What follows the layers.
  void read_out(const Trace& trace) {
    if (trace.model.logits) {
      text_ += ",\n\"vocabulary\": ";
      strings(trace.model.next_words.words.words());
      if (const Vocabulary& questions = trace.model.next_words.questions; questions.size() > 0) {
        text_ += ",\n\"questions\": ";
        strings(questions.words());
      }
    }
    for (const ProgramNode& node : trace.model.program().out) {
      text_ += std::string(",\n\"") + entry_of(node.result).key + "\": ";
      matrix(**trace.model.stage(node.result));
    }
  }

  // What heads have of their own, where one has a mask, a window or a temperature that is not the layer's.
  void own(const LayerInput<float>& input) {
    std::string said;
    for (Index h = 0; h < std::ssize(input.own); ++h) {
      const Mask& mask = input.mask_of(h);
      const double temperature = input.temperature_of(h);
      if (mask == input.mask && temperature == input.settings.temperature) continue;
      said += (said.empty() ? "{\"head\": " : ", {\"head\": ") + std::to_string(h);
      if (mask != input.mask) {
        said += mask.kind == Mask::Kind::none ? ", \"mask\": \"none\"" : ", \"mask\": \"causal\"";
        if (mask.window > 0) said += ", \"window\": " + std::to_string(mask.window);
      }
      std::swap(said, text_);
      if (temperature != input.settings.temperature) {
        text_ += ", \"temperature\": ";
        number(static_cast<float>(temperature));
      }
      std::swap(said, text_);
      said += "}";
    }
    if (!said.empty()) text_ += "\"own\": [" + said + "],\n";
  }

  void layer(const Trace& trace, int at) {
    const LayerTrace<float>& layer = trace.layer(at);
    text_ += "{\n";
    text_ += "\"gates\": [";
    for (Index h = 0; h < layer.input.heads; ++h) {
      if (h > 0) text_ += ", ";
      number(layer.input.gate(h));
    }
    text_ += "],\n";
    if (layer.input.split == Split::slice) {
      text_ += "\"slice_factor\": ";
      number(layer.input.slice_factor);
      text_ += ",\n";
    }
    const bool shared = layer.input.key_groups().shares();
    if (shared) text_ += "\"kv_heads\": " + std::to_string(layer.input.kv_heads()) + ",\n";
    own(layer.input);
    text_ += "\"heads\": [";
    for (std::size_t k = 0; k < layer.heads.size(); ++k) {
      text_ += k > 0 ? ", {" : "{";
      if (shared) text_ += "\n\"kv_head\": " + std::to_string(layer.input.kv_head(static_cast<Index>(k)));
      matrices(trace, {Quantity::X, at, static_cast<int>(k)}, shared ? ",\n" : "\n");
      text_ += "\n}";
    }
    text_ += "]";
    if (at > 0 || !trace.block(at).stages.empty()) {
      text_ += ",\n\"input\": ";
      matrix(*trace.block(at).input);
    }
    matrices(trace, {Quantity::X, at, kNoHead}, ",\n");
    text_ += "\n}";
  }

  // What the program computes and keeps of a head, or of the layer.
  void matrices(const Trace& trace, Site site, const char* separator) {
    for (const ProgramNode& node : program_at(trace, site).nodes) {
      if (!is_kept(node, site.head != kNoHead)) continue;
      site.quantity = node.result;
      text_ += std::string(separator) + "\"" + entry_of(node.result).key + "\": ";
      matrix(*array_once(trace, site),
             is_score(node.result) ? &trace.layer(site.layer).input.mask_of(site.head) : nullptr);
      separator = ",\n";
    }
  }

  // mask: null stands where it hides a number.
  void matrix(MatIn<float> values, const Mask* mask = nullptr) {
    for (Index i = 0; i < values.rows(); ++i) {
      text_ += i > 0 ? ",\n  [" : "[\n  [";
      for (Index j = 0; j < values.cols(); ++j) {
        if (j > 0) text_ += ", ";
        if (mask && !mask->allows(i, j))
          text_ += "null";
        else
          number(values(i, j));
      }
      text_ += ']';
      if (text_.size() > kPiece) {
        sink_(text_);
        text_.clear();
      }
    }
    text_ += ']';
  }

  void number(float value) {
    if (!std::isfinite(value)) {
      text_ += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
      return;
    }
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9).ptr);
  }

  static constexpr std::size_t kPiece = 1u << 20;
  const Sink& sink_;
  std::string text_;
};

}  // namespace

void write_trace(const Trace& trace, const Sink& sink) { TraceWriter(sink).write(trace); }

std::string trace_text(const Trace& trace) {
  std::string text;
  write_trace(trace, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace hydra
