// Heads in groups and on a map, from their distances.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/likeness/likeness.h"

namespace hydra {

// [h x h] symmetric, 0 on the diagonal, from a matrix of likeness: 1 - value of cosine, cka, qk and ov; the root of
// js_bits; the mean of both directions of kl_bits. What is not finite counts as the largest finite distance (1 where
// there is none).
Mat<double> distances(Likeness measure, MatIn<double> values);

// Clusters are numbered as SciPy does: heads 0 .. h-1, then merge k makes h + k. left < right.
struct Merge {
  int left = 0, right = 0;
  double distance = 0;
  int size = 0;  // heads in it
};
struct Clustering {
  std::vector<Merge> merges;  // h - 1, by distance
  std::vector<int> leaves;    // all heads in the tree's order, left before right
};
// Average linkage (UPGMA; Sokal and Michener 1958): the distance of two clusters is the mean over their pairs. Of equal
// distances the pair with the lowest numbers merges first. At least one head.
Clustering average_linkage(const Mat<double>& distances);
// The same tree, the sides of each merge turned so that the leaves stand as near as they can to where they stood in
// `last` (by the mean place of each side), so that left may be the larger number; as it is when last is of another
// size. Keeps a picture from jumping.
Clustering oriented(Clustering clustering, const std::vector<int>& last);

struct HeadMap {
  Mat<double> points;  // [h x 2], centred; along the first axis they differ most
  // sqrt(sum (d - d')^2 / sum d^2), d' the distances on the map: 0 exact, 1 all points in one place. Stress-1 of
  // Kruskal 1964, but over the distances that are to be shown, which do not shrink with the map's.
  double stress = 0;
};
// Kruskal's words for a stress (1964): "excellent" up to 0.025, "good" up to 0.05, "fair" up to 0.1, "poor" beyond;
// "exact" for none.
const std::string& stress_in_words(double stress);
// Classical multidimensional scaling (Torgerson 1952): the two largest eigenvalues of -J D^2 J / 2; an axis whose
// eigenvalue is not positive is 0. The sign of an axis: its largest entry in absolute value is positive.
HeadMap classical_scaling(const Mat<double>& distances);
// Turned and mirrored, not scaled, so that the points are nearest to `last` in least squares (orthogonal Procrustes,
// Schönemann 1966). As it is when last is of another size.
HeadMap aligned(HeadMap map, const Mat<double>& last);

}  // namespace hydra
