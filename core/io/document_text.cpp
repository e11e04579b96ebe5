#include "core/io/document_text.h"

#include <algorithm>
#include <bit>

#include "core/document/limits.h"
#include "core/json/json.h"
#include "core/work/turns.h"

namespace hydra::json_text {

namespace {

constexpr std::size_t kLineLength = 120;

template <class Values>
void append_numbers(std::string& out, const Values& values) {
  out += '[';
  for (Index j = 0; j < values.size(); ++j) {
    if (j > 0) out += ", ";
    append_number(out, static_cast<float>(values(j)));
  }
  out += ']';
}

template <class S>
std::string text_of_rows(const Array<S>& values, int depth) {
  const auto matrix = *values;
  std::string text = "[";
  for (Index i = 0; i < matrix.rows(); ++i) {
    give_way();
    text += (i > 0 ? "," : "") + indent(depth + 1);
    append_numbers(text, matrix.row(i));
  }
  return text + indent(depth) + "]";
}

// The cells of values that are not as they begin.
std::vector<CellValue> differing(MatIn<float> values, MatIn<float> begins) {
  std::vector<CellValue> cells;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (std::bit_cast<std::uint32_t>(values(i, j)) != std::bit_cast<std::uint32_t>(begins(i, j)))
        cells.push_back({i, j, values(i, j)});
  return cells;
}

}  // namespace

std::string indent(int depth) { return "\n" + std::string(static_cast<std::size_t>(2 * depth), ' '); }

std::string text_of(std::string_view string) {
  std::string text;
  append_string(text, string);
  return text;
}

std::string text_of(float value) {
  std::string number;
  append_number(number, value);
  return number;
}

std::string row_text(MatIn<float> row) {
  std::string text;
  append_numbers(text, row.row(0));
  return text;
}

std::string text_of(const Array<float>& values, int depth) { return text_of_rows(values, depth); }
std::string text_of(const Array<std::uint8_t>& values, int depth) { return text_of_rows(values, depth); }

std::string text_of(const std::vector<CellValue>& cells, bool vector, int depth) {
  std::string text = "[";
  for (const CellValue& cell : cells) {
    text += (text.size() > 1 ? "," : "") + indent(depth + 1) + "[";
    if (!vector) text += std::to_string(cell.row) + ", ";
    text += std::to_string(cell.col) + ", ";
    append_number(text, cell.value);
    text += ']';
  }
  return cells.empty() ? "[]" : text + indent(depth) + "]";
}

std::string text_of(const std::vector<std::string>& words, int depth) {
  std::string text = "[", line;
  bool several = false;
  for (const std::string& word : words) {
    const std::string next = text_of(std::string_view(word));
    if (!line.empty() && line.size() + next.size() > kLineLength - 10) {
      text += indent(depth + 1) + line + ",";
      line.clear();
      several = true;
    }
    line += (line.empty() ? "" : ", ") + next;
  }
  return several ? text + indent(depth + 1) + line + indent(depth) + "]" : text + line + "]";
}

void ObjectText::add(const char* key, std::string value) {
  if (value.find('\n') != std::string::npos) multiline_ = true;
  length_ += value.size() + std::string_view(key).size() + 6;
  members_.emplace_back(key, std::move(value));
}

void ObjectText::add(const ObjectText& other) {
  for (const auto& [key, value] : other.members_) add(key.c_str(), value);
}

bool ObjectText::has(std::string_view key) const {
  return std::ranges::any_of(members_, [&](const auto& member) { return member.first == key; });
}

std::string ObjectText::text() const {
  const bool lines = multiline_ || length_ > kLineLength;
  std::string text = "{";
  for (const auto& [key, value] : members_) {
    if (text.size() > 1) text += lines ? "," : ", ";
    if (lines) text += indent(depth_ + 1);
    text += "\"" + key + "\": " + value;
  }
  return text + (lines ? indent(depth_) : "") + "}";
}

void add_parameter(ObjectText& object, ObjectText& edits, Quantity parameter, const Array<float>& values,
                   const Array<float>& begins, bool given) {
  if (!values || (!given && begins && begins == values)) return;  // nothing is read of what nobody has changed
  const char* key = entry_of(parameter).key;
  const bool bias = is_bias(parameter);
  const auto whole = [&] { object.add(key, bias ? row_text(*values) : text_of(values, object.depth() + 1)); };
  if (given) return whole();
  const std::vector<CellValue> cells =
      differing(*values, begins ? Mat<float>(*begins) : Mat<float>::Zero(1, values.size()));
  if (begins && cells.empty()) return;
  const auto dense = static_cast<Index>((bias ? 2 : largest::kSparse) * cells.size()) >= values.size();
  if (dense)
    whole();
  else
    edits.add(key, text_of(cells, bias, edits.depth() + 1));
}

}  // namespace hydra::json_text
