// SPDX-License-Identifier: BSD-3-Clause
// Errors of the caller's own CUDA calls, and streams that the caller captures, stay the caller's.
#include <gtest/gtest.h>

#include <cuda/std/span>
#include <functional>
#include <memory>
#include <optional>

#include "support/cuda_case.hpp"
#include "support/host_reference.hpp"
#include "support/on_device.cuh"
#include "support/results.hpp"

namespace {

using support::random_system;
using support::scaled;
using support::System;
using Grid = hgrid::Grid<hgrid::CudaExec, 3>;
using PairList = hgrid::PairList<hgrid::CudaExec>;

struct DoNothing {
  HGRID_HD void operator()(hgrid::offset_t) const {}
};
// A code's own struct, which begins with the coordinates.
struct Sphere {
  double x, y, z, r;
};

std::vector<Sphere> spheres_of(const System& s) {
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < s.r.size(); ++i) spheres.push_back({s.x[3 * i], s.x[3 * i + 1], s.x[3 * i + 2], s.r[i]});
  return spheres;
}

class CudaCallers : public ::testing::Test {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    exec.emplace(stream);
    there.emplace(support::placed(*exec, hgrid::particles<3>(system.x.data(), system.r.data(), system.size())));
    grid.emplace(*exec, system.box);
    list.emplace(grid->make_pairs());
    step();
  }
  void TearDown() override {
    list.reset(), grid.reset(), there.reset(), exec.reset();
    if (event != nullptr) cudaEventDestroy(event), cudaStreamDestroy(stream);
  }
  void step(hgrid::Order order = hgrid::Order::fixed) { grid->build(there->view()), grid->find(*list, {.order = order}); }
  void expect_results_of_the_host() {
    step(hgrid::Order::sorted);
    EXPECT_EQ(support::copied(*exec, list->pairs(), list->size()), support::host_pairs(system));
  }

  // A caller that asks for more memory than there is gets an error, and continues.
  static void leave_an_error() {
    void* none = nullptr;
    ASSERT_EQ(cudaMalloc(&none, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  const System system = random_system(scaled(5000), 10, true);
  std::optional<hgrid::CudaExec> exec;
  std::optional<support::PlacedParticles<double, 3>> there;
  std::optional<Grid> grid;
  std::optional<PairList> list;
};

TEST_F(CudaCallers, AreNotBlamedForErrorsThatTheyLeft) {
  Grid by_counting(*exec, system.box, {.sort = hgrid::SortKind::counting});
  const hgrid::CudaExec twice(stream, nullptr, hgrid::detail::ListMode::count_scan_fill);
  Grid filled(twice, system.box, {.table = hgrid::TableKind::compacted});
  auto rows = grid->make_list();
  auto pairs = filled.make_pairs();
  thrust::device_vector<hgrid::index_t> counts(system.r.size());
  const support::CountContacts counting{counts.data().get()};
  const std::function<void()> calls[] = {[&] { grid->build(there->view()); },
                                         [&] { grid->find(*list); },
                                         [&] { grid->find(*list, {.order = hgrid::Order::sorted}); },
                                         [&] { grid->find(rows); },
                                         [&] { grid->enqueue(*list); },
                                         [&] { grid->wait(*list); },
                                         [&] { grid->count(); },
                                         [&] { grid->check(); },
                                         [&] { grid->validity(there->view()); },
                                         [&] { by_counting.build(there->view()); },
                                         [&] { filled.build(there->view()); },
                                         [&] { filled.find(pairs); },
                                         [&] { grid->for_each_contact(counting); },
                                         [&] { hgrid::cuda_devices(); }};
  for (const auto& call : calls) {
    leave_an_error();
    EXPECT_NO_THROW(call()) << "call " << &call - calls;
    cudaGetLastError();
  }
  expect_results_of_the_host();
}

TEST_F(CudaCallers, MayPollAnEvent) {
  for (int poll = 0; poll < 3; ++poll) {
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    cudaEventQuery(event);  // cudaErrorNotReady, if the stream is busy
    EXPECT_NO_THROW(grid->build(there->view()));
  }
}

// CUB clears the error record; other kernels leave it.
TEST_F(CudaCallers, FindTheirErrorAfterKernels) {
  leave_an_error();
  exec->for_each("nothing", 1000, DoNothing{});
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(CudaCallers, GetErrorsOfLaunchesAndFindNoneAfterThem) {
  constexpr hgrid::offset_t too_many = hgrid::offset_t{hgrid::detail::threads_of_each} << 31;
  for (const bool after_another : {false, true}) {
    if (after_another) leave_an_error();
    try {
      exec->for_each("too many", too_many, DoNothing{});
      ADD_FAILURE() << "no error of a launch that is not possible";
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::device) << e.what();
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
}

/// Counts allocated memory, and frees no memory of a stream that is captured.
class CountedMemory final : public hgrid::CudaMemory {
 public:
  int out = 0, freed_in_captures = 0;

  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    ++out;
    return hgrid::default_cuda_memory().allocate(bytes, stream);
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept override {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &status);
    if (status != cudaStreamCaptureStatusNone) ++freed_in_captures;
    --out;
    hgrid::default_cuda_memory().deallocate(p, bytes, stream);
  }
};

class CudaCaptures : public CudaCallers {
 protected:
  /// Captures the work of `f`; the graph is never launched.
  template <class F>
  void capture(cudaStreamCaptureMode mode, const F& f) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    f();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << "the capture is spoilt";
    cudaGraphDestroy(graph);
  }

  CountedMemory memory;  // outlives all objects of the tests
  hgrid::detail::CudaBuffer<int> buffer;
};

constexpr cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                           cudaStreamCaptureModeRelaxed};

TEST_F(CudaCaptures, OutliveAListThatDiesInThem) {
  for (const auto mode : modes) {
    step();
    capture(mode, [&] {
      grid->build(there->view());
      const PairList gone = std::move(*list);
    });
  }
  expect_results_of_the_host();  // the stream goes on
}

TEST_F(CudaCaptures, OutliveAllThatDiesInThem) {
  for (const auto mode : modes) {
    std::optional<hgrid::CudaExec> own(std::in_place, stream, &memory);
    std::optional<Grid> other(std::in_place, *own, system.box);
    std::optional<hgrid::detail::PinnedBuffer<int>> pinned(std::in_place, *own, 1000);
    auto rows = std::make_unique<hgrid::NeighbourList<hgrid::CudaExec>>(other->make_list());
    other->build(there->view());
    other->find(*rows);
    ASSERT_GT(memory.out, 10);
    const int before = memory.out;
    capture(mode, [&] {
      other->build(there->view());
      rows.reset(), other.reset(), own.reset(), pinned.reset();
      EXPECT_EQ(memory.out, before) << "kept until the capture has ended";
    });
    exec->wait();  // or the next object of hgrid that is made or destroyed
    EXPECT_EQ(memory.out, 0);
  }
  EXPECT_EQ(memory.freed_in_captures, 0);
}

// Kept memory is freed when the next object of hgrid is made or destroyed, on any stream.
TEST_F(CudaCaptures, FreeWhatWasKeptWithTheNextBuffer) {
  cudaStream_t aside = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking), cudaSuccess);
  const hgrid::CudaExec own(stream, &memory);
  const auto die = [&] { const hgrid::detail::CudaBuffer<int> gone = std::move(buffer); };
  const auto make_another = [&] { const hgrid::detail::CudaBuffer<int> there(hgrid::CudaExec(aside), 1); };
  buffer = {own, 100};
  capture(cudaStreamCaptureModeRelaxed, [&] {
    die();
    make_another();
    EXPECT_EQ(memory.out, 1) << "the capture goes on";
  });
  make_another();
  EXPECT_EQ(memory.out, 0);
  buffer = {own, 100};
  capture(cudaStreamCaptureModeRelaxed, die);
  list.reset();
  EXPECT_EQ(memory.out, 0);
  cudaStreamDestroy(aside);
}

// The default stream may not be used while a blocking stream is captured.
TEST_F(CudaCaptures, OutliveAListOfTheDefaultStream) {
  hgrid::detail::CudaBuffer<int> of_default(hgrid::CudaExec(nullptr, &memory), 100);
  capture(cudaStreamCaptureModeRelaxed, [&] {
    grid->build(there->view());
    const auto gone = std::move(of_default);
  });
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  exec->wait();
  EXPECT_EQ(memory.out, 0);
  EXPECT_EQ(memory.freed_in_captures, 0);
}

// A vector like the one of RAPIDS: memory of a stream.
template <class T>
struct StreamVector {
  thrust::device_vector<T> values;
  cudaStream_t of;
  const T* data() const { return thrust::raw_pointer_cast(values.data()); }
  std::size_t size() const { return values.size(); }
  cudaStream_t stream() const { return of; }
};

TEST_F(CudaCallers, ContainersOfTheDeviceAreTakenAsTheyAre) {
  const thrust::device_vector<double> x = system.x, r = system.r;
  const auto lists = [&](const auto& positions, const auto& radii) {
    grid->build(positions, radii);
    grid->find(*list, {.order = hgrid::Order::sorted});
    EXPECT_EQ(support::copied(*exec, list->pairs(), list->size()), support::host_pairs(system));
  };
  lists(x, r);
  lists(StreamVector<double>{x, stream}, StreamVector<double>{r, stream});
  const thrust::device_vector<Sphere> spheres = spheres_of(system);
  lists(spheres, r);
  EXPECT_THROW(grid->build(r, r), hgrid::Error);
  expect_results_of_the_host();
  const auto* const first = reinterpret_cast<const double*>(thrust::raw_pointer_cast(spheres.data()));
  hgrid::Particles<double, 3> p = hgrid::particles<3>(first, first + 3, system.size());
  p.stride = p.radius_stride = 4;
  const hgrid::GridOptions by_keys{.sort = hgrid::SortKind::radix};  // then four numbers each are not copied before it gathers
  Grid as_vectors(*exec, system.box, by_keys), as_records(*exec, system.box, by_keys);
  as_vectors.build(x, r), as_records.build(p);
  EXPECT_EQ(as_records.count(), as_vectors.count());
  EXPECT_EQ(as_records.bytes() + sizeof(Sphere) * spheres.size(), as_vectors.bytes());
}

// A caller who forgets to copy an array is told its name, before anything is enqueued.
TEST_F(CudaCallers, HostPointersAreRefusedByName) {
  int reaches_all = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, exec->device()), cudaSuccess);
  if (reaches_all != 0) GTEST_SKIP() << "this device reaches all memory of the host";
  const auto refused = [&](const hgrid::Particles<double, 3>& p) -> std::string {
    try {
      grid->build(p);
    } catch (const hgrid::Error& e) {
      return e.code() == hgrid::ErrorCode::invalid_argument ? e.detail().argument : e.what();
    }
    return "nothing";
  };
  hgrid::Particles<double, 3> p = there->view();
  for (int k = 0; k < 3; ++k) p.position[k] = system.x.data() + k;
  EXPECT_EQ(refused(p), "positions");
  p = there->view();
  p.radius = system.r.data();
  EXPECT_EQ(refused(p), "radii");
  p = there->view();
  const std::vector<hgrid::index_t> groups(static_cast<std::size_t>(p.count), 0);
  p.group = groups.data();
  EXPECT_EQ(refused(p), "group");
  EXPECT_EQ(refused(p), "group") << "again";
  EXPECT_EQ(refused(there->view()), "nothing");
  const cuda::std::span<const double> host(system.x.data(), system.x.size()), radii(there->view().radius, system.r.size());
  EXPECT_THROW(grid->build(host, radii), hgrid::Error);
  expect_results_of_the_host();
}

}  // namespace
