// SPDX-License-Identifier: BSD-3-Clause
// Random systems on ranks against brute force: contacts, neighbors, fields that go to ghosts and come back.
#include <atomic>
#include <mutex>

#include "ranks/systems.hpp"
#include "support/region_cases.hpp"

namespace {

using support::Contacts;

/// One system on all ranks.
template <class Real, int D>
class System {
 public:
  explicit System(std::uint64_t seed)
      : seed_(seed),
        system_(support::system_for_ranks(seed, seed % 2 == 1)),
        grid_(hgrid::OpenMPExec(1 + static_cast<int>(seed / 2 % 2)), support::box_of<D>(system_), MPI_COMM_WORLD,
              {.rule = static_cast<hgrid::Rule>(system_.rule)}) {}

  /// Returns the difference on this rank, or nothing. All ranks make equal calls, with a difference or without.
  std::string difference() {
    share_ = support::share_of<Real, D>(system_, seed_);
    grid_.rebalance(share_.x, share_.sizes());
    if (seed_ % 3 == 0) {
      support::put_on_cuts<Real, D>(system_, seed_, grid_.boxes());
      share_ = support::share_of<Real, D>(system_, seed_);
    }
    expected_ = support::numbered(oracle::contacts(system_), seed_);
    build("where particles are anywhere");
    migrate();
    build("after migration");
    ask_neighbours();
    if (!system_.extended) ask_regions();
    send_fields();
    grid_.rebalance(share_.x, share_.sizes());
    migrate();
    build("after another rebalance, by work");
    change_box();
    return difference_;
  }
  std::size_t contacts() const { return expected_.size(); }

 private:
  void differs(const std::string& what) { difference_ += what + " on rank " + std::to_string(support::this_rank()) + "; "; }

  void build(const char* when) {
    const bool labelled = seed_ % 2 == 1;
    grid_.build(share_.x, share_.sizes(), share_.id, {.skin = system_.skin},
                labelled ? share_.labels(system_) : hgrid::RankLabels<hgrid::OpenMPExec>{});
    if (support::contacts_of_ranks(grid_) != expected_) differs(std::string("contacts ") + when);
    const auto even = [this](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) {
      return (grid_.ids()[static_cast<std::size_t>(i)] + grid_.ids()[static_cast<std::size_t>(j)]) % 2 == 0;
    };
    Contacts confirmed;
    std::ranges::copy_if(expected_, std::back_inserter(confirmed), [](const auto& c) { return (c.i + c.j) % 2 == 0; });
    if (support::contacts_of_ranks(grid_, hgrid::only(even)) != confirmed) differs(std::string("confirmed contacts ") + when);
  }

  void migrate() {
    std::vector<std::int64_t> copy = share_.id;
    std::vector<float> two;
    for (const std::int64_t id : share_.id) two.push_back(static_cast<float>(id % 1000)), two.push_back(1);
    grid_.migrate(share_.x, share_.sizes(), share_.id, copy, hgrid::Field{two, 2}, share_.group, share_.type,
                  share_.partners());
    if (copy != share_.id || two.size() != 2 * copy.size()) differs("payload");
    for (std::size_t i = 0; i < copy.size(); ++i) {
      if (two[2 * i] != static_cast<float>(copy[i] % 1000) || two[2 * i + 1] != 1) differs("payload of width 2");
    }
    for (std::size_t i = 0; i < share_.id.size(); ++i) {
      hgrid::Vec<double, D> x;
      for (int k = 0; k < D; ++k) x[k] = share_.x[D * i + static_cast<std::size_t>(k)];
      const auto& own = grid_.boxes()[static_cast<std::size_t>(support::this_rank())];
      if (!own.owns(hgrid::wrap(grid_.box(), x).inside)) differs("a particle beyond the box of its rank");
    }
  }

  // The box tilts, or also grows, between two builds. The first build stands until the next one.
  void change_box() {
    support::change_box(system_, seed_);
    const auto before = grid_.boxes();
    grid_.set_box(support::box_of<D>(system_));
    if (support::contacts_of_ranks(grid_) != expected_) differs("contacts of the last build in another box");
    expected_ = support::numbered(oracle::contacts(system_), seed_);
    build("in another box");
    if ((grid_.boxes() == before) != (seed_ % 2 == 0 || !grid_.box().any_periodic())) differs("boxes of ranks");
    migrate();
    build("in another box, after migration");
  }

  void ask_neighbours() {
    hgrid::GlobalNeighbours list;
    grid_.find(list);
    std::vector<hgrid::GlobalContact> mine;
    for (std::size_t i = 0; i < share_.id.size(); ++i) {
      for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
        mine.push_back({share_.id[i], list.ids[static_cast<std::size_t>(k)], list.images[static_cast<std::size_t>(k)]});
      }
    }
    Contacts all;
    for (const hgrid::GlobalContact& c : support::gathered(mine)) all.push_back(support::as_oracle(c));
    if (support::sorted(all) != oracle::from_both_sides(expected_)) differs("neighbours");
  }

  void ask_regions() {
    support::Random random(seed_ + 5), own_random(seed_ + 6 + static_cast<std::uint64_t>(support::this_rank()));
    const auto same = support::draw_regions<D>(system_, random), own = support::draw_regions<D>(system_, own_random);
    hgrid::DistributedQueries queries(grid_);
    for (const hgrid::Take take : {hgrid::Take::touching, hgrid::Take::centres}) {
      std::vector<hgrid::GlobalContact> mine;
      std::mutex mutex;
      const auto visit = [&](hgrid::index_t region, hgrid::index_t id, const hgrid::Image& image) {
        const std::lock_guard lock(mutex);
        mine.push_back({region, grid_.ids()[static_cast<std::size_t>(id)], image});
      };
      queries.for_each(same, visit, take);
      if (as_contacts(support::gathered(mine)) != regions_of_one(same, take)) differs("regions that all ranks ask");

      hgrid::GlobalNeighbours list;
      queries.find(own, list, take);
      mine.clear();
      for (std::size_t q = 0; q < own.size(); ++q) {
        for (hgrid::offset_t k = list.offsets[q]; k < list.offsets[q + 1]; ++k) {
          const auto at = static_cast<std::size_t>(k);
          mine.push_back({static_cast<std::int64_t>(q), list.ids[at], list.images[at]});
        }
      }
      if (as_contacts(mine) != regions_of_one(own, take)) differs("regions of a rank");
    }
  }

  Contacts regions_of_one(const std::vector<hgrid::Region<D>>& regions, hgrid::Take take) const {
    Contacts found = support::in_regions<D>(system_, regions, take);
    for (oracle::Contact& c : found) c.j = support::global_id(seed_, static_cast<std::size_t>(c.j));
    return support::sorted(found);
  }
  static Contacts as_contacts(const std::vector<hgrid::GlobalContact>& found) {
    Contacts contacts;
    for (const hgrid::GlobalContact& c : found) contacts.push_back(support::as_oracle(c));
    return support::sorted(contacts);
  }

  void send_fields() {
    std::vector<Real> x = share_.x;
    grid_.update(hgrid::Field{x, D});
    std::vector<std::int64_t> owner(share_.id.size(), support::this_rank());
    grid_.update(owner);
    for (hgrid::index_t k = 0; k < grid_.held(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      for (int a = 0; a < D; ++a) {
        if (x[D * at + static_cast<std::size_t>(a)] != grid_.positions()[D * at + static_cast<std::size_t>(a)])
          differs("positions of ghosts");
      }
      if (owner[at] != grid_.owner(k)) differs("owners of ghosts");
    }
    std::vector<std::int32_t> ones(static_cast<std::size_t>(grid_.held()));
    grid_.for_each_contact([&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) {
      for (const hgrid::index_t k : {i, j}) ++std::atomic_ref(ones[static_cast<std::size_t>(k)]);
    });
    grid_.add_back(ones);
    std::vector<std::array<std::int64_t, 2>> mine;
    for (std::size_t i = 0; i < share_.id.size(); ++i) mine.push_back({share_.id[i], ones[i]});
    auto sums = support::gathered(mine);
    std::ranges::sort(sums);
    std::vector<std::array<std::int64_t, 2>> counts;
    for (std::size_t i = 0; i < system_.particles.size(); ++i) counts.push_back({support::global_id(seed_, i), 0});
    const std::int64_t first = support::global_id(seed_, 0);
    for (const oracle::Contact& c : expected_) {
      ++counts[static_cast<std::size_t>((c.i - first) / 3)][1], ++counts[static_cast<std::size_t>((c.j - first) / 3)][1];
    }
    if (sums != counts) differs("ones that came back");
  }

  std::uint64_t seed_;
  oracle::System system_;
  hgrid::DistributedGrid<hgrid::OpenMPExec, D> grid_;
  support::Share<Real, D> share_;
  Contacts expected_;
  std::string difference_;
};

TEST(RandomSystemsOnRanks, HaveTheContactsOfOne) {
  support::expect_systems_of_ranks([]<class Real, int D>(std::uint64_t seed, std::size_t& contacts) {
    System<Real, D> system(seed);
    const std::string difference = system.difference();
    contacts += system.contacts();
    return difference;
  });
}

}  // namespace
