// SPDX-License-Identifier: BSD-3-Clause
// The device engine in three dimensions: rows, buckets, whole lists, and lists that live.
#include "mutants/device_parts.hpp"
#include "mutants/expect_buckets.hpp"
#include "mutants/expect_checkpoints.hpp"
#include "mutants/expect_lists_in_place.hpp"
#include "mutants/expect_rows.hpp"
#include "mutants/expect_state.hpp"
#include "mutants/expect_systems.hpp"

int main() {
  expect_rows(DeviceParts());
  expect_buckets(DeviceParts());
  expect_lists_in_place(DeviceParts());
  expect_remembered(DeviceParts());
  expect_sheared(DeviceParts());
  expect_checkpoints(DeviceParts());
  expect_forgeries(DeviceParts());
  return 0;
}
