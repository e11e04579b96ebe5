#include "core/weights/mask_patterns.h"

#include <cassert>
#include <cstdlib>

#include "core/text/wording.h"

namespace hydra {

bool has_size(MaskPattern pattern) { return pattern != MaskPattern::none && pattern != MaskPattern::causal; }

bool sees_ahead(MaskPattern pattern) { return pattern == MaskPattern::window || pattern == MaskPattern::blocks; }

bool allows(const PatternMask& mask, Index query, Index key) {
  const Index s = mask.size;
  assert(s >= 1);
  const bool before = key <= query, ahead = before || !mask.only_before;
  switch (mask.pattern) {
    case MaskPattern::none:
      return true;
    case MaskPattern::causal:
      return before;
    case MaskPattern::window:
      return ahead && std::abs(query - key) <= s;
    case MaskPattern::blocks:
      return ahead && query / s == key / s;
    case MaskPattern::prefix:
      return before || key < s;
    case MaskPattern::strided:
      return before && (query - key <= s || (query - key) % s == 0);
  }
  return true;
}

Mask mask_of(const PatternMask& mask, Index n) {
  if (mask.pattern == MaskPattern::none) return {};
  if (mask.pattern == MaskPattern::causal) return {Mask::Kind::causal, nullptr};
  Mat<std::uint8_t> allowed(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) allowed(i, j) = allows(mask, i, j);
  return {Mask::Kind::custom, share(std::move(allowed))};
}

Mat<std::uint8_t> allowed_pairs(const Mask& mask, Index n) {
  if (mask.kind == Mask::Kind::custom) return *mask.allowed;
  Mat<std::uint8_t> allowed(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) allowed(i, j) = mask.allows(i, j);
  return allowed;
}

Mask simplest(Mat<std::uint8_t> allowed) {
  for (const Mask::Kind kind : {Mask::Kind::none, Mask::Kind::causal}) {
    const Mask mask{kind, nullptr};
    bool same = true;
    for (Index i = 0; i < allowed.rows() && same; ++i)
      for (Index j = 0; j < allowed.cols() && same; ++j) same = (allowed(i, j) != 0) == mask.allows(i, j);
    if (same) return mask;
  }
  return {Mask::Kind::custom, share(std::move(allowed))};
}

std::string mask_remark(const Mask& mask) {
  if (mask.kind != Mask::Kind::custom) return "";
  const Mat<std::uint8_t>& allowed = *mask.allowed;
  if ((allowed.array() == 0).all()) return wording("core:mask.nothing");
  for (Index i = 0; i < allowed.rows(); ++i)
    for (Index j = 0; j < allowed.cols(); ++j)
      if ((allowed(i, j) != 0) != (j > i)) return "";
  return wording("core:mask.turned_round");
}

std::vector<Index> blind_rows(const Mask& mask, Index n) {
  std::vector<Index> rows;
  if (mask.kind != Mask::Kind::custom) return rows;  // a causal mask lets each token see itself
  for (Index i = mask.first; i < n; ++i)
    if ((mask.allowed->row(i).tail(n - mask.first).array() == 0).all()) rows.push_back(i);
  return rows;
}

}  // namespace hydra
