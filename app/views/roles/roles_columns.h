// The columns of the role table: what each measure is called, how it is read from the measures, what explains it.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/measures/role_table.h"

namespace hydra {

inline constexpr std::size_t kMostJobs = 9;  // of a task
const std::string& title_of(RoleGroup group, const RoleTable& table);

struct RoleColumn {
  std::string key;    // "previous_token": in probe names, as in the analyze command
  std::string brief;  // over the column
  std::string title, tip, formula, source;
  RoleGroup group = RoleGroup::shape;
  enum class Kind { number, target, relation, job, rest, positional, profile } kind = Kind::number;
  const HeadMeasure* number = nullptr;  // of a number
  double RestScore::*rest = nullptr;    // of where a head rests
  std::size_t index = 0;                // of a target, relation or job
};

const std::vector<RoleColumn>& role_columns();

double value_of(const RoleColumn& column, const RoleMeasures& measures);     // NaN: undefined, and for a profile
double accuracy_of(const RoleColumn& column, const RoleMeasures& measures);  // of targets and relations, else NaN
Index rows_of(const RoleColumn& column, const RoleMeasures& measures);
// Of a job its own title, brief and sentence, as the table has them.
RoleColumn in_words_of(const RoleColumn& column, const RoleTable& table);
// The role is called after this column.
bool is_best(const RoleColumn& column, const Role& role, const RoleTable& table);

NumberRange bar_range(const RoleColumn& column, Index n);  // what the bar spans; n is the longest sentence

// What stands in the cell and in its tip: "0.93"; "−1 0.92" for the positional one; "–" when undefined.
std::string cell_text(const RoleColumn& column, const RoleMeasures& measures);
std::vector<std::string> cell_tip(const RoleColumn& column, const RoleTable& table, int head);
double chance_limit(const RoleColumn& column, const RoleTable& table);  // what random layers hardly ever exceed, or NaN
std::vector<std::string> column_tip(const RoleColumn& column, const RoleTable& table);

}  // namespace hydra
