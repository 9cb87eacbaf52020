// SPDX-License-Identifier: BSD-3-Clause
#include "execute.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "block.hpp"
#include "memory.hpp"
#include "settings.hpp"

namespace emulator {

namespace {

constexpr std::size_t stack_bytes = 256 << 10;
constexpr std::size_t resident = multiprocessors * blocks_of_multiprocessor;
constexpr std::size_t most_threads = 1024;
constexpr std::uint8_t garbage = 0xC7;  // the first bytes of shared memory

/// Returns a thread's stack. It lies where a kernel may point into: in local memory.
boost::context::preallocated stack_of(std::size_t number) {
  static char* const all = [] {
    constexpr std::size_t bytes = stack_bytes * most_threads * resident;
    void* const p = mmap(reinterpret_cast<void*>(EMU_STACKS), bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) stop("no memory for the threads' stacks");
    return static_cast<char*>(p);
  }();
  boost::context::stack_context stack;
  stack.size = stack_bytes;
  stack.sp = all + (number + 1) * stack_bytes;
  return {stack.sp, stack.size, stack};
}

struct KeepsStacks {
  void deallocate(boost::context::stack_context&) {}
};

class Execution {
 public:
  explicit Execution(const Launch& launch) : launch_(launch), parameters_(in_reach(launch.parameters)) {}

  void run() {
    while (next_ < count() || !live_.empty()) {
      for (std::size_t place = 0; place < resident && next_ < count(); ++place) {
        if (!taken_[place]) begin(place);
      }
      if (!step()) stop_at_deadlock();
    }
    counts_.write(launch_);
  }

 private:
  std::uint64_t count() const { return std::uint64_t{launch_.grid.x} * launch_.grid.y * launch_.grid.z; }

  void begin(std::size_t place) {
    static std::vector<std::unique_ptr<Block>> blocks(resident);  // kept, because their memory is used again
    if (blocks[place] == nullptr) blocks[place] = std::make_unique<Block>();
    Block& block = *blocks[place];
    const std::size_t bytes = launch_.kernel->shared_bytes + launch_.dynamic_shared;
    const std::uint32_t threads = launch_.block.x * launch_.block.y * launch_.block.z;
    block.number = next_++, block.kernel = launch_.kernel, block.alive = threads;
    block.lanes.clear();
    block.lanes.resize(threads);
    block.shared.assign(bytes + 16, garbage);
    block.races.begin(bytes, block.warps());
    for (std::uint32_t i = 0; i < threads; ++i) begin(block, block.lanes[i], i, place * most_threads + i);
    taken_[place] = true;
    live_.push_back({&block, place});
  }

  void begin(Block& block, Lane& lane, std::uint32_t i, std::size_t stack) {
    const auto fill = [](u32* to, std::uint64_t n, const dim3& extent) {
      to[0] = static_cast<u32>(n % extent.x), to[1] = static_cast<u32>(n / extent.x % extent.y);
      to[2] = static_cast<u32>(n / (std::uint64_t{extent.x} * extent.y));
    };
    Thread& t = lane.thread;
    fill(t.tid, i, launch_.block), fill(t.ctaid, block.number, launch_.grid);
    t.ntid[0] = launch_.block.x, t.ntid[1] = launch_.block.y, t.ntid[2] = launch_.block.z;
    t.nctaid[0] = launch_.grid.x, t.nctaid[1] = launch_.grid.y, t.nctaid[2] = launch_.grid.z;
    t.lane = i % 32, t.warp = i / 32, t.flat = i;
    t.shared = block.shared.data(), t.shared_size = static_cast<u32>(block.shared.size() - 16);
    lane.block = &block;
    lane.state = State::ready;
    lane.self = boost::context::fiber(std::allocator_arg, stack_of(stack), KeepsStacks{},
                                      [&lane, this](boost::context::fiber&& scheduler) {
                                        lane.scheduler = std::move(scheduler);
                                        launch_.kernel->run(&lane.thread, parameters_);
                                        lane.state = State::done;
                                        return std::move(lane.scheduler);
                                      });
  }

  void end(const Block& block, std::size_t place) {
    counts_.add(block);
    taken_[place] = false;
  }

  // Lets every warp of every block run. False if nothing could.
  bool step() {
    bool progress = false;
    std::rotate(live_.begin(), live_.begin() + draw(static_cast<std::uint32_t>(live_.size())), live_.end());
    for (const auto& [block, place] : live_) {
      const std::uint32_t first = draw(block->warps());
      for (std::uint32_t k = 0; k < block->warps(); ++k) progress |= block->run_warp((first + k) % block->warps());
      progress |= block->pass_barriers();
      if (block->alive == 0) end(*block, place);
    }
    return std::erase_if(live_, [](const auto& live) { return live.first->alive == 0; }) > 0 || progress;
  }

  [[noreturn]] void stop_at_deadlock() const {
    std::string text = "deadlock in " + launch_.kernel->label;
    for (const auto& [block, place] : live_) {
      for (const Lane& lane : block->lanes) {
        if (lane.state != State::done && lane.thread.lane == 0) text += "\n  " + block->place_of(lane);
      }
    }
    stop(text);
  }

  // Kernels may take the addresses of their parameters.
  static const char* in_reach(const std::vector<char>& parameters) {
    static auto* const room = static_cast<char*>(allocate(std::size_t{1} << 16, Place::pinned));
    std::copy(parameters.begin(), parameters.end(), room);
    return room;
  }

  const Launch& launch_;
  const char* parameters_;
  std::uint64_t next_ = 0;
  std::vector<std::pair<Block*, std::size_t>> live_;
  bool taken_[resident] = {};
  WarpCounts counts_;
};

}  // namespace

void execute(const Launch& launch) { Execution(launch).run(); }

}  // namespace emulator
