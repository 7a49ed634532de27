// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/host_device.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "calibrate/device/collective_pattern.h"
#include "calibrate/device/host_group.h"
#include "calibrate/device/host_kernels.h"
#include "calibrate/device/timed_loop.h"

namespace railyard::device {
namespace {

constexpr std::size_t flush_bytes = std::size_t{64} << 20U;  // above the last-level cache of most hosts
constexpr unsigned input_seed = 20261201;
constexpr int checked_entries = 64;

/// Threads this process may run on, which a container may have fewer of than the machine.
int usable_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "unknown processor";
}

struct HostWork {
  WorkRequest request;
  std::vector<Bf16> a, b, c;
  std::vector<float> x, y, z, out, grads;
};

void fill(std::vector<float>& values, std::size_t count, Inputs inputs, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::uniform_int_distribution<int> integers(-2, 2);
  values.resize(count);
  for (float& value : values) {
    value = inputs == Inputs::normal     ? normal(random)
            : inputs == Inputs::uniform  ? uniform(random)
            : inputs == Inputs::integers ? static_cast<float>(integers(random))
                                         : 0.0F;
  }
}

void fill(std::vector<Bf16>& values, std::size_t count, Inputs inputs, std::mt19937& random) {
  std::vector<float> wide;
  fill(wide, count, inputs, random);
  values.resize(count);
  std::transform(wide.begin(), wide.end(), values.begin(), rounded);
}

class HostDevice final : public Device {
 public:
  HostDevice() : threads_(usable_threads()), flush_(flush_bytes / sizeof(float)) {
    facts_.back_end = "host";
    facts_.name = cpu_name();
    facts_.devices = 1;
    facts_.compute_units = threads_;
    facts_.memory_bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    utsname system{};
    if (uname(&system) == 0) facts_.facts.push_back({"system", fmt::format("{} {}", system.sysname, system.release)});
    facts_.facts.push_back({"threads", std::to_string(threads_)});
    facts_.facts.push_back(
        {"library", fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)});
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }

  [[nodiscard]] WorkId prepare(const WorkRequest& request) override {
    refuse(request);
    HostWork work{.request = request, .a = {}, .b = {}, .c = {}, .x = {}, .y = {}, .z = {}, .out = {}, .grads = {}};
    std::mt19937 random(input_seed);
    const auto size = [](std::int64_t rows, std::int64_t columns) { return static_cast<std::size_t>(rows * columns); };
    if (request.kind == WorkKind::gemm) {
      fill(work.a, size(request.m, request.k), request.inputs, random);
      fill(work.b, size(request.k, request.n), request.inputs, random);
      work.c.resize(size(request.m, request.n));
    } else if (request.kind == WorkKind::memory) {
      const std::size_t count = static_cast<std::size_t>(request.bytes / streams(request.memory)) / sizeof(float);
      work.x.assign(count, 1);
      work.y.assign(count, 2);
      work.z.assign(count, 3);
    } else if (request.kind == WorkKind::attention) {
      const std::size_t count = size(request.batch * request.heads, request.sequence * request.head_dim);
      for (std::vector<float>* each : {&work.x, &work.y, &work.z, &work.out})
        fill(*each, count, request.inputs, random);
      if (request.backward != 0) work.grads.resize(3 * count);
    } else if (request.kind == WorkKind::collective) {
      const auto count = static_cast<std::size_t>(request.bytes) / sizeof(Bf16);
      fill(work.a, count, request.inputs, random);
      work.c.resize(count);
    }
    works_.emplace(next_, std::move(work));
    return {next_++};
  }

  void release(WorkId work) override { works_.erase(work.value); }

  void queue(WorkId id) override {
    HostWork& work = works_.at(id.value);
    switch (work.request.kind) {
      case WorkKind::gemm:
        host_gemm(work.request, work.a, work.b, work.c, threads_);
        break;
      case WorkKind::memory:
        sink_ += host_memory(work.request.memory, work.x, work.y, work.z, threads_);
        break;
      case WorkKind::attention:
        host_attention(work.request, work.x, work.y, work.z, work.out, work.grads, threads_);
        break;
      case WorkKind::collective:
        group(work.request).run(work.request.collective, work.a, work.c);
        break;
      default:
        parallel_slices(threads_, threads_, [](std::int64_t, std::int64_t) {});
    }
  }

  void block(WorkId) override {}
  void unblock(WorkId) override {}
  void flush_l2(WorkId) override { sink_ += host_memory(MemoryKernel::write, flush_, flush_, flush_, threads_); }
  void record(WorkId, int event) override { events_.at(static_cast<std::size_t>(event)) = steady_seconds(); }
  void synchronise() override {}
  [[nodiscard]] double elapsed(WorkId, int first, int last) override {
    return events_.at(static_cast<std::size_t>(last)) - events_.at(static_cast<std::size_t>(first));
  }
  [[nodiscard]] DeviceState state(int) override { return {}; }

  [[nodiscard]] std::optional<Verification> verify(WorkId id) override {
    HostWork& work = works_.at(id.value);
    if (work.request.kind == WorkKind::collective) return exchanged(work);
    if (work.request.kind != WorkKind::gemm) return {};
    queue(id);
    return checked(work);
  }

  [[nodiscard]] std::string describe(WorkId) override { return {}; }

  [[nodiscard]] GroupId new_group() override {
    listener_ = std::make_unique<Listener>(0);
    return HostGroup::name_of(*listener_);
  }
  [[nodiscard]] int join(const GroupJoin& join) override {
    if (join.local_ranks != 1) throw Waived("a host is one rank of a group");
    groups_.emplace_back(join, listener_.get());
    listener_.reset();
    return static_cast<int>(groups_.size()) - 1;
  }

 private:
  static void refuse(const WorkRequest& request) {
    if (request.kind == WorkKind::peer_copy || request.kind == WorkKind::fan_copy ||
        request.kind == WorkKind::host_copy || (request.kind == WorkKind::collective && request.group < 0)) {
      throw Waived("a host has no links to other devices");
    }
    if (request.kind == WorkKind::gemm && (request.type != ElementType::bf16 || request.accumulate != 0)) {
      throw Waived(fmt::format("the host back end multiplies bf16 only, not {}", to_string(request.type)));
    }
  }

  /// Entries of the product against sums of doubles; bfloat16 rounds to 2^-9 of the value.
  static Verification checked(const HostWork& work) {
    const WorkRequest& r = work.request;
    std::mt19937_64 random(input_seed);
    Verification result{.error = 0, .limit = 0.01};
    const double scale = std::sqrt(static_cast<double>(r.k));
    for (int i = 0; i < checked_entries; ++i) {
      const auto row = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(r.m));
      const auto column = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(r.n));
      double sum = 0;
      for (std::int64_t inner = 0; inner < r.k; ++inner) {
        const auto at_a = static_cast<std::size_t>(r.layout == Layout::tn ? inner * r.m + row : row * r.k + inner);
        const auto at_b =
            static_cast<std::size_t>(r.layout == Layout::nt ? column * r.k + inner : inner * r.n + column);
        sum += static_cast<double>(widened(work.a[at_a])) * static_cast<double>(widened(work.b[at_b]));
      }
      const double found = widened(work.c[static_cast<std::size_t>(row * r.n + column)]);
      result.error = std::max(result.error, std::abs(found - sum) / (std::abs(sum) + scale));
    }
    return result;
  }

  [[nodiscard]] HostGroup& group(const WorkRequest& request) {
    return groups_.at(static_cast<std::size_t>(request.group));
  }

  /// The collective on a pattern, every element compared; then the inputs are as they were.
  [[nodiscard]] Verification exchanged(HostWork& work) {
    const WorkRequest& r = work.request;
    const std::vector<Bf16> inputs = work.a;
    const auto whole = static_cast<long long>(work.a.size());
    for (long long i = 0; i < whole; ++i) {
      work.a[static_cast<std::size_t>(i)] = rounded(static_cast<float>(pattern(r.first_rank, i)));
    }
    constexpr Bf16 not_a_number = 0x7fff;
    std::fill(work.c.begin(), work.c.end(), not_a_number);
    group(r).run(r.collective, work.a, work.c);
    Verification result{.error = 0, .limit = allowed_pattern_error(r.collective, r.ranks)};
    for (long long i = 0; i < written_elements(r.collective, r.ranks, whole); ++i) {
      const int expected = expected_element(r.collective, r.ranks, r.first_rank, whole / r.ranks, i);
      const double off = std::abs(static_cast<double>(widened(work.c[static_cast<std::size_t>(i)])) - expected);
      if (!(off <= result.error)) result.error = std::isnan(off) ? HUGE_VAL : off;
    }
    work.a = inputs;
    return result;
  }

  int threads_;
  std::unique_ptr<Listener> listener_;  // from naming a group to joining it
  std::vector<HostGroup> groups_;
  DeviceFacts facts_;
  std::map<std::int32_t, HostWork> works_;
  std::int32_t next_ = 0;
  std::array<double, most_events> events_{};
  std::vector<float> flush_;
  double sink_ = 0;  // keeps what was read alive
};

}  // namespace

std::unique_ptr<Device> open_host() { return std::make_unique<HostDevice>(); }

}  // namespace railyard::device
