// Designed stacks that ship, their heads by number, and what their pages say.
#pragma once
#include <catch2/catch.hpp>
#include <cstdio>
#include <regex>
#include <set>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/explain/quantity.h"
#include "core/io/file.h"
#include "tests/support/data.h"

namespace hydra::test {

inline Document shipped(const std::string& name) {
  return read_document(test::data("../../assets/documents/" + name + ".json"));
}
// Where the word stands for the k-th time, from 1.
inline Index place_of(const Trace& trace, const std::string& word, int k = 1) {
  for (std::size_t i = 0; i < trace.tokens.size(); ++i)
    if (word_key(trace.tokens[i]) == word && --k == 0) return static_cast<Index>(i);
  FAIL("there is no " << word);
  return 0;
}

// Layers and heads from 1, as pages and screens count them.
struct HeadOf {
  int layer, head;
};
inline constexpr HeadOf kWriter{1, 1}, kReader{2, 1};

inline float attention(const Trace& trace, HeadOf at, Index query, Index key) {
  return values_of(trace, {Quantity::attention, at.layer - 1, at.head - 1})(query, key);
}
inline float attention(const Trace& trace, HeadOf at, const std::string& query, const std::string& key) {
  return attention(trace, at, place_of(trace, query), place_of(trace, key));
}

inline Document silenced(const Document& document, HeadOf at) {
  return apply(document, {SetGate{at.head - 1, 0}, at.layer - 1});
}
// Every layer with untrained weights that spread as the window's do.
inline Document untrained(Document document, std::uint64_t seed) {
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k)
    document =
        apply(document,
              {SetWeightSource{Init::xavier, seed + static_cast<std::uint64_t>(k), SetWeightSource::Gain::fitted}, k});
  return document;
}

inline Array<float> leaving(const Trace& trace, Index layer) {
  for (const Quantity q : {Quantity::stream, Quantity::stream_1})
    if (const Array<float>& stream = trace.block(layer).of(q)) return stream;
  return trace.layer(layer).output;
}

inline std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// The decimal numbers of the page are these, no others, and all of them.
inline void check_quoted(const Document& document, const std::vector<double>& values) {
  std::set<std::string> computed, quoted;
  for (const double value : values) computed.insert(two_digits(value));
  const std::regex number("[0-9]+\\.[0-9]+");
  for (const std::string& paragraph : document.notes.paragraphs)
    for (std::sregex_iterator it(paragraph.begin(), paragraph.end(), number), end; it != end; ++it)
      quoted.insert(it->str());
  CHECK(quoted == computed);
}

inline bool says(const Document& document, const std::string& words) {
  return std::any_of(document.notes.paragraphs.begin(), document.notes.paragraphs.end(),
                     [&](const std::string& paragraph) { return paragraph.find(words) != std::string::npos; });
}

// Pages of documents that differ in the sentence alone are one and the same.
inline void check_twins(const Document& one, const Document& other) {
  Document changed = one;
  changed.sentence = other.sentence;
  CHECK(one.sentence != other.sentence);
  CHECK(same_document(changed, other));
}

}  // namespace hydra::test
