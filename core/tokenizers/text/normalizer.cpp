#include "core/tokenizers/text/normalizer.h"

#include "core/files/utf8.h"

namespace hydra {

namespace {

using namespace characters;

// visit(code, begin, end) for all characters.
template <class Visit>
void for_each_character(const AlignedText& text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = decode(text.text(), at);
    visit(c.code, c.begin, c.end);
    at = c.end;
  }
}

struct Normalizing {
  const AlignedText& in;
  AlignedText& out;

  void keep(std::size_t begin, std::size_t end) const { out.append(in, begin, end); }

  template <class IsKept>
  void keep_if(const IsKept& is_kept) const {
    for_each_character(in, [&](char32_t code, std::size_t begin, std::size_t end) {
      if (is_kept(code)) keep(begin, end);
    });
  }

  void operator()(const NormalForm& step) const { append_normal_form(out, in, step.form); }

  void operator()(const Lowercase&) const {
    for_each_character(in, [&](char32_t code, std::size_t begin, std::size_t end) {
      const bool ascii = code < 0x80;
      const char small = ascii && code >= 'A' && code <= 'Z' ? static_cast<char>(code + 32) : '\0';
      if (small != '\0') return out.append(std::string_view(&small, 1), in.span(begin, end));
      if (ascii) return keep(begin, end);
      const std::string lowered = lower(code);
      if (lowered == in.text().substr(begin, end - begin))
        keep(begin, end);
      else
        out.append(lowered, in.span(begin, end));
    });
  }

  void operator()(const StripAccents&) const {
    keep_if([](char32_t code) { return !is_mark(code); });
  }

  void operator()(const BertNormalizer& step) const {
    AlignedText text = in;
    if (step.clean_text) {
      AlignedText cleaned(in.most());
      for_each_character(text, [&](char32_t code, std::size_t begin, std::size_t end) {
        if (code == 0 || code == 0xFFFD || is_control(code)) return;
        if (code != ' ' && is_white(code))
          cleaned.append(" ", text.span(begin, end));
        else
          cleaned.append(text, begin, end);
      });
      text = std::move(cleaned);
    }
    if (step.handle_chinese_chars) {
      AlignedText spaced(in.most());
      for_each_character(text, [&](char32_t code, std::size_t begin, std::size_t end) {
        const bool apart = is_ideograph(code);
        if (apart) spaced.append(" ", text.span(begin, begin));
        spaced.append(text, begin, end);
        if (apart) spaced.append(" ", {text.span(begin, end).end, text.span(begin, end).end});
      });
      text = std::move(spaced);
    }
    if (step.strip_accents) {
      AlignedText apart(in.most()), bare(in.most());
      append_normal_form(apart, text, Form::nfd);
      for_each_character(apart, [&](char32_t code, std::size_t begin, std::size_t end) {
        if (!is_nonspacing_mark(code)) bare.append(apart, begin, end);
      });
      text = std::move(bare);
    }
    if (step.lowercase)
      Normalizing{text, out}(Lowercase{});
    else
      out.append(text, 0, text.size());
  }

  void operator()(const StripEnds& step) const {
    const std::string_view text = in.text();
    std::size_t begin = 0, end = text.size();
    while (step.left && begin < end && is_white(decode(text, begin).code)) begin = decode(text, begin).end;
    while (step.right && end > begin) {
      std::size_t last = end - 1;
      while ((static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
      if (!is_white(decode(text, last).code)) break;
      end = last;
    }
    keep(begin, end);
  }

  void operator()(const ReplaceBy& step) const {
    std::size_t done = 0;
    Expression::Run run(step.expression, in.size());
    run.for_each(in.text(), [&](std::size_t begin, std::size_t end) {
      if (begin < done) return;
      keep(done, begin);
      out.append(step.content, in.span(begin, end));
      done = end;
    });
    keep(done, in.size());
  }

  void operator()(const Prepend& step) const {
    if (in.size() > 0) out.append(step.content, in.span(0, 0));
    keep(0, in.size());
  }

  void operator()(const ByCharsmap& step) const {
    for (std::size_t at = 0; at < in.size();) {
      const auto [bytes, stands] = step.map->longest(in.text().substr(at));
      const std::size_t end = bytes > 0 ? at + bytes : decode(in.text(), at).end;
      if (bytes > 0)
        out.append(stands, in.span(at, end));
      else
        keep(at, end);
      at = end;
    }
  }

  void operator()(const Nmt&) const {
    for_each_character(in, [&](char32_t c, std::size_t begin, std::size_t end) {
      const bool gone =
          (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
      const bool space = c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
                         c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
      if (space)
        out.append(" ", in.span(begin, end));
      else if (!gone)
        keep(begin, end);
    });
  }

  void operator()(const SentencePieceNormalizer& step) const;
};

void Normalizing::operator()(const SentencePieceNormalizer& step) const {
  const std::string_view text = in.text();
  // What the next bytes are written as: themselves, or other text.
  struct Next {
    std::size_t end = 0;
    std::string_view written;
    bool itself = true;
  };
  const auto next = [&](std::size_t at) -> Next {
    const std::size_t kept = step.kept ? step.kept->longest(text.substr(at)).first : 0;
    if (kept > 0) return {at + kept, text.substr(at, kept), true};
    const auto [bytes, stands] =
        step.map ? step.map->longest(text.substr(at)) : std::pair<std::size_t, std::string_view>();
    if (bytes > 0) return {at + bytes, stands, false};
    const std::size_t end = decode(text, at).end;
    return {end, text.substr(at, end - at), true};
  };
  std::size_t at = 0;
  while (step.remove_extra_spaces && at < text.size() && next(at).written == " ") at = next(at).end;
  if (at == text.size()) return;
  if (step.add_prefix && !step.prefix_at_end) out.append(step.space, in.span(at, at));
  bool after_space = step.remove_extra_spaces;
  while (at < text.size()) {
    const Next piece = next(at);
    std::size_t from = 0;
    while (after_space && from < piece.written.size() && piece.written[from] == ' ') ++from;
    for (std::size_t k = from; k < piece.written.size(); ++k) {
      const bool space = piece.written[k] == ' ';
      const Span span = piece.itself ? in.span(at + k, at + k + 1) : in.span(at, piece.end);
      out.append(space ? std::string_view(step.space) : piece.written.substr(k, 1), span);
    }
    if (from < piece.written.size()) after_space = piece.written.back() == ' ';
    if (!step.remove_extra_spaces) after_space = false;
    at = piece.end;
  }
  while (step.remove_extra_spaces && out.text().ends_with(step.space)) out.cut(out.size() - step.space.size());
  if (step.add_prefix && step.prefix_at_end) out.append(step.space, in.span(at, at));
}

}  // namespace

AlignedText normalized(AlignedText text, const std::vector<Normalizer>& steps) {
  for (const Normalizer& step : steps) {
    AlignedText out(text.most());
    std::visit(Normalizing{text, out}, step);
    text = std::move(out);
  }
  return text;
}

}  // namespace hydra
