// SPDX-License-Identifier: BSD-3-Clause
#include "worker.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>
#include <system_error>

#include "hgrid/hgrid.hpp"

namespace regret {
namespace {

constexpr char ready = 1;  // says a new child

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// The whole of a value, or false at the end of the pipe.
template <class T>
bool read_all(int from, T& value) {
  auto* at = reinterpret_cast<char*>(&value);
  for (std::size_t left = sizeof value; left > 0;) {
    const ssize_t got = read(from, at, left);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, left -= static_cast<std::size_t>(got);
  }
  return true;
}

template <class T>
bool write_all(int to, const T& value) {
  const auto* at = reinterpret_cast<const char*>(&value);
  for (std::size_t left = sizeof value; left > 0;) {
    const ssize_t put = write(to, at, left);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put, left -= static_cast<std::size_t>(put);
  }
  return true;
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <int D>
hgrid::Particles<double, D> view_of(const hgrid::PackedSystem& s) {
  const auto n = static_cast<std::int64_t>(s.r.size());
  if constexpr (D == 2)
    return hgrid::particles(s.x.data(), s.y.data(), s.r.data(), n);
  else
    return hgrid::particles(s.x.data(), s.y.data(), s.z.data(), s.r.data(), n);
}

template <int D>
hgrid::Box<D> box_of(const hgrid::PackedSystem& s) {
  const auto& [x, y, z] = s.length;
  return hgrid::Box<D>::of_axes(hgrid::Box3::periodic({}, {x, y, z}, {s.periodic[0], s.periodic[1], s.periodic[2]}));
}

// Top-down: the own level and each finer one that holds particles.
template <int D>
Description description_of(hgrid::Grid<hgrid::SerialExec, D>& grid, double pairs) {
  Description d{};
  double searched = 0;
  const auto levels = grid.levels();
  d.level_count = static_cast<int>(levels.size());
  for (int h = 0; h < d.level_count; ++h) {
    const auto& report = levels[static_cast<std::size_t>(h)];
    const hgrid::Level<D>& level = grid.plan().levels.level[h];
    Description::Level& to = d.level[h];
    to = {report.radius_max, report.radius_bound, {}, 1, report.particles};
    std::copy_n(report.cell_size, D, to.cell_size);
    for (int k = 0; k < D; ++k) to.cells *= level.cells[k];
    searched += to.particles > 0;
    d.setups += searched * to.particles;
  }
  const hgrid::WorkCount work = grid.work();
  d.candidates = static_cast<double>(work.candidates), d.rows = static_cast<double>(work.rows);
  d.dense = grid.plan().table == hgrid::TableKind::dense, d.islands = !grid.plan().islands.empty();
  d.cells = static_cast<double>(grid.plan().levels.cells);
  if (!d.dense) d.segments = *grid.view().table.segments;
  d.pairs = pairs, d.bytes = static_cast<double>(grid.bytes());
  return d;
}

}  // namespace

struct Worker::Request {
  enum class What { plan, drop, run, describe } what;
  int slot;
  int level_count = 0;
  int table = -1;  ///< or hgrid::TableKind
  hgrid::LevelSpec level[hgrid::max_levels] = {};
  std::optional<hgrid::SearchCosts> costs = {};
};

// Serves requests until the pipe ends.
template <int D>
class Worker::Child {
 public:
  Child(const hgrid::PackedSystem& system, int from, int to) : system_(system), from_(from), to_(to) {}

  // Makes room first: a list that must grow is filled twice, and the first run of this child shall not be slower than in the
  // child before. Particles at one place have that number of pairs.
  void make_room(std::int64_t pairs) {
    const std::vector<double> same(static_cast<std::size_t>(std::sqrt(2.0 * static_cast<double>(pairs))) + 2, 0.5);
    hgrid::PackedSystem place{D, {9, 9, 9}, {}, same, same, same, same};
    std::ranges::copy(system_.periodic, place.periodic);
    Grid grid(hgrid::SerialExec(), box_of<D>(place));
    grid.build(view_of<D>(place));
    grid.find(pairs_);
  }

  void serve() {
    for (Request request; read_all(from_, request);) {
      auto& grid = grids_[request.slot];
      switch (request.what) {
        case Request::What::plan:
          grid.emplace(hgrid::SerialExec(), box_of<D>(system_), options_of(request));
          fresh_[request.slot] = grid->generation();
          break;
        case Request::What::drop:
          grid.reset();
          break;
        case Request::What::run:
          write_all(to_, run(request.slot));
          break;
        case Request::What::describe:
          write_all(to_, description_of(*grid, static_cast<double>(pairs_.size())));
          break;
      }
    }
  }

 private:
  using Grid = hgrid::Grid<hgrid::SerialExec, D>;

  static hgrid::GridOptions options_of(const Request& request) {
    hgrid::GridOptions options;
    options.levels.assign(request.level, request.level + request.level_count);
    options.costs = request.costs;
    if (request.table >= 0) options.table = static_cast<hgrid::TableKind>(request.table);
    return options;
  }

  Times run(int slot) {
    Grid& grid = *grids_[slot];
    const auto view = view_of<D>(system_);
    const auto taken = [each = 1e-9 * static_cast<double>(system_.r.size())](auto&& work) {
      const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
      work();
      return (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) / each;
    };
    Times times;
    if (grid.generation() == fresh_[slot]) times.cold = taken([&] { grid.build(view); });
    times.build = taken([&] { grid.build(view); });
    times.list = taken([&] { grid.find(pairs_); });
    times.pairs = pairs_.size();
    return times;
  }

  const hgrid::PackedSystem& system_;
  int from_, to_;
  hgrid::PairList<hgrid::SerialExec> pairs_{hgrid::SerialExec()};
  std::optional<Grid> grids_[slots];
  std::uint64_t fresh_[slots];  ///< generations of grids that were never built
};

void Worker::start() {
  int down[2], up[2];
  if (pipe(down) != 0) fail("pipe");
  if (pipe(up) != 0) fail("pipe");
  child_ = fork();
  if (child_ < 0) fail("fork");
  if (child_ == 0) {
    close(down[1]), close(up[0]);  // else this process would wait for itself
    try {
      const auto serve = [&](auto&& child) {
        if (pairs_ > 0) child.make_room(pairs_);
        if (write_all(up[1], ready)) child.serve();
      };
      if (system_.dimension == 2)
        serve(Child<2>(system_, down[0], up[1]));
      else
        serve(Child<3>(system_, down[0], up[1]));
    } catch (const std::exception& error) {
      dprintf(STDERR_FILENO, "a plan failed: %s\n", error.what());
    }
    _exit(0);  // without the parent's unprinted output
  }
  close(down[0]), close(up[1]);
  if (const int error = clock_getcpuclockid(child_, &clock_); error != 0) errno = error, fail("clock_getcpuclockid");
  to_ = down[1], from_ = up[0];
  char answer;
  if (!read_all(from_, answer)) stop();  // work before the first request must not count as its time
}

void Worker::stop() {
  if (child_ == 0) return;
  spent_ += seconds_of(clock_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  close(to_), close(from_);
  child_ = 0;
}

void Worker::send(const Request& request) {
  if (child_ == 0) start();
  if (child_ != 0 && !write_all(to_, request)) stop();
}

template <class Answer>
std::optional<Answer> Worker::ask(const Request& request, double seconds) {
  if (child_ == 0) return std::nullopt;
  send(request);
  const double end = seconds_of(clock_) + seconds;
  Answer answer;
  for (pollfd wait{from_, POLLIN, 0}; child_ != 0 && seconds_of(clock_) < end;) {
    constexpr int milliseconds = 2;
    if (poll(&wait, 1, milliseconds) <= 0) continue;
    if (!read_all(from_, answer)) break;
    return answer;
  }
  stop();
  return std::nullopt;
}

double Worker::spent() const { return spent_ + (child_ == 0 ? 0 : seconds_of(clock_)); }

void Worker::plan(int slot, const Trial& trial) {
  Request request{.what = Request::What::plan, .slot = slot};
  request.level_count = static_cast<int>(trial.levels.size());
  std::ranges::copy(trial.levels, request.level);
  request.costs = trial.costs;
  if (trial.table) request.table = static_cast<int>(*trial.table);
  send(request);
}

void Worker::drop(int slot) {
  if (child_ != 0) send({.what = Request::What::drop, .slot = slot});
}

std::optional<Times> Worker::run(int slot, double seconds) {
  const auto times = ask<Times>({.what = Request::What::run, .slot = slot}, seconds);
  if (times) pairs_ = times->pairs;
  return times;
}

std::optional<Description> Worker::describe(int slot, double seconds) {
  return ask<Description>({.what = Request::What::describe, .slot = slot}, seconds);
}

}  // namespace regret
