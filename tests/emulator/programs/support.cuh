// SPDX-License-Identifier: BSD-3-Clause
// Small kernels on device arrays, for tests that run on a device too.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

/// Values in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t n) : n_(n) { EXPECT_EQ(cudaMalloc(&p_, n * sizeof(T)), cudaSuccess); }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    EXPECT_EQ(cudaMemcpy(p_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(p_); }

  T* data() { return p_; }
  std::vector<T> read() const {
    std::vector<T> values(n_);
    EXPECT_EQ(cudaMemcpy(values.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  T* p_ = nullptr;
  std::size_t n_;
};

#define NEEDS_DEVICE() \
  if (int count = 0; cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no CUDA device"
