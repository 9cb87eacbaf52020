// SPDX-License-Identifier: BSD-3-Clause
// A system on a device that runs in a loop which waits at each step, or in one that is captured in a graph.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "hgrid/core/names.hpp"
#include "hgrid/loop.hpp"
#include "support/cuda_case.hpp"

extern "C" __attribute__((weak)) long cuda_emulator_waits();

namespace support {

using hgrid::index_t;
using hgrid::offset_t;
using Springs = hgrid::PairArray<hgrid::CudaExec, double>;
using List = hgrid::VerletList<hgrid::CudaExec, 3>;

struct Bodies {
  double *x, *v, *f;  // [3 n]
  const double* r;
  index_t n;
};

// Returns the half extent of a box whose radius is 1.
HGRID_HD constexpr double half_extent(int axis) { return 1 - 0.25 * axis; }

// A guard, or none.
struct Guard {
  hgrid::ListGuard guard{};
  bool asks = false;
  HGRID_HD bool holds() const { return !asks || guard.holds(); }
};

// The particles of a loop. In a one-sided (gather) search each is pushed by the particles whose centres it holds. There are two
// worlds, of one size. Spheres may be wrapped at each step.
enum class Kind { spheres, gather, boxes, worlds, wrapped };

// One thread a particle sums its forces in the order of the list, with a spring for each entry that remembers how long it has
// been pressed: a value that went to another pair changes all that follows.
struct SumForces {
  Kind kind;
  Bodies b;
  hgrid::ListView list;
  const hgrid::Image* periods;
  double* springs;
  hgrid::Vec<double, 3> period;
  Guard guard;

  HGRID_HD void operator()(offset_t item) const {
    if (guard.holds()) sum(static_cast<index_t>(item));
  }
  HGRID_HD void sum(index_t i) const {
    double f[3] = {};
    for (offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const index_t j = list.neighbours[k];
      const hgrid::Image m = hgrid::image_now(list.image(i, k), periods, i, j);
      double d[3], squared = 0;
      for (int a = 0; a < 3; ++a) {
        d[a] = b.x[3 * i + a] - (b.x[3 * j + a] + m[a] * period[a]);
        squared += d[a] * d[a];
      }
      const double distance = sqrt(squared), reach = kind == Kind::gather ? b.r[i] : b.r[i] + b.r[j];
      double overlap = reach - distance;
      for (int a = 0; kind == Kind::boxes && a < 3; ++a) {
        const double along = reach * half_extent(a) - fabs(d[a]);
        if (a == 0 || along < overlap) overlap = along;
      }
      if (overlap < 0 || distance == 0) {
        springs[k] = 0;
        continue;
      }
      springs[k] += 0.01 * overlap;
      for (int a = 0; a < 3; ++a) f[a] += (40 * overlap + springs[k]) * d[a] / distance;
    }
    for (int a = 0; a < 3; ++a) b.f[3 * i + a] = f[a];
  }
};

struct Move {
  Bodies b;
  double dt, pull, wraps;  // wraps: half the period, or 0
  Guard guard;

  HGRID_HD void operator()(offset_t k) const {
    if (!guard.holds()) return;
    b.v[k] += dt * (b.f[k] - pull * b.x[k]);
    b.x[k] += dt * b.v[k];
    if (wraps > 0 && fabs(b.x[k]) > wraps) b.x[k] -= b.x[k] > 0 ? 2 * wraps : -2 * wraps;
  }
};

// A system of its own on the device, which is let run.
class Loop {
 public:
  static constexpr double side = 6, dt = 0.01;
  static constexpr index_t n = 70;

  Loop(double pull, bool periodic, bool captures, Kind kind = Kind::spheres) : pull_(pull), captures_(captures), kind_(kind) {
    EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    exec_.emplace(stream_);
    hgrid::Box3 box = hgrid::Box3::open();
    if (periodic) box = hgrid::Box3::periodic({-side / 2, -side / 2, -side / 2}, {side / 2, side / 2, side / 2});
    grid_.emplace(*exec_, box, hgrid::GridOptions{.rule = kind == Kind::gather ? hgrid::Rule::gather : hgrid::Rule::sum});
    list_.emplace(*grid_, hgrid::VerletOptions{.kind = hgrid::ListKind::full, .skin = 0.12, .wrapped = kind == Kind::wrapped});
    springs_.emplace(*exec_, 0.0);
    std::vector<double> x(3 * n), v(3 * n), r(n);
    std::uint64_t state = 12345;
    const auto random = [&] {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    for (double& c : x) c = side * (random() - 0.5);
    for (double& c : v) c = 2 * (random() - 0.5);
    const bool one_sided = kind == Kind::gather;  // most pairs: a large one holds a small one, and few the other way round
    for (double& c : r) c = random() < 0.8 ? (one_sided ? 0.02 : 0.2) : (one_sided ? 1.0 : 0.7);
    x_ = array(x), v_ = array(v), r_ = array(r);
    f_ = array(std::vector<double>(3 * n, 0.0));
    std::vector<double> h;
    for (int k = 0; k < 3 * n; ++k) h.push_back(r[static_cast<std::size_t>(k / 3)] * half_extent(k % 3));
    h_ = array(h);
    std::vector<index_t> worlds;
    for (index_t i = 0; i < n; ++i) worlds.push_back(i % 2);
    worlds_ = hgrid::CudaExec::Buffer<index_t>(*exec_, n);
    exec_->copy_in(worlds_.data(), worlds.data(), n);
    set_box(box);
  }
  ~Loop() {
    drop_graph();
    springs_.reset(), list_.reset(), grid_.reset();
    memory_.clear(), worlds_ = {};
    exec_.reset();
    cudaStreamDestroy(stream_);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  hgrid::Particles<double, 3> particles() const {
    if (kind_ == Kind::boxes) return hgrid::extended_particles<3>(x_, h_, n);
    auto p = hgrid::particles<3>(x_, r_, n);
    if (kind_ == Kind::worlds) p.worlds = {worlds_.data(), 2};
    return p;
  }
  List& list() { return *list_; }
  hgrid::Grid<hgrid::CudaExec, 3>& grid() { return *grid_; }
  void ignore_the_guard() { ignores_ = true; }

  void set_box(const hgrid::Box3& box) {
    for (int a = 0; a < 3; ++a) period_[a] = box.wraps[a] ? box.hi[a] - box.lo[a] : 0;
    kind_ == Kind::worlds ? grid_->set_boxes({box, box}) : grid_->set_box(box);
  }
  void build() { list_->build(particles(), *springs_); }

  /// Steps of a loop that waits, or replays of a graph that does not.
  void run(int steps) {
    if (!captures_) {
      for (int k = 0; k < steps; ++k) {
        list_->update(particles(), *springs_);
        enqueue_motion({});
      }
      return;
    }
    attend();
    const long before = waits();
    for (int k = 0; k < steps; ++k) ASSERT_EQ(cudaGraphLaunch(step_, stream_), cudaSuccess);
    EXPECT_EQ(waits(), before) << "a step waits";
  }
  /// Calls `wait` now and then, as a client's loop does. Returns whether there is a new graph.
  bool attend() {
    if (!list_->wait(particles(), *springs_) && step_ != nullptr) return false;
    drop_graph();
    capture();
    return true;
  }
  /// Returns the graph of before, which the caller destroys.
  cudaGraphExec_t capture() {
    const cudaGraphExec_t before = step_;
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    list_->enqueue_update(particles(), *springs_);
    enqueue_motion({list_->guard(), !ignores_});
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&step_, graph, 0), cudaSuccess);
    cudaGraphDestroy(graph);
    return before;
  }
  /// The name of the error that f throws while a graph is captured, which is dropped.
  template <class F>
  std::string error_of_a_capture(const F& f) {
    std::string error;
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    try {
      f();
    } catch (const hgrid::Error& e) {
      error = hgrid::name_of(e.code());
    }
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    cudaGraphDestroy(graph);
    return error;
  }
  void replay(int times) { replay(step_, times); }
  void replay(cudaGraphExec_t graph, int times) {
    for (int k = 0; k < times; ++k) ASSERT_EQ(cudaGraphLaunch(graph, stream_), cudaSuccess);
  }
  offset_t steps_done() { return list_->counters().steps; }

  Springs& followers() { return *springs_; }

  std::vector<double> positions() { return read(x_, 3 * n); }
  std::vector<double> radii() { return read(r_, n); }
  std::vector<hgrid::Image> periods() {
    std::vector<hgrid::Image> values(n);
    exec_->copy_out(values.data(), list_->periods(), n);
    return values;
  }
  std::vector<double> half_extents() { return read(h_, 3 * n); }
  std::vector<double> springs() { return read(springs_->data(), springs_->size()); }
  void put(index_t coordinate, double value) { exec_->copy_in(x_ + coordinate, &value, 1); }

 private:
  static long waits() { return cuda_emulator_waits == nullptr ? 0 : cuda_emulator_waits(); }
  void enqueue_motion(const Guard& guard) {
    const Bodies b{x_, v_, f_, r_, n};
    exec_->for_each(
        "sum_forces", n,
        SumForces{kind_, b, hgrid::ListView(list_->neighbours()), list_->periods(), springs_->data(), period_, guard});
    exec_->for_each("move", 3 * n, Move{b, dt, pull_, kind_ == Kind::wrapped ? side / 2 : 0, guard});
  }
  void drop_graph() {
    if (step_ != nullptr) cudaGraphExecDestroy(step_);
    step_ = nullptr;
  }
  double* array(const std::vector<double>& values) {
    memory_.emplace_back(*exec_, static_cast<offset_t>(values.size()));
    exec_->copy_in(memory_.back().data(), values.data(), memory_.back().size());
    return memory_.back().data();
  }
  std::vector<double> read(const double* from, offset_t count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    exec_->copy_out(values.data(), from, count);
    return values;
  }

  double pull_;
  bool captures_, ignores_ = false;
  Kind kind_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t step_ = nullptr;
  std::optional<hgrid::CudaExec> exec_;
  std::optional<hgrid::Grid<hgrid::CudaExec, 3>> grid_;
  std::optional<List> list_;
  std::optional<Springs> springs_;
  std::vector<hgrid::CudaExec::Buffer<double>> memory_;
  hgrid::CudaExec::Buffer<index_t> worlds_;
  double *x_ = nullptr, *v_ = nullptr, *f_ = nullptr, *r_ = nullptr, *h_ = nullptr;
  hgrid::Vec<double, 3> period_{};
};

}  // namespace support
