// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds: its own, and copies of those of other ranks whose spheres touch its box.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "hgrid/engine/input_error.hpp"
#include "hgrid/host/host_exec.hpp"
#include "hgrid/ranks/held_view.hpp"
#include "hgrid/ranks/interior.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_1::detail {

/// A ghost on its way: the coordinates as they were passed, so that all ranks compute with the same bits.
template <int D>
struct GhostRecord {
  Vec<double, D> x;
  double radius;
  std::int64_t id;
};

/// Throws what is wrong with particles, which are some of a rank's: their numbers among all of them, or null if they are all.
template <int D>
void throw_if_bad(InputSummary<D> input, const Box<D>& box, double skin, const index_t* numbers) {
  if (numbers != nullptr && input.bad > 0) input.first_bad = numbers[input.first_bad];
  throw_if_bad(input, box, skin);
}

/// The rank in whose box each particle lies. Throws what is wrong with the particles as a build does.
template <class Real, int D>
std::vector<int> owners_of(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, int rank,
                           const Particles<Real, D>& p, const index_t* numbers = nullptr) {
  check_arguments(p, 0);
  std::vector<int> owners(static_cast<std::size_t>(p.count), rank);
  const Interior<D> interior(box, boxes.of_ranks()[static_cast<std::size_t>(rank)], 0);
  const InspectParticle<Real, D, OneBox<D>> inspect{p, {box}, 0};
  InputSummary<D> input;
  const auto find = [&](offset_t i, InputSummary<D>& seen) {
    if (interior.holds(p.position_of(i), p.scaled_radius(i))) return;
    inspect(i, seen);
    if (seen.bad == 0) owners[static_cast<std::size_t>(i)] = boxes.owner(into_box(box, p.position_of(i)).inside);
  };
  exec.reduce("hgrid::find_owners", p.count, find, InputSummary<D>::identity(), &input);
  throw_if_bad(input, box, 0, numbers);
  return owners;
}

/// Which particles of this rank go where.
template <int D>
class GhostSearch {
 public:
  GhostSearch() = default;
  explicit GhostSearch(const HostExec&) {}

  /// Looks at the particles, throws what is wrong with them as a build does, finds the ranks that must know them, and makes
  /// records for these. `numbers` are those of the particles among all of the rank, or null if they are all.
  template <class Real>
  void run(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, const Communicator& comm,
           const Particles<Real, D>& p, const std::int64_t* id, double skin, const index_t* numbers = nullptr) {
    const auto parts = static_cast<std::size_t>(exec.parts_of(p.count));
    parts_.resize(parts), found_.resize(parts);
    const Interior<D> interior(box, boxes.of_ranks()[static_cast<std::size_t>(comm.rank())], skin);
    exec.run_parts("hgrid::find_ghosts", static_cast<offset_t>(parts), [&](offset_t number) {
      const auto n = static_cast<offset_t>(parts);
      Part& part = parts_[static_cast<std::size_t>(number)];
      std::vector<Routes::Send>& found = found_[static_cast<std::size_t>(number)];
      part.input = InputSummary<D>::identity(), found.clear();
      part.last.assign(static_cast<std::size_t>(comm.size()), -1);
      part.last[static_cast<std::size_t>(comm.rank())] = INT64_MAX;
      const InspectParticle<Real, D, OneBox<D>> inspect{p, {box}, skin};
      for (offset_t i = p.count * number / n; i < p.count * (number + 1) / n; ++i) {
        if (interior.holds(p.position_of(i), p.scaled_radius(i))) continue;
        inspect(i, part.input);
        if (part.input.bad == 0) find(box, boxes, p, i, skin, part.last, found);
      }
    });
    InputSummary<D> input = InputSummary<D>::identity();
    for (const Part& part : parts_) input.join(part.input);
    throw_if_bad(input, box, skin, numbers);

    routes_.set_sends(found_, comm.size());
    records_.clear(), parcels_.clear();
    records_.reserve(routes_.ids().size());
    for (const index_t i : routes_.ids()) records_.push_back({p.position_of(i), p.scaled_radius(i), id[i]});
    for (const Routes::Way& way : routes_.sends()) {
      parcels_.push_back({way.rank, reinterpret_cast<const std::byte*>(records_.data() + way.first), way.count});
    }
    if (numbers != nullptr) routes_.renumber(numbers);
  }

  /// The rank in whose box each particle lies. Throws what is wrong with the particles.
  template <class Real>
  static std::vector<int> owners(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, int rank,
                                 const Particles<Real, D>& p, const std::int64_t*) {
    return owners_of(exec, box, boxes, rank, p);
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }
  Routes& routes() { return routes_; }

 private:
  struct Part {
    InputSummary<D> input;
    std::vector<offset_t> last;  // the last particle that went to a rank
  };

  template <class Real>
  static void find(const Box<D>& box, const RankBoxes<D>& boxes, const Particles<Real, D>& p, offset_t i, double skin,
                   std::vector<offset_t>& last, std::vector<Routes::Send>& found) {
    const Vec<double, D> x = into_box(box, p.position_of(i)).inside;
    const double within = known_within(box, x, p.scaled_radius(i), skin);
    for_each_image_near(box, x, within, [&](const Vec<double, D>& image) {
      boxes.for_each_touched(image, within, [&](int rank) {
        offset_t& before = last[static_cast<std::size_t>(rank)];
        if (before < i) before = i, found.push_back({rank, static_cast<index_t>(i)});
      });
    });
  }

  std::vector<Part> parts_;
  std::vector<std::vector<Routes::Send>> found_;
  Routes routes_;
  std::vector<GhostRecord<D>> records_;
  std::vector<Parcel> parcels_;
};

/// The particles of a build, owned ones first.
template <int D>
class HeldParticles {
 public:
  explicit HeldParticles(const HostExec&) {}

  /// Particles in containers, coordinates interleaved, and the ghosts that came.
  template <class Real>
  void take(const HostExec& exec, const Particles<Real, D>& p, const std::int64_t* id, const std::vector<Parcel>& received,
            int rank) {
    rank_ = rank, owned_ = p.count;
    auto count = static_cast<std::size_t>(owned_);
    for (const Parcel& parcel : received) count += parcel.records;
    x_.resize(D * count), radius_.resize(count), id_.resize(count), owner_.clear();
    exec.for_each_part("hgrid::take_owned", owned_, [&](offset_t begin, offset_t end) {
      std::copy(p.position[0] + D * begin, p.position[0] + D * end, x_.begin() + D * begin);
      std::copy(p.radius + begin, p.radius + end, radius_.begin() + begin);
      std::copy(id + begin, id + end, id_.begin() + begin);
    });
    auto at = static_cast<std::size_t>(owned_);
    for (const Parcel& parcel : received) {
      for (std::size_t k = 0; k < parcel.records; ++k, ++at) {
        GhostRecord<D> ghost;
        std::memcpy(&ghost, parcel.data + k * sizeof ghost, sizeof ghost);
        std::copy_n(ghost.x.v, D, &x_[D * at]);
        radius_[at] = ghost.radius, id_[at] = ghost.id, owner_.push_back(parcel.rank);
      }
    }
  }

  Particles<double, D> view() const {
    return particles<D>(x_.data(), radius_.data(), static_cast<std::int64_t>(radius_.size()));
  }
  index_t owned() const { return static_cast<index_t>(owned_); }
  index_t count() const { return static_cast<index_t>(radius_.size()); }
  int owner(index_t k) const { return k < owned_ ? rank_ : owner_[static_cast<std::size_t>(k - owned_)]; }
  const std::vector<double>& positions() const { return x_; }
  const std::vector<double>& radii() const { return radius_; }
  const std::vector<std::int64_t>& ids() const { return id_; }
  const std::vector<std::int64_t>& ids_on_host() const { return id_; }

  /// For a rank with this box.
  HeldView<D> view_in(const Box<D>& box, const RankBox<D>& own, double skin) const {
    return {box, own, skin, x_.data(), radius_.data(), id_.data(), owner_.data(), owned()};
  }

 private:
  int rank_ = 0;
  offset_t owned_ = 0;
  std::vector<double> x_, radius_;
  std::vector<std::int64_t> id_;
  std::vector<int> owner_;  // of ghosts
};

}  // namespace hgrid::inline v0_1::detail
