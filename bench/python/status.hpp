// SPDX-License-Identifier: BSD-3-Clause
// The kernel's figures for the memory of this process.
#pragma once

#include <cstdio>

/// A line of its account, in bytes.
inline double memory(const char* name) {
  char line[256], format[64];
  std::snprintf(format, sizeof format, "%s: %%lf kB", name);
  double kilobytes = 0;
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof line, status) != nullptr && std::sscanf(line, format, &kilobytes) != 1) {
  }
  std::fclose(status);
  return 1024 * kilobytes;
}

/// Starts to count the peak here; returns the memory in use.
inline double begin_peak() {
  if (std::FILE* const peak = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", peak);
    std::fclose(peak);
  }
  return memory("VmRSS");
}
