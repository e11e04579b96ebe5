// A run's steps and branches: what is kept, what goes when there is too much, from where training goes on.
#include "core/learn/timeline.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/learn/start.h"

using namespace hydra;
using learn::Timeline;

namespace {

learn::Tracks small_tracks() {
  learn::Tracks tracks;
  tracks.questions = 2, tracks.relations = 3, tracks.layers = 2, tracks.heads = 4;
  return tracks;
}

learn::Parameters numbers(float value, std::size_t count = 10) {
  return std::make_shared<const std::vector<float>>(count, value);
}

// Steps up to that one, of parameters that say which step they are of.
void grow(Timeline& timeline, int branch, int until, std::size_t count = 10) {
  while (timeline.branch(branch).last() < until) {
    const int step = timeline.branch(branch).last() + 1;
    const std::vector<float> row(static_cast<std::size_t>(timeline.tracks().count()), static_cast<float>(step));
    const bool keeps = step % Timeline::kMostApart == 0;
    timeline.take(branch, row, numbers(static_cast<float>(step), count),
                  keeps ? std::make_shared<const learn::Moments>() : nullptr);
  }
}

Timeline::Branch leaving(int parent, int from) {
  Timeline::Branch branch;
  branch.name = "branch", branch.parent = parent, branch.from = from;
  return branch;
}

}  // namespace

TEST_CASE("timeline: every number that is followed has a place of its own", "[learn]") {
  const learn::Tracks tracks = small_tracks();
  std::vector<Index> places{tracks.loss(), tracks.accuracy(), tracks.gradient_norm()};
  for (Index q = 0; q < 2; ++q) places.push_back(tracks.question(q));
  for (Index k = 0; k < 2; ++k) {
    places.push_back(tracks.alike(k));
    for (Index h = 0; h < 4; ++h) {
      for (Index r = 0; r < 3; ++r) places.push_back(tracks.mass(k, h, r));
      for (Index m = 0; m < 4; ++m) places.push_back(tracks.gradient(k, h, m));
      for (Index g = 0; k == 0 && g < 4; ++g) places.push_back(tracks.composition(0, h, g));
    }
  }
  std::ranges::sort(places);
  REQUIRE(static_cast<Index>(places.size()) == tracks.count());
  for (std::size_t k = 0; k < places.size(); ++k) CHECK(places[k] == static_cast<Index>(k));
}

TEST_CASE("timeline: a branch has its parent's steps before it left", "[learn]") {
  Timeline timeline(small_tracks());
  const int root = timeline.add(leaving(-1, 0), numbers(0));
  grow(timeline, root, 100);
  const int branch = timeline.add(leaving(root, 40), numbers(-1));
  grow(timeline, branch, 60);
  CHECK(timeline.branch(branch).last() == 60);
  CHECK(timeline.owner(branch, 39) == root);
  CHECK(timeline.owner(branch, 40) == branch);
  CHECK(timeline.at(branch, 39).parameters->front() == 39);
  CHECK(timeline.at(branch, 40).parameters->front() == -1);
  CHECK(timeline.at(branch, 50).parameters->front() == 50);
  // What step 30 showed was noted when it was taken, as that of 31.
  CHECK(timeline.value(branch, 0, 30) == 31);
  CHECK(std::isnan(timeline.value(branch, 0, 60)));
  CHECK(timeline.ancestry(branch) == std::vector<int>{root, branch});
  CHECK_FALSE(timeline.can_remove(root));
  CHECK(timeline.can_remove(branch));
  timeline.remove(branch);
  CHECK(timeline.size() == 1);
  CHECK_FALSE(timeline.can_remove(root));
}

TEST_CASE("timeline: beyond its room every second step goes, but what training goes on from", "[learn]") {
  const std::size_t count = 1000;
  Timeline timeline(small_tracks(), 300 * count * sizeof(float));
  const int root = timeline.add(leaving(-1, 0), numbers(0, count));
  grow(timeline, root, 1000, count);
  CHECK(timeline.apart() == 4);
  CHECK(timeline.bytes() <= 300 * count * sizeof(float) + 64 * count * sizeof(float));
  for (const int step : {0, 4, 64, 996, 1000}) CHECK(timeline.at(root, step).step == step);
  CHECK(timeline.at(root, 7).step == 4);
  CHECK(timeline.at(root, 999).step == 996);
  const auto checkpoint = timeline.checkpoint(root, 200);
  REQUIRE(checkpoint);
  CHECK(checkpoint->step == 192);
  CHECK_FALSE(timeline.checkpoint(root, 63));
  // What each step showed stays, whatever goes.
  CHECK(timeline.value(root, 0, 333) == 334);
}

TEST_CASE("timeline: rows have what scores have, and no number where they have none", "[learn]") {
  const auto task = learn::make_task("induction");
  const learn::Recipe recipe = task->info().recipe;
  const Document document = learn::starting_document(*task, recipe, 3);
  learn::Run run(task, document, recipe, 3);
  const learn::Tracks tracks = learn::tracks_of(task->info(), document);
  std::vector<float> row(static_cast<std::size_t>(tracks.count()));
  const auto at = [&](Index place) { return static_cast<double>(row[static_cast<std::size_t>(place)]); };
  const learn::Scores plain = run.take_step(nullptr);
  learn::write_scores(tracks, document, plain, row);
  CHECK(at(tracks.loss()) == Approx(plain.loss));
  CHECK(at(tracks.accuracy()) == Approx(plain.accuracy));
  CHECK(at(tracks.mass(1, 1, 1)) == Approx(plain.masses.back()));
  CHECK(std::isnan(at(tracks.alike(0))));
  CHECK(std::isnan(at(tracks.gradient(0, 0, 0))));
  const Document before = run.document();
  const learn::Scores measured = run.take_step(nullptr, true);
  learn::write_scores(tracks, document, measured, row);
  CHECK(at(tracks.alike(1)) == Approx(measured.alike[1]));
  // The heads' parts of all matrices are a part of the whole gradient.
  double squares = 0;
  for (Index k = 0; k < 2; ++k)
    for (Index h = 0; h < 2; ++h)
      for (Index m = 0; m < 4; ++m) squares += at(tracks.gradient(k, h, m)) * at(tracks.gradient(k, h, m));
  CHECK(squares > 0);
  CHECK(std::sqrt(squares) < measured.gradient_norm);
  CHECK(std::isnan(at(tracks.composition(0, 0, 0))));
  learn::write_composition(tracks, before, row);
  for (Index h = 0; h < 2; ++h)
    for (Index g = 0; g < 2; ++g) {
      CHECK(at(tracks.composition(0, h, g)) > 0);
      CHECK(at(tracks.composition(0, h, g)) < 1);
    }
}
