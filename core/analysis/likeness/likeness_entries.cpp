#include "core/analysis/likeness/likeness.h"

namespace hydra {

const std::array<LikenessEntry, kLikenesses>& likenesses() {
  static const std::array<LikenessEntry, kLikenesses> entries{{
      {Likeness::cosine, "cosine", "core:likeness.cosine", "core:likeness.cosine.brief", "core:likeness.cosine.formula",
       "core:likeness.cosine.range", "core:likeness.cosine.source", "core:likeness.cosine.tip", 1, 0, 1, false},
      {Likeness::js_bits, "js_bits", "core:likeness.js_bits", "core:likeness.js_bits.brief",
       "core:likeness.js_bits.formula", "core:likeness.js_bits.range", "core:likeness.js_bits.source",
       "core:likeness.js_bits.tip", 0, 0, 1, false},
      {Likeness::kl_bits, "kl_bits", "core:likeness.kl_bits", "core:likeness.kl_bits.brief",
       "core:likeness.kl_bits.formula", "core:likeness.kl_bits.range", "core:likeness.kl_bits.source",
       "core:likeness.kl_bits.tip", 0, 0, 4, false},
      {Likeness::cka, "cka", "core:likeness.cka", "core:likeness.cka.brief", "core:likeness.cka.formula",
       "core:likeness.cka.range", "core:likeness.cka.source", "core:likeness.cka.tip", 1, 0, 1, false},
      {Likeness::qk, "qk", "core:likeness.qk", "core:likeness.qk.brief", "core:likeness.qk.formula",
       "core:likeness.qk.range", "core:likeness.qk.source", "core:likeness.qk.tip", 1, -1, 1, true},
      {Likeness::ov, "ov", "core:likeness.ov", "core:likeness.ov.brief", "core:likeness.ov.formula",
       "core:likeness.ov.range", "core:likeness.ov.source", "core:likeness.ov.tip", 1, -1, 1, true},
  }};
  return entries;
}

}  // namespace hydra
