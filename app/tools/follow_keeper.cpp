#include "app/tools/follow_keeper.h"

#include <algorithm>
#include <limits>

namespace hydra {

namespace {

constexpr int kMostPoints = 128;  // of a branch
constexpr std::size_t kPointsAtOnce = 32;

int first_of(const learn::Timeline::Branch& branch, int apart) { return (branch.from + apart - 1) / apart * apart; }

}  // namespace

int FollowKeeper::apart_of(const learn::Timeline::Branch& branch) {
  int apart = 1;
  while ((branch.last() - branch.from) / apart > kMostPoints) apart *= 2;
  return apart;
}

std::vector<FollowKeeper::Point> FollowKeeper::missing(const learn::Timeline& timeline) const {
  std::vector<Point> points;
  for (int k = 0; k < timeline.size(); ++k) {
    const learn::Timeline::Branch& branch = timeline.branch(k);
    const int apart = apart_of(branch);
    for (int step = first_of(branch, apart); step <= branch.last(); step += apart) {
      if (values_.contains({k, step})) continue;
      const auto kept = branch.kept.find(step);
      if (kept == branch.kept.end()) continue;
      points.push_back({{k, step}, kept->second.parameters, branch.gates});
      if (points.size() == kPointsAtOnce) return points;
    }
  }
  return points;
}

void FollowKeeper::lay_out(const learn::Timeline& timeline, FollowedTold& shown) const {
  const auto heads = static_cast<std::size_t>(timeline.tracks().layers * timeline.tracks().heads);
  shown.branches.resize(static_cast<std::size_t>(timeline.size()));
  for (int k = 0; k < timeline.size(); ++k) {
    const learn::Timeline::Branch& branch = timeline.branch(k);
    FollowedTold::Line& line = shown.branches[static_cast<std::size_t>(k)];
    line.apart = apart_of(branch), line.first = first_of(branch, line.apart);
    line.tracks.assign(heads, {});
    for (int step = line.first; step <= branch.last(); step += line.apart) {
      const auto found = values_.find({k, step});
      for (std::size_t h = 0; h < heads; ++h)
        line.tracks[h].push_back(found == values_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second[h]);
    }
  }
}

void FollowKeeper::update(const Wanted& wanted, FollowedTold& shown) {
  const learn::Timeline& timeline = *wanted.timeline;
  const OfRun run(wanted.timeline);
  const bool another = !(run_ == run) || !(followed_ == wanted.followed) || timeline.size() < branches_ || !looked_at_;
  branches_ = timeline.size(), looked_at_ = true;
  if (another) {
    job_.forget();
    run_ = run, followed_ = wanted.followed, ++of_;
    values_.clear();
    shown = {};
    shown.of = wanted.followed;
    lay_out(timeline, shown);
  }
  const bool news = job_.poll([&](Measured measured) {
    if (measured.of != of_) return;
    for (auto& [place, values] : measured.values) values_[place] = std::move(values);
  });
  shown.failure = job_.failure();
  if (news || shown.branches.size() != static_cast<std::size_t>(timeline.size())) lay_out(timeline, shown);
  if (job_.computing() || !shown.failure.empty()) return;
  std::vector<Point> points = missing(timeline);
  shown.complete = points.empty();
  if (points.empty()) return;
  job_.ask(
      {of_, ++requests_},
      [task = wanted.task, document = wanted.document, recipe = timeline.branch(0).recipe,
       seed = timeline.branch(0).seed, followed = followed_, of = of_, points = std::move(points)](const auto& turn) {
        Kept& kept = turn.kept;
        if (!kept.follower || kept.of != of)
          kept.follower = std::make_unique<learn::Follower>(*task, *document, recipe, seed, followed);
        kept.of = of;
        Measured measured{of, {}};
        for (const Point& point : points) {
          turn.progress().step();
          measured.values.emplace_back(point.place, kept.follower->measure(*point.parameters, point.gates, &kept.pool));
        }
        return measured;
      },
      std::chrono::milliseconds(0));
}

void FollowKeeper::leave(FollowedTold& shown) {
  if (!std::exchange(looked_at_, false)) return;
  job_.let_go();
  values_.clear();
  shown = {};
}

}  // namespace hydra
