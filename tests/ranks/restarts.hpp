// SPDX-License-Identifier: BSD-3-Clause
// Time loops that are saved by some ranks and go on on others, against the loop that was not interrupted. Ranks that are split
// off stand for a run with another number of ranks.
#pragma once

#include "ranks/drifting.hpp"
#include "support/random_suite.hpp"

namespace support {

/// The first ranks of all, as a communicator of their own for a while.
class FirstRanks {
 public:
  explicit FirstRanks(int count) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &ranks);
  }
  FirstRanks(const FirstRanks&) = delete;
  ~FirstRanks() {
    if (ranks != MPI_COMM_NULL) MPI_Comm_free(&ranks);
    ranks = MPI_COMM_WORLD;
  }
  bool have_this() const { return ranks != MPI_COMM_NULL; }
};

/// The values of each rank, on all.
template <class T>
std::vector<std::vector<T>> gathered_each(const std::vector<T>& mine) {
  const std::vector<std::size_t> sizes = gathered(std::vector{mine.size()});
  const std::vector<T> all = gathered(mine);
  std::vector<std::vector<T>> each;
  auto from = all.begin();
  for (const std::size_t size : sizes) {
    each.emplace_back(from, from + static_cast<std::ptrdiff_t>(size));
    from += static_cast<std::ptrdiff_t>(size);
  }
  return each;
}

/// The first parts, on all ranks.
template <class Saved>
std::vector<Saved> gathered_parts(const Saved& mine, int count) {
  std::vector<Saved> all(static_cast<std::size_t>(all_ranks()));
  const auto gather = [&](const auto& of) {
    const auto each = gathered_each(of(mine));
    for (std::size_t k = 0; k < all.size(); ++k) const_cast<std::remove_cvref_t<decltype(each[k])>&>(of(all[k])) = each[k];
  };
  gather([](const Saved& s) -> auto& { return s.part; }), gather([](const Saved& s) -> auto& { return s.v; });
  gather([](const Saved& s) -> auto& { return s.share.x; }), gather([](const Saved& s) -> auto& { return s.share.r; });
  gather([](const Saved& s) -> auto& { return s.share.id; }), gather([](const Saved& s) -> auto& { return s.share.group; });
  gather([](const Saved& s) -> auto& { return s.share.type; }), gather([](const Saved& s) -> auto& { return s.share.partner; });
  all.resize(static_cast<std::size_t>(count));
  return all;
}

/// The time of lists that choose their skin: a build costs as much as some steps.
struct LoopTime {
  static inline double now = 0;
  static double seconds() { return now; }
};

struct RestartCase {
  std::uint64_t seed;
  Gas gas;
  bool periodic;
  hgrid::VerletOptions options;
  Shear shear = {};
};

/// Runs a loop, and saves it at a random step on a random number of ranks. Goes on there and, with the checkpoint, on another
/// number of ranks. `writer()` and `reader()` make the loops. Returns the number of springs that were compared on this rank.
template <class Writer, class Reader>
std::size_t expect_restart(const RestartCase& c, const Writer& writer, const Reader& reader) {
  Random random(c.seed);
  const int most = all_ranks(), writers = random.integer(1, most);
  const int readers = random.chance(0.4) ? writers : random.integer(1, most);
  const int first = random.integer(0, 50), last = first + 50;
  const bool saves_moved = random.chance(0.5);  // after the particles have moved
  const bool regroups = random.chance(0.5);     // after the last update
  const bool in_place = writers == readers && random.chance(0.8);
  std::vector<int> reader_of;
  for (int part = 0; part < writers; ++part) reader_of.push_back(in_place ? part : random.integer(0, readers - 1));
  const auto where = [&] {
    return "seed " + std::to_string(c.seed) + ", " + std::to_string(writers) + " to " + std::to_string(readers) +
           " ranks, at step " + std::to_string(first);
  };
  const auto cuts = [&](int step) { return step % 20 == 19; };
  const auto step_of = [&](auto& loop, int step) {
    LoopTime::now += 0.01;
    const bool built = cuts(step) ? (loop.rebalance(), true) : loop.update();
    LoopTime::now += built ? 0.03 : 0.001 * loop.list().skin();
    loop.stretch();
    return built;
  };

  using State = decltype(writer().state());
  typename std::remove_cvref_t<decltype(writer().gas())>::Saved mine;
  std::vector<State> states;
  std::vector<double> skins;  // of builds; 0 for steps without
  double saved_at = 0;
  {
    const FirstRanks some(writers);
    LoopTime::now = 0;
    if (some.have_this()) {
      auto loop = writer();
      for (int step = 0; step < last; ++step) {
        const bool built = step_of(loop, step);
        if (step == first && regroups) loop.gas().regroup();
        if (step == first && !saves_moved) mine = loop.saved(), saved_at = LoopTime::now;
        if (step > first) states.push_back(loop.state()), skins.push_back(built ? loop.list().skin() : 0);
        loop.move();
        if (step == first && saves_moved) mine = loop.saved(), saved_at = LoopTime::now;
      }
    }
  }
  const auto parts = gathered_parts(mine, writers);
  skins = gathered_each(skins).front(), saved_at = gathered(std::vector{saved_at}).front();

  const FirstRanks some(readers);
  bool right = true, equal = in_place;
  std::size_t compared = 0;
  if (some.have_this()) {
    auto loop = reader();
    for (int step = 0; step <= first; ++step) {
      loop.gas().springs_of_one();
      if (step == first && regroups) loop.gas().regroup();
      if (step < first || saves_moved) loop.gas().move();
    }
    std::remove_cvref_t<decltype(parts)> own;
    for (int part = 0; part < writers; ++part) {
      if (reader_of[static_cast<std::size_t>(part)] == this_rank()) own.push_back(parts[static_cast<std::size_t>(part)]);
    }
    LoopTime::now = saved_at;
    loop.restore(own);
    if (!saves_moved) loop.move();
    for (int step = first + 1; step < last && right; ++step) {
      const auto at = static_cast<std::size_t>(step - first - 1);
      const bool built = step_of(loop, step);
      equal = equal && !cuts(step);
      right = everywhere(built == (skins[at] > 0) && (!built || loop.list().skin() == skins[at]));
      EXPECT_TRUE(right) << where() << ": a build comes or not, or its skin differs, at step " << step;
      const bool same = everywhere(!equal || loop.state() == states[at]);
      EXPECT_TRUE(same) << where() << ": bits differ at step " << step;
      const Springs expected = loop.gas().springs_of_one();
      right = right && same && everywhere(loop.springs() == expected);
      EXPECT_TRUE(right) << where() << ": springs differ at step " << step;
      compared += expected.size();
      loop.move();
    }
  }
  return compared;
}

}  // namespace support
