#include "app/views/flow/header_lines.h"

#include <sstream>

namespace hydra {

namespace {

using Measure = std::function<float(const std::string&)>;

class Setting {
 public:
  Setting(float width, float gap, const Measure& measure) : width_(width), gap_(gap), measure_(measure) {}

  void add(int statement, const std::string& text) {
    if (text.empty()) return;
    const float whole = measure_(text);
    if (begun_ && !wrapped_ && x_ + gap_ + whole <= width_) {
      put(statement, x_ + gap_, text);
      return;
    }
    if (begun_) ++line_;
    begun_ = true;
    wrapped_ = false;
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
      if ((words >> std::ws).peek() == '%') {  // not a line of its own
        std::string sign;
        words >> sign;
        word += " " + sign;
      }
      const std::string longer = line.empty() ? word : line + " " + word;
      if (!line.empty() && measure_(longer) > width_) {
        wrapped_ = true;
        put(statement, 0, line);
        ++line_;
        line = word;
      } else {
        line = longer;
      }
      if (measure_(line) > width_) fits_ = false;
    }
    put(statement, 0, line);
  }

  int lines() const { return begun_ ? line_ + 1 : 0; }
  bool fits() const { return fits_; }
  std::vector<HeaderPiece> pieces;

 private:
  void put(int statement, float x, const std::string& text) {
    pieces.push_back({line_, x, statement, text});
    x_ = x + measure_(text);
  }

  float width_, gap_;
  const Measure& measure_;
  int line_ = 0;
  float x_ = 0;
  bool begun_ = false, fits_ = true;
  bool wrapped_ = false;  // the last statement ends on a line that it did not begin on
};

}  // namespace

std::vector<HeaderPiece> header_lines(const std::vector<std::vector<std::string>>& statements, float width, int lines,
                                      float gap, const Measure& measure) {
  std::vector<std::size_t> version(statements.size(), 0);
  for (;;) {
    Setting set(width, gap, measure);
    for (std::size_t k = 0; k < statements.size(); ++k)
      if (version[k] < statements[k].size()) set.add(static_cast<int>(k), statements[k][version[k]]);
    if (set.lines() <= lines && set.fits()) return set.pieces;
    // The last that can be shorter; when all are as brief as they can be, the last goes.
    std::size_t next = statements.size();
    for (std::size_t k = 0; k < statements.size(); ++k)
      if (version[k] + 1 < statements[k].size()) next = k;
    if (next == statements.size())
      for (std::size_t k = 0; k < statements.size(); ++k)
        if (version[k] < statements[k].size()) next = k;
    if (next == statements.size()) return {};
    ++version[next];
  }
}

}  // namespace hydra
