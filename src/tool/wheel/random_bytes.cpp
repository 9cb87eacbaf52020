// SPDX-License-Identifier: BSD-3-Clause
// Random bytes under the name with which expat's archive links. glibc has this function since 2.36, and a wheel also runs with
// 2.35.
#include <sys/random.h>

#include <cerrno>
#include <cstddef>

extern "C" void arc4random_buf(void* bytes, std::size_t count) {
  auto* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = getrandom(to, count, 0);
    if (got > 0) to += got, count -= static_cast<std::size_t>(got);
    if (got < 0 && errno != EINTR) __builtin_abort();  // every system that runs glibc 2.35 has it
  }
}
