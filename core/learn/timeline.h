// A run step by step, in branches: what each step showed, and the parameters before it, to look at and to go on from.
// A branch begins at a step of another, with other weights, another recipe, another seed or other gates.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/learn/tracks.h"

namespace hydra::learn {

using Parameters = std::shared_ptr<const std::vector<float>>;

class Timeline {
 public:
  // Of parameters that are kept of all branches. Beyond it every second step's go, again and again, up to kMostApart.
  static constexpr std::size_t kMostBytes = std::size_t{320} << 20;
  // Moments are kept so many steps apart: whoever goes on from a step between takes the steps up to it again.
  static constexpr int kMostApart = 64;

  struct Branch {
    std::string name;
    int parent = -1, from = 0;  // the step of the parent at which it left; the first has none
    Recipe recipe;
    std::uint64_t seed = 0;     // of its data
    std::vector<double> gates;  // Run::set_gates
    bool own_start = false;     // its first parameters are not its parent's, and where each layer's came from:
    std::vector<WeightSource> sources;
    bool diverged = false;  // the step after the last was not taken: its loss was no number

    int last() const { return from + static_cast<int>(parameters.size()) - 1; }  // steps taken
    bool has(int step) const { return step >= from && step <= last(); }

    std::vector<Parameters> parameters;                     // after `from` steps, and each one more; null: thinned out
    std::map<int, std::shared_ptr<const Moments>> moments;  // of some of those steps
    std::vector<std::vector<double>> tracks;                // [Tracks::count()] of steps from `from` on
  };

  Timeline(Tracks tracks, std::size_t most_bytes = kMostBytes) : tracks_(tracks), most_bytes_(most_bytes) {}

  const Tracks& tracks() const { return tracks_; }
  int size() const { return static_cast<int>(branches_.size()); }
  const Branch& branch(int k) const { return branches_[static_cast<std::size_t>(k)]; }
  int apart() const { return apart_; }  // parameters are kept of every so manyth step
  std::size_t bytes() const;

  // name, parent, from, recipe, seed, gates as given. Returns its number.
  int add(Branch branch, Parameters first);
  // A step was taken: what it showed, and what came of it. moments: where they are kept.
  void take(int branch, std::span<const float> row, Parameters after, std::shared_ptr<const Moments> moments);
  void keep_moments(int branch, int step, std::shared_ptr<const Moments> moments);
  void set_diverged(int branch) { at(branch).diverged = true; }
  void rename(int branch, std::string name) { at(branch).name = std::move(name); }
  // A branch that others left from stays, and so does the only one. Numbers of later branches go down by one.
  bool can_remove(int branch) const;
  void remove(int branch);

  // The parameters of the last kept step up to that one.
  struct Kept {
    int step;
    Parameters parameters;
  };
  Kept at(int branch, int step) const;
  // From where steps are taken again to be at that step of that branch with its moments: none if there are none at all.
  struct Checkpoint {
    int step;
    Parameters parameters;
    std::shared_ptr<const Moments> moments;
  };
  std::optional<Checkpoint> checkpoint(int branch, int step) const;
  // A number of a step, of the branch or of those it came from; NaN where there is none.
  double value(int branch, Index track, int step) const;
  // Of that branch and those it came from the one that took the step.
  int owner(int branch, int step) const;
  // The branches that it came from, the first one first, and itself.
  std::vector<int> ancestry(int branch) const;

 private:
  Branch& at(int k) { return branches_[static_cast<std::size_t>(k)]; }
  bool is_kept(const Branch& branch, int step) const;
  void thin_out();

  Tracks tracks_;
  std::size_t most_bytes_;
  int apart_ = 1;
  std::vector<Branch> branches_;
};

}  // namespace hydra::learn
