#include "core/report/stream_json.h"

#include <utility>

namespace hydra {

namespace {

void by_token(JsonWriter& out, std::string_view name, const Mat<double>& numbers, Index line) {
  std::vector<double> column(static_cast<std::size_t>(numbers.rows()));
  for (Index t = 0; t < numbers.rows(); ++t) column[static_cast<std::size_t>(t)] = numbers(t, line);
  out.numbers(name, column);
}

class EffectsWriter {
 public:
  EffectsWriter(const Vocabulary& words, JsonWriter& out) : words_(words), out_(out) {}

  // The words that it raises or lowers the most, each with by how much; the object stays open.
  void told(const DirectEffect& effect) {
    list("raised", effect.raised);
    list("lowered", effect.lowered);
  }

 private:
  void list(std::string_view name, const std::vector<DirectEffect::OnWord>& all) {
    out_.key(name).text += '[';
    for (const DirectEffect::OnWord& on : all) {
      out_.entry().text += '{';
      out_.string("word", words_.words()[static_cast<std::size_t>(on.word)]);
      out_.number("by", on.effect);
      out_.text += '}';
    }
    out_.text += ']';
  }

  const Vocabulary& words_;
  JsonWriter& out_;
};

}  // namespace

namespace {

// Of one question, as an object.
void write_effects(const Trace& trace, const Stream& stream, const DirectEffects& effects, JsonWriter& out) {
  using Part = DirectPaths::Part;
  const NextWords& next_words = trace.model.next_words;
  const Array<float> p = trace.model.of_question(trace.model.probabilities, effects.question);
  const Index next = likeliest(p, stream.token, 1).front();
  const RowVec<double> reader = effects.paths.reader(next);
  EffectsWriter writer(next_words.words, out);
  out.text += '{';
  if (next_words.questions.size() > 0) out.string("question", next_words.questions.word(effects.question));
  out.whole("token", stream.token);
  out.string("next_word", next_words.words.word(next));
  out.number("logit", trace.model.logits(stream.token, next_words.first_of(effects.question) + next));
  out.number("constants", effects.paths.constant(next));
  out.number("off", effects.off);
  out.line();
  out.key("logits").text += '{';
  writer.told(effects.logits);
  out.text += '}';
  out.line();
  out.key("lines").text += '[';
  bool begun = false;
  for (int k = 0; k < static_cast<int>(stream.layers.size()); ++k)
    for (int l = 0; l < static_cast<int>(stream.layer(k).lines.size()); ++l) {
      const Part part = effects.paths.parts[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)];
      if (part == Part::none) continue;
      if (std::exchange(begun, true)) out.line();
      out.text += '{';
      out.string("vector", spelled(stream.layer(k).lines[static_cast<std::size_t>(l)].site));
      out.key("counts").text += part == Part::counts ? "true" : "false";
      out.number("on_next_word", effects.paths.effect(k, l, reader));
      writer.told(effects.lines[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)]);
      out.text += '}';
    }
  out.text += "]}";
}

}  // namespace

void write_direct_effects(const Trace& trace, const Stream& stream, ThreadPool* pool, JsonWriter& out) {
  const Index questions = trace.model.next_words.parts();
  out.key("direct_effects");
  if (questions == 1) return write_effects(trace, stream, *direct_effects(trace, stream, 0, pool), out);
  out.text += '[';
  for (Index q = 0; q < questions; ++q) {
    if (q > 0) out.line();
    write_effects(trace, stream, *direct_effects(trace, stream, q, pool), out);
  }
  out.text += ']';
}

void write_stream(const StreamLayer& layer, JsonWriter& out) {
  out.key("stream").text += '[';
  for (std::size_t k = 0; k < layer.lines.size(); ++k) {
    const StreamLine& line = layer.lines[k];
    if (k > 0) out.line();
    out.text += '{';
    out.string("vector", spelled(line.site));
    if (line.part_of != StreamLine::kOfNone)
      out.string("part_of", spelled(layer.lines[static_cast<std::size_t>(line.part_of)].site));
    by_token(out, "size", layer.size, static_cast<Index>(k));
    if (line.part_of != StreamLine::kOfNone) by_token(out, "share", layer.share, static_cast<Index>(k));
    by_token(out, "cosine", layer.cosine, static_cast<Index>(k));
    out.text += '}';
  }
  out.text += ']';
}

}  // namespace hydra
