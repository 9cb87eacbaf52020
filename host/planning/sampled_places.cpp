// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/sampled_places.hpp"

#include <algorithm>
#include <bit>

#include "hgrid/core/levels.hpp"
#include "host/planning/sort_codes.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

constexpr std::uint8_t none = max_levels;

// Returns a code that ascends with the number.
std::uint64_t code_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

}  // namespace

template <int D>
void SampledPlaces<D>::sort() {
  struct Along {
    std::uint64_t code;
    std::uint32_t s;
  };
  std::vector<Along> along;
  for (int k = 0; k < D; ++k) {
    along.clear();
    for (std::size_t s = 0; s < size(); ++s) {
      if (radius(s) >= 0) along.push_back({code_of(at(s, k)), static_cast<std::uint32_t>(s)});
    }
    sort_codes(along, 64, [](const Along& a) { return a.code; });
    for (const Along& a : along) order_[static_cast<std::size_t>(k)].push_back(a.s);
    visited_ += static_cast<offset_t>(along.size());
  }
}

template <int D>
double SampledPlaces<D>::weight() {
  if (order_[0].empty()) sort();
  return static_cast<double>(input_.particles) / static_cast<double>(order_[0].size());
}

template <int D>
void SampledPlaces<D>::use(const Levels<D>& levels) {
  if (order_[0].empty()) sort();
  level_.assign(size(), none);
  for (const std::uint32_t s : order_[0]) {
    level_[s] = static_cast<std::uint8_t>(level_of_radius(levels.level, levels.count, radius(s) + 0.5 * input_.skin));
  }
  visited_ += static_cast<offset_t>(size());
}

template <int D>
std::vector<Vec<double, D>> SampledPlaces<D>::on(int h) const {
  std::vector<Vec<double, D>> places;
  for (std::size_t s = 0; s < size(); ++s) {
    if (level_[s] != h) continue;
    Vec<double, D> place;
    for (int k = 0; k < D; ++k) place[k] = at(s, k);
    places.push_back(place);
  }
  visited_ += static_cast<offset_t>(places.size());
  return places;
}

template <int D>
std::array<std::vector<Interval>, D> SampledPlaces<D>::axes_of(int h) const {
  std::array<std::vector<Interval>, D> axes;
  for (int k = 0; k < D; ++k) {
    std::vector<Interval>& axis = axes[static_cast<std::size_t>(k)];
    for (const std::uint32_t s : order_[static_cast<std::size_t>(k)]) {
      if (level_[s] == h) axis.push_back({at(s, k), at(s, k)});
    }
    visited_ += static_cast<offset_t>(axis.size());
  }
  return axes;
}

template class SampledPlaces<2>;
template class SampledPlaces<3>;

}  // namespace hgrid::inline v0_2::detail
