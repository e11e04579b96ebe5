// A run step by step, in branches: what each step showed, and the parameters before it, to look at and to go on from.
// A branch begins at a step of another, with other weights, another recipe, another seed or other gates. What is kept
// has one bound: older steps are kept more sparsely, and what is not kept is trained again from the checkpoint before
// it, to the same bits.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/learn/branch_cause.h"
#include "core/learn/tracks.h"

namespace hydra::learn {

using Parameters = std::shared_ptr<const std::vector<float>>;

class Timeline {
 public:
  // Of all branches together, what steps showed included. Only what cannot be trained again goes beyond it: the first
  // and the last step of each branch, of which there are no more than have_room says.
  static constexpr std::size_t kMostBytes = std::size_t{320} << 20;
  // Moments are kept so many steps apart at the least: whoever goes on from a step between takes the steps up to it
  // again.
  static constexpr int kMomentsApart = 64;
  // What steps showed is kept of so many of a branch at the most, evenly: more than a chart has pixels.
  static constexpr int kMostRows = 1 << 15;

  struct Kept {
    int step = 0;
    Parameters parameters;
    std::shared_ptr<const Moments> moments;  // null: not kept
  };

  struct Branch : BranchCause {
    bool own_start = false;  // its first parameters are not its parent's, and where each layer's came from:
    std::vector<WeightSource> sources;
    bool diverged = false;  // the step after the last was not taken: its loss was no number

    int last() const { return kept.rbegin()->first; }  // steps taken
    const Parameters& first() const { return kept.begin()->second.parameters; }

    std::map<int, Kept> kept;                 // by steps taken: `from`, the last, and some between
    int first_row = 0;                        // the first step that is a multiple of rows_apart
    std::vector<std::vector<double>> tracks;  // [Tracks::count()] of that step and every rows_apart-th after it
    std::vector<float> newest;                // what the last step showed
  };

  Timeline(Tracks tracks, std::size_t most_bytes = kMostBytes) : tracks_(tracks), most_bytes_(most_bytes) {}

  const Tracks& tracks() const { return tracks_; }
  int size() const { return static_cast<int>(branches_.size()); }
  const Branch& branch(int k) const { return branches_[static_cast<std::size_t>(k)]; }
  std::size_t bytes() const { return bytes_; }
  std::size_t most_bytes() const { return most_bytes_; }
  bool keeps_all() const { return !thinned_; }
  double recent() const;  // so many steps before a branch's last one are all kept; below 1: not even the one before
  int rows_apart() const { return rows_apart_; }
  // Whether another branch of a model of so many parameters has room: what it cannot do without, besides the others'.
  // A second branch always has.
  bool has_room(std::size_t parameters) const;

  // What made it as given. Returns its number.
  int add(Branch branch, Parameters first);
  // A step was taken: what it showed, and what came of it. moments: where they are kept.
  void take(int branch, std::span<const float> row, Parameters after, std::shared_ptr<const Moments> moments);
  // Those that the branch begins with.
  void keep_moments(int branch, std::shared_ptr<const Moments> moments);
  // A step that is looked at, in the place of the one before: as if it were kept. row: what the step after it showed;
  // empty: as it was.
  void hold(int branch, int step, Parameters parameters, std::vector<float> row = {});
  void set_diverged(int branch) { at(branch).diverged = true; }
  void rename(int branch, std::string name) { at(branch).name = std::move(name); }
  // A branch that others left from stays, and so does the only one. Numbers of later branches go down by one.
  bool can_remove(int branch) const;
  void remove(int branch);

  // The parameters of the last step up to that one of which they are there.
  Kept at(int branch, int step) const;
  bool is_there(int branch, int step) const { return at(branch, step).step == step; }
  // From where steps of that branch are taken again to be at that step: none if it has no moments before it. The first
  // branch begins without any, which are zeros.
  std::optional<Kept> checkpoint(int branch, int step) const;
  // A number of a step, of the branch or of those it came from; NaN where there is none, or it is not kept.
  double value(int branch, Index track, int step) const;
  // From which step on the number is 0, up to that one; -1: it is not 0 there, or there is none.
  int zero_since(int branch, Index track, int step) const;
  // Of that branch and those it came from the one that took the step.
  int owner(int branch, int step) const;
  // The branches that it came from, the first one first, and itself.
  std::vector<int> ancestry(int branch) const;

 private:
  Branch& at(int k) { return branches_[static_cast<std::size_t>(k)]; }
  bool is_kept(const Branch& branch, int step) const;
  void drop(Branch& branch, std::map<int, Kept>::iterator kept);
  void hold_bound();
  void thin_out();
  void thin_rows();
  bool has_too_many_rows() const;
  std::size_t row_bytes(const Branch& branch) const;

  Tracks tracks_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0, rows_bytes_ = 0;
  // A step is kept while it is less than 2^(age_ + z) steps before its branch's last one, z the zeros at the end of its
  // number in binary: twice as old, half as many.
  int age_ = 24;
  bool thinned_ = false;
  int rows_apart_ = 1;
  std::vector<Branch> branches_;
  struct Held {
    int branch = -1, step = 0;
    Parameters parameters;
    std::vector<float> row;
  } held_;
};

}  // namespace hydra::learn
