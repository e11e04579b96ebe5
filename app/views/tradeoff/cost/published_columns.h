// What the table of published models says: its columns, which of them there is room for, and what is said of a row.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/cost/published.h"

namespace hydra::tradeoff {

struct PublishedLine {
  const PublishedModel* model = nullptr;  // null: the document
  LayerSizes sizes;                       // of each layer; of the document, of the one in focus
  // Of the document:
  std::vector<LayerSizes> layers = {};
  double ends = 0;        // weights of tables and readout
  double readout = 0;     // multiply-adds of a token's logits
  double parameters = 0;  // every number that it has
};
// Sequences that are so long, numbers of so many bytes.
struct PublishedSettings {
  double tokens, bytes;
};

struct PublishedColumn {
  const char* key;
  const char* title;                                                // a text, of a line or two
  int leaves;                                                       // its turn to go where not all columns fit
  bool of_tokens;                                                   // depends on how many there are
  const char* tip;                                                  // a text
  double (*value)(const PublishedLine&, const PublishedSettings&);  // NaN: there is no such number
  std::string (*text)(double);
  const char* from;  // what of a published model it is, or is computed from: keys of its sources, a blank between
  bool computed = false;
};
const std::vector<PublishedColumn>& published_columns();

// The line's number as words, a dash for none.
std::string text_of(const PublishedColumn& column, const PublishedLine& line, const PublishedSettings& settings);

// The columns that fit side by side into room, in order: those whose turn it is to go have gone, but for the kept one.
// At least one. widths: by column.
std::vector<int> fitting_columns(const std::vector<float>& widths, float room, std::optional<int> kept);

// Its name, its sizes, what its numbers leave out, and where the number of the column is stated, or what it is computed
// from; without one, where any is.
std::vector<std::string> said_of(const PublishedLine& line, const PublishedSettings& settings,
                                 const PublishedColumn* column = nullptr);
std::string name_of(const PublishedLine& line);
// Of longer sequences than the model was trained on, or of none.
bool is_soft(const PublishedColumn& column, const PublishedLine& line, const PublishedSettings& settings);

}  // namespace hydra::tradeoff
