#include "core/tokenizers/text/cutting.h"

#include <algorithm>

#include "core/files/utf8.h"
#include "core/tokenizers/text/byte_letters.h"
#include "core/tokenizers/text/characters.h"

namespace hydra {

namespace {

struct Found {
  std::uint32_t begin, end;
  bool match;
};

// The parts that a text is cut into; matches and what is between them stand in order, without gaps.
void apply_behavior(std::vector<Found>& found, Behavior behavior, std::vector<Part>& parts) {
  const auto join = [&](Found& to, const Found& more) {
    to.begin = std::min(to.begin, more.begin);
    to.end = std::max(to.end, more.end);
  };
  std::vector<Found> kept;
  kept.reserve(found.size());
  switch (behavior) {
    case Behavior::removed:
      for (const Found& f : found)
        if (!f.match) kept.push_back(f);
      break;
    case Behavior::isolated:
      kept.swap(found);
      break;
    case Behavior::contiguous:
      for (const Found& f : found) {
        if (!kept.empty() && kept.back().match == f.match)
          join(kept.back(), f);
        else
          kept.push_back(f);
      }
      break;
    case Behavior::merged_with_previous:
    case Behavior::merged_with_next: {
      const bool backwards = behavior == Behavior::merged_with_next;
      if (backwards) std::reverse(found.begin(), found.end());
      bool after_match = false;
      for (const Found& f : found) {
        if (f.match && !after_match && !kept.empty())
          join(kept.back(), f);
        else
          kept.push_back(f);
        after_match = f.match;
      }
      if (backwards) std::reverse(kept.begin(), kept.end());
    }
  }
  for (const Found& f : kept)
    if (f.begin < f.end) parts.push_back({f.begin, f.end, Part::kNoToken});
}

// Collects matches of one part, in order.
class Finds {
 public:
  Finds(std::uint32_t begin, std::uint32_t end) : done_(begin), end_(end) {}
  void match(std::uint32_t begin, std::uint32_t end) {
    if (begin < done_) return;
    if (begin > done_) found_.push_back({done_, begin, false});
    found_.push_back({begin, end, true});
    done_ = end;
  }
  std::vector<Found> take() {
    if (done_ < end_) found_.push_back({done_, end_, false});
    return std::move(found_);
  }

 private:
  std::vector<Found> found_;
  std::uint32_t done_, end_;
};

struct Cutting {
  CutText& text;

  std::string_view of(const Part& part) const { return text.text.text().substr(part.begin, part.end - part.begin); }

  // find(part, finds) for the parts that are no tokens.
  template <class Find>
  void cut_parts(Behavior behavior, bool invert, const Find& find) const {
    std::vector<Part> parts;
    parts.reserve(text.parts.size());
    for (const Part& part : text.parts) {
      if (part.is_token()) {
        parts.push_back(part);
        continue;
      }
      Finds finds(part.begin, part.end);
      find(part, finds);
      std::vector<Found> found = finds.take();
      if (invert)
        for (Found& f : found) f.match = !f.match;
      apply_behavior(found, behavior, parts);
    }
    text.parts = std::move(parts);
  }

  template <class Is>
  void cut_by(Behavior behavior, const Is& is) const {
    cut_parts(behavior, false, [&](const Part& part, Finds& finds) {
      for (std::size_t at = part.begin; at < part.end;) {
        const Character c = decode(text.text.text(), at);
        if (is(c.code)) finds.match(static_cast<std::uint32_t>(c.begin), static_cast<std::uint32_t>(c.end));
        at = c.end;
      }
    });
  }

  // write(part, out) for the parts that are no tokens.
  template <class Write>
  void rewrite(const Write& write) const {
    AlignedText out(text.text.most());
    for (Part& part : text.parts) {
      const auto begin = static_cast<std::uint32_t>(out.size());
      if (part.is_token())
        out.append(text.text, part.begin, part.end);
      else
        write(part, out);
      part.begin = begin;
      part.end = static_cast<std::uint32_t>(out.size());
    }
    text.text = std::move(out);
  }

  void operator()(const CutByExpression& step) const {
    Expression::Run run(step.expression, text.text.size());
    cut_parts(step.behavior, step.invert, [&](const Part& part, Finds& finds) {
      run.for_each(of(part), [&](std::size_t begin, std::size_t end) {
        finds.match(part.begin + static_cast<std::uint32_t>(begin), part.begin + static_cast<std::uint32_t>(end));
      });
    });
  }

  void operator()(const CutByKind& step) const {
    const auto is = step.kind == CutByKind::Kind::white         ? characters::is_white
                    : step.kind == CutByKind::Kind::punctuation ? characters::is_punctuation
                                                                : characters::is_number;
    cut_by(step.behavior, is);
  }

  void operator()(const CutWords&) const {
    cut_by(Behavior::removed, characters::is_white);
    cut_by(Behavior::contiguous, characters::is_word);
  }

  void operator()(const ByteLevel& step) const {
    if (step.add_prefix_space) {
      rewrite([&](const Part& part, AlignedText& out) {
        if (!of(part).starts_with(' ')) out.append(" ", text.text.span(part.begin, part.begin));
        out.append(text.text, part.begin, part.end);
      });
    }
    static const Expression words = Expression::of_pattern(kGpt2Expression);
    if (step.cut) (*this)(CutByExpression{words, Behavior::isolated, false});
    rewrite([&](const Part& part, AlignedText& out) {
      for (std::size_t at = part.begin; at < part.end; ++at)
        out.append(byte_letter(static_cast<unsigned char>(text.text.text()[at])), text.text.span(at, at + 1));
    });
  }

  void operator()(const Metaspace& step) const {
    rewrite([&](const Part& part, AlignedText& out) {
      const bool first = text.text.span(part.begin, part.begin).begin == 0;
      const bool prefix =
          step.prefix == Metaspace::Prefix::always || (step.prefix == Metaspace::Prefix::first && first);
      if (prefix && !of(part).starts_with(step.mark) && !of(part).starts_with(' '))
        out.append(step.mark, text.text.span(part.begin, part.begin));
      for (std::size_t at = part.begin; at < part.end; ++at) {
        if (text.text.text()[at] == ' ')
          out.append(step.mark, text.text.span(at, at + 1));
        else
          out.append(text.text, at, at + 1);
      }
    });
    if (step.cut) (*this)(CutByExpression{Expression::of_text(step.mark), Behavior::merged_with_next, false});
  }
};

}  // namespace

void cut(CutText& text, const std::vector<CutStep>& steps) {
  for (const CutStep& step : steps) std::visit(Cutting{text}, step);
}

}  // namespace hydra
