// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/packing/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/core/lattice.hpp"
#include "hgrid/packing/repeatable.hpp"

namespace hgrid::inline v0_2 {
namespace {

using Place = PopulationPlace::Kind;
using Law = PopulationSizes::Law;

struct Region {
  std::array<double, 3> lo, size;
};

// Returns the radius below which a share u of the density r^-exponent on [1, ratio] lies.
double power_law(double u, double ratio, int exponent) {
  switch (exponent) {
    case 0:
      return 1 + u * (ratio - 1);
    case 1:
      return two_to(u * log_two(ratio));
    case 2:
      return 1 / (1 - u * (1 - 1 / ratio));
    case 3:
      return 1 / std::sqrt(1 - u * (1 - 1 / (ratio * ratio)));
    default:
      return 1 / std::sqrt(std::sqrt(1 - u * (1 - 1 / (ratio * ratio * ratio * ratio))));
  }
}

double draw_radius(const PopulationSizes& sizes, RepeatableRandom& random) {
  if (sizes.ratio <= 1) return sizes.least;
  double r;
  if (sizes.law == Law::power) {
    r = power_law(random.below_one(), sizes.ratio, sizes.exponent);
  } else {
    double normal = -6;  // the sum of twelve random numbers has variance 1
    for (int k = 0; k < 12; ++k) normal += random.below_one();
    r = two_to(log_two(sizes.ratio) * (0.5 + std::clamp(normal, -3.0, 3.0) / 6));
  }
  return sizes.least * std::clamp(r, 1.0, sizes.ratio);
}

// Returns how many particles each population has: at least one, and n in all.
std::vector<std::int64_t> counts_of(const Recipe& recipe, std::int64_t n) {
  double all = 0;
  for (const Population& p : recipe.populations) all += p.share;
  std::vector<std::int64_t> counts;
  std::int64_t left = n;
  for (const Population& p : recipe.populations) {
    counts.push_back(std::max<std::int64_t>(1, std::llround(p.share / all * static_cast<double>(n))));
    left -= counts.back();
  }
  *std::ranges::max_element(counts) += left;
  return counts;
}

double volume_of(const std::vector<double>& radii, int dimension) {
  constexpr double pi = 3.14159265358979323846;
  double sum = 0;
  for (const double r : radii) sum += dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
  return sum;
}

void size_box(const Recipe& recipe, PackedSystem& s) {
  const int dimension = s.dimension;
  const double side = root_of(volume_of(s.r, dimension) / recipe.fraction, dimension);
  const double wider = root_of(recipe.flatness, dimension), widest = *std::ranges::max_element(s.r);
  for (int k = 0; k < dimension; ++k) {
    s.length[k] = side * wider / (k == recipe.flat_axis ? recipe.flatness : 1);
    s.periodic[k] = recipe.periodic[k];
    if (s.periodic[k]) s.length[k] = std::max(s.length[k], 2 * widest / max_images * 1.001);
  }
}

// Returns a part of the box, with its shape, at a random place in it.
Region part_of(const PackedSystem& s, double share, RepeatableRandom& random) {
  Region part{};
  const double scale = root_of(share, s.dimension);
  for (int k = 0; k < s.dimension; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    part.size[axis] = scale * s.length[k];
    part.lo[axis] = random.below_one() * (s.length[k] - part.size[axis]);
  }
  return part;
}

// Returns cubes within the region, cut off if they are longer than the region.
std::vector<Region> clusters_of(const PopulationPlace& place, const Region& region, int dimension, RepeatableRandom& random) {
  double volume = 1;
  for (int k = 0; k < dimension; ++k) volume *= region.size[static_cast<std::size_t>(k)];
  const double side = root_of(place.share * volume / place.parts, dimension);
  std::vector<Region> clusters;
  for (int c = 0; c < place.parts; ++c) {
    Region cluster{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      cluster.size[k] = std::min(side, region.size[k]);
      cluster.lo[k] = region.lo[k] + random.below_one() * (region.size[k] - cluster.size[k]);
    }
    clusters.push_back(cluster);
  }
  return clusters;
}

// Maps a uniformly random number in [0, 1] to the distribution along the axis of the place.
double along_axis(const PopulationPlace& place, double u) {
  if (place.kind == Place::layered) {
    const double layer = std::floor(u * place.parts);
    return (layer + place.share * (u * place.parts - layer)) / place.parts;
  }
  if (place.kind == Place::graded) return -log_two(1 - u * (1 - two_to(-place.doublings))) / place.doublings;
  return u;
}

void put(const PopulationPlace& place, const Region& region, std::int64_t count, PackedSystem& s, RepeatableRandom& random) {
  std::vector<Region> clusters{region};
  if (place.kind == Place::clustered) clusters = clusters_of(place, region, s.dimension, random);
  for (std::int64_t i = 0; i < count; ++i) {
    const Region& in = clusters[static_cast<std::size_t>(i) % clusters.size()];
    for (int k = 0; k < s.dimension; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      const double u = random.below_one(), t = k == place.axis ? along_axis(place, u) : u;
      s.axis(k).push_back(std::min(in.lo[axis] + t * in.size[axis], std::nextafter(s.length[k], 0.0)));
    }
  }
}

void shuffle(PackedSystem& s, RepeatableRandom& random) {
  for (std::size_t k = s.r.size(); k > 1; --k) {
    const std::size_t other = random.below(k);
    for (auto* column : {&s.x, &s.y, &s.z, &s.r}) std::swap((*column)[k - 1], (*column)[other]);
  }
}

// Returns how many images of a pair touch. Tests the images near the nearest one along each axis.
int touching_images(const PackedSystem& s, std::size_t i, std::size_t j) {
  const double reach = s.r[i] + s.r[j];
  double gap[3] = {0, 0, 0};
  int more[3] = {0, 0, 0};
  for (int k = 0; k < s.dimension; ++k) {
    gap[k] = s.axis(k)[i] - s.axis(k)[j];
    if (s.periodic[k]) {
      gap[k] -= detail::mul_rn(static_cast<int>(std::floor(gap[k] / s.length[k] + 0.5)), s.length[k]);
      if (reach > 0.5 * s.length[k]) more[k] = static_cast<int>(reach / s.length[k] + 0.5);
    }
    if (gap[k] > reach || -gap[k] > reach) return 0;  // the nearest image does not touch
  }
  int touching = 0;
  for (int a = -more[0]; a <= more[0]; ++a) {
    for (int b = -more[1]; b <= more[1]; ++b) {
      for (int c = -more[2]; c <= more[2]; ++c) {
        const double x = gap[0] - detail::mul_rn(a, s.length[0]), y = gap[1] - detail::mul_rn(b, s.length[1]),
                     z = gap[2] - detail::mul_rn(c, s.length[2]);
        touching += x * x + y * y + z * z <= reach * reach;
      }
    }
  }
  return touching;
}

void thin_out(double most_contacts, PackedSystem& s) {
  for (double contacts; (contacts = estimated_contacts(s)) > most_contacts;) {
    const double scale = std::max(1.05, root_of(contacts / most_contacts, s.dimension));
    for (int k = 0; k < s.dimension; ++k) {
      s.length[k] *= scale;
      for (double& x : s.axis(k)) x = std::min(x * scale, std::nextafter(s.length[k], 0.0));
    }
  }
}

}  // namespace

PackedSystem make_system(const Recipe& recipe, std::int64_t n, std::uint64_t seed) {
  if (recipe.populations.empty() || n < static_cast<std::int64_t>(recipe.populations.size())) {
    throw Error(ErrorCode::invalid_argument, "each population needs a particle",
                {.argument = "n", .value = static_cast<double>(n)});
  }
  RepeatableRandom random(seed);
  PackedSystem s;
  s.dimension = recipe.dimension;
  const std::vector<std::int64_t> counts = counts_of(recipe, n);
  for (std::size_t p = 0; p < counts.size(); ++p) {
    for (std::int64_t i = 0; i < counts[p]; ++i) s.r.push_back(draw_radius(recipe.populations[p].sizes, random));
  }
  size_box(recipe, s);
  const Region all = part_of(s, 1, random), dense = part_of(s, recipe.dense_part, random);
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const Population& population = recipe.populations[p];
    put(population.place, population.everywhere ? all : dense, counts[p], s, random);
  }
  s.z.resize(s.r.size());
  if (recipe.shuffled) shuffle(s, random);
  thin_out(recipe.most_contacts, s);
  return s;
}

double estimated_contacts(const PackedSystem& s) {
  constexpr std::size_t most_tests = std::size_t{1} << 24;
  const std::size_t n = s.r.size(), sampled = std::min(n, std::clamp<std::size_t>(most_tests / n, 32, 256));
  double found = 0;
  for (std::size_t k = 0; k < sampled; ++k) {
    const std::size_t i = k * n / sampled;
    for (std::size_t j = 0; j < n; ++j) {
      if (s.r[j] > s.r[i] || (s.r[j] == s.r[i] && j > i)) found += touching_images(s, i, j);
    }
  }
  return 2 * found / static_cast<double>(sampled);
}

}  // namespace hgrid::inline v0_2
