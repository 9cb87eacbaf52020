// SPDX-License-Identifier: BSD-3-Clause
// The search for the particles that other ranks need. If particles are on a device, it selects the few that the host must
// check, and copies these.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/inputs/input_error.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/rebalance.hpp"
#include "hgrid/ranks/routes.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "hgrid/threads/serial_exec.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws if particles are bad. `numbers` are the indices of these particles among all of the rank, or null if they are all.
template <int D>
void throw_if_bad(InputSummary<D> input, const Box<D>& box, double skin, const index_t* numbers) {
  if (numbers != nullptr && input.bad > 0) input.first_bad = numbers[input.first_bad];
  throw_if_bad(input, box, skin);
}

/// Returns the rank whose box contains each particle. Throws if particles are bad, like a build.
template <class Real, int D>
std::vector<int> owners_of(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, int rank,
                           const Particles<Real, D>& p, const index_t* numbers = nullptr) {
  check_arguments(p, 0);
  std::vector<int> owners(static_cast<std::size_t>(p.count), rank);
  const Interior<D> interior(box, boxes.of_ranks()[static_cast<std::size_t>(rank)], 0, 0);
  const InspectBody<Real, D> inspect(p, box, 0);
  InputSummary<D> input;
  const auto find = [&](offset_t i, InputSummary<D>& seen) {
    if (interior.holds(p.position_of(i), body_of(p, i))) return;
    inspect(i, seen);
    if (seen.bad == 0) owners[static_cast<std::size_t>(i)] = boxes.owner(into_box(box, p.position_of(i)).inside);
  };
  exec.reduce("hgrid::find_owners", p.count, find, InputSummary<D>::identity(), &input);
  throw_if_bad(input, box, 0, numbers);
  return owners;
}

/// Finds which particles of this rank go to which ranks.
template <int D>
class GhostSearch {
 public:
  GhostSearch() = default;
  explicit GhostSearch(const HostExec&) {}

  /// Checks the particles, throws if they are bad, like a build, and finds the ranks that need them. `numbers` are the indices
  /// of these particles among all of the rank, or null if they are all.
  template <class Real>
  void run(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, const Communicator& comm,
           const Particles<Real, D>& p, const std::int64_t*, double skin, double margin, const index_t* numbers = nullptr) {
    const auto parts = static_cast<std::size_t>(exec.parts_of(p.count));
    parts_.resize(parts), found_.resize(parts);
    const Interior<D> interior(box, boxes.of_ranks()[static_cast<std::size_t>(comm.rank())], skin, margin);
    exec.run_parts("hgrid::find_ghosts", static_cast<offset_t>(parts), [&](offset_t number) {
      const auto n = static_cast<offset_t>(parts);
      Part& part = parts_[static_cast<std::size_t>(number)];
      std::vector<Routes::Send>& found = found_[static_cast<std::size_t>(number)];
      part.input = InputSummary<D>::identity(), found.clear();
      part.last.assign(static_cast<std::size_t>(comm.size()), -1);
      part.last[static_cast<std::size_t>(comm.rank())] = INT64_MAX;
      const InspectBody<Real, D> inspect(p, box, skin);
      for (offset_t i = p.count * number / n; i < p.count * (number + 1) / n; ++i) {
        if (interior.holds(p.position_of(i), body_of(p, i))) continue;
        inspect(i, part.input);
        if (part.input.bad == 0) find(box, boxes, p, i, margin, part.last, found);
      }
    });
    InputSummary<D> input = InputSummary<D>::identity();
    for (const Part& part : parts_) input.join(part.input);
    throw_if_bad(input, box, skin, numbers);

    routes_.set_sends(found_, comm.size());
    if (numbers != nullptr) routes_.renumber(numbers);
  }

  /// Returns the rank whose box contains each particle. Throws if particles are bad.
  template <class Real>
  static std::vector<int> owners(const HostExec& exec, const Box<D>& box, const RankBoxes<D>& boxes, int rank,
                                 const Particles<Real, D>& p, const std::int64_t*) {
    return owners_of(exec, box, boxes, rank, p);
  }

  Routes& routes() { return routes_; }

 private:
  struct Part {
    InputSummary<D> input;
    std::vector<offset_t> last;  // last particle that went to each rank
  };

  template <class Real>
  static void find(const Box<D>& box, const RankBoxes<D>& boxes, const Particles<Real, D>& p, offset_t i, double margin,
                   std::vector<offset_t>& last, std::vector<Routes::Send>& found) {
    const Vec<double, D> x = into_box(box, p.position_of(i)).inside;
    const Body<D> known = known_within(box, x, body_of(p, i), margin);
    for_each_image_near(box, x, known.half, [&](const Vec<double, D>& image) {
      const auto is_met = [&](const RankBox<D>& of_rank) { return known.meets(of_rank, image); };
      boxes.for_each_where(is_met, [&](int rank) {
        offset_t& before = last[static_cast<std::size_t>(rank)];
        if (before < i) before = i, found.push_back({rank, static_cast<index_t>(i)});
      });
    });
  }

  std::vector<Part> parts_;
  std::vector<std::vector<Routes::Send>> found_;
  Routes routes_;
};

/// Checks the number of ids on a device. Their signs are checked together with the particles.
template <class Exec>
void check_ids(const DeviceVector<Exec, std::int64_t>& id, offset_t particles) {
  require_id_count(static_cast<std::int64_t>(id.size()), particles);
}

/// Particles of a device that the host must check, in host memory and in order.
template <class Exec, int D>
class DeviceBorder {
 public:
  explicit DeviceBorder(const Exec& exec) : exec_(exec), few_(exec) {}

  /// Finds these particles. Throws `range_error` for a negative id. Waits.
  template <class Real>
  void find(const Interior<D>& interior, const Particles<Real, D>& p, const std::int64_t* id) {
    reserve_all(exec_, Need{place_, with_margin(p.count + 1, place_.size())});
    exec_.template reserve_scan<offset_t>(p.count);
    exec_.for_each("hgrid::mark_border", p.count, MarkBorder<Real, D>{p, id, interior, place_.data()});
    exec_.exclusive_scan("hgrid::scan_border", place_.data(), p.count);
    const offset_t count = exec_.read_back(static_cast<const offset_t*>(place_.data()) + p.count);
    records_ = {nullptr, sizes_of(p), 2};
    const auto words = static_cast<std::size_t>(count * records_.words_each());
    few_.reserve(words);
    records_.words = few_.there();
    exec_.for_each("hgrid::take_border", p.count, TakeBorder<Real, D>{p, id, place_.data(), records_});
    few_.fetch(words);
    records_.words = few_.here();
    ids_.clear(), numbers_.clear();
    for (offset_t k = 0; k < count; ++k) {
      const Word* const ids = records_.ids_of(k);
      if (ids[0].id < 0) throw_negative_id(ids[1].id, ids[0].id);
      ids_.push_back(ids[0].id), numbers_.push_back(static_cast<index_t>(ids[1].id));
    }
  }

  Particles<double, D> particles() const {
    static_assert(sizeof(Word) == sizeof(double));
    const auto count = static_cast<offset_t>(numbers_.size());
    if (count == 0) return particles_of_width<D, double>(nullptr, nullptr, static_cast<std::size_t>(records_.sizes), 0);
    const double* const x = &records_.words->number;
    auto p = particles_of_width<D>(x, x + D, static_cast<std::size_t>(records_.sizes), count);
    p.stride = p.radius_stride = p.extent_stride = records_.words_each();
    return p;
  }
  const std::vector<std::int64_t>& ids() const { return ids_; }
  /// Returns their indices among all particles.
  const std::vector<index_t>& numbers() const { return numbers_; }

 private:
  Exec exec_;
  typename Exec::template Buffer<offset_t> place_;
  Staged<Exec, Word> few_;
  BodyRecords<D> records_{};  // in host memory
  std::vector<std::int64_t> ids_;
  std::vector<index_t> numbers_;
};

/// GhostSearch for a device. It checks only the border particles on the host.
template <class Exec, int D>
class DeviceGhostSearch {
 public:
  explicit DeviceGhostSearch(const Exec& exec) : border_(exec) {}

  template <class Real>
  void run(const Exec&, const Box<D>& box, const RankBoxes<D>& boxes, const Communicator& comm, const Particles<Real, D>& p,
           const std::int64_t* id, double skin, double margin) {
    border_.find({box, boxes.of_ranks()[static_cast<std::size_t>(comm.rank())], skin, margin}, p, id);
    search_.run(SerialExec{}, box, boxes, comm, border_.particles(), border_.ids().data(), skin, margin,
                border_.numbers().data());
  }

  template <class Real>
  std::vector<int> owners(const Exec&, const Box<D>& box, const RankBoxes<D>& boxes, int rank, const Particles<Real, D>& p,
                          const std::int64_t* id) {
    check_arguments(p, 0);
    border_.find({box, boxes.of_ranks()[static_cast<std::size_t>(rank)], 0, 0}, p, id);
    const auto& numbers = border_.numbers();
    const auto of_border = owners_of(SerialExec{}, box, boxes, rank, border_.particles(), numbers.data());
    std::vector<int> owners(static_cast<std::size_t>(p.count), rank);
    for (std::size_t k = 0; k < numbers.size(); ++k) owners[static_cast<std::size_t>(numbers[k])] = of_border[k];
    return owners;
  }

  Routes& routes() { return search_.routes(); }

 private:
  DeviceBorder<Exec, D> border_;
  GhostSearch<D> search_;
};

/// Records of the particles that other ranks need, packed in the memory of the particles.
template <class Exec, int D>
class GhostMail {
 public:
  GhostMail(const Exec& exec, bool directly) : exec_(exec), ids_(rank_array<Exec, index_t>(exec)), words_(exec, directly) {}

  template <class Real>
  void pack(const Particles<Real, D>& p, const std::int64_t* id, int ids, const Routes& routes) {
    const std::size_t count = routes.ids().size();
    BodyRecords<D> records{nullptr, sizes_of(p), ids};
    const auto each = static_cast<std::size_t>(records.words_each());
    words_.reserve(count * each);
    records.words = words_.there();
    if constexpr (!Exec::on_host) ids_.assign(routes.ids());
    const index_t* const some = Exec::on_host ? routes.ids().data() : std::as_const(ids_).data();
    exec_.for_each("hgrid::pack_ghosts", static_cast<offset_t>(count), PackGhosts<Real, D>{p, id, some, records});
    const Word* const words = words_.fetch(count * each);
    parcels_.clear();
    for (const Routes::Way& way : routes.sends()) {
      parcels_.push_back({way.rank, reinterpret_cast<const std::byte*>(words + way.first * each), way.count});
    }
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }
  /// Returns, on a device, the particles that are sent, by rank.
  RankArray<Exec, index_t>& ids() { return ids_; }

 private:
  Exec exec_;
  RankArray<Exec, index_t> ids_;
  Staged<Exec, Word> words_;
  std::vector<Parcel> parcels_;
};

}  // namespace hgrid::inline v0_2::detail
