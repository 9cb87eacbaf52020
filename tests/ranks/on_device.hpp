// SPDX-License-Identifier: BSD-3-Clause
// Particles of ranks that lie on a device: random systems against brute force, and against ranks on the host, whose sums have
// equal bits.
#pragma once

#include <array>

#include "ranks/device_lists.hpp"
#include "support/random_suite.hpp"
#include "support/region_cases.hpp"

namespace support {

/// A user's functor that sees a contact on the device.
template <class Exec>
struct CountBoth {
  std::int32_t* contacts;

  HGRID_HD void operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) const {
    Exec::atomic_add(&contacts[i], 1);
    Exec::atomic_add(&contacts[j], 1);
  }
};

/// A user's functor that records which particles of regions it sees on the device.
template <class Exec>
struct NoteVisits {
  hgrid::detail::NeighbourRecord* visits;
  hgrid::offset_t* count;

  HGRID_HD void operator()(hgrid::index_t region, hgrid::index_t id, const hgrid::Image& image) const {
    visits[Exec::atomic_add(count, hgrid::offset_t{1})] = {region, image, id};
  }
};

/// One system on all ranks, with particles on devices.
template <class Exec, class Real, int D>
class DeviceSystem {
 public:
  DeviceSystem(const Exec& exec, std::uint64_t seed)
      : seed_(seed),
        system_(system_for_ranks(seed, seed % 2 == 1)),
        share_(share_of<Real, D>(system_, seed)),
        there_(exec, share_, system_),
        grid_(exec, box_of<D>(system_), MPI_COMM_WORLD, options()),
        host_(hgrid::SerialExec{}, box_of<D>(system_), MPI_COMM_WORLD, options()) {}

  /// Returns the difference on this rank, or nothing. All ranks make equal calls, with a difference or without.
  std::string difference() {
    expected_ = numbered(oracle::contacts(system_), seed_);
    // A few particles and their images, which one thread of a device meets, take too long where devices are not real.
    if (expected_.size() > 100 * system_.particles.size()) return expected_.clear(), std::string();
    grid_.rebalance(there_.x, there_.sizes()), host_.rebalance(share_.x, share_.sizes());
    build("where particles are anywhere");
    migrate();
    build("after migration");
    ask_neighbours();
    if (!system_.extended) ask_regions();
    if (system_.types == 0) ask_for_another_set();
    send_fields();
    cut_by_work();
    if (!values_follow(grid_, there_, system_, expected_)) differs("a list, or values of its pairs");
    return difference_;
  }
  std::size_t contacts() const { return expected_.size(); }
  std::size_t asked() const { return asked_; }

 private:
  hgrid::GridOptions options() const { return {.rule = static_cast<hgrid::Rule>(system_.rule)}; }
  void differs(const std::string& what) { difference_ += what + " on rank " + std::to_string(this_rank()) + "; "; }

  void build(const char* when) {
    with_messages_of_device(
        [&] { grid_.build(there_.x, there_.sizes(), there_.id, {.skin = system_.skin}, there_.labels(system_)); });
    host_.build(share_.x, share_.sizes(), share_.id, {.skin = system_.skin},
                share_.template labels<hgrid::SerialExec>(system_));
    if (contacts_of_ranks(grid_) != expected_) differs(std::string("contacts ") + when);
    if (grid_.ids().on_host() != host_.ids() || grid_.positions().on_host() != host_.positions() ||
        grid_.radii().on_host() != host_.radii() || grid_.extents().on_host() != host_.extents()) {
      differs(std::string("particles that are held ") + when);
    }
    for (hgrid::index_t k = 0; k < std::min(grid_.held(), host_.held()); ++k) {
      if (grid_.owner(k) != host_.owner(k)) differs("an owner");
    }
  }

  // Entries of whole words, and of three bytes.
  void migrate() {
    std::vector<std::array<char, 3>> bytes;
    std::vector<float> two;
    for (const std::int64_t id : share_.id) {
      const auto low = static_cast<char>(id % 100);
      bytes.push_back({low, 7, static_cast<char>(-low)});
      two.push_back(static_cast<float>(id % 1000)), two.push_back(0.5F);
    }
    hgrid::DeviceVector there_bytes(grid_.exec(), bytes);
    hgrid::DeviceVector there_two(grid_.exec(), two);
    with_messages_of_device([&] {
      grid_.migrate(there_.x, there_.sizes(), there_.id, there_bytes, hgrid::Field{there_two, 2}, there_.group, there_.type,
                    there_.partners());
    });
    host_.migrate(share_.x, share_.sizes(), share_.id, bytes, hgrid::Field{two, 2}, share_.group, share_.type,
                  share_.partners());
    if (there_.x.on_host() != share_.x || there_.r.on_host() != share_.r || there_.id.on_host() != share_.id)
      differs("particles that have migrated");
    if (there_bytes.on_host() != bytes || there_two.on_host() != two) differs("fields that have migrated");
  }

  void ask_neighbours() {
    hgrid::GlobalNeighbours list, of_host;
    grid_.find(list), host_.find(of_host);
    if (!same(list, of_host)) differs("neighbours");
  }

  void ask_regions() {
    Random random(seed_ + 5), own_random(seed_ + 6 + static_cast<std::uint64_t>(this_rank()));
    const auto all = draw_regions<D>(system_, random), own = draw_regions<D>(system_, own_random);
    hgrid::DistributedQueries queries(grid_);
    hgrid::DistributedQueries queries_of_host(host_);
    const hgrid::DeviceVector there_all(grid_.exec(), all), there_own(grid_.exec(), own);
    for (const hgrid::Take take : {hgrid::Take::touching, hgrid::Take::centres}) {
      std::vector<hgrid::GlobalContact> of_host;
      queries_of_host.for_each(
          all,
          [&](hgrid::index_t q, hgrid::index_t id, const hgrid::Image& m) {
            of_host.push_back({q, id, m});
          },
          take);
      expect_visits(of_host, "regions that all ranks ask", [&](const auto& f) { queries.for_each(there_all, f, take); });

      hgrid::GlobalNeighbours list, list_of_host;
      queries.find(there_own, list, take), queries_of_host.find(own, list_of_host, take);
      if (!same(list, list_of_host)) differs("regions of a rank");
      asked_ += list.ids.size();
    }
  }

  // Queries with every other particle of a rank for all particles that touch it.
  void ask_for_another_set() {
    Share<Real, D> some;
    some.width = share_.width;
    for (std::size_t i = 0; i < share_.id.size(); i += 2) {
      some.id.push_back(share_.id[i]);
      some.x.insert(some.x.end(), &share_.x[D * i], &share_.x[D * i] + D);
      some.r.insert(some.r.end(), &share_.r[some.width * i], &share_.r[some.width * i] + some.width);
    }
    DeviceShare<Exec, Real, D> there(grid_.exec(), some, system_);
    hgrid::DistributedGrid<Exec, D> asking(grid_.exec(), grid_.box(), MPI_COMM_WORLD, options());
    hgrid::DistributedGrid<hgrid::SerialExec, D> asking_on_host(hgrid::SerialExec{}, grid_.box(), MPI_COMM_WORLD, options());
    asking.take_cuts(grid_), asking_on_host.take_cuts(host_);
    asking.build(there.x, there.sizes(), there.id), asking_on_host.build(some.x, some.sizes(), some.id);
    hgrid::DistributedQueries queries(grid_);
    hgrid::DistributedQueries queries_of_host(host_);
    std::vector<hgrid::GlobalContact> of_host;
    queries_of_host.for_each(asking_on_host, [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& m) {
      of_host.push_back({i, j, m});
    });
    expect_visits(of_host, "particles of another set", [&](const auto& f) { queries.for_each(asking, f); });
    if (as_listed(grid_.exec(), queries.find(asking)) != as_listed(queries_of_host.find(asking_on_host)))
      differs("lists of another set");
    hgrid::GlobalNeighbours list, list_of_host;
    queries.find(asking, list), queries_of_host.find(asking_on_host, list_of_host);
    if (!same(list, list_of_host)) differs("lists of another set by global ids");
  }

  // Expects the contacts that a user's functor sees on the device; ask(f) runs the query.
  template <class Ask>
  void expect_visits(std::vector<hgrid::GlobalContact> expected, const char* what, const Ask& ask) {
    hgrid::DeviceVector notes(grid_.exec(), std::vector<hgrid::detail::NeighbourRecord>(expected.size() + 100));
    hgrid::DeviceVector count(grid_.exec(), std::vector<hgrid::offset_t>{0});
    ask(NoteVisits<Exec>{notes.data(), count.data()});
    std::vector<hgrid::GlobalContact> visits;
    const auto visited = static_cast<std::size_t>(count.on_host()[0]);
    for (const auto& note : notes.on_host()) visits.push_back({note.particle, note.neighbour, note.image});
    visits.resize(std::min(visited, visits.size()));
    std::ranges::sort(visits, std::less<hgrid::GlobalContact>());
    std::ranges::sort(expected, std::less<hgrid::GlobalContact>());
    if (visited != expected.size() || visits != expected) differs(what);
  }

  static bool same(const hgrid::GlobalNeighbours& a, const hgrid::GlobalNeighbours& b) {
    return a.offsets == b.offsets && a.ids == b.ids && a.images == b.images;
  }

  void send_fields() {
    const Exec& exec = grid_.exec();
    std::vector<Real> x = share_.x;
    hgrid::DeviceVector there_x(exec, x);
    with_messages_of_device([&] { grid_.update(hgrid::Field{there_x, D}); });
    host_.update(hgrid::Field{x, D});
    if (there_x.on_host() != x) differs("positions of ghosts");

    Random random(seed_ + 17 + static_cast<std::uint64_t>(this_rank()));
    std::vector<double> sums;
    for (hgrid::index_t k = 0; k < 3 * grid_.held(); ++k) sums.push_back(random.real(-1, 1));
    hgrid::DeviceVector there_sums(exec, sums);
    with_messages_of_device([&] { grid_.add_back(hgrid::Field{there_sums, 3}); });
    host_.add_back(hgrid::Field{sums, 3});
    if (there_sums.on_host() != sums) differs("sums that came back, which have the same bits");

    std::vector<std::int32_t> counts(static_cast<std::size_t>(grid_.owned()));
    std::vector<std::int64_t> all;
    for (const oracle::Contact& c : expected_) all.push_back(c.i), all.push_back(c.j);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = static_cast<std::int32_t>(std::count(all.begin(), all.end(), share_.id[i]));
    const auto expect_counts = [&](const char* what, const auto& visit) {
      hgrid::DeviceVector ones(exec, std::vector<std::int32_t>(static_cast<std::size_t>(grid_.held())));
      visit(CountBoth<Exec>{ones.data()});
      with_messages_of_device([&] { grid_.add_back(ones); });
      auto counted = ones.on_host();
      counted.resize(counts.size());
      if (counted != counts) differs(what);
    };
    expect_counts("contacts that a functor has counted", [&](const auto& f) { grid_.for_each_contact(f); });
    for (int time = 0; time < 2; ++time) {  // the first time there is no room for contacts with ghosts
      expect_counts("contacts that were counted while positions were under way", [&](const auto& f) {
        with_messages_of_device([&] { grid_.update_and_visit(hgrid::Field{there_x, D}, f); });
      });
    }
    if (there_x.on_host() != x) differs("positions of ghosts that came during a search");
  }

  // Devices plan other levels than hosts, so that their work and hence their cuts differ.
  void cut_by_work() {
    grid_.rebalance(there_.x, there_.sizes());
    hgrid::DeviceVector copy(grid_.exec(), there_.id.on_host());
    grid_.migrate(there_.x, there_.sizes(), there_.id, copy, there_.group, there_.type, there_.partners());
    if (copy.on_host() != there_.id.on_host()) differs("ids that have migrated twice");
    grid_.build(there_.x, there_.sizes(), there_.id, {.skin = system_.skin}, there_.labels(system_));
    if (contacts_of_ranks(grid_) != expected_) differs("contacts after another rebalance");
  }

  std::uint64_t seed_;
  oracle::System system_;
  Share<Real, D> share_;
  DeviceShare<Exec, Real, D> there_;
  hgrid::DistributedGrid<Exec, D> grid_;
  hgrid::DistributedGrid<hgrid::SerialExec, D> host_;
  Contacts expected_;
  std::string difference_;
  std::size_t asked_ = 0;  // particles of regions
};

/// `exec(seed)` makes the executor of a system.
template <class MakeExec>
void expect_systems_on_devices(std::uint64_t systems, const MakeExec& exec) {
  const std::uint64_t seed = from_environment("HGRID_SEED", 20261124);
  systems = from_environment("HGRID_DEVICE_SYSTEMS", systems);
  std::size_t contacts = 0, asked = 0;
  const auto difference = [&]<class Real, int D>(std::uint64_t of) {
    DeviceSystem<decltype(exec(of)), Real, D> system(exec(of), of);
    const std::string found = system.difference();
    contacts += system.contacts(), asked += system.asked();
    return found;
  };
  for (std::uint64_t k = seed; k < seed + systems; ++k) {
    Random random(k);
    const Choice choice = draw_choice(random);
    const bool floats = choice[real] == 1, flat = choice[dimension] == 0;
    const std::string found =
        flat     ? floats ? difference.template operator()<float, 2>(k) : difference.template operator()<double, 2>(k)
            : floats ? difference.template operator()<float, 3>(k)
                 : difference.template operator()<double, 3>(k);
    if (!found.empty()) std::cerr << found << std::endl;  // only rank 0 writes results of tests
    if (!everywhere(found.empty())) {
      FAIL() << "system " << k - seed << "; again with HGRID_SEED=" << k << " HGRID_DEVICE_SYSTEMS=1\n" << found;
    }
  }
  EXPECT_GT(contacts, systems);
  EXPECT_GT(asked, systems);
  if (this_rank() == 0) std::cout << systems << " systems, " << contacts << " contacts, on " << all_ranks() << " ranks\n";
}

}  // namespace support
