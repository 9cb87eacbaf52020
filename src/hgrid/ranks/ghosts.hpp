// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds: its own, and copies of those of other ranks whose spheres touch its box.
#pragma once

#include <cstring>
#include <vector>

#include "hgrid/host/host_exec.hpp"
#include "hgrid/ranks/contact_rule.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_1::detail {

/// A ghost on its way: the coordinates as they were passed, so that all ranks compute with the same bits.
template <int D>
struct GhostRecord {
  Vec<double, D> x;
  double radius;
  std::int64_t id;
};

/// Which particles of this rank go where.
template <int D>
class GhostSearch {
 public:
  /// Finds the ranks that must know the particles, and makes records for them.
  template <class Real>
  void run(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, const Communicator& comm,
           const Particles<Real, D>& p, const std::int64_t* id, double skin) {
    const offset_t parts = exec.parts_of(p.count);
    found_.resize(static_cast<std::size_t>(parts)), last_.resize(static_cast<std::size_t>(parts));
    exec.run_parts("hgrid::find_ghosts", parts, [&](offset_t part) {
      std::vector<Routes::Send>& found = found_[static_cast<std::size_t>(part)];
      std::vector<offset_t>& last = last_[static_cast<std::size_t>(part)];  // the last particle that went to a rank
      found.clear();
      last.assign(static_cast<std::size_t>(comm.size()), -1);
      last[static_cast<std::size_t>(comm.rank())] = INT64_MAX;
      const RankBox<D>& own = boxes.of_ranks()[static_cast<std::size_t>(comm.rank())];
      for (offset_t i = p.count * part / parts; i < p.count * (part + 1) / parts; ++i) {
        const Vec<double, D> x = into_box(box, p.position_of(i)).inside;
        const double within = known_within(box, x, p.scaled_radius(i), skin);
        if (is_inside(box, own, x, within)) continue;
        for_each_image_near(box, x, within, [&](const Vec<double, D>& image) {
          boxes.for_each_touched(image, within, [&](int rank) {
            offset_t& before = last[static_cast<std::size_t>(rank)];
            if (before < i) before = i, found.push_back({rank, static_cast<index_t>(i)});
          });
        });
      }
    });
    routes_.set_sends(found_, comm.size());
    records_.clear(), parcels_.clear();
    records_.reserve(routes_.ids().size());
    for (const index_t i : routes_.ids()) records_.push_back({p.position_of(i), p.scaled_radius(i), id[i]});
    for (const Routes::Way& way : routes_.sends()) {
      parcels_.push_back({way.rank, reinterpret_cast<const std::byte*>(records_.data() + way.first), way.count});
    }
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }
  Routes& routes() { return routes_; }

 private:
  std::vector<std::vector<Routes::Send>> found_;
  std::vector<std::vector<offset_t>> last_;
  Routes routes_;
  std::vector<GhostRecord<D>> records_;
  std::vector<Parcel> parcels_;
};

/// The particles of a build, owned ones first.
template <int D>
class HeldParticles {
 public:
  template <class Real>
  void take(const HostExec& exec, const Particles<Real, D>& p, const std::int64_t* id, const std::vector<Parcel>& received,
            int rank) {
    owned_ = p.count;
    std::size_t count = static_cast<std::size_t>(owned_);
    for (const Parcel& parcel : received) count += parcel.records;
    x_.resize(count), radius_.resize(count), id_.resize(count), owner_.resize(count);
    exec.for_each("hgrid::take_owned", owned_, [&](offset_t i) {
      const auto at = static_cast<std::size_t>(i);
      x_[at] = p.position_of(i), radius_[at] = p.scaled_radius(i), id_[at] = id[i], owner_[at] = rank;
    });
    auto at = static_cast<std::size_t>(owned_);
    for (const Parcel& parcel : received) {
      for (std::size_t k = 0; k < parcel.records; ++k, ++at) {
        GhostRecord<D> ghost;
        std::memcpy(&ghost, parcel.data + k * sizeof ghost, sizeof ghost);
        x_[at] = ghost.x, radius_[at] = ghost.radius, id_[at] = ghost.id, owner_[at] = parcel.rank;
      }
    }
  }

  Particles<double, D> view() const {
    return particles<D>(x_.empty() ? nullptr : x_[0].v, radius_.data(), static_cast<std::int64_t>(x_.size()));
  }
  index_t owned() const { return static_cast<index_t>(owned_); }
  index_t count() const { return static_cast<index_t>(x_.size()); }
  bool is_owned(index_t k) const { return k < owned_; }
  int owner(index_t k) const { return owner_[static_cast<std::size_t>(k)]; }
  std::int64_t id(index_t k) const { return id_[static_cast<std::size_t>(k)]; }
  const std::vector<Vec<double, D>>& positions() const { return x_; }
  const std::vector<double>& radii() const { return radius_; }
  const std::vector<std::int64_t>& ids() const { return id_; }

  Sphere<D> sphere(const Box<D>& box, index_t k) const {
    const auto at = static_cast<std::size_t>(k);
    return {wrap(box, x_[at]), radius_[at], id_[at]};
  }

  /// Whether a rank with this box reports a contact: that of two particles of one owner if it owns both, another if it owns the contact point.
  bool reports(const Box<D>& box, const RankBox<D>& own, double skin, index_t i, index_t j, const Image& image) const {
    if (is_owned(i) && is_owned(j)) return true;
    if (owner(i) == owner(j)) return false;
    return own.owns(contact_point(box, sphere(box, i), sphere(box, j), image, skin));
  }

 private:
  offset_t owned_ = 0;
  std::vector<Vec<double, D>> x_;
  std::vector<double> radius_;
  std::vector<std::int64_t> id_;
  std::vector<int> owner_;
};

}  // namespace hgrid::inline v0_1::detail
