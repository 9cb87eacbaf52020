// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds: its own, and copies of other ranks' particles whose spheres, or boxes, touch its box.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/memory/access.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/labels.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2::detail {

/// The particles of a build, owned particles first.
template <class Exec, int D>
class HeldParticles {
  template <class T>
  using Array = RankArray<Exec, T>;

 public:
  HeldParticles(const Exec& exec, bool directly)
      : exec_(exec),
        x_(rank_array<Exec, double>(exec)),
        radius_(rank_array<Exec, double>(exec)),
        extent_(rank_array<Exec, double>(exec)),
        id_(rank_array<Exec, std::int64_t>(exec)),
        group_(rank_array<Exec, index_t>(exec)),
        type_(rank_array<Exec, index_t>(exec)),
        owner_(exec),
        ghosts_(exec, directly) {}

  /// Returns memory for ghosts of that many bytes, which are about to arrive.
  std::byte* room_for(std::size_t bytes) { return reinterpret_cast<std::byte*>(ghosts_.room(bytes / sizeof(Word))); }

  /// Takes particles in containers, with coordinates interleaved, and the ghosts that arrived.
  template <class Real>
  void take(const Particles<Real, D>& p, const std::int64_t* id, const RankLabels<Exec>& labels,
            const std::vector<Parcel>& received, int rank) {
    std::size_t ghosts = 0;
    for (const Parcel& parcel : received) ghosts += parcel.records;
    const std::size_t count = static_cast<std::size_t>(p.count) + ghosts;
    rank_ = rank, owned_ = p.count, sizes_ = sizes_of(p), id_here_.clear();
    set_size(x_, D * count), set_size(id_, count);
    set_size(radius_, p.has_extents() ? 0 : count), set_size(extent_, p.has_extents() ? D * count : 0);
    owner_.reserve(ghosts);
    int* owner = owner_.here();
    for (const Parcel& parcel : received) owner = std::fill_n(owner, parcel.records, parcel.rank);
    owner_.bring(ghosts);
    const bool has_groups = labels.groups != nullptr, has_types = labels.types != nullptr;
    has_groups_ = has_groups, cutoffs_ = p.cutoffs;
    set_size(group_, has_groups ? count : 0), set_size(type_, has_types ? count : 0);
    const HeldArrays<D> out{x_.data(),  (p.has_extents() ? extent_ : radius_).data(), sizes_,
                            id_.data(), has_groups ? group_.data() : nullptr,         has_types ? type_.data() : nullptr};
    if constexpr (Exec::on_host) {  // whole parts at once: 9 instructions per particle, and 18 one by one
      exec_.for_each_part("hgrid::take_owned", owned_, [&](offset_t begin, offset_t end) {
        std::copy(p.position[0] + D * begin, p.position[0] + D * end, out.x + D * begin);
        const Real* const size = p.has_extents() ? p.extent[0] : p.radius;
        std::copy(size + sizes_ * begin, size + sizes_ * end, out.size + sizes_ * begin);
        std::copy(id + begin, id + end, out.id + begin);
        if (has_groups || has_types) {
          for (offset_t i = begin; i < end; ++i) out.label(p, i);
        }
      });
    } else {
      exec_.for_each("hgrid::take_owned", p.count, TakeOwned<Real, D>{p, id, out});
    }
    const BodyRecords<D> records{ghosts_.there(), sizes_, ids_of_ghost(labels)};
    ghosts_.bring(ghosts * static_cast<std::size_t>(records.words_each()));
    exec_.for_each("hgrid::take_ghosts", static_cast<offset_t>(ghosts), TakeGhost<D>{records, owned_, out});
  }

  Particles<double, D> view() const {
    auto p = particles_of_width<D>(x_.data(), sizes(), static_cast<std::size_t>(sizes_), static_cast<offset_t>(id_.size()));
    if (has_groups_) p.group = group_.data();
    if (cutoffs_.types > 0) p.cutoffs = {type_.data(), cutoffs_.distance, cutoffs_.types};
    return p;
  }
  index_t owned() const { return static_cast<index_t>(owned_); }
  index_t count() const { return static_cast<index_t>(id_.size()); }
  bool has_extents() const { return sizes_ > 1; }
  int owner(index_t k) const { return k < owned_ ? rank_ : owner_.here()[k - owned_]; }
  const Array<double>& positions() const { return x_; }
  const Array<double>& radii() const { return radius_; }
  const Array<double>& extents() const { return extent_; }
  const Array<std::int64_t>& ids() const { return id_; }
  /// Returns groups and types; empty if there are none.
  const Array<index_t>& groups() const { return group_; }
  const Array<index_t>& types() const { return type_; }
  /// Returns which of them there are, as `kinds_of` labels without partners.
  std::size_t kinds() const { return kinds_of(has_groups_, false, cutoffs_.types > 0, cutoffs_.types); }
  /// Returns the global ids in host memory. On a device the first call after `take` copies them.
  const std::vector<std::int64_t>& ids_on_host() const {
    if constexpr (Exec::on_host) {
      return id_;
    } else {
      if (id_here_.size() != id_.size()) id_here_ = id_.on_host();
      return id_here_;
    }
  }

  /// Returns a view for a rank with this box.
  HeldView<D> view_in(const Box<D>& box, const RankBox<D>& own, double skin, Rule rule) const {
    return {box, own, skin, x_.data(), sizes(), sizes_, id_.data(), owner_.there(), owned(), rule == Rule::gather};
  }

 private:
  const double* sizes() const { return (has_extents() ? extent_ : radius_).data(); }

  Exec exec_;
  int rank_ = 0;
  offset_t owned_ = 0;
  int sizes_ = 1;  // numbers per particle that give its size
  Array<double> x_, radius_, extent_;
  Array<std::int64_t> id_;
  Array<index_t> group_, type_;
  bool has_groups_ = false;
  Cutoffs cutoffs_;  // the table is the user's, for as long as a build
  mutable std::vector<std::int64_t> id_here_;
  Staged<Exec, int> owner_;  // owners of ghosts
  Staged<Exec, Word> ghosts_;
};

/// The members of a distributed grid that tell which particles it holds.
template <class Grid>
class Access::HeldOfGrid {
 public:
  index_t owned() const { return here().owned(); }
  index_t ghosts() const { return here().count() - here().owned(); }
  /// Returns the number of owned particles and ghosts.
  index_t held() const { return here().count(); }
  /// Data of each particle of the last build, including ghosts: global id, D coordinates, and a radius or D half extents.
  const auto& ids() const { return here().ids(); }
  const auto& positions() const { return here().positions(); }
  const auto& radii() const { return here().radii(); }
  const auto& extents() const { return here().extents(); }
  /// Returns the rank that owns particle k < held().
  int owner(index_t k) const { return here().owner(k); }

 private:
  const auto& here() const { return static_cast<const Grid&>(*this).held_; }
};

}  // namespace hgrid::inline v0_2::detail
