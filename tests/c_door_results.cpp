// SPDX-License-Identifier: BSD-3-Clause
// The C API gives the results of the C++ library, byte for byte, on random systems: results, reports and errors.
#include <optional>

#include "hgrid/queries.hpp"
#include "support/c_door.hpp"
#include "support/random_suite.hpp"
#include "support/region_cases.hpp"

namespace {

using support::Case;
using support::sized;
using support::Verdict;
using support::verdict_of;
using support::verdict_of_door;

template <class Real, int D>
class Comparison {
 public:
  explicit Comparison(const Case& c)
      : c_(c), options_(support::options_of(c)), arrays_(c.system, c.choice[support::layout], c.choice[support::exclusions]) {
    options_.costs = {}, options_.sort = {}, options_.schedule = hgrid::Schedule::fast;  // which the C API leaves alone
  }

  /// Returns the difference, or nothing. Counts the systems that could be built, and their contacts.
  std::string operator()(int& built, hgrid::offset_t& contacts) {
    compare("create", verdict_of([&] { grid_.emplace(hgrid::OpenMPExec(2), box_of(c_.system), options_); }), create());
    if (!grid_ || !set_boxes()) return differences_;
    if (!c_.warm_up.particles.empty()) {
      const support::UserArrays<Real, D> first(c_.warm_up);
      build("warm-up", first.view(), c_.warm_up.skin);
    }
    if (!build("build", arrays_.view(), c_.system.skin)) return differences_;
    ++built;
    std::int64_t n = 0;
    compare("count", verdict_of([&] { contacts += grid_->count(); }), hgrid_count(door_.grid, &n));
    compare_pairs(hgrid::Order::fixed, HGRID_FIXED), compare_pairs(hgrid::Order::sorted, HGRID_SORTED);
    compare_neighbours(hgrid::ListKind::half, HGRID_HALF), compare_neighbours(hgrid::ListKind::full, HGRID_FULL);
    compare_packed(hgrid::ListKind::half, HGRID_HALF), compare_packed(hgrid::ListKind::full, HGRID_FULL);
    compare_pairs_into<std::int32_t>(), compare_pairs_into<std::int64_t>();
    compare_matrix<std::int32_t>(hgrid::ListKind::half), compare_matrix<std::int64_t>(hgrid::ListKind::full);
    compare_queries(), compare_reports(), compare_validity();
    return differences_;
  }

 private:
  void expect(const std::string& what, bool same) {
    if (!same) differences_ += what + " differs\n";
  }
  bool compare(const std::string& what, const Verdict& expected, int status) {
    const Verdict got = verdict_of_door(status);
    if (!(got == expected)) differences_ += what + ": '" + got.message + "' instead of '" + expected.message + "'\n";
    return expected.status == HGRID_OK && status == HGRID_OK;
  }

  // Otherwise positions are one array whose rows lie far apart.
  bool in_columns() const { return c_.choice[support::layout] == support::values::columns && c_.seed % 2 == 0; }

  static hgrid::Box<D> box_of(const oracle::Domain& s) {
    if (!s.turned) return support::box_of<D>(s);
    hgrid::Vec<bool, D> periodic;
    hgrid::Vec<double, D> origin;
    for (int k = 0; k < D; ++k) periodic[k] = s.periodic[k], origin[k] = s.lo[k];
    return hgrid::box_of_vectors<D>(support::vectors_of<D>(s), periodic, origin);
  }

  static hgrid_box c_box_of(const oracle::Domain& s, const hgrid::Vec<hgrid::Vec<double, D>, D>& vectors) {
    auto box = sized<hgrid_box>();
    for (int k = 0; k < D; ++k) box.periodic[k] = s.periodic[k], box.lo[k] = s.lo[k], box.hi[k] = s.turned ? 0 : s.hi[k];
    for (int j = 1; j < D && !s.turned; ++j) {
      for (int k = 0; k < j; ++k) box.tilt[j + k - 1] = s.periodic[j] ? s.tilt[j + k - 1] : 0;
    }
    if (s.turned) box.vectors = &vectors[0][0];
    return box;
  }

  // The boxes of the worlds, if they have some.
  bool set_boxes() {
    std::vector<hgrid::Vec<hgrid::Vec<double, D>, D>> vectors;
    for (const oracle::Domain& box : c_.system.boxes) vectors.push_back(support::vectors_of<D>(box));
    std::vector<hgrid_box> boxes;
    for (const oracle::Domain& box : c_.system.boxes) boxes.push_back(c_box_of(box, vectors[boxes.size()]));
    const auto expected = verdict_of([&] {
      std::vector<hgrid::Box<D>> all;
      for (const oracle::Domain& box : c_.system.boxes) all.push_back(box_of(box));
      grid_->set_boxes(all);
    });
    return compare("boxes", expected, hgrid_set_boxes(door_.grid, boxes.data(), static_cast<std::int64_t>(boxes.size())));
  }

  int create() {
    const auto vectors = support::vectors_of<D>(c_.system);
    const hgrid_box box = c_box_of(c_.system, vectors);
    auto options = sized<hgrid_options>();
    options.dimension = D, options.threads = c_.choice[support::workers] == 0 ? HGRID_SERIAL : c_.choice[support::workers];
    options.rule = static_cast<int>(options_.rule);
    options.direction = options_.direction ? 1 + static_cast<int>(*options_.direction) : 0;
    options.keys = options_.keys ? 1 + static_cast<int>(*options_.keys) : 0;
    options.table = options_.table ? 1 + static_cast<int>(*options_.table) : 0;
    std::vector<hgrid_level_spec> levels;
    for (const hgrid::LevelSpec& l : options_.levels) {
      levels.push_back({l.radius_max, {l.cell_size[0], l.cell_size[1], l.cell_size[2]}});
    }
    options.levels = levels.empty() ? nullptr : levels.data(), options.level_count = static_cast<std::int64_t>(levels.size());
    return hgrid_create(&options, &box, &door_.grid);
  }

  bool build(const char* what, const hgrid::Particles<Real, D>& p, double skin) {
    const hgrid_particles given = support::c_particles(p, in_columns());
    return compare(what, verdict_of([&] { grid_->build(p, {.skin = skin}); }), hgrid_build(door_.grid, &given, skin));
  }

  void compare_pairs(hgrid::Order order, int door_order) {
    auto list = grid_->make_pairs();
    auto view = sized<hgrid_pair_list>();
    if (!compare("pairs", verdict_of([&] { grid_->find(list, {.order = order}); }), hgrid_pairs(door_.grid, door_order, &view)))
      return;
    expect("pairs", view.size == list.size() && (view.size == 0 || (view.images != nullptr) == list.has_images()) &&
                        support::same_bytes(list.pairs(), view.pairs, view.size) &&
                        support::same_bytes(list.images(), view.images, view.size));
  }

  void compare_neighbours(hgrid::ListKind kind, int door_kind) {
    auto list = grid_->make_list(kind);
    auto view = sized<hgrid_neighbour_list>();
    if (!compare("neighbours", verdict_of([&] { grid_->find(list); }), hgrid_neighbours(door_.grid, door_kind, &view))) {
      return;
    }
    expect_list("neighbours", list, view);
  }

  void compare_packed(hgrid::ListKind kind, int door_kind) {
    auto list = grid_->make_packed_list(kind);
    auto view = sized<hgrid_packed_list>();
    if (!compare("packed", verdict_of([&] { grid_->find(list); }), hgrid_packed_neighbours(door_.grid, door_kind, &view))) {
      return;
    }
    expect("packed", view.lists == list.lists() && view.size == list.size() && (view.periodic != 0) == list.has_images() &&
                         support::same_bytes(list.offsets(), view.offsets, view.lists + 1) &&
                         support::same_bytes(list.neighbours(), view.entries, view.size) &&
                         (view.periods != nullptr) == (list.periods() != nullptr) &&
                         support::same_bytes(list.periods(), view.periods, view.periods == nullptr ? 0 : view.lists));
    for (std::int64_t k = 0; k < view.size; ++k) {
      const std::uint64_t entry = view.entries[k];
      expect("a packed neighbour", HGRID_PACKED_NEIGHBOUR(entry) == list.neighbours()[k].neighbour());
      for (int axis = 0; axis < 3; ++axis) {
        expect("a packed image", HGRID_PACKED_IMAGE(entry, axis) == list.neighbours()[k].inside()[axis]);
      }
    }
  }

  template <class Exec>
  void expect_list(const char* what, const hgrid::NeighbourList<Exec>& list, const hgrid_neighbour_list& view) {
    expect(what, view.lists == list.lists() && view.size == list.size() &&
                     (view.size == 0 || (view.images != nullptr) == list.has_images()) &&
                     support::same_bytes(list.offsets(), view.offsets, view.lists + 1) &&
                     support::same_bytes(list.neighbours(), view.neighbours, view.size) &&
                     support::same_bytes(list.images(), view.images, view.size));
  }

  // Makes two columns in the caller's memory, one number apart. The memory after them must stay as it is.
  template <class Integer>
  void compare_pairs_into() {
    std::int64_t n = 0;
    if (hgrid_count(door_.grid, &n) != HGRID_OK) return;
    const auto room = static_cast<std::size_t>(n);
    std::vector<Integer> expected(3 * room + 3, 77), got = expected;
    std::vector<hgrid::Image> images(room + 1, {{7, 7, 7}}), door_images = images;
    for (const std::int64_t given : {n - 1, n}) {
      if (given < 0) continue;
      hgrid::PairColumns<Integer> columns{expected.data(), expected.data() + 2, 3, images.data(), given};
      const hgrid_array ids = support::c_array(got.data(), {given, 2}, {3, 2});
      const hgrid_array shifts = support::c_array(&door_images[0].m[0], {given, 3});
      std::int64_t count = -5;
      compare("pairs into", verdict_of([&] { grid_->find(columns); }), hgrid_pairs_into(door_.grid, &ids, &shifts, &count));
      expect("pairs into", count == n && got == expected && images == door_images);
    }
  }

  template <class Integer>
  void compare_matrix(hgrid::ListKind kind) {
    const auto n = static_cast<std::size_t>(grid_->particle_count());
    auto list = grid_->make_list(kind);
    const bool has_lists = verdict_of([&] { grid_->find(list); }).status == HGRID_OK;  // no half lists in a gather
    hgrid::offset_t longest = 0;
    for (int i = 0; i < list.lists(); ++i) longest = std::max(longest, list.offsets()[i + 1] - list.offsets()[i]);
    for (const hgrid::offset_t width : {longest - 1, longest + 1}) {
      if (width < 1) continue;
      const std::size_t size = n * static_cast<std::size_t>(width);
      std::vector<Integer> expected(size, 77), got = expected, counts(n, 77), door_counts = counts;
      std::vector<hgrid::Image> images(size, {{7, 7, 7}}), door_images = images;
      const auto lines = static_cast<hgrid::offset_t>(n);
      const hgrid::NeighbourMatrix<Integer> matrix{expected.data(), lines, width, counts.data(), images.data()};
      auto given = sized<hgrid_neighbour_matrix>();
      given.neighbours = support::c_array(got.data(), {lines, width});
      given.counts = support::c_array(door_counts.data(), {lines});
      given.images = support::c_array(&door_images[0].m[0], {lines, width, 3});
      given.padding = -1;
      std::int64_t needed = -5;
      compare("matrix", verdict_of([&] { grid_->find(matrix, {.kind = kind}); }),
              hgrid_matrix(door_.grid, static_cast<int>(kind), &given, &needed));
      expect("matrix", got == expected && counts == door_counts && images == door_images);
      expect("width", !has_lists || needed == longest);
    }
  }

  void compare_queries() {
    support::Random random(c_.seed + 31);
    auto regions = support::draw_regions<D>(c_.system, random);
    for (hgrid::Region<D>& r : regions) r.world = c_.system.worlds > 0 ? random.integer(0, c_.system.worlds - 1) : 0;
    const auto m = static_cast<std::int64_t>(regions.size());
    auto list = grid_->make_list(hgrid::ListKind::full);
    std::vector<double> lo, hi, radius;
    std::vector<std::int32_t> world;
    for (const hgrid::Region<D>& r : regions) {
      for (int k = 0; k < D; ++k) lo.push_back(r.lo[k]), hi.push_back(r.hi[k]);
      radius.push_back(r.radius), world.push_back(r.world);
    }
    for (const hgrid::Take take : {hgrid::Take::touching, hgrid::Take::centres}) {
      auto given = sized<hgrid_regions>();
      given.lo = support::c_array(lo.data(), {m, D}), given.hi = support::c_array(hi.data(), {m, D});
      given.radius = support::c_array(radius.data(), {m}), given.world = support::c_array(world.data(), {m});
      given.take = static_cast<int>(take);
      auto view = sized<hgrid_neighbour_list>();
      if (compare("query", verdict_of([&] {
                    grid_->find(list, hgrid::Regions{regions.data(), m, take});
                  }),
                  hgrid_query(door_.grid, &given, &view))) {
        expect_list("query", list, view);
      }
    }
    auto view = sized<hgrid_neighbour_list>();
    if (compare("between", verdict_of([&] { grid_->find(list, *grid_); }), hgrid_between(door_.grid, door_.grid, &view)))
      expect_list("between", list, view);
  }

  void compare_reports() {
    const hgrid::Plan<D>& plan = grid_->plan();
    auto report = sized<hgrid_plan_report>();
    if (!compare("plan", {}, hgrid_plan(door_.grid, &report))) return;
    expect("plan", report.particles == grid_->particle_count() && report.skipped == grid_->skipped() &&
                       report.skin == plan.skin && report.dense_cost == plan.dense_cost &&
                       report.compacted_cost == plan.compacted_cost && report.levels == plan.levels.count &&
                       report.islands == static_cast<int>(plan.islands.size()) && report.weighed == plan.weighed &&
                       report.direction == 1 + static_cast<int>(plan.direction) &&
                       report.keys == 1 + static_cast<int>(plan.keys) && report.table == 1 + static_cast<int>(plan.table) &&
                       report.bytes > 0);
    const auto levels = grid_->levels();
    for (std::size_t h = 0; h < levels.size(); ++h) {
      auto level = sized<hgrid_level_report>();
      compare("level", {}, hgrid_level(door_.grid, static_cast<int>(h), &level));
      bool same = level.radius_max == levels[h].radius_max && level.radius_bound == levels[h].radius_bound &&
                  level.particles == levels[h].particles;
      same = same && support::same_bytes(levels[h].extent_max, level.extent_max, 3);
      expect("level", same && support::same_bytes(levels[h].cell_size, level.cell_size, 3));
    }
  }

  void compare_validity() {
    oracle::System moved = c_.system;
    support::Random random(c_.seed + 5);
    for (oracle::Particle& p : moved.particles) p.x[0] += random.real(0, 0.7) * c_.system.skin;
    const support::UserArrays<Real, D> now(moved, c_.choice[support::layout], c_.choice[support::exclusions]);
    const hgrid_particles given = support::c_particles(now.view(), in_columns());
    auto report = sized<hgrid_validity_report>();
    hgrid::Validity v;
    const bool judged =
        compare("validity", verdict_of([&] { v = grid_->validity(now.view()); }), hgrid_validity(door_.grid, &given, &report));
    expect("validity", !judged || (report.excess == v.excess && report.dirty == v.dirty && report.changed == v.changed &&
                                   report.present == v.present && report.expected == v.expected && report.holds == v.holds() &&
                                   report.comparable == v.comparable && report.value == v.value &&
                                   report.first == (v.dirty + v.changed > 0 ? v.first : -1)));
  }

  const Case& c_;
  hgrid::GridOptions options_;
  support::UserArrays<Real, D> arrays_;
  std::optional<hgrid::Grid<hgrid::OpenMPExec, D>> grid_;
  support::DoorGrid door_;
  std::string differences_;
};

TEST(CDoor, GivesTheResultsOfTheLibrary) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 1000);
  int built = 0;
  hgrid::offset_t contacts = 0;
  for (std::uint64_t k = 0; k < systems; ++k) {
    const Case c = support::make_case(support::from_environment("HGRID_SEED", 410000000) + k);
    const bool flat = c.choice[support::dimension] == 0, single = c.choice[support::real] == 1;
    const std::string differences =
        flat ? (single ? Comparison<float, 2>(c)(built, contacts) : Comparison<double, 2>(c)(built, contacts))
             : (single ? Comparison<float, 3>(c)(built, contacts) : Comparison<double, 3>(c)(built, contacts));
    ASSERT_EQ(differences, "") << "again with HGRID_SYSTEMS=1 HGRID_SEED=" << c.seed;
  }
  EXPECT_GT(built, static_cast<int>(systems) * 9 / 10);
  EXPECT_GT(contacts, 10 * static_cast<hgrid::offset_t>(built));
}

}  // namespace
