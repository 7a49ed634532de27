// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/launch_place.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/diagnostic.h"

namespace railyard::device {
namespace {

/// Variables of one launcher; empty: it has none.
struct Launcher {
  const char *name, *rank, *size, *local_rank, *local_size, *job;
  bool steps = false;  // ranks outside its steps too, which are no launch; local sizes by node, "8(x2),4"
};

// The most telling first: srun may start mpirun's processes, and both then set theirs.
constexpr std::array<Launcher, 5> launchers{
    {{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
      "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
     {"MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE",
      ""},
     {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID"},
     // Of a step, not of the job: a batch script has SLURM_PROCID and SLURM_NTASKS too, and is alone.
     {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_JOB_ID",
      true},
     {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"}}};

constexpr int first_port = 20000, ports = 20000;

int whole_number(const std::string& name, const std::string& text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw InputError(fmt::format("{} is '{}'", name, text),
                     most == INT32_MAX ? fmt::format("a whole number from {}", least)
                                       : fmt::format("a whole number from {} to {}", least, most));
  }
  return value;
}

std::optional<std::string> lookup(const Environment& environment, const char* name) {
  if (*name == '\0') return {};
  std::optional<std::string> text = environment(name);
  return text && !text->empty() ? text : std::nullopt;
}

/// FNV-1a, so that all processes of a job come to the same port.
std::uint32_t hashed(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

MeetingPlace parsed(const std::string& option, const std::string& text) {
  if (text.find('/') != std::string::npos) return {.host = {}, .file = text};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    throw InputError(fmt::format("{} '{}' is no place to meet", option, text),
                     "HOST:PORT, or the path of a file on a disk that all nodes share");
  }
  return {.host = text.substr(0, colon),
          .file = {},
          .port = whole_number(option + "'s port", text.substr(colon + 1), 1, 65535)};
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* const text = std::getenv(name.c_str());
  return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

std::optional<LaunchPlace> launch_place(const Environment& environment) {
  for (const Launcher& each : launchers) {
    const std::optional<std::string> rank = lookup(environment, each.rank), size = lookup(environment, each.size);
    if (!size && (!rank || each.steps)) continue;
    if (!rank || !size) {
      throw InputError(
          fmt::format("{} is set, but {} is not", rank ? each.rank : each.size, rank ? each.size : each.rank),
          fmt::format("both, as {} sets them, or none to measure this machine alone", each.name));
    }
    LaunchPlace place{.launcher = each.name};
    place.size = whole_number(each.size, *size, 1, INT32_MAX);
    place.rank = whole_number(each.rank, *rank, 0, place.size - 1);
    if (const auto local = lookup(environment, each.local_rank)) {
      place.local_rank = whole_number(each.local_rank, *local, 0, place.size - 1);
    }
    if (const auto local = lookup(environment, each.local_size)) {
      // By node the first counts: nodes differ in nothing here.
      const std::string text = each.steps ? local->substr(0, local->find_first_of("(,")) : *local;
      const int local_size = whole_number(each.local_size, text, 1, place.size);
      place.local_size = local_size;
      if (place.local_rank >= local_size) {
        throw InputError(
            fmt::format("{} is {} of {} = {}", each.local_rank, place.local_rank, each.local_size, local_size),
            "a local rank below the local size");
      }
    }
    place.job = lookup(environment, each.job).value_or("");
    return place;
  }
  return {};
}

std::optional<std::string> own_device(const LaunchPlace& place, const std::string& visible) {
  if (place.local_size < 2 || place.local_rank < 0) return {};
  if (visible.empty()) return std::to_string(place.local_rank);
  std::vector<std::string> devices(1);
  for (const char c : visible) {
    if (c == ',') {
      devices.emplace_back();
    } else {
      devices.back() += c;
    }
  }
  const auto wanted = static_cast<std::size_t>(place.local_rank);
  if (devices.size() == 1) return {};  // the launcher gave this process its own
  if (devices.size() < static_cast<std::size_t>(place.local_size)) {
    throw InputError(
        fmt::format("{} processes on this node see {} GPUs ({})", place.local_size, devices.size(), visible),
        "one process a GPU, or one a node");
  }
  return devices[wanted];
}

std::string first_node(const std::string& list) {
  const std::size_t open = list.find('['), comma = list.find(',');
  if (open == std::string::npos || comma < open) return list.substr(0, comma);
  const std::size_t end = list.find_first_of(",-]", open);
  if (end == std::string::npos) return list.substr(0, open);
  return list.substr(0, open) + list.substr(open + 1, end - open - 1);
}

MeetingPlace meeting_place(const LaunchPlace& place, const std::string& named, const Environment& environment) {
  if (!named.empty()) return parsed("--rendezvous", named);
  if (const auto text = lookup(environment, "RAILYARD_RENDEZVOUS")) return parsed("RAILYARD_RENDEZVOUS", *text);
  MeetingPlace meeting;
  const auto port = lookup(environment, "MASTER_PORT");
  meeting.port = port ? whole_number("MASTER_PORT", *port, 1, 65535)
                      : first_port + static_cast<int>(hashed(place.job) % static_cast<std::uint32_t>(ports));
  if (const auto host = lookup(environment, "MASTER_ADDR")) {
    meeting.host = *host;
    return meeting;
  }
  for (const char* const name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}) {
    if (const auto nodes = lookup(environment, name)) {
      meeting.host = first_node(*nodes);
      return meeting;
    }
  }
  if (place.size == 1 || place.local_size == place.size) {
    meeting.host = "127.0.0.1";
    return meeting;
  }
  throw InputError(fmt::format("{} processes, but nothing tells where they meet", place.size),
                   "MASTER_ADDR set to the first node for all of them (mpirun -x MASTER_ADDR), or --rendezvous with "
                   "HOST:PORT or a file that all nodes share");
}

}  // namespace railyard::device
