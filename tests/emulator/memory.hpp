// SPDX-License-Identifier: BSD-3-Clause
// The memory of the device and pinned memory: allocations, and which bytes have been written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace emulator {

enum class Place { host, device, pinned, nowhere };  ///< nowhere: among the device's addresses, but not allocated

/// Allocates memory. Null if the device has no more. Fresh device memory holds garbage, and a read of it is reported.
void* allocate(std::size_t bytes, Place place);
/// Frees memory. False if nothing was allocated there.
bool release(void* p);

Place place_of(const void* p);
/// Returns the device that was current when the memory was allocated; for other memory, the current device.
int device_of(const void* p);
/// Stops the program unless all bytes are on the host or in one allocation. `what` names the operation for the message.
void require_inside(const void* p, std::size_t bytes, const char* what);
/// "n bytes at offset k of an allocation of m bytes", for messages.
std::string nearest_allocation(std::uint64_t address);

/// Returns the address at which the emulator may write to p: it sees device memory elsewhere.
void* writable(const void* p);
void mark_written(void* p, std::size_t bytes);
/// Copies bytes, and with them their state. A copy to the host reports bytes that were never written.
void copy_bytes(void* to, const void* from, std::size_t bytes);

std::size_t memory_in_use();
inline constexpr std::size_t device_memory = std::size_t{80} << 30;

}  // namespace emulator
