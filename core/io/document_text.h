// What documents are written with: pieces of canonical JSON, one row of a matrix per line.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/document/document.h"

namespace hydra::json_text {

// A new line at that depth of objects.
std::string indent(int depth);
std::string text_of(std::string_view string);
std::string text_of(float value);
std::string row_text(MatIn<float> row);
// One row per line. depth is that of the line on which it begins.
std::string text_of(const Array<float>& values, int depth);
std::string text_of(const Array<std::uint8_t>& values, int depth);
// [[row, col, value], ...]; of a vector [[col, value], ...].
std::string text_of(const std::vector<CellValue>& cells, bool vector, int depth);
// As many words in a line as fit.
std::string text_of(const std::vector<std::string>& words, int depth);

// An object at a depth: on one line when it fits, else a line per key.
class ObjectText {
 public:
  explicit ObjectText(int depth) : depth_(depth) {}

  void add(const char* key, std::string value);
  void add(const ObjectText& members);  // those of another, behind these
  bool has(std::string_view key) const;
  bool empty() const { return members_.empty(); }
  int depth() const { return depth_; }
  std::string text() const;

 private:
  int depth_;
  bool multiline_ = false;
  std::size_t length_ = 0;
  std::vector<std::pair<std::string, std::string>> members_;
};

// A matrix or bias goes whole into the object, or its cells that were set by hand into the edits, or nowhere when it is
// as it begins. given: nothing says how it begins.
void add_parameter(ObjectText& object, ObjectText& edits, Quantity parameter, const Array<float>& values,
                   const Array<float>& begins, bool given = false);

}  // namespace hydra::json_text
