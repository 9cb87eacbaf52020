// SPDX-License-Identifier: BSD-3-Clause
// The device's best rates: copies, gathers, atomics, scans and sorts. ceilings OUT.jsonl
#include <thrust/gather.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "kernels/cuda_launch.cuh"
#include "systems.cuh"
#include "timing.cuh"

namespace {

using namespace gpu_bench;
using hgrid::index_t;
using hgrid::offset_t;

template <class T>
T* raw(thrust::device_vector<T>& v) {
  return thrust::raw_pointer_cast(v.data());
}

template <class T, class F>
void draw(thrust::device_vector<T>& v, const F& random) {
  const thrust::counting_iterator<std::uint64_t> begin(0);
  thrust::transform(begin, begin + static_cast<std::ptrdiff_t>(v.size()), v.begin(), random);
}

struct RandomIndex {
  std::uint64_t n;
  __device__ index_t operator()(std::uint64_t i) const { return static_cast<index_t>(uniform(i) * n); }
};
struct RandomBytes {  // zeros can be copied faster than data
  __device__ float4 operator()(std::uint64_t i) const {
    const ulonglong2 bits{random_bits(2 * i), random_bits(2 * i + 1)};
    return reinterpret_cast<const float4&>(bits);
  }
};
struct RandomRecord {  // positions in the unit cube, radii that make some of the tests pass
  __device__ float4 operator()(std::uint64_t i) const {
    const auto real = [&](int k) { return static_cast<float>(uniform(4 * i + k)); };
    return {real(0), real(1), real(2), 0.3f * real(3)};
  }
};
struct CopyWide {
  const float4* from;
  float4* to;
  __device__ void operator()(offset_t i) const { to[i] = from[i]; }
};
struct GatherWide {
  const float4* from;
  const index_t* at;
  float4* to;
  __device__ void operator()(offset_t i) const { to[i] = __ldg(&from[at[i]]); }
};
struct AddAtRandom {
  index_t* counts;
  const index_t* at;
  __device__ void operator()(offset_t i) const { atomicAdd(&counts[at[i]], 1); }
};
struct ReadAgain {  // a table that fits the second-level cache, read many times
  const float4* from;
  float* out;
  offset_t mask;
  __device__ void operator()(offset_t i) const {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += __ldcg(&from[(i + k * 65537) & mask]).x;
    if (sum == 1.25f) out[0] = sum;
  }
};

constexpr int tests_of_thread = 64;
struct TestAgain {                            // the filter, on records that lie in the first-level cache
  const hgrid::detail::FilterRecord* record;  // [1024]
  float* out;
  __device__ void operator()(offset_t i) const {
    const hgrid::detail::CudaBlock block;
    const hgrid::detail::FilterRecord centre = block.load(&record[i & 1023]);
    int hits = 0;
#pragma unroll 1
    for (int k = 0; k < tests_of_thread; ++k) hits += may_touch(centre, block.load(&record[(i + k) & 1023]));
    if (hits == -1) out[0] = 1;
  }
};

template <class Key>
void measure_sort(Results& results, const hgrid::CudaExec& exec, offset_t n, int bits) {
  hgrid::detail::SortBuffers<hgrid::CudaExec, Key> s;
  for (int k = 0; k < 2; ++k) s.key[k] = {exec, n}, s.id[k] = {exec, n};
  for (auto& id : s.id) {  // only this thread writes it
    hgrid::detail::check_cuda(cudaMemsetAsync(id.data(), 0, n * sizeof(index_t), exec.stream()), "cudaMemsetAsync");
  }
  thrust::device_vector<Key> keys(n);
  thrust::device_vector<index_t> drawn(n);
  draw(drawn, RandomIndex{std::uint64_t{1} << (bits < 31 ? bits : 31)});
  thrust::copy(drawn.begin(), drawn.end(), keys.begin());
  const auto reset = [&] {
    s.current = 0;
    hgrid::detail::check_cuda(
        cudaMemcpyAsync(s.key[0].data(), raw(keys), n * sizeof(Key), cudaMemcpyDeviceToDevice, exec.stream()), "reset");
  };
  const Times copy = time_of(exec.stream(), reset);
  Times sort = time_of(exec.stream(), [&] { reset(), exec.sort_keys(s, n, bits); });
  results.add(Row()
                  .add("what", "sort_pairs")
                  .add("key_bytes", sizeof(Key))
                  .add("bits", bits)
                  .add("n", double(n))
                  .add(sort)
                  .add("copy_ms", copy.median)
                  .add("sort_ms", sort.median - copy.median));
}

void measure(Results& results, const hgrid::CudaExec& exec, offset_t n) {
  const cudaStream_t stream = exec.stream();
  thrust::device_vector<float4> from(n), to(n);
  thrust::device_vector<index_t> at(n), counts(n + 1);
  draw(from, RandomBytes{});
  draw(at, RandomIndex{static_cast<std::uint64_t>(n)});
  const auto add = [&](const char* what, double bytes, const Times& t) {
    results.add(Row().add("what", what).add("n", double(n)).add(t).add("GB_per_s", bytes * double(n) / t.median * 1e-6));
  };
  add("copy_float4", 32, time_of(stream, [&] { exec.for_each("copy", n, CopyWide{raw(from), raw(to)}); }));
  add("gather_float4", 36, time_of(stream, [&] { exec.for_each("gather", n, GatherWide{raw(from), raw(at), raw(to)}); }));
  add("atomic_add_random", 8, time_of(stream, [&] { exec.for_each("add", n, AddAtRandom{raw(counts), raw(at)}); }));
  add("exclusive_scan", 8, time_of(stream, [&] { exec.exclusive_scan("scan", raw(counts), n); }));
  offset_t resident = 1 << 20;  // 16 MiB
  while (resident > n) resident /= 2;
  thrust::device_vector<float> out(1);
  add("read_l2_float4", 256, time_of(stream, [&] { exec.for_each("l2", n, ReadAgain{raw(from), raw(out), resident - 1}); }));
  thrust::device_vector<float4> records(1024);
  draw(records, RandomRecord{});
  const auto* const record = reinterpret_cast<const hgrid::detail::FilterRecord*>(raw(records));
  const Times tests = time_of(stream, [&] { exec.for_each("tests", n, TestAgain{record, raw(out)}); });
  results.add(Row()
                  .add("what", "filter_tests")
                  .add("n", double(n))
                  .add(tests)
                  .add("G_per_s", tests_of_thread * double(n) / tests.median * 1e-6));
  for (const int bits : {16, 20, 24, 28, 31}) measure_sort<std::uint32_t>(results, exec, n, bits);
  measure_sort<std::uint64_t>(results, exec, n, 31);
  thrust::device_vector<std::uint32_t> keys(n);
  const Times thrust_sort = time_of(stream, [&] {
    thrust::copy(thrust::cuda::par_nosync.on(stream), at.begin(), at.end(), keys.begin());
    thrust::sort_by_key(thrust::cuda::par_nosync.on(stream), keys.begin(), keys.end(), counts.begin());
  });
  results.add(Row().add("what", "thrust_sort_by_key").add("n", double(n)).add(thrust_sort));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "ceilings OUT.jsonl [N...]\n"), 2;
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) return std::printf("no CUDA device: %s\n", found.reason.c_str()), 3;
  cudaStream_t stream;
  hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  const hgrid::CudaExec exec(stream);
  Results results(argv[1]);
  for (int k = 2; k < argc; ++k) {
    const std::int64_t n = std::atoll(argv[k]);
    results.attempt(Row().add("what", "ceilings").add("n", double(n)), [&] { measure(results, exec, n); });
  }
  return results.failed() ? 1 : 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
