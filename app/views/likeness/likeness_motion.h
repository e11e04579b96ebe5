// What the pictures of the Likeness view show, and how they move there from what they showed before. Knows no ImGui.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/measures/likeness_table.h"

#include "app/draw/nth.h"

namespace hydra {

class LikenessMotion {
 public:
  // Takes over another table; heads that were there before go on from where they are. hold: ranges do not shrink, so
  // that heads are seen to move together. by_tree: in the order of the tree, else in their own.
  void show(const std::shared_ptr<const LikenessTable>& table, bool hold, bool by_tree = true);
  // Nearer to the target: nine tenths of the way in a sixth of a second. at_once: the rest of it.
  void advance(float seconds, bool at_once);
  // A frame that was just laid out must be followed by another.
  bool moving() const { return moving_; }
  // Heads are on their way to other rows.
  bool reordering() const { return reordering_; }

  const LikenessTable* table() const { return table_.get(); }
  int heads() const { return int_size(tree_.leaves); }
  // Turned so that its leaves stand near to where they stood.
  const Clustering& tree() const { return tree_; }
  const std::vector<int>& order() const { return order_; }  // the head in each row
  // [h x h] the measure that orders, in that order. What is infinite or n/a is -inf, which pictures hatch;
  // the diagonal is as the table has it.
  const Array<float>& cells() const { return cells_; }
  // Of the cells off the diagonal: the range of the finite ones, and whether there are others.
  double least() const { return least_; }
  double most() const { return most_; }
  double largest() const { return largest_; }  // a round number above most; held like the axes
  bool missing() const { return missing_; }
  bool infinite() const { return infinite_; }
  bool has_negative() const { return negative_; }  // or had, of the same measure: its colours do not come and go
  // The heads of a pair; none where all pairs are equally alike.
  const std::optional<std::pair<int, int>>& most_alike() const { return alike_; }
  const std::optional<std::pair<int, int>>& least_alike() const { return unlike_; }

  float row(int head) const { return nth(rows_, head); }  // from 0; between rows on the way
  double x(int head) const { return points_(head, 0); }
  double y(int head) const { return points_(head, 1); }
  double half_side() const { return half_side_; }  // of the map's axes, from the centre
  double distance() const { return distance_; }    // of the tree's axis

 private:
  void take_cells();
  void take_pairs();
  void take_ranges(bool hold);

  std::shared_ptr<const LikenessTable> table_;
  Clustering tree_;
  Mat<double> map_;  // [h x 2] turned so that its points lie near to where they lay
  std::vector<int> order_;
  bool by_tree_ = true;
  Array<float> cells_;
  double least_ = 0, most_ = 0, largest_ = 0;
  bool missing_ = false, infinite_ = false, negative_ = false;
  std::optional<std::pair<int, int>> alike_, unlike_;
  double half_side_goal_ = 0, distance_goal_ = 0;

  std::vector<float> goal_rows_, rows_;
  Mat<double> points_;
  double half_side_ = 1, distance_ = 1;
  bool moving_ = false, reordering_ = false;
};

// The difference of two patterns, kept while they are the same.
class PatternDifference {
 public:
  const Array<float>& of(const Array<float>& first, const Array<float>& second);
  float largest() const { return largest_; }  // in absolute value

 private:
  Stamp first_, second_;
  Array<float> difference_;
  float largest_ = 0;
};

}  // namespace hydra
