// What the heads do, as the views show it: the role table and a label per head, of the layer in focus and of all
// layers.
#pragma once
#include "app/draw/nth.h"
#include "app/measures/roles.h"

namespace hydra {

struct HeadLabel {
  Role role;
  std::string name;           // "coref"; "measuring"
  std::string brief;          // "coref 0.93"; "measuring"
  std::string wider;          // with what speaks for it on few rows: "mixed: coref 0.93, 1 row"
  std::string full;           // "pronoun to antecedent 0.90 (0.70 to 0.97) on 20 rows of 40 sentences"
  std::string also;           // "also subject 0.71": other jobs of the head; may be empty
  std::string rest;           // "at rest on punctuation 0.92": where it looks when nothing is asked; may be empty
  std::string evidence;       // what random heads reach, or what is lost without the head; may be empty
  std::string removal;        // "removing it changes Y by 12 %"; may be empty
  std::string removal_brief;  // "removal 12 %"; empty where that is
  std::string bold;           // what a designed head does where nothing was asked; may be empty
  bool older = false;         // measured of the heads as they were a moment ago: what is said is drawn faint
};

struct HeadRoles {
  std::shared_ptr<const RoleTable> table;  // of the present trace or a moment older; null until the first is done
  std::vector<HeadLabel> labels;           // by head of the table
  std::string failure;                     // why the newest could not be measured; else empty
  std::string fault;                       // why the table is not over all sentences, though asked for; else empty
  double threshold = 0;                    // of the names
  bool older = false;                      // the table, and so each label
};

// By head of the table; threshold: of the names.
std::vector<HeadLabel> labels_of(const RoleTable& table, double threshold);

// All heads of all layers.
struct StackRoles {
  struct OfLayer {
    std::shared_ptr<const RoleTable> table;
    std::vector<HeadLabel> labels;
  };
  std::vector<OfLayer> layers;  // of the present trace or a moment older; none until the first are done
  std::uint64_t version = 0;    // another whenever something in layers is
  std::string failure, fault;   // as in HeadRoles
  float progress = 1;           // below 1: the heads are being measured
  int unnamed = 0;              // layers whose names are being measured
  double threshold = 0;         // of the names
  bool older = false;           // as in HeadRoles
};

// Bring them up to what was measured; true when anything is another.
bool renew(HeadRoles& roles, const Measured<RolesMeasure>& measured, double threshold);
bool renew(StackRoles& roles, const Measured<StackRolesMeasure>& measured, double threshold);

// All that is said of a head, line by line, and that it is older where it is; some may be empty.
std::vector<std::string> role_lines(const HeadLabel& label);

}  // namespace hydra
