// Which query may attend to which key. Value type; the allowed matrix is shared. Pads at the left see nothing, and
// nothing sees them, whatever the kind.
#pragma once
#include "core/linalg/array.h"

namespace hydra {

struct Mask {
  enum class Kind { none, causal, custom };
  Kind kind = Kind::none;
  Array<std::uint8_t> allowed;  // [n x n], row = query, 1 = may attend; set for custom only
  Index window = 0;  // of a causal mask: a query sees itself and the window - 1 tokens before it; 0: no limit
  Index first = 0;   // the tokens before this one are pads

  bool allows(Index query, Index key) const {
    if (query < first || key < first) return false;
    return kind == Kind::none ||
           (kind == Kind::causal ? key <= query && (window == 0 || query - key < window) : (*allowed)(query, key) != 0);
  }
  bool may_hide() const { return kind != Kind::none || first > 0; }
  bool operator==(const Mask& other) const;  // by value
};
Stamp stamp_of(const Mask& mask);

// Sets scores [rows x keys] to -inf where query first_query + i may not attend to key first_key + j.
template <class S>
void apply_mask(const Mask& mask, Index first_query, MatOut<S> scores, Index first_key = 0);

// A custom mask for another sentence length: what both have is kept, new rows and columns may attend.
Mask resized(const Mask& mask, Index n);

}  // namespace hydra
