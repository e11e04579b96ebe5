#include <algorithm>

#include "core/files/utf8.h"
#include "core/tokenizers/models/model.h"

namespace hydra {

namespace {

// The best way to each place of the part, from its first byte on (Viterbi).
template <class Score>
PartTokens best_way(const Unigram& model, std::string_view part) {
  struct Place {
    std::uint32_t id = kNoId, begin = kNoId;  // of the piece that ends here; no begin: no way leads here
    Score score = 0;
  };
  std::vector<Place> places(part.size() + 1);
  for (std::uint32_t at = 0; at < part.size();) {
    const auto end = static_cast<std::uint32_t>(decode(part, at).end);
    const Score here = places[at].score;
    bool has_character = false;
    const auto offer = [&](std::size_t to, std::uint32_t id, Score score) {
      Place& place = places[to];
      if (place.begin == kNoId || here + score > place.score) place = {id, at, here + score};
    };
    model.pieces->for_each(part.substr(at), [&](std::size_t bytes, std::uint32_t id) {
      offer(at + bytes, id, static_cast<Score>(model.scores[id]));
      has_character = has_character || at + bytes == end;
    });
    if (!has_character) offer(end, kNoId, static_cast<Score>(model.unknown_score));
    at = end;
  }
  PartTokens way;
  for (auto end = static_cast<std::uint32_t>(part.size()); end > 0; end = places[end].begin)
    way.push_back({places[end].id, places[end].begin, end});
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

void Unigram::append(std::string_view part, const Spellings&, PartTokens& tokens) const {
  const PartTokens way = as_floats ? best_way<float>(*this, part) : best_way<double>(*this, part);
  for (std::size_t k = 0; k < way.size(); ++k) {
    PartToken token = way[k];
    if (token.id != kNoId && token.id != unknown) {
      tokens.push_back(token);
      continue;
    }
    while (k + 1 < way.size() && (way[k + 1].id == kNoId || way[k + 1].id == unknown)) token.end = way[++k].end;
    if (bytes && bytes->append(part, token.begin, token.end, tokens)) continue;
    if (unknown == kNoId) fail_no_token(part.substr(token.begin, token.end - token.begin));
    tokens.push_back({unknown, token.begin, token.end});
  }
}

}  // namespace hydra
