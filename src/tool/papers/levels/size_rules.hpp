// SPDX-License-Identifier: BSD-3-Clause
// Rules for the cell sizes of a hierarchical grid, after Krijgsman, Ogarko and Luding (2014), section 5.2, and Ogarko and
// Luding (2012), Appendix A. All return cell sides that ascend to 2 r_max, in the unit of the radii.
#pragma once

#include <string>
#include <vector>

#include "papers/levels/cost.hpp"

namespace hgrid::paper {

// The next three return `levels` sizes, or fewer if rounding makes two equal (all radii equal: one level). They throw
// `invalid_levels` for levels < 1.

/// s_h = 2 r_min (1 + h (w - 1) / L), w = r_max / r_min, Eq. 34.
std::vector<double> linear_sizes(const Distribution& radii, int levels);
/// s_h = 2 r_min w^(h / L), Eq. 36.
std::vector<double> exponential_sizes(const Distribution& radii, int levels);

/// Sizes with m_{h+1} = q m_h, Eq. 37 and 38, and their m_1. With finitely many radii that is not exactly possible. The sizes
/// are then from Appendix A of 2012: cells are the diameters of particles, and a particle that makes the occupancy of its level
/// h exceed m q^(h-1) opens the next level. m is the smallest that needs no more than the given number of levels (its infimum,
/// where the paper takes the next multiple of dm). Particles of equal radius share a level. Throws `invalid_argument` unless q
/// is in [1e-3, 1e3].
struct RatioSizes {
  std::vector<double> sizes;
  double occupancy;  ///< m
};
RatioSizes constant_ratio_sizes(const CostModel& model, double q, int levels);

/// The sizes of least T for a given number of levels. Global over a grid of candidate sizes (log-spaced, plus nearby existing
/// radii) by dynamic programming over the additive form; then refined on ever finer grids around the path found. If a level
/// gains nothing, or T is not finite for any sizes, there are fewer levels.
class OptimalSizes {
 public:
  /// Runs the dynamic programme for 1 to `max_levels` levels: about 10 ms.
  OptimalSizes(const CostModel& model, int max_levels);

  /// Returns at most `levels` sizes, polished; `levels` is in [1, max_levels].
  std::vector<double> sizes(int levels) const;
  /// Returns the number of levels beyond which the grid of candidates has no gain.
  int useful_levels() const { return static_cast<int>(paths_.back().size()); }

 private:
  const CostModel& model_;
  double spacing_;                          // of the candidates' logarithms
  std::vector<std::vector<double>> paths_;  // [L - 1]: the best with at most L levels
};

enum class Rule { linear, exponential, constant_ratio, optimal };

struct RuleOptions {
  Rule rule = Rule::optimal;
  double q = 1;
  int levels = 0;       ///< 0: the number of least T, up to max_levels
  int max_levels = 64;  ///< of a search for the best number; the library uses 64
  bool fewest = false;  ///< take the fewest levels whose T is within 0.1 % of the least
};

struct SizePlan {
  std::vector<double> sizes;
  Work work;
  std::vector<std::string> warnings;
};

/// Returns sizes by a rule, for a given or the best number of levels. Throws `invalid_levels` for a number below 0 or a limit
/// outside 1 to 1000.
SizePlan choose_sizes(const CostModel& model, const RuleOptions& options);

}  // namespace hgrid::paper
