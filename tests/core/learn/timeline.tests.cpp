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

std::shared_ptr<const learn::Moments> moments(std::size_t count) {
  return std::make_shared<const learn::Moments>(
      learn::Moments{std::vector<float>(count, 1), std::vector<float>(count, 2)});
}

// What it says that it takes, counted again.
std::size_t counted(const Timeline& timeline) {
  std::size_t bytes = 0;
  for (int k = 0; k < timeline.size(); ++k) {
    for (const auto& [step, kept] : timeline.branch(k).kept) {
      bytes += kept.parameters->size() * sizeof(float);
      if (kept.moments) bytes += 2 * kept.moments->first.size() * sizeof(float);
    }
    for (const auto& track : timeline.branch(k).tracks) bytes += track.size() * sizeof(double);
  }
  return bytes;
}

// Steps up to that one, of parameters that say which step they are of.
void grow(Timeline& timeline, int branch, int until, std::size_t count = 10) {
  while (timeline.branch(branch).last() < until) {
    const int step = timeline.branch(branch).last() + 1;
    const std::vector<float> row(static_cast<std::size_t>(timeline.tracks().count()), static_cast<float>(step));
    const bool keeps = step % Timeline::kMomentsApart == 0;
    timeline.take(branch, row, numbers(static_cast<float>(step), count), keeps ? moments(count) : nullptr);
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
  std::vector<Index> places{tracks.loss(),          tracks.accuracy(),          tracks.gradient_norm(),
                            tracks.held_out_loss(), tracks.held_out_accuracy(), tracks.split_accuracy()};
  for (Index q = 0; q < 2; ++q) places.push_back(tracks.question(q));
  for (Index k = 0; k < 2; ++k) {
    places.push_back(tracks.alike(k));
    for (Index h = 0; h < 4; ++h) {
      for (Index r = 0; r < 3; ++r) places.push_back(tracks.mass(k, h, r));
      for (Index m = 0; m < 4; ++m) places.push_back(tracks.gradient(k, h, m));
      for (Index g = 0; k == 0 && g < 4; ++g) places.push_back(tracks.composition(0, h, g));
      places.push_back(tracks.gate(k, h));
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

TEST_CASE("timeline: however long a run, it takes no more than its bound, and the older, the fewer steps are kept",
          "[learn]") {
  const std::size_t count = 1000, most = 400 * count * sizeof(float);
  Timeline timeline(small_tracks(), most);
  const int root = timeline.add(leaving(-1, 0), numbers(0, count));
  grow(timeline, root, 100, count);
  CHECK(timeline.keeps_all());
  CHECK(timeline.recent() > 100);
  for (int until = 101; until <= 20000; until += 37) {
    grow(timeline, root, until, count);
    REQUIRE(timeline.bytes() <= most);
    REQUIRE(timeline.bytes() == counted(timeline));
  }
  CHECK_FALSE(timeline.keeps_all());
  const Timeline::Branch& branch = timeline.branch(root);
  const int last = branch.last();
  const double recent = timeline.recent();
  CHECK(branch.kept.size() > 20);
  CHECK(timeline.is_there(root, 0));
  CHECK(timeline.is_there(root, last));
  // Between neighbours lie no more than the smallest power of two that is at least their age by `recent`, and one of
  // these at the most.
  for (auto kept = branch.kept.begin(); std::next(kept) != branch.kept.end(); ++kept) {
    const int step = kept->first, next = std::next(kept)->first;
    const double age = last - step, apart = std::exp2(std::ceil(std::log2(std::max(1.0, (age + 1) / recent))));
    CHECK(next - step <= apart);
    CHECK(kept->second.parameters->front() == static_cast<float>(step));
    CHECK(static_cast<bool>(kept->second.moments) == (step > 0 && step % Timeline::kMomentsApart == 0));
  }
  // What is not kept is told as the step before it that is, and there is a checkpoint to come to it from.
  for (const int step : {1, 77, 1234, 9999, 19990}) {
    const Timeline::Kept kept = timeline.at(root, step);
    CHECK(kept.step <= step);
    CHECK(kept.parameters->front() == static_cast<float>(kept.step));
    const auto checkpoint = timeline.checkpoint(root, step);
    REQUIRE(checkpoint);
    CHECK(checkpoint->step <= step);
    CHECK((checkpoint->step == 0 || checkpoint->moments));
  }
  // One that is looked at is as if it were kept.
  REQUIRE_FALSE(timeline.is_there(root, 77));
  timeline.hold(root, 77, numbers(77, count));
  CHECK(timeline.at(root, 77).parameters->front() == 77);
  CHECK(timeline.at(root, 78).step < 77);
}

TEST_CASE("timeline: branches that are begun where there is no room left make room", "[learn]") {
  const std::size_t count = 1000, most = 200 * count * sizeof(float);
  Timeline timeline(small_tracks(), most);
  const int root = timeline.add(leaving(-1, 0), numbers(0, count));
  grow(timeline, root, 3000, count);
  for (int k = 0; k < 30; ++k) {
    const int branch = timeline.add(leaving(root, 3000), numbers(-1, count));
    REQUIRE(timeline.bytes() <= most);
    timeline.keep_moments(branch, moments(count));
    REQUIRE(timeline.bytes() <= most);
    REQUIRE(timeline.bytes() == counted(timeline));
  }
}

TEST_CASE("timeline: a branch keeps what it begins with however long others go on, and frees all when it is removed",
          "[learn]") {
  const std::size_t count = 1000, most = 300 * count * sizeof(float);
  Timeline timeline(small_tracks(), most);
  const int root = timeline.add(leaving(-1, 0), numbers(0, count));
  grow(timeline, root, 500, count);
  const int branch = timeline.add(leaving(root, 333), numbers(-1, count));
  timeline.keep_moments(branch, moments(count));
  grow(timeline, branch, 900, count);
  grow(timeline, root, 30000, count);
  CHECK(timeline.bytes() <= most);
  CHECK(timeline.bytes() == counted(timeline));
  const auto start = timeline.checkpoint(branch, 340);
  REQUIRE(start);
  CHECK(start->step == 333);
  CHECK(start->parameters->front() == -1);
  CHECK(start->moments);
  CHECK(timeline.is_there(branch, 900));
  CHECK(timeline.has_room(count));
  CHECK_FALSE(timeline.has_room(most / 15));
  timeline.hold(branch, 340, numbers(340, count));
  timeline.remove(branch);
  CHECK(timeline.bytes() == counted(timeline));
  CHECK_FALSE(timeline.is_there(root, 341));
  // With much room again more is kept of what comes.
  const double before = timeline.recent();
  Timeline small(small_tracks(), most);
  CHECK(small.recent() >= before);
}

TEST_CASE("timeline: what the last steps of many branches showed and what is kept of the curves agree", "[learn]") {
  Timeline timeline(small_tracks());
  const int root = timeline.add(leaving(-1, 0), numbers(0, 1));
  grow(timeline, root, 3 * Timeline::kMostRows + 5, 1);
  CHECK(timeline.rows_apart() == 4);
  CHECK(timeline.branch(root).tracks.front().size() <= static_cast<std::size_t>(Timeline::kMostRows));
  CHECK(timeline.bytes() == counted(timeline));
  // Of step s the row says s + 1.
  for (const int step : {0, 4, 8, 4000, 3 * Timeline::kMostRows}) CHECK(timeline.value(root, 0, step) == step + 1);
  for (const int step : {1, 2, 3, 4001}) CHECK(std::isnan(timeline.value(root, 0, step)));
  CHECK(timeline.value(root, 0, timeline.branch(root).last() - 1) == timeline.branch(root).last());
  CHECK(std::isnan(timeline.value(root, 0, timeline.branch(root).last())));
  timeline.hold(root, 4001, numbers(0, 1), std::vector<float>(static_cast<std::size_t>(small_tracks().count()), 7));
  CHECK(timeline.value(root, 0, 4001) == 7);
  timeline.hold(root, 4001, numbers(0, 1));
  CHECK(timeline.value(root, 0, 4001) == 7);
  // A branch that leaves between two of them begins its curves with the next one.
  const int branch = timeline.add(leaving(root, 4001), numbers(0, 1));
  grow(timeline, branch, 4020, 1);
  CHECK(timeline.branch(branch).first_row == 4004);
  CHECK(timeline.value(branch, 0, 4004) == 4005);
  CHECK(timeline.value(branch, 0, 4000) == 4001);
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

TEST_CASE("timeline: since when a number is 0, through the branches that a branch came from", "[learn]") {
  const learn::Tracks tracks = small_tracks();
  Timeline timeline(tracks);
  timeline.add(leaving(-1, 0), numbers(0));
  const auto take = [&](int branch, const std::vector<float>& gates) {
    for (const float gate : gates) {
      std::vector<float> row(static_cast<std::size_t>(tracks.count()), 7);
      row[static_cast<std::size_t>(tracks.gate(1, 2))] = gate;
      timeline.take(branch, row, numbers(0), nullptr);
    }
  };
  take(0, {1, 0, 0.5f, 0, 0, 0});
  const auto since = [&](int branch, int step) { return timeline.zero_since(branch, tracks.gate(1, 2), step); };
  CHECK(since(0, 0) == -1);
  CHECK(since(0, 1) == 1);
  CHECK(since(0, 2) == -1);
  CHECK(since(0, 4) == 3);
  CHECK(since(0, 6) == 3);  // after the last step
  CHECK(timeline.zero_since(0, tracks.loss(), 4) == -1);
  const int branch = timeline.add(leaving(0, 4), numbers(0));
  CHECK(since(branch, 4) == 3);
  take(branch, {0, 0, 0.1f, 0});
  CHECK(since(branch, 5) == 3);
  CHECK(since(branch, 6) == -1);
  CHECK(since(branch, 7) == 7);
}
