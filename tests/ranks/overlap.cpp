// SPDX-License-Identifier: BSD-3-Clause
// Work while positions of ghosts are under way: the order of calls, and errors.
#include <map>
#include <mutex>

#include "ranks/drifting.hpp"
#include "support/packings.hpp"

namespace {

/// The calls, in order, while they are recorded.
std::vector<std::string> calls;
bool is_written = false;
/// Messages to each rank, and reductions, so far.
std::map<int, int> messages;
int reductions = 0;

void note(const char* call) {
  if (is_written) calls.emplace_back(call);
}

}  // namespace

extern "C" {
int MPI_Isend(const void* from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  note("send"), ++messages[rank];
  return PMPI_Isend(from, n, type, rank, tag, comm, request);
}
int MPI_Iallreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  ++reductions;
  return PMPI_Iallreduce(from, to, n, type, op, comm, request);
}
int MPI_Mprobe(int rank, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  note("receive");
  return PMPI_Mprobe(rank, tag, comm, message, status);
}
}

namespace {

/// The calls of f without repetitions.
template <class F>
std::vector<std::string> calls_of(const F& f) {
  calls.clear(), is_written = true;
  f();
  is_written = false;
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  return calls;
}

class Overlap : public ::testing::Test {
 protected:
  Overlap() {
    grid.rebalance(share.x, share.r);
    grid.migrate(share.x, share.r, share.id);
    grid.build(share.x, share.r, share.id, {.skin = 0.01});
    x = share.x;
  }
  bool has_ghosts() const { return grid.ghosts() > 0; }  // on several ranks all have some
  /// Returns the work with messages before and after it.
  std::vector<std::string> amid(const char* work) const {
    return has_ghosts() ? std::vector<std::string>{"send", work, "receive"} : std::vector<std::string>{work};
  }

  const oracle::System system = support::polydisperse(2000, 3, true);
  support::Share<double, 3> share = support::share_of<double, 3>(system, 2);
  hgrid::DistributedGrid<hgrid::OpenMPExec, 3> grid{hgrid::OpenMPExec(2), support::box_of<3>(system), MPI_COMM_WORLD};
  std::vector<double> x;
};

TEST_F(Overlap, WorkIsDoneWhilePositionsAreUnderWay) {
  const auto order = calls_of([&] { grid.update_during([] { note("work"); }, hgrid::Field{x, 3}); });
  EXPECT_TRUE(support::everywhere(order == amid("work")));
  EXPECT_EQ(has_ghosts(), support::all_ranks() > 1);
  EXPECT_TRUE(support::everywhere(x == grid.positions()));
}

// Twice, because at first there is no room for contacts with ghosts.
TEST_F(Overlap, ContactsOfOwnedParticlesAreVisitedBeforeGhostsCome) {
  using hgrid::index_t;
  std::vector<hgrid::Contact> expected;
  std::mutex mutex;
  grid.for_each_contact([&](index_t i, index_t j, const hgrid::Image& image) {
    const std::lock_guard lock(mutex);
    expected.push_back({i, j, image});
  });
  const auto key = [](const hgrid::Contact& c) { return std::tuple(c.i, c.j, c.image[0], c.image[1], c.image[2]); };
  std::ranges::sort(expected, {}, key);
  for (int time = 0; time < 3; ++time) {
    std::vector<hgrid::Contact> found;
    std::vector<double> seen = x;
    seen.resize(static_cast<std::size_t>(grid.owned()) * 3);
    seen.resize(static_cast<std::size_t>(grid.held()) * 3, -1);  // ghosts are elsewhere until their positions come
    bool early = false, late = false;
    const auto visit = [&](index_t i, index_t j, const hgrid::Image& image) {
      const std::lock_guard lock(mutex);
      const bool of_ghost = i >= grid.owned() || j >= grid.owned();
      for (const index_t k : {i, j}) early = early || seen[3 * static_cast<std::size_t>(k)] == -1;
      note(of_ghost ? "visit ghosts" : "visit owned");
      late = late || (!of_ghost && calls.size() > 1 && calls[calls.size() - 2] == "receive");
      found.push_back({i, j, image});
    };
    auto order = calls_of([&] { grid.update_and_visit(hgrid::Field{seen, 3}, visit); });
    std::vector<std::string> wanted = amid("visit owned");
    if (has_ghosts()) wanted.emplace_back("visit ghosts");
    EXPECT_TRUE(support::everywhere(order == wanted)) << time;
    EXPECT_FALSE(early || late);
    std::ranges::sort(found, {}, key);
    EXPECT_TRUE(support::everywhere(found.size() == expected.size() && std::ranges::equal(found, expected, {}, key, key)));
  }
}

// Only once all ranks have said that the list holds.
TEST_F(Overlap, OfAListThatStands) {
  hgrid::DistributedVerletList list(grid, {.skin = 0.01});
  int works = 0;
  const auto step = [&] { return list.update_during([&] { note("work"), ++works; }, share.x, share.r, share.id); };
  EXPECT_TRUE(step());
  EXPECT_EQ(works, 1);
  const auto order = calls_of([&] { EXPECT_FALSE(step()); });
  EXPECT_TRUE(support::everywhere(order == amid("work")));
  const bool moves = support::this_rank() == support::all_ranks() - 1;
  if (moves) share.x[0] += 0.1;
  EXPECT_TRUE(step());
  EXPECT_EQ(works, 3);  // not for the list that no longer holds
}

// A step of a list that stands sends one message to each neighbor, like an update of one field, and waits for nothing else than
// these and one reduction. Wrapped positions take one more of each.
TEST_F(Overlap, AStepSendsOneMessageToEachNeighbor) {
  const auto sent_by = [](const auto& f) {
    messages.clear(), reductions = 0;
    f();
    return std::pair{messages, reductions};
  };
  const auto expected = sent_by([&] { grid.update(hgrid::Field{x, 3}); });
  EXPECT_EQ(expected.first.size() > 0, support::all_ranks() > 1);
  for (const auto& [rank, count] : expected.first) EXPECT_EQ(count, 1) << "to rank " << rank;
  auto twice = expected;
  for (auto& [rank, count] : twice.first) count = 2;
  twice.second = 2;
  std::vector<hgrid::index_t> groups(share.id.size(), -1);
  std::vector<std::int64_t> partners(share.id.size(), 5);
  for (const bool labels : {false, true}) {
    for (const hgrid::VerletOptions& options :
         {hgrid::VerletOptions{.skin = 0.01}, hgrid::VerletOptions{.skin = 0.01, .check_every = 5},
          hgrid::VerletOptions{.skin = 0.01, .choose_skin = true}, hgrid::VerletOptions{.skin = 0.01, .wrapped = true}}) {
      hgrid::DistributedVerletList list(grid, options);
      hgrid::DistributedPairArray<double> values;
      if (labels) list.set_labels({.groups = &groups, .partners = &partners, .partners_each = 1});
      const auto step = [&] {
        return labels ? list.update(share.x, share.r, share.id, values, groups, partners)
                      : list.update(share.x, share.r, share.id, values);
      };
      EXPECT_TRUE(step());
      const int waited = support::blocking;
      bool right = true;
      for (int k = 0; k < 7; ++k) {
        const auto sent = sent_by([&] { EXPECT_FALSE(step()); });
        right = right && sent == (options.wrapped ? twice : expected);
      }
      EXPECT_EQ(support::blocking, waited);
      EXPECT_TRUE(support::everywhere(right)) << "wrapped: " << options.wrapped << ", labels: " << labels;
    }
  }
}

TEST_F(Overlap, WorkThatFailsLeavesNobodyWaiting) {
  const bool errs = support::this_rank() == support::all_ranks() - 1;
  std::string what;
  try {
    grid.update_during(
        [&] {
          if (errs) throw hgrid::Error(hgrid::ErrorCode::nonfinite, "of work");
        },
        hgrid::Field{x, 3});
    grid.check();
  } catch (const hgrid::Error& e) {
    what = e.code() == hgrid::ErrorCode::nonfinite ? "thrown" : e.what();
  }
  EXPECT_TRUE(support::everywhere(what == "thrown")) << what;
  EXPECT_TRUE(support::everywhere(x == grid.positions()));
  grid.update(hgrid::Field{x, 3});
}

TEST_F(Overlap, WorkMakesNoCollectiveCall) {
  std::vector<double> other = x;
  support::expect_error(hgrid::ErrorCode::reentrancy, [&] {
    grid.update_during([&] { grid.add_back(hgrid::Field{other, 3}); }, hgrid::Field{x, 3});
  });
  grid.update(hgrid::Field{x, 3});
  EXPECT_TRUE(support::everywhere(x == grid.positions()));
}

}  // namespace
