#include "core/learn/tasks/parts.h"

#include <algorithm>
#include <cstdio>

#include "core/text/wording.h"

namespace hydra::learn {

void clear(const SequenceOut& out) {
  std::fill(out.words.begin(), out.words.end(), kNone);
  std::fill(out.targets.begin(), out.targets.end(), kNone);
  std::fill(out.gold.begin(), out.gold.end(), 0);
  *out.length = 0;
}

void mark_copies(const SequenceOut& out) {
  const auto length = static_cast<std::size_t>(*out.length);
  for (std::size_t i = 1; i < length; ++i) {
    out.gold[2 * i] = std::uint64_t{1} << (i - 1);
    std::size_t copy = i;
    while (copy-- > 0)
      if (out.words[copy] == out.words[i]) {
        out.gold[2 * i + 1] = out.gold[2 * copy + 1] | std::uint64_t{1} << (copy + 1);
        break;
      }
  }
}

void describe_copies(TaskInfo& info) {
  info.shape.relations = 2;
  info.relations = {"previous token", "induction"};
  info.relation_titles = {wording("training:relation.previous"), wording("training:relation.induction")};
  info.relation_how = {wording("training:copies.previous"), wording("training:copies.induction")};
  info.relation_layers = {0, kLastLayer};
}

std::vector<std::string> paragraphs(std::string_view text, const Values& values) {
  std::vector<std::string> page;
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) {
      inside = false;
    } else if (inside) {
      page.back() += ' ' + std::string(line);
    } else {
      page.emplace_back(line);
      inside = true;
    }
  }
  for (std::string& paragraph : page)
    for (const auto& [name, value] : values)
      for (std::size_t at = 0; (at = paragraph.find(name, at)) != std::string::npos; at += value.size())
        paragraph.replace(at, name.size(), value);
  return page;
}

std::string figures(double value, int most) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", most, value);
  return text;
}

}  // namespace hydra::learn
