// SPDX-License-Identifier: BSD-3-Clause
// Spheres and points as queries of a grid: many of them form a set of their own, in a grid that only puts them in order.
#pragma once

#include <algorithm>
#include <memory>

#include "hgrid/core/region.hpp"
#include "hgrid/threads/host_engine.hpp"
#include "host/search/sinks_of_two.hpp"
#include "host/search/work_items.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class AskingSpheres {
 public:
  /// Returns whether all regions are spheres or points, and their sizes and number make a grid of them worthwhile. Otherwise
  /// single queries are faster: a grid has a cost of its own, one per world, and one per particle if its radius is scaled or
  /// ignored.
  static bool suit(const GridView<D>& asked, const Region<D>* regions, offset_t count, const Taken& taken) {
    const double scale = scale_of(taken), largest = *std::max_element(asked.radius_max, asked.radius_max + asked.level_count);
    if (count < 64 || 4 * count < asked.worlds || (scale != 1 && 512 * count < asked.slots())) return false;
    if (!(scale * largest <= 0x1p58)) return false;  // single precision represents its square
    return std::all_of(regions, regions + count, [](const Region<D>& r) { return r.lo == r.hi; });
  }

  /// Returns the regions and a built grid as two sets; their contacts are the particles that the regions take. The regions must
  /// pass `suit`. Their memory belongs to this object, until the next call. Throws `out_of_memory`, and `stopped` if the watch
  /// says so.
  AskedBy<D> grids(const HostExec& exec, const Region<D>* regions, offset_t count, const Taken& taken, const GridView<D>& asked,
                   const std::vector<Box<D>>& boxes, const Watch& watch) {
    build(exec, regions, count, asked, boxes, watch);
    AskedBy<D> two{{engine_->view(), asked}, nullptr, asked.skin == 0 && asked.rule == Rule::sum};
    GridView<D>&a = two.asking, &b = two.asked;
    a.skin = b.skin = 0, b.rule = a.rule = Rule::sum;           // a region has neither skin nor rule
    a.pair_filter.selective = b.pair_filter.selective = false;  // nor groups and ghosts: the filter is not needed
    const auto radius_of = [&](index_t p) { return regions[a.id[p]].radius; };
    a.radius = radii(exec, a, own_, radius_of), a.radius_max = own_.of_levels;
    const double scale = scale_of(taken);
    if (scale == 1) return two;
    const double* const radius = asked.radius;
    b.radius = radii(exec, b, scaled_, [=](index_t p) { return mul_rn(scale, radius[p]); }), b.radius_max = scaled_.of_levels;
    b.boxes.radius_scale = scale;
    two.columns = false;
    return two;
  }

  std::size_t bytes() const {
    return (engine_ ? engine_->bytes() : 0) + own_.of_slots.bytes() + scaled_.of_slots.bytes() + worlds_.bytes();
  }

 private:
  struct Radii {
    HostBuffer<double> of_slots;
    double of_levels[max_levels];
  };

  // Returns the factor for the radii of particles.
  static double scale_of(const Taken& taken) { return taken.take == Take::touching ? taken.scale : 0; }

  // Returns a radius for the grid of regions. It does not affect results, because all regions are on one level. It is the
  // radius of most particles, if it fits into all boxes.
  static double radius_for(const GridView<D>& asked, const std::vector<Box<D>>& boxes) {
    double radius = asked.slots() == 0 ? 0.0 : asked.radius_max[fullest_level(asked)];
    const auto fit = [&](const Box<D>& box) {
      for (int k = 0; k < D; ++k) radius = box.wraps[k] ? std::min(radius, 0.25 * box.length(k)) : radius;
    };
    fit(asked.box);
    std::for_each(boxes.begin(), boxes.end(), fit);
    return std::clamp(radius, smallest_radius, largest_length);
  }

  void build(const HostExec& exec, const Region<D>* regions, offset_t count, const GridView<D>& asked,
             const std::vector<Box<D>>& boxes, const Watch& watch) {
    if (engine_ == nullptr) engine_ = std::make_unique<HostEngine<D>>(exec, asked.box, GridOptions{});
    engine_->watch({.stop = watch.stop});
    engine_->set_box(asked.box);
    engine_->set_boxes(boxes);
    constexpr std::ptrdiff_t step = sizeof(Region<D>) / sizeof(double);
    static_assert(step * sizeof(double) == sizeof(Region<D>));
    const double radius = radius_for(asked, boxes);
    Particles<double, D> p{};
    for (int k = 0; k < D; ++k) p.position[k] = regions->lo.v + k;
    p.stride = step, p.radius = &radius, p.radius_stride = 0, p.count = count;
    if (asked.has_worlds()) {
      reserve_all(exec, Need{worlds_, count});
      exec.for_each("hgrid::worlds_of_regions", count, [&](offset_t q) { worlds_.data()[q] = regions[q].world; });
      p.worlds = {worlds_.data(), asked.worlds};
    }
    engine_->build(exec, p, {});
  }

  template <class RadiusOf>
  static const double* radii(const HostExec& exec, const GridView<D>& g, Radii& to, const RadiusOf& radius_of) {
    reserve_all(exec, Need{to.of_slots, g.slots() + slot_padding});
    double* const radius = to.of_slots.data();
    exec.for_each("hgrid::radii_of_slots", g.slots(), [&](offset_t p) { radius[p] = radius_of(static_cast<index_t>(p)); });
    std::fill_n(radius + g.slots(), slot_padding, 0);
    for (int h = 0; h < g.level_count; ++h) {
      const double* const first = radius + g.level_begin[h];
      const double* const last = radius + g.level_begin[h + 1];
      to.of_levels[h] = first == last ? 0 : *std::max_element(first, last);
    }
    return radius;
  }

  std::unique_ptr<HostEngine<D>> engine_;  // made in the box of the first target grid
  Radii own_, scaled_;
  HostBuffer<index_t> worlds_;
};

}  // namespace hgrid::inline v0_2::detail
