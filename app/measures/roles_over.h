// What heads are measured on in Roles, and named after elsewhere.
#pragma once
#include "core/measures/pooled.h"

namespace hydra {

enum class RolesOver {
  sentence,  // this one
  known,     // text that the model knows (known_text.h)
  shipped,   // the marked sentences that ship
  own,       // those that the document marks
  folder,    // those in the user's folder
};

struct RolesText {
  RolesOver over = RolesOver::known;
  MarkedSentences folder;  // where it is asked for, or has this sentence; else null
  bool operator==(const RolesText&) const = default;
};

}  // namespace hydra
