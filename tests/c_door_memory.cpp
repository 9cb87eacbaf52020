// SPDX-License-Identifier: BSD-3-Clause
// Memory of the C API: a steady state takes none, and lack of memory is a status, after which the call succeeds when repeated.
#include "support/counting_new.hpp"

#include <array>

#include "support/c_door.hpp"
#include "support/gas.hpp"
#include "support/user_arrays.hpp"

namespace {

using support::Allocations;
using support::sized;

using Sizes = std::array<std::int64_t, 11>;

// Makes every call that a program may make in a step.
class Program {
 public:
  explicit Program(const support::Gas& gas) : arrays_(gas.s), particles_(support::c_particles(arrays_.view(), false)) {
    regions_.lo = particles_.positions, regions_.radius = particles_.radii;
    matrix_.neighbours = support::c_array(ids_.data(), {n, 200}),
    matrix_.images = support::c_array(images_.data(), {n, 200, 3});
    matrix_.padding = -1;
    for (int k = 0; k < 3; ++k) box_.periodic[k] = 1, box_.lo[k] = gas.s.lo[k], box_.hi[k] = gas.s.hi[k];
    options_.dimension = 3, options_.threads = HGRID_SERIAL;
    verlet_.skin = 0.3, verlet_.payload = 24;
    for (std::size_t v = 0; v < floor_.size(); ++v)  // a square of two triangles, in the middle of the box
      floor_[v] = gas.s.lo[v % 3] + square[v] * (gas.s.hi[v % 3] - gas.s.lo[v % 3]);
    triangles_.vertices = support::c_array(floor_.data(), {6, 3}), triangles_.payload = 8;
    wanted_.kind = HGRID_FULL, wanted_.images = wanted_.distances = wanted_.vectors = 1;
  }

  void create() {
    insist([&] { return grid_.grid != nullptr ? HGRID_OK : hgrid_create(&options_, &box_, &grid_.grid); });
    insist([&] { return other_.grid != nullptr ? HGRID_OK : hgrid_create(&options_, &box_, &other_.grid); });
    insist([&] { return list_.list != nullptr ? HGRID_OK : hgrid_verlet_create(other_.grid, &verlet_, &list_.list); });
    insist([&] { return mesh_.mesh != nullptr ? HGRID_OK : hgrid_mesh_create(grid_.grid, &triangles_, &mesh_.mesh); });
  }

  /// Repeats each call until there is memory. Returns the sizes of their results.
  Sizes run() {
    Sizes sizes;  // without memory of its own
    auto size = sizes.begin();
    create();
    insist([&] { return hgrid_build(grid_.grid, &particles_, 0.1); });
    auto pairs = sized<hgrid_pair_list>();
    for (const int order : {HGRID_FIXED, HGRID_SORTED}) {
      insist([&] { return hgrid_pairs(grid_.grid, order, &pairs); });
      *size++ = pairs.size;
    }
    auto lists = sized<hgrid_neighbour_list>();
    for (const int kind : {HGRID_HALF, HGRID_FULL}) {
      insist([&] { return hgrid_neighbours(grid_.grid, kind, &lists); });
      *size++ = lists.size;
    }
    std::int64_t number = 0;
    insist([&] { return hgrid_pairs_into(grid_.grid, &into_, &shifts_, &number); });
    *size++ = number;
    insist([&] { return hgrid_matrix(grid_.grid, HGRID_FULL, &matrix_, &number); });
    *size++ = number;
    insist([&] { return hgrid_query(grid_.grid, &regions_, &lists); });
    *size++ = lists.size;
    auto entries = sized<hgrid_entry_list>();
    insist([&] { return hgrid_entries(grid_.grid, &particles_, &wanted_, &entries); });
    *size++ = entries.size;
    insist([&] { return hgrid_scratch(grid_.grid, 8 * entries.size, &scratch_); });
    measured_.positions = particles_.positions, measured_.pairs = hgrid_array_2d(entries.ids, HGRID_INT64, entries.size, 2);
    measured_.pairs.strided = 1, measured_.pairs.stride[0] = 1, measured_.pairs.stride[1] = entries.size;
    measured_.images = hgrid_array_2d(entries.images, HGRID_INT32, entries.size, 3);
    measured_.distances = hgrid_array_1d(scratch_, HGRID_FLOAT64, entries.size);
    insist([&] { return hgrid_measure(grid_.grid, &measured_); });
    insist([&] { return hgrid_verlet_update(list_.list, &particles_, nullptr, &rebuilt_); });
    insist([&] { return hgrid_verlet_build(list_.list, &particles_); });
    auto history = sized<hgrid_history>();
    insist([&] { return hgrid_verlet_history(list_.list, &history); });
    *size++ = history.size;
    *size++ = ask_mesh();
    *size = ask_mesh();
    return sizes;
  }

  /// The checkpoint of the list.
  std::vector<std::byte> saved() const {
    const void* bytes = nullptr;
    std::int64_t size = 0;
    EXPECT_EQ(hgrid_verlet_save(list_.list, &bytes, &size), HGRID_OK);
    const auto* const begin = static_cast<const std::byte*>(bytes);
    return {begin, begin + size};
  }
  int restore(const std::vector<std::byte>& checkpoint) const {
    return hgrid_verlet_restore(list_.list, checkpoint.data(), std::ssize(checkpoint));
  }

  /// Saves grid and list, and restores them. Returns the bytes.
  std::array<std::int64_t, 2> save_and_restore() {
    const void* bytes = nullptr;
    std::array<std::int64_t, 2> sizes{};
    insist([&] { return hgrid_save(grid_.grid, &bytes, &sizes[0]); });
    insist([&] { return hgrid_restore(grid_.grid, bytes, sizes[0]); });
    insist([&] { return hgrid_verlet_save(list_.list, &bytes, &sizes[1]); });
    insist([&] { return hgrid_verlet_restore(list_.list, bytes, sizes[1]); });
    auto lists = sized<hgrid_neighbour_list>();
    EXPECT_EQ(hgrid_verlet_neighbours(list_.list, &lists), HGRID_OK);
    EXPECT_GT(lists.size, 0);
    return sizes;
  }

  int failures() const { return failures_; }
  /// Returns the result of the successful update.
  int rebuilt() const { return rebuilt_; }

 private:
  static constexpr int n = 300;
  static constexpr std::array<double, 18> square = {0, 0, 0.5, 1, 0, 0.5, 0, 1, 0.5, 1, 0, 0.5, 1, 1, 0.5, 0, 1, 0.5};

  // Returns the number of contacts, or -1 if a payload belongs to another particle or to a list of a failed call.
  std::int64_t ask_mesh() {
    auto walls = sized<hgrid_wall_list>();
    auto history = sized<hgrid_history>();
    insist([&] {
      const int status = hgrid_mesh_contacts(mesh_.mesh, &particles_, 0, &walls);
      EXPECT_EQ(hgrid_mesh_history(mesh_.mesh, &history), HGRID_OK);
      EXPECT_EQ(history.size, status == HGRID_OK ? walls.size : contacts_);
      return status;
    });
    bool good = history.size_before == contacts_ && walls.size == history.size;
    for (std::int64_t k = 0; k < history.size; ++k) {
      std::int64_t& own = static_cast<std::int64_t*>(history.payload)[k];
      good = good && own == (contacts_ == 0 ? 0 : walls.neighbours[k] + 1);
      own = walls.neighbours[k] + 1;
    }
    contacts_ = walls.size;
    return good ? walls.size : -1;
  }

  template <class Call>
  void insist(const Call& call) {
    for (int status = call(); status != HGRID_OK; status = call()) {
      auto error = sized<hgrid_error>();
      EXPECT_EQ(hgrid_last_error(&error), HGRID_OK);
      ASSERT_EQ(status, HGRID_ERROR_OUT_OF_MEMORY) << error.message;
      ++failures_;
    }
  }

  support::UserArrays<double, 3> arrays_;
  hgrid_particles particles_;
  std::vector<std::int32_t> ids_ = std::vector<std::int32_t>(200 * n), images_ = std::vector<std::int32_t>(600 * n);
  hgrid_array into_ = support::c_array(ids_.data(), {100 * n, 2}), shifts_ = support::c_array(images_.data(), {100 * n, 3});
  hgrid_options options_ = sized<hgrid_options>();
  hgrid_box box_ = sized<hgrid_box>();
  hgrid_regions regions_ = sized<hgrid_regions>();
  hgrid_neighbour_matrix matrix_ = sized<hgrid_neighbour_matrix>();
  hgrid_verlet_options verlet_ = sized<hgrid_verlet_options>();
  hgrid_entry_options wanted_ = sized<hgrid_entry_options>();
  hgrid_measured measured_ = sized<hgrid_measured>();
  void* scratch_ = nullptr;
  support::DoorGrid grid_, other_;
  support::DoorVerlet list_;
  std::array<double, 18> floor_;
  hgrid_triangles triangles_ = sized<hgrid_triangles>();
  support::DoorMesh mesh_;
  std::int64_t contacts_ = 0;
  int failures_ = 0, rebuilt_ = -1;
};

TEST(CDoorMemory, NoneFromTheThirdStepOn) {
  const support::Gas gas(300);
  Program program(gas);
  const Sizes first = program.run();
  EXPECT_GT(first[0], 100);
  EXPECT_GT(first[9], 5);
  program.run();
  const std::int64_t second = Allocations::get().count;
  for (int step = 0; step < 20; ++step) EXPECT_EQ(program.run(), first);
  EXPECT_EQ(Allocations::get().count, second);
}

TEST(CDoorMemory, ItsLackIsAStatusAndTheNextCallSucceeds) {
  const support::Gas gas(300);
  Program good(gas);
  const Sizes expected = good.run();
  const auto bytes = good.save_and_restore();
  int failures = 0;
  for (std::int64_t k = 0;; ++k) {
    Program program(gas);
    const std::int64_t refused = Allocations::get().refused;
    Allocations::get().fail_at = Allocations::get().count + k;
    const Sizes sizes = program.run();
    const auto saved = program.save_and_restore();
    Allocations::get().fail_at = -1;
    ASSERT_EQ(sizes, expected) << "after allocation " << k << " had failed";
    ASSERT_EQ(saved, bytes);
    ASSERT_EQ(program.rebuilt(), 1) << "after allocation " << k << " had failed";
    failures += program.failures();
    if (Allocations::get().refused == refused) break;
  }
  EXPECT_GT(failures, 50);
}

TEST(CDoorMemory, ARestoreThatFailsChangesNothing) {
  const support::Gas gas(300);
  Program from(gas), to(gas);
  from.run();
  to.create();
  const std::vector<std::byte> other = from.saved(), own = to.saved();
  int failures = 0;
  for (std::int64_t k = 0;; ++k, ++failures) {
    Allocations::get().fail_at = Allocations::get().count + k;
    const int status = to.restore(other);
    Allocations::get().fail_at = -1;
    if (status == HGRID_OK) break;
    ASSERT_EQ(status, HGRID_ERROR_OUT_OF_MEMORY);
    ASSERT_TRUE(to.saved() == own) << "after allocation " << k << " had failed";
  }
  EXPECT_GT(failures, 5);
  EXPECT_TRUE(to.saved() == other);
}

}  // namespace
