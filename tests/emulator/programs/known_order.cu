// SPDX-License-Identifier: BSD-3-Clause
// The order of work: streams, events, graphs, memory in the order of a stream, and errors.
#include "support.cuh"

namespace {

__global__ void add(int* p, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = 10 * p[i] + value;
}

class KnownOrder : public ::testing::Test {
 protected:
  static constexpr int n = 300;

  void SetUp() override {
    NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&p, n * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(p, 0, n * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, n * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // the streams do not wait for the default one
  }
  void TearDown() override {
    cudaFreeHost(pinned), cudaFree(p);
    if (one != nullptr) cudaStreamDestroy(one), cudaStreamDestroy(other);
  }
  void enqueue(cudaStream_t stream, int value) { add<<<3, 100, 0, stream>>>(p, n, value); }
  std::vector<int> read(cudaStream_t stream) {
    std::vector<int> values(n);
    EXPECT_EQ(cudaMemcpyAsync(pinned, p, n * sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    std::copy_n(pinned, n, values.begin());
    return values;
  }

  cudaStream_t one = nullptr, other = nullptr;
  int *p = nullptr, *pinned = nullptr;
};

TEST_F(KnownOrder, WithinAStream) {
  for (const int value : {1, 2, 3}) enqueue(one, value);
  EXPECT_EQ(read(one), std::vector<int>(n, 123));
  ASSERT_EQ(cudaMemsetAsync(p, 0, n * sizeof(int), one), cudaSuccess);
  enqueue(one, 4);
  EXPECT_EQ(read(one), std::vector<int>(n, 4));
}

TEST_F(KnownOrder, AcrossStreamsByEvents) {
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  enqueue(one, 1);
  ASSERT_EQ(cudaEventRecord(event, one), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  enqueue(other, 2);
  EXPECT_EQ(read(other), std::vector<int>(n, 12));
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  cudaEventDestroy(event);
}

TEST_F(KnownOrder, TheDefaultStreamWaitsForBlockingOnes) {
  cudaStream_t blocking;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  enqueue(blocking, 1);
  enqueue(nullptr, 2);
  enqueue(blocking, 3);
  EXPECT_EQ(read(blocking), std::vector<int>(n, 123));
  cudaStreamDestroy(blocking);
}

#if CUDART_VERSION >= 13000
__global__ void decide(cudaGraphConditionalHandle condition, const int* p) { cudaGraphSetConditional(condition, p[0] % 2); }

// A node that runs where the number is odd, between two that always run.
TEST_F(KnownOrder, ConditionalNodesRunWhereAKernelSaysSo) {
  cudaGraph_t graph, to, body;
  cudaGraphExec_t run;
  ASSERT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed), cudaSuccess);
  enqueue(other, 5);
  ASSERT_EQ(cudaStreamEndCapture(other, &body), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
  enqueue(one, 1);
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* after;
  const cudaGraphEdgeData* edges;
  std::size_t count = 0;
  ASSERT_EQ(cudaStreamGetCaptureInfo(one, &status, nullptr, &to, &after, &edges, &count), cudaSuccess);
  ASSERT_EQ(status, cudaStreamCaptureStatusActive);
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&p.conditional.handle, to, 0, cudaGraphCondAssignDefault), cudaSuccess);
  p.conditional.type = cudaGraphCondTypeIf, p.conditional.size = 1;
  decide<<<1, 1, 0, one>>>(p.conditional.handle, this->p);
  ASSERT_EQ(cudaStreamGetCaptureInfo(one, &status, nullptr, &to, &after, &edges, &count), cudaSuccess);
  cudaGraphNode_t node, child;
  ASSERT_EQ(cudaGraphAddNode(&node, to, after, edges, count, &p), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&child, p.conditional.phGraph_out[0], nullptr, 0, body), cudaSuccess);
  ASSERT_EQ(cudaStreamUpdateCaptureDependencies(one, &node, nullptr, 1, cudaStreamSetCaptureDependencies), cudaSuccess);
  enqueue(one, 2);
  ASSERT_EQ(cudaStreamEndCapture(one, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&run, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(run, one), cudaSuccess);
  EXPECT_EQ(read(one), std::vector<int>(n, 152));
  enqueue(one, 1);  // 1521, and then 15211, which is odd
  ASSERT_EQ(cudaGraphLaunch(run, one), cudaSuccess);
  EXPECT_EQ(read(one), std::vector<int>(n, 1521152));
  ASSERT_EQ(cudaMemsetAsync(this->p, 0, n * sizeof(int), one), cudaSuccess);
  cudaGraphExecDestroy(run);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(body);
}

#endif

TEST_F(KnownOrder, GraphsRunWhenTheyAreLaunched) {
  cudaGraph_t graph;
  cudaGraphExec_t run;
  ASSERT_EQ(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
  enqueue(one, 1);
  enqueue(one, 2);
  ASSERT_EQ(cudaStreamEndCapture(one, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&run, graph, 0), cudaSuccess);
  EXPECT_EQ(read(one), std::vector<int>(n, 0)) << "capturing runs nothing";
  for (int replay = 0; replay < 2; ++replay) ASSERT_EQ(cudaGraphLaunch(run, one), cudaSuccess);
  enqueue(one, 3);
  EXPECT_EQ(read(one), std::vector<int>(n, 12123));
  cudaGraphExecDestroy(run);
  cudaGraphDestroy(graph);
}

TEST_F(KnownOrder, WaitingSpoilsACapture) {
  cudaGraph_t graph;
  ASSERT_EQ(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_NE(cudaStreamSynchronize(one), cudaSuccess);
  cudaStreamCaptureStatus status;
  ASSERT_EQ(cudaStreamIsCapturing(one, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
  EXPECT_NE(cudaStreamEndCapture(one, &graph), cudaSuccess);
  cudaGetLastError();
  enqueue(one, 5);
  EXPECT_EQ(read(one), std::vector<int>(n, 5)) << "the stream goes on";
}

TEST_F(KnownOrder, MemoryOfAStream) {
  int pools = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0), cudaSuccess);
  if (pools == 0) GTEST_SKIP() << "no memory pools";
  for (int repeat = 0; repeat < 3; ++repeat) {  // freed before the kernels that use it have run
    int* own = nullptr;
    ASSERT_EQ(cudaMallocAsync(&own, n * sizeof(int), one), cudaSuccess);
    ASSERT_EQ(cudaMemsetAsync(own, 0, n * sizeof(int), one), cudaSuccess);
    add<<<3, 100, 0, one>>>(own, n, repeat);
    ASSERT_EQ(cudaMemcpyAsync(p, own, n * sizeof(int), cudaMemcpyDeviceToDevice, one), cudaSuccess);
    ASSERT_EQ(cudaFreeAsync(own, one), cudaSuccess);
  }
  EXPECT_EQ(read(one), std::vector<int>(n, 2));
}

TEST_F(KnownOrder, LaunchesThatAreNotPossible) {
  add<<<1, 2000>>>(p, n, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  add<<<0, 32>>>(p, n, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  add<<<1, 32, 300000>>>(p, n, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(read(one), std::vector<int>(n, 0));
}

TEST_F(KnownOrder, CopiesKnowTheirDirection) {
  int here = 1;
  EXPECT_EQ(cudaMemcpy(&here, p, sizeof(int), cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaMemcpy(&here, p, sizeof(int), cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(here, 0);
}

}  // namespace
